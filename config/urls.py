"""Every address of the house, room by room."""
from django.urls import include, path

from campaigns.views.checking import verifier

urlpatterns = [
    path("", include("campaigns.urls")),
    path("", include("accounts.urls")),
    path("verify.py", verifier, name="verifier"),
    path("c/<slug:slug>/chronicle/", include("campaigns.trail.urls")),
    path("c/<slug:slug>/", include("characters.urls")),
    path("c/<slug:slug>/", include("play.urls")),
]
