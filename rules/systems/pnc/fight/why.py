"""Why an attack came to what it did, while its dice may fall again or its wound may be another (PN-05, PN-09)."""
from __future__ import annotations

from rules.engine import Sheets, Values
from rules.procedure import Offer
from rules.systems.pnc.fight.state import Attack, State
from rules.systems.pnc.origins import as_it_lies
from rules.why import Why


def why_attack(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Of the attack under way, else of the one that was read last."""
    attack = state.attack or (state.aftermath.attack if state.aftermath else None)
    return _of_attack(state, attack) if attack else None


def why_again(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Of what would fall again, the attack or a roll for a place; where the attack can be let stand, that says it."""
    if state.attack:
        return None
    aftermath, who = state.aftermath, state.combatant(offer.by)
    if aftermath and aftermath.may_roll_again and who.id in (aftermath.attack.by, aftermath.attack.target):
        return _of_attack(state, aftermath.attack)
    thrown = who.thrown(open_ended=state.settings.open_ended)
    return as_it_lies(thrown, who.weights, state.names, who.name) if thrown else None


def _of_attack(state: State, attack: Attack) -> Why | None:
    # What a face brought is known by now: the dice told it.
    by, foe = state.names[attack.by], state.names[attack.target]
    return as_it_lies(attack.thrown, attack.weights, state.names, by, foe) if attack.thrown else None
