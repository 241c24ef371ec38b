"""Aspects as a tree, and the story points that bring them into play (DW-10, DW-11)."""
from __future__ import annotations

from dataclasses import dataclass, replace

from rules.values import BadMove

PRIMARIES = 4  # three known from the start, one to be found in play
CHILDREN = (3, 2, 0)  # of a primary, a secondary, a tertiary
LEVELS = ("primary", "secondary", "tertiary")
USES_BEFORE_CHILDREN = 2
SESSION_POINTS = 3  # where the campaign's setting says nothing else


@dataclass(frozen=True)
class Aspect:
    """An aspect, how often it was used, and those that refine it."""

    name: str
    uses: int = 0
    children: tuple[Aspect, ...] = ()


Tree = tuple[Aspect, ...]
Path = tuple[int, ...]  # where an aspect is: the index of its primary, then of each child


def add(tree: Tree, parent: Path, name: str) -> Tree:
    """The tree with one aspect more under `parent`, () for a primary.

    Raises `BadMove` where the parent has no room, or was not used twice yet.
    """
    if not name.strip():
        raise BadMove("Enter a name for the aspect.", "name")
    if not parent:
        if len(tree) >= PRIMARIES:
            raise BadMove(f"There are {PRIMARIES} primary aspects at most.", "parent")
        return (*tree, Aspect(name))
    above = find(tree, parent)
    room = CHILDREN[len(parent) - 1]
    if len(above.children) >= room:
        raise BadMove(f"A {LEVELS[len(parent) - 1]} aspect has {room} beneath it at most.", "parent")
    if above.uses < USES_BEFORE_CHILDREN:
        raise BadMove(f"{above.name} has to be used {USES_BEFORE_CHILDREN} times first.", "parent")
    return _changed(tree, parent, replace(above, children=(*above.children, Aspect(name))))


def use(tree: Tree, path: Path, story_points: int) -> tuple[Tree, int]:
    """The tree after an aspect was invoked, and the bonus dice of it: one for each point, 1 or 2 more further down."""
    if story_points < 1:
        raise BadMove("Invoking an aspect takes a story point at least.", "story_points")
    aspect = find(tree, path)
    return _changed(tree, path, replace(aspect, uses=aspect.uses + 1)), story_points + len(path) - 1


def find(tree: Tree, path: Path) -> Aspect:
    """The aspect at a path; raises `BadMove`."""
    level, found = tree, None
    for index in path:
        if not 0 <= index < len(level):
            raise BadMove("There is no such aspect.", "aspect")
        found = level[index]
        level = found.children
    if found is None:
        raise BadMove("Name an aspect.", "aspect")
    return found


def _changed(tree: Tree, path: Path, aspect: Aspect) -> Tree:
    index, rest = path[0], path[1:]
    new = aspect if not rest else replace(tree[index], children=_changed(tree[index].children, rest, aspect))
    return (*tree[:index], new, *tree[index + 1 :])


@dataclass(frozen=True)
class Points:
    """Story points: a player's own, and the general pool that the GM pays from."""

    own: int = SESSION_POINTS
    general: int = 0

    def invoke(self, number: int) -> Points:
        """The player pays into the general pool, before any die falls; raises `BadMove` (DW-10)."""
        if not 0 < number <= self.own:
            raise BadMove(f"You have {self.own} story points.", "story_points")
        return Points(self.own - number, self.general + number)

    def dark_side(self, number: int) -> Points:
        """The GM pays the player from the general pool, a threat die for each point; raises `BadMove` (DW-10)."""
        if not 0 < number <= self.general:
            raise BadMove(f"There are {self.general} points in the general pool.", "story_points")
        return Points(self.own + number, self.general - number)
