"""A long contest as one viewer may see it: the sides as a picture, the rounds, what each may choose."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.engine import Act, Sheets
from rules.moves import Die
from rules.procedure import Participant, Perspective, View, is_known
from rules.strike import DISMISS
from rules.systems.questworlds.after import Gave
from rules.systems.questworlds.long.chained import ChainedContestant
from rules.systems.questworlds.long.choosing import Bidding, Choosing, bidding, choosing
from rules.systems.questworlds.long.counting import counts
from rules.systems.questworlds.long.dice import came
from rules.systems.questworlds.long.extended import Bidder, ExtendedState
from rules.systems.questworlds.long.meanwhile import NEXT, Meanwhile, meanwhile
from rules.systems.questworlds.long.rounds import each_chooses, open_now
from rules.systems.questworlds.long.scored import ScoredContestant
from rules.systems.questworlds.long.state import NOBODY, Phase, State
from rules.systems.questworlds.long.turns import besides, heading
from rules.systems.questworlds.long.values import (
    AGAINST_A_FLAW,
    DEAD,
    OWN_AUGMENT,
    OWN_HINDRANCE,
    Bout,
    Contestant,
    Resolved,
    Throw,
)
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import worth
from rules.systems.questworlds.reckoning import counts_with
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import CONSEQUENCE, STATES
from rules.wording import beat, by_side, join, sentence, within

FIRST = ("answer_shot", "answer", "stance", "gm_round", "gm_bid", "gm_exchange", "resume", "outcomes", "give", "close")




ROLLED = {"assist": "Assist", "unrelated": "Apart", "parting": "Parting shot", "remove": "Against a follower",
          "gift": "Gift", "lend": "Loan", "second_chance": "Second chance", "last_bid": "Parting shot",
          OWN_AUGMENT: "Augment", OWN_HINDRANCE: "Flaw", AGAINST_A_FLAW: "Against a flaw"}
LET_GO = {"left": "got away", "conceded": "conceded", DEAD: "died"}  # how a pair ended, of whoever let go of it


@dataclass(frozen=True)
class RoundLine:
    """A round that was rolled: its dice, the results in words, and what it did."""

    number: int
    dice: tuple[Die, ...]
    results: str
    text: str
    kind: str = ""


@dataclass(frozen=True)
class Corner:
    """One of a pair: the name, what they use, the target number, and points out of five as cells."""

    name: str
    ability: str
    target: str
    points: int
    cells: tuple[bool, ...]
    out: bool
    notes: tuple[str, ...] = ()
    meter: str = ""  # advantage points in words, where there are any
    percent: int = -1  # of what they began with, in hundredths; below 0 where the total is not told (QW-52)


@dataclass(frozen=True)
class Pairing:
    """A pair, drawn."""

    number: int
    ours: Corner
    theirs: Corner
    mine: bool
    acts: bool  # whether it has yet to have this round
    over: str
    rounds: tuple[RoundLine, ...]
    latest: tuple[RoundLine, ...]
    secret: tuple[str, ...]  # who has chosen already, where nobody sees what


@dataclass(frozen=True)
class Side:
    """A side: its name, how many stand and are out, and who faces nobody."""

    name: str
    standing: int
    out: int
    free: tuple[str, ...]


@dataclass(frozen=True)
class Detail:
    """All that the page of a long contest draws beside what every procedure has."""

    form: str
    kind: str
    obstacle: str
    sides: tuple[Side, ...]
    pairs: tuple[Pairing, ...]
    past: tuple[Pairing, ...]  # those that are over
    followers: tuple[tuple[str, str], ...]
    lines: tuple[tuple[str, str, str, str], ...]  # whose, how much, what, why
    proposals: tuple[str, ...]
    beside: tuple[RoundLine, ...]
    lies: tuple[RoundLine, ...]  # dice that wait for a story point
    choosing: tuple[Choosing, ...]
    bidding: tuple[Bidding, ...]
    points: int
    outcome: str
    tone: str
    gave: tuple[str, ...]
    first: tuple[str, ...]  # the GM's acts that stand open
    next: tuple[str, ...]  # those of players that are a round
    meanwhile: tuple[Meanwhile, ...]  # what those may do whose round it is not

    @property
    def shown(self) -> frozenset[tuple[str, str]]:
        """The acts that have a row of their own there, with whose they are."""
        return frozenset((row.action, mine.by) for mine in self.meanwhile for row in mine.rows)


def view(acts: Sequence[Act[Any]], state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The contest for one viewer: what others choose in secret stays out of it."""
    groups = tuple(
        (Participant(who.id, who.name, state.settings.sides[who.part.side], out=who.status != "in"),)
        for who in state.contestants)
    return View(heading(state), besides(state, viewer), groups, (), _detail(acts, state, sheets, viewer))


