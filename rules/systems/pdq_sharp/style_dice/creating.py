"""Style dice make something of the world: facts, named NPCs, sidekicks, what lasts a session (PS-05, PS-44)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Sheets, Values
from rules.fields import REQUIRED, Choice, Flag, Text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Enter, Gain, Raise, Sheet, Trait, Transfer
from rules.systems.pdq_sharp.chart import AVERAGE, MASTER, notation_of
from rules.systems.pdq_sharp.kinds import FORTE, SIDEKICK, SIDEKICK_FORTE, SIDEKICK_TECHNIQUE, TECHNIQUE, TEMPORARY
from rules.systems.pdq_sharp.npc import technique_of
from rules.systems.pdq_sharp.reading import of_kind
from rules.systems.pdq_sharp.style_dice.healing import Spent
from rules.systems.pdq_sharp.style_dice.state import (
    COSTS,
    GIFT_TO_NPC,
    MAJOR,
    MINOR,
    NAMED_NPC,
    SIGNIFICANT,
    WEIGHTS,
    Deed,
    Result,
    State,
    WorldFact,
    dice_field,
    many,
    npcs,
    who_field,
    words_field,
)
from rules.values import BadMove

RANKS = tuple((rank, notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
GEAR = (("fame", "Reputation or status"), ("gear", "Gear"), ("help", "A sidekick"), ("wealth", "Wealth"))
CALLED = Text(name="name", label="Name", most=100, default=REQUIRED, missing="Give it a name.")


def rank_cost(rank: int) -> int:
    """What a forte of this rank costs: one die a rank, the first at Average (PS-44)."""
    return rank - AVERAGE + 1


def rank_field(held: int) -> Choice:
    """The ranks that so many dice pay for, each with its price."""
    options = tuple((str(rank), f"{words}, {rank_cost(rank)}") for rank, words in RANKS if rank_cost(rank) <= held)
    return Choice(name="rank", label="Rank, and dice for it", options=options, default=options[0][0])


def holders(state: State, sheets: Sheets) -> Iterator[tuple[Sheet, int]]:
    """Each who holds dice, and how many."""
    return ((sheet, held) for sheet in sheets.values() if (held := state.dice_of(sheet)))


@dataclass(frozen=True)
class FactBegun(Deed):
    """Somebody states a fact of the world, and pays so much of its price; others may add the rest."""

    number: int
    who: str
    weight: str
    words: str
    cost: int
    paid: int

    def then(self, state: State) -> State:
        paid = ((self.who, self.paid),) if self.paid else ()
        fact = WorldFact(self.number, self.who, self.weight, self.words, self.cost, paid)
        return replace(state, facts=(*state.facts, fact), number=self.number)


@dataclass(frozen=True)
class FactPaid(Deed):
    """Somebody adds dice to a fact."""

    number: int
    who: str
    dice: int

    def then(self, state: State) -> State:
        return replace(state, facts=tuple(
            replace(fact, pledges=(*fact.pledges, (self.who, self.dice))) if fact.number == self.number else fact
            for fact in state.facts))


@dataclass(frozen=True)
class Created(Deed):
    """Something of the world came to be at once: a named NPC, or something of theirs."""

    number: int
    who: str
    weight: str
    words: str
    cost: int

    def then(self, state: State) -> State:
        fact = WorldFact(self.number, self.who, self.weight, self.words, self.cost, ((self.who, self.cost),))
        return replace(state, facts=(*state.facts, fact), number=self.number)


def offer_fact(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To everybody."""
    weight = Choice(name="weight", label="Weight", default=MINOR, options=(
        (MINOR, "Minor, 0 dice: local colour"), (SIGNIFICANT, "Significant, 1 die: it matters in play"),
        (MAJOR, "Major, 2 dice: it changes what goes on")))
    pool = Flag(name="pool", label="Others pay a part",
                help="You pay one die now. The fact takes effect when the full cost is paid.")
    for who in sheets:
        yield Offer("fact", who, "State a fact of the world",
                    "Costs 0, 1 or 2 dice, depending on how much it affects the story.",
                    (weight, words_field("The fact"), pool))


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
        _keeps_promises(state, sheets[by], paid, "pool")
        step = Step("PS-44", f"{sheets[by].name} begins {label} with {many(paid)}, {cost - paid} to come: {words}")
        return Result((begun,), (step,))
    effects = state.pays(sheets[by], cost, f"{WEIGHTS[weight]}: {words}") if cost else ()
    price = f" for {many(cost)}" if cost else ""
    return Result((begun,), (Step("PS-44", f"{sheets[by].name} states {label}{price}: {words}"),), effects=effects)


