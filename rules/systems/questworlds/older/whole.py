"""How a long contest came out, for each player's character and for their side (QW-A3 to QW-A5).

*Ruling*: of a side that won only victories count towards its second best, of one that lost only defeats. In a chained
contest the worst state of whoever lost says the degree. NPCs' fates are the GM's to tell.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.fields import Choice, Field, Listing
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Gain, SetDead, Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.state import Bout, Contestant, State
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.giving import check_worthy, kind_of
from rules.systems.questworlds.older.options import GROUP_OUTCOMES, LONG_TABLES, SCORED_TABLES
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.traits import BENEFIT, CONSEQUENCE, score_of
from rules.values import BadMove, Value

ARCS = (("rising", "Rising action"), ("climax", "Climax"))


@dataclass(frozen=True, slots=True)
class Came:
    """How it came out for one: the degree, and what of it lasts (states of adversity below 0)."""

    who: Contestant
    degree: int
    states: tuple[int, ...]
    why: str


def by_tables(state: State) -> bool:
    """Whether the end of this contest gives states by a table."""
    return state.on(SCORED_TABLES) if state.form == "scored" else state.form == "extended" and state.on(LONG_TABLES)


def offer(state: State) -> Offer | None:
    """The outcomes by the tables, once, when a side has nobody left."""
    if state.ruled or not (by_tables(state) or state.on(GROUP_OUTCOMES)):
        return None
    fields: list[Field] = []
    who = tuple((each.id, each.name) for each in _players(state))
    if by_tables(state):
        if state.form == "scored":
            fields.append(Choice(name="arc", label="Where the story is", options=ARCS))
        fields.append(Listing(name="whom", label="Who takes what the table says", of=text("who", "Who"), default=()))
    now: dict[str, Value] = {"whom": [id_ for id_, _ in who]}
    return Offer("outcomes", "", "Count the outcomes", "By the tables, for each and for the group.", tuple(fields),
                 {"whom": who} if fields else {}, now=now if fields else None)


def outcomes(
    state: State, sheets: Mapping[str, Sheet], by: str, values: Mapping[str, Any], faces: Sequence[int]
) -> e.Result:
    """The degree of each and of the group, and the states that go onto sheets."""
    arc, whom = values.get("arc", ""), values.get("whom", ())
    found = [_came(state, each, arc) for each in _players(state)]
    steps = [Step("QW-A3" if state.form == "scored" else "QW-A5", f"{each.who.name}: {each.why}") for each in found]
    events: list[e.Event] = []
    effects: list[Effect] = []
    for each in found:
        if each.who.id in whom:
            for what in each.states:
                given, why, effect = _gives(state, sheets, each.who, what)
                events, steps, effects = [*events, *given], [*steps, why], [*effects, *effect]
    group = _group(state, found)
    if state.on(GROUP_OUTCOMES) and group is not None:
        steps.insert(0, Step("QW-A4", f"For the group it is a {in_words(group)}."))
        steps.append(Step("QW-A4", _how(found, group)))
    degree = group if group is not None and state.on(GROUP_OUTCOMES) else 0
    ruled = e.Ruled(arc, degree, tuple((each.who.id, each.degree) for each in found))
    return e.Result((ruled, *events), tuple(steps), {"group": degree}, effects=tuple(effects))


def _players(state: State) -> list[Contestant]:
    """The players' characters who had a round."""
    return [each for each in state.contestants if each.id in state.settings.players and _bouts(state, each)]


def _bouts(state: State, who: Contestant) -> list[Bout]:
    return [each for each in state.bouts if who.id in (each.ours, each.theirs) and each.rounds]


def _came(state: State, who: Contestant, arc: str) -> Came:
    """By the last opponent whom they faced; at a climax by the points of all of them."""
    if state.form == "scored":
        return _scored(state, who, arc)
    foe = state.entrant(_bouts(state, who)[-1].other(who.id))
    if state.form == "chained":
        worst = max((rank for rank, _ in (who if who.status != "in" else foe).hurts), default=0)
        degree = min(tables.COMPLETE, worst) * (1 if who.status == "in" else -1)
        return Came(who, degree, (), f"by the worst of the states, a {in_words(degree)}.")
    lost = who.status != "in" and who.ap <= 0
    final = who.ap if lost else foe.ap
    row = tables.extended(final)
    total = str(final).replace("-", "−")
    if row is None:
        return Came(who, 0, (), f"nobody’s points ran out ({total} left), which is a tie.")
    degree = -row.degree if lost else row.degree
    whose = who.name if lost else foe.name
    return Came(who, degree, (-row.loser if lost else row.winner,), f"{whose} ended at {total}, a {in_words(degree)}.")


