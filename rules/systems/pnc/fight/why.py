"""Why an attack came to what it did, while its dice may fall again or its wound may be another (PN-05, PN-09)."""
from __future__ import annotations

from rules.engine import Sheets, Values
from rules.procedure import Offer, is_known
from rules.sheet import Trait
from rules.systems.pnc.fight.state import Attack, State, written
from rules.systems.pnc.origins import as_it_lies
from rules.systems.pnc.reckoning import left_out
from rules.why import Why


def why_attack(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Of the attack under way, else of the one that was read last."""
    attack = state.attack or (state.aftermath.attack if state.aftermath else None)
    return _of_attack(state, sheets, attack) if attack else None


def why_again(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Of what would fall again, the attack or a roll for a place; where the attack can be let stand, that says it."""
    if state.attack:
        return None
    aftermath, who = state.aftermath, state.combatant(offer.by)
    if aftermath and aftermath.may_roll_again and who.id in (aftermath.attack.by, aftermath.attack.target):
        return _of_attack(state, sheets, aftermath.attack)
    thrown = who.thrown(open_ended=state.settings.open_ended)
    omitted = [("", wound) for wound in left_out(sheets[who.id], who.weights)]
    return as_it_lies(thrown, who.weights, state.names, who.name, left_out=omitted) if thrown else None


def omitted_in(state: State, sheets: Sheets, attack: Attack) -> tuple[tuple[str, Trait], ...]:
    """The wounds of both sides that could have counted in an attack, each with whose it is; none before its dice lie
    there (PN-10). What came of it could not, and of whom one knows the face alone nothing is known."""
    if attack.thrown is None:
        return ()
    sides = [side for side in (attack.by, attack.target) if side in sheets and is_known(sheets, side)]
    came = written(state, sheets) if attack.target in sides else None
    return tuple((sheets[side].name, wound) for side in sides
                 for wound in left_out(sheets[side], attack.weights)
                 if wound != came and (side, wound.name, wound.value) not in state.turned)


def _of_attack(state: State, sheets: Sheets, attack: Attack) -> Why | None:
    # What a face brought is known by now: the dice told it.
    by, foe = state.names[attack.by], state.names[attack.target]
    return as_it_lies(attack.thrown, attack.weights, state.names, by, foe,
                      left_out=omitted_in(state, sheets, attack)) if attack.thrown else None
