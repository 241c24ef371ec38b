"""Fortes that the GM strikes in a duel where dice stood at once, in an impasse, and against a poison: by chance, all is
as though they had not counted (PS-10, PS-17, PS-28, PS-49)."""
from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from rules.procedure import ReadingOffer
from rules.sheet import Trait
from rules.strike import DISMISS
from rules.systems.pdq_sharp.duel.state import Phase
from tests.effort import tries
from tests.rules.pdq_sharp.dueling import Bench, fencer
from tests.rules.pdq_sharp.test_sharp_struck import ARMS, IDIOMS, to_strike_there

FORTES = ("fencing", "riding", "lore")


class Apart:
    """What An rolls apart from the blades, against Grim or his poison, by chance: with the dice, and after them."""

    def __init__(self, chance: Random) -> None:
        self.fortes = chance.sample(FORTES, chance.randint(1, 3))
        self.style, self.held = chance.randint(0, 1), chance.randint(0, 3)
        fitting = [name for name, forte in ARMS.items() if forte in ("", *self.fortes)]
        self.later = [name for name in [*fitting, "style"] if chance.random() < 0.4]
        if {*self.later} >= IDIOMS:
            self.later.remove("leap")
        self.how = {name: chance.choice(("die", "flat")) for name in self.later}
        self.faces = [chance.randint(1, 6) for _ in range(12)]

    def begun(self) -> Bench:
        """An, whom Bo backs, before it is rolled."""
        own = fencer("An", 2, self.held, riding=1, lore=0)
        hanging = tuple(Trait(f"an.{name}", "technique", name.capitalize(), 1 if name in IDIOMS else 5,
                              parent=forte and f"an.{forte}") for name, forte in ARMS.items())
        bench = Bench([replace(own, traits=(*own.traits, *hanging))], [fencer("Grim", 1, npc=True, brawling=1)],
                      poison="kills")
        bench.face_off("an", "grim")
        return bench

    def add(self, bench: Bench, action: str) -> list[str]:
        """Adds what is left to add, as long as An is asked; what was added."""
        added = []
        for name, face in zip(self.later, self.faces[6:], strict=False):
            what = f"{'style' if name == 'style' else f'an.{name}'}|{self.how[name]}"
            if bench.can(action, "an") and what in dict((bench.offer(action, "an").options or {})["what"]):
                bench.do(action, "an", *([face] if self.how[name] == "die" else []), what=what)
                added.append(name)
        return added


class OfAnImpasse(Apart):
    def thrown(self, struck: str = "") -> tuple[Bench, list[str]]:
        bench = self.begun()
        bench.do("envenom", "", whom="an", rank="0")
        bench.plain = bench.plain.with_("an", fortes=tuple(f"an.{forte}" for forte in self.fortes))
        if struck:
            bench.do("strike", which=[struck])
        bench.do("impasse", "an", *self.faces[:4], foe="grim")
        return bench, self.add(bench, "impasse_add")


class OfAPoison(Apart):
    def thrown(self, struck: str = "") -> tuple[Bench, list[str]]:
        bench, without = self.begun(), struck.partition("an.")[2]
        bench.do("envenom", "", whom="grim", rank="2")
        bench.do("stance", "grim", stance="all_out_attack", fortes=["grim.fencing"])
        bench.do("stance", "an", *(1 if who.id == "an" else 5 for who in bench.plain.engaged for _ in range(3)),
                 stance="all_out_defence", fortes=[])
        while bench.plain.phase is Phase.ELLIPSIS:
            bench.do("stand", next(offer.by for offer in bench.offers() if offer.action == "stand"))
        fortes = [f"an.{forte}" for forte in self.fortes if forte != without]
        style = min(self.style, self.held)
        bench.do("withstand", "an", *self.faces[:2 + style], fortes=fortes, style=style)
        return bench, self.add(bench, "poison_add")


def came(bench: Bench) -> Any:
    """All that follows; which fortes count from then on is another matter."""
    state = bench.plain
    return (replace(state, unread=None, stood=(), choices=(), lull=(), resisting=(),
                    fencers=tuple(replace(who, struck=(), fortes=()) for who in state.fencers)),
            [(side.ranks, side.faces, side.flat, side.used) for side in state.lull],
            [(cast.ranks, cast.faces, cast.flat, cast.used) for cast in state.resisting], bench.shared,
            [replace(sheet, traits=tuple(replace(line, id="") if line.later else line for line in sheet.traits))
             for sheet in bench.sheets.values()])


def struck_by_chance(kind: type[Apart], chance: Random) -> Counter[str]:
    counted, kept = Counter[str](), chance.getstate()
    first: Any = kind(chance)
    for which in to_strike_there(first.thrown()[0]):
        again, forte = Random(), which.partition("an|an.")[2]
        again.setstate(kept)
        said: Any = kind(again)
        bench, added = said.thrown()
        at_once = bench.plain.unread is not None
        (offer,) = (offer for offer in bench.offers() if offer.action == DISMISS)
        assert isinstance(offer, ReadingOffer) == at_once, "what stood is taken back, what waits is not"
        bench.do(DISMISS, which=which)
        if at_once and bench.plain.unread:
            assert which not in to_strike_there(bench)
        fell = [name for name in added if ARMS.get(name) == forte]
        said.later = [name for name in added if name not in fell]
        faces = {name: said.faces[6 + place] for place, name in enumerate(first.later)}
        said.faces[6:] = [faces[name] for name in said.later]
        bare, left = said.thrown(which)
        if left != said.later:
            continue  # whether An is asked for more is another with the forte and without
        assert came(bench) == came(bare), (which, vars(said))
        counted += Counter({"at once" if at_once else "while it waits": 1, "fell with it": len(fell) > 0, forte: 1})
    return counted


def test_ps_28_the_same_dice_of_an_impasse_lead_to_what_they_would_have_without_a_forte() -> None:
    chance, struck = Random(5), Counter[str]()
    for _ in range(tries(60, 2500)):
        struck += struck_by_chance(OfAnImpasse, chance)
    assert set(struck) == {"at once", "while it waits", "fell with it", *FORTES} and min(struck.values()) > 4, struck


def test_ps_49_the_same_dice_against_a_poison_lead_to_what_they_would_have_without_a_forte() -> None:
    chance, struck = Random(9), Counter[str]()
    for _ in range(tries(60, 2500)):
        struck += struck_by_chance(OfAPoison, chance)
    assert set(struck) == {"at once", "while it waits", "fell with it", *FORTES} and min(struck.values()) > 4, struck
