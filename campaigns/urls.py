from django.urls import path

from campaigns.views import closing, departing, home, inviting, pages, people, searching, settings, shown, viewing

urlpatterns = [
    path("", home.home, name="home"),
    path("campaigns/new/", home.found, name="found"),
    path("account/delete/", departing.delete_account, name="delete_account"),
    path("join/<str:token>/", inviting.join, name="join"),
    path("c/<slug:slug>/settings/", settings.campaign_settings, name="campaign_settings"),
    path("c/<slug:slug>/search/", searching.search, name="search"),
    path("c/<slug:slug>/archive/", closing.archive, name="campaign_archive"),
    path("c/<slug:slug>/delete/", closing.delete, name="campaign_delete"),
    path("c/<slug:slug>/shown/", shown.shown, name="shown"),
    path("c/<slug:slug>/notes/", pages.listing, name="pages"),
    path("c/<slug:slug>/notes/new/", pages.new, name="page_new"),
    path("c/<slug:slug>/notes/<uuid:page_id>/", pages.page, name="page"),
    path("c/<slug:slug>/notes/<uuid:page_id>/edit/", pages.edit, name="page_edit"),
    path("c/<slug:slug>/notes/<uuid:page_id>/history/", pages.history, name="page_history"),
    path("c/<slug:slug>/notes/<uuid:page_id>/view/", pages.see, name="page_view"),
    path("c/<slug:slug>/notes/<uuid:page_id>/told/", pages.told, name="page_told"),
    path("c/<slug:slug>/notes/<uuid:page_id>/remove/", pages.remove, name="page_remove"),
    path("c/<slug:slug>/notes/<uuid:page_id>/picture/", pages.picture, name="page_picture"),
    path("c/<slug:slug>/notes/<uuid:page_id>/picture/<slug:digest>.webp", pages.image, name="page_image"),
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
