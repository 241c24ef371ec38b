"""The pages, as WSGI."""
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
settings.SECRET_KEY  # noqa: B018 - Django refuses an empty one: now, and not with a fault on each page
