"""One way to a roll: the same character against the same thing has the same numbers, odds and reasons at every door."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

import pytest

from rules.moves import Need
from rules.opposing import strongest_lines
from rules.registry import kind_of
from rules.sheet import Sheet, Trait
from rules.systems import questworlds
from rules.systems.questworlds.contest import Contest
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.reckoning import Modifier, Party, settle, stands_at, strongest, terms
from rules.systems.questworlds.simple_contest import FlawContest, GroupContest, OpposedContest, SimpleContest
from rules.systems.questworlds.simple_contest.odds import odds, with_others
from rules.systems.questworlds.system import QuestWorlds
from rules.tray import Around, Obstacle, TrayAct, TrayRoll, in_one, rehearse
from tests.rules.one_place import said_in

HURT = Trait("h", "consequence", "Cut hand", 2, note="Knife")
WORN = Trait("w", "consequence", "Worn out", 2, note="Knife")
LOST = Trait("l", "consequence", "Lost sleep", 1, note="Mapmaker, Knife")
FAME = Trait("e", "benefit", "Known for it", 1, note="Mapmaker")
ELSEWHERE = Trait("x", "consequence", "In bad odour", 3, note="The harbour court")
DIZZY = Trait("z", "adversity", "Dizzy", 2, note="Knife")
LUCK = Trait("y", "fortune", "In luck", 4, note="Forgery")
ABILITIES = (
    Trait("k", "keyword", "Mapmaker", 19), Trait("b", "breakout", "Forgery", 4, parent="k"),
    Trait("a", "ability", "Knife", 14), Trait("f", "flaw", "In debt", 15))
QUESTWORLDS = QuestWorlds()


@dataclass(frozen=True)
class Case:
    """What is used, with what on the sheet, against which number; what it comes to, and why."""

    ability: str
    lasting: tuple[Trait, ...]
    resistance: int
    target: int
    reasons: tuple[str, ...]
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def sheet(self) -> Sheet:
        """Ilse, with what lasts."""
        return Sheet("i", "Ilse", (*ABILITIES, *self.lasting))

    @property
    def read(self) -> dict[str, Any]:
        """The campaign's settings."""
        return QUESTWORLDS.read_settings(dict(self.settings))


CASES = {
    "nothing lasts": Case("a", (), 14, 14, ()),
    "what touches it": Case("a", (HURT,), 14, 8, ("Cut hand",)),
    "what touches another": Case("k", (HURT,), 14, 19, ()),
    "a benefit on another ability": Case("a", (FAME,), 14, 14, ()),
    "hurt here, and known elsewhere": Case("a", (HURT, FAME, ELSEWHERE), 17, 8, ("Cut hand",)),
    "what touches its keyword": Case("b", (FAME, ELSEWHERE), 17, 26, ("Known for it",)),
    "two of them by rank": Case("a", (HURT, WORN), 20, -6, ("Cut hand", "Worn out")),
    "two of them by value": Case("a", (HURT, WORN), 20, 2, ("Cut hand", "Worn out"), (("stacking", "value"),)),
    "one for and one against": Case("k", (LOST, FAME), 14, 19, ("Lost sleep", "Known for it")),
    "a state, and ties for the player": Case("a", (DIZZY, HURT), 14, 2, ("Dizzy", "Cut hand"), (
        ("tie", "player"), ("states", True))),
    "a bump": Case("b", (LUCK,), 30, 23, ("In luck",), (("fortune", True), ("degrees", True))),
}
SCORES = {"k": 19, "b": 23, "a": 14}
TOUCHED = {"a": (HURT, WORN, LOST), "k": (LOST, FAME), "b": (LOST, FAME)}  # a breakout is touched as its keyword is
WORTH = (0, 3, 6, 9, 20, 40)  # by rank


def written_down(ability: str, lasting: tuple[Trait, ...], stacking: str, resistance: int) -> Case:
    """What these come to, by the rules as they are written and no module of the game."""
    counts = [line for line in lasting if line in TOUCHED[ability]]
    ranks = [-line.value if line.kind == "consequence" else line.value for line in counts]
    amounts = [WORTH[abs(rank)] * (1 if rank > 0 else -1) for rank in (ranks if stacking == "value" else [sum(ranks)])]
    return Case(ability, lasting, resistance, SCORES[ability] + sum(amounts), tuple(line.name for line in counts),
                (("stacking", stacking),))


