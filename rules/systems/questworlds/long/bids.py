"""Bids, in their order, and the exchanges that they are rolled in (QW-51, QW-52, QW-53, QW-56)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.engine import after as after_all
from rules.fields import Choice as ChoiceField
from rules.fields import Field, Whole
from rules.moves import Need, Step, take
from rules.procedure import Offer, Options, Perspective
from rules.sheet import Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long.dice import (
    DiceFell,
    abilities,
    both,
    choice_of,
    fall,
    laid,
    last_ability,
    two,
)
from rules.systems.questworlds.long.extended import Advantage, Bidder, BidMade, Deferred, ExtendedState
from rules.systems.questworlds.long.pairs import Paired, gms
from rules.systems.questworlds.long.rounds import AIMS
from rules.systems.questworlds.long.state import Phase, Result
from rules.systems.questworlds.long.values import NO_CHOICE, Choice, Contestant
from rules.values import BadMove, Value
from rules.wording import join

MOST_BID = 200


def _arming(state: ExtendedState, who: str, choice: Choice) -> tuple[Event[Any], ...]:
    """The points that the first ability brings, with all that counts for it (QW-51)."""
    bidder = state.entrant(who)
    if bidder.armed:
        return ()
    target = state.target(who, choice)
    if target <= 0:
        raise BadMove("This would bring no advantage points. Begin with another ability.", "ability")
    return (Advantage(who, target, True),)


def _bid(state: ExtendedState, sheets: Sheets, who: str, values: Values) -> tuple[tuple[Event[Any], ...], Step]:
    """What somebody says before the dice, and that it is not more than they may stake (QW-52)."""
    choice = replace(choice_of(state, sheets, who, values), bid=values["bid"])
    arming = _arming(state, who, choice)
    bidding = after_all(state, arming).entrant(who)
    most = bidding.most_bid if state.keeper(who) else bidding.ap
    if choice.bid > most:
        over = "what you began with" if most == bidding.start and state.keeper(who) else "what is left"
        raise BadMove(f"Bid at most {over}, {most}.", "bid")
    name, whom = bidding.name, state.name_of(values["whom"])
    desperate = ", a desperation stake" if state.keeper(who) and choice.bid > bidding.ap else ""
    used = f" with {choice.name}" if choice.name else ""
    met: tuple[Event[Any], ...] = ()
    if not any({open_bout.ours, open_bout.theirs} == {who, values["whom"]} for open_bout in state.open_bouts):
        pair = state.in_order(who, values["whom"])
        met = (Paired(len(state.bouts), *pair),)
    return (*arming, *met, BidMade(who, values["whom"], choice)), Step(
        "QW-52" if desperate else "QW-51", f"{name} bids {choice.bid} against {whom}{used}{desperate}.")


def bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A bid. One against one it is rolled at once, or answered by another player; in a group all bid first (QW-56)."""
    events, step = _bid(state, sheets, values.get("who", "") or by, values)
    if len(state.fighters) > 2 or state.answered:
        take(faces, 0)
        return Result(events, (step,))
    if (fallen := two(faces)) is None:
        return both(faces)
    after = after_all(state, events)
    ending = fall(after, sheets, _exchange(after, sheets, values.get("who", "") or by, fallen))
    return replace(ending, events=(*events, *ending.events), steps=(*ending.steps[:1], step, *ending.steps[1:]))


def _exchange(
    state: ExtendedState, sheets: Sheets, actor: str, dice: tuple[int, int], answer: Choice | None = None
) -> DiceFell:
    """The dice of an exchange, from the side of whom somebody plays."""
    bid = state.bid_of(actor) or BidMade(actor, next(state.foes(actor)).id, NO_CHOICE)
    first, second = (actor, bid.whom) if state.keeper(actor) or not state.keeper(bid.whom) else (bid.whom, actor)
    choices = {actor: bid.choice, bid.whom: answer or state.entrant(bid.whom).using or NO_CHOICE}
    mine, theirs = (_with_score(state, who, choices[who]) for who in (first, second))
    return laid(
        state, "exchange", first, mine, dice, second=second, other=theirs, bout=_bout(state, first, second),
        deciders=(state.keeper(first), state.keeper(second)), whom=actor, step=bid.choice.bid)


def _with_score(state: ExtendedState, who: str, choice: Choice) -> Choice:
    part = state.entrant(who).part
    return choice if part.resistance is None else replace(choice, name=part.ability, score=part.resistance)


