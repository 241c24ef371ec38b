"""A line of an NPC that resists: the same number at every door, as the sheet has it until the dice lie (QW-03)."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rules.opposing import stands_for
from rules.procedure import CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.notation import read_either
from rules.systems.questworlds.simple_contest import GroupContest, SimpleContest
from rules.systems.questworlds.system import QuestWorlds
from rules.tray import Around, Obstacle, TrayAct, rehearse
from tests.rules.questworlds.longing import ILSE, Table

QUESTWORLDS = QuestWorlds()
TIRED = Trait("t", "consequence", "Tired", 2, note="Watch")
WET = Trait("u", "consequence", "Wet through", 2, note="Watch, Run")
SPENT = Trait("s", "consequence", "Spent", 4, note="Watch")
KNOWN = Trait("n", "benefit", "Knows the yard", 1, note="Watch")
ELSEWHERE = Trait("e", "consequence", "Poor", 3, note="The market")


@dataclass(frozen=True)
class Case:
    """What the guard is good at, with what lasts, under which settings, and what that resists with."""

    score: int
    lasting: tuple[Trait, ...]
    stands: int
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def guard(self) -> Sheet:
        """Somebody with one ability."""
        return Sheet("g", "Guard", (Trait("w", "ability", "Watch", self.score), *self.lasting), npc=True)

    @property
    def read(self) -> dict[str, Any]:
        """The campaign's settings."""
        return QUESTWORLDS.read_settings(dict(self.settings))


CASES = {
    "nothing lasts": Case(20, (), 20),
    "what touches it": Case(20, (TIRED,), 14),
    "what touches another": Case(20, (ELSEWHERE,), 20),
    "a benefit": Case(20, (KNOWN,), 23),
    "two of them by rank": Case(27, (TIRED, WET), 7),
    "two of them by value": Case(27, (TIRED, WET), 15, (("stacking", "value"),)),
    "one for and one against": Case(20, (TIRED, KNOWN), 17),
    "the same by value": Case(20, (TIRED, KNOWN), 17, (("stacking", "value"),)),
    "never under the least": Case(15, (SPENT,), 6),
    "never under the least by value": Case(15, (TIRED, WET), 6, (("stacking", "value"),)),
    "another base": Case(20, (TIRED,), 14, (("base", 20),)),
    "an ability that is low": Case(4, (), 6),
}


def _acts(kind: SimpleContest, case: Case, sheets: dict[str, Sheet], *acts: TrayAct) -> Any:
    names = {field.name for field in kind.fields}
    people = [{"sheet": who, "player": True} for who, sheet in sheets.items() if not sheet.npc]
    begun: Any = kind.start({**{name: value for name, value in case.read.items() if name in names},
                             "contestants": people, "title": "The gate"}, sheets)
    state = kind.fold(kind.write(event) for event in begun.events)
    for act in acts:
        came: Any = kind.act(state, sheets, act.by, act.action, act.given)
        for event in came.events:
            state = kind.evolve(state, event)
    return state


def _choose(who: str, ability: str) -> TrayAct:
    return TrayAct("choose", who, {"tactic": "By hand", "ability": ability})


def as_an_obstacle(case: Case) -> int:
    """By its chip, and in the matrix: the fields of an obstacle."""
    fields = stands_for(QUESTWORLDS, case.read, case.guard, case.guard.traits[0])
    ways = QUESTWORLDS.rolls.approaches(ILSE, fields, case.read)
    assert {way.against for way in ways} == {fields["resistance"]}
    return read_either(str(fields["resistance"]), "M")


def in_the_tray(case: Case) -> int:
    """With that obstacle chosen."""
    kind, fields = SimpleContest(), stands_for(QUESTWORLDS, case.read, case.guard, case.guard.traits[0])
    names = {field.name for field in kind.fields}
    setup = {**{name: value for name, value in case.read.items() if name in names},
             "contestants": [{"sheet": "i", "player": True}], "title": "The gate"}
    roll = kind.from_tray(ILSE, setup, {"ability": "k"}, Around(against=Obstacle("Guard: Watch", fields)))
    assert rehearse(kind, roll, {"i": ILSE}).rolls
    return int(_acts(kind, case, {"i": ILSE}, *roll.acts[:-1]).terms("i").resistance)


def by_a_tap(case: Case) -> int:
    """Answered with, by the GM's one tap on the framed form."""
    sheets = {"i": ILSE, "g": case.guard}
    state = _acts(SimpleContest(), case, sheets, _choose("i", "k"), TrayAct("against", "", {"against": "npc:w"}))
    return int(state.terms("i").resistance)


