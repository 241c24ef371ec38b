"""Every address of the site, app by app."""
from django.conf import settings
from django.urls import include, path, register_converter

from campaigns.converters import Seq
from campaigns.views.checking import verifier
from config.styleguide import styleguide
from play.views import samples

register_converter(Seq, "seq")

urlpatterns = [
    path("", include("campaigns.urls")),
    path("", include("accounts.urls")),
    path("verify.py", verifier, name="verifier"),
    path("samples/<slug:game>/", samples.begin, name="sample_begin"),
    path("c/<slug:slug>/ledger/", include("campaigns.trail.urls")),
    path("c/<slug:slug>/chronicle/", include("campaigns.trail.old_urls")),
    path("c/<slug:slug>/", include("characters.urls")),
    path("c/<slug:slug>/", include("play.urls")),
]
handler500 = "config.faults.fault"
if settings.DEBUG:
    urlpatterns += [path("styleguide/", styleguide)]
