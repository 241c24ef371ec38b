"""What somebody may do whose round it is not: who has won a pair, who fell, who only waits; each with its chance."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine import Act, Sheets, check
from rules.procedure import Offer, Perspective
from rules.systems.questworlds.long.state import Phase, State
from rules.values import BadMove
from rules.wording import percent

NEXT = ("roll_augment", "round", "choose", "roll", "bid", "exchange", "defer", "answer_bid", "shoot")
ROWS = ("second_chance", "shift", "pass_on", "parting", "last_bid", "assist", "engage", "rejoin", "remove", "gift",
        "unrelated", "enter", "augment")


@dataclass(frozen=True)
class Row:
    """An act with the chance of it as its form opens ("" where no dice fall, or none may be told), and what it does."""

    action: str
    chance: str
    says: str


@dataclass(frozen=True)
class Meanwhile:
    """What one of the viewer's characters may do now, under the words for why their round is not waited for."""

    by: str
    title: str
    rows: tuple[Row, ...]


def meanwhile(acts: Sequence[Act[Any]], state: State, sheets: Sheets, viewer: Perspective) -> tuple[Meanwhile, ...]:
    """Of each of the viewer's characters who is asked for nothing now."""
    if state.phase not in (Phase.ROUNDS, Phase.AFTER):
        return ()
    offers = [(act, offer) for act in acts for offer in act.offered(state, sheets) if offer.by in viewer.plays]
    busy = {offer.by for _, offer in offers if offer.action in (*NEXT, "stand", "spend")}
    meanwhiles = []
    for by in dict.fromkeys(offer.by for _, offer in offers if offer.by not in busy):
        own = sorted(((act, offer) for act, offer in offers if offer.by == by and offer.action in ROWS),
                     key=lambda pair: ROWS.index(pair[0].action))
        if own:
            rows = tuple(_row(state, sheets, viewer, act, offer) for act, offer in own)
            meanwhiles.append(Meanwhile(by, _title(state, by), rows))
    return tuple(meanwhiles)


def _title(state: State, by: str) -> str:
    """Why their round is not waited for, in a few words."""
    me = state.contestant(by)
    if me is None:
        return "You are not in it, and can help"
    if me.out:
        return "You are out. What is left to you"
    if me.away:
        return "You got away. What you can do"
    if not state.free(by):
        return "While you wait"
    beaten = [state.name_of(bout.other(by)) for bout in state.bouts_had(by)
              if not state.entrant(bout.other(by)).fights]
    return f"{beaten[-1]} is out. What you can do now" if beaten else "Nobody opposes you. What you can do"


def _row(state: State, sheets: Sheets, viewer: Perspective, act: Act[Any], offer: Offer) -> Row:
    """The act as its form opens; what is written into it changes no chance."""
    chance, facts = "", list(_chances(state, sheets, viewer, act, offer))
    if facts:
        chance, *facts = facts
    return Row(offer.action, chance, " ".join((offer.help, *facts)).strip())


def _chances(
    state: State, sheets: Sheets, viewer: Perspective, act: Act[Any], offer: Offer
) -> Iterator[str]:
    """The chance of a victory, then what else is told of the odds; nothing where nobody may count them."""
    if act.odds is None or not viewer.may_count(sheets, *(contestant.id for contestant in state.contestants)):
        return
    words = {field.name: "…" for field in offer.fields if field.name == "words"}
    try:
        for _, answer in act.odds(state, viewer.whole or sheets, offer, check(offer, {**words, **(offer.now or {})})):
            yield percent(answer.outcomes[0][1])
            yield from answer.facts
    except BadMove:
        return
