"""What a game system answers, with defaults. What only some have is a class, asked for with `isinstance`: `Opposes`."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.afterwards import AwardsExperience, StatesFacts
from rules.approaches import Approach
from rules.common_settings import COMMON
from rules.engine import Procedure
from rules.fields import Field, Written, read_all
from rules.modifiers import Modifier, ModifierKind
from rules.moves import MoveKind, Need, Step
from rules.prep import PLAIN, PrepItemKind, SampleScene, Starter
from rules.procedure import ActResult, CampaignContext, ExperienceRule, Offer
from rules.sheet import Budget, Effect, NewAllocation, ReadyMade, Sheet, Trait, TraitDraft
from rules.tables import Calculator, Table
from rules.tray import RollsFromTray
from rules.values import BadMove, Value

Settings = Mapping[str, Any]  # a campaign's settings, by name


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
    unearned: int | None = None  # the most that a player gives a line once play has begun: more comes from play alone
    drawn: bool = False  # the game's own part of the sheet draws its lines
    typed: Written | None = None  # how its value is typed, where choosing among `values` would be a long list
    within: tuple[str, ...] = ()  # the kinds of line that it may stand in
    lines: int | None = None  # how many empty lines of it a new sheet opens with
    first: int | None = None  # what its first line starts with, where that is not the default
    trouble: bool = False  # makes trouble for the character: a GM is told which were long not used
    listed: bool = False  # whether the GM has a page with all such lines of the campaign
    within_label: str = "Part of keyword"  # what the line that it stands in is called in a builder
    under: str = ""  # the heading that its lines share with other kinds on a sheet, each line saying what it is


@dataclass(frozen=True, slots=True)
class PoolKind:
    """A number that a character or a campaign holds and spends; `rule` is where it comes from.

    What is `of_scene` notes something that the rules tie to a scene: it is over with the scene, wherever its character
    is by then. Whoever holds what puts them `out` is out of it until then, or until the GM lets them recover.
    """

    name: str
    label: str
    help: str
    rule: str
    sheets: str = "all"  # on whose sheets it stands: `all`, `played` for player characters, `none`
    of_scene: bool = False
    out: bool = False


@dataclass(frozen=True, slots=True)
class Purchase:
    """Something that a character may buy: `choice` names it, `trait` is what it raises ("" for a new one)."""

    choice: str
    label: str
    cost: int
    trait: str = ""
    asks_name: bool = False
    asks: str = ""  # a sentence that comes with it (an explanation, a hook), as its field is called


@dataclass(frozen=True, slots=True)
class MadeAdvance:
    """An advance made of what a character used: what its form says, each line (name, score, score after it), and
    whether it is `complete`: nothing else is to be chosen."""

    values: Mapping[str, Value]
    lines: tuple[tuple[str, str, str], ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class SessionChange:
    """What the beginning of a session or the end of a scene does: effects at once, what is to be placed, and why."""
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    pending: tuple[NewAllocation, ...] = ()


class SheetRules(ABC):
    """What a sheet is made of, how its values are written, and what can be done with it at any time."""

    trait_kinds: tuple[TraitKind, ...] = ()
    pools: tuple[PoolKind, ...] = ()
    ready_made: tuple[ReadyMade, ...] = ()  # characters to take as they are, or to begin from
    good_at_help: str = "The best first, with commas between."  # what a builder of three lines says under the third
    lasting: str = ""  # which of `actions` adds what a roll left, at the GM’s word, where its procedure has no such act

    def trait_kind(self, name: str) -> TraitKind:
        """The kind of line of this name; raises `BadMove`."""
        if kind := next((kind for kind in self.trait_kinds if kind.name == name), None):
            return kind
        raise BadMove(f"This game has no trait of the kind {name!r}.", "kind")

    @abstractmethod
    def notation(self, kind: str, value: int) -> str:
        """A value as the game writes it: `Good [+2]`."""

    def display_value(self, trait: Trait, sheet: Sheet) -> str:
        """A line's value as its sheet shows it; more than `notation` where other lines matter to it."""
        return self.notation(trait.kind, trait.now)

    def in_brief(self, sheet: Sheet) -> tuple[str, ...]:
        """What a GM reads of an NPC before its lines, in a few words each: `squad of 5`."""
        return ()

    def unable(self, sheet: Sheet) -> str:
        """Why this character can't act now, as a sentence that says until when; "" where it can."""
        return f"{sheet.name} is dead." if sheet.dead else ""

    def harm_in_words(self, trait: Trait) -> str:
        """What the damage on a line is, where the game tells kinds apart: `2 wounds, 1 failure rank`."""
        return ""

    @abstractmethod
    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        """What a builder counts as one types."""

    @abstractmethod
    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        """A character from one line (`guard, Fighting good`): its name and traits; raises `BadMove`."""

    def starting_lines(self) -> tuple[TraitDraft, ...]:
        """The lines that a new sheet has before anything is written on it."""
        return ()

    def good_at(self, said: Sequence[str]) -> tuple[TraitDraft, ...]:
        """The lines of a new sheet of which only this is known: what its character is good at, the best first."""
        kind = next(kind for kind in self.trait_kinds if not (kind.condition or kind.played or kind.fixed))
        first = kind.default if kind.first is None else kind.first
        return (*self.starting_lines(),
                *(TraitDraft(kind.name, name, kind.default if place else first) for place, name in enumerate(said)))

    def normalise(self, traits: Sequence[TraitDraft], settings: Settings, before: Sequence[TraitDraft] = (),
                  places: Sequence[int | None] = ()) -> Sequence[TraitDraft]:
        """Drafts as they go onto a sheet, in their order, with the values that the rules fill in.

        `before` are the lines as they stood, `places` which of them each draft was (None: a new one).
        """
        return traits

    def detail(self, sheet: Sheet, settings: Settings) -> Any:
        """What the game's own part of a sheet (`sheet_notes.html`) shows, frozen; None where it has none."""
        return None

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        """What can be done with a sheet at any time; `by` is the sheet's id, "" for what only the GM may."""
        return ()

    def act(self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value],
            faces: Sequence[int] = ()) -> ActResult[Any] | Need:
        """What one of `actions` leads to: effects, and the outcome that explains them; raises `BadMove`."""
        raise NotImplementedError  # for a game that has `actions`


