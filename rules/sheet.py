"""A character as the rules see one, and what the rules propose to do to it."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Union

from rules.values import Value


@dataclass(frozen=True, slots=True)
class Trait:
    """One line of a sheet. `value` is the system's own number, `damage` how far it is lowered at the moment.

    `failures` is how much of the damage was no wound: ground lost for now, where a game tells the two apart.
    """

    id: str
    kind: str
    name: str
    value: int
    damage: int = 0
    note: str = ""
    parent: str = ""  # the id of the line that it belongs to: a breakout's keyword
    later: bool = False  # came in play, when the sheet was made already
    began: str = ""  # the kind that it was until something in play made it another
    failures: int = 0

    @property
    def wounds(self) -> int:
        """The damage that is wounds."""
        return self.damage - self.failures

    @property
    def now(self) -> int:
        """The value that counts at the moment."""
        return self.value - self.damage


@dataclass(frozen=True, slots=True)
class Sheet:
    """A character: id, name, traits in the sheet's order, pools (`{"xp": 3}`), whether it is dead, whether the GM's.

    Of one who is not `known` whoever looks knows the face alone: there is no line and no number.
    """

    id: str
    name: str
    traits: tuple[Trait, ...] = ()
    pools: tuple[tuple[str, int], ...] = ()
    dead: bool = False
    npc: bool = False
    known: bool = True
    retired: bool = False  # has left the story

    @property
    def face(self) -> Sheet:
        """What anyone would see of the character."""
        return Sheet(self.id, self.name, dead=self.dead, npc=self.npc, known=False, retired=self.retired)

    @property
    def nested(self) -> tuple[tuple[Trait, bool], ...]:
        """Its lines, each followed by those that belong to it; with each whether it belongs to the one above."""
        known = {trait.id for trait in self.traits}
        return tuple(
            row for line in self.traits if line.parent not in known
            for row in ((line, False), *((inner, True) for inner in self.traits if inner.parent == line.id)))

    def trait(self, trait_id: str) -> Trait | None:
        """The trait of this id, or None."""
        return next((trait for trait in self.traits if trait.id == trait_id), None)

    def pool(self, name: str) -> int:
        """What is in the pool of this name; 0 where there is none."""
        return dict(self.pools).get(name, 0)


@dataclass(frozen=True, slots=True)
class Damage:
    """Proposed: this trait's damage changes by so much (less than 0 heals, what was a `failure` first)."""

    trait: str
    by: int
    failure: bool = False


@dataclass(frozen=True, slots=True)
class Raise:
    """Proposed: this trait's value changes by so much."""

    trait: str
    by: int


@dataclass(frozen=True, slots=True)
class Gain:
    """Proposed: this character gets a new trait, and with it those that stand in it (`lines`)."""

    sheet: str
    kind: str
    name: str
    value: int
    note: str = ""
    parent: str = ""  # the id of the line that it belongs to
    lines: tuple[TraitDraft, ...] = ()


@dataclass(frozen=True, slots=True)
class Spend:
    """Proposed: this character's pool changes by so much (less than 0 spends; never below 0)."""

    sheet: str
    pool: str
    by: int


@dataclass(frozen=True, slots=True)
class Lose:
    """Proposed: this trait leaves its sheet: a wound that healed, something that could be used once."""

    trait: str


@dataclass(frozen=True, slots=True)
class SpendShared:
    """Proposed: a pool of the whole campaign changes by so much (less than 0 spends; never below 0)."""

    pool: str
    by: int


