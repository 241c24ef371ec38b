"""What a page shows whoever is asked in a duel: splits, what can be added after the dice, an impasse."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from rules.moves import Die
from rules.procedure import Perspective
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel import lull
from rules.systems.pdq_sharp.duel.forecast import Addition, with_additions
from rules.systems.pdq_sharp.duel.odds import Pair, foes_dice, form_of, more_dice, table
from rules.systems.pdq_sharp.duel.offers import SPLITS
from rules.systems.pdq_sharp.duel.state import Fencer, State
from rules.systems.pdq_sharp.duel.touch import Attack, attacks
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.duel_turn import WORDS
from rules.systems.pdq_sharp.keep import drawn
from rules.wording import join, percent


@dataclass(frozen=True, slots=True)
class ClashRow:
    """One attack as it stands: who, against whom, both totals, what comes of it; `touch` whether it hurts."""

    by: str
    on: str
    attack: str
    defence: str
    verdict: str
    touch: bool


Levels = tuple[tuple[int, tuple[tuple[str, Pair], ...]], ...]


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A split against each that a foe may choose, with no more dice, with one, and so on.

    `tables` has one such table, and where a foe could add dice another for all of those.
    """

    name: str
    words: str
    split: str
    attack: int
    tables: tuple[Levels, ...]


@dataclass(frozen=True, slots=True)
class Stance:
    """What dividing the dice leads to, for one who has yet to choose: a table for each foe.

    `more` is how many dice they could add after the throw, as the tables count them; `means` says from where. `foes`
    says how many each foe could add, "" where none can; `unknown` are those against whom no chances can be told.
    """

    who: str
    name: str
    mod: str
    against: tuple[tuple[str, str, tuple[SplitRow, ...]], ...]
    columns: tuple[str, ...]
    more: tuple[int, ...]
    means: str
    foes: str
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """What one who is asked after the dice can add, and what it would lead to."""

    who: str
    name: str
    clashes: tuple[ClashRow, ...]
    additions: tuple[Addition, ...]


@dataclass(frozen=True, slots=True)
class LullRow:
    """Something that can be added to an impasse, and the chance that it is enough."""

    id: str
    label: str
    chance: str


@dataclass(frozen=True, slots=True)
class LullCast:
    """A roll of an impasse as it lies."""

    name: str
    dice: tuple[Die, ...]
    adds: str
    total: int


@dataclass(frozen=True, slots=True)
class Lull:
    """An impasse: both rolls, who is asked, and what they can add (for them alone)."""

    casts: tuple[LullCast, ...]
    who: str
    additions: tuple[LullRow, ...]


def clash_row(state: State, each: Attack) -> ClashRow:
    """One attack as it stands."""
    if each.touches:
        verdict = f"touches for {each.hurts}"
    elif each.tie:
        verdict = "a tie: a rank for the attacker" if each.costs else "a tie: nothing happens"
    else:
        verdict = f"misses by {-each.margin}"
    by, on = state.fencer(each.by).name, state.fencer(each.on).name
    return ClashRow(by, on, _shown(each.attack), _shown(each.defence), verdict, each.touches or bool(each.costs))


def _shown(total: int) -> str:
    return f"−{-total}" if total < 0 else str(total)


def stance_of(state: State, sheets: Sheets, who: Fencer, viewer: Perspective) -> Stance:
    """The tables of somebody who divides their dice; none against a foe whose numbers may not be counted."""
    many, means = more_dice(state, sheets, who)
    levels = tuple(range(many + 1))
    foes = [state.fencer(each) for each in state.foes_of(who.id)]
    theirs = {each: foes_dice(state, sheets, who, each) for each in foes}
    against, unknown = [], [each.name for each in foes if not viewer.may_count(sheets, each.id)]
    for foe in foes:
        counted = () if foe.name in unknown else (0, theirs[foe]) if any(theirs.values()) else (0,)
        whole = viewer.whole or sheets
        tables = [{more: dict(table(state, whole, who.id, foe.id, more, dice)) for more in levels} for dice in counted]
        rows = tuple(SplitRow(own, WORDS[own].capitalize(), split, int(split[0]), tuple(
            tuple((more, tuple((SPLITS[other], pair) for other, pair in cells[own])) for more, cells in each.items())
            for each in tables)) for own, split in SPLITS.items())
        against.append((foe.id, foe.name, rows))
    text = join([f"{each.name} +{dice}" for each, dice in theirs.items() if dice], empty="")
    return Stance(who.id, who.name, signed(form_of(state, sheets, who).attack), tuple(against),
                  tuple(SPLITS.values()), levels, means, text, join(unknown, empty=""))


def ellipsis_of(state: State, sheets: Sheets, who: str) -> Ellipsis:
    """What somebody who is asked can add, and what it would lead to."""
    throw = state.throw_of(who)
    among = tuple(state.reach(who))
    rows = tuple(clash_row(state, each) for each in attacks(state, among) if who in (each.by, each.on))
    return Ellipsis(who, state.fencer(who).name, rows, with_additions(state, sheets, throw) if throw else ())


def lull_of(state: State, sheets: Sheets, asked: bool) -> Lull:
    """An impasse as it lies."""
    who, keep = lull.decider(state), state.settings.impasse_dice
    casts = tuple(
        LullCast(state.fencer(each.who).name, drawn(each.faces, keep),
                 signed(lull.total(state, each) - sum(die.face for die in drawn(each.faces, keep) if die.kept)),
                 lull.total(state, each)) for each in state.lull)
    rows = []
    for what, label in lull.additions(state, sheets, who) if asked else ():
        counted = Counter(lull.outcomes(state, who, what))
        rows.append(LullRow(what, label, percent(Fraction(counted[True], counted.total()))))
    return Lull(casts, who, tuple(rows))
