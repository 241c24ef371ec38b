from django.urls import path

from play.views import bank, contests, deeds, odds, scenes, sessions, table

urlpatterns = [
    path("", table.table, name="table"),
    path("feed/", table.feed, name="feed"),
    path("tray/", table.tray, name="tray"),
    path("roll/", table.roll, name="roll"),
    path("head/", table.head, name="head"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/open/", sessions.open_session, name="open_session"),
    path("sessions/close/", sessions.close_session, name="close_session"),
    path("sessions/<uuid:session_id>/recap/", sessions.recap, name="recap"),
    path("scene/open/", sessions.open_scene, name="open_scene"),
    path("scene/presence/", sessions.presence, name="presence"),
    path("scene/close/", scenes.close, name="close_scene"),
    path("scene/recover/", scenes.recover, name="recover"),
    path("scene/gift/", scenes.boon, name="boon"),
    path("to-place/<uuid:due_id>/", scenes.due, name="due"),
    path("contests/start/<slug:kind>/", contests.start, name="start_contest"),
    path("contests/<uuid:contest_id>/", contests.contest, name="contest"),
    path("contests/<uuid:contest_id>/<slug:action>/<slug:by>/", contests.act, name="act"),
    path("contests/<uuid:contest_id>/<slug:action>/<slug:by>/odds/", contests.forecast, name="act_odds"),
    path("deeds/<uuid:character_id>/", deeds.deeds, name="deeds"),
    path("deeds/<uuid:character_id>/<slug:action>/", deeds.do_one, name="deed"),
    path("odds/", odds.odds, name="odds"),
    path("prepare/", bank.prepare, name="prepare"),
    path("prepare/new/<slug:sort>/", bank.prepared, name="prepare_new"),
    path("prepare/<slug:sort>/<uuid:prepared_id>/", bank.prepared, name="prepared"),
    path("prepare/<uuid:prepared_id>/press/", bank.press, name="prepared_press"),
    path("pools/<slug:name>/", bank.pool, name="shared_pool"),
    path("live/", table.no_stream, name="live"),
]
