"""A fight as a page draws it: the order, who is waited for, and the attack under way."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.engine import Sheets
from rules.moves import Die
from rules.procedure import Participant, Perspective, View, is_known
from rules.systems.pnc.dice import degree_text
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.fight.reading import may_roll_again, rolls_attack_again
from rules.systems.pnc.fight.state import Attack, Combatant, Phase, State
from rules.systems.pnc.roll_odds import Forecasts, exchange, spread
from rules.wording import join


@dataclass(frozen=True)
class AttackView:
    """An attack, or an opposed roll: `reading` is "" until both parts have fallen."""

    heading: str
    words: str
    dice: tuple[Die, ...]
    factors: tuple[Weight, ...]
    reading: str = ""
    success: bool = False
    forecast: Forecasts = ()


@dataclass(frozen=True)
class FightView:
    """What the page of a fight draws beside the order: the attack under way, else the last one."""

    opposed: bool
    attack: AttackView | None = None


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The order in its groups, what the fight waits for, and what is about to happen, to this viewer."""
    groups = tuple(tuple(_participant(state, combatant) for combatant in group) for group in state.order)
    return View(_heading(state), waits_for(state, viewer, sheets), groups, _facts(state, sheets),
                _detail(state, sheets, viewer))


def waits_for(state: State, viewer: Perspective | None = None, sheets: Sheets | None = None) -> str:
    """What has to be done next, by the viewer or by whom else; without `sheets`, as whoever knows no number has it."""
    attack = state.attack
    foe = state.combatant(attack.target).name if attack else ""
    match state.phase:
        case Phase.BLANK:
            return "The fight has not begun."
        case Phase.OVER:
            return f"{state.outcome}." if state.outcome else "The fight is over."
        case Phase.INITIATIVE:
            return _ask(state, viewer, [combatant.id for combatant in state.unplaced], "roll initiative")
        case Phase.TURN:
            if not state.acting:
                return "Nobody can act. The GM says who does."
            return _ask(state, viewer, state.acting, "act")
        case Phase.DEFENCE if attack:
            known = sheets is not None and is_known(sheets, attack.by)
            dice = f"{attack.roll.dice}d6 " if known else ""
            return _ask(state, viewer, [attack.target], f"roll {dice}against {state.combatant(attack.by).name}")
        case Phase.RULING:
            failed = state.combatant(state.unruled[0].by).name
            asks = "Your turn: say" if viewer and viewer.runs else "Waiting for the GM to say"
            return f"{asks} what the great failure does to {failed}."
        case Phase.STRIKE if attack:
            return _ask(state, viewer, [attack.by], f"roll the d20 against the {attack.d6} of {foe}")
        case _:
            loser = [state.loser.id] if state.loser else []
            return _ask(state, viewer, loser, "roll again or let it stand")


def _ask(state: State, viewer: Perspective | None, ids: Sequence[str], verb: str) -> str:
    """`Your turn: act`, with whose turn it is where the viewer plays several; `Waiting for Ada to act` for others."""
    mine = [id_ for id_ in ids if viewer and plays(state.combatant(id_), viewer)]
    if not mine:
        return f"Waiting for {join([state.combatant(id_).name for id_ in ids])} to {verb}."
    several = sum(plays(combatant, viewer) for combatant in state.combatants) > 1 if viewer else False
    whose = f" with {join([state.combatant(id_).name for id_ in mine])}" if several else ""
    return f"Your turn{whose}: {verb}."


def plays(who: Combatant, viewer: Perspective) -> bool:
    """Whether the viewer is asked for this one; the GM could act for players, and is asked for all others."""
    return who.id in viewer.plays and not (viewer.runs and who.player)


def _heading(state: State) -> str:
    if state.settings.opposed:
        return "Settled" if state.over else "Opposed roll"
    if state.over:
        return f"Won by {state.winner}" if state.winner else "Ended"
    return f"Round {state.round}" if state.round else "Initiative"


def _facts(state: State, sheets: Sheets) -> tuple[str, ...]:
    facts = []
    for combatant in state.combatants:
        if combatant.fights and not combatant.ready:
            facts.append(f"{combatant.name} was caught off guard and can’t act yet.")
        if combatant.loses_next:
            facts.append(f"{combatant.name} loses the next turn.")
        if combatant.free_at:
            facts.append(f"{combatant.name} has a free attack on {state.combatant(combatant.free_at).name}.")
    for failed in state.unruled:
        facts.append(f"The great failure may turn on {state.combatant(failed.by).name}: the GM says how.")
    if again := [] if state.attack else [combatant.name for combatant in may_roll_again(state, sheets)]:
        facts.append(f"{join(again)} may spend a mulligan point to roll again, until someone acts.")
    if state.over and state.words:
        facts.append(state.words)
    return tuple(facts)


def _detail(state: State, sheets: Sheets, viewer: Perspective) -> FightView:
    opposed, last = state.settings.opposed, state.last
    if attack := state.attack:
        counts = viewer.may_count(sheets, attack.by, attack.target)
        drawn = _attack(state, attack, odds_so_far(state, attack) if counts else ())
        # What somebody brings of whom one knows the face alone is told by the dice.
        open_ = tuple(weight for weight in attack.weights if attack.thrown or is_known(sheets, weight.by))
        return FightView(opposed, replace(drawn, factors=open_))
    if state.outcome and last:
        return FightView(opposed, replace(_attack(state, last, ()), heading=state.outcome, reading=""))
    if state.aftermath:
        again = tuple(combatant.id for combatant in may_roll_again(state, sheets))
        attack = state.aftermath.attack
        counts = viewer.may_count(sheets, attack.by, attack.target)
        return FightView(opposed, _attack(state, attack, odds_again(state, again) if counts else ()))
    return FightView(opposed)


def _attack(state: State, attack: Attack, forecast: Forecasts) -> AttackView:
    opposed = state.settings.opposed
    by, foe = state.combatant(attack.by).name, state.combatant(attack.target).name
    verdict = "So far" if opposed else "A hit" if attack.success else "A miss"
    verb = "against" if opposed else "attacks" if state.attack else "attacked"
    return AttackView(f"{by} {verb} {foe}", attack.words, attack.drawn if attack.faces else (), attack.weights,
                      f"{verdict}: {attack.reading}" if attack.thrown else "",
                      attack.success or not attack.thrown, forecast)


def odds_so_far(state: State, attack: Attack) -> Forecasts:
    """The odds of the attack under way with all that has fallen."""
    by, harmless = state.combatant(attack.by).name, state.settings.opposed
    match state.phase:
        case Phase.DEFENCE:
            return exchange(f"As it is now: {attack.button}", spread(attack.roll), harmless=harmless)
        case Phase.STRIKE:
            return exchange(f"{by}’s d20 against {attack.d6}", spread(attack.roll, d6=attack.d6), harmless=harmless)
        case Phase.SECOND_THOUGHTS if state.loser:
            return _again(state, attack, state.loser.id)
    return ()


def odds_again(state: State, who: Sequence[str]) -> Forecasts:
    """The odds of rolling each part of the last attack again, for those who may."""
    attack = state.aftermath.attack if state.aftermath else None
    return tuple(way for one in who if attack and rolls_attack_again(state, one)
                 for way in _again(state, attack, one))


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
