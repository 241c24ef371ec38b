"""What the degree of a contest comes to: healing and augments by their tables (QW-A8), and saving the dying (QW-A6)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.moves import Step
from rules.sheet import Effect, Lose, Raise, Trait
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import DOOMED, DYING, name_of, worth
from rules.systems.questworlds.traits import ADVERSITY, adds

# What an augment adds, by the degree of its own contest.
AUGMENTS: Mapping[int, int] = {4: 20, 3: 9, 2: 6, 1: 3, 0: 0, -1: 0, -2: 0, -3: 0, -4: -3}
# By how many levels a failed attempt to heal makes it worse.
WORSE: Mapping[int, int] = {-3: 1, -4: 2}
# What stands against healing, by how bad it is: rank 0, which is moderate, and so on.
RESISTS: Mapping[int, int] = {1: 0, 2: 1, 3: 2, 4: 3}
# What saving somebody leaves them as.
SAVED, SAVED_COMPLETELY = 3, 2


def resists(trait: Trait, by_table: bool, edition: Edition = FIRST) -> int:
    """What a line adds to the base where it is healed (QW-62): what it takes off; by the table one rank less."""
    if by_table or (trait.kind, trait.value) == (ADVERSITY, DYING):
        return edition.modifiers.of_rank(RESISTS.get(trait.value, trait.value - 1))
    return -adds(trait, edition)


def healed(
    line: Trait, outcome: str, degree: int, by_table: bool, edition: Edition = FIRST
) -> tuple[list[Step], list[Effect]]:
    """What an attempt to heal makes of a line; `degree` counts where the campaign heals by the table."""
    if (line.kind, line.value) == (ADVERSITY, DYING):
        return _saved(line, outcome, degree)
    if not by_table:
        gone = Step("QW-62", f"{line.name} is healed, and leaves the sheet.")
        return ([gone], [Lose(line.id)]) if outcome == "victory" else ([], [])
    worst = DYING if line.kind == ADVERSITY else edition.modifiers.highest_rank
    now = min(worst, line.value - max(0, degree) + WORSE.get(degree, 0))
    by = f"a {in_words(degree)}" if degree else "a tie"
    if now <= 0:
        return [Step("QW-A8", f"{line.name} is healed by {by}, and leaves the sheet.")], [Lose(line.id)]
    if now == line.value:
        return [Step("QW-A8", f"{by.capitalize()}: {line.name} stays as it is.")], []
    how = "gets better" if now < line.value else "gets worse"
    return [Step("QW-A8", f"{line.name} {how} by {by}: {worth(line.kind, now, edition=edition)}.")], [
        Raise(line.id, now - line.value)]


def _saved(line: Trait, outcome: str, degree: int) -> tuple[list[Step], list[Effect]]:
    """*Ruling*: a complete victory always leaves them impaired; a tie saves nobody."""
    if outcome != "victory":
        return [Step("QW-A6", f"{line.name}: nobody can save them now. One final action may be left to them.")], [
            Raise(line.id, DOOMED - line.value)]
    now = SAVED_COMPLETELY if degree == 4 else SAVED
    return [Step("QW-A6", f"{line.name}: they are saved, and {name_of(ADVERSITY, now)} from now on.")], [
        Raise(line.id, now - line.value)]