def _scored(state: State, who: Contestant, arc: str) -> Came:
    bouts = _bouts(state, who)
    place = bouts[-1].place(who.id)
    ours, theirs = bouts[-1].points[place], bouts[-1].points[1 - place]
    row = tables.rising(ours - theirs)
    won = ours > theirs
    degree = (row.degree if won else -row.degree) if row else 0
    text = f"{ours} to {theirs}, a {in_words(degree)}"
    if arc != "climax":
        return Came(who, degree, ((row.winner if won else -row.loser),) if row else (), f"{text}.")
    # Whoever lost counts one more: for one opponent that is what rising action has for as many points against one.
    against = sum(each.points[1 - each.place(who.id)] for each in bouts) + (degree < 0)
    state_ = tables.climax(against)
    gains = (row.winner,) if row and won and row.winner > 0 else ()
    counted = f"{against} against them{', one of it for the defeat' if degree < 0 else ''}"
    return Came(who, degree, (*gains, *((-state_,) if state_ else ())), f"{text}; at the climax {counted}.")


def _gives(
    state: State, sheets: Mapping[str, Sheet], who: Contestant, what: int
) -> tuple[tuple[e.Event, ...], Step, tuple[Effect, ...]]:
    """One state, as the campaign has them, for whose sheet."""
    older, prize, symbol = state.settings.older, state.settings.prize or "The contest", state.settings.symbol
    if what <= -tables.DEAD:
        return (), Step("QW-A6", f"{who.name} is dead, in body or otherwise."), (SetDead(who.id),)
    kind = kind_of(CONSEQUENCE if what < 0 else BENEFIT, older)
    rule = RULES.get(kind, "QW-60")
    try:
        check_worthy(kind, who.name, *compared(state, sheets, who.id), symbol)
    except BadMove as bad:
        return (), Step(rule, bad.sentence), ()
    rank, name = abs(what), prize[:120]
    step = Step(rule, f"{who.name}: {worth(kind, rank, symbol, state.edition)}.")
    return (e.Gave(who.id, kind, name, rank),), step, (Gain(who.id, kind, name, rank, f"From: {prize}"),)


def compared(state: State, sheets: Mapping[str, Sheet], who: str) -> tuple[int | None, int | None]:
    """The best that somebody used, and the least that was used against them (QW-A7)."""
    bouts = [each for each in state.bouts if who in (each.ours, each.theirs) and each.rounds]
    mine = [score for each in bouts for score in _scores(state, sheets, each, who)]
    foes = [score for each in bouts for score in _scores(state, sheets, each, each.other(who))]
    return max(mine, default=None), min(foes, default=None)


def _scores(state: State, sheets: Mapping[str, Sheet], bout: Bout, who: str) -> Iterator[int]:
    """What one used in a pair: abilities of their sheet, else what they resist with."""
    found, sheet = state.entrant(who), sheets.get(who)
    if found.part.resistance is not None or sheet is None:
        yield found.part.resistance if found.part.resistance is not None else state.edition.resolution.no_ability
        return
    used = {came.abilities[came.second == who] for came in bout.rounds}
    yield from (score for each in sheet.traits if each.name in used and (score := score_of(each, sheet)) is not None)


def _group(state: State, found: Sequence[Came]) -> int | None:
    """The second best of the winners, the second worst of the losers (QW-A4); None where no player's side is told."""
    sides = {each.who.part.side for each in found}
    if state.won_by not in (0, 1) or len(sides) != 1:
        return None
    won = sides == {state.won_by}
    ordered = sorted((each.degree for each in found if each.degree * (1 if won else -1) > 0), reverse=won)
    if not ordered:
        return 1 if won else -1
    return ordered[min(1, len(ordered) - 1)]


def _how(found: Sequence[Came], group: int) -> str:
    listed = "; ".join(f"{each.who.name} a {in_words(each.degree)}" for each in found)
    if len(found) < 2:
        return f"One character stood for the group: {listed}."
    return f"The second {'best of the winners' if group > 0 else 'worst of the losers'} counts: {listed}."
