"""What a duel says follows what is ticked, and asks nobody in vain."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import ActResult, Perspective
from rules.registry import SYSTEMS
from rules.sheet import Sheet
from rules.systems.pdq_sharp.chart import MODIFIERS, WORDS
from rules.systems.pdq_sharp.duel import impasse, withstanding
from rules.systems.pdq_sharp.duel.clash import balance, taken
from rules.systems.pdq_sharp.duel.damage import easiest
from rules.systems.pdq_sharp.duel.dice import SPLITS, put
from rules.systems.pdq_sharp.duel.odds import BY_ATTACK
from rules.systems.pdq_sharp.duel.state import Fencer, LullSide, Phase, Resisting, Sting
from rules.systems.pdq_sharp.duel.turn import STANCES
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE
from rules.systems.pdq_sharp.reckoning import AS_DIE, FLAT, best_after
from rules.values import BadMove
from tests.effort import tries
from tests.rules.at_any_table import AnyTable
from tests.rules.pdq_sharp.dueling import Bench, every_throw, fencer

TECHNIQUES = (("sabre", 5), ("bridge", 2), ("showy", 1))
DUELS = tries(5, 400)  # test_sharp_duel_walk.py plays more of them


def facing(**more: Any) -> Bench:
    bench = Bench([fencer("An", 2, 1, techniques=TECHNIQUES, riding=1, lore=3)],
                  [fencer("Grim", 2, npc=True, brawling=1, lore=1, songs=1)], **more)
    bench.face_off("an", "grim")
    return bench


def against_two() -> Bench:
    """An against Grim and Hark, who both face her."""
    bench = Bench([fencer("An", 2, 1, techniques=TECHNIQUES, riding=1, lore=3)],
                  [fencer("Grim", 2, npc=True, brawling=1), fencer("Hark", 2, npc=True)], firearms="mod")
    first, *others = (fencer.id for fencer in bench.plain.undecided)
    if first == "an":
        bench.do("engage", "an", foes=["grim", "hark"])
    else:
        for foe in (first, *(other for other in others if other != "an")):
            bench.do("engage", foe, foes=["an"])
    assert {*bench.plain.foes_of("an")} == {"grim", "hark"} and not bench.plain.undecided
    return bench


def chances(
    mine: tuple[tuple[int, ...], int, int], adds: tuple[int, int], foe: str, mod: int, attacks: bool = True
) -> tuple[Fraction, Fraction]:
    """The chance to touch and to be touched, over all throws of both: a player’s character against somebody else’s."""
    counts: Counter[tuple[bool, bool]] = Counter()
    theirs = every_throw((STANCES[foe], 3 - STANCES[foe]))
    for ((strikes, parries), ways), ((back, meets), more) in product(every_throw(*mine).items(), theirs.items()):
        margin, other = strikes + adds[0] - meets - mod, back + mod - parries - adds[1]
        counts[(attacks and margin >= 0) or not other, other > 0] += ways * more
    whole = counts.total()
    return (Fraction(sum(ways for case, ways in counts.items() if case[0]), whole),
            Fraction(sum(ways for case, ways in counts.items() if case[1]), whole))


def near(told: str, share: Fraction) -> bool:
    """Whether a chance is told as it is, rounded."""
    return abs(float(told.strip("<>%")) - float(share * 100)) < 0.51


def test_ps_22_the_chances_are_those_of_brute_force_whatever_is_ticked() -> None:
    """300 choices by chance, with what the last turn left: a cell of the table that the page shows, against all throws.

    A forte that shoots adds to a hit, not to the chance of one. One foe or two, with an attack or a parry.
    """
    chance, benches = Random(22), [facing(firearms="mod"), against_two()]
    for bench in benches:
        bench.do("arm", which=["an|an.lore"])
    plain = [bench.plain for bench in benches]
    lines = {line.id: MODIFIERS[WORDS[line.value]] for line in benches[0].sheets["an"].traits
             if line.kind != "technique"}
    counted: Counter[tuple[int, str]] = Counter()
    while counted.total() < 300:
        foes = chance.choice([1, 1, 2])
        bench = benches[foes - 1]
        fortes = [line for line in lines if chance.random() < 0.5]
        gambit = chance.choice(["", *(line for line in lines if line not in fortes)])
        many = chance.choice([0, 0, 1, 1, 1, 2] if foes == 1 else [0, 1])
        techniques = chance.sample([f"an.{name}" for name, _ in TECHNIQUES], many)
        tweak, shoots = chance.choice(["", "", "feint", "disarm", "parry"]), "an.lore" in (*fortes, gambit)
        shot = "an.lore" if shoots and chance.random() < 0.5 else ""
        carried = chance.choice([(0, 0), (chance.randint(-6, 6), 0), (0, chance.randint(-6, 6))])
        bench.plain = plain[foes - 1].with_("an", place=9, attack_carry=carried[0], defence_carry=carried[1])
        given = {"stance": "strong_defence", "fortes": fortes, "gambit": gambit, "techniques": techniques,
                 "tweak": tweak, "firearm": shot}
        if techniques and "an.fencing" not in (*fortes, gambit):
            with pytest.raises(BadMove, match="a forte that you have not chosen"):
                bench.kind.forecast(bench.state, bench.sheets, "an", "stance", given)
            continue
        counted[foes, tweak] += 1
        answers = bench.kind.forecast(bench.state, bench.sheets, "an", "stance", given)
        place, own, other = chance.randrange(foes), chance.choice(BY_ATTACK), chance.choice(BY_ATTACK)
        title, answer = answers[place]
        assert len(answers) == foes and title == f"Against {'Grim' if not place else 'Hark'}"
        mod = sum(lines[line] for line in (*fortes, gambit) if line)
        strikes, defence = () if tweak == "parry" else (STANCES[own],) * foes, 3 - STANCES[own]
        thrown = ((*strikes, defence), len(techniques), place) if strikes else ((0, defence), len(techniques), 0)
        shares = chances(thrown, (mod + carried[0], mod + carried[1]), other, MODIFIERS[WORDS[2]], tweak != "parry")
        rows = {row[0]: row[1:] for row in answer.table}
        for name, share in zip(("get through" if tweak and tweak != "parry" else "touch", "be touched"), shares,
                               strict=True):
            name = "get through" if tweak and name == "touch" else name
            told = rows[f"{SPLITS[own]}: {name}"][BY_ATTACK.index(other)]
            assert near(told, share), (foes, fortes, techniques, tweak, own, other, name, told, float(share))
        adds = mod + carried[0]
        assert answer.facts[0].startswith(f"{'−' if adds < 0 else '+'}{abs(adds)} to attack")
        assert any("ranks more" in fact or "rank more" in fact for fact in answer.facts) is bool(shot and lines[shot])
    assert min(counted[2, "parry"], counted[1, "parry"], counted[2, ""]) > 5


def test_ps_22_the_page_counts_more_dice_over_all_trays_and_a_technique_that_is_ticked() -> None:
    """Two foes: a level of the table for the dice that one could add; 73.7 and 37.2 per cent with one die more."""
    bench = against_two()
    (stance,) = bench.kind.view(bench.state, bench.sheets, Perspective(frozenset({"an"}))).detail.stances
    for place, (_, _, rows) in enumerate(stance.against):
        for row in rows:
            for more, cells in row.tables[0]:
                if more > 1 or row.attack + more > 3:
                    continue
                for split, cell in cells:
                    foe = next(name for name, shown in SPLITS.items() if shown == split)
                    trays = (row.attack, row.attack, 3 - row.attack)
                    assert (cell.touch, cell.touched) == chances((trays, more, place), (4, 4), foe, 4)
    bench.plain = bench.plain.with_("an", fortes=("an.fencing",))
    (_, answer), _ = bench.kind.forecast(bench.state, bench.sheets, "an", "stance", {
        "stance": "strong_attack", "fortes": ["an.fencing"], "techniques": ["an.sabre"]})
    rows = {row[0]: row[1:] for row in answer.table}
    column = BY_ATTACK.index("strong_defence")
    assert [rows[f"2 | 1: {name}"][column] for name in ("touch", "be touched")] == ["73.7", "37.2"]


def tray(bench: Bench, who: str, to: str) -> tuple[int, ...]:
    """What a page draws of somebody’s dice, for one purpose."""
    detail = bench.kind.view(bench.state, bench.sheets, Perspective()).detail
    card = next(card for card in detail.cards if card.id == who)
    return next(row.dice for row in card.trays if row.to == to)


def thrown(mine: tuple[int, ...], foes: tuple[int, ...]) -> Bench:
    """An with 2 | 1 and a technique, against Grim with 1 | 2."""
    bench = facing()
    bench.do("stance", "grim", stance="strong_defence", fortes=["grim.fencing"])
    bench.do("stance", "an", *(mine + foes), stance="strong_attack", fortes=["an.fencing"], techniques=["an.sabre"])
    return bench


def test_ps_22_a_loose_die_lies_where_it_is_worth_most() -> None:
    """3 and 4 to attack, 1 to defend, and a 5: over the 3 it gives a rank, over the 1 it loses her one."""
    bench = thrown((3, 4, 1, 5), (1, 4, 4))
    assert (tray(bench, "an", "grim"), tray(bench, "an", "defence")) == ((5, 4), (1,))
    assert taken(bench.plain, "an") == (2, 0), "and Grim’s 1 against her 1 is a tie, which is hers"
    bench = thrown((3, 4, 1, 5), (6, 6, 6))
    assert (tray(bench, "an", "grim"), tray(bench, "an", "defence")) == ((3, 4), (5,)), "6 against 1 hurts by five"


def test_ps_22_a_loose_die_that_helps_nowhere_lies_over_the_lowest() -> None:
    bench = thrown((1, 2, 6, 3), (1, 6, 6))
    assert (tray(bench, "an", "grim"), tray(bench, "an", "defence")) == ((3, 2), (6,))


def test_ps_22_the_roll_that_anybody_resolves_anew_says_where_the_dice_lie() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_defence", fortes=["grim.fencing"])
    done = bench.do("stance", "an", 3, 4, 1, 5, 1, 4, 4, stance="strong_attack", fortes=["an.fencing"],
                    techniques=["an.sabre"])
    (told,) = done.rolls
    assert told.given["first"]["placed"] == ["attack"] and told.result["first"]["attack"] == 13


def test_ps_22_wherever_loose_dice_are_put_by_hand_they_are_worth_no_more() -> None:
    """Throws by chance against dice that all lie: every way to put two loose ones, tried."""
    chance = Random(5)
    for _ in range(tries(8, 1000)):
        bench = facing()
        own, other = chance.choice(BY_ATTACK), chance.choice(BY_ATTACK)
        dice = tuple(chance.randint(1, 6) for _ in range(8))
        bench.do("stance", "grim", stance=other, fortes=["grim.fencing"])
        before = bench.state
        choice = {"stance": own, "fortes": ["an.fencing"], "techniques": ["an.sabre", "an.bridge"]}
        (*_, event) = bench.kind.act(before, bench.sheets, "an", "stance", choice, dice).events[:2]
        state = event.after(bench.kind.act(before, bench.sheets, "an", "stance", choice, dice).events[0].after(before))
        throw = state.throw_of("an")
        assert throw is not None
        sides = [tray.to for tray in throw.trays if tray.dice]
        worth = {places: -balance(state.with_throw(put(throw, dict(enumerate(places)))), ("an", "grim"))["an"]
                 for places in product(sides, repeat=2)}
        assert -balance(state, ("an", "grim"))["an"] == max(worth.values()), (own, other, dice)


def test_ps_49_poison_that_harms_is_told_with_the_chances() -> None:
    bench = facing(poison="harms")
    bench.do("envenom", whom="an", rank="2")
    ((_, answer),) = bench.kind.forecast(bench.state, bench.sheets, "an", "stance", {
        "stance": "strong_attack", "fortes": ["an.fencing"]})
    assert "With the poison, a hit does 4 ranks more." in answer.facts


def test_ps_27_a_feint_says_what_it_leaves_and_does_no_ranks() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 6, 6, 3, 1, 1, 1, stance="strong_attack", fortes=["an.fencing"], tweak="feint")
    detail = bench.kind.view(bench.state, bench.sheets, Perspective()).detail
    feint = next(row for row in detail.clashes if row.by == "An")
    assert feint.verdict == "+11 next attack, no ranks"
    assert not sum(taken(bench.plain, "an"))
    assert not bench.plain.wound_of("grim")


def test_ps_30_what_does_not_count_goes_to_its_end_before_what_counts_loses_a_rank() -> None:
    master = fencer("Rook", 3, npc=True, cooking=0, songs=0, riding=0, lore=0, law=0)
    counts = Fencer("rook", "Rook", "", fortes=("rook.fencing",))
    spread = easiest(master, counts, 10)
    assert "rook.fencing" not in spread and sum(spread.values()) == 10
    assert easiest(master, counts, 12)["rook.fencing"] == 2
    assert max(easiest(master, counts, 5).values()) == 1, "none goes to its end while another has room"


def test_ps_30_a_duel_of_words_leaves_failures_and_one_of_blades_wounds() -> None:
    for conflict, harm in (("social", "failure"), ("physical", "wound"), ("professional", "failure")):
        assert facing(conflict=conflict).plain.settings.harm == harm
    assert facing(conflict="social", harm="wound").plain.settings.harm == "wound"


def test_ps_17_two_free_ones_at_17_against_19_are_enough() -> None:
    assert best_after(FLAT, (6, 5), 13, 1) == 1
    assert best_after(FLAT, (6, 5), 13, 0) == 0
    assert best_after(AS_DIE, (2, 2), 8, 0).denominator == 6


def tried(kept: tuple[int, ...], needed: int, more: int) -> Fraction:
    """The chance of the best play, all ways to go on tried one by one."""
    if sum(kept) >= needed or not more:
        return Fraction(sum(kept) >= needed)
    faces = (tried(tuple(sorted((*kept, face))[1:]), needed, more - 1) for face in range(1, 7))
    return max(sum(faces, Fraction(0)) / 6, tried(kept, needed - 1, more - 1))


def test_ps_17_what_is_added_to_an_impasse_or_against_a_poison_is_reckoned_as_everywhere() -> None:
    """Casts by chance: each row that is offered, against all ways to go on."""
    chance = Random(17)
    for _ in range(tries(30, 300)):
        fresh = facing(poison="kills")
        used = tuple(f"an.{name}" for name, _ in TECHNIQUES if chance.random() < 0.4)
        faces, flat = tuple(chance.randint(1, 6) for _ in range(2 + len(used))), chance.randint(0, 1)
        rank, theirs = chance.choice([1, 2, 3]), tuple(chance.randint(3, 6) for _ in range(2))
        state = replace(fresh.state, lull=(LullSide("an", ("expert",), faces, flat, used),
                                           LullSide("grim", ("expert",), theirs)))
        state = replace(state, stings=(Sting("an", rank, "grim"),), resisting=(
            Resisting("an", ("an.fencing",), ("good",), faces, flat, used),))
        # Of two idioms one is left; the style die is another.
        more = sum(f"an.{name}" not in used for name, _ in TECHNIQUES) + 1
        kept = tuple(sorted(faces)[-2:])
        for module, needed in ((impasse, sum(theirs) - flat), (withstanding, withstanding.target(rank) - 2 - flat)):
            rows = module.ways_on(state, fresh.sheets, "an")
            assert {row.id for row in rows} == {what for what, _ in module.additions(state, fresh.sheets, "an")}
            for row in rows:
                ways = [(kept, needed - 1)] if row.id.endswith("flat") else [
                    (tuple(sorted((*kept, face))[1:]), needed) for face in range(1, 7)]
                for left, said in ((0, row.chance), (more - 1, row.with_more)):
                    share = sum((tried(*way, left) for way in ways), Fraction(0)) / len(ways)
                    assert said == share, (module.__name__, row.id, faces, used)


def test_ps_17_nobody_is_asked_where_no_combination_betters_anything() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="all_out_defence", fortes=["grim.fencing"])
    bench.do("stance", "an", 1, 6, 6, 6, 6, 6, stance="strong_attack", fortes=["an.fencing"])
    assert bench.plain.turn == 2, "11 against 22, and a six on each side: three tools make good no 11"


def test_ps_11_techniques_are_thrown_with_the_dice_and_are_used_then() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    with pytest.raises(BadMove, match="a forte that you have not chosen"):
        bench.do("stance", "an", stance="strong_attack", fortes=["an.lore"], techniques=["an.sabre"])
    bench.do("stance", "an", 1, 2, 3, 6, 5, 5, 5, 5, stance="strong_attack", fortes=["an.fencing"],
             techniques=["an.sabre", "an.bridge"])
    throw = bench.plain.throw_of("an")
    assert throw and throw.used == ("an.sabre", "an.bridge") and [bonus.face for bonus in throw.bonus] == [6, 5]
    assert {field.name for field in bench.offer("add", "an").fields} == {"use_an.showy", "use_style"}


def test_ps_17_several_tools_are_added_at_once_with_what_they_come_to_together() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 1, 2, 3, 5, 5, 5, stance="strong_attack", fortes=["an.fencing"])
    given = {"use_an.sabre": "die|grim", "use_an.bridge": "flat|defence", "use_style": "die|defence"}
    (_, gives), (_, takes) = bench.kind.forecast(bench.state, bench.sheets, "an", "add", given)
    assert sum(share for _, share, _ in gives.outcomes) == sum(share for _, share, _ in takes.outcomes) == 1
    asked = bench.kind.act(bench.state, bench.sheets, "an", "add", given)
    assert isinstance(asked, Need) and asked.sides == (6, 6)
    bench.do("add", "an", 6, 6, **given)
    throw = bench.plain.throw_of("an")
    assert throw and [(bonus.face, bonus.to) for bonus in throw.bonus] == [(6, "grim"), (0, "defence"), (6, "defence")]
    assert bench.sheets["an"].pool(STYLE) == 0 and bench.shared[BOWL] == 1


def test_ps_10_the_gm_strikes_a_forte_and_the_same_faces_are_read_again() -> None:
    bench = facing()
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", 1, 2, 3, 5, 5, 5, stance="strong_attack", fortes=["an.fencing", "an.lore"])
    before = bench.plain.throw_of("an")
    bench.do("strike", which=["an|an.lore"])
    after = bench.plain.throw_of("an")
    assert before and after and before.trays == after.trays
    assert before.ranks == ("expert", "master") and after.ranks == ("expert",)
    while bench.plain.turn == 1:
        offer = next(way for way in bench.offers() if way.action in ("stand", "stand_npcs", "place", "place_npcs"))
        bench.do(offer.action, offer.by, **({"spread": offer.now["spread"]} if offer.now else {}))
    assert "an.lore" not in dict((bench.offer("stance", "an").options or {})["fortes"])


def test_ps_10_one_tap_of_the_gms_strikes_a_forte_as_ticking_it_does() -> None:
    benches = [facing() for _ in range(2)]
    for bench in benches:
        bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
        bench.do("stance", "an", 1, 2, 3, 5, 5, 5, stance="strong_attack", fortes=["an.fencing", "an.lore"])
    tapped, ticked = benches
    assert [which for which, _ in (tapped.offer("dismiss").options or {})["which"]] == ["an|an.fencing", "an|an.lore"]
    tapped.do("dismiss", which="an|an.lore")
    ticked.do("strike", which=["an|an.lore"])
    assert tapped.plain == ticked.plain
    assert tapped.texts[0].startswith("The GM strikes what counted: An") and "says: Lore" in tapped.texts[0]
    assert tapped.said("becomes")
    assert [which for which, _ in (tapped.offer("dismiss").options or {})["which"]] == ["an|an.fencing"]


def test_ps_49_what_shoots_is_the_gms_word() -> None:
    bench = facing(firearms="tn")
    assert "firearm" not in {field.name for field in bench.offer("stance", "an").fields}
    bench.do("arm", which=["an|an.riding"])
    assert dict((bench.offer("stance", "an").options or {})["firearm"]).keys() == {"an.riding"}
    with pytest.raises(BadMove, match="shoots only where it counts"):
        bench.do("stance", "an", stance="strong_attack", fortes=["an.fencing"], firearm="an.riding")


class Watched(AnyTable):
    """A table that counts style dice."""

    def dice(self) -> int:
        return _dice(self.sheets, self.shared)

    def dice_before(self, result: ActResult[Any]) -> int:
        """What there was before a result: where dice are read again, before they were read first."""
        return _dice(*self._before(result))


def _dice(sheets: Mapping[str, Sheet], shared: Mapping[str, int]) -> int:
    return sum(sheet.pool(STYLE) for sheet in sheets.values()) + shared[BOWL] + shared[GM_DICE]


@pytest.mark.parametrize("seed", range(1000, 1000 + DUELS))
def test_duels_by_chance_keep_their_dice_hide_their_splits_and_fold_alike(seed: int) -> None:
    system = SYSTEMS["pdq_sharp"]
    kind = next(kind for kind in system.procedures if kind.name == "pdq_sharp.duel")
    table = Watched(system, kind, Random(seed), most_lines=2)
    for step in range(40):
        state = table.plain
        offers = list(table.offers())
        if state.over:
            assert not offers
            return
        assert offers, "someone can always do something"
        out = {fencer.id for fencer in state.fencers if not fencer.fights}
        late = {"stand", "add", "place_die"} if state.phase in (Phase.ELLIPSIS, Phase.DAMAGE) else set()
        assert not [offer for offer in offers if offer.by in out and offer.action not in late]
        if state.choices and not state.throws:
            shown = repr(kind.view(table.state, table.sheets, Perspective()))
            assert not any(choice.words and choice.words in shown for choice in state.choices)
            assert not any(bout.middle.note in SPLITS.values() for bout in
                           kind.view(table.state, table.sheets, Perspective()).detail.bouts)
        offers = [offer for offer in offers if offer.action not in ("end", "take_out", "bring_back")] or offers
        table.chance.shuffle(offers)
        done = next(tried for offer in offers if (tried := table.found(offer)))[1]
        before = table.dice_before(done)
        table.keep(done)
        won = sum(effect.amount for effect in done.effects if getattr(effect, "source", "") is None)
        assert table.dice() == before + won, "a style die came from nowhere, or went there"
        if step % 10 == 0:
            assert kind.fold([kind.write(event) for event in table.events]) == table.plain
    assert table.plain.over or any(offer.action == "end" for offer in table.offers()), "the GM can always end it"
