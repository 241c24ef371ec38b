"""Exchanges: a bid is rolled or answered in its turn, or others go first; who got away comes back (QW-51 to QW-56)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.engine import after as after_all
from rules.fields import text
from rules.moves import Need, Step
from rules.procedure import Ask, Offer
from rules.sheet import Sheet
from rules.systems.questworlds.extended import moved, staked
from rules.systems.questworlds.long.bids import of_answer, why_answer
from rules.systems.questworlds.long.dice import (
    Settled,
    abilities,
    both,
    choice_of,
    comes_of,
    fall,
    last_ability,
    two,
)
from rules.systems.questworlds.long.extended import (
    UNEQUAL,
    Bidder,
    ExtendedState,
    arming,
    by_bidder,
    dice_of,
    points_move,
    transferable,
)
from rules.systems.questworlds.long.pairs import Returned, awaited, gms, own
from rules.systems.questworlds.long.rounds import aimed
from rules.systems.questworlds.long.state import Result
from rules.systems.questworlds.long.values import Contestant, Throw
from rules.systems.questworlds.long.why import of_chosen
from rules.systems.questworlds.roll import Clash
from rules.why import Why


@dataclass(frozen=True)
class Acted(Event[ExtendedState]):
    """Somebody has had their action in this round."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return replace(state, done=(*state.done, self.who))


@dataclass(frozen=True)
class Deferred(Event[ExtendedState]):
    """Somebody waits, to act later in the round (QW-56)."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return replace(state, deferred=(*state.deferred, self.who))


@comes_of("exchange", ExtendedState, victory="wins", defeat="loses", tie="ties")
def exchanged(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """The loser loses by the bid of whoever acts; a critical takes it over; at 0 or fewer one is out (QW-51)."""
    lies = throw.thrown
    actor = lies.whom
    bid = staked(lies.step, None if state.keeper(actor) else state.entrant(actor).ap)
    aim = lies.choice if actor == lies.first else lies.other
    aims = bool(aim.aim) and actor == lies.first, bool(aim.aim) and actor == lies.second
    events: list[Event[Any]] = [Acted(actor)]
    if not clash.lead:
        moves = zip((lies.first, lies.second), moved(0, 0, False, bid, aims), strict=True)
        return points_move(state, events, [*moves], "Half of the bid, rounded up.")
    winner, loser = (lies.first, lies.second) if clash.lead > 0 else (lies.second, lies.first)
    if aim.aim and winner == actor:
        won, because, words = aimed(state, lies.bout, winner, aim)
        return (*events, *won), because, words, ()
    # An edge or a handicap counts for whoever attacks, where it is the other one who loses (QW-55).
    edge = state.entrant(actor).edge if winner == actor else 0
    takes = clash.transfers and transferable(state.edition, lies.choice.score, lies.resistance)
    by = dict(zip((lies.first, lies.second), moved(clash.lead, clash.levels, takes, max(0, bid + edge), aims),
                  strict=True))
    # The contract tells totals with it (`extended.py`), which are nobody's to read here (QW-52): other sentences.
    stake = f"{clash.levels} times the bid of {bid}" if clash.levels else f"half of the bid of {bid}, rounded up"
    if edge:
        stake += f", with {'an edge' if edge > 0 else 'a handicap'} of {abs(edge)}"
    taken = ", which the winner gains by a critical" if takes else ""
    if clash.transfers and not takes:
        taken = f"; the winner gains nothing by the critical, as the abilities are {UNEQUAL} or more apart"
    return points_move(state, events, [(who, by[who]) for who in (loser, winner)],
                       f"{stake[0].upper()}{stake[1:]}{taken}.")


def exchange(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """One's own exchange, when its turn has come (QW-56)."""
    if (fallen := two(faces)) is None:
        return both(faces)
    return fall(state, sheets, dice_of(state, sheets, values.get("who", "") or by, fallen))


def answer_bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The answer to a bid of the GM's side, or of another player, with an ability of one's own (QW-51)."""
    if (fallen := two(faces)) is None:
        return both(faces)
    actor = state.turn
    against = state.bid_of(actor)
    who = against.whom if against else by
    choice = choice_of(state, sheets, who, values)
    armed = arming(state, who, choice)
    after = after_all(state, armed)
    ending = fall(after, sheets, dice_of(after, sheets, actor, fallen, choice))
    return replace(ending, events=(*armed, *ending.events))


def gm_exchange(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """An exchange between two NPCs."""
    if (fallen := two(faces)) is None:
        return both(faces)
    return fall(state, sheets, dice_of(state, sheets, state.turn, fallen))


def defer(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody lets others act first; they may come in at any point (QW-56)."""
    who = values.get("who", "") or by
    return Result((Deferred(who),), (Step("QW-56", f"{state.name_of(who)} waits, to act later in this round."),))


