"""What the contests of a campaign add up to: what a session taught, and what is so by now.

Nothing here is kept in a table. Contests are folded, and each thing is told with the entry that it came with, so that
what was undone is gone of itself. The first argument is the viewer.
"""
from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.db.models import Exists, Min, OuterRef, Prefetch, QuerySet
from django.http import Http404

from campaigns.access import Viewer
from campaigns.trail.looking import LOOKED
from campaigns.trail.models import Change, Entry
from campaigns.trail.visible import payload_of, readable
from characters.models import Pool, Trait
from characters.queries import known
from play.models import Contest, ContestEvent, Session
from play.services.folds import contained
from rules.afterwards import AwardsExperience, StatesFacts
from rules.engine import Procedure
from rules.procedure import Award, Fact

FACTS = 40  # a page of them
MOST_WAITING = 40
MOST_GAINS = 60


@dataclass(frozen=True)
class SessionSpan:
    """A session, with the days up to the next one: the entries from `first` on, and before `end`."""

    session: Session | None
    earlier: Session | None
    later: Session | None
    first: int
    end: int | None

    @property
    def range(self) -> dict[str, int]:
        """The condition on the number of an entry."""
        return {"seq__gte": self.first, **({"seq__lt": self.end} if self.end else {})}


def span(viewer: Viewer, session_id: str = "") -> SessionSpan:
    """The session of this id, without one the latest; 404 for an id of none.

    What came before the first session is told with the first.
    """
    sessions = Session.objects.filter(campaign=viewer.campaign).defer("recap").order_by("-number")
    session = sessions.filter(pk=_id(session_id)).first() if session_id else sessions.first()
    if session is None:
        if session_id:
            raise Http404("There is nothing here for you.")
        return SessionSpan(None, None, None, 0, None)
    earlier = sessions.filter(number__lt=session.number).first()
    later = sessions.filter(number__gt=session.number).last()
    marks = _first_marks(viewer, [session.pk for session in (session, later) if session])
    return SessionSpan(
        session, earlier, later, marks.get(session.pk, 0) if earlier else 0, marks.get(later.pk) if later else None
    )


def _id(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Http404("There is nothing here for you.") from None


def _first_marks(viewer: Viewer, ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, int]:
    """The numbers of the entries that rows came with."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=list(ids), field="")
    return dict(marks.values("object_id").annotate(first=Min("seq")).values_list("object_id", "first"))


def _contests(viewer: Viewer, kinds: Mapping[str, Procedure[Any]]) -> QuerySet[Contest]:
    in_order = Prefetch("log", ContestEvent.objects.order_by("number"))
    return Contest.objects.filter(campaign=viewer.campaign, kind__in=kinds).prefetch_related(in_order)


def _states(kind: Procedure[Any], contest: Contest) -> Iterator[tuple[Any, uuid.UUID]]:
    """The contest after each of its events. Prefetch `log` in its order."""
    state = kind.blank()
    for event in contest.log.all():
        state = kind.evolve(state, kind.read(json.loads(event.text)))
        yield state, event.pk


def _arrivals(
    kind: Procedure[Any], contest: Contest, tell: Callable[[Any], tuple[Any, ...]]
) -> tuple[tuple[Any, uuid.UUID], ...]:
    """Each thing that a contest tells, with the event that it came with; nothing of one that can't be read."""
    return contained(contest, lambda: tuple(_one_by_one(kind, contest, tell)), ())


def _one_by_one(
    kind: Procedure[Any], contest: Contest, tell: Callable[[Any], tuple[Any, ...]]
) -> Iterator[tuple[Any, uuid.UUID]]:
    known_before = 0
    for state, event in _states(kind, contest):
        now = tell(state)
        yield from ((award, event) for award in now[known_before:])
        known_before = len(now)


@dataclass(frozen=True)
class AwardEntry:
    """An award, the contest that it was learned in, and the number of its entry."""

    award: Award
    contest: Contest
    seq: int


def awards(viewer: Viewer, when: SessionSpan) -> list[AwardEntry]:
    """What was learned in a session by those whom the viewer may know of, or was not, in its order."""
    kinds = {kind.name: kind for kind in viewer.campaign.rules.procedures if isinstance(kind, AwardsExperience)}
    moved = Change.objects.filter(campaign=viewer.campaign, object_id=OuterRef("pk"), field="", **when.range)
    came = [
        (award, contest, event)
        for contest in _contests(viewer, kinds).filter(Exists(moved)).order_by("pk")
        for award, event in _arrivals(kinds[contest.kind], contest, kinds[contest.kind].awards)
    ]
    first = _first_marks(viewer, {event for _, _, event in came})
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, **when.range)
    open_ = set(entries.filter(seq__in=set(first.values())).values_list("seq", flat=True))
    mine = [AwardEntry(award, contest, first[event]) for award, contest, event in came if first.get(event) in open_]
    return sorted(mine, key=lambda award: award.seq)


@dataclass(frozen=True)
class Gain:
    """An entry that changed what characters hold in a pool: by how much, by the character's id and name."""

    entry: Entry
    by: tuple[tuple[uuid.UUID, str, int], ...]


def gains(viewer: Viewer, when: SessionSpan, pool: str, besides: Iterable[int] = ()) -> tuple[list[Gain], bool]:
    """What changed a pool in a session beside these entries, newest first, and whether there is more of it.

    An undo is told of at what it undid, never by itself.
    """
    rows = Pool.objects.filter(campaign=viewer.campaign, name=pool, character__in=known(viewer))
    moved = Change.objects.filter(
        campaign=viewer.campaign, object_id__in=rows.values("pk"), field="value", **when.range)
    numbers = list(moved.order_by("-seq").values_list("seq", flat=True)[:LOOKED])
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__in=numbers)
    entries = entries.exclude(kind="undo").exclude(seq__in=set(besides)).order_by("-seq")
    newest = list(entries.select_related("payload", "revelation", "actor__user")[: MOST_GAINS + 1])
    whose = {str(pk): (of, name) for pk, of, name in rows.values_list("pk", "character_id", "character__name")}
    more = len(newest) > MOST_GAINS or len(numbers) == LOOKED
    return [Gain(entry, tuple(_by(entry, whose))) for entry in newest[:MOST_GAINS]], more


