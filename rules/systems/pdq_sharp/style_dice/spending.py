"""What style dice are spent on: a second wind, raising the fallen, creating the world (PS-34, PS-35, PS-44)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, Enter, Gain, NewAllocation, Raise, Sheet, Trait, Transfer
from rules.systems.pdq_sharp.chart import notation_of
from rules.systems.pdq_sharp.kinds import FORTE, SIDEKICK_FORTE, SIDEKICK_TECHNIQUE, TECHNIQUE, TEMPORARY
from rules.systems.pdq_sharp.npc import technique_of
from rules.systems.pdq_sharp.reading import fortes
from rules.systems.pdq_sharp.recovery import RECOVERY, raise_fortes
from rules.systems.pdq_sharp.style_dice.events import Created, FactBegun, FactPaid, Result, Spent
from rules.systems.pdq_sharp.style_dice.giving import many
from rules.systems.pdq_sharp.style_dice.offers import GEAR, rank_cost, wind_cost
from rules.systems.pdq_sharp.style_dice.state import COSTS, GIFT_TO_NPC, NAMED_NPC, WEIGHTS, State, WorldFact
from rules.values import BadMove
from rules.wording import join

MOST_NOTE = 120


def second_wind(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A die is rolled, and so many ranks come back where the player chooses (PS-35)."""
    if take(faces, 1) is None:
        return Need((6,))
    sheet, cost = sheets[by], wind_cost(sheets[by])
    hurt = sum(each.damage for each in fortes(sheet))
    back = min(faces[0], hurt)
    step = Step("PS-35", f"{sheet.name} catches a second wind for {many(cost)}: {faces[0]}, so {back} "
                         f"{'rank comes' if back == 1 else 'ranks come'} back.")
    healing = NewAllocation(by, RECOVERY, back, "A second wind")
    effects: tuple[Effect, ...] = (*state.pays(sheet, cost, "Second wind"), healing)
    return Result((Spent(by),), (step,), {"recovered": back}, (Die(6, faces[0]),), effects)


