"""The pool of a check, each die with its reason (DW-02, DW-08, DW-10, DW-11, DW-14)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.moves import Step
from rules.sheet import Sheet, Trait
from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.reading import (
    ASPECTS,
    BONUS,
    POINTS,
    STAT,
    dice,
    filled,
    growable,
    level_of,
    rank_at,
)
from rules.systems.danger_world.table.on_challenge import waiting
from rules.systems.danger_world.table.state import Invoked, Proposal, State
from rules.systems.danger_world.track import BASHED, STUNNED
from rules.values import BadMove
from rules.wording import join


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


def reasons(state: State, sheet: Sheet, proposal: Proposal) -> tuple[Reason, ...]:
    """Every reason of the pool; raises `BadMove` for what is not on the sheet any more, or too much of it."""
    found = [Reason(stat.now, "action", stat.name, "DW-02") for stat in _stats(sheet, proposal.stats)]
    for trait_id in proposal.bonus:
        bonus = _line(sheet, trait_id, (BONUS,), "bonus")
        found.append(Reason(bonus.value, "action", f"Bonus dice: {bonus.name}", "DW-05"))
    spent = sum(each.points for each in proposal.invoked)
    if spent > sheet.pool(POINTS):
        raise BadMove(f"That takes {spent} story points; {sheet.name} has {sheet.pool(POINTS)}.", "points")
    for each in proposal.invoked:
        name, depth = aspect_of(sheet, each)
        found.append(Reason(each.points, "action", f"{name}: a story point each", "DW-10"))
        if depth:
            found.append(Reason(depth, "action", f"{name} is a {ASPECTS[depth]} aspect", "DW-11"))
    if stunned := filled(sheet, STUNNED):
        found.append(Reason(-stunned, "action", "Stunned", "DW-14"))
    rank = rank_at(level_of(sheet))
    if proposal.danger > rank:
        raise BadMove(f"In zone {rank} you may add {rank} danger dice at most.", "danger")
    if proposal.danger:
        found.append(Reason(proposal.danger, "danger", f"Danger, at level {level_of(sheet)}", "DW-08"))
    if bashed := filled(sheet, BASHED):
        found.append(Reason(bashed, "threat", "Bashed", "DW-14"))
    found += [Reason(each.dice, "threat", each.reason, "DW-02") for each in state.complications]
    found += [Reason(each.dice, "threat", f"Left on {state.title}{f', {each.why}' if each.why else ''}", "DW-06")
              for each in waiting(state)]
    return tuple(found)


def pool_from(lines: tuple[Reason, ...]) -> Pool:
    """The dice that these reasons come to, never less than none of a kind."""
    action, danger, threat = (
        max(0, sum(each.dice for each in lines if each.kind == kind)) for kind in ("action", "danger", "threat")
    )
    return Pool(action, danger, threat)


def pool_steps(lines: tuple[Reason, ...]) -> tuple[Step, ...]:
    """The pool, explained line by line."""
    kinds = {"action": "", "danger": " danger", "threat": " threat"}
    return tuple(
        Step(each.rule, f"{'−' if each.dice < 0 else '+'}{abs(each.dice)}{kinds[each.kind]} "
                        f"{'die' if abs(each.dice) == 1 else 'dice'}: {each.why}.")
        for each in lines
    )


def pool_words(pool: Pool) -> str:
    """`5 dice, 2 danger dice and 1 threat die`."""
    kinds = ((pool.action, ""), (pool.danger, "danger"), (pool.threat, "threat"))
    return join([dice(number, kind) for number, kind in kinds if number], empty="no dice")


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


def _stats(sheet: Sheet, ids: tuple[str, str]) -> tuple[Trait, Trait]:
    if len(set(ids)) < 2:
        raise BadMove("Choose two different stats.", "stats")
    return _line(sheet, ids[0], (STAT,), "stats"), _line(sheet, ids[1], (STAT,), "stats")


def _line(sheet: Sheet, trait_id: str, kinds: tuple[str, ...], field: str) -> Trait:
    trait = sheet.trait(trait_id)
    if trait is None or trait.kind not in kinds:
        raise BadMove("This is no longer on the sheet. Choose again.", field)
    return trait