def _by(entry: Entry, whose: Mapping[str, tuple[uuid.UUID, str]]) -> Iterator[tuple[uuid.UUID, str, int]]:
    for change in (payload_of(entry) or {}).get("changes", ()):
        if change["id"] in whose:
            was, became = ((state or {}).get("value", 0) for state in (change["was"], change["became"]))
            yield (*whose[change["id"]], became - was)


@dataclass(frozen=True)
class FactEntry:
    """A fact, the contest that made it, and the number of its entry."""

    fact: Fact
    contest: Contest
    seq: int
    entry: Entry | None = None  # of what stands


class FactKind(Procedure[Any], StatesFacts[Any]):
    """A procedure that makes facts, as the types have it; none is ever made of this."""


def fact_kinds(viewer: Viewer) -> dict[str, FactKind]:
    """The kinds of contest that make facts, by name."""
    return {
        kind.name: cast(FactKind, kind) for kind in viewer.campaign.rules.procedures if isinstance(kind, StatesFacts)}


def facts(viewer: Viewer, before: int = 0) -> tuple[list[FactEntry], int | None]:
    """What contests made true, newest first, and the number to go on before (None at the end)."""
    kinds = fact_kinds(viewer)
    sheet_actions = [f"contest.{action}" for kind in kinds.values() for action in kind.fact_rule.by]
    ids = Contest.objects.filter(campaign=viewer.campaign, kind__in=kinds).values("pk")
    about = Change.objects.filter(entry=OuterRef("pk"), field="", object_id__in=ids)
    entries = Entry.objects.filter(readable(viewer), Exists(about), campaign=viewer.campaign, kind__in=sheet_actions)
    rows = list((entries.filter(seq__lt=before) if before else entries).order_by("-seq")[: FACTS + 1])
    page = {row.seq: row for row in rows[:FACTS]}
    marks = Change.objects.filter(campaign=viewer.campaign, entry__in=list(page.values()), field="")
    made = _contests(viewer, kinds).filter(pk__in=marks.values("object_id"))
    accepted = [fact for fact in _stands(viewer, made, kinds) if fact.seq in page]
    standing = [FactEntry(fact.fact, fact.contest, fact.seq, page[fact.seq]) for fact in accepted]
    return sorted(standing, key=lambda fact: -fact.seq), rows[FACTS - 1].seq if len(rows) > FACTS else None


def _stands(
    viewer: Viewer, made: Iterable[Contest], kinds: Mapping[str, FactKind]
) -> list[FactEntry]:
    def standing(kind: FactKind) -> Callable[[Any], tuple[Fact, ...]]:
        return lambda state: tuple(fact for fact in kind.facts(state) if fact.stands)

    came = [
        (fact, contest, event) for contest in made
        for fact, event in _arrivals(kinds[contest.kind], contest, standing(kinds[contest.kind]))
    ]
    first = _first_marks(viewer, [event for _, _, event in came])
    return [FactEntry(fact, contest, first.get(event, 0)) for fact, contest, event in came]


def waiting(viewer: Viewer) -> list[FactEntry]:
    """What is asked for and waits for a word, the oldest first."""
    kinds = fact_kinds(viewer)
    came = []
    for contest in _contests(viewer, kinds).filter(over=False).order_by("pk")[:MOST_WAITING]:
        came += [(fact, contest) for fact in contained(contest, partial(_in_the_end, kinds[contest.kind], contest), ())
                 if not fact.stands]
    first = _first_marks(viewer, [contest.pk for _, contest in came])
    return sorted((FactEntry(fact, event, first.get(event.pk, 0)) for fact, event in came), key=lambda fact: fact.seq)


def _in_the_end(kind: FactKind, contest: Contest) -> tuple[Fact, ...]:
    states = [state for state, _ in _states(kind, contest)]
    return kind.facts(states[-1]) if states else ()


def sheets(viewer: Viewer, awards: Iterable[AwardEntry]) -> dict[str, tuple[str, dict[str, str]]]:
    """Of those who learned and whom the viewer may know: the name, and the lines of the sheet by small letters; of two
    that differ in capitals alone, the first."""
    lines = Prefetch("traits", Trait.objects.order_by("-place"))
    rows = known(viewer).filter(pk__in={award.award.who for award in awards}).prefetch_related(lines)
    return {str(row.pk): (row.name, {trait.name.casefold(): trait.name for trait in row.traits.all()}) for row in rows}


def names(viewer: Viewer, facts: Iterable[FactEntry]) -> dict[str, str]:
    """The names of those whose facts these are and whom the viewer may know, by id."""
    rows = known(viewer).filter(pk__in={fact.fact.who for fact in facts})
    return {str(pk): name for pk, name in rows.values_list("pk", "name")}


def session_names(viewer: Viewer, facts: Iterable[FactEntry]) -> dict[uuid.UUID, str]:
    """The sessions in which these facts were made, as a person calls them."""
    ids = {fact.entry.session_id for fact in facts if fact.entry and fact.entry.session_id}
    rows = Session.objects.filter(campaign=viewer.campaign, pk__in=ids).defer("recap")
    return {row.pk: str(row) for row in rows}
