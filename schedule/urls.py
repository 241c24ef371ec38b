from django.urls import path

from schedule.views import calendars, dates

urlpatterns = [
    path("dates/", dates.dates, name="dates"),
    path("dates/propose/", dates.propose, name="dates_propose"),
    path("dates/series/", dates.repeat, name="dates_repeat"),
    path("dates/series/<uuid:series_id>/end/", dates.end_series, name="dates_series_end"),
    path("dates/<uuid:evening_id>/", dates.date, name="date"),
    path("dates/<uuid:evening_id>/fix/", dates.fix, name="date_fix"),
    path("dates/<uuid:evening_id>/move/", dates.move, name="date_move"),
    path("dates/<uuid:evening_id>/repeat/", dates.go_on_from, name="date_repeat"),
    path("dates/<uuid:evening_id>/take-back/", dates.take_back, name="date_take_back"),
    path("dates/<uuid:evening_id>/call-off/", dates.call_off, name="date_call_off"),
    path("dates/<uuid:evening_id>.ics", calendars.evening, name="date_calendar"),
]