def _detail(acts: Sequence[Act[Any]], state: State, sheets: Sheets, viewer: Perspective) -> Detail:
    symbol = state.settings.symbol
    waiting = {bout.number for bout in open_now(state)} if state.runs else set()
    if isinstance(state, ExtendedState):
        waiting = {bout.number for bout in state.open_bouts if state.turn in (bout.ours, bout.theirs)}
    pairs = [_pairing(state, sheets, bout, viewer, bout.number in waiting) for bout in state.bouts]
    return Detail(
        state.form, f"{state.form.capitalize()} contest",
        state.settings.obstacle,
        tuple(_side(state, place) for place, _ in enumerate(state.settings.sides)) if state.contestants else (),
        tuple(sorted((pair for pair in pairs if not pair.over), key=lambda pair: not pair.mine)),
        tuple(pair for pair in pairs if pair.over and pair.latest),
        tuple((contestant.name, _follower(state, contestant))
              for contestant in state.contestants if contestant.part.leader),
        tuple((state.name_of(line.who), counts(line, state), line.label, line.reason) for line in state.lines
              if is_known(sheets, line.who)),
        tuple(f"{f'{offered.name} {notation(offered.score, symbol)}' if is_known(sheets, offered.by) else 'Help'} of "
              f"{offered.helper}, for {state.name_of(offered.whom)}"
              for offered in state.proposals if not offered.verdict),
        tuple(_line(number, line) for number, line in state.record if line.kind not in ("round", "exchange")),
        tuple(_lies(state, sheets, throw) for throw in state.throws if state.waits(throw)),
        tuple(choosing(state, sheets, viewer)) if state.runs and not isinstance(state, ExtendedState) else (),
        bidding(state, sheets, viewer) if isinstance(state, ExtendedState) else (), state.context.pool("story_points"),
        *_outcome(state),
        (*_ruled(state), *(_given(state, given) for given in state.gave)),
        (*FIRST, DISMISS) if state.unread else FIRST, NEXT,
        meanwhile(acts, state, sheets, viewer))


def story(state: State) -> tuple[str, ...]:
    """How it came out, and what each roll of it came to, in their order (QW-59)."""
    outcome, _ = _outcome(state)
    if not outcome or state.ended == "called off":
        return ()
    if state.won_by is not None and state.won_by != NOBODY:
        outcome = _who_won(state, state.won_by)
    rounds = (f"Round {number}: {line.names[0]} against {line.names[1] or 'the resistance'}. {line.told}"
              for number, line in state.record)
    return (outcome, *rounds)


def _who_won(state: State, side: int) -> str:
    """Which side beat which, and for what."""
    sides = state.settings.sides
    members = by_side((sides[contestant.part.side], contestant.name) for contestant in state.contestants
                      if contestant.part.role == "contestant")
    return f"{beat(sides[side], members)}: {sentence(state.settings.prize)}"


def _outcome(state: State) -> tuple[str, str]:
    if state.phase not in (Phase.AFTER, Phase.OVER) or state.throws:
        return "", ""
    sides = state.settings.sides
    if state.won_by is None:
        return ("It was left undecided.", "fair") if state.ended else ("", "")
    if state.won_by == NOBODY:
        return "Nobody is left standing.", "fair"
    players = {state.entrant(who).part.side for who in state.settings.players if state.contestant(who)}
    tone = "good" if players == {state.won_by} else "bad" if players and state.won_by not in players else "fair"
    degree = f": a {in_words(state.ruled.group)} for the players" if state.ruled and state.ruled.group else ""
    return f"The prize goes to {within(sides[state.won_by])}{degree}.", tone


def _ruled(state: State) -> tuple[str, ...]:
    """How it came out for each, by the tables."""
    rulings = state.ruled.outcomes if state.ruled else ()
    return tuple(f"{state.name_of(who)}: {in_words(degree)}" for who, degree in rulings)


def _given(state: State, gave: Gave) -> str:
    """What went onto a sheet; states say which they are."""
    named = f"{state.name_of(gave.who)}: {gave.name}"
    if gave.kind not in STATES:
        return named
    return f"{named}, {worth(gave.kind, gave.rank, state.settings.symbol, state.edition)}"


def _side(state: State, place: int) -> Side:
    members = [contestant for contestant in state.side(place) if contestant.part.role == "contestant"]
    return Side(state.settings.sides[place], sum(member.fights for member in members),
                sum(member.status != "in" for member in members),
                tuple(member.name for member in members if state.free(member.id)) if state.won_by is None else ())


def _pairing(state: State, sheets: Sheets, bout: Bout, viewer: Perspective, acts: bool) -> Pairing:
    mine = any(state.keeper(who) in viewer.plays for who in (bout.ours, bout.theirs))
    over = _over(state, bout) if bout.closed else ""
    secret = tuple(state.name_of(who) for who, _ in bout.chosen) if each_chooses(state, bout) else ()
    rounds = tuple(_line(_number(state, bout, place), line) for place, line in enumerate(bout.rounds))
    corners = [_corner(state, sheets, bout, who, viewer) for who in (bout.ours, bout.theirs)]
    return Pairing(bout.number, corners[0], corners[1], mine, acts, over, rounds[:-2], rounds[-2:], secret)