def offer_chipping_in(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice, while a fact waits for some."""
    facts = tuple((str(fact.number), f"{fact.words} ({fact.left} to pay)") for fact in state.unpaid)
    for sheet, held in holders(state, sheets) if facts else ():
        yield Offer("chip_in", sheet.id, "Add dice to a fact", "",
                    (who_field("fact", "Fact"), dice_field(held)), {"fact": facts})


def chip_in(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Dice are put together for a fact; with the last of them all are spent, and it stands (PS-44)."""
    fact = next(fact for fact in state.unpaid if str(fact.number) == values["fact"])
    dice = min(values["dice"], fact.left)
    _keeps_promises(state, sheets[by], dice, "dice")
    paid = FactPaid(fact.number, by, dice)
    if dice < fact.left:
        return Result((paid,), (Step("PS-44", f"{sheets[by].name} adds {many(dice)} to: {fact.words}"),))
    effects = _all_pay(state, sheets, fact, by, dice)
    return Result((paid,), (Step("PS-44", f"{sheets[by].name} adds {many(dice)}, and it takes effect: {fact.words}"),),
                  effects=effects)


def _keeps_promises(state: State, sheet: Sheet, dice: int, field: str) -> None:
    """Refuses more dice for a fact than somebody has, with all that is promised to facts that are not paid yet."""
    held, promised = state.dice_of(sheet), sum(
        promise for fact in state.unpaid for who, promise in fact.pledges if who == sheet.id)
    if dice + promised > held:
        raise BadMove(f"You have {held}, and promised {promised} of them.", field)


def _all_pay(state: State, sheets: Sheets, fact: WorldFact, by: str, dice: int) -> tuple[Transfer, ...]:
    costs: dict[str, int] = {}
    for who, part in (*fact.pledges, (by, dice)):
        costs[who] = costs.get(who, 0) + part
    gone = [who for who in costs if who not in sheets]
    if gone:
        raise BadMove("Someone who promised a die is no longer here.", "fact")
    why = f"{WEIGHTS[fact.weight]}: {fact.words}"
    return tuple(way for who, dice in costs.items() for way in state.pays(sheets[who], dice, why))


def offer_named_npc(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice."""
    for sheet, _ in holders(state, sheets):
        yield Offer("named_npc", sheet.id, "Bring in a named NPC, 1", "Someone who stays in the story.", (
            CALLED, words_field("Description", needed=False)))


def named_npc(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody with a name who stays in the story."""
    name, words = values["name"], values["words"]
    text = f"{name}, {words}" if words else name
    step = Step("PS-44", f"{sheets[by].name} brings someone in for 1 style die: {text}.")
    effects: tuple[Effect, ...] = (
        *state.pays(sheets[by], 1, f"A named NPC: {name}"), Enter(name, concept=words[:200]))
    return Result((Created(state.number + 1, by, NAMED_NPC, text, 1),), (step,), effects=effects)


def offer_npc_forte(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice, while there are NPCs."""
    for sheet, held in holders(state, sheets) if npcs(sheets) else ():
        yield Offer("npc_forte", sheet.id, "Give a named NPC a forte, 1 a rank", "",
                    (who_field("npc", "NPC"), CALLED, rank_field(held)), {"npc": npcs(sheets)})


def npc_forte(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Something that a named NPC is good at, a die a rank."""
    npc, name, rank = sheets[values["npc"]], values["name"], int(values["rank"])
    text = f"{npc.name} has {name} {notation_of(rank)}"
    return _for_npc(state, sheets, by, text, rank_cost(rank), Gain(npc.id, FORTE, name, rank))


def offer_npc_technique(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice, while there are NPCs."""
    for sheet, _ in holders(state, sheets) if npcs(sheets) else ():
        yield Offer("npc_technique", sheet.id, "Give a named NPC a technique, 1", "",
                    (who_field("npc", "NPC"), CALLED), {"npc": npcs(sheets)})


def npc_technique(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A technique for a named NPC, a die."""
    npc, name = sheets[values["npc"]], values["name"]
    return _for_npc(state, sheets, by, f"{npc.name} has a technique, {name}", 1, Gain(npc.id, TECHNIQUE, name, 3))


def _for_npc(state: State, sheets: Sheets, by: str, text: str, cost: int, gain: Gain) -> Result:
    effects: tuple[Effect, ...] = (*state.pays(sheets[by], cost, text), gain)
    step = Step("PS-44", f"{sheets[by].name} says for {many(cost)}: {text}.")
    return Result((Created(state.number + 1, by, GIFT_TO_NPC, text, cost),), (step,), effects=effects)


def _sidekicks(sheet: Sheet) -> dict[str, str]:
    """The names of somebody's sidekicks by id."""
    return {line.id: line.name for line in of_kind(sheet, SIDEKICK)}


def _fortes_within(sheet: Sheet) -> list[Trait]:
    """The fortes of somebody's sidekicks."""
    mine = _sidekicks(sheet)
    return [line for line in of_kind(sheet, SIDEKICK_FORTE) if line.parent in mine]


def offer_sidekick_rank(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice and has a sidekick with a forte that can be better."""
    for sheet, _ in holders(state, sheets):
        mine = _sidekicks(sheet)
        if low := tuple((line.id, f"{mine[line.parent]}: {line.name}, {notation_of(line.value)}")
                        for line in _fortes_within(sheet) if line.value < MASTER):
            yield Offer("sidekick_rank", sheet.id, "Raise a sidekick’s forte, 1", "By a rank, for good.", (
                who_field("forte", "Forte"),), {"forte": low})


def sidekick_rank(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A forte of one's sidekick is a rank better, for good."""
    line = _inner(sheets[by], values["forte"])
    return _for_sidekick(state, sheets, by, f"{line.name} {notation_of(line.value + 1)}", 1, Raise(line.id, 1))


def offer_sidekick_forte(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice and has a sidekick."""
    for sheet, held in holders(state, sheets):
        if named := tuple(_sidekicks(sheet).items()):
            yield Offer("sidekick_forte", sheet.id, "Give a sidekick a forte, 1 a rank", "For good.", (
                who_field("sidekick", "Sidekick"), CALLED, rank_field(held)), {"sidekick": named},
                now={"sidekick": named[0][0]})


def sidekick_forte(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A new forte of one's sidekick, a die a rank."""
    name, rank = _new(sheets[by], values["name"]), int(values["rank"])
    gain = Gain(by, SIDEKICK_FORTE, name, rank, parent=values["sidekick"])
    return _for_sidekick(state, sheets, by, f"{name} {notation_of(rank)}", rank_cost(rank), gain)


def offer_sidekick_technique(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice and has a sidekick with a forte."""
    for sheet, _ in holders(state, sheets):
        mine = _sidekicks(sheet)
        if hosts := tuple((line.id, f"{mine[line.parent]}: {line.name}") for line in _fortes_within(sheet)):
            yield Offer("sidekick_technique", sheet.id, "Give a sidekick a technique, 1", "With one of their fortes.",
                        (who_field("forte", "Chained to"), CALLED), {"forte": hosts})


def sidekick_technique(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A technique of one's sidekick, chained to a forte of theirs; a die."""
    (name, kind), host = technique_of(_new(sheets[by], values["name"])), _inner(sheets[by], values["forte"])
    gain = Gain(by, SIDEKICK_TECHNIQUE, name, kind, note=host.name, parent=host.parent)
    return _for_sidekick(state, sheets, by, f"{name}, with {host.name}", 1, gain)


def _inner(sheet: Sheet, line: str) -> Trait:
    return next(trait for trait in sheet.traits if trait.id == line)


def _new(sheet: Sheet, name: str) -> str:
    if any(trait.name.casefold() == name.casefold() for trait in sheet.traits):
        raise BadMove(f"There is a line called {name} already. Choose another name.", "name")
    return name


def _for_sidekick(state: State, sheets: Sheets, by: str, text: str, cost: int, effect: Effect) -> Result:
    why = f"A sidekick: {text}"
    step = Step("PS-05", f"{sheets[by].name} spends {many(cost)} on a sidekick: {text}.")
    return Result((Spent(by),), (step,), effects=(*state.pays(sheets[by], cost, why), effect))


def offer_temporary(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice."""
    type_field = Choice(name="type", label="Type", options=GEAR, default="gear")
    for sheet, held in holders(state, sheets):
        yield Offer("temporary", sheet.id, "Add a temporary forte, 1 a rank",
                    "It takes no damage, and goes when the session ends.", (type_field, CALLED, rank_field(held)))


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


ACTS = (
    Act("fact", offer_fact, fact), Act("named_npc", offer_named_npc, named_npc),
    Act("npc_forte", offer_npc_forte, npc_forte), Act("npc_technique", offer_npc_technique, npc_technique),
    Act("temporary", offer_temporary, temporary), Act("sidekick_rank", offer_sidekick_rank, sidekick_rank),
    Act("sidekick_forte", offer_sidekick_forte, sidekick_forte),
    Act("sidekick_technique", offer_sidekick_technique, sidekick_technique),
    Act("chip_in", offer_chipping_in, chip_in),
)
EVENTS = (FactBegun, FactPaid, Created)
