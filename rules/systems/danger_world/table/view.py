"""A check as its page draws it: the pool with its reasons, the dice and what best play keeps, the heights."""
from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from rules.engine import Sheets
from rules.procedure import Participant, Perspective, View
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import HEIGHTS
from rules.systems.danger_world.hint import hint, pool_odds
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool, bonus_dice, is_botch
from rules.systems.danger_world.reading import botches, dice, rank_word
from rules.systems.danger_world.reckoning import Reason, Terms
from rules.systems.danger_world.table.challenges import try_again
from rules.systems.danger_world.table.pooling import said_by, terms_of
from rules.systems.danger_world.table.sets import HEIGHT_1
from rules.systems.danger_world.table.state import Phase, State
from rules.systems.danger_world.table.throws import result_words
from rules.systems.danger_world.track_view import Track, track
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.wording import percent

MOMENTS = ("The pool", "Re-rolls", "The set", "Costs")
MOMENT_OF = {Phase.POOL: 0, Phase.REROLL: 1, Phase.CHOOSE: 2, Phase.HEAL: 2, Phase.WONDER: 2, Phase.BENEFIT: 2,
             Phase.COSTS: 3}


@dataclass(frozen=True, slots=True)
class DieRow:
    """A die on the table: whether it may be rolled again, whether best play keeps it, what it is under the set."""

    index: int
    face: int
    kind: str
    free: bool
    keep: bool
    in_set: bool
    botch: bool
    ticked: bool = False  # as best play has it

    @property
    def sides(self) -> int:
        """How many sides it has."""
        return SIDES

    @property
    def id(self) -> str:
        """What it is sent as."""
        return str(self.index)

    @property
    def words(self) -> str:
        """What is told below it."""
        told = ((self.kind != "action", self.kind), (self.in_set, "set"), (self.botch, "botch"))
        return " ".join(word for flag, word in told if flag)

    @property
    def spoken(self) -> str:
        """The die for those who listen."""
        words = [str(self.face), *([self.kind] if self.kind != "action" else [])]
        words += [word for flag, word in (
            (self.in_set, "in the set"), (self.botch, "a botch"), (self.keep, "best kept")) if flag]
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class HeightRow:
    """One height of the table of accomplishments."""

    height: int
    word: str
    does: str
    goal: bool
    used: bool


@dataclass(frozen=True, slots=True)
class CheckDetail:
    """What the page of a check draws besides its heading. `chance` is of the hint, "" where there is none.

    `yours`: the viewer plays this character. `gm_first`: the check waits for the GM and not for the player. `ways`
    compares keeping all, sparing botches, reaching higher. `ruling` is what is to be known of a set of height 1 where
    there is one. `again` is the query of a further try at the challenge, "" where it is overcome.
    """

    who: str
    yours: bool
    gm_first: bool
    phase: str
    moments: tuple[tuple[str, bool], ...]
    reasons: tuple[Reason, ...]
    pool: Pool | None
    problem: str
    difficulty: int
    why: tuple[str, ...]
    warning: str
    odds: OddsAnswer | None
    dice: tuple[DieRow, ...]
    came: str
    tone: str
    chance: str
    ways: tuple[str, ...]
    rows: tuple[HeightRow, ...]
    ruling: str
    again: str
    height: int | None
    botches: int
    left: int
    track: Track

    @property
    def to_spend(self) -> str:
        """The botches that the GM still has, while costs are said."""
        return f"{botches(self.left)} left to spend." if self.phase == Phase.COSTS.value and self.left else ""

    @property
    def rolling_again(self) -> str:
        """What rolling the marked dice again gives."""
        return f"{self.chance} to accomplish it with the best re-rolls" if self.chance else "The dice that you tick"


SAID = {Phase.BLANK: "It has not begun.", Phase.OVER: "The check is over."}


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The check as this viewer sees it. Nothing in it is secret."""
    difficulty = state.difficulty or state.rated.difficulty
    here = tuple(Participant(who, sheets[who].name, "", current=who == state.who)
                 for who in (state.who, state.beside) if who in sheets)
    detail = _detail(state, sheets[state.who], viewer, rolling=state.rerolls(sheets)) if state.who in sheets else None
    return View(f"Difficulty {difficulty}, {rank_word(difficulty)}", SAID.get(state.phase, ""), (here,),
                _facts(state, viewer), detail)


def _facts(state: State, viewer: Perspective) -> tuple[str, ...]:
    """What the GM can't do now, and why."""
    if viewer.runs and state.phase is Phase.POOL and not state.general:
        return ("The general pool is empty, so no dark side can be paid for.",)
    return ()


