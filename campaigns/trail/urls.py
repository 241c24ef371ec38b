from django.urls import path

from campaigns.views import checking, trail

urlpatterns = [
    path("", trail.ledger, name="ledger"),
    path("verify/", checking.verify, name="verify"),
    path("export/", checking.download, name="export"),
    path("receipts/", checking.receipts, name="receipts"),
    path("since/<seq:seq>/", checking.since, name="since"),
    path("<seq:seq>/", trail.one, name="entry"),
    path("<seq:seq>/undo/", trail.undo, name="undo"),
    path("<seq:seq>/reveal/", trail.reveal, name="reveal"),
]
