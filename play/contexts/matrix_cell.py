"""A cell of the matrix that is open: with what somebody could go about it, and what each would come to."""
from __future__ import annotations

from dataclasses import dataclass

from play.contexts.matrix import Look
from play.fits import UNSAID
from play.matrix import MatrixObstacle, Person, best_way, ways
from rules.approaches import Approach, chance_of
from rules.registry import kind_of as move_of
from rules.wording import percent

NOTHING = "nothing"
FIRST = 4  # so many answers are shown, the others are folded


@dataclass(frozen=True)
class FitChoice:
    """One answer: what the form sends for it, what is used and what it counts, the chance, and what else counts."""

    key: str
    label: str
    value: str
    chance: str
    counts: str
    chosen: bool


@dataclass(frozen=True)
class OpenCell:
    """Whose cell and what it is about; the answers that are shown, and those that are folded; how one knows today.

    `stretches` are what a bad fit costs, as the form sends it and as it is read. `player` is who can be asked to roll.
    """

    name: str
    obstacle: str
    words: str
    choices: tuple[FitChoice, ...]
    more: tuple[FitChoice, ...]
    tags: tuple[str, ...]
    stretches: tuple[tuple[int, str], ...]
    stretch: int
    player: str
    said: bool


def key_of(way: Approach) -> str:
    """What the form sends for a way: the lines that it goes by."""
    return " ".join(way.uses) or NOTHING


def open_cell(look: Look, row: MatrixObstacle, person: Person) -> OpenCell:
    """The answers: the one that is so now, that nothing fits, then by their chance."""
    campaign, rolls = look.viewer.campaign, look.viewer.campaign.rules.rolls
    allowed = look.fits.allowed(person.id, person.sheet, row.where)
    waiting = (*person.waiting, *allowed.stretch)
    held = row.as_it_stands()
    now = best_way(campaign, person.sheet, held, waiting, allowed.lines)
    current = key_of(now.way) if now and (allowed.how != UNSAID or not now.way.uses) else ""
    counted = [(chance_of(way, move_of), way) for way in ways(campaign, person.sheet, held, waiting)]
    counted.sort(key=lambda pair: (key_of(pair[1]) != current, bool(pair[1].uses), -pair[0]))
    choices = tuple(
        FitChoice(key_of(way), way.label if way.uses else rolls.nothing.capitalize(), _value(look, person, way),
                  percent(chance), way.counts, key_of(way) == current) for chance, way in counted)
    player = person.character.player
    return OpenCell(
        person.character.name, row.obstacle.name, rolls.obstacle_words(row.obstacle.values), choices[:FIRST],
        choices[FIRST:], row.tags,
        tuple((stretch.amount, stretch.reason) for stretch in rolls.stretches),
        allowed.stretch[0].amount if allowed.stretch else 0, str(player) if player else "",
        look.fits.said_here(person.id, row.where) is not None)


def _value(look: Look, person: Person, way: Approach) -> str:
    trait = person.sheet.trait(way.uses[0]) if way.uses else None
    return way.value or (look.viewer.campaign.rules.sheet.display_value(trait, person.sheet) if trait else "")
