"""What fits an obstacle: what the GM said, what was really used, and lines that are called as a tag is.

    fits = fits_of(viewer, characters)
    fits.allowed(character, sheet, row)     # Allowed(how="tag", lines={"…"})

Said for a row comes before said for a tag, what was used beside it; a line fits a tag by its own name or its keyword's.
"""
from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from campaigns.access import Viewer
from characters.models import Character
from play.models import LineUsed, MatrixFit
from rules.modifiers import Modifier
from rules.sheet import Sheet
from rules.system import System

SAID, USED, TAG, UNSAID = "said", "used", "tag", "unsaid"


@dataclass(frozen=True)
class Allowed:
    """By which lines somebody can go about something, and how one knows; `stretch` is what it costs.

    Without a line nothing fits: `how` says whether the GM said so, or nobody said anything.
    """

    how: str
    lines: frozenset[str] = frozenset()
    stretch: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class Where:
    """What somebody goes about: which thing, which of its obstacles, what it is called, and its tags."""

    thing: uuid.UUID
    place: int
    name: str
    tags: tuple[str, ...]


Spot = tuple[uuid.UUID, uuid.UUID | None, int, str]  # whose, and the row or the tag


@dataclass(frozen=True)
class Fits:
    """All that is known of what fits, for one page."""

    rules: System
    said: Mapping[Spot, MatrixFit]
    used: Mapping[tuple[uuid.UUID, str], frozenset[str]]

    def said_here(self, character: uuid.UUID, where: Where) -> MatrixFit | None:
        """What the GM said for this row."""
        return self.said.get((character, where.thing, where.place, ""))

    def allowed(self, character: uuid.UUID, sheet: Sheet, where: Where) -> Allowed:
        """By which lines this character can go about it."""
        here = self.said_here(character, where)
        if here is not None:
            return self._said(SAID, sheet, [here])
        used = self.used.get((character, where.name), frozenset())
        by_tag = [self.said[spot] for tag in where.tags if (spot := (character, None, 0, tag)) in self.said]
        open_ = [tag for tag in where.tags if (character, None, 0, tag) not in self.said]
        tagged = self._said(TAG, sheet, by_tag)
        lines = used | tagged.lines | _named(sheet, open_)
        if lines:
            return Allowed(USED if used else TAG, lines & _there(sheet), () if used else tagged.stretch)
        return Allowed(TAG if by_tag else UNSAID)

    def _said(self, how: str, sheet: Sheet, said: Iterable[MatrixFit]) -> Allowed:
        fits = tuple(said)
        lines = _with_breakouts(sheet, {line for fit in fits for line in fit.lines.split()})
        amounts = {fit.stretch for fit in fits}
        # Where one tag makes it a stretch and another does not, it is none.
        cost = amounts.pop() if len(amounts) == 1 else 0
        stretches = tuple(stretch for stretch in self.rules.rolls.stretches if stretch.amount == cost)
        return Allowed(how, lines, stretches[:1])


def fits_of(viewer: Viewer, characters: Iterable[Character]) -> Fits:
    """What is known of these characters: two queries."""
    ids = [character.pk for character in characters]
    said = MatrixFit.objects.filter(campaign=viewer.campaign, character__in=ids)
    used: dict[tuple[uuid.UUID, str], set[str]] = {}
    rows = LineUsed.objects.filter(campaign=viewer.campaign, character__in=ids)
    for character, name, trait in rows.values_list("character_id", "against", "trait_id"):
        used.setdefault((character, name), set()).add(str(trait))
    return Fits(
        viewer.campaign.rules, {(fit.character_id, fit.thing_id, fit.place, fit.tag): fit for fit in said},
        {spot: frozenset(lines) for spot, lines in used.items()})


def _there(sheet: Sheet) -> frozenset[str]:
    return frozenset(line.id for line in sheet.traits)


def _with_breakouts(sheet: Sheet, lines: set[str]) -> frozenset[str]:
    """These lines as far as they are still there, and what breaks out of a keyword among them."""
    return frozenset(line.id for line in sheet.traits if line.id in lines or line.parent in lines)


def _named(sheet: Sheet, tags: Iterable[str]) -> frozenset[str]:
    """The lines that are called as one of the tags is, or stand in a keyword that is."""
    wanted = {tag.casefold() for tag in tags}
    if not wanted:
        return frozenset()
    called = {line.id for line in sheet.traits if wanted & {*re.findall(r"[\w-]+", line.name.casefold())}}
    return _with_breakouts(sheet, called)
