"""The words of what earlier versions wrote, laid out for the search: by `migrate` and by `manage.py search_index`.

A campaign is laid out a hundred things at a time, each hundred in a transaction of its own under the campaign's lock:
people play on meanwhile. One that was left half done begins anew.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from itertools import islice

from django.db import connection, transaction

from accounts.statements import insert
from campaigns.models import Campaign, Found
from campaigns.search import KINDS, VERSION, rows_of
from campaigns.search_index import analyse
from campaigns.trail import rebuild

BATCH = 100
SAID = 2000  # things between two words of how far it is

Say = Callable[[str], object]


def build(campaign_id: uuid.UUID, say: Say = lambda said: None) -> None:
    """Lays out all words of a campaign anew; `say` gets a line now and then."""
    _forget(campaign_id)
    count, campaign = 0, Campaign.objects.get(pk=campaign_id)
    for kind in KINDS.values():
        ids = iter(kind.ids(campaign))
        while some := list(islice(ids, BATCH)):
            with transaction.atomic():
                now = Campaign.objects.select_for_update().get(pk=campaign_id)
                Found.objects.filter(campaign=now, of=kind.name, object_id__in=some).delete()
                insert(rows_of(now, kind, some))
            count += len(some)
            if count % SAID < len(some):
                say(f"Search: {count} things of {campaign.slug} so far.")
    Campaign.objects.filter(pk=campaign_id).update(search_version=VERSION)
    analyse(connection)
    say(f"Search: {campaign.slug} is complete, {count} things.")


def _forget(campaign_id: uuid.UUID) -> None:
    Campaign.objects.filter(pk=campaign_id).update(search_version=0)
    rows = Found.objects.filter(campaign=campaign_id).order_by("pk")
    while some := list(rows.values_list("pk", flat=True)[:1000]):
        Found.objects.filter(pk__in=some).delete()


def missing() -> Iterator[uuid.UUID]:
    """The campaigns that are not laid out, or as another version did it."""
    yield from Campaign.objects.exclude(search_version=VERSION).order_by("created").values_list("pk", flat=True)


def build_missing(say: Say) -> None:
    """Lays out what is missing, of all campaigns."""
    for campaign_id in list(missing()):
        build(campaign_id, say)


rebuild.FOLLOW.append(build)
