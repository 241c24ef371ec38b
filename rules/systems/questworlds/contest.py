"""The simple contest, and the assured one that is rolled for what else comes of it (QW-06, QW-40, QW-41)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rules.fields import Field, Flag, Listing, Whole
from rules.moves import Die, Face, MoveKind, Need, Outcome, Roll, Step, field_of, take
from rules.odds import chances
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import MASTERY, ScoreField, notation, signed
from rules.systems.questworlds.older.degrees import DegreeClash, in_words
from rules.systems.questworlds.roll import (
    CONTRACT,
    COUNTING,
    SIDES,
    Clash,
    Known,
    Names,
    Result,
    Side,
    counted,
    remembered,
)
from rules.values import Value

MOST_MODIFIERS = 40
MOST_DOWN = 3  # from a critical to a fumble

ABILITY = ScoreField(name="ability", label="Ability", default=None, may_lack=True,
                     help="The score, as a number or as 7M; left out where no ability fits, which counts as 6.")
MODIFIERS = Listing(name="modifiers", label="Modifiers", default=(), most=MOST_MODIFIERS,
                    of=ScoreField(name="modifier", label="Modifier"))
RESISTANCE = ScoreField(name="resistance", label="Resistance", help="The score of the resistance.")
BUMPS_UP = Whole(name="bumps_up", label="Bumps up", default=0, most=MOST_DOWN, help="From a state of fortune (QW-A7).")
BUMPS_DOWN = Whole(name="bumps_down", label="Bumps down", default=0, most=MOST_DOWN, help="From a stretch.")
STORY_POINT = Flag(name="story_point", label="Spend a story point",
                   help="One bump up, after the dice and the masteries are seen; not on a critical.")


@dataclass(frozen=True)
class Terms:
    """What a contest is rolled with: the ability (None: none fits), its modifiers, and the other side's."""

    ability: int | None
    modifiers: tuple[int, ...]
    resistance: int
    resistance_modifiers: tuple[int, ...] = ()
    story_points: tuple[bool, bool] = (False, False)
    tie_to_player: bool = False
    down: tuple[int, int] = (0, 0)  # bumps down for either, from a stretch (QW-21); below 0 they are bumps up (QW-A7)
    degrees: bool = False  # whether it comes out by degrees (QW-A1)
    stretches: tuple[bool, bool] = (False, False)  # whose ability is a stretch, which matters to a degree
    edition: Edition = FIRST

    @property
    def score(self) -> int:
        """The player's score after modifiers, which may win or lose masteries."""
        return (self.edition.resolution.no_ability if self.ability is None else self.ability) + sum(self.modifiers)

    @property
    def lift(self) -> int:
        """The masteries that a resistance is short of, where they help the player (QW-40)."""
        helps = self.edition.resolution.negative_mastery_helps
        return -self.resistance // MASTERY + 1 if helps and self.resistance < 1 else 0

    def clash(self, dice: tuple[int, int]) -> Clash:
        """Both sides with these dice, counted as the edition counts them."""
        other, fumble_on = self.resistance + sum(self.resistance_modifiers), self.edition.resolution.fumble_on
        sides = Side(self.score, self.story_points[0], fumble_on), Side(other, self.story_points[1], fumble_on)
        if self.degrees:
            return DegreeClash(*sides, dice, self.tie_to_player, down=self.down, stretches=self.stretches)
        return COUNTING[self.edition.resolution.counting](*sides, dice, self.tie_to_player, down=self.down)

    def given(self) -> dict[str, Value]:
        """These terms as the contract takes them."""
        given: dict[str, Value] = {
            "modifiers": _listed(self.modifiers), "resistance": self.resistance, "story_point": self.story_points[0],
            "tie_to_player": self.tie_to_player, "resistance_modifiers": _listed(self.resistance_modifiers),
            "resistance_story_point": self.story_points[1], "bumps_down": max(0, min(MOST_DOWN, self.down[0])),
            "resistance_bumps_down": max(0, min(MOST_DOWN, self.down[1])), **self._older(),
        }
        return given if self.ability is None else {**given, "ability": self.ability}

    def _older(self) -> dict[str, Value]:
        """What only older options have to tell, so that all else is told as it always was."""
        given: dict[str, Value] = {
            "degrees": self.degrees, "stretch": self.degrees and self.stretches[0],
            "resistance_stretch": self.degrees and self.stretches[1],
            "bumps_up": max(0, min(MOST_DOWN, -self.down[0])),
            "resistance_bumps_up": max(0, min(MOST_DOWN, -self.down[1])),
        }
        return {name: value for name, value in given.items() if value}

    def steps(self, names: Names = CONTRACT) -> tuple[Step, ...]:
        """What the player's target number is made of."""
        steps = []
        if self.ability is None:
            steps.append(Step("QW-06", f"No ability fits, which counts as {self.score - sum(self.modifiers)}."))
        if self.modifiers:
            adds = ", ".join(signed(modifier, names.symbol) for modifier in self.modifiers)
            steps.append(Step("QW-05", f"With {adds} the target number is {notation(self.score, names.symbol)}."))
        if self.resistance_modifiers:
            adds = ", ".join(signed(modifier, names.symbol) for modifier in self.resistance_modifiers)
            steps.append(Step("QW-41", f"The opponent’s own modifiers: {adds}."))
        return tuple(steps)


