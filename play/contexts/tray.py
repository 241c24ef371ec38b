"""What a roll in the tray would be: its button, its exact chances, or why it can't be made yet."""
from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from fractions import Fraction

from accounts.wording import SENTENCES
from campaigns.access import Viewer
from campaigns.errors import Refused
from play import queries
from play.contexts.scene_menu import Link
from play.contexts.ways_back import ways_back
from play.contexts.why import Sources, sources
from play.forms.tray import CHOOSE, Tray
from play.services.folds import contained
from rules.common_settings import FACE_ODDS
from rules.tray import Rehearsal
from rules.values import BadMove
from rules.wording import percent

NOT_READY = "Fill in the fields above to see the odds."
SEALED = "The GM is hiding the difficulty until you roll."
ASK, HOW_HARD = "Ask the GM", "Ask the GM for the difficulty"
PROPOSE = "Ask the GM to agree"
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
    why: Sources | None = None  # where what is rolled comes from
    ways_back: tuple[Link, ...] | None = None  # of whoever can't act, what brings them back; None for all others

    @property
    def chance(self) -> str:
        """What the button says of it: `victory 32%`, or `41.2% to succeed` where what is good has several names."""
        good = [(label, share) for label, share, tone in self.odds if tone == "good"]
        shown = percent(sum((share for _, share in good), Fraction(0)))
        return "" if not good else f"{good[0][0].lower()} {shown}" if len(good) == 1 else f"{shown} to succeed"


def forecast(viewer: Viewer, form: Tray) -> Forecast:
    """The chances of what is chosen in the tray. Never raises: what is not ready is said in words."""
    form = form.looked_at() if form.is_bound else form.as_it_opens()
    told = _forecast(viewer, form)
    asking = viewer.plays and not viewer.runs and viewer.campaign.scene_id and viewer.campaign.rules.rolls.obstacle
    if asking and told.asks and queries.asks_already(viewer, form.roller_id):
        told = replace(told, button=ANOTHER, lines=(OPEN_STILL,))
    if asking and (row := queries.requested_for(viewer, form.roller_id)):
        told = replace(told, button=ANOTHER, lines=(OPEN_STILL,)) if form.must_ask and told.asks else told
        return replace(told, requested=row)
    own = not form.must_ask and (form.says_how_hard or not told.asks)
    return replace(told, requests=True) if asking and own and form.may_ask and not told.problem else told


def _forecast(viewer: Viewer, form: Tray) -> Forecast:
    if not form.roller_id:
        return Forecast(problem=CHOOSE)
    if form.roller and (unable := form.unable()):
        return Forecast(problem=unable, ways_back=ways_back(viewer, form.roller, queries.present(viewer)))
    against = form.in_the_way() if form.is_valid() and not form.unable() else None
    told_of_face = against and against.face and against.of_npc and viewer.campaign.settings[FACE_ODDS]
    if against and against.secret and not told_of_face:
        return Forecast(button="Roll", lines=(f"{UNKNOWN}." if against.face else SEALED,))
    if form.must_ask:
        return _of_asking(form)
    told = _of_procedure(viewer, form)
    # Of a face the odds alone are told, and nothing that they were reckoned from.
    return Forecast(button="Roll", odds=told.odds, problem=told.problem) if against and against.secret else told


def _missing(form: Tray) -> str:
    """What to do before there are odds: of a field that says so, its own sentence."""
    said = [str(error) for errors in form.errors.values() for error in errors]
    return said[0] if said and said[0] != SENTENCES["required"] else NOT_READY


def _of_asking(form: Tray) -> Forecast:
    """No chances yet: the GM says how hard it is, of what can be rolled."""
    if not form.is_valid():
        return Forecast(problem=_missing(form))
    try:
        form.chosen()
    except (BadMove, Refused) as bad:
        return Forecast(problem=bad.sentence)
    return Forecast(button=HOW_HARD, asks=True)


def _of_procedure(viewer: Viewer, form: Tray) -> Forecast:
    """The chances where the tray goes through a procedure."""
    if not form.is_valid():
        return Forecast(problem=_missing(form))

    def rehearsed() -> Rehearsal | str:
        try:
            return form.planned().rehearse()
        except (BadMove, Refused) as bad:
            return bad.sentence

    rehearsal = contained("what the tray would roll", rehearsed, NOT_TOLD)
    if isinstance(rehearsal, str):
        return Forecast(problem=rehearsal)
    (label, first), others = rehearsal.odds[0] if rehearsal.odds else ("", None), rehearsal.odds[1:]
    if first is None:
        ask = PROPOSE if form.says_how_hard else ASK
        return Forecast(button=rehearsal.button if rehearsal.rolls else ask, asks=not rehearsal.rolls)
    lines = (label,) if label and not others else ()
    why = sources(viewer, rehearsal.why, form.ticks) if rehearsal.why else None
    return Forecast(rehearsal.button, tuple(first.outcomes), lines, facts=tuple(first.facts), score=rehearsal.score,
                    why=why, what_ifs=tuple(WhatIf(name, tuple(odds.outcomes)) for name, odds in others))
