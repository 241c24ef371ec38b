"""How a conflict begins: who takes part, and in which order they act (PQ-11)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Field, Flag, Group, Listing, Text, Whole
from rules.moves import Die, Need, Step, take
from rules.settings import asked
from rules.sheet import Sheet
from rules.systems.pdq import harm
from rules.systems.pdq.chart import Rank, best_rank
from rules.systems.pdq.conflict.killing import INTENTS
from rules.systems.pdq.conflict.state import Contestant, Result, State
from rules.systems.pdq.ranges import FARTHEST
from rules.systems.pdq.settings import ConflictSettings, Settings
from rules.values import BadMove
from rules.wording import join

CONTESTANT = Group(name="contestant", label="Contestant", fields=(
    Text(name="sheet", label="Character", default=REQUIRED, most=100),
    Text(name="side", label="Side", default=REQUIRED, most=100, help="Characters with the same side fight together."),
    Flag(name="player", label="A player’s character"),
    Flag(name="surprises", label="Attacks without warning", help="Acts before all others."),
    Flag(name="unaware", label="Completely surprised", help="Takes 1 damage more until their first turn."),
    Listing(name="speed", label="Qualities of speed", of=Text(name="trait", label="Quality", most=100), default=(),
            help="Anyone with one at Good or better acts before the others."),
    Choice(name="intent", label="Means to", default="", options=(("", "Not said"), *INTENTS)),
    Whole(name="position", label="Position in yards", default=0, least=-FARTHEST, most=FARTHEST),
))

FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Contestants", of=CONTESTANT, most=50),
    Choice(name="danger", label="The danger is", default="momentary",
           options=(("momentary", "Momentary: all damage recovers afterwards"),
                    ("continuing", "Continuing: each rolls for recovery"))),
    Choice(name="harm", label="Damage means", default="damage",
           options=((harm.FAILURE, "Failure ranks: ground lost for now"), (harm.WOUND, "Wounds, and worse"))),
    *asked(Settings, by=ConflictSettings),
    Flag(name="free_round", label="A free round against the unaware"),
)

Priority = tuple[int, int, int]


@dataclass(frozen=True)
class Started(Event[State]):
    """The conflict begins with these contestants, their order settled."""

    settings: ConflictSettings
    contestants: tuple[Contestant, ...]

    def after(self, state: State) -> State:
        before_first = -1 if self.settings.free_round else 0
        return State(settings=self.settings, contestants=self.contestants, round=before_first)


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
    """The contestants in their order, why it is that order, and the dice that broke ties; raises `BadMove`."""
    lines, settings = values["contestants"], values["settings"]
    if settings.harm == harm.FAILURE:
        settings = replace(settings, killing="free")  # nobody is killed in it, so nobody is asked
    _check(lines, settings, sheets)
    priorities = {line["sheet"]: _priority(line, sheets[line["sheet"]]) for line in lines}
    groups = [[id_ for id_, priority in priorities.items() if priority == best]
              for best in sorted(set(priorities.values()))]
    dice: list[Die] = []
    if settings.ties == "roll":
        names = {id_: sheets[id_].name for id_ in priorities}
        rolled = _roll_ties(groups, faces, names)
        if isinstance(rolled, Need):
            return rolled
        groups, dice = rolled
    else:
        take(faces, 0)
    places = {id_: place for place, group in enumerate(groups) for id_ in group}
    contestants = tuple(_contestant(line, sheets[line["sheet"]], places[line["sheet"]]) for line in lines)
    steps = (*_order_steps(groups, priorities, sheets, bool(dice)),
             *_out_from_before(sheets[who] for who in priorities))
    return Result((Started(settings, contestants),), steps, dice=tuple(dice))


def _check(lines: Sequence[Mapping[str, Any]], settings: ConflictSettings, sheets: Mapping[str, Sheet]) -> None:
    ids = [line["sheet"] for line in lines]
    for index, line in enumerate(lines):
        where = f"contestants.{index}"
        sheet = sheets[line["sheet"]]
        if why := unfit(sheet):
            raise BadMove(why, f"{where}.sheet")
        if sheet.retired:
            raise BadMove(f"{sheet.name} is retired. Leave them out.", f"{where}.sheet")
        if ids.count(line["sheet"]) > 1:
            raise BadMove(f"{sheet.name} is in the conflict twice. Leave one out.", f"{where}.sheet")
        if not line["side"]:
            raise BadMove(f"Choose a side for {sheet.name}.", f"{where}.side")
        if line["surprises"] and line["unaware"]:
            raise BadMove(f"{sheet.name} can’t both surprise and be surprised.", f"{where}.unaware")
        if any(sheet.trait(speed) is None for speed in line["speed"]):
            raise BadMove(f"Choose qualities of speed from the sheet of {sheet.name}.", f"{where}.speed")
    if len({line["side"] for line in lines}) < 2:
        raise BadMove("A conflict needs two sides. Put someone on another side.", "contestants")
    _check_standing(lines, sheets)
    unaware = [line["side"] for line in lines if line["unaware"]]
    met = any(line["surprises"] and side != line["side"] for line in lines for side in unaware)
    if settings.free_round and not met:
        raise BadMove("A free round needs someone who attacks without warning and someone unaware on another side.",
                      "free_round")


def unfit(sheet: Sheet) -> str:
    """Why somebody can't be in a conflict, as a sentence; "" for whoever can."""
    return f"{sheet.name} is dead. Leave them out, or let the GM bring them back on their sheet." if sheet.dead else ""