def _bout(state: ExtendedState, first: str, second: str) -> int:
    return next((bout.number for bout in state.open_bouts if {bout.ours, bout.theirs} == {first, second}), -1)


def exchange(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """One's own exchange, when its turn has come (QW-56)."""
    if (fallen := two(faces)) is None:
        return both(faces)
    return fall(state, sheets, _exchange(state, sheets, values.get("who", "") or by, fallen))


def answer_bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The answer to a bid of the GM's side, or of another player, with an ability of one's own (QW-51)."""
    if (fallen := two(faces)) is None:
        return both(faces)
    actor = state.turn
    against = state.bid_of(actor)
    who = against.whom if against else by
    choice = choice_of(state, sheets, who, values)
    arming = _arming(state, who, choice)
    after = after_all(state, arming)
    ending = fall(after, sheets, _exchange(after, sheets, actor, fallen, choice))
    return replace(ending, events=(*arming, *ending.events))


def gm_bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM bids for one whom nobody plays: never more than is left (QW-52)."""
    who, whom = values["who"], state.entrant(values["whom"])
    if whom.part.side == state.entrant(who).part.side:
        raise BadMove("They are on the same side. Choose someone else.", "whom")
    events, step = _bid(state, sheets, who, values)
    return Result(events, (step,))


def gm_exchange(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """An exchange between two whom nobody plays."""
    if (fallen := two(faces)) is None:
        return both(faces)
    return fall(state, sheets, _exchange(state, sheets, state.turn, fallen))


def defer(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody lets others act first; they may come in at any point (QW-56)."""
    who = values.get("who", "") or by
    return Result((Deferred(who),), (Step("QW-56", f"{state.name_of(who)} waits, to act later in this round."),))


def bidding_waits(state: ExtendedState, viewer: Perspective) -> str:
    """Whose bid or exchange is waited for, in an extended contest."""
    def mine(who: str) -> bool:
        keeper = state.keeper(who)
        return keeper in viewer.plays if keeper else viewer.runs

    turn, number = state.turn, state.round
    bid = state.bid_of(turn) if turn else None
    if turn and bid:
        acts = bool(state.keeper(turn)) and not state.answered
        rolls = turn if acts or not state.keeper(bid.whom) else bid.whom
        if mine(rolls):
            what = f"answer {state.name_of(turn)}" if rolls != turn else f"roll against {state.name_of(bid.whom)}"
            return f"Your turn: {what}, round {number}."
        return f"Waiting for {state.name_of(rolls)}: round {number}."
    silent = [turn] if turn else [fighter.id for fighter in state.fighters
                                  if fighter.id not in state.done and not state.bid_of(fighter.id)]
    if any(mine(entrant) for entrant in silent):
        return f"Your turn: bid for round {number}."
    names = [state.name_of(entrant) if state.keeper(entrant) else "the GM" for entrant in silent]
    return f"Waiting for {join(sorted(set(names)))}: a bid for round {number}."


def by_bidder(state: ExtendedState, sheets: Sheets) -> Iterator[tuple[Sheet, list[Bidder]]]:
    """Each player's sheet, with those of theirs who stand and whose dice do not wait."""
    if state.phase is Phase.ROUNDS:
        for by in state.settings.players:
            if by in sheets and not state.busy(by):
                yield sheets[by], [state.entrant(one.id) for one in state.own(by)
                                   if one.fights and not state.busy(one.id)]


def can_bid(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """A bid; one against one when its turn has come."""
    duel, turn = len(state.fighters) == 2, state.turn
    for sheet, mine in by_bidder(state, sheets):
        silent = [bidder for bidder in mine if bidder.id not in state.done and not state.bid_of(bidder.id)
                  and (not duel or turn == bidder.id)]
        if duel:
            silent = [bidder for bidder in silent if not any(state.busy(foe.id) for foe in state.foes(bidder.id))]
        if silent:
            yield _asks_a_bid(state, sheet, silent[0], duel=duel)


def _ready(state: ExtendedState, mine: list[Bidder]) -> list[Bidder]:
    """Who may act now; who has deferred may come in whenever nobody's dice are on the table (QW-56)."""
    return [bidder for bidder in mine if bidder.id not in state.done and state.bid_of(bidder.id) and state.turn
            and (state.turn == bidder.id or bidder.id in state.deferred) and not state.throws and not state.answered]


def can_exchange(state: ExtendedState, sheets: Sheets) -> Iterator[Offer]:
    """One's own exchange."""
    for sheet, mine in by_bidder(state, sheets):
        if ready := _ready(state, mine):
            yield _plain(state, sheet, ready, "exchange", "Roll the exchange", rolls=True)


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


def _asks_a_bid(state: ExtendedState, sheet: Sheet, who: Bidder, *, duel: bool) -> Offer:
    """Whom against, with what, for how many points; the first ability says with how many one begins (QW-51)."""
    foes = tuple((foe.id, foe.name) for foe in state.foes(who.id))
    has = f"You have {who.ap} of {who.start}: more than you have is desperate." if who.armed else (
        "Your points begin with the target number of this ability.")
    fields: list[Field] = [
        text("whom", "Opponent", needed=True), text("ability", "Ability"),
        Whole(name="bid", label="Your bid", default=state.edition.bids.bid, least=1, most=MOST_BID, help=has),
        ChoiceField(name="aim", label="Goal", options=AIMS, default=""),
        text("words", "In your words", most=200),
        text("plan", "Bids after this one", "For the chances alone: 5, 8. The last one stays.", most=40),
    ]
    options: dict[str, Options] = {"whom": foes, "ability": abilities(state, sheet)}
    now: dict[str, Value] = {"whom": _last_target(state, who, foes), "ability": last_ability(state, sheet)}
    if who.id != sheet.id:
        fields.append(text("who", "Character", needed=True))
        options["who"] = ((who.id, who.name),)
        now["who"] = who.id
    rolls = duel and not state.answered
    return Offer("bid", sheet.id, "Bid and roll" if rolls else "Bid", "", tuple(fields), options, rolls=rolls,
                 now=now, previews=not rolls)


def _last_target(state: ExtendedState, who: Contestant, foes: Options) -> str:
    faced = [bout.other(who.id) for bout in state.bouts if who.id in (bout.ours, bout.theirs)]
    last = [met.second if met.first == who.id else met.first for _, met in state.record
            if who.id in (met.first, met.second)]
    return next((foe for foe in (*reversed(last), *faced) if foe in dict(foes)), foes[0][0])


def _plain(
    state: ExtendedState, sheet: Sheet, who: Sequence[Contestant], action: str, title: str, *, rolls: bool = False
) -> Offer:
    """An act without questions, but for who acts where it is a follower."""
    if len(who) == 1 and who[0].id == sheet.id:
        return Offer(action, sheet.id, title, rolls=rolls)
    options = tuple((contestant.id, contestant.name) for contestant in who)
    return Offer(action, sheet.id, title, "", (text("who", "Character", needed=True),), {"who": options}, rolls=rolls,
                 now={"who": options[0][0]})


def can_bid_as_gm(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """A bid for one whom nobody plays."""
    duel, turn = len(state.fighters) == 2, state.turn
    silent = tuple((bidder.id, bidder.name) for bidder in state.fighters
                   if not state.keeper(bidder.id) and bidder.id not in state.done and not state.bid_of(bidder.id)
                   and (not duel or turn == bidder.id) and not state.throws)
    if not silent:
        return None
    foes = tuple((one.id, one.name) for one in state.fighters
                 if any(state.entrant(who).part.side != one.part.side for who, _ in silent))
    fields = (text("who", "Character", needed=True), text("whom", "Opponent", needed=True),
              Whole(name="bid", label="Bid", default=state.edition.bids.bid, least=1, most=MOST_BID,
                    help="Never more than is left."))
    first = state.entrant(silent[0][0])
    against = next((bout.other(first.id) for bout in state.bouts_of(first.id)), "")
    facing = against if against in dict(foes) else next(foe.id for foe in state.foes(first.id))
    return Offer("gm_bid", "", "Bid for one of yours", "", fields, {"who": silent, "whom": foes},
                 now={"who": first.id, "whom": facing, "bid": min(state.edition.bids.bid, max(1, first.ap))})


def can_exchange_as_gm(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """An exchange between two whom nobody plays."""
    turn = state.turn
    bid = state.bid_of(turn) if turn else None
    if not bid or state.keeper(turn) or state.keeper(bid.whom) or state.throws:
        return None
    return Offer("gm_exchange", "", f"Roll: {state.name_of(turn)} against {state.name_of(bid.whom)}", rolls=True)


EXCHANGE: Act[Any] = Act("exchange", can_exchange, exchange)


DEFER: Act[Any] = Act("defer", can_defer, defer)


GM_BID: Act[Any] = Act("gm_bid", gms(can_bid_as_gm), gm_bid)


GM_EXCHANGE: Act[Any] = Act("gm_exchange", gms(can_exchange_as_gm), gm_exchange)
