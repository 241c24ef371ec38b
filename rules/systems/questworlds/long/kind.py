"""The long contests as procedures: scored, chained, extended, on one base (QW-43 to QW-59)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.deaths import HearsOfDeath
from rules.engine import Event, Forecasts, KnowsCampaign, Sheets, Values
from rules.excludes import Excludes
from rules.moves import Need
from rules.procedure import Ask, CampaignContext, Casting, Offer, Options, Perspective, Placement, View
from rules.strike import DISMISS, HearsWords
from rules.systems.questworlds.after import taken_by_another
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule
from rules.systems.questworlds.long import (
    advantage,
    beside,
    bids,
    chained,
    counting,
    deaths,
    dice,
    ending,
    exchanges,
    extended,
    followers,
    own_contests,
    pairs,
    parting,
    rounds,
    scored,
    word,
)
from rules.systems.questworlds.long.opening import FIELDS, MOST_SIDES, as_they_stand, begin, prepared
from rules.systems.questworlds.long.pairs import RoundBegan, elsewhere
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import ContestOptions
from rules.systems.questworlds.long.view import story, view
from rules.systems.questworlds.long.why import why_lies
from rules.systems.questworlds.names import LONG, TEACHING
from rules.systems.questworlds.older.states import unable
from rules.systems.questworlds.settings import Settings, setting_fields
from rules.values import BadMove, Value

LAST = ("shoot", "answer_shot", "close")  # acts that are asked for after all others


class Pairs(HearsOfDeath[State], KnowsCampaign[State], CountsExperience[State], HearsWords[State], Excludes[State]):
    """What all of them share: sides, pairs, rounds, helpers, followers, what comes after."""

    state: type[State]
    title_label = "The prize"
    has_aftermath = True
    exchanges = ("roll", "round", "choose", "gm_round", "bid", "gm_bid", "exchange", "unrelated", "remove", "follower",
                 "threaten", "close")
    casting = Casting("sides", sides=MOST_SIDES["scored"], others_named=True, bystanders=True, onward=True)
    placement = Placement(exclusive=False)
    remembers = TEACHING
    reads, settings = ContestOptions, Settings

    def __init__(self, edition: Edition = FIRST, symbol: str = "M") -> None:
        self.edition, self.experience_rule = edition, experience_rule(edition)
        self.fields = (*FIELDS, *setting_fields(symbol, edition, ContestOptions))

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(self.state.form, values, sheets, faces, self.edition)

    def may_start(self, setup: Mapping[str, Value], context: CampaignContext, sheets: Sheets) -> None:
        for who, sheet in sheets.items():
            if title := elsewhere(context, who):
                raise BadMove(f"{sheet.name} is in “{title}”. A long contest can’t run inside another: pause or end "
                              "that one, or let this be an unrelated action in it.")
            if why := unable(sheet):
                raise BadMove(why)

    def stands_against(self, state: State) -> str:
        return (ending.inside_another(state) if state.runs else "") or taken_by_another(state.laid, state.context)

    def choices(self, context: CampaignContext) -> Mapping[str, Options]:
        return {"prepared": prepared(context, self.edition)}

    def said(self, state: State) -> Options:
        return word.said(state)

    def involved(self, state: State) -> tuple[str, ...]:
        return self.seats(state)

    def scene_of(self, state: State) -> str:
        return state.scene

    def seats(self, state: State) -> tuple[str, ...]:
        return tuple(contestant.id for contestant in state.contestants)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get("long", self.state.form) in (self.state.form, "all")

    def blank(self) -> State:
        return self.state(edition=self.edition)

    def offered(self, state: State, sheets: Sheets, action: str = "") -> list[Offer]:
        return super().offered(as_they_stand(state, sheets), sheets, action)

    def perform(
        self, state: State, sheets: Sheets, offer: Offer, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> Result | Need:
        came = super().perform(as_they_stand(state, sheets), sheets, offer, given, faces)
        if isinstance(came, Need) or offer.action == DISMISS or not state.unread:
            return came
        return replace(came, events=(word.Stands(), *came.events))

    def forecast(
        self, state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value],
        counted: Sheets | None = None,
    ) -> Forecasts:
        return super().forecast(as_they_stand(state, sheets), sheets, by, action, given, counted)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        """Seat by seat, what comes after a round last. Where no round is waited for, the pairs are to be set."""
        state = as_they_stand(state, sheets)
        seats = {who: place for place, who in enumerate(self.seats(state))}
        asks = sorted(super().asks(state, sheets), key=lambda ask: (
            LAST.index(ask.action) if ask.action in LAST else -1, seats.get(ask.by, len(seats))))
        if not asks or asks[0].action in LAST:
            asks[:0] = [Ask(offer.by, offer.action, "set the pairs", "Choose")
                        for offer in self.offers(state, sheets) if offer.action in ("engage", "pair")]
        if not asks and state.phase in (Phase.ROUNDS, Phase.AFTER):
            asks = [Ask("", "call_off", "add a contestant, or call it off", "Choose")]
        return tuple(asks)

    def is_over(self, state: State) -> bool:
        return bool(state.ended)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(self.acts, as_they_stand(state, sheets), sheets, viewer)

    def follow_up(self, state: State) -> Event[Any] | None:
        """A round is over when everybody has had it."""
        goes_on = state.phase is Phase.ROUNDS and not state.throws
        return RoundBegan(state.round + 1) if goes_on and state.round_over else None

    def of_death(self, state: State, sheets: Sheets, who: str) -> Result | None:
        return deaths.of_death(state, sheets, who)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"round": state.round, "phase": state.phase.value}

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)


EVENTS = (*pairs.EVENTS, *dice.EVENTS, *parting.EVENTS, *counting.EVENTS, *own_contests.EVENTS, *ending.EVENTS,
          *word.EVENTS, *deaths.EVENTS)
DECIDING = (replace(dice.STAND, why=why_lies), dice.SPEND)
ROUND = (rounds.ROUND, rounds.CHOOSE, rounds.ROLL)
HELP = (own_contests.ROLL_AUGMENT, *counting.OWN, own_contests.HINDER, own_contests.ACT_AGAINST, followers.FOLLOWER,
        pairs.ENTER, pairs.CONCEDE)
GMS_ROUND = (rounds.STANCE, rounds.GM_ROUND)
RULINGS = (*counting.GMS, own_contests.COMPEL, pairs.PAIR, pairs.JOIN)
LATER = (followers.THREATEN, counting.TAKE_BACK, word.DISMISS, pairs.PART)


class ScoredLong(Pairs):
    """Rounds until one has five points against the other (QW-43)."""

    name, state = LONG[0], scored.ScoredState
    title = "Scored contest"
    events = (*EVENTS, *rounds.EVENTS, *scored.EVENTS, *followers.EVENTS)
    acts = (*DECIDING, *ROUND, pairs.ENGAGE, scored.ASSIST, parting.SHOOT, scored.PARTING, followers.SHIFT,
            followers.REMOVE, beside.UNRELATED, *HELP, parting.ANSWER_SHOT, *GMS_ROUND, *RULINGS,
            followers.FOE_FOLLOWER, *LATER, scored.INITIATIVE, scored.ASSISTS_FROM, *ending.ACTS)


class ChainedLong(Pairs):
    """Rounds in which every defeat hurts at once (QW-57)."""

    name, state = LONG[1], chained.ChainedState
    title = "Chained contest"
    events = (*EVENTS, *rounds.EVENTS, *chained.EVENTS)
    acts = (*DECIDING, *ROUND, pairs.ENGAGE, chained.PASS_ON, followers.REMOVE, beside.UNRELATED, *HELP, *GMS_ROUND,
            *RULINGS, *LATER, chained.PART_WAYS, *ending.ACTS)


class ExtendedLong(Pairs):
    """Exchanges in which advantage points are bid (QW-51)."""

    name, state = LONG[2], extended.ExtendedState
    casting = Casting("sides", sides=MOST_SIDES["extended"], others_named=True, bystanders=True, onward=True)
    title = "Extended contest"
    start_label = "Start an extended contest"
    events = (*EVENTS, *extended.EVENTS, *bids.EVENTS, *exchanges.EVENTS, *advantage.EVENTS)
    acts = (*DECIDING, bids.BID, exchanges.EXCHANGE, exchanges.DEFER, exchanges.ANSWER_BID, *advantage.OWN, *HELP,
            bids.GM_BID, exchanges.GM_EXCHANGE, parting.ANSWER_SHOT, *RULINGS, *LATER, *advantage.GMS, *ending.ACTS)


__all__ = ["ChainedLong", "ExtendedLong", "ScoredLong"]