def rejoin(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Who got away comes back, with the points that they left with (QW-53)."""
    bidder = state.entrant(by)
    step = Step("QW-53", f"{bidder.name} is back in it, with the points that they left with.")
    return Result((Returned(by, "rejoined"), Acted(by)), (step,))


def _ready(state: ExtendedState, mine: list[Bidder]) -> list[Bidder]:
    """Who may act now; who has deferred may come in whenever nobody's dice are on the table (QW-56)."""
    return [bidder for bidder in mine if bidder.id not in state.done and state.bid_of(bidder.id) and state.turn
            and (state.turn == bidder.id or bidder.id in state.deferred) and not state.throws and not state.answered]


def can_exchange(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """One's own exchange."""
    for sheet, mine in by_bidder(state, sheets):
        if acting := _ready(state, mine):
            yield _plain(state, sheet, acting, "exchange", "Roll the exchange", rolls=True)


def can_defer(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """Waiting, in a group."""
    if len(state.fighters) == 2:
        return
    for sheet, mine in by_bidder(state, sheets):
        if waiting := [bidder for bidder in _ready(state, mine) if bidder.id not in state.deferred]:
            yield _plain(state, sheet, waiting, "defer", "Wait, and act later in the round")


def can_answer_bid(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """The answer to the bid of the GM's side, or of another player."""
    turn = state.turn
    bid = state.bid_of(turn) if turn else None
    if not bid or not (state.answered or not state.keeper(turn)) or state.throws:
        return
    for sheet, _ in by_bidder(state, sheets):
        if state.keeper(bid.whom) == sheet.id:
            yield Offer("answer_bid", sheet.id, f"Answer {state.name_of(turn)}: a bid of {bid.choice.bid}", "",
                        (text("ability", "Ability"),), {"ability": abilities(state, sheet)}, rolls=True,
                        now={"ability": last_ability(state, sheet)})


def ask_to_answer(state: ExtendedState, sheets: Sheets) -> Iterator[Ask]:
    """Of the same."""
    for offer in can_answer_bid(state, sheets):
        yield Ask(offer.by, offer.action, f"answer {state.name_of(state.turn)}", "Answer")


def _plain(
    state: ExtendedState, sheet: Sheet, who: Sequence[Contestant], action: str, title: str, *, rolls: bool = False
) -> Offer:
    """An act without questions, but for who acts where it is a follower."""
    if len(who) == 1 and who[0].id == sheet.id:
        return Offer(action, sheet.id, title, rolls=rolls)
    options = tuple((contestant.id, contestant.name) for contestant in who)
    return Offer(action, sheet.id, title, "", (text("who", "Character", needed=True),), {"who": options}, rolls=rolls,
                 now={"who": options[0][0]})


def can_exchange_as_gm(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """An exchange between two NPCs."""
    turn = state.turn
    bid = state.bid_of(turn) if turn else None
    if not bid or state.keeper(turn) or state.keeper(bid.whom) or state.throws:
        return None
    return Offer("gm_exchange", "", f"Roll: {state.name_of(turn)} against {state.name_of(bid.whom)}", rolls=True)


def can_rejoin(state: ExtendedState, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or not me.away:
        return None
    return Offer("rejoin", sheet.id, "Come back", "With the points that you left with.")


def why(state: ExtendedState, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Why an exchange is rolled against what it is, with the ability that was bid with."""
    who = values.get("who", "") or offer.by or state.turn
    bid = state.bid_of(who)
    return of_chosen(state, sheets, who, bid.whom, bid.choice) if bid else None


EVENTS = (Acted, Deferred)
EXCHANGE = awaited(Act("exchange", can_exchange, exchange, why=why), "roll round {round}", "Roll")
DEFER: Act[Any] = Act("defer", can_defer, defer)
ANSWER_BID: Act[Any] = Act("answer_bid", can_answer_bid, answer_bid, ask_to_answer, of_answer, why_answer)
GM_EXCHANGE = awaited(
    Act("gm_exchange", gms(can_exchange_as_gm), gm_exchange, why=why), "roll round {round}", "Roll")
REJOIN: Act[Any] = Act("rejoin", own(can_rejoin), rejoin)
