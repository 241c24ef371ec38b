"""Whom a long contest waits for, and for what, in a sentence for each reader."""
from __future__ import annotations

from rules.procedure import Ask, Offer, Perspective
from rules.systems.questworlds.long.bids import bidding_waits
from rules.systems.questworlds.long.extended import ExtendedState
from rules.systems.questworlds.long.parting import unanswered
from rules.systems.questworlds.long.rounds import each_chooses, mover, open_now
from rules.systems.questworlds.long.state import Phase, State
from rules.systems.questworlds.long.values import Bout
from rules.wording import join

SPECTATOR = Perspective()
ENDS = {"done": "The contest is done.", "called off": "The contest was called off."}


def heading(state: State) -> str:
    """Where it is, in a word or two."""
    return {Phase.BLANK: "", Phase.ROUNDS: f"Round {state.round}", Phase.RESTS: "Paused", Phase.AFTER: "Aftermath",
            Phase.OVER: "Done"}[state.phase]


def waits_for(state: State, viewer: Perspective = SPECTATOR) -> str:
    """What it waits for, in a sentence for this viewer."""
    match state.phase:
        case Phase.BLANK:
            return ""
        case Phase.OVER:
            return ENDS.get(state.ended, "The contest is done.")
        case Phase.RESTS:
            return "Your turn: resume it when you are ready." if viewer.runs else (
                "Paused. The GM will resume it.")
        case Phase.AFTER if not state.throws:
            finish = "Your turn: add what lasts, and finish." if viewer.runs else "Waiting for the GM to finish."
            return _of_a_shot(state, viewer) or finish
        case Phase.ROUNDS | Phase.AFTER:
            return _in_rounds(state, viewer)


def _in_rounds(state: State, viewer: Perspective) -> str:
    for throw in state.throws:
        asked = [who for place, who in enumerate(throw.thrown.deciders) if state.may_spend(throw, place)]
        if viewer.plays & {*asked}:
            return "Your turn: spend a story point, or let it stand."
    if text := _of_a_shot(state, viewer):
        return text
    if any(not proposal.verdict for proposal in state.proposals) and viewer.runs:
        return "Your turn: answer the augment."
    if isinstance(state, ExtendedState) and not state.throws:
        return bidding_waits(state, viewer)
    bouts = tuple(open_now(state))
    for bout in bouts:
        if text := _your_turn(state, bout, viewer):
            return text
    if state.throws:
        names = [state.name_of(who) or "somebody" for throw in state.throws for who in throw.thrown.deciders if who]
        return f"Waiting for {join(sorted(set(names)))}: a story point?"
    waiting = sorted({_asked(state, bout) for bout in bouts} - {""})
    if waiting:
        unpressed = any(state.may_take_on(one.id) for by in viewer.plays for one in state.own(by))
        meanwhile = " Nobody opposes you: help someone, act apart, or take on an opponent." if unpressed else ""
        return f"Waiting for {join(waiting)}: round {state.round}.{meanwhile}"
    return "Your turn: set the pairs." if viewer.runs else "Nobody is paired. Take on an opponent, or wait."


def _of_a_shot(state: State, viewer: Perspective) -> str:
    """That a parting shot waits for this viewer; "" where none does."""
    if unanswered(state) and viewer.runs:
        return "Your turn: agree to the further prize, or not."
    mine = [shot for by in sorted(viewer.plays) if (shot := state.shot_of(by)) and shot.agreed]
    return f"Your turn: roll the parting shot at {state.name_of(mine[0].whom)}." if mine else ""


def _your_turn(state: State, bout: Bout, viewer: Perspective) -> str:
    """That it is this viewer's turn in a pair; "" where it is not."""
    for who in (bout.ours, bout.theirs):
        keeper = state.keeper(who)
        foe = state.name_of(bout.other(who))
        mine = keeper in viewer.plays if keeper else viewer.runs
        if not mine:
            continue
        if not keeper:
            if not state.keeper(bout.other(who)):
                return f"Your turn: roll round {state.round}, {state.name_of(who)} against {foe}."
            if each_chooses(state, bout) and not bout.choice(who):
                return f"Your turn: choose for {state.name_of(who)}."
            continue
        score = _score(bout, who)
        if not each_chooses(state, bout):
            return f"Your turn: round {state.round} against {foe}{score}"
        if not bout.choice(who):
            return f"Your turn: choose for round {state.round} against {foe}{score}"
        if bout.choice(bout.other(who)) and who not in dict(bout.faces):
            return f"Your turn: roll against {foe}."
    return ""


def _score(bout: Bout, who: str) -> str:
    mine, theirs = bout.points[bout.place(who)], bout.points[1 - bout.place(who)]
    if not mine and not theirs:
        return "."
    word = "ahead" if mine > theirs else "behind" if mine < theirs else "even"
    return f". You are {word}, {mine} : {theirs}."


def _asked(state: State, bout: Bout) -> str:
    """Whom a pair waits for, by name."""
    if not each_chooses(state, bout):
        first = mover(state, bout)
        return state.name_of(first) if state.keeper(first) else "the GM"
    silent = [who for who in (bout.ours, bout.theirs) if not bout.choice(who)]
    silent = silent or [who for who in (bout.ours, bout.theirs)
                        if state.keeper(who) and who not in dict(bout.faces)]
    return join([state.name_of(who) if state.keeper(who) else "the GM" for who in silent], "")


def asks(state: State, offered: tuple[Offer, ...]) -> tuple[Ask, ...]:
    """What each of those who are waited for is asked to do; what is merely possible is not asked for."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.RESTS:
            return (Ask("", "resume", "resume it when you are ready", "Go on", idle=True),)
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
