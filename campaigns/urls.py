from django.urls import path

from campaigns.views import departing, home, inviting, people, settings, viewing

urlpatterns = [
    path("", home.home, name="home"),
    path("campaigns/new/", home.found, name="found"),
    path("account/delete/", departing.delete_account, name="delete_account"),
    path("join/<str:token>/", inviting.join, name="join"),
    path("c/<slug:slug>/settings/", settings.campaign_settings, name="campaign_settings"),
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/invite/", inviting.invite, name="invite"),
    path("c/<slug:slug>/people/links/<uuid:invitation>/close/", inviting.close, name="close_link"),
    path("c/<slug:slug>/people/leave/", people.leave, name="leave"),
    path("c/<slug:slug>/people/<uuid:member>/seat/", people.change_role, name="change_role"),
    path("c/<slug:slug>/people/<uuid:member>/remove/", people.remove, name="remove_member"),
    path("c/<slug:slug>/people/<uuid:member>/view-as/", viewing.view_as, name="view_as"),
    path("c/<slug:slug>/people/own-view/", viewing.own_view, name="own_view"),
    path("c/<slug:slug>/people/<uuid:member>/hand-over/", people.hand_over, name="hand_over"),
]
