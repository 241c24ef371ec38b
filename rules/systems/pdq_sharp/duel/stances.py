"""Dividing the dice in secret, and showing all splits as the dice fall (PS-22, PS-25 to PS-27)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from rules.moves import Die, Need, Step
from rules.sheet import Effect
from rules.systems.pdq_sharp.bonus import payment, purse
from rules.systems.pdq_sharp.chart import fortes_text, signed
from rules.systems.pdq_sharp.duel import tweaks
from rules.systems.pdq_sharp.duel.events import Chose, Event, Result, Thrown
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.odds import likely
from rules.systems.pdq_sharp.duel.state import DEFENCE, FREE_ONCE, UNAWARE, Choice, Fencer, State, Throw
from rules.systems.pdq_sharp.duel.touch import rolls_of
from rules.systems.pdq_sharp.duel.trays import Sheets, plan, throw_from, total
from rules.systems.pdq_sharp.duel_turn import WORDS
from rules.values import BadMove
from rules.wording import quoted

STRONG_DEFENCE = "strong_defence"
Values = Mapping[str, Any]


def stance(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody's split; whoever chooses last shows them all, and all dice fall (PS-22)."""
    return _chosen(state, sheets, (_choice(state, sheets, state.fencer(by), values),), faces)


def stances(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The splits of all the GM's NPCs at once."""
    choices = tuple(
        Choice(who.id, STRONG_DEFENCE if who.surprise == UNAWARE else values[f"npc_{place}"], counting(sheets, who))
        for place, who in enumerate(npcs(state))
    )
    return _chosen(state, sheets, choices, faces)


def throw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The GM lets the dice fall where nobody is left to choose: somebody went who had not."""
    return _chosen(state, sheets, (), faces)


def npcs(state: State) -> tuple[Fencer, ...]:
    """Those who are nobody's to play and have yet to divide their dice."""
    return tuple(each for each in state.unchosen if not each.player)


def default(state: State, sheets: Sheets, who: Fencer) -> str:
    """A split that is good against whatever the first foe may do (PS-22)."""
    if who.surprise == UNAWARE:
        return STRONG_DEFENCE
    return likely(state, sheets, who.id, state.foes_of(who.id)[0])


def counting(sheets: Sheets, who: Fencer) -> tuple[str, ...]:
    """The fortes that counted last and still can."""
    return tuple(each for each in who.fortes if each in {one for one, _ in tweaks.countable(sheets[who.id], who)})


def _choice(state: State, sheets: Sheets, who: Fencer, values: Values) -> Choice:
    """What was chosen, held against the rules; raises `BadMove`."""
    choice = Choice(who.id, values["stance"], tuple(values["fortes"]), values.get("gambit", ""),
                    values.get("tweak", ""), values.get("against", ""), values.get("firearm", ""), values["words"])
    if who.surprise == UNAWARE and (choice.stance != STRONG_DEFENCE or choice.tweak):
        raise BadMove("Taken unawares, you can only defend strongly this turn.", "stance")
    if choice.gambit and choice.gambit in choice.fortes:
        raise BadMove("This forte counts already. Choose another one for the gambit.", "gambit")
    if choice.gambit and not choice.words:
        raise BadMove("Say how it comes in: a gambit counts for being played out.", "words")
    return tweaks.aimed(state, sheets, choice)


def _chosen(state: State, sheets: Sheets, choices: Sequence[Choice], faces: Sequence[int]) -> Result | Need:
    effects: tuple[Effect, ...] = ()
    events: list[Event] = []
    for choice in choices:
        who = state.fencer(choice.who)
        price = int(choice.tweak in FREE_ONCE and choice.tweak in who.used_free)
        if price > purse(sheets[who.id], state.context, player=who.player):
            raise BadMove("It was free once in this duel. Now it costs a style die, and you have none.", "tweak")
        effects += payment(sheets[who.id], price, tweaks.TWEAKS.get(choice.tweak, ""))
        events.append(Chose(choice, bool(price)))
    after = reduce(evolve, events, state)
    if after.unchosen or after.undecided:
        names = state.names(choice.who for choice in choices)
        if faces:
            raise BadMove("No dice fall before all have chosen.", "dice")
        step = Step("PS-22", f"{names} divided the dice. Nobody sees the split until all have chosen.")
        return Result(tuple(events), (step,), effects=effects, sealed=True)
    thrown = _thrown(after, sheets, faces)
    if isinstance(thrown, Need):
        return thrown
    throws, dice = thrown
    shown = evolve(after, Thrown(throws))
    steps = tuple(step for throw in throws for step in _split_steps(shown, throw))
    opening = Step("PS-22", "All have chosen. The splits are shown, and the dice fall.")
    return Result((*events, Thrown(throws)), (opening, *steps), dice=dice, effects=effects, rolls=rolls_of(shown))


def _thrown(
    state: State, sheets: Sheets, faces: Sequence[int]
) -> tuple[tuple[Throw, ...], tuple[Die, ...]] | Need:
    plans = [plan(state, sheets, choice) for each in state.engaged if (choice := state.choice_of(each.id))]
    wanted = sum(each.dice for each in plans)
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Give {wanted} dice; there are {len(faces)}.", "dice")
    throws, dice, start = [], [], 0
    for each in plans:
        run = faces[start : start + each.dice]
        start += each.dice
        throws.append(throw_from(state, sheets, each, run))
        name = state.fencer(each.choice.who).name
        roles = [f"{name}: {'defence' if to == DEFENCE else 'attack'}" for to, size in each.trays for _ in range(size)]
        roles += [f"{name}: more"] * each.extra
        dice += [Die(6, face, role) for face, role in zip(run, roles, strict=True)]
    return tuple(throws), tuple(dice)


def _split_steps(state: State, throw: Throw) -> list[Step]:
    """A split with what counts, in words."""
    name, choice = state.fencer(throw.who).name, state.choice_of(throw.who)
    steps = [Step("PS-22", f"{name}: {WORDS[throw.stance]}{quoted(choice.words if choice else '')}"),
             Step("PS-10", fortes_text(throw.ranks, name))]
    if state.backers_of(throw.who):
        backers = state.names(each.id for each in state.backers_of(throw.who))
        steps.append(Step("PS-26", f"{backers} with {name}: one rolls, all MODs count."))
    if choice and choice.gambit:
        steps.append(Step("PS-27", f"{name}: a Cyrano gambit; a forte counts that has nothing to do with it."))
    if throw.tweak:
        aim = f" against {state.fencer(throw.against).name}" if throw.against else ""
        steps.append(Step("PS-27", f"{name}: {tweaks.TWEAKS[throw.tweak].lower()}{aim}."))
    for what, carried in (("attack", throw.attack_carry), ("defence", throw.defence_carry)):
        if carried:
            steps.append(Step("PS-27", f"{name}: {signed(carried)} on the {what}, from the last turn."))
    if throw.bonus:
        steps.append(Step("PS-25", f"{name}: {len(throw.bonus)} more for the minions; the best count."))
    totals = [f"{total(throw, foe)} to attack {state.fencer(foe).name}" for foe in throw.attacks]
    steps.append(Step("PS-23", f"{name}: {', '.join([*totals, f'{total(throw, DEFENCE)} to defend'])}."))
    return steps