def _over(state: State, bout: Bout) -> str:
    """How a pair came to its end, with the name of whoever let go of it."""
    if bout.why in LET_GO:
        who = [fighter for fighter in (bout.ours, bout.theirs) if state.entrant(fighter).status == bout.why]
        if not who and bout.why == DEAD:  # and lives again, while the other one is out
            return "over"
        if not who and bout.rounds:  # away from this one alone, by a round that was won for it
            last = bout.rounds[-1]
            who = [last.first if last.outcome == "victory" else last.second]
        verb = LET_GO[bout.why]
        return f"{join([state.name_of(id_) for id_ in who])} {verb}" if who else verb
    return {"beaten": "over", "removed": "over", "paired again": "parted"}.get(bout.why, bout.why)


def _number(state: State, bout: Bout, place: int) -> int:
    """The round that the pair's round of this place was."""
    mine = [number for number, line in state.record if line.kind in ("round", "exchange") and line.bout == bout.number]
    return mine[place]


def _corner(state: State, sheets: Sheets, bout: Bout, who: str, viewer: Perspective) -> Corner:
    entrant, symbol = state.entrant(who), state.settings.symbol
    points = bout.points[bout.place(who)]
    resists = entrant.part.resistance is not None
    ability = entrant.part.ability if resists else entrant.using.name if entrant.using else ""
    known = resists or entrant.using is not None
    face = not is_known(sheets, who)
    lasts = state.policy.kind_of(CONSEQUENCE)
    hurts = entrant.hurts if isinstance(entrant, ChainedContestant) else ()
    notes = [f"{name}, {worth(lasts, rank, symbol, state.edition)}" for rank, name in hurts]
    notes += [f"{line.label}, {counts(line, state)}" for line in entrant.part.binds
              if not face and counts_with(line.modifier, (entrant.part.ability,))]
    if bout.initiative == who and not bout.closed:
        notes.append("has the initiative")
    choice = bout.choice(who)
    if choice and not each_chooses(state, bout) and choice.tactic != "normal":
        notes.append({"risky": "makes a risky gambit", "defensive": "makes a defensive response"}[choice.tactic])
    goal = state.edition.scored.to_win
    filled = min(points, goal)
    cells = tuple(number < filled for number in range(goal)) if isinstance(entrant, ScoredContestant) else ()
    meter, left = _meter(state, entrant, viewer) if isinstance(entrant, Bidder) else ("", -1)
    if face:
        ability, known = "unknown", False
        meter, left = ("not yet known" if meter else ""), -1
    return Corner(entrant.name, ability, notation(state.target(who), symbol) if known else "", points, cells,
                  entrant.status != "in", tuple(notes), meter, left)


def knows(state: State, who: Bidder, viewer: Perspective) -> bool:
    """Whether a viewer may know somebody's total: that of one's own side, and what was asked for (QW-52)."""
    own = {contestant.part.side for contestant in state.contestants if state.keeper(contestant.id) in viewer.plays}
    return viewer.runs or who.asked or who.part.side in own


def _meter(state: State, who: Bidder, viewer: Perspective) -> tuple[str, int]:
    """Advantage points in words, and how much of the start they are."""
    if not knows(state, who, viewer):
        return "not yet known", -1
    if not who.armed:
        return "no points yet", 0
    left = max(0, min(100, 100 * who.ap // who.start)) if who.start > 0 else 0
    return f"{str(who.ap).replace('-', '−')} of {who.start}", left


def _lies(state: State, sheets: Sheets, throw: Throw) -> RoundLine:
    """Dice that somebody still decides on, and what they come to if nothing is spent."""
    thrown, clash = throw.thrown, state.clash(throw)
    names = (thrown.first_name, thrown.second_name or "The resistance")
    dice = tuple(Die(SIDES, face, name) for face, name in zip(thrown.dice, names, strict=True))
    ours, theirs = (result.word for result in clash.results)
    return RoundLine(0, dice, f"{names[0]}: {ours}. {names[1]}: {theirs}.", f"{names[0]}: {came(state, sheets, throw)}")


def _line(number: int, one: Resolved) -> RoundLine:
    dice = tuple(Die(SIDES, face, name or "the resistance") for face, name in zip(one.dice, one.names, strict=True))
    tactics = {"risky": " (a gambit)", "defensive": " (a defence)"}
    ours, theirs = (f"{result}{tactics.get(tactic, '')}"
                    for result, tactic in zip(one.results, one.tactics, strict=True))
    return RoundLine(number, dice, f"{ours} against {theirs}", one.told, ROLLED.get(one.kind, ""))


def _follower(state: State, who: Contestant) -> str:
    what = {"contestant": "a contestant", "secondary": "takes points over", "supporter": "in the background"}
    points = who.points if isinstance(who, ScoredContestant) else 0
    taken = f", {points} of 3" if points else ""
    gone = ", out" if who.status != "in" else ""
    return f"with {state.name_of(who.part.leader)}, {what[who.part.role]}{taken}{gone}"