class RollRules:
    """The moves of a game, how one goes about an obstacle, and the chances that are shown of it."""

    moves: tuple[MoveKind[Any], ...] = ()
    obstacle: tuple[Field, ...] = ()  # what the GM says of an obstacle on the scene, beside its name
    counted: str = ""  # what counts in a way about an obstacle and what does not, in a sentence for the GM
    nothing: str = "nothing fits"  # what a page says where no line fits
    always_fits: bool = False  # whether everybody has lines that fit whatever is tried
    boosts: tuple[Modifier, ...] = ()  # what could be offered with a roll and is shown when asked for: an augment
    stretches: tuple[Modifier, ...] = ()  # what a line costs that fits badly; an amount each

    def approaches(
        self, sheet: Sheet, obstacle: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
    ) -> tuple[Approach, ...]:
        """How they could go about an obstacle: by each line, or none; `waiting` counts."""
        return ()

    def obstacle_words(self, values: Mapping[str, Value]) -> str:
        """How hard an obstacle is, as a chip says it behind its name."""
        return ", ".join(str(value) for value in values.values())

    def tables(self, settings: Settings) -> tuple[Table, ...]:
        """The tables of the odds page."""
        return ()

    def calculators(self, settings: Settings) -> tuple[Calculator, ...]:
        """What a person can set on the odds page."""
        return ()


class TakesModifiers(ABC):
    """Roll rules in which people add modifiers with a reason, and a GM may give one for the next roll."""

    modifiers: tuple[ModifierKind, ...]


class WaitsOnObstacles(ABC):
    """Roll rules in which more may wait on an obstacle than the GM wrote of it: it is known by its name."""

    @abstractmethod
    def as_it_stands(self, name: str, context: CampaignContext) -> Mapping[str, Value]:
        """What `approaches` takes beside the values of an obstacle of this name, in the scene that is on."""


class Opposes(ABC):
    """Roll rules in which somebody else's trait can stand against a move."""

    @abstractmethod
    def opposing_fields(self, trait: Trait, sheet: Sheet, settings: Settings) -> Mapping[str, Value]:
        """The fields of a move that this trait answers when it stands against one, under a campaign’s settings."""

    def may_oppose(self, trait: Trait) -> bool:
        """Whether this line can stand against a move."""
        return True

    def opposing_strength(self, trait: Trait, sheet: Sheet, settings: Settings) -> int:
        """How much there is against a move where this line stands there, with all that counts on it."""
        return trait.now


class GrowthRules:
    """What characters buy with what they earned, and which actions on a sheet belong to its making."""

    apart: bool = False  # whether the budget of a sheet leaves out what came by growth
    advance: tuple[str, str] = ("", "")  # the sheet action that is an advance, and its field for the line that rises
    creation_actions: tuple[str, ...] = ()  # sheet actions whose new lines belong to the making of a sheet: no growth

    def purchases(self, sheet: Sheet, settings: Settings) -> tuple[Purchase, ...]:
        """What a character may buy now."""
        return ()

    def advance_of(self, sheet: Sheet, used: Sequence[str], settings: Settings) -> MadeAdvance | None:
        """An advance made of these lines, the likeliest first; None where it can't be had, or they don't make one."""
        return None

    def buy(self, sheet: Sheet, purchase: Purchase, name: str, settings: Settings) -> tuple[Effect, ...]:
        """What buying it does; raises `BadMove`."""
        raise NotImplementedError  # for a game that has `purchases`


