"""Every address of the site, app by app."""
from django.conf import settings
from django.urls import include, path, register_converter

from campaigns import urls as campaigns
from campaigns.converters import Seq
from campaigns.views.checking import verifier
from config import offline
from config.importing import views as importing
from config.styleguide import styleguide
from config.trials import views as trials
from play.views import samples
from schedule.views import calendars

register_converter(Seq, "seq")

# An address is looked for from above down: the Ledger's and the table's are asked for most.
of_a_campaign = [
    path("ledger/", include("campaigns.trail.urls")),
    path("", include("play.urls")),
    path("", include("characters.urls")),
    path("", include("schedule.urls")),
    path("", include(campaigns.of_a_campaign)),
    path("chronicle/", include("campaigns.trail.old_urls")),
]
urlpatterns = [
    path("c/<slug:slug>/", include(of_a_campaign)),
    path("", include("campaigns.urls")),
    path("", include("accounts.urls")),
    path("", include("news.urls")),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("worker.js", offline.worker, name="worker"),
    path("offline/", offline.away, name="offline"),
    path("offline/list/", offline.wanted, name="offline_list"),
    path("operator/", include("config.operating.urls")),
    path("import/", importing.import_own, name="campaign_import"),
    path("import/<uuid:upload>/", importing.progress, name="import_progress"),
    path("import/<uuid:upload>/stop/", importing.stop, name="import_stop"),
    path("verify.py", verifier, name="verifier"),
    path("try/", trials.try_table, name="try_table"),
    path("samples/<slug:game>/", samples.begin, name="sample_begin"),
    path("account/calendar/", calendars.address, name="calendar_address"),
    path("calendar/<str:token>.ics", calendars.feed, name="calendar_feed"),
]
handler400 = "config.faults.not_accepted"
handler500 = "config.faults.fault"
if settings.DEBUG:
    urlpatterns += [path("styleguide/", styleguide)]
