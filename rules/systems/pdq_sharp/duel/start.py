"""How a duel begins: who is in it, on which side, and who is surprised (PS-20, PS-25)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Event
from rules.fields import REQUIRED, Field, Flag, Group, Listing, Text
from rules.fields import Choice as ChoiceField
from rules.moves import Step, take
from rules.settings import asked
from rules.sheet import Sheet
from rules.systems.pdq_sharp import kinds
from rules.systems.pdq_sharp.duel.state import BROKEN, FALLEN, SURPRISED, UNAWARE, Fencer, Result, State
from rules.systems.pdq_sharp.harm import FAILURE, WOUND
from rules.systems.pdq_sharp.reading import fortes, how_fallen, minions_left, squad, swashbuckling, threat, usable
from rules.systems.pdq_sharp.settings import DuelSettings, Settings
from rules.values import BadMove

FEWEST_MINIONS = 2
FALLS = {"physical": kinds.MOSTLY_DEAD, "mental": kinds.INSANE, "social": kinds.PARIAH,
         "professional": kinds.BANKRUPT}
SURPRISES = (("", "Ready"), (SURPRISED, "Surprised: last in the first turn"),
             (UNAWARE, "Taken wholly unawares: a strong defence and no attack in the first turn"))
AS_FOUGHT = "as_fought"
HARMS = ((WOUND, "Wound ranks, which heal slowly"), (FAILURE, "Failure ranks, back when the scene ends"))

CONTESTANT = Group(name="contestant", label="Duelist", fields=(
    Text(name="sheet", label="Character", default=REQUIRED, most=100),
    Text(name="side", label="Side", default=REQUIRED, most=100),
    Flag(name="player", label="A player’s character"),
    ChoiceField(name="surprise", label="Surprise", default="", options=SURPRISES),
))

FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Duelists", of=CONTESTANT, most=30),
    ChoiceField(name="conflict", label="It is fought", default="physical", options=(
        ("physical", "With body and blade"), ("mental", "With wits: a loser is driven insane"),
        ("social", "With words: a loser is a social pariah"),
        ("professional", "With money or craft: a loser is bankrupted"))),
    ChoiceField(name="harm", label="Damage means", default=AS_FOUGHT, options=(
        (AS_FOUGHT, "As it is fought: wounds by body and blade, else failures"), *HARMS)),
    *asked(Settings, by=DuelSettings),
)


@dataclass(frozen=True)
class Begun(Event[State]):
    """The duel begins between these."""

    settings: DuelSettings
    fencers: tuple[Fencer, ...]

    def after(self, state: State) -> State:
        return replace(State(self.settings, self.fencers), context=state.context)


def begin(values: Mapping[str, Any], sheets: Mapping[str, Sheet], faces: Sequence[int]) -> Result:
    """The duelists, and what the duel is about; raises `BadMove`."""
    take(faces, 0)
    lines = values["contestants"]
    _check(lines, sheets)
    harm = _harm(values["conflict"]) if values["harm"] == AS_FOUGHT else values["harm"]
    settings = replace(values["settings"], harm=harm, impasse_dice=int(values["impasse_dice"]))
    fencers = tuple(_fencer(line, sheets[line["sheet"]]) for line in lines)
    steps = [Step("PS-21", " against ".join(
        ", ".join(fencer.name for fencer in fencers if fencer.side == side)
        for side in dict.fromkeys(fencer.side for fencer in fencers)) + ".")]
    for fencer in fencers:
        if fencer.surprise:
            text = "is taken wholly unawares" if fencer.surprise == UNAWARE else "is surprised"
            steps.append(Step("PS-20", f"{fencer.name} {text}."))
    return Result((Begun(settings, fencers),), tuple(steps))


def _harm(conflict: str) -> str:
    """What damage is where nobody said it: blades wound, words and wits leave failures (PS-30)."""
    return WOUND if conflict == "physical" else FAILURE


def _check(lines: Sequence[Mapping[str, Any]], sheets: Mapping[str, Sheet]) -> None:
    ids = [line["sheet"] for line in lines]
    able = set()
    for index, line in enumerate(lines):
        where = f"contestants.{index}"
        sheet = sheets[line["sheet"]]
        if ids.count(sheet.id) > 1:
            raise BadMove(f"{sheet.name} is in the duel twice. Leave one out.", f"{where}.sheet")
        if not line["side"]:
            raise BadMove(f"Choose a side for {sheet.name}.", f"{where}.side")
        if why := unfit(sheet):
            raise BadMove(why, f"{where}.sheet")
        if not how_fallen(sheet):
            able.add(line["side"])
    if len(able) < 2:
        raise BadMove("A duel needs two sides with someone who can fight. Put someone on another side.",
                      "contestants")


def unfit(sheet: Sheet) -> str:
    """Why somebody can't be in a duel, as a sentence; "" for whoever can."""
    if sheet.dead:
        return f"{sheet.name} is dead. Leave them out."
    if not fortes(sheet) and not squad(sheet):
        return f"{sheet.name} has no forte to fence with, or to lose. Give them one first."
    if squad(sheet) and minions_left(sheet) < FEWEST_MINIONS:
        return f"{sheet.name}: one minion is a challenge, not a duel. A squad is two at least."
    return ""


def _fencer(line: Mapping[str, Any], sheet: Sheet) -> Fencer:
    minions = squad(sheet) is not None
    out = (BROKEN if minions else FALLEN) if how_fallen(sheet) else ""
    return Fencer(
        sheet.id, sheet.name, line["side"], line["player"], minions, threat(sheet), line["surprise"],
        fortes=usual(sheet), out=out,
    )


def usual(sheet: Sheet) -> tuple[str, ...]:
    """The forte that somebody fences with, unless they say otherwise: the swashbuckling one, or the best."""
    own = swashbuckling(sheet)
    if own and usable(own):
        return (own.id,)
    able = [forte for forte in fortes(sheet) if usable(forte)]
    return (max(able, key=lambda forte: forte.now).id,) if able else ()