class SessionRules:
    """What sessions and the ends of scenes do, and the pools that the whole campaign holds."""

    closing: tuple[Field, ...] = ()  # what is asked when a scene closes
    scene_end_help: str = "When it ends, everyone in it recovers."  # what a GM reads who sets or closes a scene
    shared_pools: tuple[PoolKind, ...] = ()
    counts_people: bool = False  # whether fresh pools count the people who play, not their characters
    dealt: tuple[str, ...] = ()  # kinds of line with which an NPC in sight is dealt to as well, as a session begins
    scene_lines: tuple[str, ...] = ()  # kinds of line that are something else once a scene is over
    scene_damage: bool = False  # whether damage does something until a scene is over that it does not do after it

    def shared_start(self, pool: str, players: int, settings: Settings) -> int:
        """What a pool of the campaign holds when it is fresh, with so many characters (or people) who are played."""
        return 0

    def pool_label(self, name: str) -> str | None:
        """What a pool of the campaign is called; None for what this game never had."""
        return next((shared_pool.label for shared_pool in self.shared_pools if shared_pool.name == name), None)

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        """What the beginning of a session does to the players' characters: points are dealt out anew, and the like."""
        return SessionChange()

    def closing_from(self, setups: Sequence[Mapping[str, Any]]) -> Mapping[str, Value]:
        """What the setups of a scene's contests say already of what is asked when it closes (`closing`)."""
        return {}

    def end(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> SessionChange:
        """What the end of a session does to all sheets, NPCs' too, and to the campaign's `pools`."""
        return SessionChange()

    def unspent(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> tuple[str, ...]:
        """Who is warned before a session ends, as sentences: `Perpetua Vane still holds 3 style dice.`"""
        return ()

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        """What a player's character is dealt that comes while a session is open; `first`: the first of its player."""
        return SessionChange()

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        """What the end of a scene does to those who were there; `values` answer `closing`."""
        return SessionChange()

    def scene_over(self, sheet: Sheet) -> tuple[Effect, ...]:
        """What else is over with a scene for this one, there or not, once all have recovered: notes `of_scene` go by
        themselves. Asked of whoever has such a note, `scene_lines`, or damage where `scene_damage` says so."""
        return ()

    def recoveries(self) -> tuple[tuple[str, Mapping[str, Value]], ...]:
        """What a GM can grant to who asks to recover: its words, and how it answers `closing`; () for nothing."""
        return ()

    def recover_again(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        """What it does to these that the GM lets them recover at another time."""
        return self.close_scene(sheets, values)

    def gives_back(self, sheet: Sheet) -> bool:
        """Whether any of the `recoveries` would give this one something."""
        changes = (self.recover_again([sheet], values) for _, values in self.recoveries())
        return any(change.effects or change.pending for change in changes)


class System:
    """A game system. One instance each, in the registry."""

    slug: str
    name: str
    edition: str  # stored in every entry, so that a later edition can stand beside this one
    pitch: str
    setting_fields: tuple[Field, ...] = ()  # what a campaign can set
    procedures: tuple[Procedure[Any], ...] = ()
    prep_items: tuple[PrepItemKind, ...] = ()  # what a GM prepares, beside what every game has
    starters: tuple[Starter, ...] = ()  # what a GM can begin a library with
    session_zero: tuple[str, ...] = ()  # what a group talks about before it begins, as questions
    sample: SampleScene | None = None  # what a sample campaign begins with, beside the ready-made characters
    sheet: SheetRules
    rolls: RollRules = RollRules()
    growth: GrowthRules = GrowthRules()
    session: SessionRules = SessionRules()

    def in_edition(self, edition: str) -> System:
        """The game by the edition that a campaign was made with; raises `BadMove` for one that is not known."""
        return self

    def with_settings(self, settings: Mapping[str, Value]) -> System:
        """The game as a campaign's settings have it, where one changes how numbers are written."""
        return self

    def read_settings(self, given: Mapping[str, Value]) -> dict[str, Any]:
        """The campaign's settings, defaults filled in; raises `BadMove`."""
        return read_all((*self.setting_fields, *COMMON), given)

    @property
    def library(self) -> tuple[PrepItemKind, ...]:
        """All kinds of things without a sheet that a GM prepares."""
        return (*self.prep_items, *PLAIN)

    @property
    def modifiers(self) -> tuple[ModifierKind, ...]:
        """What people may add to a roll, each with a reason; none in most games."""
        return self.rolls.modifiers if isinstance(self.rolls, TakesModifiers) else ()

    @property
    def has_tray(self) -> bool:
        """Whether people roll from the roll tray: a procedure in one act."""
        return isinstance(self.solo_procedure, RollsFromTray)

    @property
    def solo_procedure(self) -> Procedure[Any] | None:
        """The contest that a player starts alone, where the game has one: its roll, when there is no tray for it."""
        return next(
            (kind for kind in self.procedures if kind.casting.who == "one" and kind.placement.open_to_players), None)

    @property
    def experience_rule(self) -> ExperienceRule | None:
        """What its contests teach, where they do."""
        return next((kind.experience_rule for kind in self.procedures if isinstance(kind, AwardsExperience)), None)

    @property
    def has_facts(self) -> bool:
        """Whether contests make facts of the campaign, under its settings."""
        return any(isinstance(kind, StatesFacts) and kind.placement.offered for kind in self.procedures)