LASTING = ((HURT,), (HURT, WORN, LOST), (LOST, FAME), (HURT, LOST, ELSEWHERE), (HURT, WORN, FAME))
CASES |= {f"{ability} with {' and '.join(line.name for line in lasting)}, by {stacking}":
          written_down(ability, lasting, stacking, 11 + 3 * place)
          for place, (ability, lasting, stacking) in enumerate(product(SCORES, LASTING, ("rank", "value")))}
Came = tuple[int, int, Fraction, tuple[str, ...]]  # target, resistance, chance of victory, what counted


def _setup(kind: SimpleContest, case: Case, *others: str) -> dict[str, Any]:
    names = {field.name for field in kind.fields}
    people = [{"sheet": who, "player": True} for who in ("i", *others)]
    return {**{name: value for name, value in case.read.items() if name in names}, "contestants": people,
            "title": "The gate"}


def _stands(kind: SimpleContest, case: Case, acts: list[TrayAct], sheets: dict[str, Sheet], *others: str) -> Any:
    """The state after these acts."""
    turn = kind.start(_setup(kind, case, *others), sheets)
    assert not isinstance(turn, Need)
    state = reduce(kind.evolve, turn.events, kind.blank())
    for act in acts:
        came = kind.act(state, sheets, act.by, act.action, act.given)
        assert not isinstance(came, Need)
        state = reduce(kind.evolve, came.events, state)
    return state


def _of(state: Any) -> Came:
    roll, labels = state.terms("i"), " and ".join(line.label for line in state.lines("i") if line.kind == "lasting")
    return (roll.score, roll.resistance + sum(roll.resistance_modifiers), odds(state, "i").outcomes[0][1],
            tuple(name for name in _names(state) if name in labels))


def _names(state: Any) -> list[str]:
    return [trait.name for case in CASES.values() for trait in case.lasting]


def _choose(case: Case) -> TrayAct:
    return TrayAct("choose", "i", {"tactic": "By hand", "ability": case.ability})


def _choose_another(case: Case) -> TrayAct:
    other = next(trait for trait in reversed(ABILITIES) if trait.kind != "flaw" and trait.id != case.ability)
    return TrayAct("choose", "i", {"tactic": "Else", "ability": other.id})


def by_a_second_thought(case: Case) -> Came:
    """Something else was chosen first, and what touched that counted."""
    acts = [_choose_another(case), TrayAct("oppose", "", {"name": "It", "resistance": str(case.resistance)}),
            _choose(case)]
    return _of(_stands(SimpleContest(), case, acts, {"i": case.sheet}))


def by_the_frame(case: Case) -> Came:
    """Chosen by the player, set by the GM, who opens nothing else."""
    acts = [_choose(case), TrayAct("oppose", "", {"name": "It", "resistance": str(case.resistance)}),
            TrayAct("set", "", {})]
    return _of(_stands(SimpleContest(), case, acts, {"i": case.sheet}))


def by_the_tray(case: Case) -> Came:
    """Pressed with nothing ticked, against what the GM has put there."""
    kind, sheet = SimpleContest(), case.sheet
    roll = kind.from_tray(sheet, _setup(kind, case), {"ability": case.ability},
                          Around(against=Obstacle("It", {"resistance": str(case.resistance)})))
    rehearsed = rehearse(kind, roll, {"i": sheet})
    came = in_one(kind, roll, {"i": sheet}, (7, 9))
    assert not isinstance(came, Need)
    target, resistance, chance, reasons = _of(_stands(kind, case, list(roll.acts[:-1]), {"i": sheet}))
    assert chance == rehearsed.odds[0][1].outcomes[0][1]
    assert Contest().read(came.rolls[0].given).score == target, "and so the dice are read"
    return target, resistance, chance, reasons


