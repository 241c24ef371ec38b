"""Advantage points from elsewhere: followers, loans, gifts, a second chance, parting shots (QW-51, QW-53 to QW-56)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Whole, text
from rules.moves import Need, Step
from rules.procedure import Offer, Options
from rules.sheet import Sheet, SpendShared
from rules.systems.questworlds.extended import lost
from rules.systems.questworlds.long.bids import MOST_BID
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.counting import Added
from rules.systems.questworlds.long.dice import (
    Settled,
    abilities,
    both,
    choice_of,
    comes_of,
    fall,
    laid,
    last_ability,
    two,
)
from rules.systems.questworlds.long.exchanges import REJOIN, Acted
from rules.systems.questworlds.long.extended import Advantage, ExtendedState, Moved, points_move
from rules.systems.questworlds.long.pairs import Returned, gms, own
from rules.systems.questworlds.long.parting import SHOOT, PartingMade, a_shot, asked, odds_of_asked, why_of_asked
from rules.systems.questworlds.long.state import POOL, Result
from rules.systems.questworlds.long.values import Line, Throw
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.systems.questworlds.roll import Clash
from rules.values import BadMove

SECOND_CHANCE = 1  # story points that it costs (QW-56)


@dataclass(frozen=True)
class Asked(Event[ExtendedState]):
    """Somebody's total is told: some of it has moved (QW-52)."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, asked=True)


@dataclass(frozen=True)
class Edged(Event[ExtendedState]):
    """An edge, or a handicap below 0 (QW-55)."""

    who: str
    edge: int

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, edge=self.edge)


@dataclass(frozen=True)
class ChanceTaken(Event[ExtendedState]):
    """Somebody has used the second chance that there is (QW-56)."""

    who: str

    def after(self, state: ExtendedState) -> ExtendedState:
        return state.with_(self.who, chance_taken=True)


