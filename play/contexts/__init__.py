"""What the table's templates may see, built for one viewer."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.contexts import Moment, moment
from campaigns.errors import Refused
from campaigns.trail.contexts import EntryContext, entries
from characters.queries import sees_all
from play import queries
from play.contexts.scene_menu import Link
from play.contexts.ways_back import ways_back
from play.forms.any_tray import CHOOSE
from play.forms.procedure_tray import ProcedureTray
from play.forms.tray import TrayForm
from play.services.contained import contained
from play.services.position import Position
from play.services.rolling import prepare
from play.session_summary import AwardEntry, FactEntry, Gain
from rules.common_settings import FACE_ODDS
from rules.engine import Forecasts
from rules.procedure import View
from rules.system import Modifier, PoolKind, System
from rules.tables import OddsAnswer
from rules.tray import Rehearsal
from rules.values import BadMove, Value
from rules.withheld import NotKnown
from rules.wording import percent

NOT_READY = "Fill in the fields above to see the odds."
SEALED = "The GM is hiding the difficulty until you roll."
ASK = "Ask the GM"
PROPOSE = "Propose it to the GM"
ANOTHER, OPEN_STILL = "Ask for another roll", "The GM hasn’t answered your request yet."
UNKNOWN = "Odds unknown"
NOT_TOLD = "This roll can’t be worked out now. Choose something else, or tell the person who runs this site."


@dataclass(frozen=True)
class WhatIf:
    """What one more thing would make of a roll, in words, with the chances then."""

    label: str
    odds: tuple[tuple[str, Fraction, str], ...]


@dataclass(frozen=True)
class Forecast:
    """What a roll would be: what the button says, and the exact chances; or why it can't be made yet. With `asks` no
    dice fall: the GM answers first. With `requests` the GM can be asked how hard it is instead; `requested` is the
    id of what the GM has been asked, and not answered."""

    button: str = ""
    odds: tuple[tuple[str, Fraction, str], ...] = ()  # label, share, tone
    lines: tuple[str, ...] = ()
    problem: str = ""
    asks: bool = False
    requests: bool = False
    requested: uuid.UUID | None = None
    what_ifs: tuple[WhatIf, ...] = ()
    facts: tuple[str, ...] = ()  # what unfolds: shares within an outcome
    score: str = ""  # what the line that is used counts, with all that counts on it
    ways_back: tuple[Link, ...] | None = None  # of whoever can't act, what brings them back; None for all others

    @property
    def chance(self) -> str:
        """What the button says of it: `victory 32%`, or `41.2% to succeed` where what is good has several names."""
        good = [(label, share) for label, share, tone in self.odds if tone == "good"]
        shown = percent(sum((share for _, share in good), Fraction(0)))
        return "" if not good else f"{good[0][0].lower()} {shown}" if len(good) == 1 else f"{shown} to succeed"


def forecast(viewer: Viewer, form: TrayForm | ProcedureTray) -> Forecast:
    """The chances of what is chosen in the tray. Never raises: what is not ready is said in words."""
    form = form.looked_at() if form.is_bound else form.as_it_opens()
    found = _forecast(viewer, form)
    asking = viewer.plays and not viewer.runs and viewer.campaign.scene_id and viewer.campaign.rules.rolls.obstacle
    if asking and found.asks and queries.asks_already(viewer, form.roller_id):
        found = replace(found, button=ANOTHER, lines=(OPEN_STILL,))
    if asking and (row := queries.requested_for(viewer, form.roller_id)):
        return replace(found, requested=row)
    own = isinstance(form, TrayForm) or form.says_how_hard or not found.asks
    return replace(found, requests=True) if asking and own and form.may_ask and not found.problem else found


def _forecast(viewer: Viewer, form: TrayForm | ProcedureTray) -> Forecast:
    if not form.roller_id:
        return Forecast(problem=CHOOSE)
    if unable := form.unable():
        return Forecast(problem=unable, ways_back=ways_back(viewer, form.roller_id, dead=form.roller_is_dead))
    against = form.in_the_way() if form.is_valid() and not form.unable() else None
    if against and against.secret and not (against.face and viewer.campaign.settings[FACE_ODDS]):
        return Forecast(button="Roll", lines=(f"{UNKNOWN}." if against.face else SEALED,))
    found = _of_procedure(form) if isinstance(form, ProcedureTray) else _of_move(viewer, form)
    # Of a face the odds alone are told, and nothing that they were reckoned from.
    return Forecast(button="Roll", odds=found.odds, problem=found.problem) if against and against.secret else found


def _of_procedure(form: ProcedureTray) -> Forecast:
    """The chances where the tray goes through a procedure."""
    if not form.is_valid():
        return Forecast(problem=NOT_READY)

    def rehearsed() -> Rehearsal | str:
        try:
            return form.planned().rehearse()
        except (BadMove, Refused) as bad:
            return bad.sentence

    found = contained("what the tray would roll", rehearsed, NOT_TOLD)
    if isinstance(found, str):
        return Forecast(problem=found)
    (label, first), others = found.odds[0] if found.odds else ("", None), found.odds[1:]
    if first is None:
        ask = PROPOSE if form.says_how_hard else ASK
        return Forecast(button=found.button if found.rolls else ask, asks=not found.rolls)
    lines = (label,) if label and not others else ()
    return Forecast(found.button, tuple(first.outcomes), lines, facts=tuple(first.facts), score=found.score,
                    what_ifs=tuple(WhatIf(name, tuple(each.outcomes)) for name, each in others))


def _of_move(viewer: Viewer, form: TrayForm) -> Forecast:
    if not form.is_valid():
        return Forecast(problem=NOT_READY)
    try:
        intent = form.intent()
        prepared = prepare(
            viewer.campaign, intent, form.known(), pending_modifiers=form.pending_modifiers, hidden=viewer.runs)
        chances = prepared.kind.odds(prepared.kind.read(prepared.given), form.system.rolls.headline(intent.move))
    except (BadMove, Refused) as bad:
        return Forecast(problem=bad.sentence)
    outcomes = form.system.rolls.outcomes(intent.move)
    odds = tuple((label, chances.get(value, Fraction(0)), tone) for value, label, tone in outcomes)
    lines = tuple(_said(form.system, line) for line in prepared.lines)
    return Forecast(button=form.system.rolls.describe(intent.move, prepared.given), odds=odds, lines=lines)


def _said(system: System, line: Modifier) -> str:
    """A modifier as a person reads it: `2 × Upshift: the rope trick`."""
    label = next((kind.label for kind in system.modifiers if kind.name == line.kind), line.kind)
    many = f"{line.amount} × " if line.amount > 1 else ""
    return f"{many}{label}: {line.reason}" if line.reason else f"{many}{label}"


@dataclass(frozen=True)
class Tab:
    """One of the pages that tell of the sessions."""

    label: str
    url: str
    current: bool


def session_tabs(viewer: Viewer, here: str) -> tuple[Tab, ...]:
    """The pages beside the sessions that this game has, `here` the one that is open; none where there is one alone."""
    rules, found = viewer.campaign.rules, [("chronicle", "Chronicle")]
    if rules.experience_rule:
        found.append(("experience", pool_of(viewer, rules.experience_rule.pool).label))
    if rules.has_facts:
        found.append(("facts", "Facts"))
    tabs = tuple(Tab(label, reverse(name, args=[viewer.campaign.slug]), name == here) for name, label in found)
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
    found: Sequence[AwardEntry], who: Mapping[str, tuple[str, Mapping[str, str]]]
) -> list[CharacterAwards]:
    """By character, by name. `who` has the names of those whom the viewer may know, and their lines by small letters.

    Whoever is not in it is left out.
    """
    made = []
    mine = sorted((each for each in found if each.award.who in who), key=lambda each: each.award.who)
    for sheet, awards in groupby(mine, key=lambda each: each.award.who):
        name, lines = who[sheet]
        rows = tuple(_award_row(award, lines) for award in awards)
        made.append(CharacterAwards(uuid.UUID(sheet), name, sum(row.counts for row in rows), rows))
    return sorted(made, key=lambda each: (each.name, each.id))


def _award_row(each: AwardEntry, lines: Mapping[str, str]) -> AwardRow:
    award = each.award
    about = lines.get(award.about.casefold(), award.about[:1].upper() + award.about[1:])
    return AwardRow(each.seq, about, award.what, each.contest.pk, each.contest.title, award.counts, award.why)


@dataclass(frozen=True)
class GainRow:
    """An entry that changed what characters hold, with the id, the name and the sum of each."""

    entry: EntryContext
    by: tuple[tuple[uuid.UUID, str, str], ...]
    between: bool  # not in the session itself


def gain_rows(viewer: Viewer, found: Sequence[Gain]) -> list[GainRow]:
    """The rows for these entries."""
    rows = entries(viewer, [each.entry for each in found])
    return [
        GainRow(entry, tuple((pk, name, f"{by:+d}".replace("-", "−")) for pk, name, by in each.by),
                each.entry.session_id is None)
        for entry, each in zip(rows, found, strict=True)
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


def fact_rows(found: Sequence[FactEntry], who: Mapping[str, str], sessions: Mapping[uuid.UUID, str]) -> list[FactRow]:
    """The rows for these facts. `who` has the names of those whom the viewer may know; others go without."""
    return [
        FactRow(
            each.seq, each.fact.fact, each.fact.terms, who.get(each.fact.who, ""),
            each.fact.who if each.fact.who in who else "", each.contest.pk,
            sessions.get(each.entry.session_id, "") if each.entry and each.entry.session_id else "",
            moment(each.entry.at) if each.entry else None,
        )
        for each in found
    ]


@dataclass(frozen=True)
class ParticipantRow:
    """How somebody in a contest is doing: the name, and each line of the sheet as name, notation now, damage."""

    id: str
    name: str
    traits: tuple[tuple[str, str, int], ...]
    known: bool = True  # whether the viewer knows more than the face


def faces_in(viewer: Viewer, position: Position) -> frozenset[str]:
    """Those in a contest of whom the viewer knows the face alone; a query where there are hidden ones."""
    found = list(position.characters.values())
    known = {str(pk) for pk in sees_all(viewer, found)}
    return frozenset(pk for pk in position.characters if pk not in known)


def contest_view(viewer: Viewer, position: Position, faces: frozenset[str] = frozenset()) -> View | None:
    """A contest as this viewer may see it, who knows some by their `faces`; None where it can't be shown."""
    return position.view(position.perspective(viewer.member.pk, runs=viewer.runs), faces)


def odds_of_act(
    viewer: Viewer, position: Position, by: str, action: str, given: Mapping[str, Value]
) -> Forecasts:
    """The odds of an act as this viewer may know them; where they count a face's numbers, that they are unknown."""
    faces = faces_in(viewer, position)
    try:
        return position.forecast(by, action, given, faces)
    except NotKnown:
        names = {position.characters[face].name for face in faces}
    if not viewer.campaign.settings[FACE_ODDS]:
        return ((UNKNOWN, OddsAnswer(())),)
    # Odds alone: what they were reckoned from stays on the sheet.
    return tuple((next((name for name in sorted(names) if name in against), "The odds"), OddsAnswer(answer.outcomes))
                 for against, answer in position.forecast(by, action, given))


def participant_rows(
    viewer: Viewer, position: Position, faces: frozenset[str] = frozenset()
) -> tuple[ParticipantRow, ...]:
    """Everybody in a contest, with their lines as they count now."""
    notation = viewer.campaign.rules.sheet.notation
    return tuple(
        ParticipantRow(each.id, each.name, tuple((t.name, notation(t.kind, t.now), t.damage) for t in each.traits),
                       each.known)
        for each in position.sheets_for(faces).values()
    )
