"""The one way to a roll: `terms` before the dice, `settle` after them (QW-05, QW-11, QW-21, QW-22, QW-60, QW-61).

    ours = Party(17, uses(ilse, "knife"), binding(ilse, [knife]))  # the score, the lines that it is, what counts for it
    clash = settle(terms(ours, Party(14)), (9, 12))                # what those faces come to

Tray, chip, asked roll, framed form, group, two against each other, flaw, augment, healing, best ways, long contests,
the community and the page of odds make their rolls here and nowhere else. What counts is a `Modifier`; one that touches
abilities counts with those alone, and several that have a rank are put together by rank.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from rules.sheet import Sheet, Trait
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import (
    CONSEQUENCE,
    STATES,
    adds,
    bumps_down,
    family,
    lasting,
    score_of,
    touches,
    usable,
)
from rules.wording import join

LASTING = "lasting"


@dataclass(frozen=True)
class Modifier:
    """What counts: for whom, of which kind, what it is called, how much, and from which line of a sheet."""

    who: str
    kind: str
    label: str
    amount: int
    reason: str = ""
    source: str = ""
    down: int = 0  # bumps down in the place of a number
    sources: tuple[str, ...] = ()  # all lines that it comes of, where they are several
    touches: tuple[str, ...] = ()  # the abilities with which it counts; () for whatever is used
    rank: int | None = None  # of what is put together by rank, below 0 a consequence's; None counts by its amount
    said_by: str = ""  # whose player said that it counts; "" where it binds, or the GM did


@dataclass(frozen=True)
class Party:
    """A side of a contest: the score that it uses (None: none fits), the lines of a sheet that this is, what counts."""

    score: int | None
    uses: tuple[str, ...] = ()
    counts: tuple[Modifier, ...] = ()
    point: bool = False  # whether a story point is spent
    stretch: bool = False  # whether what is used is one, which matters to a degree (QW-A1)


@dataclass(frozen=True)
class Kept:
    """What was rolled with, as it stands with the dice: numbers that nobody reckons anew."""

    ability: int | None
    modifiers: tuple[int, ...]
    resistance: int
    resistance_modifiers: tuple[int, ...]
    tie_to_player: bool
    down: tuple[int, int]
    degrees: bool
    stretches: tuple[bool, bool]

    def terms(self, points: tuple[bool, bool], edition: Edition) -> Terms:
        """The terms again, with the story points that were spent."""
        return Terms(self.ability, self.modifiers, self.resistance, self.resistance_modifiers, points,
                     self.tie_to_player, self.down, self.degrees, self.stretches, edition)


def kept(roll: Terms) -> Kept:
    """Terms as they are kept with the dice."""
    return Kept(roll.ability, roll.modifiers, roll.resistance, roll.resistance_modifiers, roll.tie_to_player,
                roll.down, roll.degrees, roll.stretches)


def terms(
    ours: Party, theirs: Party, *, tie_to_player: bool = False, degrees: bool = False, edition: Edition = FIRST
) -> Terms:
    """What a contest is rolled with, of those modifiers that count with what is used; where no ability fits, by that.

    >>> hurt = Modifier("i", "lasting", "Cut hand", -6, touches=("knife",), rank=-2)
    >>> terms(Party(17, ("knife",), (hurt,)), Party(14)).score, terms(Party(13, ("songs",), (hurt,)), Party(14)).score
    (11, 13)
    """
    mine, their = counting(ours.counts, ours.uses, edition), counting(theirs.counts, theirs.uses, edition)
    stands = edition.resolution.no_ability if theirs.score is None else theirs.score
    return Terms(
        ours.score, tuple(line.amount for line in mine if line.amount), stands,
        tuple(line.amount for line in their if line.amount), (ours.point, theirs.point), tie_to_player,
        down=(sum(line.down for line in mine), sum(line.down for line in their)), degrees=degrees,
        stretches=(ours.stretch, theirs.stretch), edition=edition)


def settle(
    roll: Terms, faces: tuple[int, int], spent: tuple[bool, bool] | None = None, *, assured: bool = False
) -> Clash:
    """What these faces come to, with the story points that were `spent`; None leaves those of the terms.

    Where the victory is assured, the masteries that a resistance is short of help (QW-40).

    >>> settle(terms(Party(17), Party(14)), (9, 12)).outcome
    'defeat'
    """
    clash = (roll if spent is None else replace(roll, story_points=spent)).clash(faces)
    return replace(clash, lift=roll.lift) if assured else clash


def counts_with(line: Modifier, used: Collection[str]) -> bool:
    """Whether a modifier counts with what is used."""
    return not line.touches or not {*line.touches}.isdisjoint(used)


def counting(lines: Iterable[Modifier], used: Collection[str], edition: Edition = FIRST) -> tuple[Modifier, ...]:
    """Those that count with what is used; what is put together by rank is one, where the first of it stood (QW-61)."""
    counted = [line for line in lines if counts_with(line, used)]
    ranked = [line for line in counted if line.rank is not None]
    if len(ranked) < 2:
        return tuple(counted)
    one = _together(ranked, edition)
    return tuple(one if line is ranked[0] else line for line in counted if line is ranked[0] or line.rank is None)


def _together(ranked: Sequence[Modifier], edition: Edition) -> Modifier:
    amount = edition.modifiers.of_rank(edition.modifiers.held(sum(line.rank or 0 for line in ranked)))
    reasons = dict.fromkeys(line.reason for line in ranked if line.reason)
    return replace(
        ranked[0], label=join([f"{line.label} {signed(line.amount)}" for line in ranked]), amount=amount,
        reason="; ".join(reasons), sources=tuple(source for line in ranked for source in line.sources),
        touches=(), rank=None)


def uses(*used: Trait | None, name: str = "") -> tuple[str, ...]:
    """What a side uses, by its lines; by `name` where it stands on no sheet yet."""
    return tuple(trait.id for trait in used if trait) or ((name,) if name else ())


def lasting_line(sheet: Sheet, line: Trait, by_value: bool = False, edition: Edition = FIRST, by: str = "") -> Modifier:
    """A consequence or a benefit as it counts, with the abilities of its sheet that it touches (QW-60).

    `by` is the name of the character whose player says that it counts.
    """
    touched = [trait for trait in usable(sheet) if touches(line, trait, sheet)]
    ranked = not by_value and line.kind not in STATES
    reason = f"{by} says so" if by else f"it touches {join([trait.name for trait in touched])}" if touched else ""
    return Modifier(
        sheet.id, LASTING, line.name, adds(line, edition), reason, line.id, bumps_down(line), (line.id,),
        tuple(trait.id for trait in touched),
        (-line.value if line.kind == CONSEQUENCE else line.value) if ranked else None, sheet.id if by else "")


def binding(
    sheet: Sheet, used: Sequence[Trait], by_value: bool = False, edition: Edition = FIRST
) -> tuple[Modifier, ...]:
    """What lasts and touches one of the abilities that are used: it counts, whoever rolls (QW-60).

    An ability that is made up now is on no sheet yet: it counts by its name.
    """
    return tuple(
        replace(made, touches=(*made.touches, *(trait.name for trait in used if not trait.id)))
        for line in lasting(sheet) if any(touches(line, trait, sheet) for trait in used)
        for made in [lasting_line(sheet, line, by_value, edition)])


def stands_at(
    sheet: Sheet, trait: Trait, base: int, by_value: bool = False, edition: Edition = FIRST
) -> tuple[int, str]:
    """What somebody's line stands for as a resistance, never under the least, and how that came (QW-03)."""
    score = score_of(trait, sheet) or base
    lines = counting(binding(sheet, [trait], by_value, edition), (trait.id,), edition)
    worth = "".join(f", {signed(line.amount)} for {line.label}" for line in lines)
    number = score + sum(line.amount for line in held(lines, score, (trait.id,), edition))
    return max(edition.difficulty.least, number), f"{trait.name}{worth}"