# What pairs of results come to, once seen.
LEADS: Known[tuple[int, int]] = remembered()
LEVELS: Known[tuple[int, int, bool]] = remembered()


def leads(terms: Terms) -> Mapping[tuple[int, int], int]:
    """In how many throws which side leads by which rank: `{(1, 2): 40}` is 40 victories of rank 2."""
    return counted(terms.clash((1, 1)), led, LEADS)


def led(clash: Clash) -> tuple[int, int]:
    """Which side leads, by which rank."""
    return clash.lead, clash.rank


def levels_led(terms: Terms) -> Mapping[tuple[int, int, bool], int]:
    """In how many throws which side leads by how many levels, with a critical that takes a bid over (QW-51)."""
    return counted(terms.clash((1, 1)), lambda clash: (clash.lead, clash.levels, clash.transfers), LEVELS)


def _listed(modifiers: tuple[int, ...]) -> list[Value]:
    """As many as the contract takes, else their sum."""
    return [*modifiers] if len(modifiers) <= MOST_MODIFIERS else [sum(modifiers)]


def result_of(clash: Clash) -> dict[str, Value]:
    """The contract's fields."""
    sides = zip(("player", "resistance"), (clash.player, clash.resistance), clash.dice, clash.results, strict=True)
    given: dict[str, Value] = {
        name: {"target": side.target, "masteries": side.masteries, "roll": die, "result": result.word}
        for name, side, die, result in sides
    }
    degree: dict[str, Value] = {"degree": in_words(clash.degree)} if isinstance(clash, DegreeClash) else {}
    return {**given, "outcome": clash.outcome, "rank": clash.rank, "story_point_spent": clash.spent[0], **degree}


