"""Where the trail asks for its news: with every entry of the story, in its transaction, by one statement.

What follows for whom is worked out by the job, after the entry stands.
"""
from __future__ import annotations

from accounts.services import FORGET
from campaigns.models import Entry
from campaigns.trail.declared import declared
from campaigns.trail.draft import FOLLOW, Draft
from jobs.queue import ask
from news.services.choosing import forget
from news.work import look


def watch(_draft: Draft, entry: Entry) -> None:
    """Has somebody look at the campaign, unless the entry is book-keeping."""
    kind = declared(entry.kind)
    if kind is None or kind.story or kind.felt:
        ask(look, str(entry.campaign_id))


FOLLOW.append(watch)
FORGET.append(forget)
