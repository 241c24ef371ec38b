"""What may be done now, by whom, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.contests import Offer
from rules.fields import REQUIRED, Choice, Field, Flag, Listing, Shares, Text, Whole, read_all
from rules.sheet import Sheet, Trait
from rules.systems.pdq.chart import Rank, difficulty_field
from rules.systems.pdq.conflict.rulings import rulings
from rules.systems.pdq.conflict.setup import FARTHEST, INTENTS
from rules.systems.pdq.conflict.sides import Sheets
from rules.systems.pdq.conflict.state import (
    CAGEY,
    FLIP_OUT,
    HOLDING,
    WAITING,
    Contestant,
    Phase,
    State,
)
from rules.systems.pdq.ranges import Range, range_of
from rules.systems.pdq.roll import LINE_KINDS, lines_field
from rules.systems.pdq.traits import can_lose, capacity, is_weakness, rank_of, usable
from rules.values import BadMove, Value

Options = tuple[tuple[str, str], ...]

WORDS = Text(name="words", label="In words", most=1000)
LEAD = Text(name="lead", label="Lead quality", most=100, help="Which quality the shifts move; the highest otherwise.")
LINES = lines_field(tuple(kind for kind in LINE_KINDS if kind[0] != "badass"))
STRATEGY = Choice(name="strategy", label="Strategy", default="", options=(
    ("", "None"),
    (FLIP_OUT, "Flip out: the next attack up, reactions and other actions down until your next turn"),
    (CAGEY, "Play it cagey: reactions up, this action down, until your next turn"),
))
DIFFICULTY = replace(difficulty_field(), default=None, help="Leave it open where no roll is needed.")


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal action now: the contestants', then the GM's."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.INTENT:
            own = [_intent(state.contestant(who)) for who in state.undecided]
        case Phase.DEFEND:
            own = _defences(state, sheets)
        case Phase.DAMAGE:
            own = _damages(state, sheets)
        case Phase.TURN | Phase.LAST_CALL:
            own = _turns(state, sheets)
    return (*own, *rulings(state, sheets))


def check(offer: Offer, given: Mapping[str, Value]) -> dict[str, Any]:
    """The fields of an offer, read; raises `BadMove` for an id that is not among its options, or is there twice."""
    values = read_all(offer.fields, given)
    open_ones = {field.name for field in offer.fields if field.default == ""}
    for name, options in (offer.options or {}).items():
        value, known = values[name], dict(options)
        if value == "" and name in open_ones:
            continue
        named = [value] if isinstance(value, str) else list(value)
        for each in named:
            if each not in known:
                listed = ", ".join(known.values()) or "there is nothing to choose now"
                raise BadMove(f"Choose from these: {listed}.", name)
            if named.count(each) > 1:
                raise BadMove(f"{known[each]} is chosen twice. Choose it once.", name)
    return values


def qualities(sheet: Sheet) -> Options:
    """The qualities that can be applied, as a person reads them."""
    return tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}") for trait in sheet.traits if usable(trait))


def targets(state: State, by: Contestant) -> tuple[Contestant, ...]:
    """Whom this contestant may attack: who stands on another side, the unaware alone in the free round (PQ-11)."""
    return tuple(
        each for each in state.standing
        if each.side != by.side and (state.round > 0 or each.unaware)
        and not (state.settings.ranges and range_of(each.position - by.position) is Range.TOO_FAR)
    )


def victims(state: State) -> tuple[Contestant, ...]:
    """Who may be killed: those who were out of action before this turn began (PQ-17)."""
    return tuple(
        each for each in state.contestants if each.out and not each.killed and each.out_turn < state.turn
    )


def _intent(who: Contestant) -> Offer:
    field = Choice(name="intent", label="You mean to", options=INTENTS)
    return Offer("intent", who.id, "Say whether you kill", "It holds for the whole conflict.", (field,))


def _turns(state: State, sheets: Sheets) -> list[Offer]:
    own: list[Offer] = []
    helping: list[Offer] = []
    for each in state.standing:
        if each.id in state.acting:
            own += _actions(state, sheets, each)
            own += [
                Offer("hold", each.id, "Hold your action", "Act later in this round, or lose the action."),
                Offer("pass", each.id, "Let your turn go by", fields=(STRATEGY,)),
                *_kills(state, each),
                *_moves(state, sheets, each, reaction=False),
            ]
        elif each.turn == HOLDING and (state.fresh or not state.acting):
            own += _actions(state, sheets, each)
            own.append(Offer("let_go", each.id, "Let your held action go"))
        helping += _pledges(state, sheets, each)
    return [*own, *helping]  # whoever's turn it is comes first


def _actions(state: State, sheets: Sheets, who: Contestant) -> list[Offer]:
    usable_ones = qualities(sheets[who.id])
    helpers = tuple((each.id, f"{each.name}: {_named(sheets, each)}") for each in state.contestants
                    if each.pledge and each.pledge.to == who.id)
    helping = _list("helpers", "Help that you take")
    shared = (_list("qualities", "Your qualities"), LEAD, helping, LINES, STRATEGY, WORDS)
    options: dict[str, Options] = {"qualities": usable_ones, "lead": usable_ones, "helpers": helpers}
    told = "Anything but an attack. Give a difficulty where it takes a roll."
    found = [Offer("act", who.id, "Do something else", told, (*shared, DIFFICULTY), options, rolls=True)]
    aims = tuple((each.id, _aim(state, who, each)) for each in targets(state, who))
    if aims:
        weapon = (Flag(name="weapon", label="With a weapon", help="2 damage more."),) if state.settings.weapons else ()
        found.insert(0, Offer("attack", who.id, "Attack", "Each target after the first costs a downshift.",
                              (_list("targets", "Targets", REQUIRED), *shared, *weapon), {"targets": aims, **options},
                              rolls=True))
    return found


def _kills(state: State, who: Contestant) -> list[Offer]:
    helpless = tuple((each.id, each.name) for each in victims(state) if each.side != who.side)
    if state.settings.killing != "free" or not helpless:
        return []
    field = Text(name="target", label="Whom", default=REQUIRED, most=100)
    return [Offer("kill", who.id, "Kill", "Free: your turn is not spent.", (field, WORDS), {"target": helpless})]


def _moves(state: State, sheets: Sheets, who: Contestant, *, reaction: bool) -> list[Offer]:
    if not state.settings.ranges or (who.dodged if reaction else who.moved):
        return []
    fields = (
        Whole(name="to", label="To yard", least=-FARTHEST, most=FARTHEST),
        _list("qualities", "Qualities that help"),
    )
    spare = "as a reaction" if reaction else "on your turn"
    return [Offer("move", who.id, "Move", f"Once a round {spare}: 1 yard and the sum of the modifiers.", fields,
                  {"qualities": qualities(sheets[who.id])})]


def _pledges(state: State, sheets: Sheets, who: Contestant) -> list[Offer]:
    """Help goes to one who acts first or at the same moment: of those who act together, the quickest rolls (PQ-08)."""
    if who.pledge:
        return [Offer("withdraw", who.id, "Take your help back")]
    if who.turn not in (WAITING, HOLDING):
        return []
    helped = tuple(
        (each.id, each.name) for each in state.standing
        if each.id != who.id and each.side == who.side and each.place <= who.place and each.turn in (WAITING, HOLDING)
    )
    own = qualities(sheets[who.id])
    if not helped or not own:
        return []
    fields = (Text(name="to", label="Whom", default=REQUIRED, most=100), _list("qualities", "With which", REQUIRED))
    return [Offer("help", who.id, "Help somebody", "It costs your turn of this round when it is taken.", fields,
                  {"to": helped, "qualities": own})]


def _defences(state: State, sheets: Sheets) -> list[Offer]:
    own: list[Offer] = []
    for who in state.attack.unanswered if state.attack else ():
        sheet, contestant = sheets[who], state.contestant(who)
        fields: tuple[Field, ...] = (_list("qualities", "Your qualities"), LEAD, LINES, WORDS)
        options = {"qualities": qualities(sheet), "lead": qualities(sheet)}
        weak = tuple((trait.id, trait.name) for trait in sheet.traits if is_weakness(trait))
        if weak and not contestant.hurt:
            told = "2 damage more, for it would be the first of the scene."
            fields += (Text(name="weakness", label="A weakness that bears on it", most=100, help=told),)
            options["weakness"] = weak
        own.append(Offer("defend", who, "React", fields=fields, options=options, rolls=True))
        own += _moves(state, sheets, contestant, reaction=True)
    return own


def _damages(state: State, sheets: Sheets) -> list[Offer]:
    own: list[Offer] = []
    for who in state.contestants:
        wound = state.wound_of(who.id)
        if wound is None:
            continue
        sheet = sheets[who.id]
        due = min(wound.amount, capacity(sheet))
        held = tuple((trait.id, _holds(trait)) for trait in sheet.traits if can_lose(trait))
        rest = f" of {wound.amount}; no more can be lost" if due < wound.amount else ""
        told = f"Place {due} damage{rest}."
        spread = Shares(name="spread", label="Damage", default={}, help="By trait; below Poor in any is out of action.")
        own.append(Offer("take_damage", who.id, "Take the damage", told, (spread, WORDS), {"spread": held}))
        firm = tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}")
                     for trait in sheet.traits if trait.now >= Rank.GOOD)
        if wound.defending and not who.chin_used and firm:
            told = "One at Good or better that bears on the attack."
            field = Text(name="trait", label="Quality", default=REQUIRED, most=100, help=told)
            own.append(Offer("take_on_the_chin", who.id, "Take it on the chin",
                             "Once a scene: 1 damage to one quality instead.", (field, WORDS), {"trait": firm}))
    return own


def _list(name: str, label: str, default: Any = ()) -> Listing:
    return Listing(name=name, label=label, of=Text(name="id", label=label, most=100), default=default)


def _named(sheets: Sheets, who: Contestant) -> str:
    pledged: Sequence[Any] = who.pledge.qualities if who.pledge else ()
    found: Iterable[Trait | None] = (sheets[each.sheet].trait(each.trait) for each in pledged)
    return ", ".join(f"{trait.name}, {rank_of(trait).notation}" for trait in found if trait)


def _aim(state: State, who: Contestant, target: Contestant) -> str:
    if not state.settings.ranges:
        return target.name
    yards = abs(target.position - who.position)
    return f"{target.name}, {range_of(yards).word} ({yards} yards)"


def _holds(trait: Trait) -> str:
    return f"{trait.name}, {rank_of(trait).notation}, can lose {can_lose(trait)}"


