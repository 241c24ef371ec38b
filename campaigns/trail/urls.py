from django.urls import path

from campaigns.views import checking, trail

urlpatterns = [
    path("", trail.chronicle, name="trail"),
    path("verify/", checking.verify, name="verify"),
    path("export/", checking.download, name="export"),
    path("<int:seq>/", trail.one, name="entry"),
    path("<int:seq>/undo/", trail.undo, name="undo"),
    path("<int:seq>/reveal/", trail.reveal, name="reveal"),
]
