"""The table of splits against splits is exact; whole duels of chance keep what must be kept."""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from rules.moves import Outcome
from rules.procedure import Perspective
from rules.registry import SYSTEMS
from rules.systems.pdq_sharp.duel import turn
from rules.systems.pdq_sharp.duel.dice import shown, sizes
from rules.systems.pdq_sharp.duel.odds import BY_ATTACK, Form, pair, stance_of
from rules.systems.pdq_sharp.duel.state import Bonus, Phase, State, Throw, Tray
from rules.systems.pdq_sharp.duel.turn import STANCES, Duelist, DuelTurnMove, Turn, by_hand, placed
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from rules.systems.pdq_sharp.reckoning import settle
from tests.effort import LONG, tries
from tests.rules.at_any_table import AnyTable
from tests.rules.pdq_sharp.dueling import Bench, every_throw, fencer

MOST = tries(4, 5)  # loose dice, whose throws are all thrown


def form(adds: int, stance: str, dice: int = 3, pc: bool = False) -> Form:
    """What somebody brings against a single foe."""
    return Form(adds, adds, sizes(stance, min(3, dice)), max(0, dice - 3), pc)


@pytest.mark.parametrize("own", BY_ATTACK)
def test_ps_22_the_table_of_splits_is_what_the_contract_says(own: str) -> None:
    """By another way: the odds of the move, which brute force measures in its own test."""
    for other, (mine, theirs) in product(BY_ATTACK, ((True, False), (False, False), (False, True))):
        cell = pair(form(2, own, pc=mine), form(4, other, pc=theirs))
        move = Turn(Duelist(own, ("good",), pc=mine), Duelist(other, ("expert",), pc=theirs))
        given = DuelTurnMove().odds(move, "second.damage")
        taken = DuelTurnMove().odds(move, "first.damage")
        assert (cell.touch, cell.touched) == (1 - given.get(0, Fraction(0)), 1 - taken.get(0, Fraction(0)))


@pytest.mark.parametrize("more", [1, 2])
def test_ps_22_the_table_counts_style_dice_and_techniques(more: int) -> None:
    """Against every throw of four or five dice, where the dice that are added lie where they help."""
    for own, other in (("strong_attack", "strong_defence"), ("strong_defence", "all_out_attack")):
        counts: Counter[tuple[bool, bool]] = Counter()
        theirs = Counter((sum(faces[: STANCES[other]]) + 4, sum(faces[STANCES[other] :]) + 4)
                         for faces in product(range(1, 7), repeat=3))
        mine = Counter(tuple(map(sum, placed(STANCES[own], faces[:3], faces[3:])))
                       for faces in product(range(1, 7), repeat=3 + more))
        for ((a, d), ways), ((b, e), others) in product(mine.items(), theirs.items()):
            counts[a + 2 >= e or b == d + 2, b > d + 2] += ways * others
        cell, whole = pair(form(2, own, 3 + more, True), form(4, other)), counts.total()
        assert cell.touch == Fraction(counts[True, True] + counts[True, False], whole)
        assert cell.touched == Fraction(counts[True, True] + counts[False, True], whole)


