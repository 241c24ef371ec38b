"""The Ledger stood under `chronicle/` once; that is the story's place now."""
from django.urls import path

from campaigns.moved import moved

urlpatterns = [
    path("verify/", moved("verify"), name="old_verify"),
    path("export/", moved("export"), name="old_export"),
    path("<seq:seq>/", moved("entry"), name="old_entry"),
    path("<seq:seq>/undo/", moved("undo"), name="old_undo"),
    path("<seq:seq>/reveal/", moved("reveal"), name="old_reveal"),
]
