"""The pages of a session: what was learned in it, what its pool did, which facts were made."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.contexts import Moment, moment
from campaigns.trail.contexts import EntryContext, entries
from play.session_summary import AwardEntry, FactEntry, Gain
from rules.system import PoolKind


@dataclass(frozen=True)
class Tab:
    """One of the pages that tell of the sessions."""

    label: str
    url: str
    current: bool


def session_tabs(viewer: Viewer, here: str) -> tuple[Tab, ...]:
    """The pages beside the sessions that this game has, `here` the one that is open; none where there is one alone."""
    rules, places = viewer.campaign.rules, [("chronicle", "Chronicle")]
    if rules.experience_rule:
        places.append(("experience", pool_of(viewer, rules.experience_rule.pool).label))
    if rules.has_facts:
        places.append(("facts", "Facts"))
    tabs = tuple(Tab(label, reverse(name, args=[viewer.campaign.slug]), name == here) for name, label in places)
    return tabs if len(tabs) > 1 else ()


def pool_of(viewer: Viewer, name: str) -> PoolKind:
    """The pool of the characters that has this name."""
    return next(kind for kind in viewer.campaign.rules.sheet.pools if kind.name == name)


@dataclass(frozen=True)
class AwardRow:
    """Something that was learned or was not: about what, in which contest, and why it does not count."""

    seq: int
    about: str
    what: str
    contest: uuid.UUID
    title: str
    counts: bool
    why: str


@dataclass(frozen=True)
class CharacterAwards:
    """A character's session: the awards in their order, and how many of them counted."""

    id: uuid.UUID
    name: str
    earned: int
    rows: tuple[AwardRow, ...]


def awards_by_character(
    entries: Sequence[AwardEntry], who: Mapping[str, tuple[str, Mapping[str, str]]]
) -> list[CharacterAwards]:
    """By character, by name. `who` has the names of those whom the viewer may know, and their lines by small letters.

    Whoever is not in it is left out.
    """
    made = []
    mine = sorted((award for award in entries if award.award.who in who), key=lambda award: award.award.who)
    for sheet, awards in groupby(mine, key=lambda award: award.award.who):
        name, lines = who[sheet]
        rows = tuple(_award_row(award, lines) for award in awards)
        made.append(CharacterAwards(uuid.UUID(sheet), name, sum(row.counts for row in rows), rows))
    return sorted(made, key=lambda awards: (awards.name, awards.id))


def _award_row(row: AwardEntry, lines: Mapping[str, str]) -> AwardRow:
    award = row.award
    about = lines.get(award.about.casefold(), award.about[:1].upper() + award.about[1:])
    return AwardRow(row.seq, about, award.what, row.contest.pk, row.contest.title, award.counts, award.why)


@dataclass(frozen=True)
class GainRow:
    """An entry that changed what characters hold, with the id, the name and the sum of each."""

    entry: EntryContext
    by: tuple[tuple[uuid.UUID, str, str], ...]
    between: bool  # not in the session itself


def gain_rows(viewer: Viewer, gains: Sequence[Gain]) -> list[GainRow]:
    """The rows for these entries."""
    rows = entries(viewer, [gain.entry for gain in gains])
    return [
        GainRow(entry, tuple((pk, name, f"{by:+d}".replace("-", "−")) for pk, name, by in gain.by),
                gain.entry.session_id is None)
        for entry, gain in zip(rows, gains, strict=True)
    ]


@dataclass(frozen=True)
class FactRow:
    """A fact of the campaign, or what is to be one; `seq` is the entry that made it so, or asked for it."""

    seq: int
    fact: str
    terms: str
    who: str
    sheet: str
    contest: uuid.UUID
    session: str = ""
    at: Moment | None = None


def fact_rows(facts: Sequence[FactEntry], who: Mapping[str, str], sessions: Mapping[uuid.UUID, str]) -> list[FactRow]:
    """The rows for these facts. `who` has the names of those whom the viewer may know; others go without."""
    return [
        FactRow(
            fact.seq, fact.fact.fact, fact.fact.terms, who.get(fact.fact.who, ""),
            fact.fact.who if fact.fact.who in who else "", fact.contest.pk,
            sessions.get(fact.entry.session_id, "") if fact.entry and fact.entry.session_id else "",
            moment(fact.entry.at) if fact.entry else None,
        )
        for fact in facts
    ]