def test_ps_22_more_dice_come_from_techniques_that_fit_and_from_style_dice() -> None:
    bench = Bench([fencer("An", 1, 2, techniques=[("sabre", 5), ("showy", 1), ("sly", 1)])],
                  [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    (stance,) = bench.kind.view(bench.state, bench.sheets, Perspective(frozenset({"an"}))).detail.stances
    assert stance.more == (0, 1, 2, 3) and stance.means == "2 techniques and 2 style dice"  # of idioms one
    (_, _, rows), = stance.against
    assert [outcome for outcome, _ in rows[0].tables[0]] == [0, 1, 2, 3] and len(rows[0].tables) == 1
    chances = [dict(cells)["1 | 2"].touch for _, cells in rows[1].tables[0]]
    assert chances == sorted(chances) and chances[0] < chances[3]


def test_ps_22_the_table_counts_the_style_dice_of_a_foe() -> None:
    bench = Bench([fencer("An", 1)], [fencer("Grim", 1, 1, npc=True, techniques=[("sly", 1)])], gm=1)
    bench.face_off("an", "grim")
    (stance,) = bench.kind.view(bench.state, bench.sheets, Perspective(frozenset({"an"}))).detail.stances
    assert stance.foes == "Grim +2" and stance.more == (0,), "a technique of the foe is nobody’s to know"
    (_, _, rows), = stance.against
    for row in rows:
        for (split, plain), (other, more) in zip(row.tables[0][0][1], row.tables[1][0][1], strict=True):
            assert split == other and more.touched >= plain.touched
            theirs = next(name for name in BY_ATTACK if STANCES[name] == int(split[0]))
            assert more == pair(form(2, row.name, pc=True), form(2, theirs, 5))


def test_ps_22_the_gm_sees_what_a_player_can_add_and_techniques_are_in_it() -> None:
    bench = Bench([fencer("An", 1, 1, techniques=[("sabre", 5), ("sly", 1)])], [fencer("Grim", 1, npc=True)])
    bench.face_off("an", "grim")
    assert stance_of(bench.state, bench.sheets, bench.plain.fencer("grim"), Perspective(runs=True)).foes == "An +3"


@pytest.mark.parametrize("minions", [2, 4, 5] if LONG else [2, 4])
def test_ps_25_the_chances_of_a_squad_are_those_of_all_its_throws(minions: int) -> None:
    for own, other in (("strong_attack", "strong_defence"), ("all_out_defence", "all_out_attack")):
        attack, _ = sizes(own, min(3, minions))
        counts: Counter[bool] = Counter()
        for faces in product(range(1, 7), repeat=minions):
            mine = placed(attack, faces[:3], faces[3:])
            for theirs in product(range(1, 7), repeat=3):
                there = STANCES[other]
                strikes, parries = sum(mine[0]), sum(theirs[there:]) + 2
                counts[strikes > parries] += 1
        squad, foe = form(0, own, minions), form(2, other, pc=True)
        assert pair(squad, foe).touched == pair(foe, squad).touch
        assert pair(squad, foe).touch == Fraction(counts[True], counts.total())


@pytest.mark.parametrize(("trays", "loose"), [
    *(((2, 1), loose) for loose in range(MOST)), *(((2, 2, 1), loose) for loose in range(MOST - 2)),
    ((0, 2), 3), ((0, 0), 2)])
def test_ps_22_sums_are_those_of_every_throw(trays: tuple[int, ...], loose: int) -> None:
    for attack in range(len(trays) - 1):
        assert turn.sums(trays, loose, attack=attack) == every_throw(trays, loose, attack)


@pytest.mark.parametrize("hand", [(), ("attack",), ("defence", "best"), ("best", "defence", "attack")])
def test_ps_22_dice_lie_in_a_duel_as_they_lie_in_the_contract(hand: tuple[str, ...]) -> None:
    chance = Random(3)
    for _ in range(tries(40, 300)):
        faces = [chance.randint(1, 6) for _ in range(3 + len(hand))]
        attacking = chance.randint(0, 3)
        bonus = tuple(Bonus("", face, {"attack": "foe", "defence": "defence"}.get(to, ""))
                      for face, to in zip(faces[3:], hand, strict=True))
        trays = (Tray("foe", tuple(faces[:attacking])), Tray("defence", tuple(faces[attacking:3])))
        lie = shown(Throw("an", "", trays, bonus=bonus))
        base, loose = by_hand(attacking, faces[:3], faces[3:], hand)
        assert [sorted(lie["foe"]), sorted(lie["defence"])] == [*map(sorted, placed(attacking, base, loose))]


def test_ps_23_the_contracts_turn_is_reckoned_where_every_roll_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it comes to is `settle` of the terms of each side, for the dice that lie there; for its odds too."""
    move = Turn(Duelist("strong_attack", ("good", "poor"), 1, flat_attack=1), Duelist("all_out_defence", ("expert",)))
    outcome = DuelTurnMove().resolve(move, [6, 5, 4, 3, 1, 2, 3])
    assert isinstance(outcome, Outcome)
    attack, defence = move.first.terms
    lies = move.first.lie([6, 5, 4, 3])
    assert outcome.result["first"] == {
        "attack": settle(attack, lies[0], 2).total, "defence": settle(defence, lies[1], 1).total, "damage": 0}
    assert set(move.first.spread) == {
        move.first.totals(faces) for faces in product(range(1, 7), repeat=4)}
    monkeypatch.setattr(turn, "settle", lambda terms, dice, keep: replace(settle(terms, dice, keep), total=99))
    assert move.first.totals([6, 5, 4, 3]) == (99, 99), "and nothing is added to that"


class Watched(AnyTable):
    """A table that counts the style dice in play."""

    def dice(self) -> int:
        return sum(sheet.pool(STYLE) for sheet in self.sheets.values()) + self.shared[BOWL] + self.shared[GM_DICE]


@pytest.mark.parametrize("seed", range(tries(5, 25)))
def test_whole_duels_conserve_dice_never_fall_below_zeroed_and_nobody_acts_who_is_out(seed: int) -> None:
    system = SYSTEMS["pdq_sharp"]
    kind = next(procedure for procedure in system.procedures if procedure.name == "pdq_sharp.duel")
    table = Watched(system, kind, Random(seed), most_lines=2)
    for _ in range(120):
        state: State = table.plain
        if state.over:
            return
        offers = [offer for offer in table.offers() if offer.action not in ("end", "take_out", "bring_back")]
        out = {fencer.id for fencer in state.fencers if not fencer.fights}
        # The dice of a turn are down: what was thrown counts, and who was just zeroed out still has a say in it.
        late = {"stand", "add", "place_die"} if state.phase in (Phase.ELLIPSIS, Phase.DAMAGE) else set()
        assert not [offer for offer in offers if offer.by in out and offer.action not in late]
        table.chance.shuffle(offers)
        before = table.dice()
        done = next(choice for offer in offers if (choice := table.found(offer)))[1]
        table.keep(done)
        won = sum(effect.amount for effect in done.effects if getattr(effect, "source", "") is None)
        assert table.dice() == before + won, "a style die came from nowhere, or went there"
        for sheet in table.sheets.values():
            assert all(trait.damage >= 0 and (trait.kind == "squad" or trait.now >= -2) for trait in sheet.traits)
            assert all(trait.kind != "squad" or trait.now >= 0 for trait in sheet.traits)
