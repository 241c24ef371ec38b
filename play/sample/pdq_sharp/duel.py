"""The duel, played by what it asks: everybody answers in turn, there is an impasse, and it always ends."""
from __future__ import annotations

import uuid

from play.sample.pdq_sharp import story
from play.sample.pdq_sharp.table import Table
from rules.procedure import Ask, Offer
from rules.systems.pdq_sharp.duel.additions import given_for, with_additions
from rules.systems.pdq_sharp.duel.state import State
from rules.values import Value

KIND = "pdq_sharp.duel"
LAST_TURN, MOST_ACTS = 3, 200
LULL_TURN = 2  # before its dice are divided, a player calls an impasse
SPLITS = {"perpetua": ("strong_attack", "strong_defence", "strong_attack"),
          "matteo": ("strong_defence", "strong_attack", "all_out_attack")}


def duel(table: Table) -> None:
    """Plays the duel on the stairs to its end: after the last turn the lanterns go out."""
    contest = table.start(KIND, "On the water stairs", "perpetua", "matteo", "corvin", "guards")
    table.act(contest, "engage", "perpetua" if _first(table, contest) == "perpetua" else "matteo",
              foes=[str(table.people["corvin"])])
    called = False
    for _ in range(MOST_ACTS):
        position = table.position(contest)
        if position.contest.over:
            return
        if position.state.turn > LAST_TURN:
            table.act(contest, "end", words="The lanterns go out, and nobody can say who did it.")
            return
        if not called and position.state.turn == LULL_TURN and (who := _caller(table, position.offers)):
            called = True
            table.act(contest, "impasse", who, **_ready(position.offers, "impasse", str(table.people[who])),
                      words=story.IMPASSE)
            continue
        _answer(table, contest, position.state, position.offers, position.asks[0])


def _caller(table: Table, offers: tuple[Offer, ...]) -> str:
    """The first player's character who can call an impasse now; "" for none."""
    return next((key for key in SPLITS for offer in offers
                 if offer.action == "impasse" and offer.by == str(table.people[key])), "")


def _ready(offers: tuple[Offer, ...], action: str, by: str) -> dict[str, Value]:
    """What stands ready in an offer."""
    now = next((offer.now for offer in offers if (offer.action, offer.by) == (action, by)), None)
    return dict(now or {})


def _first(table: Table, contest: uuid.UUID) -> str:
    return _key(table, table.position(contest).state.undecided[0].id)


def _key(table: Table, who: str) -> str:
    return next(key for key, pk in table.people.items() if str(pk) == who)


def _answer(table: Table, contest: uuid.UUID, state: State, offers: tuple[Offer, ...], ask: Ask) -> None:
    """What is asked, as it stands ready; a split with words, a technique where it turns a miss into a touch."""
    mine = {offer.action: offer for offer in offers if offer.by == ask.by}
    action = "engage" if ask.action == "hold_back" and "engage" in mine else ask.action
    given = _ready(offers, action, ask.by)
    if action == "stance":
        key = _key(table, ask.by)
        turn = min(state.turn, LAST_TURN) - 1
        given |= {"stance": SPLITS[key][turn], "words": story.SAID[key][turn]}
    elif action == "stand" and (what := _worth_it(table, contest, ask.by)):
        action, given = "add", {**given_for(what)}
    table.act(contest, action, ask.by, **given)


def _worth_it(table: Table, contest: uuid.UUID, who: str) -> str:
    """The technique that helps most, where one helps at all and this one has not used any yet; "" for none."""
    position = table.position(contest)
    throw = position.state.throw_of(who)
    if throw is None or throw.used:
        return ""
    additions = with_additions(position.state, position.sheets, throw)
    best = next((addition for addition in additions if "style" not in addition.id), None)
    return best.id if best and best.touch > 0 else ""