class Contest(MoveKind[Terms]):
    """An ability against a resistance, or against another character's ability; one d20 each.

    >>> Contest().resolve(Contest().read({"ability": "11M", "resistance": 14}), [17, 13]).result["outcome"]
    'victory'
    """

    name = "questworlds.contest"
    title = "Simple contest"
    fields: tuple[Field, ...] = (
        ABILITY, MODIFIERS, RESISTANCE, STORY_POINT,
        Flag(name="tie_to_player", label="A tie goes to the player", help="For a contest that knows no middle."),
        Listing(name="resistance_modifiers", label="The opponent’s modifiers", default=(), most=MOST_MODIFIERS,
                of=MODIFIERS.of, help="Only where the other side is a player’s character too."),
        Flag(name="resistance_story_point", label="The opponent spends a story point",
             help="Only where the other side is a player’s character too."),
        BUMPS_DOWN,
        replace(BUMPS_DOWN, name="resistance_bumps_down", label="The opponent’s bumps down"),
        BUMPS_UP, replace(BUMPS_UP, name="resistance_bumps_up", label="The opponent’s bumps up"),
        Flag(name="degrees", label="Degrees of victory", help="The outcome has a degree too (QW-A1)."),
        Flag(name="stretch", label="The ability is a stretch", help="Then no victory is more than minor (QW-A1)."),
        Flag(name="resistance_stretch", label="The opponent’s is a stretch"),
    )

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition

    def build(self, **values: Any) -> Terms:
        return Terms(
            values["ability"], values["modifiers"], values["resistance"], values["resistance_modifiers"],
            (values["story_point"], values["resistance_story_point"]), values["tie_to_player"],
            tuple(values[f"{side}bumps_down"] - values[f"{side}bumps_up"] for side in ("", "resistance_")),
            values["degrees"], (values["stretch"], values["resistance_stretch"]), self.edition)

    def resolve(self, move: Terms, faces: Sequence[int]) -> Outcome | Need:
        runs = take(faces, 2)
        if runs is None:
            return Need((SIDES,) * (2 - len(faces)))
        clash = self.clash(move, (faces[0], faces[1]))
        return Outcome(self.result(clash), (*move.steps(), *clash.steps(), *self.after(clash)), drawn(faces))

    def odds(self, move: Terms, of: str) -> dict[Face, Fraction]:
        if of in ("player.roll", "resistance.roll"):
            return {face: Fraction(1, SIDES) for face in range(1, SIDES + 1)}
        counts: Counter[Face] = Counter()
        sides = self.clash(move, (1, 1))
        for ours, theirs, ways in sides.throws():
            counts[field_of(self.result(self.clash(move, (ours, theirs))), of)] += ways
        return chances(counts)

    def clash(self, move: Terms, dice: tuple[int, int]) -> Clash:
        """Both sides with these dice; other kinds of contest lay down more."""
        return move.clash(dice)

    def result(self, clash: Clash) -> dict[str, Value]:
        """The result's fields."""
        return result_of(clash)

    def after(self, clash: Clash) -> tuple[Step, ...]:
        """Steps that follow those of the clash."""
        return ()


class AssuredContest(Contest):
    """A victory in any case, rolled only for what else comes of it; earns no experience (QW-40).

    A resistance below 1 is a failure, and bumps the player up once for each mastery that it is short of.
    """

    name = "questworlds.assured_contest"
    title = "Assured contest"
    fields = (ABILITY, MODIFIERS, RESISTANCE, STORY_POINT, BUMPS_DOWN, BUMPS_UP)

    def build(self, **values: Any) -> Terms:
        return Terms(values["ability"], values["modifiers"], values["resistance"],
                     story_points=(values["story_point"], False),
                     down=(values["bumps_down"] - values["bumps_up"], 0),
                     edition=self.edition)

    def clash(self, move: Terms, dice: tuple[int, int]) -> Clash:
        return replace(move.clash(dice), lift=move.lift)

    def result(self, clash: Clash) -> dict[str, Value]:
        ours = clash.results[0]
        brings = "consequence" if ours <= Result.FAILURE else "benefit" if ours is Result.CRITICAL else None
        return {**result_of(clash), "outcome": "victory", "brings": brings, "experience": 0}

    def after(self, clash: Clash) -> tuple[Step, ...]:
        brings = self.result(clash)["brings"]
        what = f"a {brings}" if brings else "nothing else"
        return (Step("QW-40", f"The victory is assured; the roll brings {what}."),
                Step("QW-80", "An assured contest earns no experience."))


def roll_of(terms: Terms, dice: tuple[int, int], *, assured: bool = False) -> Roll:
    """The roll of a contest as a move of the contract, for whoever resolves it anew."""
    kind, given = (AssuredContest(terms.edition) if assured else Contest(terms.edition)), terms.given()
    given = {name: value for name, value in given.items() if name in {field.name for field in kind.fields}}
    return Roll(kind.name, given, dice, kind.result(kind.clash(kind.read(given), dice)))


def drawn(faces: Sequence[int]) -> tuple[Die, ...]:
    """The dice in turn: the player's, the resistance's."""
    return tuple(Die(SIDES, face, "resistance" if index % 2 else "player") for index, face in enumerate(faces))