def by_the_form(case: Case) -> int:
    """Set by the GM, and then they tire: it is ready to roll against what they are by then."""
    kind, sheets = SimpleContest(), {"i": ILSE, "g": Sheet("g", "Guard", case.guard.traits[:1], npc=True)}
    state = _acts(kind, case, sheets, _choose("i", "k"), TrayAct("oppose", "", {"npc": "w"}))
    ready: Any = kind.act(state, {**sheets, "g": case.guard}, "", "set", {})
    for event in ready.events:
        state = kind.evolve(state, event)
    return int(state.terms("i").resistance)


def by_a_group(case: Case) -> int:
    """Against all of a group."""
    sheets = {"i": ILSE, "o": Sheet("o", "Otho", (Trait("x", "ability", "Strong", 16),)), "g": case.guard}
    state = _acts(GroupContest(), case, sheets, _choose("i", "k"), _choose("o", "x"),
                  TrayAct("oppose", "", {"npc": "w"}))
    assert state.terms("i").resistance == state.terms("o").resistance
    return int(state.terms("o").resistance)


def _long(kind: Any) -> Callable[[Case], int]:
    def stands(case: Case) -> int:
        made = Table.__new__(Table)
        sheets = {"i": ILSE, "g": Sheet("g", "Guard", case.guard.traits[:1], npc=True)}
        names = {field.name for field in kind().fields}
        begun: Any = kind().start({
            **{name: value for name, value in case.read.items() if name in names}, "title": "The bridge",
            "contestants": [{"sheet": who, "side": who, "player": who == "i"} for who in sheets]}, sheets)
        made.kind, made.sheets, made.events = kind(), sheets, list(begun.events)
        made.context = CampaignContext((("story_points", 0),))
        made.plain = made.kind.fold(made.kind.write(event) for event in begun.events)
        made.sheets["g"] = case.guard  # they tire once it goes on
        if kind is ExtendedLong:
            made.act("i", "bid", 5, 19, whom="g", ability="k", bid=3)
        else:
            made.round(5, 19)
        (thrown,) = [event for event in made.events if type(event).__name__ == "DiceFell"]
        return int(thrown.resistance + sum(thrown.resistance_modifiers))
    return stands


def from_elsewhere(case: Case) -> int:
    """As the form of a long contest proposes an NPC who is not in the scene."""
    context = CampaignContext(away=(case.guard,), settings=case.read)
    (written, _), = ScoredLong().choices(context)["prepared"]
    return read_either(written.removeprefix("Guard "), "M")


DOORS: dict[str, Callable[[Case], int]] = {
    "an obstacle": as_an_obstacle, "the tray": in_the_tray, "one tap": by_a_tap, "the framed form": by_the_form,
    "a group": by_a_group, "scored": _long(ScoredLong), "chained": _long(ChainedLong), "extended": _long(ExtendedLong),
    "from elsewhere": from_elsewhere}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", CASES)
def test_qw_03_a_line_resists_with_the_same_number_at_every_door(name: str, door: str) -> None:
    assert DOORS[door](CASES[name]) == CASES[name].stands


def test_qw_50_whom_the_gm_gave_another_resistance_keeps_that() -> None:
    made = Table(ScoredLong(), opponents="", who=(("i", "The crew", True), ("v", "Them", False)))
    tired = Trait("t", "consequence", "Tired", 1, note="Sabre")
    made.sheets["v"] = replace(made.sheets["v"], traits=(Trait("d", "ability", "Sabre", 25), tired))
    made.act("", "resist", whom="v", resistance="12")
    made.sheets["v"] = replace(made.sheets["v"], traits=(Trait("d", "ability", "Sabre", 30), tired))
    made.round(5, 19)
    thrown = next(event for event in made.events if type(event).__name__ == "DiceFell")
    assert (thrown.resistance, thrown.resistance_modifiers) == (12, (-3,)), "what lasts counts against that, too"


def test_what_was_kept_of_an_npc_before_is_read_as_it_was() -> None:
    made = Table(ScoredLong(), opponents="", who=(("i", "The crew", True), ("v", "Them", False)))
    stored: Any = made.kind.write(made.events[0])
    for part in stored["parts"]:
        assert part.pop("ruled") is False
    assert made.kind.read(stored) == made.events[0]
