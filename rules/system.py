"""What a game system answers: what a sheet is made of, which moves exist, how they resolve, what they cost."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.contests import ContestKind, Offer, Teaches, Turn
from rules.fields import Field, Written, read_all
from rules.moves import Face, MoveKind, Need, Step
from rules.sheet import Budget, Effect, Sheet, Trait, TraitDraft
from rules.tables import Calculator, Table
from rules.values import BadMove, Value


@dataclass(frozen=True, slots=True)
class TraitKind:
    """A kind of line on a sheet. `values` are (number, what a person reads), best last."""

    name: str
    label: str
    plural: str
    help: str
    values: tuple[tuple[int, str], ...]
    default: int
    values_are: str = "Rank"  # what its values are called in a builder
    condition: bool = False  # comes and goes in play (a wound): a new sheet has no empty lines for it
    note_label: str = "Covers"
    fixed: bool = False  # its lines are the game's: the builder neither adds, renames nor takes one off
    played: bool = False  # its lines move in play alone: the builder keeps them, unseen
    drawn: bool = False  # the game's own part of the sheet draws its lines
    typed: Written | None = None  # how its value is typed, where choosing among `values` would be a long list
    within: tuple[str, ...] = ()  # the kinds of line that it may stand in
    lines: int | None = None  # how many empty lines of it a new sheet opens with
    first: int | None = None  # what its first line starts with, where that is not the default
    under: str = ""  # the heading that its lines share with other kinds on a sheet, each line saying what it is


@dataclass(frozen=True, slots=True)
class PoolKind:
    """A number that a character or a campaign holds and spends; `rule` is where it comes from."""

    name: str
    label: str
    help: str
    rule: str
    sheets: str = "all"  # on whose sheets it stands: `all`, `played` for those whom somebody plays, `none`


@dataclass(frozen=True, slots=True)
class BankKind:
    """Something that a GM prepares and keeps in the bank; `fields` beside its name and its words."""

    name: str
    label: str
    plural: str
    help: str
    fields: tuple[Field, ...] = ()

    @property
    def filled(self) -> frozenset[str]:
        """The fields of a contest's setup that it can fill."""
        return frozenset(field.name for field in self.fields)

    def filling(self, name: str, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        """What it puts into the setup of a contest, by field."""
        return {"title": name, **spec}

    def current(self, spec: Mapping[str, Any]) -> Mapping[str, Any]:
        """What was kept, in the fields of today."""
        return spec

    def told(
        self, spec: Mapping[str, Any], dials: Mapping[str, Any], players: bool = False
    ) -> tuple[tuple[str, str, str], ...] | None:
        """What is in it as (label, value, words); what `players` read when it is shown. None: as it was typed."""
        return None


@dataclass(frozen=True, slots=True)
class ModifierKind:
    """A line that a person adds to a roll with a reason: (`upshift`, "Upshift", "+1 rank")."""

    name: str
    label: str
    help: str


@dataclass(frozen=True, slots=True)
class Line:
    """A modifier as added: its kind, how many, and why."""

    kind: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class Growth:
    """Something that a character may buy: `choice` names it, `trait` is what it raises ("" for a new one)."""

    choice: str
    label: str
    cost: int
    trait: str = ""
    asks_name: bool = False


@dataclass(frozen=True, slots=True)
class Owed:
    """What a character's player has yet to place: `sort` is `damage`, `recovery`, or `roll` (a roll comes first)."""

    sheet: str
    sort: str
    amount: int
    reason: str


@dataclass(frozen=True, slots=True)
class SceneEnd:
    """What the end of a scene does: effects at once, what is owed, and why."""

    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    owed: tuple[Owed, ...] = ()


class System(ABC):
    """A game system. One instance each, in the registry."""

    slug: str
    name: str
    edition: str  # kept in every entry, so that a later edition can stand beside this one
    pitch: str
    dials: tuple[Field, ...] = ()
    trait_kinds: tuple[TraitKind, ...] = ()
    pools: tuple[PoolKind, ...] = ()
    shared_pools: tuple[PoolKind, ...] = ()  # what the whole campaign holds
    bank: tuple[BankKind, ...] = ()  # what a GM prepares
    watched: tuple[str, ...] = ()  # dials whose every change is told on the pages of settings and odds
    modifiers: tuple[ModifierKind, ...] = ()
    moves: tuple[MoveKind[Any], ...] = ()
    contests: tuple[ContestKind[Any, Any], ...] = ()
    tray: tuple[str, ...] = ()  # the moves that a person makes from the roll tray, the usual one first
    closing: tuple[Field, ...] = ()  # what is asked when a scene closes
    completes: tuple[str, ...] = ()  # deeds whose new lines belong to the making of a sheet: no growth
    reads_prose: bool = False  # whether a character can be made of a text with marked phrases
    recovery: str = ""  # the move that a recovery roll is
    scene_ends: str = "When it closes, everybody in it recovers."  # what a GM reads who sets or closes a scene

    @property
    def alone(self) -> ContestKind[Any, Any] | None:
        """The contest that a player starts alone, where the game has one: its roll, when there is no tray for it."""
        return next((kind for kind in self.contests if kind.seats == "one" and kind.open_to_players), None)

    @property
    def teaches(self) -> Teaches | None:
        """What its contests teach, where they do."""
        return next((kind.teaches for kind in self.contests if kind.teaches), None)

    @property
    def keeps_facts(self) -> bool:
        """Whether contests make facts of the campaign."""
        return any(kind.keeps for kind in self.contests)

    def read_dials(self, given: Mapping[str, Value]) -> dict[str, Any]:
        """The campaign's dials, defaults filled in; raises `BadMove`."""
        return read_all(self.dials, given)

    def trait_kind(self, name: str) -> TraitKind:
        """The kind of this name; raises `BadMove`."""
        for kind in self.trait_kinds:
            if kind.name == name:
                return kind
        raise BadMove(f"{self.name} has no trait of the kind {name!r}.", "kind")

    @abstractmethod
    def notation(self, kind: str, value: int) -> str:
        """A value as the game writes it: `Good [+2]`."""

    @abstractmethod
    def compose(
        self, move: str, traits: Sequence[Trait], lines: Sequence[Line], values: Mapping[str, Value]
    ) -> dict[str, Value]:
        """What `read` of the move takes, from what a person tapped in the roll tray; raises `BadMove`."""

    @abstractmethod
    def describe(self, move: str, given: Mapping[str, Value]) -> str:
        """What the button says: `Roll 2d6 +4 against 11`."""

    def under(self, dials: Mapping[str, Value]) -> System:
        """The game as a campaign's dials have it, where one changes how numbers are written."""
        return self

    def shown(self, trait: Trait, sheet: Sheet) -> str:
        """A line's value as its sheet shows it; more than `notation` where other lines matter to it."""
        return self.notation(trait.kind, trait.now)

    def finished(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Sequence[TraitDraft]:
        """Drafts as they go onto a sheet, in their order, with the values that the rules fill in."""
        return traits

    def from_prose(self, text: str) -> tuple[str, tuple[TraitDraft, ...]]:
        """A text without its marks, and the lines that were marked in it; raises `BadMove`."""
        raise BadMove(f"{self.name} reads no prose.", "text")

    def starting(self) -> tuple[TraitDraft, ...]:
        """The lines that a new sheet has before anything is written on it."""
        return ()

    def picture(self, sheet: Sheet, dials: Mapping[str, Any]) -> Any:
        """What the game's own part of a sheet (`sheet_notes.html`) draws; None where it draws nothing of its own."""
        return None

    def deeds(self, sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Offer, ...]:
        """What can be done with a sheet at any time; `by` is the sheet's id, "" for what only the GM may."""
        return ()

    def do(
        self, sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int] = ()
    ) -> Turn[Any] | Need:
        """What a deed of `deeds` leads to: effects, and the outcome that explains them; raises `BadMove`."""
        raise BadMove(f"{self.name} has nothing to do here.", "action")

    def versus(self, trait: Trait, whose: str) -> Mapping[str, Value]:
        """The fields of a move that somebody else's trait answers when it stands against one; {} where none does."""
        return {}

    def teaming(self, names: Sequence[str]) -> Mapping[str, Value]:
        """The fields of a move that tell of several characters who act as one; {} where there are none."""
        return {}

    def shared_start(self, pool: str, players: int, dials: Mapping[str, Any]) -> int:
        """What a pool of the campaign holds when it is fresh, with so many characters whom somebody plays."""
        return 0

    def headline(self, move: str) -> str:
        """The field of the result whose chances the tray shows."""
        return "success"

    def shares(self, move: str) -> tuple[tuple[Face, str, str], ...]:
        """The values of that field as the tray shows them: value, word, tone (good, fair or bad)."""
        return ((True, "Success", "good"), (False, "Failure", "bad"))

    @abstractmethod
    def budget(self, traits: Sequence[TraitDraft], dials: Mapping[str, Any]) -> Budget:
        """What a builder counts as one types."""

    @abstractmethod
    def quick(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        """A character from one line (`guard, Fighting good`): its name and traits; raises `BadMove`."""

    def begin_session(self, sheets: Sequence[Sheet], dials: Mapping[str, Any]) -> SceneEnd:
        """What the beginning of a session does to the players' characters: points are dealt out anew, and the like."""
        return SceneEnd()

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SceneEnd:
        """What the end of a scene does to those who were there; `values` answer `closing`."""
        return SceneEnd()

    def recovered(self, sheet: Sheet, values: Mapping[str, Value]) -> Owed | None:
        """What a recovery roll's result (`values`) gives a character to place; None where there is nothing."""
        return None

    def place(self, sheet: Sheet, sort: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
        """The effects of placing what is owed on the lines of a sheet, by trait id; raises `BadMove`."""
        raise BadMove(f"{self.name} has nothing to place.")

    def tables(self, dials: Mapping[str, Any]) -> tuple[Table, ...]:
        """The tables of the odds page."""
        return ()

    def calculators(self, dials: Mapping[str, Any]) -> tuple[Calculator, ...]:
        """What a person can set on the odds page."""
        return ()

    def growth(self, sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Growth, ...]:
        """What a character may buy now."""
        return ()

    def grow(self, sheet: Sheet, choice: Growth, name: str, dials: Mapping[str, Any]) -> tuple[Effect, ...]:
        """What buying it does; raises `BadMove`."""
        raise BadMove(f"{self.name} has nothing to buy.", "choice")