def _check_standing(lines: Sequence[Mapping[str, Any]], sheets: Mapping[str, Sheet]) -> None:
    """Who is out of action takes part as such, so somebody else has to stand on two sides (PQ-16)."""
    unable = {line["sheet"]: harm.unable(sheets[line["sheet"]]) for line in lines}
    if len({line["side"] for line in lines if not unable[line["sheet"]]}) < 2:
        text = " ".join(filter(None, unable.values()))
        raise BadMove(f"{text} Two sides need someone who can act: let them recover first.", "contestants")


def _priority(line: Mapping[str, Any], sheet: Sheet) -> Priority:
    """Lower acts first: surprise, then speed by rank, then the highest rank. Equal priorities are tied."""
    speed = best_rank(trait for trait in sheet.traits if trait.id in line["speed"])
    ahead = 0 if line["surprises"] else 1
    # Nobody is quick by being slow: a speed quality counts from Good on.
    if line["speed"] and speed >= Rank.GOOD:
        return ahead, 0, -speed
    return ahead, 1, -best_rank(sheet.traits)


def _contestant(line: Mapping[str, Any], sheet: Sheet, place: int) -> Contestant:
    return Contestant(
        id=sheet.id, name=sheet.name, side=line["side"], player=line["player"], surprises=line["surprises"],
        unaware=line["unaware"], intent=line["intent"], position=line["position"], place=place,
        out=bool(harm.out_of_action(sheet)),
    )


def _roll_ties(
    groups: list[list[str]], faces: Sequence[int], names: Mapping[str, str]
) -> tuple[list[list[str]], list[Die]] | Need:
    dice: list[Die] = []
    while tied := [id_ for group in groups if len(group) > 1 for id_ in group]:
        have = faces[len(dice) : len(dice) + len(tied)]
        if len(have) < len(tied):
            return Need((6,) * (len(tied) - len(have)))
        thrown = dict(zip(tied, have, strict=True))
        dice += [Die(6, face, names[id_]) for id_, face in thrown.items()]
        groups = [part for group in groups for part in _split(group, thrown)]
    if len(faces) > len(dice):
        raise BadMove(f"Enter {len(dice)} dice; there are {len(faces)}.", "dice")
    return groups, dice


def _split(group: list[str], thrown: Mapping[str, int]) -> list[list[str]]:
    if len(group) == 1:
        return [group]
    return [[id_ for id_ in group if thrown[id_] == face] for face in sorted({thrown[id_] for id_ in group})[::-1]]


def _out_from_before(sheets: Iterable[Sheet]) -> Iterator[Step]:
    for sheet in sheets:
        if low := harm.out_of_action(sheet):
            yield Step("PQ-16", f"{sheet.name} is out of action from before: {low} is below Poor.")


def _order_steps(
    groups: Sequence[Sequence[str]], priorities: Mapping[str, Priority], sheets: Mapping[str, Sheet], rolled: bool
) -> tuple[Step, ...]:
    steps = []
    for number, group in enumerate(groups, start=1):
        ahead, slow, rank = priorities[group[0]]
        names = join([sheets[id_].name for id_ in group])
        why = f"{'a speed quality' if not slow else 'the highest quality'} at {Rank(-rank).notation}"
        why = why if ahead else f"surprise, then {why}"
        together = ", together" if len(group) > 1 else ""
        steps.append(Step("PQ-11", f"{number}. {names}{together}: {why}."))
    if rolled:
        steps.append(Step("PQ-11", "Equal initiative was settled by a die each, highest first."))
    return tuple(steps)
