"""The story of the table as cards: all that came of one contest in one; arrivals, and what a scene was set with, in a
line."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from django.db.models import QuerySet, Subquery
from django.urls import reverse

from accounts.statements import compiled_once
from campaigns.access import Viewer
from campaigns.models import Entry
from campaigns.trail.contexts import EntryRow, rows
from campaigns.trail.visible import payload_of
from play.contexts.rounds import Round, rounds_of
from play.contexts.steps import Payloads, Step, steps
from play.models import Contest
from play.services import afterwords
from play.services.exchanges import began
from play.services.folds import FOLDS, UNREADABLE, contained, readable
from play.services.position import LAST
from play.services.reading_again import readings
from play.stories import told
from rules.engine import Procedure
from rules.procedure import Options
from rules.strike import HearsWords
from rules.wording import join

ARRIVES, BEGINS = "character.create", ("contest.start", "contest.tray")
SETS = ("scene.open", "scene.presence", "obstacle.put", "plan.open")  # what a scene is set with
OF_CONTESTS = ("contest.", afterwords.KIND)
MOST_SAID = 4  # sentences of what came of a contest, on its card
GIVE = "give"  # the act that adds what lasts
LATEST = 3  # entries of a card that stand open; those before them are folded


@dataclass(frozen=True)
class StoryCard:
    """Entries that belong together, the oldest first: one alone, those of a contest, or what one `line` tells of."""

    earlier: tuple[EntryRow, ...]
    latest: tuple[EntryRow, ...]
    steps: tuple[Step, ...] = ()  # the latest of a contest: tried, dice, decided, outcome, lasts
    rounds: tuple[Round, ...] = ()
    contest: uuid.UUID | None = None
    title: str = ""
    over: bool = False
    line: str = ""
    outcome: tuple[str, ...] = ()  # of a contest of rounds that is over: what came of it, the outcome first
    adds: str = ""  # for a GM: where what lasts is added, though it is over
    undoes: str = ""  # for a GM: the entry that the last exchange began with, which an undo takes back
    strikes: Options = ()  # for a GM: what was said of a roll that is settled, and may still be struck
    newest_said: bool = False  # whether it is the newest of those that have such words: theirs are in sight

    @property
    def last(self) -> EntryRow:
        """The newest of them."""
        return self.latest[-1]

    @property
    def alone(self) -> bool:
        """Whether it is one entry and no more."""
        return not self.earlier and len(self.latest) == 1


def story_cards(viewer: Viewer, listed: Sequence[Entry]) -> list[StoryCard]:
    """These entries, newest first, as cards; each stands where its newest entry does. A query where there are contests,
    two more where some have rounds.

    Entries of a contest that are apart, as other things happened in between, are in one card all the same.
    """
    drawn = dict(zip((entry.pk for entry in listed), rows(viewer, listed), strict=True))
    of = {entry.pk: contest_of(entry) for entry in listed if not drawn[entry.pk].sealed}
    ids = {pk for pk in of.values() if pk}
    contests = {contest.pk: contest for contest in _contests(viewer.campaign.pk, sorted(ids))} if ids else {}
    procedures = {procedure.name: procedure for procedure in viewer.campaign.rules.procedures}
    outcomes, strikes = _outcomes(viewer, contests.values()), _strikes(viewer, contests.values(), procedures)
    in_rounds = [pk for pk, contest in contests.items() if _has_rounds(procedures, contest)]
    with_rounds = rounds_of(viewer, in_rounds, listed)
    cards, drawn_already = list[StoryCard](), set[uuid.UUID]()
    for (contest, line, _), group in groupby(listed, key=lambda entry: (of.get(entry.pk), *_in_a_line(entry))):
        run = list(group)
        if contest and contest in contests:
            if contest not in drawn_already:
                drawn_already.add(contest)
                mine = [entry for entry in listed if of.get(entry.pk) == contest]
                standing = [entry for entry in mine if viewer.runs and not drawn[entry.pk].undone]
                procedure = procedures.get(contests[contest].kind)
                said = strikes.get(contest, ())
                cards.append(_card(
                    contests[contest], [drawn[entry.pk] for entry in reversed(mine)],
                    {entry.seq: _payload(entry) for entry in mine}, outcomes.get(contest, ()),
                    with_rounds.get(contest, ()), undoes=_began(procedure, standing),
                    adds=_adds(viewer, procedure, contests[contest]), strikes=said,
                    newest_said=bool(said) and not any(card.strikes for card in cards)))
        elif line and len(run) > 1:
            standing = [entry for entry in reversed(run) if not drawn[entry.pk].sealed and not drawn[entry.pk].undone]
            cards.append(StoryCard((), tuple(drawn[entry.pk] for entry in reversed(run)), line=_line(line, standing)))
        else:
            cards += [StoryCard((), (drawn[entry.pk],)) for entry in run]
    return cards


def _adds(viewer: Viewer, procedure: Procedure[Any] | None, contest: Contest) -> str:
    """Where a GM adds what lasts once a roll from the tray is over: by its procedure, else on the sheet of who rolled;
    "" for nowhere."""
    if not viewer.runs or procedure is None or not (contest.over and contest.is_routine):
        return ""
    slug, act = viewer.campaign.slug, viewer.campaign.rules.sheet.lasting
    if GIVE in procedure.afterwards:
        return f"{reverse('contest', args=[slug, contest.pk])}#offer-{GIVE}-gm"
    if not act or not contest.roller:
        return ""
    return f"{reverse('sheet_actions', args=[slug, contest.roller])}?open={act}#action-{act}"


def _has_rounds(procedures: Mapping[str, Procedure[Any]], contest: Contest) -> bool:
    """Whether it is of a kind that goes on in rounds."""
    return contest.kind in procedures and procedures[contest.kind].has_aftermath


def _card(
    contest: Contest, mine: list[EntryRow], payloads: Payloads, outcome: tuple[str, ...], rounds: tuple[Round, ...], *,
    undoes: str, adds: str, strikes: Options, newest_said: bool,
) -> StoryCard:
    """Once its outcome stands on it, its rounds are folded, and with them the entry of what is said there already."""
    last = LATEST
    if outcome:
        said = [row for row in mine if row.kind == afterwords.KIND]
        last, mine = 1, [*said, *(row for row in mine if row.kind != afterwords.KIND)]
    return StoryCard(
        tuple(mine[:-last]), tuple(mine[-last:]), steps(mine[-last:], payloads), rounds, contest.pk, contest.title,
        contest.over, outcome=outcome, undoes=undoes, adds=adds, strikes=strikes, newest_said=newest_said)


def _strikes(
    viewer: Viewer, contests: Iterable[Contest], procedures: Mapping[str, Procedure[Any]]
) -> dict[uuid.UUID, Options]:
    """To a GM: what was said of rolls that are over by their rules, in the scene that is on, while nothing depends on
    what came of them. No query where their states are kept and nothing was said; else as many for all as for one."""
    said = {contest: words for contest in contests if viewer.runs
            and (words := _said(viewer, contest, procedures.get(contest.kind)))}
    read = readings(viewer.campaign, said) if said else {}
    return {contest.pk: words for contest, words in said.items() if contest.pk in read}


def _said(viewer: Viewer, contest: Contest, procedure: Procedure[Any] | None) -> Options:
    """What was said of a roll that is over by its rules, and could be struck."""
    here = contest.scene_id == viewer.campaign.scene_id
    if not (here and contest.over and isinstance(procedure, HearsWords)):
        return ()
    contest.campaign = viewer.campaign
    state = FOLDS.kept(getattr(contest, "last", None), contest.events) or readable(procedure, contest)
    if state is UNREADABLE or not contained(contest, partial(procedure.is_settled, state), False):
        return ()
    return contained(contest, partial(procedure.said, state), ())


def _outcomes(viewer: Viewer, contests: Iterable[Contest]) -> dict[uuid.UUID, tuple[str, ...]]:
    """What came of those that are over and have rounds, then what the GM says of it. A query where there are some."""
    kinds = {(viewer.campaign.pk, kind.name): kind for kind in viewer.campaign.rules.procedures if kind.has_aftermath}
    over = [contest.pk for contest in contests if contest.over and (viewer.campaign.pk, contest.kind) in kinds]
    stories = told(Contest.objects.filter(pk__in=over), kinds) if over else []
    return {story.contest.pk: tuple(filter(None, (*story.lines[:MOST_SAID], story.afterword)))
            for story in stories if story.lines}


def _began(procedure: Procedure[Any] | None, standing: list[Entry]) -> str:
    """What the entry says with which the last exchange began; these stand, the newest first. "" where none does."""
    standing = [entry for entry in standing if entry.kind != afterwords.KIND]
    if procedure is None or not standing:
        return ""
    seq = began(procedure, standing)
    return next(str(_payload(entry).get("title", "")) for entry in standing if entry.seq == seq)


@compiled_once
def _contests(campaign: uuid.UUID, ids: list[uuid.UUID]) -> QuerySet[Any]:
    return Contest.objects.filter(campaign=campaign, pk__in=ids).annotate(last=Subquery(LAST.values("pk")[:1]))


def joins_a_card(entry: Entry) -> bool:
    """Whether an entry that is new stands in a card with others, so that the page needs the card again."""
    return entry.kind == ARRIVES or entry.kind in SETS or (entry.kind not in BEGINS and contest_of(entry) is not None)


def contest_of(entry: Entry) -> uuid.UUID | None:
    """The contest that an entry is of, None for none."""
    said = _payload(entry).get("move") or {} if entry.kind.startswith(OF_CONTESTS) else {}
    return uuid.UUID(said["contest"]) if "contest" in said else None


def _in_a_line(entry: Entry) -> tuple[str, uuid.UUID | None]:
    """What of an entry goes into a line with those beside it: what all of them do, and who does it; "" for nothing."""
    if entry.kind == ARRIVES:
        return ARRIVES, None
    return ("scene", entry.actor_id) if entry.kind in SETS else ("", None)


def _line(one: str, standing: Sequence[Entry]) -> str:
    """What entries of a line come to: who joined, or how many came into the scene and stand in the way there."""
    if one == ARRIVES:
        names = [row["name"] for row in _made(standing, "character")]
        return f"{len(names)} characters join: {join(names)}"
    people, obstacles = len(_made(standing, "presence")), len(_made(standing, "obstacle"))
    parts = [f"{people} {'character' if people == 1 else 'characters'}"] if people else []
    parts += [f"{obstacles} {'obstacle' if obstacles == 1 else 'obstacles'}"] if obstacles else []
    return f"In this scene: {', '.join(parts)}" if parts else "The scene, as it was set"


def _made(entries: Sequence[Entry], of: str) -> list[dict[str, Any]]:
    """The rows of this table that came with these entries."""
    return [change["became"] for entry in entries for change in _payload(entry).get("changes", ())
            if change["of"] == of and change["became"] and not change["was"]]


def _payload(entry: Entry) -> dict[str, Any]:
    return payload_of(entry) or {}