def raise_somebody(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Fortes of those who are mostly dead come back to Poor, a die each, from anybody's dice (PS-34)."""
    chosen = [each.partition("/") for each in values["fortes"]]
    effects: list[Effect] = list(state.pays(sheets[by], len(chosen), f"Raising {_fallen(sheets, chosen)}"))
    steps = [Step("PS-34", f"{sheets[by].name} spends {many(len(chosen))} on {_fallen(sheets, chosen)}.")]
    for id_ in dict.fromkeys(sheet for sheet, _, _ in chosen):
        back, step = raise_fortes(sheets[id_], [line for sheet, _, line in chosen if sheet == id_])
        effects += back
        steps.append(step)
    return Result((Spent(by),), tuple(steps), effects=tuple(effects))


def _fallen(sheets: Sheets, chosen: Sequence[tuple[str, str, str]]) -> str:
    return join(list(dict.fromkeys(sheets[sheet].name for sheet, _, _ in chosen)))


def fact(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A fact of the world: at once where its price is there, else it waits for what others add (PS-44)."""
    weight, words, cost = values["weight"], values["words"], COSTS[values["weight"]]
    paid = min(cost, 1) if values["pool"] else cost
    if paid > state.dice_of(sheets[by]):
        held = state.dice_of(sheets[by])
        raise BadMove(f"This takes {many(paid)}; you have {held}. Others may pay a part.", "weight")
    begun = FactBegun(state.number + 1, by, weight, words, cost, paid)
    label = WEIGHTS[weight].lower()
    if paid < cost:
        step = Step("PS-44", f"{sheets[by].name} begins {label} with {many(paid)}, {cost - paid} to come: {words}")
        return Result((begun,), (step,))
    effects = state.pays(sheets[by], cost, f"{WEIGHTS[weight]}: {words}") if cost else ()
    price = f" for {many(cost)}" if cost else ""
    return Result((begun,), (Step("PS-44", f"{sheets[by].name} states {label}{price}: {words}"),), effects=effects)


def chip_in(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Dice are put together for a fact; with the last of them all are spent, and it stands (PS-44)."""
    found = next(each for each in state.unpaid if str(each.number) == values["fact"])
    dice = min(values["dice"], found.left)
    promised = sum(each for who, each in _pledges(state, by))
    if dice + promised > state.dice_of(sheets[by]):
        raise BadMove(f"You have {state.dice_of(sheets[by])}, and promised {promised} of them.", "dice")
    paid = FactPaid(found.number, by, dice)
    if dice < found.left:
        return Result((paid,), (Step("PS-44", f"{sheets[by].name} adds {many(dice)} to: {found.words}"),))
    effects = _all_pay(state, sheets, found, by, dice)
    return Result((paid,), (Step("PS-44", f"{sheets[by].name} adds {many(dice)}, and it stands: {found.words}"),),
                  effects=effects)


def _pledges(state: State, who: str) -> list[tuple[str, int]]:
    return [each for fact in state.unpaid for each in fact.pledges if each[0] == who]


def _all_pay(state: State, sheets: Sheets, found: WorldFact, by: str, dice: int) -> tuple[Transfer, ...]:
    costs: dict[str, int] = {}
    for who, many_dice in (*found.pledges, (by, dice)):
        costs[who] = costs.get(who, 0) + many_dice
    gone = [who for who in costs if who not in sheets]
    if gone:
        raise BadMove("Somebody who promised a die is no longer here.", "fact")
    why = f"{WEIGHTS[found.weight]}: {found.words}"
    return tuple(way for who, many in costs.items() for way in state.pays(sheets[who], many, why))


def named_npc(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody with a name who stays in the story."""
    name, words = values["name"], values["words"]
    text = f"{name}, {words}" if words else name
    step = Step("PS-44", f"{sheets[by].name} brings somebody in for 1 style die: {text}.")
    effects: tuple[Effect, ...] = (
        *state.pays(sheets[by], 1, f"A named NPC: {name}"), Enter(name, concept=words[:200]))
    return Result((Created(state.number + 1, by, NAMED_NPC, text, 1),), (step,), effects=effects)


def npc_forte(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Something that a named NPC is good at, a die a rank."""
    npc, name, rank = sheets[values["npc"]], values["name"], int(values["rank"])
    text = f"{npc.name} has {name} {notation_of(rank)}"
    return _for_npc(state, sheets, by, text, rank_cost(rank), Gain(npc.id, FORTE, name, rank))


def npc_technique(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A technique for a named NPC, a die."""
    npc, name = sheets[values["npc"]], values["name"]
    return _for_npc(state, sheets, by, f"{npc.name} has a technique, {name}", 1, Gain(npc.id, TECHNIQUE, name, 3))


def _for_npc(state: State, sheets: Sheets, by: str, text: str, cost: int, gain: Gain) -> Result:
    effects: tuple[Effect, ...] = (*state.pays(sheets[by], cost, text), gain)
    step = Step("PS-44", f"{sheets[by].name} says for {many(cost)}: {text}.")
    return Result((Created(state.number + 1, by, GIFT_TO_NPC, text, cost),), (step,), effects=effects)


def sidekick_rank(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A forte of one's sidekick is a rank better, for good."""
    line = _inner(sheets[by], values["forte"])
    return _for_sidekick(state, sheets, by, f"{line.name} {notation_of(line.value + 1)}", 1, Raise(line.id, 1))


def sidekick_forte(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A new forte of one's sidekick, a die a rank."""
    name, rank = _new(sheets[by], values["name"]), int(values["rank"])
    gain = Gain(by, SIDEKICK_FORTE, name, rank, parent=values["sidekick"])
    return _for_sidekick(state, sheets, by, f"{name} {notation_of(rank)}", rank_cost(rank), gain)


def sidekick_technique(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A technique of one's sidekick, chained to a forte of theirs; a die."""
    (name, kind), host = technique_of(_new(sheets[by], values["name"])), _inner(sheets[by], values["forte"])
    gain = Gain(by, SIDEKICK_TECHNIQUE, name, kind, note=host.name, parent=host.parent)
    return _for_sidekick(state, sheets, by, f"{name}, with {host.name}", 1, gain)


def _inner(sheet: Sheet, line: str) -> Trait:
    return next(each for each in sheet.traits if each.id == line)


def _new(sheet: Sheet, name: str) -> str:
    if any(each.name.casefold() == name.casefold() for each in sheet.traits):
        raise BadMove(f"There is a line called {name} already. Choose another name.", "name")
    return name


def _for_sidekick(state: State, sheets: Sheets, by: str, text: str, cost: int, effect: Effect) -> Result:
    why = f"A sidekick: {text}"
    step = Step("PS-05", f"{sheets[by].name} spends {many(cost)} on a sidekick: {text}.")
    return Result((Spent(by),), (step,), effects=(*state.pays(sheets[by], cost, why), effect))


def temporary(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Fame, gear, help or money until the session ends, a die a rank."""
    name, rank = _new(sheets[by], values["name"]), int(values["rank"])
    cost, kind = rank_cost(rank), dict(GEAR)[values["type"]]
    text = f"{name} {notation_of(rank)}"
    note = "It can be squandered." if values["type"] == "wealth" else "It can be stolen."
    effects: tuple[Effect, ...] = (
        *state.pays(sheets[by], cost, f"A temporary forte: {text}"),
        Gain(sheet=by, kind=TEMPORARY, name=name, value=rank, note=f"{kind}. {note}"))
    step = Step("PS-44", f"{sheets[by].name} has {text} until the session ends, for {many(cost)}.")
    return Result((Spent(by),), (step,), effects=effects)
