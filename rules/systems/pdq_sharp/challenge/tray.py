"""A challenge from the tray: how hard it is, what counts with its techniques, and the dice in one act (PS-10)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.engine import Values
from rules.fields import Field, Text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import open_techniques
from rules.systems.pdq_sharp.challenge.framing import some
from rules.systems.pdq_sharp.challenge.roll import BURN, style_field, terms_of
from rules.systems.pdq_sharp.challenge.state import NONE, State
from rules.systems.pdq_sharp.chart import difficulty_field, signed
from rules.systems.pdq_sharp.kinds import MOTIVATIONS, TECHNIQUE, TECHNIQUES
from rules.systems.pdq_sharp.reading import (
    STYLE,
    at_the_margin,
    hangs_on,
    is_burned,
    lines_of,
    modifier_of,
    of_kind,
    rank_word,
    usable,
)
from rules.systems.pdq_sharp.reckoning import KEEP, terms
from rules.tray import LEFT_OUT, ON_THE_SHEET, Obstacle, Part, TrayAct, TrayRoll, Why
from rules.values import BadMove, Value

HELP = "Techniques and style dice can be added after the dice as well, as a die or as +1."


def tray(sheet: Sheet, obstacles: Options) -> Offer:
    """What it is against, what counts with its techniques beneath it, and style dice that are paid."""
    named: dict[str, Options] = {"fortes": tuple(_lines(sheet))}
    against: tuple[Field, ...] = ()
    now: dict[str, Value] = {"difficulty": "average"}
    if obstacles:
        against = (Text(name="obstacle", label="Against"),)
        named["obstacle"], now["obstacle"] = obstacles, obstacles[-1][0]
    fields: tuple[Field, ...] = (*against, some("fortes", "Fortes"), difficulty_field())
    if held := sheet.pool(STYLE):
        fields += (style_field(held),)
    if any(not is_burned(sheet, drive) for drive in of_kind(sheet, *MOTIVATIONS)):
        fields += (BURN,)
    return Offer("roll", sheet.id, "Roll", HELP, fields, named, rolls=True, now=now)


def _lines(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Everything that can count, its rank at the margin; each technique beneath the forte that it hangs on."""
    kinds = dict(TECHNIQUES)
    techniques = of_kind(sheet, TECHNIQUE)
    for line in (trait for trait in sheet.traits if usable(trait)):
        yield line.id, at_the_margin(line)
        yield from ((trait.id, f"↳ {kinds[trait.value]}: {trait.name} · 1 die") for trait in techniques
                    if trait.parent == line.id)
    yield from ((trait.id, f"{kinds[trait.value]}: {trait.name}, with any forte · 1 die") for trait in techniques
                if not trait.parent)


def from_tray(
    sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], obstacle: Obstacle | None
) -> TrayRoll:
    """The difficulty, on the GM's word where they have put it there and else on the player's, then the roll."""
    if obstacle:
        how_hard = TrayAct("set", "", {"difficulty": obstacle.values["difficulty"], "harm": NONE})
    else:
        how_hard = TrayAct("say", sheet.id, {name: given[name] for name in ("difficulty",) if name in given})
    ticked = given.get("fortes", ())
    lines = [line for line in ticked if isinstance(line, str)] if isinstance(ticked, Sequence) else []
    techniques = [trait.id for trait in lines_of(sheet, lines) if trait.kind == TECHNIQUE]
    fortes = [line for line in lines if line not in techniques]
    try:
        terms(sheet, fortes=fortes, techniques=techniques, burn=bool(given.get("burn")))
    except BadMove as bad:  # the tray has one list of both
        raise BadMove(bad.sentence, "burn" if bad.field == "burn" else "fortes") from None
    if not obstacle and "difficulty" not in given:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    rest = {name: given[name] for name in ("style", "burn") if name in given}
    rolled = TrayAct("roll", sheet.id, {"fortes": fortes, "techniques": techniques, **rest})
    return TrayRoll(setup, (how_hard, rolled), tuple(fortes))


def why(state: State, sheet: Sheet, values: Values) -> Why:
    """Each forte, technique and style die, what is against it, and what could count and is not ticked (PS-04, PS-10 to
    PS-12)."""
    counted = terms_of(state, sheet, values)
    hung = {trait.name: hangs_on(sheet, trait) or "with any forte" for trait in of_kind(sheet, TECHNIQUE)}
    dice = KEEP + counted.bonus_dice
    parts = [Part(reason.comes_to, reason.words, hung.get(reason.words, ON_THE_SHEET if reason.adds else "paid"))
             for reason in counted.reasons] or [Part("+0", "No forte", "nothing is added")]
    best = Part(f"{dice} dice", "The best two count") if counted.bonus_dice else Part("2 dice", "Both count")
    against = Part(str(state.target), "Against the target", f"{sheet.name if state.said else 'the GM'} says so")
    return Why(f"{dice}d6 {signed(counted.adds)}", (*parts, best, against), tuple(_idle(sheet, values)))


def _idle(sheet: Sheet, values: Values) -> Iterator[Part]:
    """Fortes that are not ticked, and techniques of those that are; of idioms one alone counts (PS-04)."""
    fortes, ticked = values["fortes"], (*values["techniques"], *values["flat"])
    for forte in sheet.traits:
        if usable(forte) and forte.id not in fortes:
            yield Part(signed(modifier_of(forte)), forte.name, f"{LEFT_OUT}, {rank_word(forte)}", forte.id)
    for technique in open_techniques(sheet, fortes, ticked):
        yield Part("+1 die", technique.name, f"{LEFT_OUT}, {hangs_on(sheet, technique) or 'with any forte'}",
                   technique.id)