def ask(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The total of an opponent is told, once some of it has moved (QW-52)."""
    bidder = state.entrant(values["whom"])
    step = Step("QW-52", f"{bidder.name} has {notation_of(bidder.ap)} advantage points.")
    return Result((Asked(bidder.id),), (step,))


def notation_of(points: int) -> str:
    """Points as a number, never as masteries."""
    return f"−{-points}" if points < 0 else str(points)


def can_ask(state: ExtendedState, sheet: Sheet) -> Offer | None:
    """The totals that have moved may be asked for (QW-52)."""
    me = state.contestant(sheet.id)
    if me is None:
        return None
    known = tuple((contestant.id, contestant.name) for contestant in state.contestants
                  if contestant.part.side != me.part.side and contestant.moved and not contestant.asked)
    if not known:
        return None
    return Offer("ask", sheet.id, "Ask for their total", "", (text("whom", "Opponent", needed=True),), {"whom": known},
                 now={"whom": known[0][0]})


def _points(most: int) -> Whole:
    return Whole(name="points", label="Points", default=1, least=1, most=max(1, most))


def lend(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Points of one's own for somebody on one's side, against as many (QW-54)."""
    many = values["points"]
    dice = two(faces)
    if dice is None:
        return both(faces)
    choice = choice_of(state, sheets, by, values)
    return fall(state, sheets, laid(
        state, "lend", by, choice, dice, second_name="what it takes", resistance=many,
        deciders=(state.keeper(by), ""), whom=values["whom"], step=many))


@comes_of("lend", ExtendedState, victory="lends points", defeat="loses the points", tie="loses the points")
def lent(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """Points of one's own for somebody on one's side: they are gone either way (QW-54)."""
    lies = throw.thrown
    moves = [(lies.first, -lies.step), *([(lies.whom, lies.step)] if clash.lead > 0 else [])]
    return points_move(state, [Acted(lies.first)], moves, "The lender loses them either way.")


def can_lend(state: ExtendedState, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or not me.fights or not me.armed or me.id in state.done or len(state.fighters) < 3 or me.ap < 1:
        return None
    friends = tuple((fighter.id, fighter.name) for fighter in state.fighters
                    if fighter.part.side == me.part.side and fighter.id != me.id and fighter.armed)
    if not friends:
        return None
    fields = (text("whom", "Recipient", needed=True), _points(me.ap), text("ability", "Ability"),
              text("words", "Description", most=200))
    return Offer("lend", sheet.id, "Lend points", "In the place of your exchange. You lose them either way.", fields,
                 {"whom": friends, "ability": abilities(state, sheet)}, rolls=True,
                 now={"whom": friends[0][0], "ability": last_ability(state, sheet)})


def gift(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Points from somebody who is not in it, against twice as many (QW-54)."""
    choice, many = choice_of(state, sheets, by, values), values["points"]
    target = state.edition.resolution.no_ability if choice.score is None else choice.score
    if many > target:
        raise BadMove(f"Bid at most your target number, {target}.", "points")
    dice = two(faces)
    if dice is None:
        return both(faces)
    whom = values["whom"]
    foe = next((bout.other(whom) for bout in state.bouts_of(whom)), "") or next(
        (foe.id for foe in state.foes(whom)), "")
    return fall(state, sheets, laid(
        state, "gift", by, choice, dice, name=sheets[by].name, second=foe, second_name="what it takes",
        resistance=2 * many, deciders=(by, ""), whom=whom, step=many))


@comes_of("gift", ExtendedState, victory="helps", defeat="helps the wrong one", tie="changes nothing")
def given(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """Points from somebody who is not in it: a victory gives them, a defeat gives them to the other side (QW-54)."""
    lies = throw.thrown
    if not clash.lead:
        return (), (), "Nothing moves.", ()
    whom = lies.whom if clash.lead > 0 else lies.second
    came = points_move(state, [], [(whom, lies.step)] if whom else [], "The side that gains them keeps them.")
    return came[0], (*came[1], Step("QW-80", "Giving points earns no experience.")), came[2], ()


def can_give_points(state: ExtendedState, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is not None and not me.away:
        return None
    them = tuple((bidder.id, bidder.name) for bidder in state.side(0) if bidder.fights and bidder.armed)
    if not them:
        return None
    fields = (text("whom", "Recipient", needed=True), _points(MOST_BID), text("ability", "Ability"),
              text("words", "Description", most=200))
    help = "Against twice as many. A defeat gives them to the other side."
    return Offer("gift", sheet.id, "Give points", help, fields, {"whom": them, "ability": abilities(state, sheet)},
                 rolls=True, now={"whom": them[0][0], "ability": last_ability(state, sheet)})


def second_chance(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Once, for a story point: a contest against the points that one is below 0 (QW-56)."""
    dice = two(faces)
    if dice is None:
        return both(faces)
    choice, below = choice_of(state, sheets, by, values), -state.entrant(by).ap
    # The point is the price of it: it brings no bump, and no other one is spent on it.
    ending = fall(state, sheets, laid(
        state, "second_chance", by, choice, dice, second_name="what beat them", resistance=below))
    paid = Step("QW-56", f"{sheets[by].name} spends a story point for a second chance.")
    return replace(ending, steps=(*ending.steps[:1], paid, *ending.steps[1:]))


@comes_of("second_chance", ExtendedState, victory="comes back", defeat="stays down", tie="stays down")
def chance(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """A second chance: back with a quarter of the start, rounded up, and −6 from now on (QW-56)."""
    lies = throw.thrown
    bidder = state.entrant(lies.first)
    line = Line(lies.first, "second chance", "A second chance", -6, "What beat them shows")
    paid = (SpendShared(POOL, -SECOND_CHANCE),)
    if clash.lead <= 0:
        return (ChanceTaken(lies.first),), (), "", paid
    back = -(-bidder.start // 4)
    events = (ChanceTaken(lies.first), Added(line), Returned(lies.first, "second chance"),
              Moved(lies.first, back - bidder.ap))
    text = f"{bidder.name} is back with {back} of {bidder.start}, at −6 from now on."
    return events, (Step("QW-56", text),), "", paid


def can_take_a_second_chance(state: ExtendedState, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    if me is None or me.status != "beaten" or me.chance_taken or not me.armed or len(state.contestants) < 3:
        return None
    if not state.context.pool(POOL):
        return None
    return Offer("second_chance", sheet.id, "Take a second chance",
                 f"It costs a story point: a contest against {-me.ap}. You come back with a quarter, at −6.",
                 (text("ability", "Ability"),), {"ability": abilities(state, sheet)}, rolls=True,
                 now={"ability": last_ability(state, sheet)})


def last_bid(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A parting shot: one more bid at somebody who has just fallen, for a further prize (QW-53)."""
    bidder = state.entrant(by)
    if values["bid"] > bidder.most_bid:
        over = "what you began with" if bidder.most_bid == bidder.start else "what is left"
        raise BadMove(f"Bid at most {over}, {bidder.most_bid}.", "bid")
    return asked(state, sheets, by, values, faces)


@comes_of("last_bid", ExtendedState, victory="has the last word", defeat="overreaches", tie="changes nothing")
def overreached(state: ExtendedState, sheets: Sheets, throw: Throw, clash: Clash) -> Settled:
    """A parting shot with a bid: the fallen lose more, or gain by a critical and may be back (QW-53)."""
    lies = throw.thrown
    events: list[Event[Any]] = [PartingMade(lies.whom)]
    loss = lost(lies.step, clash.levels)
    fallen, prize = state.entrant(lies.whom), lies.choice.words
    if clash.lead > 0:
        events.append(Moved(fallen.id, -loss))
        return tuple(events), (Step("QW-53", f"The further prize is won: {prize}"),), f"{fallen.name} −{loss}.", ()
    if not clash.lead:
        return tuple(events), (), "Nothing moves.", ()
    gains = clash.transfers
    if gains and fallen.ap + loss > 0:
        events.append(Returned(fallen.id, "parting"))
    came = points_move(state, events, [(lies.first, -loss), *([(fallen.id, loss)] if gains else [])],
                  "A stumble gives them an opening." if gains else "No critical: they stay down.")
    back = (Step("QW-53", f"{fallen.name} is back in it."),) if gains and fallen.ap + loss > 0 else ()
    return came[0], (*came[1], *back), came[2], ()


def can_part_with_a_bid(state: ExtendedState, sheet: Sheet) -> Offer | None:
    """A parting shot, with a bid, at whoever has just fallen (QW-53)."""
    me = state.contestant(sheet.id)
    if me is None or not me.fights or not me.armed or state.throws:
        return None
    stake = Whole(name="bid", label="Your bid", default=state.edition.bids.bid, least=1, most=MOST_BID)
    return a_shot(state, sheet, "last_bid",
                  "For a further prize that the GM agrees to. A critical of theirs may bring them back.", stake)


def reinforce(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Followers whom the players do not see add what they are good for (QW-51)."""
    bidder, points = state.entrant(values["whom"]), values["points"]
    step = Step("QW-51", f"{bidder.name} begins with {points} more, unseen by the players.")
    return Result((Advantage(bidder.id, points),), (step,), sealed=True)


def restore(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives points back to whoever came back with something that changes things (QW-53)."""
    bidder, points = state.entrant(values["whom"]), values["points"]
    step = Step("QW-53", f"{bidder.name} gets {points} advantage points back: {values['reason']}")
    return Result((Moved(bidder.id, points),), (step,))


def edge(state: ExtendedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """An edge, or a handicap (QW-55)."""
    bidder, number = state.entrant(values["whom"]), values["edge"]
    what = "no edge" if not number else f"{'an edge' if number > 0 else 'a handicap'} of {abs(number)}"
    return Result((Edged(bidder.id, number),), (Step("QW-55", f"{bidder.name} has {what}."),))


def can_reinforce(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """Followers unseen, for one of the GM's of whom nothing is known yet."""
    played = {state.entrant(who).part.side for who in state.settings.players if state.contestant(who)}
    hidden = tuple((fighter.id, fighter.name) for fighter in state.fighters
                   if fighter.part.side not in played and fighter.armed and not fighter.moved and not fighter.asked)
    if not hidden:
        return None
    return Offer("reinforce", "", "Add followers unseen", "The players learn of it when points have moved.", (
        text("whom", "Character", needed=True), Whole(name="points", label="Points", default=3, least=1, most=60)),
        {"whom": hidden})


def _armed(state: ExtendedState) -> Options:
    return tuple((fighter.id, fighter.name) for fighter in state.fighters if fighter.armed)


def can_restore(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """Points for whoever came back with something that changes things."""
    if not (whom := _armed(state)):
        return None
    return Offer("restore", "", "Give points back", "For a contestant who came back with something that changes it.", (
        text("whom", "Character", needed=True), Whole(name="points", label="Points", default=3, least=1, most=60),
        text("reason", "Reason", needed=True, most=200)), {"whom": whom})


def can_set_an_edge(state: ExtendedState, sheets: Sheets) -> Offer | None:
    """An edge or a handicap, where the campaign has them."""
    if not (whom := _armed(state)) or not state.settings.edges:
        return None
    return Offer("edge", "", "Set an edge or a handicap", "", (
        text("whom", "Character", needed=True), Whole(name="edge", label="Edge", default=0, least=-9, most=9)),
        {"whom": whom})


EVENTS = (Asked, Edged, ChanceTaken)
OWN: tuple[Act[Any], ...] = (
    SHOOT, Act("last_bid", own(can_part_with_a_bid, after=True), last_bid, odds=odds_of_asked, why=why_of_asked),
    Act("ask", own(can_ask, after=True), ask), Act("lend", own(can_lend), lend, odds=of_roll(lend), why=why_of(lend)),
    Act("gift", own(can_give_points), gift, odds=of_roll(gift), why=why_of(gift)),
    Act("second_chance", own(can_take_a_second_chance), second_chance, odds=of_roll(second_chance),
        why=why_of(second_chance)),
    REJOIN,
)
GMS: tuple[Act[Any], ...] = (
    Act("reinforce", gms(can_reinforce), reinforce), Act("restore", gms(can_restore), restore),
    Act("edge", gms(can_set_an_edge), edge),
)
