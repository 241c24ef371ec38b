from django.urls import path

from characters.views import actions, beginning, building, sheets, sight

urlpatterns = [
    path("characters/", sheets.listing, name="characters"),
    path("characters/mine/", sheets.mine, name="my_sheet"),
    path("characters/begin/", beginning.begin, name="character_begin"),
    path("characters/take/", beginning.take, name="character_take"),
    path("characters/new/", building.new, name="character_new"),
    path("characters/new/prose/", building.prose, name="character_prose"),
    path("characters/blank/", sheets.blank, name="sheet_blank"),
    path("characters/quick/", actions.quick, name="npc_quick"),
    path("characters/builder/count/", building.count, name="builder_count"),
    path("characters/lines/<slug:kind>/", sheets.lines, name="lines"),
    path("characters/<uuid:character_id>/", sheets.sheet, name="sheet"),
    path("characters/<uuid:character_id>/as-of/<seq:seq>/", sheets.as_of, name="sheet_as_of"),
    path("characters/<uuid:character_id>/why/<uuid:object_id>/", sheets.why, name="why"),
    path("characters/<uuid:character_id>/edit/", building.edit, name="character_edit"),
    path("characters/<uuid:character_id>/note/", actions.note, name="gm_note"),
    path("characters/<uuid:character_id>/player/", actions.assign, name="assign"),
    path("characters/<uuid:character_id>/award/", actions.award, name="award"),
    path("characters/<uuid:character_id>/traits/<uuid:trait_id>/replace/", actions.replace, name="replace"),
    path("characters/<uuid:character_id>/retire/", actions.retire, name="retire"),
    path("characters/<uuid:character_id>/dead/", actions.set_dead, name="set_dead"),
    path("characters/<uuid:character_id>/hide/", sight.hide, name="hide"),
    path("characters/<uuid:character_id>/share/", sheets.share, name="share_sheet"),
    path("characters/<uuid:character_id>/looks/", sight.looks, name="looks"),
    path("characters/<uuid:character_id>/who-sees/", sight.who_sees, name="who_sees"),
    path("characters/<uuid:character_id>/duplicate/", actions.duplicate, name="duplicate"),
    path("characters/<uuid:character_id>/portrait/", actions.portrait, name="portrait"),
    path("characters/<uuid:character_id>/portrait/<slug:digest>.webp", actions.portrait_image, name="portrait_image"),
]
