"""The site's addresses, and the page of its kit, which pages are held against."""
from django.urls import path

from config.styleguide import styleguide
from config.urls import *  # noqa: F403
from config.urls import urlpatterns

urlpatterns = [*urlpatterns, path("styleguide/", styleguide)]
