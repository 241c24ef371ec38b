"""The one way to a check: `terms` before its dice, `settle` after them (DW-02 to DW-11, DW-14).

    known = terms(sheet, Proposal((agility, speed)), rate(3, ()), ())   # pool, difficulty, and why
    by_number(Pool(6, 1), 3)                                            # the page of odds, where no more is known
    came = settle(known.pool, faces, 3, known.difficulty)               # what a set of height 3 comes to

Whatever shows or rolls a check asks here; nothing else adds a die or reads one.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.moves import Step
from rules.sheet import Sheet, Trait
from rules.systems.danger_world.challenge import Rated, rate
from rules.systems.danger_world.pool import Pool, Table, bonus_dice
from rules.systems.danger_world.reading import ASPECTS, BONUS, POINTS, STAT, dice, filled, growable, level_of, rank_at
from rules.systems.danger_world.track import BASHED, STUNNED
from rules.values import BadMove, Value
from rules.wording import join


@dataclass(frozen=True)
class Invoked:
    """Story points on an aspect. A new one has no id yet: `name`, and the id of its parent ("new" for a primary)."""

    aspect: str
    points: int
    name: str = ""
    under: str = ""


@dataclass(frozen=True)
class Proposal:
    """What a player wants to throw, by ids of the sheet's lines."""

    stats: tuple[str, str]
    bonus: tuple[str, ...] = ()
    invoked: tuple[Invoked, ...] = ()
    danger: int = 0
    undoes: str = ""


@dataclass(frozen=True)
class Reason:
    """So many dice of a kind (`action`, `danger`, `threat`), and why; less than 0 takes away."""

    dice: int
    kind: str
    why: str
    rule: str

    @property
    def less(self) -> int:
        """How many dice it takes away."""
        return max(0, -self.dice)

    @property
    def counts(self) -> str:
        """`+1 threat die`."""
        kind = "" if self.kind == "action" else self.kind
        return f"{'−' if self.dice < 0 else '+'}{dice(abs(self.dice), kind)}"

    @property
    def step(self) -> Step:
        """`+1 threat die: Bashed.`"""
        return Step(self.rule, f"{self.counts}: {self.why}.")


@dataclass(frozen=True)
class Terms:
    """A check before its dice: the pool, each die with its reason, and the difficulty, each modifier with its own."""

    pool: Pool
    reasons: tuple[Reason, ...]
    rated: Rated

    @property
    def difficulty(self) -> int:
        """The height that accomplishes it."""
        return self.rated.difficulty

    @property
    def words(self) -> str:
        """`5 dice, 2 danger dice and 1 threat die`."""
        kinds = ((self.pool.action, ""), (self.pool.danger, "danger"), (self.pool.threat, "threat"))
        return join([dice(number, kind) for number, kind in kinds if number], empty="no dice")

    @property
    def steps(self) -> tuple[Step, ...]:
        """The pool, explained line by line."""
        return tuple(reason.step for reason in self.reasons)


def terms(sheet: Sheet, proposal: Proposal, rated: Rated, threats: Iterable[Reason]) -> Terms:
    """Before the dice: what this one throws with what was ticked, against what, with what stands in the way.

    `threats` are the threat dice of the challenge. Raises `BadMove` for what is not on the sheet any more, or too much.
    """
    reasons = (*_stats(sheet, proposal.stats), *_helpful(sheet, proposal), *_stunned(sheet),
               *_danger(sheet, proposal.danger), *_bashed(sheet), *threats)
    action, danger, threat = (
        max(0, sum(reason.dice for reason in reasons if reason.kind == kind)) for kind in ("action", "danger", "threat")
    )
    return Terms(Pool(action, danger, threat), reasons, rated)


def by_number(pool: Pool, difficulty: int) -> Terms:
    """A check of which no more is known than its dice and its difficulty."""
    kinds = ((pool.action, "action", "DW-02"), (pool.danger, "danger", "DW-08"), (pool.threat, "threat", "DW-02"))
    reasons = tuple(Reason(number, kind, "As many as were named", rule) for number, kind, rule in kinds if number)
    return Terms(pool, reasons, rate(difficulty, ()))


