"""A fight as a page draws it: the order, who is waited for, and the attack under way."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.engine import Sheets
from rules.moves import Die
from rules.procedure import Participant, Perspective, View, is_known
from rules.sheet import Trait
from rules.systems.pnc.dice import degree_text
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.fight.reading import may_roll_again, rolls_attack_again
from rules.systems.pnc.fight.state import Attack, Combatant, Phase, State
from rules.systems.pnc.fight.why import omitted_in
from rules.systems.pnc.reckoning import ready
from rules.systems.pnc.roll_odds import Forecasts, exchange, spread
from rules.wording import join, sentence, within


@dataclass(frozen=True)
class AttackView:
    """An attack, or an opposed roll: `reading` is "" until both parts have fallen."""

    heading: str
    words: str
    dice: tuple[Die, ...]
    factors: tuple[Weight, ...]
    reading: str = ""
    success: bool | None = None  # None until both parts have fallen
    forecast: Forecasts = ()
    left_out: tuple[tuple[str, Trait], ...] = ()  # wounds that could have counted, once the dice lie there

    @property
    def came(self) -> str:
        """What the dice come to; before they have fallen, whose they are."""
        return self.reading or self.heading

    @property
    def of(self) -> str:
        """Whose the dice are, where that is not said yet."""
        return self.heading if self.reading else ""


@dataclass(frozen=True)
class FightView:
    """What the page of a fight draws beside the order: the attack under way, else the last one."""

    opposed: bool
    attack: AttackView | None = None


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The order in its groups, what the fight waits for, and what is about to happen, to this viewer."""
    groups = tuple(tuple(_participant(state, combatant) for combatant in group) for group in state.order)
    return View(_heading(state), _over(state), groups, _facts(state, sheets),
                _detail(state, sheets, viewer))


def _over(state: State) -> str:
    return sentence(state.outcome or "The fight is over") if state.over else ""


def _heading(state: State) -> str:
    if state.settings.opposed:
        return "Settled" if state.over else "Opposed roll"
    if state.over:
        return f"Won by {within(state.winner)}" if state.winner else "Ended"
    return f"Round {state.round}" if state.round else "Initiative"


def _facts(state: State, sheets: Sheets) -> tuple[str, ...]:
    facts = []
    if again := [] if state.attack else [combatant.name for combatant in may_roll_again(state, sheets)]:
        facts.append(f"{join(again)} may spend a mulligan point to roll again, until someone acts.")
    for combatant in state.combatants:
        if combatant.fights and not combatant.ready:
            facts.append(f"{combatant.name} was caught off guard and can’t act yet.")
        if combatant.loses_next:
            facts.append(f"{combatant.name} loses the next turn.")
        if combatant.free_at:
            facts.append(f"{combatant.name} has a free attack on {state.combatant(combatant.free_at).name}.")
    if failed := [state.combatant(attack.by).name for attack in state.unruled]:
        many = "The great failure" if len(failed) == 1 else f"{len(failed)} great failures"
        facts.append(f"{many} may turn on {join(list(dict.fromkeys(failed)))}: the GM says how.")
    if state.over and state.words:
        facts.append(state.words)
    return tuple(facts)


def _detail(state: State, sheets: Sheets, viewer: Perspective) -> FightView:
    opposed, last = state.settings.opposed, state.last
    if state.attack:
        attack = _falling(state, state.attack, sheets, viewer)
        counts = viewer.may_count(sheets, attack.by, attack.target)
        dice = f": {attack.button}" if all(is_known(sheets, who) for who in (attack.by, attack.target)) else ""
        drawn = _attack(state, sheets, attack, odds_so_far(state, attack, dice) if counts else ())
        # What somebody brings of whom one knows the face alone is told by the dice.
        open_ = tuple(weight for weight in attack.weights if attack.thrown or is_known(sheets, weight.by))
        return FightView(opposed, replace(drawn, factors=open_))
    if state.outcome and last:
        return FightView(opposed, replace(_attack(state, sheets, last), heading=state.outcome, reading=""))
    if state.aftermath:
        again = tuple(combatant.id for combatant in may_roll_again(state, sheets))
        attack = state.aftermath.attack
        counts = viewer.may_count(sheets, attack.by, attack.target)
        return FightView(opposed, _attack(state, sheets, attack, odds_again(state, again) if counts else ()))
    return FightView(opposed)


def _falling(state: State, attack: Attack, sheets: Sheets, viewer: Perspective) -> Attack:
    """The attack under way; before its dice with what stands ready in the defender’s form, where it may be counted."""
    if attack.faces or (foe := viewer.counted(sheets, attack.target)) is None:
        return attack
    own = ready(foe, attack.weights, against=True, open_ended=attack.open_ended)
    return replace(attack, weights=own.weights)


def _attack(state: State, sheets: Sheets, attack: Attack, forecast: Forecasts = ()) -> AttackView:
    opposed = state.settings.opposed
    by, foe = state.combatant(attack.by).name, state.combatant(attack.target).name
    verdict = "So far" if opposed else "A hit" if attack.success else "A miss"
    verb = "against" if opposed else "attacks" if state.attack else "attacked"
    return AttackView(f"{by} {verb} {foe}", attack.words, attack.drawn if attack.faces else (), attack.weights,
                      f"{verdict}: {attack.reading}" if attack.thrown else "",
                      attack.success if attack.thrown else None, forecast, omitted_in(state, sheets, attack))


def odds_so_far(state: State, attack: Attack, dice: str) -> Forecasts:
    """The odds of the attack under way with all that has fallen; `dice` say what falls, "" where that is hidden."""
    by, harmless = state.combatant(attack.by).name, state.settings.opposed
    match state.phase:
        case Phase.DEFENCE:
            return exchange(f"As it is now{dice}", spread(attack.roll), harmless=harmless)
        case Phase.STRIKE:
            return exchange(f"{by}’s d20 against {attack.d6}", spread(attack.roll, d6=attack.d6), harmless=harmless)
        case Phase.SECOND_THOUGHTS if state.loser:
            return _again(state, attack, state.loser.id)
    return ()


def odds_again(state: State, who: Sequence[str]) -> Forecasts:
    """The odds of rolling each part of the last attack again, for those who may."""
    attack = state.aftermath.attack if state.aftermath else None
    return tuple(way for combatant in who if attack and rolls_attack_again(state, combatant)
                 for way in _again(state, attack, combatant))


def _again(state: State, attack: Attack, who: str) -> Forecasts:
    harmless, name = state.settings.opposed, state.combatant(who).name
    if who == attack.by:
        return exchange(f"If {name} rolls the d20 again", spread(attack.roll, d6=attack.d6), harmless=harmless)
    fallen = spread(attack.roll, d20=(attack.first, attack.second))
    return exchange(f"If {name} rolls the {attack.roll.dice}d6 again", fallen, harmless=harmless)


def _asked(state: State) -> tuple[str, ...]:
    """Whose act it is: of an attack the defender, then the attacker; else those whose turn it is."""
    if state.attack is None:
        return state.acting
    return (state.attack.target,) if state.phase is Phase.DEFENCE else (state.attack.by,)


def _participant(state: State, who: Combatant) -> Participant:
    notes = [] if state.settings.opposed else [who.side]
    if not who.fights:
        notes.append(who.state)
    elif not who.ready:
        notes.append("caught off guard")
    elif who.dice:
        notes.append(f"degree {degree_text(who.score)}" if who.score == who.dice_degree else "last")
    return Participant(
        who.id, who.name, who.side, current=who.id in _asked(state), out=not who.fights, held=who.held,
        note=", ".join(notes),
    )
