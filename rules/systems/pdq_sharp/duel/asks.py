"""Whom a duel waits for, and for what."""
from __future__ import annotations

from collections.abc import Iterator

from rules.procedure import Ask
from rules.systems.pdq_sharp.duel import ellipsis, engaging, lull, withstand
from rules.systems.pdq_sharp.duel.state import Phase, State
from rules.systems.pdq_sharp.duel.touch import taken
from rules.systems.pdq_sharp.harm import ranks


def asks(state: State) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do; NPCs together, where one act serves them all."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.TERMS:
            return tuple(_terms(state))
        case Phase.COUP:
            name = state.fencer(state.coup[1]).name
            return (Ask(state.coup[0], "spare", f"say again whether {name} dies", "Decide", decision=True),)
        case Phase.LULL:
            return (Ask(lull.decider(state), "impasse_stand", "let the impasse stand or add to it", "Decide",
                        decision=True, stands=True, hurts=len(lull.behind(state)) == 1),)
        case Phase.POISON:
            return (*(_against_poison(state, each) for each in state.stung), *_wounds(state))
        case Phase.ELLIPSIS | Phase.DAMAGE:
            return (*_answers(state), *_wounds(state))
        case Phase.AFTERMATH:
            return tuple(_mercy(state))
        case Phase.ENGAGE:
            return (_engage(state),)
        case Phase.STANCE:
            return tuple(_stances(state))


def _terms(state: State) -> Iterator[Ask]:
    who = state.fencer(state.terms[0])
    foes = [state.fencer(each) for each in state.foes_of(who.id)]
    for each in foes or [each for each in state.standing if each.side != who.side]:
        yield Ask(each.id, "accept", f"accept or refuse the surrender of {who.name}", "Decide", decision=True)


def _against_poison(state: State, who: str) -> Ask:
    if not state.resisting_of(who):
        return Ask(who, "withstand", "withstand the poison", "Roll")
    return Ask(who, "poison_stand", "let the roll against the poison stand or add to it", "Decide", decision=True,
               stands=True, hurts=not withstand.withstands(state, who))


def _answers(state: State) -> Iterator[Ask]:
    for who in ellipsis.deciders(state):
        gives, hurts = taken(state, who)
        if not state.fencer(who).player:
            continue
        yield Ask(who, "stand", f"let it stand ({gives} given, {hurts} taken) or add to it", "Decide", decision=True,
                  stands=True, hurts=gives + hurts > 0)
    if npcs := ellipsis.npcs(state):
        yield Ask("", "stand_npcs", f"let it stand for {state.names(npcs)}, or add to it", "Decide",
                  decision=True, stands=True, hurts=any(sum(taken(state, each)) for each in npcs))


def _wounds(state: State) -> Iterator[Ask]:
    hurt = [state.fencer(each) for each in dict.fromkeys(wound.who for wound in state.wounds)]
    for who in hurt:
        wound = state.wound_of(who.id)
        if who.player and wound:
            yield Ask(who.id, "place", f"place {ranks(wound.amount, wound.kind)}", "Place")
    npcs = [each.id for each in hurt if not each.player]
    if npcs:
        yield Ask("", "place_npcs", f"place the damage of {state.names(npcs)}", "Place")


def _mercy(state: State) -> Iterator[Ask]:
    for each in state.standing:
        if any(other.helpless and other.side != each.side for other in state.fencers):
            yield Ask(each.id, "end_here", "end it here, or give a coup de grace", "Decide", decision=True)


def _engage(state: State) -> Ask:
    who = state.undecided[0]
    if not who.player:
        return Ask("", "engage_npcs", "find foes for the NPCs", "Engage")
    if engaging.possible(state, who):
        return Ask(who.id, "engage", "engage a foe, or stay out of it", "Engage", decision=True)
    return Ask(who.id, "hold_back", "back a friend, or stay out of it", "Choose", decision=True)


def _stances(state: State) -> Iterator[Ask]:
    npcs = [each.id for each in state.unchosen if not each.player]
    if npcs:
        yield Ask("", "stances", f"divide the dice of {state.names(npcs)} in secret", "Divide")
    elif not state.unchosen:
        yield Ask("", "throw", "throw the dice", "Throw")
    for each in state.unchosen:
        if each.player:
            yield Ask(each.id, "stance", "divide your three dice in secret", "Divide")
