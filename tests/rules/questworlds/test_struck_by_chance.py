"""What a player says hinders them in a long contest, struck after any dice: as if it had never been said (QW-21)."""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any

import pytest

from rules.moves import Need
from rules.registry import SYSTEMS
from rules.sheet import Sheet, Trait
from rules.strike import DISMISS
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.opening import as_they_stand
from rules.systems.questworlds.long.values import OF_THEIR_OWN
from rules.systems.questworlds.long.word import Struck
from rules.systems.questworlds.simple_contest import SimpleContest
from rules.values import BadMove
from tests.effort import tries
from tests.rules.at_any_table import AnyTable
from tests.rules.questworlds.longing import Table
from tests.rules.questworlds.promises import OwnPromises

# Beside rounds and exchanges: what one does apart counts what hinders, too.
BESIDE = {"scored": {"assist", "unrelated", "remove"}, "chained": {"unrelated"}, "extended": {"lend", "against_a_flaw"}}



def without(table: AnyTable, before: Any, line: Any, act: tuple[str, str, dict[str, Any]], faces: Any) -> Any:
    """Where the same dice lead to, had nobody said it."""
    bare = Struck(line.who, line.source).after(before)
    by, action, given = act
    came = table.kind.act(bare, table.sheets, by, action, given, faces)
    assert not isinstance(came, Need)
    return came, reduce(table.kind.evolve, came.events, bare)


@pytest.mark.parametrize("kind", [ScoredLong(), ChainedLong(), ExtendedLong()], ids=["scored", "chained", "extended"])
def test_qw_21_the_same_faces_lead_to_what_they_would_have_without_it(kind: Any) -> None:
    heard: Counter[str] = Counter()
    for seed in range(tries(60, 600)):
        table = AnyTable(SYSTEMS["questworlds"], kind, Random(seed), promises=OwnPromises())
        for _ in range(24):
            offers = list(table.offers())
            table.chance.shuffle(offers)
            # Whoever can says that a flaw hinders them.
            offers.sort(key=lambda offer: not (offer.action == "hinder" and offer.by))
            did = next(((offer, done) for offer in offers if offer.action != DISMISS
                        if (done := table.found(offer))), None)
            if did is None or kind.is_over(table.plain):
                break
            offer, (given, result) = did
            before, sheets, faces = table.state, table.sheets, table.thrown[id(result)]
            after = kind.with_context(reduce(kind.evolve, result.events, table.plain), before.context)
            if after.unread and faces and after.unread[1].kind not in OF_THEIR_OWN:
                heard[after.unread[1].kind] += _agrees(table, before, after, (offer.by, offer.action, given), faces)
            table.keep(result)
            assert table.sheets is not sheets or not result.effects
    assert heard.total() > 20 and set(heard) & BESIDE[kind.name.partition(".")[2]]


def _agrees(table: AnyTable, before: Any, after: Any, act: tuple[str, str, dict[str, Any]], faces: Any) -> int:
    """How many lines could be struck; each leads to what would have been without it."""
    dice, many = after.unread[1], 0
    for line in after.unread[0].lines:
        if not line.said_by or line.who not in (dice.first, dice.second) or line not in before.lines:
            continue
        struck = table.kind.act(after, table.sheets, "", DISMISS, {"which": f"{line.who} {line.source}"})
        assert not isinstance(struck, Need) and not struck.dice
        now = reduce(table.kind.evolve, struck.events, after)
        came, expected = without(table, as_they_stand(before, table.sheets), line, act, faces)
        assert (now.record, now.contestants, now.bouts, now.lines, now.throws) == (
            expected.record, expected.contestants, expected.bouts, expected.lines, expected.throws), act
        assert struck.effects == came.effects
        many += 1
    return many


def plainly(table: Table) -> Any:
    """All that the dice lead to; what is used from then on, and what may be, is another matter."""
    state, lines = table.state, {who: [line.name for line in sheet.traits] for who, sheet in table.sheets.items()}
    return (state.record, state.bouts, state.round, state.phase, state.lines, state.throws, lines,
            [replace(contestant, using=None) for contestant in state.contestants])


class Rounds:
    """A round, or two, of Ilse’s against a captain, by chance; what lasts touches both of her abilities, or one."""

    def __init__(self, kind: Any, chance: Random) -> None:
        self.kind, self.form = kind, kind.state.form
        self.stands, self.ranks = chance.randint(6, 30), chance.sample(range(6, 32), 2)
        self.hurt = Trait("h", "consequence", "Cut hand", chance.randint(1, 3), note=chance.choice(("Knife", "all")))
        self.lines = [line for line in ("situation:3", "stretch:-6", "plot:6") if chance.random() < 0.4]
        self.rounds = [(chance.choice("ab"), chance.randint(1, 5), (chance.randint(1, 20), chance.randint(1, 20)))
                       for _ in range(chance.randint(1, 2))]
        self.risk = chance.choice(("normal", "risky", "defensive")) if self.form == "scored" else ""

    def played(self, with_none: bool = False) -> Table:
        """All of it; `with_none`: the last dice without an ability, and without a stretch of it."""
        table = Table(self.kind, f"Captain Vey {self.stands}")
        table.sheets["i"] = Sheet("i", "Ilse", (
            Trait("a", "ability", "Knife", self.ranks[0]), Trait("b", "ability", "Maps", self.ranks[1]), self.hurt,
            Trait("c", "ability", "Climbing", 35)))  # so that she need not concede for want of another
        for line in self.lines:
            table.act("", "modify", whom="i", line=line, reason="So", span="contest")
        for number, (ability, bid, faces) in enumerate(self.rounds, 1):
            last = with_none and number == len(self.rounds)
            for place, line in enumerate(table.state.lines):
                if last and line.kind == "stretch":
                    table.act("", "take_back", line=str(place))
            self.dice(table, "" if last else ability, bid, faces)
        return table

    def dice(self, table: Table, ability: str, bid: int, faces: tuple[int, int]) -> None:
        if self.form != "extended":
            table.act("i", "round", *faces, bout="0", ability=ability, **({"tactic": self.risk} if self.risk else {}))
        elif table.state.turn == "~0":
            table.act("", "gm_bid", who="~0", whom="i", bid=bid)
            table.act("i", "answer_bid", *faces, ability=ability)
        else:
            table.act("i", "bid", *faces, whom="~0", ability=ability, bid=bid)


