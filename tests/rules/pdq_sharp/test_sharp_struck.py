"""Fortes that the GM strikes in a challenge: the same dice come to what they would have, had nobody said them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from rules.moves import Need
from rules.sheet import Sheet, Trait
from rules.strike import DISMISS
from rules.systems.pdq_sharp.challenge.state import Cast
from rules.systems.pdq_sharp.duel.additions import sources_of
from rules.systems.pdq_sharp.duel.clash import attacks
from rules.systems.pdq_sharp.duel.dice import SPLITS
from rules.values import BadMove
from tests.effort import tries
from tests.rules.pdq_sharp.dueling import Bench, fencer
from tests.rules.pdq_sharp.people import JACKDAW, SERAFINE, sheet_of
from tests.rules.pdq_sharp.test_sharp_challenge import Task

FORTES = ("fencing", "bow", "forester", "vengeful", "ruin the margrave")
HANGS = {"showy": "fencing", "sabre": "fencing", "tumbling": "fencing", "trick shot": "bow"}
HELPER = Sheet("oak", "Oak", (Trait("oar", "forte", "Oar", 2), Trait("knot", "forte", "Knots", 1)), npc=True)


class Said:
    """What Jackdaw says of a roll, by chance."""

    def __init__(self, chance: Random) -> None:
        self.fortes = chance.sample(FORTES, chance.randint(0, 4))
        fitting = [technique for technique, forte in HANGS.items() if forte in self.fortes]
        self.techniques = [name for name in fitting if chance.random() < 0.3]
        self.flat = [name for name in fitting if name not in self.techniques and chance.random() < 0.3]
        self.style, self.burn = chance.randint(0, 1), chance.random() < 0.3
        self.help = ["oar", "knot"] if chance.random() < 0.5 else []
        self.harm, self.difficulty = chance.choice(("none", "wound")), chance.choice((5, 9, 13, 17))
        self.faces = [chance.randint(1, 6) for _ in range(2 + len(self.techniques) + self.style)]

    def without(self, forte: str) -> list[int]:
        """Leaves it out, and what hangs on it; the places of the dice that are left."""
        self.fortes = [name for name in self.fortes if name != forte]
        self.help = [name for name in self.help if name != forte]
        dice = [number for number, name in enumerate(self.techniques) if HANGS[name] == forte]
        gone = {number + 2 for number in dice}
        self.techniques = [name for name in self.techniques if HANGS[name] != forte]
        self.flat = [name for name in self.flat if HANGS[name] != forte]
        self.burn = self.burn and forte != "ruin the margrave"
        return [number for number in range(len(self.faces)) if number not in gone]

    def rolled(self, *, flashy: bool = False) -> Task:
        jackdaw = sheet_of("Jackdaw", JACKDAW, style_dice=2, training_points=0)
        others = (sheet_of("Serafine", SERAFINE, style_dice=2, training_points=0),) if flashy else (HELPER,)
        about: dict[str, Any] = {} if flashy else {"difficulty": self.difficulty, "harm": self.harm}
        task = Task(jackdaw, *others, entrants=1 + flashy, **about)
        if flashy:
            task.do("roll", "serafine", 3, 4, fortes=["royal rider"])
        elif self.help:
            task.do("help", "oak", fortes=self.help)
        task.do("roll", "jackdaw", *self.faces, fortes=self.fortes, techniques=self.techniques, flat=self.flat,
                style=self.style, burn=self.burn)
        return task


def to_strike(task: Task) -> dict[str, str]:
    offers = [offer for offer in task.offers() if offer.action == DISMISS]
    return dict((offers[0].options or {})["which"]) if offers else {}


def cast_of(task: Task) -> Cast:
    cast = task.plain.entrant("jackdaw").cast
    assert isinstance(cast, Cast)
    return cast


def purses(task: Task) -> Any:
    return {who: dict(sheet.pools) for who, sheet in task.sheets.items()}, [
        line.name for line in task.sheets["jackdaw"].traits if line.kind == "burned"]


def agrees(chance: Random, *, flashy: bool) -> Counter[str]:
    struck: Counter[str] = Counter()
    kept = chance.getstate()
    try:
        first = Said(chance).rolled(flashy=flashy)
    except BadMove:
        return struck  # two idioms, or a motivation that is burned and does not count
    for which in to_strike(first):
        who, _, forte = which.partition(" ")
        if who == "serafine":
            continue
        again = Random()
        again.setstate(kept)
        bare = Said(again)
        task = bare.rolled(flashy=flashy)
        bare.faces = [bare.faces[place] for place in bare.without(forte)]
        expected = bare.rolled(flashy=flashy)
        done = task.do(DISMISS, which=which)
        assert not isinstance(done, Need) and not done.dice
        assert cast_of(task) == cast_of(expected), (which, vars(bare))
        assert (task.plain.phase, task.plain.outcome, task.plain.hurt, task.plain.helps) == (
            expected.plain.phase, expected.plain.outcome, expected.plain.hurt, expected.plain.helps)
        assert purses(task) == purses(expected), "what was learned, won and burned"
        struck["help" if who == "oak" else forte] += 1
        struck["flashy"] += flashy
        struck["the last"] += not cast_of(task).ranks
    return struck


def test_ps_10_the_same_dice_lead_to_what_they_would_have_without_a_forte() -> None:
    chance, struck = Random(5), Counter[str]()
    for number in range(tries(60, 2500)):
        struck += agrees(chance, flashy=bool(number % 3 == 0))
    assert set(struck) == {*FORTES, "help", "flashy", "the last"} and min(struck.values()) > 4, struck


def test_ps_17_what_was_added_after_the_dice_stands_on_them() -> None:
    task = Task(sheet_of("Jackdaw", JACKDAW, style_dice=2, training_points=0), difficulty=13)
    task.do("roll", "jackdaw", 3, 3, fortes=["fencing"])
    assert set(to_strike(task)) == {"jackdaw fencing"}
    task.do("add", "jackdaw", what="style|flat")
    assert not to_strike(task)


def test_ps_15_a_helpers_forte_is_struck_before_the_dice_and_the_gms_own_are_not() -> None:
    task = Task(sheet_of("Jackdaw", JACKDAW), HELPER, difficulty=9)
    task.do("help", "oak", fortes=["oar", "knot"])
    assert to_strike(task) == {"oak oar": "Jackdaw says: Oak’s Oar, Expert [+4] counts.",
                               "oak knot": "Jackdaw says: Oak’s Knots, Good [+2] counts."}
    task.do(DISMISS, which="oak oar")
    assert task.said("The GM strikes what counted: Jackdaw says: Oak’s Oar")
    assert task.plain.helps[0].ranks == ("good",)
    task.do(DISMISS, which="oak knot")
    assert not task.plain.helps and not to_strike(task)
    gms = Task(HELPER, difficulty=9)
    gms.do("roll", "oak", 3, 3, fortes=["oar"])
    assert not to_strike(gms)


ARMS = {"sabre": "fencing", "bridge": "fencing", "lunge": "fencing", "leap": "riding", "luck": ""}
IDIOMS = {"bridge", "leap"}


class SaidInADuel:
    """What An says of a turn against Grim, by chance: with the dice, and after them."""

    def __init__(self, chance: Random) -> None:
        self.stance, self.theirs = chance.choice([*SPLITS]), chance.choice([*SPLITS])
        self.fortes = chance.sample(["fencing", "riding", "lore"], chance.randint(0, 3))
        left = [forte for forte in ("fencing", "riding", "lore") if forte not in self.fortes]
        self.gambit = chance.choice(["", *left])
        self.shoots = chance.choice(["", *self.fortes])
        counting = ["", *self.fortes, *([self.gambit] if self.gambit else [])]
        fitting = [name for name, forte in ARMS.items() if forte in counting]
        self.techniques = {name: chance.randint(1, 6) for name in fitting if chance.random() < 0.3}
        if len(IDIOMS & {*self.techniques}) == 2:
            del self.techniques["leap"]
        self.later = {name: chance.choice(("die|", "flat|grim", "flat|defence"))
                      for name in [*fitting, "style"] if name not in self.techniques and chance.random() < 0.3}
        if IDIOMS & {*self.techniques} or len(IDIOMS & {*self.later}) == 2:
            self.later = {name: use for name, use in self.later.items() if name not in IDIOMS}
        self.faces = {name: chance.randint(1, 6) for name in self.later}
        self.base = {who: [chance.randint(1, 6) for _ in range(3)] for who in ("an", "grim")}

    def without(self, forte: str) -> None:
        """Leaves it out, and what hangs on it."""
        self.fortes = [name for name in self.fortes if name != forte]
        self.gambit, self.shoots = (name if name != forte else "" for name in (self.gambit, self.shoots))
        self.techniques = {name: face for name, face in self.techniques.items() if ARMS[name] != forte}
        self.later = {name: use for name, use in self.later.items() if ARMS.get(name) != forte}

    def thrown(self) -> Bench:
        own = fencer("An", 2, 1, riding=1, lore=0)
        hanging = tuple(Trait(f"an.{name}", "technique", name.capitalize(), 1 if name in IDIOMS else 5,
                              parent=forte and f"an.{forte}") for name, forte in ARMS.items())
        bench = Bench([replace(own, traits=(*own.traits, *hanging))],
                      [fencer("Grim", 1, 1, npc=True, brawling=1, techniques=[("feint", 2)])], firearms="mod")
        bench.face_off("an", "grim")
        bench.do("arm", which=[f"an|an.{forte}" for forte in ("fencing", "riding", "lore")])
        bench.do("stance", "grim", stance=self.theirs, fortes=["grim.fencing", "grim.brawling"])
        faces = {**self.base, "an": [*self.base["an"], *self.techniques.values()]}
        bench.do("stance", "an", *(face for who in bench.plain.engaged for face in faces[who.id]), stance=self.stance,
                 fortes=named(self.fortes), gambit=self.gambit and f"an.{self.gambit}",
                 techniques=named(self.techniques), firearm=self.shoots and f"an.{self.shoots}", words="So she fights.")
        self.adds = bool(self.later) and bench.can("add", "an")
        if self.adds:
            uses = {f"use_{'style' if name == 'style' else f'an.{name}'}": use for name, use in self.later.items()}
            faces_later = [self.faces[name] for name, use in self.later.items() if use.startswith("die")]
            bench.do("add", "an", *faces_later, **uses)
        return bench


def named(lines: Iterable[str]) -> list[str]:
    return [f"an.{line}" for line in lines]


def lies_so(bench: Bench) -> Any:
    """All that follows from the dice as they lie: each side, each attack, what can be added, what was paid."""
    state, throw = bench.plain, bench.plain.throw_of("an")
    return (state.turn, throw, state.throw_of("grim"), state.phase, sorted(state.stood), state.clashed, state.wounds,
            sources_of(state, bench.sheets, throw) if throw else (), bench.shared,
            state.stings, bench.sheets, [replace(who, struck=(), fortes=()) for who in state.fencers],
            [(offer.by, offer.title) for offer in bench.offers() if offer.action in ("stand", "stand_npcs")],
            list(attacks(state, ("an", "grim"))))


def in_a_duel(chance: Random) -> Counter[str]:
    struck: Counter[str] = Counter()
    kept = chance.getstate()
    first = SaidInADuel(chance).thrown()
    for which in to_strike_there(first):
        again, forte = Random(), which.partition("an|an.")[2]
        again.setstate(kept)
        said = SaidInADuel(again)
        bench = said.thrown()
        at_once = bench.plain.unread is not None
        bench.do(DISMISS, which=which)
        before = vars(said).copy()
        said.without(forte)
        bare = said.thrown()
        if said.later and said.adds != before["adds"]:
            continue  # whether An is asked first is another with the forte and without
        assert lies_so(bench) == lies_so(bare), (which, before)
        what = {forte: True, "the gambit": said.gambit != before["gambit"], "the shot": said.shoots != before["shoots"],
                "thrown with it": said.techniques != before["techniques"],
                "added later": before["adds"] and said.later != before["later"], "stood at once": at_once}
        struck += Counter(name for name, so in what.items() if so)
    return struck


def test_ps_11_the_same_dice_of_a_duel_lead_to_what_they_would_have_without_a_forte() -> None:
    chance, struck = Random(7), Counter[str]()
    for _ in range(tries(40, 2500)):
        struck += in_a_duel(chance)
    assert set(struck) == {"fencing", "riding", "lore", "the gambit", "the shot", "thrown with it", "added later",
                           "stood at once"}
    assert min(struck.values()) > 4, struck


def in_a_gang() -> Bench:
    """An, with a sabre, whom Bo backs, against Grim."""
    bench = Bench([fencer("An", 1, 1, techniques=[("sabre", 5)]), fencer("Bo", 2, oar=1)],
                  [fencer("Grim", 3, npc=True)])
    while bench.plain.undecided:
        who = bench.plain.undecided[0].id
        if bench.can("back_up", who):
            bench.do("back_up", who, whom="an", fortes=["bo.oar"])
        elif who == "bo":
            bench.do("cede", "bo")
        else:
            bench.do("engage", who, foes=["grim" if who == "an" else "an"])
    bench.do("stance", "grim", stance="strong_attack", fortes=["grim.fencing"])
    bench.do("stance", "an", *[2] * 7, stance="strong_attack", fortes=["an.fencing"], techniques=["an.sabre"])
    return bench


def test_ps_26_of_whoever_backs_a_player_a_forte_is_struck_like_their_own() -> None:
    bench = in_a_gang()
    assert to_strike_there(bench) == ["an|an.fencing", "bo|bo.oar"]
    bench.do(DISMISS, which="bo|bo.oar")
    assert bench.said("The GM strikes what counted: Bo says: Oar") and bench.said("An, the attack:")
    throw = bench.plain.throw_of("an")
    assert throw and throw.ranks == ("good",) and throw.used, "what hangs on An’s own stays"
    bench.do(DISMISS, which="an|an.fencing")
    assert bench.said("An: Sabre no longer counts, as the forte does not.")


def test_a_ruling_of_before_techniques_fell_with_their_forte_is_read_as_it_was_made() -> None:
    bench = in_a_gang()
    before = bench.plain.throw_of("an")
    ruled = bench.kind.stored.read(
        {"event": "fortes_ruled", "struck": [["an", ["an.fencing"]]], "ranks": [["an", ["good"]]]})
    after = ruled.after(bench.plain).throw_of("an")
    assert before and after == replace(before, ranks=("good",)) and after.used == ("an.sabre",) and after.bonus


def to_strike_there(bench: Bench) -> list[str]:
    offers = [offer for offer in bench.offers() if offer.action == DISMISS]
    return [which for offer in offers for which, _ in (offer.options or {})["which"]]