@dataclass(frozen=True)
class Settled:
    """What the dice come to with the set of this height, 0 for none."""

    sets: tuple[int, ...]
    height: int
    difficulty: int
    botches: int
    danger: int  # danger dice in the set, so many levels

    @property
    def accomplished(self) -> bool:
        """Whether the set is as high as the difficulty."""
        return self.height >= self.difficulty

    @property
    def bonus(self) -> int:
        """The bonus dice that it leaves for later."""
        return bonus_dice(self.height, self.difficulty)

    @property
    def result(self) -> dict[str, Value]:
        """The contract's fields."""
        return {
            "sets": list(self.sets), "set": self.height or None, "accomplished": self.accomplished,
            "bonus_dice": self.bonus, "botches": self.botches, "danger_increase": self.danger,
        }


def settle(pool: Pool, faces: Sequence[int], height: int, difficulty: int) -> Settled:
    """After the dice: what these faces, in the pool's order, come to with the set of this height, 0 for none."""
    table = Table(tuple(faces[: pool.action]), tuple(faces[pool.action : pool.own]), tuple(faces[pool.own : pool.all]))
    return Settled(table.sets, height, difficulty, table.botches(height), table.danger_used(height))


def aspect_of(sheet: Sheet, invoked: Invoked) -> tuple[str, int]:
    """The name of an aspect in use and how far down it stands; raises `BadMove` where it can't be (DW-11)."""
    if invoked.aspect:
        trait = _line(sheet, invoked.aspect, ASPECTS, "points")
        return trait.name, ASPECTS.index(trait.kind)
    if invoked.under not in dict(growable(sheet)):
        raise BadMove("Nothing can go there yet. Its parent has to be used twice first.", "under")
    if invoked.under == "new":
        return invoked.name, 0
    return invoked.name, ASPECTS.index(_line(sheet, invoked.under, ASPECTS, "under").kind) + 1


def _stats(sheet: Sheet, ids: tuple[str, str]) -> list[Reason]:
    stats = [_line(sheet, id_, (STAT,), "stats") for id_ in ids]
    return [Reason(stat.now, "action", stat.name, "DW-02") for stat in stats]


def _helpful(sheet: Sheet, proposal: Proposal) -> list[Reason]:
    """Bonus dice that are held, and story points on aspects."""
    lines = [_line(sheet, id_, (BONUS,), "bonus") for id_ in proposal.bonus]
    reasons = [Reason(bonus.value, "action", f"Bonus dice: {bonus.name}", "DW-05") for bonus in lines]
    spent = sum(invoked.points for invoked in proposal.invoked)
    if spent > sheet.pool(POINTS):
        raise BadMove(f"That takes {spent} story points; {sheet.name} has {sheet.pool(POINTS)}.", "points")
    for invoked in proposal.invoked:
        name, depth = aspect_of(sheet, invoked)
        reasons.append(Reason(invoked.points, "action", f"{name}: a story point each", "DW-10"))
        if depth:
            reasons.append(Reason(depth, "action", f"{name} is a {ASPECTS[depth]} aspect", "DW-11"))
    return reasons


def _stunned(sheet: Sheet) -> list[Reason]:
    boxes = filled(sheet, STUNNED)
    return [Reason(-boxes, "action", "Stunned", "DW-14")] if boxes else []


def _bashed(sheet: Sheet) -> list[Reason]:
    boxes = filled(sheet, BASHED)
    return [Reason(boxes, "threat", "Bashed", "DW-14")] if boxes else []


def _danger(sheet: Sheet, number: int) -> list[Reason]:
    rank = rank_at(level_of(sheet))
    if number > rank:
        raise BadMove(f"In zone {rank} you may add {rank} danger dice at most.", "danger")
    return [Reason(number, "danger", f"Danger, at level {level_of(sheet)}", "DW-08")] if number else []


def _line(sheet: Sheet, trait_id: str, kinds: tuple[str, ...], field: str) -> Trait:
    trait = sheet.trait(trait_id)
    if trait is None or trait.kind not in kinds:
        raise BadMove("This is no longer on the sheet. Choose again.", field)
    return trait
