"""What a GM prepares: kinds of things in the library, what each puts on a scene, and what a game has to start with."""
from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.fields import REQUIRED, Choice, ChoiceOrWhole, Field, Text, Whole
from rules.values import BadMove, Value
from rules.wording import signed

NPC = "npc"  # somebody with a sheet: the one kind that is no `PrepItemKind`


@dataclass(frozen=True, slots=True)
class PreparedObstacle:
    """What something prepared puts in the way on a scene: its name there, and the values of an obstacle's fields."""

    name: str
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class SampleScene:
    """A campaign to look at and throw away: its name and pitch, a scene that is on, who and what is in the way there.

    `npc` is a quick line.
    """

    name: str
    pitch: str
    title: str
    text: str
    npc: str
    obstacle: PreparedObstacle


@dataclass(frozen=True, slots=True)
class PrepItemKind:
    """A kind of thing that a GM prepares and keeps in the library; `fields` beside its name and its words."""

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
        """What was stored, in the fields of today."""
        return spec

    def rows(
        self, spec: Mapping[str, Any], settings: Mapping[str, Any], players: bool = False
    ) -> tuple[tuple[str, str, str], ...] | None:
        """What is in it as (label, value, words); what `players` read when it is shown. None: as it was typed."""
        return None

    def obstacles(self, name: str, spec: Mapping[str, Any]) -> tuple[PreparedObstacle, ...]:
        """What it can put in the way on a scene, in a fixed order; nothing for most kinds."""
        return ()

    def with_obstacle(self, spec: Mapping[str, Any], place: int, values: Mapping[str, Value]) -> Mapping[str, Any]:
        """What is stored once the obstacle at this place has other values."""
        return {**spec, **values}

    def read_part(self, part: str, spec: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """What is stored once a part of a quick line is read into it; None where the part says nothing of this kind."""
        for field in self.fields:
            value = None if field.name in spec else read_words(field, part)
            if value is not None:
                return {**spec, field.name: value}
        return None


@dataclass(frozen=True, slots=True)
class ObstacleKind(PrepItemKind):
    """Something that stands in the way as it is: those of its fields in `put` are an obstacle's."""

    put: tuple[str, ...] = ()

    @property
    def filled(self) -> frozenset[str]:
        return frozenset()

    def obstacles(self, name: str, spec: Mapping[str, Any]) -> tuple[PreparedObstacle, ...]:
        return (PreparedObstacle(name, {field: spec[field] for field in self.put if field in spec}),)


@dataclass(frozen=True, slots=True)
class Starter:
    """Something to begin with: a quick line of its kind, with words of its own."""

    kind: str
    line: str
    text: str = ""


PLAIN = (
    PrepItemKind("place", "Place", "Places", "Where a scene can be: what you see first, and what you find later."),
    PrepItemKind("faction", "Faction", "Factions", "Who acts together: what they want, and what they do next."),
    PrepItemKind("note", "Note", "Notes", "Anything to have at hand: a rumour, a clue, a list of names."),
)


def resistances(obstacle: tuple[Field, ...]) -> tuple[PrepItemKind, ...]:
    """Resistances and challenges of a game whose obstacles have these fields."""
    put = tuple(field.name for field in obstacle)
    stakes = (
        Text(name="success", label="Success brings", most=300), Text(name="failure", label="Failure costs", most=300))
    return (
        ObstacleKind("resistance", "Resistance", "Resistances",
                     "A difficulty that comes up again: a locked door, any guard.", obstacle, put),
        ObstacleKind("challenge", "Challenge", "Challenges",
                     "Something to be tried, its difficulty, and what is at stake.", (*obstacle, *stakes), put),
    )


def read_words(field: Field, part: str) -> Value:
    """What a part of a quick line says for a field: a word or number of it, or `Label: words`. None where nothing.

    >>> read_words(Choice(name="d", label="Difficulty", options=(("3", "3, meaningful"),)), "Meaningful")
    '3'
    >>> read_words(Whole(name="threat", label="Threat dice"), "2 threat dice")
    2
    """
    plain, label = " ".join(part.split()), field.label.casefold()
    said = plain.casefold()
    named = label in said
    rest = said.replace(label, "").strip(" :=") if named else said
    try:
        match field:
            case Choice() | ChoiceOrWhole():
                known = {said.strip().casefold(): word for word, shown in field.options
                         for said in (word, shown, *re.split("[,:]", shown))}
                if isinstance(field, ChoiceOrWhole) and rest.isdecimal():
                    return int(field.check(int(rest)))
                return known.get(rest)
            case Whole():
                return field.check(int(rest)) if named and rest.isdecimal() else None
            case Text():
                opened, colon, words = plain.partition(":")
                return field.check(words) if colon and opened.strip().casefold() == label else None
    except BadMove:
        return None
    return None


class Stepped(ABC):
    """A field of an obstacle that knows itself what is harder than a value; `step` is what a step adds."""

    step: int

    @abstractmethod
    def harder(self, value: Value, steps: int) -> Value:
        """The value so many steps harder, under 0 easier; raises `BadMove` where there is none."""


def harder(fields: Sequence[Field], values: Mapping[str, Value], steps: int) -> tuple[str, Mapping[str, Value]] | None:
    """An obstacle so many steps harder, under 0 easier: what a button says, and its values. None where there is none.

    Words to choose from stand in their order, the hardest last.

    >>> words = Choice(name="d", label="Difficulty", options=(("easy", ""), ("hard", "")))
    >>> harder([words], {"d": "easy"}, 1), harder([words], {"d": "easy"}, -1)
    (('+', {'d': 'hard'}), None)
    """
    for field in fields:
        value = values.get(field.name, "" if field.default is REQUIRED else field.default)
        try:
            match field:
                case Stepped():
                    return signed(field.step * steps), {**values, field.name: field.harder(value, steps)}
                case Choice() | ChoiceOrWhole():
                    moved = _moved(field, value, steps)
                    field.check(moved)
                    return "+" if steps > 0 else "−", {**values, field.name: moved}
        except (BadMove, IndexError, ValueError):
            return None
    return None


def _moved(field: Choice | ChoiceOrWhole, value: Value, steps: int) -> Value:
    """A number or a word of the field so many steps on; raises where there is none."""
    if isinstance(value, int):
        return value + steps
    words = [word for word, _ in field.options]
    place = words.index(str(value)) + steps
    if place < 0:
        raise BadMove("This is the least.")
    return words[place]