@dataclass(frozen=True, slots=True)
class Purse:
    """Where points lie: the pool of this name on a sheet, or with no sheet a pool of the whole campaign."""

    pool: str
    sheet: str = ""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Proposed: so many points go from one purse to another, and why: one effect, so that their way can be told.

    None is where there is no end of them: what was not in play comes from there, and what leaves play goes there.
    """

    amount: int
    source: Purse | None
    target: Purse | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class NewAllocation:
    """Proposed: this character's player has so much to place: `damage`, `recovery`, or a `roll` to make first."""

    sheet: str
    type: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Proposed: an NPC of this name enters the story, with these lines."""

    name: str
    lines: tuple[TraitDraft, ...] = ()
    concept: str = ""


@dataclass(frozen=True, slots=True)
class Become:
    """Proposed: this trait is of another kind from now on, and may have another name: an ability becomes a keyword."""

    trait: str
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SetDead:
    """Proposed: this character is dead from now on, or lives again."""

    sheet: str
    dead: bool = True


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """Proposed: a setting of the campaign stands so from now on: a new season is harder."""

    setting: str
    value: Union[int, str]


@dataclass(frozen=True, slots=True)
class Refill:
    """Proposed: a pool of the whole campaign holds what it does when it is fresh."""

    pool: str


@dataclass(frozen=True, slots=True)
class UseWaiting:
    """Proposed: what the GM has given this character for the next roll is used up."""

    sheet: str


@dataclass(frozen=True, slots=True)
class Obstruct:
    """Proposed: this stands in the way of the next rolls of the scene too, with the values of the game's obstacles.

    `sheet` is whose ability it is, "" for nobody's, and `line` the ability, which it follows; "" for none.
    """

    name: str
    values: Mapping[str, Value]
    sheet: str = ""
    line: str = ""


Effect = Union[
    Damage, Raise, Gain, Lose, Spend, SpendShared, Refill, Transfer, NewAllocation, Enter, Become, SetDead,
    ChangeSetting, Obstruct, UseWaiting,
]


@dataclass(frozen=True, slots=True)
class TraitDraft:
    """A trait that is being written in a builder: not on any sheet yet."""

    kind: str
    name: str
    value: int
    note: str = ""
    within: str = ""  # the name of the line that it belongs to
    grown: int = field(default=0, repr=False)  # how much of its value growth gave, which no budget counts
    later: bool = field(default=False, repr=False)  # came with an action, when the sheet was made already
    began: str = field(default="", repr=False)  # the kind that it was until an action made it another


@dataclass(frozen=True, slots=True)
class ReadyMade:
    """A character that a game has ready, for whoever would play at once: a sheet that spends exactly its budget."""

    name: str
    concept: str
    story: str
    traits: tuple[TraitDraft, ...]


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One thing that a builder counts: `spent` of `whole`, and what is still to do, in words ("" when settled).

    With `for_gm` more than the whole refuses no save: it stands on the sheet, open, until the GM has said something.
    """

    label: str
    spent: int
    whole: int
    todo: str = ""
    for_gm: bool = False

    @property
    def left(self) -> int:
        """What may still be spent; below 0 where too much was."""
        return self.whole - self.spent


@dataclass(frozen=True, slots=True)
class Fault:
    """What no player may write: `place` among the drafts, what is wrong (`kind`) by how much, and a sentence."""

    place: int
    kind: str
    sentence: str
    size: int = 1
    field: str = "value"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a builder says of the traits so far. Nothing is refused: a GM may allow what the budget does not."""

    lines: tuple[BudgetLine, ...]
    remarks: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = ()  # how it is counted, which leaves nothing to do
    faults: tuple[Fault, ...] = ()  # what a player may not make worse than it stands

    @property
    def settled(self) -> bool:
        """Whether all is spent as the rules want it."""
        return not self.remarks and all(line.left == 0 and not line.todo for line in self.lines)


class ReadsProse(ABC):
    """Sheet rules that make a character of a text with marked phrases."""

    @abstractmethod
    def from_prose(self, text: str) -> tuple[str, tuple[TraitDraft, ...]]:
        """A text without its marks, and the lines that were marked in it; raises `BadMove`."""

    @abstractmethod
    def prose_length(self, text: str) -> tuple[int, int]:
        """How many words a text has, and about how many it should have."""


class NotKnown(Exception):
    """Odds count the numbers of somebody of whom whoever asks knows the face alone."""


class Withheld(Mapping[str, Sheet]):
    """The sheets, by id. Whoever reads one of the `faces` is told that its numbers are not known."""

    def __init__(self, sheets: Mapping[str, Sheet], faces: frozenset[str]) -> None:
        self._sheets, self._faces = sheets, faces

    def __getitem__(self, key: str) -> Sheet:
        if key in self._faces:
            raise NotKnown(key)
        return self._sheets[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)
