from django.urls import path

from campaigns.views import home

urlpatterns = [
    path("", home.home, name="home"),
    path("campaigns/new/", home.found, name="found"),
]
