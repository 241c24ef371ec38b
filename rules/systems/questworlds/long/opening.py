"""A long contest begins: who is in it on which side, and who faces whom (QW-43, QW-47, QW-58)."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rules.engine import Event, Sheets, Values
from rules.fields import Field, Flag, Group, Listing, Text
from rules.moves import Step, take
from rules.procedure import CampaignContext, Options
from rules.sheet import Sheet
from rules.systems.questworlds.bank import situations
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.learning import players_in
from rules.systems.questworlds.long.extended import Advantage
from rules.systems.questworlds.long.pairs import Begun, Paired, RoundBegan
from rules.systems.questworlds.long.state import Result, State
from rules.systems.questworlds.long.values import Part, lasts
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.reckoning import counting, held, strongest
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.settings import stacks_by_value
from rules.systems.questworlds.traits import score_of, usable
from rules.values import BadMove
from rules.wording import join

S = TypeVar("S", bound=State)
MOST_SIDES = {"scored": 2, "chained": 2, "extended": 3}  # an extended one may be fought by all against all (QW-56)


OTHERS, MOST_NAMED = "The other side", 40


UNNAMED = ("The party", "The others")  # what a form says before somebody names the sides


FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Contestants", default=(), of=Group(
        name="contestant", label="Contestant", fields=(
            Text(name="sheet", label="Character"), Text(name="side", label="Side"),
            Flag(name="player", label="Player character")))),
    Text(name="title", label="The prize", default="", most=200),
    Listing(name="sides", label="Sides", default=(), most=3, of=Text(name="side", label="Side", most=60)),
    Listing(name="prepared", label="From what you prepared", default=(), most=20,
            of=Text(name="opponent", label="Opponent", most=200)),
    Text(name="opponents", label="Other opponents", default="", most=500,
         help="Names with resistances, between semicolons: Captain Vey 17; Two wardens low. Without one it is the "
              "base. Put followers in brackets: Captain Vey 17 (Clerk 9; Guard low). An NPC in the scene joins the "
              "other side with their best score."),
    Text(name="obstacle", label="Obstacle", default="", most=300),
)


def begin(form: str, values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> Result:
    """The first events; raises `BadMove` where two sides are not there."""
    take(faces, 0)
    parts, sides = _parts(form, values, sheets, edition)
    settings = replace(
        values["settings"], prize=values["title"], sides=sides, players=players_in(values))
    pairs = _pairs(parts, sheets, edition)
    begun: list[Event[Any]] = [Begun(settings, parts), RoundBegan(1)]
    if form == "extended":
        begun += [Advantage(part.id, _target(part, edition), True) for part in parts if part.resistance is not None]
    begun += [Paired(number, ours, theirs) for number, (ours, theirs) in enumerate(pairs)]
    names = {part.id: part.name for part in parts}
    what = f"{'An' if form == 'extended' else 'A'} {form} contest"
    steps = [Step("QW-43", f"{what} begins: {settings.prize or 'the prize'}.")]
    if settings.obstacle:
        steps.append(Step("QW-20", f"Obstacle: {settings.obstacle}"))
    for place, side in enumerate(sides):
        steps.append(Step("QW-47", f"{side}: {join([part.name for part in parts if part.side == place])}."))
    steps += [Step("QW-47", f"{names[ours]} faces {names[theirs]}.") for ours, theirs in pairs]
    steps += [Step("QW-03", f"{part.name} is at {notation(part.resistance, settings.symbol)}.")
              for part in parts if part.resistance is not None]
    return Result(tuple(begun), tuple(steps))


def _target(part: Part, edition: Edition) -> int:
    """The target number that an NPC begins with: what lasts and touches the ability counts."""
    score, used = part.resistance or 0, (part.ability,)
    lasting = counting(held([line.modifier for line in part.binds], score, used, edition), used, edition)
    return max(1, score + sum(line.amount for line in lasting))


def _parts(
    form: str, values: Values, sheets: Sheets, edition: Edition
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Everybody with their side, the player characters' first named; and what the sides are called."""
    who = values["contestants"]
    named, played = dict.fromkeys(line["side"] for line in who), {line["side"] for line in who if line["player"]}
    written = [*values["sides"], *named]
    order = sorted(named, key=lambda side: (side not in played, written.index(side)))
    # A side of which nobody has a sheet is called so all the same.
    called = [side for side in values["sides"] if side and side not in order and side not in UNNAMED]
    if len(order) > MOST_SIDES[form]:
        raise BadMove("This contest has two sides. Put each one on one of two.", "contestants")
    parts = []
    for person in who:
        sheet = sheets[person["sheet"]]
        number, ability = (None, "") if person["player"] else _best(
            sheet, values["base"], values["settings"].by_value, edition)
        binds = () if person["player"] else lasts(sheet, values["settings"].by_value, edition)
        parts.append(Part(sheet.id, sheet.name, order.index(person["side"]), number, ability, binds=binds))
    others = "; ".join(filter(None, (*values["prepared"], values["opponents"])))
    # Where players stand on every side, the others are a third one if there may be three.
    against = next((place for place, side in enumerate(order) if side not in played),
                   min(len(order), MOST_SIDES[form] - 1))
    parts += _named(others, form, max(1, against), values["base"], values["symbol"], edition)
    if not {0, 1} <= {part.side for part in parts}:
        raise BadMove("Add an opponent: an NPC on the other side, or a name with a resistance.", "opponents")
    many = 1 + max(part.side for part in parts)
    others = join([part.name for part in parts if part.side == many - 1])
    sides = [*order, *called, others if len(others) <= MOST_NAMED else OTHERS][:many]
    return tuple(parts), (sides[0] or "One side", sides[1] or OTHERS, *sides[2:])


