"""Whom a long contest waits for, and for what, in a sentence for each reader."""
from __future__ import annotations

from collections.abc import Iterator

from rules.procedure import Ask, Offer, Perspective
from rules.systems.questworlds.long.extended import ExtendedState
from rules.systems.questworlds.long.parting import unanswered
from rules.systems.questworlds.long.rounds import open_now
from rules.systems.questworlds.long.state import Phase, State

SPECTATOR = Perspective()
ENDS = {"done": "The contest is done.", "called off": "The contest was called off."}


def heading(state: State) -> str:
    """Where it is, in a word or two."""
    return {Phase.BLANK: "", Phase.ROUNDS: f"Round {state.round}", Phase.RESTS: "Paused", Phase.AFTER: "Aftermath",
            Phase.OVER: "Done"}[state.phase]


def besides(state: State, viewer: Perspective) -> str:
    """What there is to say beside whom it waits for."""
    match state.phase:
        case Phase.BLANK:
            return ""
        case Phase.OVER:
            return ENDS.get(state.ended, "The contest is done.")
        case Phase.RESTS:
            return "" if viewer.runs else "Paused. The GM will resume it."
        case Phase.ROUNDS | Phase.AFTER:
            return " ".join(filter(None, (*_points(state, viewer), _meanwhile(state, viewer))))


def _points(state: State, viewer: Perspective) -> Iterator[str]:
    """How far ahead the viewer's own are who have yet to act."""
    for bout in () if state.throws else open_now(state):
        for who in (bout.ours, bout.theirs):
            mine, theirs = bout.points[bout.place(who)], bout.points[1 - bout.place(who)]
            if state.keeper(who) in viewer.plays and not bout.choice(who) and (mine or theirs):
                word = "ahead" if mine > theirs else "behind" if mine < theirs else "even"
                yield f"{state.name_of(who)} is {word} of {state.name_of(bout.other(who))}, {mine} : {theirs}."


def _meanwhile(state: State, viewer: Perspective) -> str:
    free = not state.throws and any(state.may_take_on(one.id) for by in viewer.plays for one in state.own(by))
    return "Nobody opposes you: help someone, act apart, or take on an opponent." if free else ""


def asks(state: State, offered: tuple[Offer, ...]) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do; what is merely possible is not asked for."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.RESTS:
            return (Ask("", "resume", "resume it when you are ready", "Resume", idle=True),)
        case Phase.AFTER if not state.throws:
            close = Ask("", "close", "add what lasts, and finish", "Finish")
            return (*_asks_of_shots(offered), *(() if unanswered(state) else (close,)))
        case Phase.ROUNDS | Phase.AFTER:
            return asks_in_rounds(state, offered)


def _asks_of_shots(offered: tuple[Offer, ...]) -> tuple[Ask, ...]:
    """What parting shots wait for: the GM's word, then the dice."""
    words = {"answer_shot": ("agree to the further prize, or not", "Answer"),
             "shoot": ("roll the parting shot", "Roll")}
    return tuple(Ask(offer.by, offer.action, *words[offer.action], routine=offer.action == "shoot")
                 for offer in offered if offer.action in words)


def asks_in_rounds(state: State, offered: tuple[Offer, ...]) -> tuple[Ask, ...]:
    number = f"round {state.round}"
    words = {
        "stand": ("let it stand, or spend a story point", "Decide"), "answer": ("answer the augment", "Answer"),
        "round": (f"roll {number}", "Choose and roll"), "choose": (f"choose for {number}", "Choose"),
        "roll": (f"roll {number}", "Roll"), "gm_round": (f"roll {number}", "Roll"),
    }
    if isinstance(state, ExtendedState):
        words |= {
            "bid": (f"bid for {number}", "Bid"), "exchange": (f"roll {number}", "Roll"),
            "answer_bid": (f"answer {state.name_of(state.turn)}", "Answer"), "gm_bid": (f"bid for {number}", "Bid"),
            "gm_exchange": (f"roll {number}", "Roll"),
        }
    if state.settings.secret:
        words["stance"] = (f"choose for {number}", "Choose")
    asks = [Ask(offer.by, offer.action, *words[offer.action], decision=offer.action == "stand",
                 stands=offer.action == "stand", hurts=offer.action == "stand" and state.hurts_at_once)
             for offer in offered if offer.action in words]
    if not asks:
        asks = [Ask(offer.by, offer.action, "set the pairs", "Choose")
                 for offer in offered if offer.action in ("engage", "pair")]
    asks += _asks_of_shots(offered)
    return tuple(asks) or (Ask("", "call_off", "add a contestant, or call it off", "Choose"),)
