"""What each event makes of the style dice of a session."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.pdq_sharp.style_dice.events import (
    Answered,
    Awarded,
    Created,
    Ended,
    Event,
    FactBegun,
    FactPaid,
    FoibleClaimed,
    FoibleOffered,
    FoibleRaised,
    FoibleSettled,
    Gifted,
    Given,
    LastCall,
    Opened,
    Spent,
    Suffered,
)
from rules.systems.pdq_sharp.style_dice.state import Foible, State, WorldFact


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    return _after(replace(state, moved=True), event)


def _after(state: State, event: Event) -> State:
    match event:
        case Opened(phrase, misfortunes):
            return State(phrase, misfortunes)
        case Awarded():
            return replace(state, awarded=True)
        case FoibleOffered() | FoibleRaised() | FoibleClaimed() | FoibleSettled():
            return _foible(state, event)
        case Gifted(_, taker, _):
            return replace(state, gifts=state.gifts + 1, last=taker)
        case Answered():
            return replace(state, gifts=max(0, state.gifts - 1))
        case Suffered(who):
            return replace(state, woes=(*state.woes, who))
        case FactBegun() | FactPaid() | Created():
            return _fact(state, event)
        case Spent() | Given():
            return state
        case LastCall():
            return replace(state, last_call=True)
        case Ended():
            return replace(state, over=True, foibles=())
        case _:
            assert_never(event)


def _foible(state: State, event: FoibleOffered | FoibleRaised | FoibleClaimed | FoibleSettled) -> State:
    match event:
        case FoibleOffered(number, who, foible, dice, means):
            offer = Foible(number, who, foible, dice, means)
            return replace(state, foibles=(*state.foibles, offer), number=number)
        case FoibleClaimed(number, who, foible, means):
            claim = Foible(number, who, foible, 0, means, claimed=True)
            return replace(state, foibles=(*state.foibles, claim), number=number)
        case FoibleRaised(number, dice):
            return replace(state, foibles=tuple(
                replace(each, dice=dice) if each.number == number else each for each in state.foibles))
        case FoibleSettled(number, _):
            return replace(state, foibles=tuple(each for each in state.foibles if each.number != number))
        case _:
            assert_never(event)


def _fact(state: State, event: FactBegun | FactPaid | Created) -> State:
    match event:
        case FactBegun(number, who, weight, words, cost, paid):
            fact = WorldFact(number, who, weight, words, cost, ((who, paid),) if paid else ())
            return replace(state, facts=(*state.facts, fact), number=number)
        case FactPaid(number, who, dice):
            return replace(state, facts=tuple(
                replace(each, pledges=(*each.pledges, (who, dice))) if each.number == number else each
                for each in state.facts))
        case Created(number, who, weight, words, cost):
            fact = WorldFact(number, who, weight, words, cost, ((who, cost),))
            return replace(state, facts=(*state.facts, fact), number=number)
        case _:
            assert_never(event)