@pytest.mark.parametrize("kind", [ScoredLong(), ChainedLong(), ExtendedLong()], ids=["scored", "chained", "extended"])
def test_qw_06_the_same_faces_of_a_round_lead_to_what_they_would_have_with_no_ability(kind: Any) -> None:
    chance, struck = Random(11), Counter[str]()
    for _ in range(tries(60, 1500)):
        said = Rounds(kind, chance)
        try:
            table, expected = said.played(), said.played(with_none=True)
        except BadMove:  # it is over, or brings no points to bid
            continue
        ability = said.rounds[-1][0]
        if table.state.unread is None or f"i uses:{ability}" not in dict(kind.said(table.state)):
            continue
        before = {line.id for line in table.sheets["i"].traits}
        kept = tuple(line for line in table.sheets["i"].traits if line.name != f"Setback of round {len(said.rounds)}")
        table.sheets["i"] = replace(table.sheets["i"], traits=kept)  # what the first reading did is taken back
        table.act("", DISMISS, which=f"i uses:{ability}")
        assert plainly(table) == plainly(expected), vars(said)
        struck["round" if len(said.rounds) == 1 else "a later one"] += 1
        struck["hurt"] += len(before) > 4
    assert min(struck["round"], struck["a later one"]) > 8, struck


SIMPLE = SimpleContest()


def framed(sheet: Sheet, ability: str, second: str, modifiers: list[str], resistance: int) -> Any:
    """One who uses this against a resistance, with what the GM says counts."""
    plain: Any = SIMPLE.blank()
    begun = SIMPLE.start({"contestants": [{"sheet": "i", "player": True}], "title": "The gate"}, {"i": sheet})
    assert not isinstance(begun, Need)
    plain = reduce(SIMPLE.evolve, begun.events, plain)
    for by, action, given in (
        ("i", "choose", {"tactic": "By hand", "ability": ability, "second": second}),
        ("", "oppose", {"name": "It", "resistance": str(resistance)}),
        *(("", "modify", {"whom": "i", "line": line, "reason": "So"}) for line in modifiers), ("", "set", {}),
    ):
        plain = acted(sheet, plain, by, action, given)
    return plain


def acted(sheet: Sheet, plain: Any, by: str, action: str, given: dict[str, Any], faces: tuple[int, ...] = ()) -> Any:
    came = SIMPLE.act(plain, {"i": sheet}, by, action, given, faces)
    assert not isinstance(came, Need)
    return reduce(SIMPLE.evolve, came.events, plain)


def test_qw_06_without_the_ability_the_same_faces_lead_to_what_they_would_have_with_none() -> None:
    chance, struck = Random(3), Counter[str]()
    for _ in range(tries(60, 1500)):
        lines = [Trait(id_, "ability", name, chance.randint(1, 45)) for id_, name in (("a", "Knife"), ("b", "Maps"))]
        hurt = Trait("h", "consequence", "Cut hand", chance.randint(1, 4), note=chance.choice(("Knife", "Maps", "all")))
        sheet, faces = Sheet("i", "Ilse", (*lines, hurt)), (chance.randint(1, 20), chance.randint(1, 20))
        second, stands = chance.choice(("", "b")), chance.randint(6, 45)
        said = [line for line in ("situation:3", "plot:6", "situation:-6") if chance.random() < 0.4]
        stretch = ["stretch:-6"] if chance.random() < 0.3 else []
        first = acted(sheet, framed(sheet, "a", second, [*said, *stretch], stands), "i", "roll", {}, faces)
        for which, words in SIMPLE.said(first):
            assert words.startswith("Ilse says: ")
            now = acted(sheet, first, "", DISMISS, {"which": which})
            left = {"ability": second, "second": "a"}[which.partition(" ")[0]]
            expected = acted(sheet, framed(sheet, left, "", said, stands), "i", "roll", {}, faces)
            assert (now.outcomes, now.terms("i"), now.lines("i"), now.learned) == (
                expected.outcomes, expected.terms("i"), expected.lines("i"), expected.learned), (which, said)
            struck["none fits" if not left else which] += 1
    assert len(struck) == 3 and min(struck.values()) > 5
