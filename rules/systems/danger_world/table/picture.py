"""What the page of a check draws: the pool with its reasons, the dice and what best play keeps, the heights."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.sheet import Sheet
from rules.systems.danger_world.goal import chance_of
from rules.systems.danger_world.hint import hint, outlook
from rules.systems.danger_world.play import MOST_DICE
from rules.systems.danger_world.pool import ROUNDS, Pool, bonus_dice, is_botch
from rules.systems.danger_world.reading import rank_word
from rules.systems.danger_world.table.accomplished import HEIGHTS, by_height
from rules.systems.danger_world.table.pooling import Reason, pool_from, reasons
from rules.systems.danger_world.table.state import Phase, State
from rules.systems.danger_world.trackdraw import Track, track
from rules.tables import Cell, Reckoned, decimal
from rules.values import BadMove


@dataclass(frozen=True)
class Lies:
    """A die on the table: whether it may be rolled again, whether best play keeps it, what it is under the set."""

    index: int
    face: int
    kind: str
    free: bool
    keep: bool
    in_set: bool
    botch: bool

    @property
    def heard(self) -> str:
        """The die for those who listen."""
        words = [str(self.face), *([self.kind] if self.kind != "action" else [])]
        words += [word for flag, word in (
            (self.in_set, "in the set"), (self.botch, "a botch"), (self.keep, "best kept")) if flag]
        return ", ".join(words)


@dataclass(frozen=True)
class Row:
    """One height of the table of accomplishments."""

    height: int
    word: str
    does: str
    goal: bool
    used: bool


@dataclass(frozen=True)
class Drawn:
    """A check as its page draws it."""

    phase: str
    moments: tuple[tuple[str, bool], ...]
    reasons: tuple[Reason, ...]
    pool: Pool | None
    problem: str
    difficulty: int
    word: str
    why: tuple[str, ...]
    warning: str
    odds: Reckoned | None
    dice: tuple[Lies, ...]
    hinted: bool
    chance: str
    rows: tuple[Row, ...]
    height: int | None
    botches: int
    left: int
    track: Track


def reckon(pool: Pool, difficulty: int) -> Reckoned:
    """The exact odds of a pool: each height under best play toward the difficulty, and the botches to expect."""
    if pool.own > MOST_DICE:
        chance = chance_of(pool.own, difficulty)
        return Reckoned((("Accomplished", chance, "good"), ("Not accomplished", 1 - chance, "bad")),
                        (f"With more than {MOST_DICE} dice only this is worked out.",))
    seen = outlook(pool, difficulty)
    shares = []
    for height in (6, 5, 4, 3, 2, 1):
        if chance := seen.heights.get(height, Fraction(0)):
            tone = "good" if height >= difficulty else "fair"
            shares.append((f"Height {height}, {rank_word(height)}", chance, tone))
    shares.append(("No set", seen.heights.get(None, Fraction(0)), "bad"))
    facts = (f"Best play accomplishes it in {Cell(seen.chance).percent}.",
             f"{decimal(seen.botches, 2)} botches on average.")
    return Reckoned(tuple(shares), facts)


def picture(state: State, sheet: Sheet) -> Drawn:
    """The check as it stands."""
    told: tuple[Reason, ...] = ()
    problem = ""
    if state.proposal and state.phase is Phase.POOL:
        try:
            told = reasons(state, sheet, state.proposal)
        except BadMove as bad:
            problem = bad.sentence
    pool = state.pool or (pool_from(told) if told else None)
    rated = state.rated
    difficulty = state.difficulty or rated.difficulty
    before = state.phase is Phase.POOL
    dice, hinted, chance = _dice(state)
    at = {Phase.POOL: 0, Phase.REROLL: 1, Phase.CHOOSE: 2, Phase.HEAL: 2, Phase.COSTS: 3}.get(state.phase, 4)
    names = ("The pool", "Re-rolls", "The set", "What it costs")
    return Drawn(
        state.phase.value, tuple((name, index == at) for index, name in enumerate(names)), told, pool, problem,
        difficulty, rank_word(difficulty), tuple(step.text for step in rated.steps), rated.warning,
        reckon(pool, difficulty) if before and pool else None, dice, hinted, chance, _rows(state, difficulty),
        state.height, _botches(state), state.botches, track(sheet),
    )


def _botches(state: State) -> int:
    return sum(1 for each in _dice(state)[0] if each.botch)


def _dice(state: State) -> tuple[tuple[Lies, ...], bool, str]:
    if state.pool is None:
        return (), False, ""
    pool, rolling = state.pool, state.phase is Phase.REROLL
    left = ROUNDS - state.rounds
    keep: tuple[int, ...] = ()
    chance = ""
    if rolling and state.hint and pool.own:
        found = hint(state.own_faces, state.difficulty, left)
        keep, chance = found.keep, Cell(found.chance).percent
    height = state.height if state.height is not None else max(state.sets, default=0)
    # Action dice fill a set first.
    used: set[int] = set()
    for index in range(pool.own):
        if height and state.faces[index] == height and len(used) < height:
            used.add(index)
    lies = tuple(
        Lies(index, face, pool.kind(index), rolling and index < pool.own, index in keep,
             index in used and (height > 1 or not rolling),
             is_botch(face, height, threat=pool.kind(index) == "threat"))
        for index, face in enumerate(state.faces)
    )
    return lies, bool(chance), chance


def _rows(state: State, difficulty: int) -> tuple[Row, ...]:
    table = by_height(state)
    rows = []
    for height in HEIGHTS:
        over = bonus_dice(height, difficulty)
        extra = f"{over} bonus {'die' if over == 1 else 'dice'}" if over else ""
        part = f"a part of it, {extra}" if height < difficulty else extra
        does = table[height - 2] if table and height >= difficulty and table[height - 2] else ""
        rows.append(Row(height, rank_word(height), "; ".join(filter(None, (does, part))), height == difficulty,
                        height == state.height))
    return tuple(rows)