def _named(text: str, form: str, side: int, base: int, symbol: str, edition: Edition) -> list[Part]:
    """Those who have no sheet, each with their followers behind them (QW-49)."""
    parts: list[Part] = []
    for opponent in filter(None, (" ".join(written.split()) for written in re.split(r"[;\n](?![^(]*\))", text))):
        before, bracket, inside = opponent.partition("(")
        if not before.strip():
            raise BadMove("Write who it is before their followers: Captain Vey 17 (Clerk 9).", "opponents")
        leader = f"~{len(parts)}"
        parts += _part(before, Part(f"~{len(parts)}", "", side), base, symbol, edition)
        if bracket and form != "scored":
            raise BadMove("Followers in brackets are for a scored contest. Name them beside their leader.", "opponents")
        for follower in opponents(inside.rstrip(") "), symbol, edition):
            parts += _part(" ".join(follower), Part(f"~{len(parts)}", "", side, leader=leader), base, symbol, edition)
    return parts


def _part(text: str, part: Part, base: int, symbol: str, edition: Edition) -> Iterator[Part]:
    for name, written in opponents(text, symbol, edition):
        resistance, _ = resistance_of(written, base, symbol, edition)
        if resistance < edition.difficulty.assured_below:
            raise BadMove(f"{name} resists nothing at {written}: no long contest is needed.", "opponents")
        yield replace(part, name=name, resistance=resistance)


def as_they_stand(state: S, sheets: Sheets) -> S:
    """The contest with NPCs as their sheets have them now, what lasts on those too, until the dice lie (QW-50, QW-60).

    What this contest itself left on them counts by itself. Whom the GM has given another resistance keeps that.
    """
    settings, parts = state.settings, {}
    for contestant in state.contestants:
        part, sheet = contestant.part, sheets.get(contestant.id)
        if part.resistance is None or sheet is None:
            continue
        trait = next((trait for trait in usable(sheet) if trait.name == part.ability), None)
        score = score_of(trait, sheet) if trait and not part.ruled else None
        number = part.resistance if score is None else max(state.edition.difficulty.least, score)
        binds = tuple(line for line in lasts(sheet, settings.by_value, state.edition)
                      if line.label not in state.consequences)
        if (now := replace(part, resistance=number, binds=binds)) != part:
            parts[part.id] = now
    if not parts:
        return state
    return replace(state, contestants=tuple(
        replace(contestant, part=parts.get(contestant.id, contestant.part)) for contestant in state.contestants))


def prepared(context: CampaignContext, edition: Edition) -> Options:
    """Who is in the GM's bank, once for each situation, then NPCs who are elsewhere, as opponents are written.

    What a name can't carry is no one.
    """
    hints = []
    nameless = [item.id for item in context.prepared if item.called != item.name]
    for prepared in context.prepared:
        # Of several that players don't know by a name, each is another one.
        number = nameless.index(prepared.id) + 1 if prepared.id in nameless else 0
        plain = _plain(f"{prepared.called} “{number}”" if number > 1 else prepared.called)
        for case in situations(prepared.fields):
            hints.append((f"{plain} {case.resistance}".strip(),
                          f"{prepared.name}{case.behind}: {case.resistance or 'the base'}"))
    for sheet in context.away:
        trait, number = strongest(sheet, 0, stacks_by_value(context.settings), edition)
        hints.append((f"{_plain(sheet.name)} {number or ''}".strip(),
                      f"{sheet.name}, {trait.name}: {number}" if trait else f"{sheet.name}: the base"))
    return tuple(dict(hints).items())


def _plain(name: str) -> str:
    """A name without what separates opponents where they are written."""
    return " ".join(re.sub(r"[;()\n]", " ", name).split())


def opponents(text: str, symbol: str, edition: Edition) -> list[tuple[str, str]]:
    """Names with what was written as their resistance, "" for the base.

    >>> from rules.systems.questworlds.edition import FIRST
    >>> opponents("Captain Vey 17; Two wardens very low; Clerk", "M", FIRST)
    [('Captain Vey', '17'), ('Two wardens', 'very low'), ('Clerk', '')]
    """
    named = []
    for part in filter(None, (" ".join(written.split()) for written in re.split(r"[;\n]", text))):
        words = part.split(" ")
        for many in (2, 1):
            name, written = " ".join(words[:-many]), " ".join(words[-many:])
            if name and _is_resistance(written, symbol, edition):
                named.append((name, written))
                break
        else:
            named.append((part, ""))
    return named


def _is_resistance(written: str, symbol: str, edition: Edition) -> bool:
    try:
        resistance_of(written, None, symbol, edition)
    except BadMove:
        return False
    return True


def _best(sheet: Sheet, base: int, by_value: bool, edition: Edition) -> tuple[int, str]:
    """What an NPC resists with, as (score, ability): what is strongest with all that counts on it, else the base.

    What counts on it is kept beside it.
    """
    trait, _ = strongest(sheet, base, by_value, edition)
    score = score_of(trait, sheet) if trait else None
    return max(edition.difficulty.least, base if score is None else score), trait.name if trait else ""


def _pairs(parts: Sequence[Part], sheets: Sheets, edition: Edition) -> list[tuple[str, str]]:
    """Pairs: in the order of their best scores, as far as there are two (QW-47)."""
    def order(place: int) -> list[str]:
        best: Mapping[str, int] = {
            part.id: part.resistance if part.resistance is not None else strongest(sheets[part.id], edition=edition)[1]
            for part in parts if part.side == place}
        return sorted(best, key=lambda who: -best[who])

    return list(zip(order(0), order(1), strict=False))