def _detail(state: State, sheet: Sheet, viewer: Perspective, *, rolling: bool) -> CheckDetail:
    known: Terms | None = None
    problem = ""
    before = state.phase is Phase.POOL
    if state.proposal and before:
        try:
            known = terms_of(state, sheet, state.proposal)
        except BadMove as bad:
            problem = bad.sentence
    pool = state.pool or (known.pool if known else None)
    rated, said = state.rated, said_by(state, sheet)
    difficulty = state.difficulty or rated.difficulty
    shown, chance, ways = _dice(state, rolling)
    at = MOMENT_OF.get(state.phase, len(MOMENTS))
    return CheckDetail(
        who=state.who, yours=state.who in viewer.plays, phase=state.phase.value,
        gm_first=state.phase in (Phase.WONDER, Phase.BENEFIT, Phase.COSTS) or state.waits_for_agreement,
        moments=tuple((name, index == at) for index, name in enumerate(MOMENTS)),
        reasons=known.reasons if known else state.reasons, pool=pool,
        problem=problem, difficulty=difficulty, why=(*([said] if said else ()), *(step.text for step in rated.steps)),
        warning=rated.warning,
        odds=pool_odds(known) if viewer.odds and known else None, dice=shown,
        came=_came(state), tone=_tone(state), chance=chance, ways=ways,
        rows=_rows(state, difficulty),
        ruling=HEIGHT_1 if state.height == 1 or (state.height is None and 1 in state.sets) else "",
        again=urlencode(try_again(state)) if state.phase is Phase.OVER and not state.overcame else "",
        height=state.height, botches=sum(1 for die in shown if die.botch), left=state.botches, track=track(sheet),
    )


def _height(state: State) -> int:
    """Of the set that was used, else of the highest as the dice lie; 0 where there is none."""
    return state.height if state.height is not None else max(state.sets, default=0)


def _came(state: State) -> str:
    """What the dice come to in a sentence; "" before they fell."""
    if state.pool is None:
        return ""
    height = _height(state)
    which = f"Height {height}" if height else "No set"
    lies = "" if state.height is not None else " as the dice lie"
    return f"{which}{lies}: {result_words(state, height)}."


def _tone(state: State) -> str:
    """Whether that is good, with a set that is too low fair."""
    height = _height(state)
    return "" if state.pool is None else "bad" if not height else "good" if height >= state.difficulty else "fair"


def _dice(state: State, rolling: bool) -> tuple[tuple[DieRow, ...], str, tuple[str, ...]]:
    """The dice, and where it is shown the chance of best play and the ways on to compare."""
    if state.pool is None:
        return (), "", ()
    pool = state.pool
    keep: tuple[int, ...] = ()
    chance, ways = "", tuple[str, ...]()
    if rolling and state.settings.hint and pool.own:
        best = hint(state.own_faces, state.difficulty, ROUNDS - state.rounds)
        keep, chance = best.keep, percent(best.chance)
        ways = tuple(way.told(state.own_faces) for way in best.ways)
    height = _height(state)
    # Action dice fill a set first.
    used = [index for index in range(pool.own) if height and state.faces[index] == height][:height]
    rows = tuple(
        DieRow(index, face, pool.kind(index), rolling and index < pool.own, index in keep,
               index in used and (height > 1 or not rolling),
               is_botch(face, height, threat=pool.kind(index) == "threat"), bool(chance) and index not in keep)
        for index, face in enumerate(state.faces)
    )
    return rows, chance, ways


def _rows(state: State, difficulty: int) -> tuple[HeightRow, ...]:
    return tuple(
        HeightRow(height, rank_word(height), _row_words(state, difficulty, height), height == difficulty,
                  height == state.height)
        for height in HEIGHTS
    )


def _row_words(state: State, difficulty: int, height: int) -> str:
    """What a set of this height comes to in this check; it is the difficulty that says what is accomplished."""
    over = height - difficulty
    if over < 0:
        return f"a partial success: {dice(bonus_dice(height, difficulty), 'bonus')}"
    if state.is_aid:
        return state.row_words(height)
    if not over:
        return state.row_words(state.base) or "accomplished"
    benefit = state.row_words(state.base + over)
    such = f", which may be: {benefit}" if benefit else ""
    return f"the same, {dice(over, 'bonus')} and a benefit{such}"
