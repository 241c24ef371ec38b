"""What may be done now, by whom, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from rules.fields import REQUIRED, Allocation, Choice, Field, Flag, Listing, Text, Whole
from rules.procedure import Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.pdq.chart import Rank, difficulty_field
from rules.systems.pdq.conflict.rulings import rulings
from rules.systems.pdq.conflict.setup import FARTHEST, INTENTS
from rules.systems.pdq.conflict.sides import Sheets, defence_shifts, grant_shifts
from rules.systems.pdq.conflict.state import (
    CAGEY,
    FLIP_OUT,
    HOLDING,
    WAITING,
    Contestant,
    Phase,
    State,
)
from rules.systems.pdq.harm import easiest, ranks
from rules.systems.pdq.ranges import Range, range_of
from rules.systems.pdq.roll import LINE_KINDS, Side, lines_field
from rules.systems.pdq.traits import can_lose, capacity, is_weakness, rank_of, spare, usable
from rules.wording import join

WORDS = Text(name="words", label="Description", most=1000)
LEAD = Text(name="lead", label="Lead quality", most=100, help="Which quality the shifts move; the highest otherwise.")
LINES = lines_field(tuple(kind for kind in LINE_KINDS if kind[0] != "badass"))
STRATEGY = Choice(name="strategy", label="Strategy", default="", options=(
    ("", "None"),
    (FLIP_OUT, "Flip out: the next attack up, reactions and other actions down until your next turn"),
    (CAGEY, "Play it cagey: reactions up, this action down, until your next turn"),
))
DIFFICULTY = replace(difficulty_field(), default=None, help="Leave it open where no roll is needed.")


TARGET = Text(name="target", label="Who", default=REQUIRED, most=100, missing="Choose who dies.")
MOVING = (
    "Once a round {when}: 1 yard and the sum of the modifiers. That is half of the 2 yards and twice the sum that a "
    "round has; with Good, Good and Expert 18 yards, where the source's own example has 10."
)


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
        case Phase.AFTERMATH:
            own = [offer for each in state.standing for offer in _last_words(state, each)]
    return (*own, *rulings(state, sheets))


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


def acting_now(state: State) -> tuple[Contestant, ...]:
    """Those who may act at this moment, on their turn or from hold (PQ-11)."""
    if state.phase not in (Phase.TURN, Phase.LAST_CALL):
        return ()
    between = state.fresh or not state.acting
    return tuple(
        each for each in state.standing if each.id in state.acting or (each.turn == HOLDING and between)
    )


def _intent(who: Contestant) -> Offer:
    field = Choice(name="intent", label="You mean to", options=INTENTS)
    return Offer("intent", who.id, "State your intent", "It holds for the whole conflict.", (field,))


def _turns(state: State, sheets: Sheets) -> list[Offer]:
    own: list[Offer] = []
    helping: list[Offer] = []
    able = acting_now(state)
    for each in state.standing:
        if each.id in state.acting:
            own += _actions(state, sheets, each)
            own += [
                Offer("hold", each.id, "Hold", "Act later in this round, or lose the action."),
                Offer("pass", each.id, "Pass", "Your turn goes by.", (STRATEGY,)),
                *_kills(state, each),
                *_moves(state, sheets, each, reaction=False),
            ]
        elif each in able:
            own += _actions(state, sheets, each)
            own.append(Offer("let_go", each.id, "Give up your held action"))
        helping += _pledges(state, sheets, each)
    return [*own, *helping]  # whoever's turn it is comes first


def _actions(state: State, sheets: Sheets, who: Contestant) -> list[Offer]:
    usable_ones = qualities(sheets[who.id])
    helpers = tuple((each.id, f"{each.name}: {_named(sheets, each)}") for each in state.contestants
                    if each.pledge and each.pledge.to == who.id)
    helping = _list("helpers", "Use the help of")
    shared = (_list("qualities", "Your qualities"), LEAD, helping, LINES, STRATEGY, WORDS)
    options: dict[str, Options] = {"qualities": usable_ones, "lead": usable_ones, "helpers": helpers}
    text = "Anything but an attack. Give a difficulty where it takes a roll."
    found = [Offer("act", who.id, "Do something else", text, (*shared, DIFFICULTY), options, rolls=True)]
    aims = tuple((each.id, _aim(state, who, each)) for each in targets(state, who))
    if aims:
        weapon = (Flag(name="weapon", label="With a weapon", help="2 damage more."),) if state.settings.weapons else ()
        fields = (_list("targets", "Targets", "Choose a target."), *shared, *weapon)
        text = "Each target after the first costs a downshift."
        only = {"targets": [aims[0][0]]} if len(aims) == 1 else None
        options = {"targets": aims, **options}
        found.insert(0, Offer("attack", who.id, "Attack", text, fields, options, rolls=True, now=only))
    return found


def _kills(state: State, who: Contestant) -> list[Offer]:
    helpless = [each for each in victims(state) if each.side != who.side]
    if state.settings.killing != "free" or not helpless:
        return []
    return [_kill(who.id, "Kill", "Free: your turn is not spent.", helpless)]


def _kill(by: str, title: str, help: str, helpless: Iterable[Contestant]) -> Offer:
    options = {"target": tuple((each.id, each.name) for each in helpless)}
    return Offer("kill", by, title, help, (TARGET, WORDS), options)


def _last_words(state: State, who: Contestant) -> list[Offer]:
    """What is left to do where one side alone stands, whatever was said of killing at the start (PQ-17)."""
    lives = [each for each in state.at_mercy if each.side != who.side]
    return [
        Offer("end_here", who.id, "End it here", f"{join([each.name for each in lives])} will live.", (WORDS,)),
        _kill(who.id, "Kill", "Free, of those out of action.", lives),
    ]


def _moves(state: State, sheets: Sheets, who: Contestant, *, reaction: bool) -> list[Offer]:
    if not state.settings.ranges or (who.dodged if reaction else who.moved):
        return []
    fields = (
        Whole(name="to", label="To yard", least=-FARTHEST, most=FARTHEST),
        _list("qualities", "Qualities that help"),
    )
    return [Offer("move", who.id, "Move", MOVING.format(when="as a reaction" if reaction else "on your turn"), fields,
                  {"qualities": qualities(sheets[who.id])})]


def _pledges(state: State, sheets: Sheets, who: Contestant) -> list[Offer]:
    """Help goes to one who acts first or at the same moment: of those who act together, the quickest rolls (PQ-08)."""
    if who.pledge:
        return [Offer("withdraw", who.id, "Withdraw your help")]
    if who.turn not in (WAITING, HOLDING):
        return []
    helped = tuple(
        (each.id, each.name) for each in state.standing
        if each.id != who.id and each.side == who.side and each.place <= who.place and each.turn in (WAITING, HOLDING)
    )
    own = qualities(sheets[who.id])
    if not helped or not own:
        return []
    fields = (
        Text(name="to", label="Who", default=REQUIRED, most=100, missing="Choose who you help."),
        _list("qualities", "With which", "Choose a quality to help with."),
    )
    return [Offer("help", who.id, "Help", "It costs your turn of this round when it is taken.", fields,
                  {"to": helped, "qualities": own})]


def _defences(state: State, sheets: Sheets) -> list[Offer]:
    own: list[Offer] = []
    for who in state.attack.unanswered if state.attack else ():
        sheet, contestant = sheets[who], state.contestant(who)
        fields: tuple[Field, ...] = (_list("qualities", "Your qualities"), LEAD, LINES, WORDS)
        options = {"qualities": _reactions(state, contestant, sheet, "if it is all you use"),
                   "lead": _reactions(state, contestant, sheet, "if it leads")}
        weak = tuple((trait.id, trait.name) for trait in sheet.traits if is_weakness(trait))
        if weak and not contestant.hurt:
            text = "2 damage more, for it would be the first of the scene."
            fields += (Text(name="weakness", label="A weakness that bears on it", most=100, help=text),)
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
        held = tuple((trait.id, _holds(trait)) for trait in sheet.traits if can_lose(trait))
        spread = Allocation(
            name="spread", label="Damage", default={}, help="By trait; below Poor in any is out of action.")
        own.append(Offer("take_damage", who.id, "Take the damage", _placing(state, sheet, wound.amount),
                         (spread, WORDS), {"spread": held}, previews=True,
                         now={"spread": easiest(sheet, wound.amount)}))
        firm = tuple((trait.id, f"{trait.name}, {rank_of(trait).notation}")
                     for trait in sheet.traits if trait.now >= Rank.GOOD)
        if wound.defending and not who.chin_used and firm:
            text = "One at Good or better that bears on the attack."
            field = Text(name="trait", label="Quality", default=REQUIRED, most=100, help=text)
            harm = state.settings.harm
            instead = f"Once a scene: {ranks(1, harm)} to one quality instead of {ranks(wound.amount, harm)}."
            own.append(Offer("take_on_the_chin", who.id, "Take it on the chin", instead, (field, WORDS),
                             {"trait": firm}))
    return own


def _placing(state: State, sheet: Sheet, amount: int) -> str:
    """What there is to place, and whether it takes this character out however it is placed (PQ-16)."""
    to_place, room = min(amount, capacity(sheet)), spare(sheet)
    rest = f", {to_place} of which the qualities can lose" if to_place < amount else ""
    text = f"Place {ranks(amount, state.settings.harm)}{rest}."
    if amount > room:
        return f"{text} This takes {sheet.name} out of action, wherever you place it."
    return f"{text} Up to {room} can be placed with {sheet.name} still in action."


def _reactions(state: State, who: Contestant, sheet: Sheet, when: str) -> Options:
    """Qualities to react with; each one that a downshift would take below poor says what comes of it (PQ-13)."""
    shifts = (*defence_shifts(who), *grant_shifts(who))
    return tuple(
        (trait.id, f"{trait.name}, {rank_of(trait).notation}" + (
            f"; {when}, it counts 0 and the whole attack hits"
            if state.settings.defence == "roll" and Side((rank_of(trait),), shifts=shifts).fails else ""))
        for trait in sheet.traits if usable(trait)
    )


def _list(name: str, label: str, missing: str = "") -> Listing:
    """Some of the options of an offer; at least one where `missing` says what to do without."""
    one = Text(name="id", label=label, most=100)
    return Listing(name=name, label=label, of=one, default=REQUIRED if missing else (), missing=missing)


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
    return f"{trait.name}, {rank_of(trait).notation}: {can_lose(trait)} here is out of action"