def by_the_group(case: Case) -> Came:
    """One of two, before anybody has opened a form of the GM's."""
    tam = Sheet("t", "Tam", (Trait("s", "ability", "Songs", 15),))
    acts = [_choose(case), TrayAct("choose", "t", {"tactic": "Aloud", "ability": "s"}),
            TrayAct("oppose", "", {"name": "It", "resistance": str(case.resistance)})]
    return _of(_stands(GroupContest(), case, acts, {"i": case.sheet, "t": tam}, "t"))


def by_two(case: Case) -> Came:
    """Against another character, whose ability is the number."""
    tam = Sheet("t", "Tam", (Trait("s", "ability", "Songs", case.resistance),))
    acts = [_choose(case), TrayAct("choose", "t", {"tactic": "Aloud", "ability": "s"})]
    state = _stands(OpposedContest(), case, acts, {"i": case.sheet, "t": tam}, "t")
    return _of(state)


def by_an_npc(case: Case) -> Came:
    """Against somebody who is here, tapped by the GM: what lasts of theirs counts too."""
    guard = Sheet("g", "Guard", (Trait("w", "ability", "Watch", case.resistance + 6),
                                 Trait("v", "consequence", "Tired", 2, note="Watch")), npc=True)
    acts = [_choose(case), TrayAct("against", "", {"against": "npc:w"})]
    return _of(_stands(SimpleContest(), case, acts, {"i": case.sheet, "g": guard}))


def by_a_long_one(kind: Any, action: str, **values: Any) -> Callable[[Case], Came]:
    """A round, dice and all, of a long contest against that number."""
    def came(case: Case) -> Came:
        names, sheets = {field.name for field in kind.fields}, {"i": case.sheet}
        begun = kind.start({**{name: value for name, value in case.read.items() if name in names},
                            "title": "The gate", "opponents": f"It {case.resistance}",
                            "contestants": [{"sheet": "i", "side": "The crew", "player": True}]}, sheets)
        assert not isinstance(begun, Need)
        state = reduce(kind.evolve, begun.events, kind.blank())
        done = kind.act(state, sheets, "i", action, {"ability": case.ability, **values}, (7, 9))
        assert not isinstance(done, Need)
        move: Any = Contest().read(done.rolls[0].given)
        labels = " and ".join(step.text for step in done.steps if step.rule == "QW-21")
        won = Contest().odds(move, "outcome").get("victory", Fraction(0))
        return move.score, move.resistance, won, tuple(name for name in dict.fromkeys(_names(None)) if name in labels)
    return came


def with_another(case: Case) -> Came:
    """What the page says of it while something else is chosen."""
    named = next(trait.name for trait in ABILITIES if trait.id == case.ability)
    acts = [_choose_another(case), TrayAct("oppose", "", {"name": "It", "resistance": str(case.resistance)})]
    state = _stands(SimpleContest(), case, acts, {"i": case.sheet})
    answer = next(answer for name, answer in with_others(state, case.sheet) if name.startswith(named))
    return case.target, case.resistance, answer.outcomes[0][1], case.reasons


def by_the_matrix(case: Case) -> Came:
    """The GM's table of best ways."""
    named = next(trait.name for trait in ABILITIES if trait.id == case.ability)
    ways = QUESTWORLDS.rolls.approaches(case.sheet, {"resistance": str(case.resistance)}, case.read)
    way = next(way for way in ways if way.label == named)
    move = kind_of(way.move).read(way.given)
    chance = sum((part for face, part in kind_of(way.move).odds(move, way.of).items() if face in way.wins), Fraction(0))
    return move.score, move.resistance, chance, tuple(
        name for name in dict.fromkeys(trait.name for trait in case.lasting) if name in way.counts)


def by_terms(case: Case) -> Came:
    """What the table below writes down, reckoned without any door."""
    score = SCORES[case.ability]
    down = -1 if LUCK in case.lasting else 0
    counts = (Modifier("i", "", "", case.target - score, down=down),)
    read = case.read
    roll = terms(Party(score, counts=counts), Party(case.resistance), tie_to_player=read["tie"] == "player",
                 degrees=read["degrees"])
    won = sum(settle(roll, (ours, theirs)).outcome == "victory" for ours in range(1, 21) for theirs in range(1, 21))
    return roll.score, roll.resistance, Fraction(won, 400), case.reasons


