from django.urls import path

from campaigns.views import trail

urlpatterns = [
    path("", trail.chronicle, name="trail"),
    path("<int:seq>/", trail.one, name="entry"),
    path("<int:seq>/undo/", trail.undo, name="undo"),
    path("<int:seq>/reveal/", trail.reveal, name="reveal"),
]
