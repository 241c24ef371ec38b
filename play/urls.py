from django.urls import path

from play.views import table

urlpatterns = [
    path("", table.table, name="table"),
    path("feed/", table.feed, name="feed"),
    path("tray/", table.tray, name="tray"),
    path("roll/", table.roll, name="roll"),
    path("head/", table.head, name="head"),
    path("live/", table.no_stream, name="live"),
]