def strongest(
    sheet: Sheet, base: int = 0, by_value: bool = False, edition: Edition = FIRST
) -> tuple[Trait | None, int]:
    """The line with which somebody stands highest as a resistance, with all that counts on it (QW-03, QW-60).

    None and the base for a sheet without one.
    """
    stands = {trait: stands_at(sheet, trait, base, by_value, edition)[0] for trait in usable(sheet)
              if score_of(trait, sheet) is not None}
    best = max(stands, key=lambda trait: (stands[trait], trait.name), default=None)
    return best, stands[best] if best else base


def held(
    lines: Sequence[Modifier], score: int, used: Collection[str], edition: Edition = FIRST
) -> tuple[Modifier, ...]:
    """What lasts for whoever stands against a roll, never so much that they stand under the least (QW-03)."""
    counted, least = counting(lines, used, edition), edition.difficulty.least
    if not counted or score + sum(line.amount for line in counted) >= least:
        return tuple(lines)
    labels = join([line.label for line in counted])
    return (replace(counted[0], label=labels, amount=min(0, least - score), touches=(), rank=None,
                    down=sum(line.down for line in counted),
                    sources=tuple(source for line in counted for source in line.sources)),)


def of_itself(trait: Trait, used: Iterable[tuple[str, str, str]], *, packages: bool = False) -> str:
    """Why a line can't augment what is used: it is that, or stands in the same keyword; "" where it can (QW-22).

    `used` are the id, the name and the keyword's id of each ability that is used.
    """
    for id_, name, keyword in used:
        if name and (trait.id == id_ or (not id_ and trait.name == name)):
            return "An ability does not augment itself. Choose another one."
        # In a package each ability stands for itself; only the keyword that is the shorthand for it does not help it.
        near = trait.id == keyword or id_ == trait.parent != ""
        if keyword and family(trait) == keyword and (near or not packages):
            return "An ability in the same keyword can’t augment it. Choose one from outside."
    return ""


def told(line: Modifier, symbol: str) -> str:
    """What a modifier comes to, as people read it: `−6`, `one bump down`."""
    return said(line.amount, line.down, symbol)


def listed(line: Trait, symbol: str, edition: Edition) -> str:
    """A line that lasts as a list offers it: `Cut hand −6 (Knife)`."""
    return f"{line.name} {worth_of(line, symbol, edition)}{f' ({line.note})' if line.note else ''}"