DOORS: dict[str, Callable[[Case], Came]] = {
    "the frame": by_the_frame, "a second thought": by_a_second_thought, "the tray": by_the_tray,
    "a group": by_the_group, "two": by_two, "an NPC": by_an_npc,
    "with another ability": with_another, "the matrix": by_the_matrix,
    "a scored contest": by_a_long_one(ScoredLong(), "round", bout="0", tactic="normal", aim=""),
    "a chained contest": by_a_long_one(ChainedLong(), "round", bout="0", aim=""),
    "an extended contest": by_a_long_one(ExtendedLong(), "bid", whom="~0", bid=1, aim="")}
LONG = [door for door in DOORS if door.endswith(" contest")]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", CASES)
def test_the_same_numbers_odds_and_reasons_at_every_door(name: str, door: str) -> None:
    case, expected = CASES[name], by_terms(CASES[name])
    if door == "two" and case.read["tie"] == "player":
        pytest.skip("no tie goes to a player where two stand against each other")
    if door in LONG and (case.target <= 0 or case.read["tie"] == "player" or case.read["degrees"]):
        pytest.skip("nobody begins one with nothing to roll with, and it has no dial for ties or degrees")
    came = DOORS[door](case)
    assert came[:3] == expected[:3]
    assert sorted({*came[3]}) == sorted(case.reasons)


def test_qw_24_a_flaw_that_is_acted_against_is_met_with_what_lasts() -> None:
    case = CASES["what touches it"]
    acts = [TrayAct("resist", "i", {"flaw": "f"}), _choose(case)]
    target, resistance, _, reasons = _of(_stands(FlawContest(), case, acts, {"i": case.sheet}))
    assert (target, resistance, reasons[0]) == (8, 15, "Cut hand")


def test_qw_62_what_is_to_be_healed_counts_against_whoever_heals_it() -> None:
    case = replace(CASES["what touches it"], resistance=20)
    acts = [_choose(case), TrayAct("oppose", "", {"heals": "h"})]
    assert _of(_stands(SimpleContest(), case, acts, {"i": case.sheet}))[:3] == by_terms(case)[:3]


def test_qw_22_an_augment_is_rolled_with_what_touches_it() -> None:
    case = CASES["what touches it"]
    acts = [TrayAct("choose", "i", {"tactic": "With a map", "ability": "k"}),
            TrayAct("oppose", "", {"name": "It", "resistance": "14"}),
            TrayAct("augment", "i", {"trait": "a", "whom": "i", "words": "Cutting the seal"}),
            TrayAct("answer", "", {"proposal": "0", "verdict": "roll3"})]
    kind, sheets = SimpleContest(), {"i": case.sheet}
    came = kind.act(_stands(kind, case, acts, sheets), sheets, "i", "roll_augment", {}, (10, 13))
    assert not isinstance(came, Need) and Contest().read(came.rolls[0].given).score == 8


def test_qw_60_what_the_gm_takes_off_stays_off_and_the_roll_keeps_what_it_was_rolled_with() -> None:
    case, kind = CASES["what touches it"], SimpleContest()
    acts = [_choose(case), TrayAct("oppose", "", {"name": "It", "resistance": "14"}),
            TrayAct("take_back", "", {"line": "0"}), TrayAct("set", "", {})]
    state = _stands(kind, case, acts, {"i": case.sheet})
    assert state.terms("i").score == 14, "what binds is the GM’s to take off"
    came = kind.act(state, {"i": case.sheet}, "i", "roll", {}, (7, 9))
    assert not isinstance(came, Need)
    (rolled, *_) = came.events
    assert rolled.terms.ability == 14 and kind.read(kind.write(rolled)) == rolled
    assert kind.evolve(state, replace(rolled, terms=None)).terms("i") == kind.evolve(state, rolled).terms("i")


def test_qw_60_healed_since_it_no_longer_counts_and_what_is_new_does() -> None:
    case, kind = CASES["what touches it"], SimpleContest()
    state = _stands(kind, case, [_choose(case), TrayAct("oppose", "", {"name": "It", "resistance": "14"})],
                    {"i": case.sheet})
    for lasting, target in ((), 14), ((replace(HURT, value=1),), 11), ((HURT, LOST), 5):
        came = kind.act(state, {"i": Sheet("i", "Ilse", (*ABILITIES, *lasting))}, "", "set", {})
        assert not isinstance(came, Need)
        assert reduce(kind.evolve, came.events, state).terms("i").score == target


def test_the_tray_holds_for_the_gm_only_what_the_gm_has_put_there() -> None:
    case, kind = Case("a", (HURT, ELSEWHERE), 14, 8, ()), SimpleContest()
    obstacle = Around(against=Obstacle("It", {"resistance": "14"}))
    given = {"ability": "a", "lines": ["x"]}
    roll: TrayRoll = kind.from_tray(case.sheet, _setup(kind, case), given, obstacle)
    assert [act.by for act in roll.acts if act.action == "lasting"] == ["i"], "what else applies is the player’s word"
    state = _stands(kind, case, list(roll.acts[:-1]), {"i": case.sheet})
    assert [(line.label, line.said_by, line.reason) for line in state.modifiers] == [
        ("Cut hand", "", "it touches Knife"), ("In bad odour", "i", "Ilse says so")]


def test_what_somebody_stands_at_is_never_under_the_least() -> None:
    tired = Trait("v", "consequence", "Tired", 3, note="Watch")
    guard = Sheet("g", "Guard", (Trait("w", "ability", "Watch", 10), tired))
    assert stands_at(guard, guard.traits[0], 14) == (6, "Watch, −9 for Tired")


def test_qw_03_an_npc_against_somebody_is_never_under_the_least() -> None:
    """As with a resistance that their line sets; a player's character may fall lower."""
    case = CASES["two of them by rank"]
    guard = Sheet("g", "Guard", (Trait("w", "ability", "Watch", 10),
                                 Trait("v", "consequence", "Tired", 3, note="Watch")), npc=True)
    kind, sheets = OpposedContest(), {"i": case.sheet, "g": guard}
    people = [{"sheet": "i", "player": True}, {"sheet": "g"}]
    begun = kind.start({**_setup(kind, case), "contestants": people}, sheets)
    assert not isinstance(begun, Need)
    state = reduce(kind.evolve, begun.events, kind.blank())
    for who, ability in (("i", case.ability), ("g", "w")):
        came = kind.act(state, sheets, who, "choose", {"tactic": "Aloud", "ability": ability})
        assert not isinstance(came, Need)
        state = reduce(kind.evolve, came.events, state)
    assert (state.terms("g").score, state.terms("i").score) == (6, -6)
    (line,) = state.lines("g")
    assert (line.label, line.amount, line.sources or (line.source,)) == ("Tired", -4, ("v",))


def test_qw_60_an_npc_is_met_with_what_is_strongest_once_all_counts() -> None:
    tired = Trait("v", "consequence", "Tired", 3, note="Watch")
    guard = Sheet("g", "Guard", (Trait("w", "ability", "Watch", 17), tired, Trait("c", "ability", "Cudgel", 14)),
                  npc=True)
    settings = QUESTWORLDS.read_settings({})
    assert strongest(guard) == (guard.traits[2], 14) and strongest(Sheet("n", "Nobody"), 14) == (None, 14)
    assert [line.name for line in strongest_lines(QUESTWORLDS, settings, guard)] == ["Cudgel", "Watch"]
    kept = Trait("k", "keyword", "Warden", 15), Trait("b", "breakout", "Pike", 2, parent="k")
    warden = Sheet("d", "Warden", kept, npc=True)
    assert strongest_lines(QUESTWORLDS, settings, warden)[0].name == "Pike", "a breakout counts with its keyword"


def test_qw_21_no_procedure_puts_together_by_itself_what_a_roll_is_made_of() -> None:
    """Terms of the contract's moves are the contract's; a procedure's are made, and read with faces, in one place."""
    makes = said_in(questworlds, r"(?<![\w.])Terms\(|erms(?:\([^()]*\))?\.clash\(|\broll\.clash\(")
    assert makes and not [path for path, _ in makes if "/" in path]
