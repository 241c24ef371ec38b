"""Who stands in a long contest: who is out is not faced, asked or offered a round, whoever comes back (QW-45 to 49)."""
from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.engine import after
from rules.moves import Need
from rules.procedure import ActResult, CampaignContext, Perspective
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.ending import Ended
from rules.systems.questworlds.long.extended import ExtendedState
from rules.systems.questworlds.long.pairs import Paired, Returned, RoundBegan, WentOut
from rules.systems.questworlds.long.scored import Scored
from rules.systems.questworlds.long.view import _over
from rules.values import BadMove
from tests.effort import tries
from tests.rules.at_any_table import AnyTable
from tests.rules.questworlds.longing import Table

CREW = tuple(Sheet(id_, id_.capitalize(), (
    Trait(f"{id_}.a", "ability", "Knife", 17), Trait(f"{id_}.b", "ability", "Talk", 13),
    Trait(f"{id_}.r", "retainer", f"Helper of {id_}", 13)), (("xp", 0),)) for id_ in ("ilse", "otho", "sefa"))
KINDS = (ScoredLong, ChainedLong, ExtendedLong)
ROUNDS = {"round", "choose", "roll", "stance", "gm_round", "bid", "exchange", "gm_bid", "answer_bid"}
ENDING = ("call_off", "close", "pause", "concede")


class Chance(AnyTable):
    """What is said at random in a form, for a contest that was set up already."""

    def __init__(self, chance: Random) -> None:
        self.chance, self.marks, self.lines, self.most_lines = chance, 0, 0, 3


class Evening:
    """A contest that is played at random: its state, and what is offered in it."""

    def __init__(self, seed: int) -> None:
        self.chance, self.kind = Random(seed), KINDS[seed % 3]()
        self.said, self.sheets = Chance(self.chance), {sheet.id: sheet for sheet in CREW}
        foes = "; ".join(("Captain Vey 15", "Guard 14", "Clerk 13")[:self.chance.randint(1, 3)])
        begun = self.kind.start({"title": "The bridge", "opponents": foes, "contestants": [
            {"sheet": sheet.id, "side": "The crew", "player": True} for sheet in CREW[:self.chance.randint(1, 3)]]},
            self.sheets)
        self.plain = after(self.kind.blank(), begun.events)
        self.events, self.moments = [*begun.events], {len(begun.events): self.plain}
        self.deaths, self.offers = Random(seed), self.kind.offers(self.state, self.sheets)

    @property
    def state(self) -> Any:
        return self.kind.with_context(self.plain, CampaignContext((("story_points", 4),), session="one"))

    def acts(self) -> bool:
        """Does something; whether there was anything to do."""
        likely = [offer for offer in self.offers
                  if (offer.by or self.chance.random() < 0.4)
                  and (offer.action not in ENDING or self.chance.random() < 0.03)]
        offer = self.chance.choice(likely or self.offers)
        for attempt in range(6):
            given = self.said.given(offer, attempt)
            faces: tuple[int, ...] = ()
            try:
                while isinstance(answer := self.kind.perform(self.state, self.sheets, offer, given, faces), Need):
                    faces += tuple(self.chance.randint(1, sides) for sides in answer.sides)
            except BadMove:
                continue
            self.came(answer.events)
            break
        return bool(self.offers)

    def came(self, events: Any) -> None:
        self.plain = after(self.plain, events)
        self.events += events
        self.moments[len(self.events)] = self.plain
        self.offers = self.kind.offers(self.state, self.sheets)

    def dies_or_lives(self) -> None:
        """Now and then the GM says of somebody that they are dead, or live again."""
        who = self.deaths.choice([*self.sheets])
        if self.deaths.random() < 0.08 and not self.kind.is_over(self.state):
            self.sheets[who] = replace(self.sheets[who], dead=not self.sheets[who].dead)
            result = self.kind.hears(self.state, self.sheets, who)
            self.came(result.events if result else ())


def check(evening: Evening) -> None:
    state = evening.state
    out = {contestant.id for contestant in state.contestants if not contestant.fights}
    for bout in state.open_bouts:
        assert not {bout.ours, bout.theirs} & out, f"{bout.ours} and {bout.theirs} face each other, and one is out"
    for contestant in state.contestants:
        assert state.free(contestant.id) == (contestant.fights and not state.bouts_of(contestant.id))
    for offer in evening.offers:
        if offer.action not in ROUNDS:
            continue
        named = {id_ for name in ("who", "whom") for id_, _ in (offer.options or {}).get(name, ())}
        if offer.action in ("round", "choose"):
            named = set()  # whom an augment would be for
        assert not named & out, f"{offer.action}: {named & out} are out"
        for number, _ in (offer.options or {}).get("bout", ()):
            bout = state.bout(int(number))
            assert not {bout.ours, bout.theirs} & out
        if offer.by and not named:
            fights = any(entrant.fights for entrant in state.own(offer.by))
            assert fights, f"{offer.by} is out, and is offered {offer.action}"
    check_the_dead(evening)
    asked = {offer.by for offer in evening.offers if offer.action in ROUNDS and offer.by}
    assert all(any(entrant.fights for entrant in state.own(by)) for by in asked)


def check_the_dead(evening: Evening) -> None:
    """Whose sheet says dead is so here, faces no dice, and acts for their followers alone: their dice may still lie."""
    state = evening.state
    for who, sheet in evening.sheets.items():
        contestant = state.contestant(who)
        if contestant and not state.ended:
            assert (contestant.status == "dead") == sheet.dead, f"{who} is {contestant.status}"
        if sheet.dead and contestant:
            assert not any(who in (throw.thrown.first, throw.thrown.second) for throw in state.throws)
            theirs = {offer.action for offer in evening.offers if offer.by == who} - {"stand", "spend"}
            assert not theirs or any(entrant.status == "in" for entrant in state.own(who)), f"{who} is dead: {theirs}"


def check_totals(evening: Evening) -> None:
    """Nobody reads the advantage points of the other side that were not asked for; the points of a pair never sink."""
    state = evening.state
    if isinstance(state, ExtendedState):
        detail = evening.kind.view(state, evening.sheets, Perspective(frozenset({"ilse"}), odds=False)).detail
        for pair in (*detail.pairs, *detail.past):
            foe = state.entrant(state.bout(pair.number).theirs)
            assert foe.asked or pair.theirs.meter == "not yet known", f"the total of {foe.name} is told"
    assert all(min(bout.points) >= 0 for bout in state.bouts)


def check_folds(evening: Evening) -> None:
    """Any prefix of what was written folds to what was so then, and the GM can always end it."""
    stored = [evening.kind.write(event) for event in evening.events]
    for many in evening.chance.sample(sorted(evening.moments), min(3, len(evening.moments))):
        assert evening.kind.fold(stored[:many]) == evening.moments[many]
    state = evening.state
    while not evening.kind.is_over(state):
        way_out = next(offer for offer in evening.kind.offers(state, evening.sheets) if offer.action in (
            "call_off", "stand", "close") and offer.by in ("", *evening.sheets))
        came = evening.kind.perform(state, evening.sheets, way_out, {})
        assert isinstance(came, ActResult)
        state = after(state, came.events)


STEP = tries(20, 500)


@pytest.mark.parametrize("first", range(0, tries(20, 5000), STEP))
def test_nobody_who_is_out_acts_no_total_is_told_and_every_prefix_folds_alike(first: int) -> None:
    for seed in range(first, first + STEP):
        evening = Evening(seed)
        check(evening)
        for _ in range(40):
            if not evening.acts():
                break
            evening.dies_or_lives()
            check(evening)
        check_totals(evening)
        check_folds(evening)


def crew(kind: Any = None, foes: str = "Captain Vey 17; Guard 14", **setup: Any) -> Table:
    return Table(kind, foes, (("i", "The crew", True), ("o", "The crew", True)), **setup)


def happened(table: Table, *events: Any) -> None:
    """These events, and what follows from them."""
    table.events += events
    table.plain = after(table.plain, events)


def test_qw_45_a_parting_shot_that_brings_a_foe_back_gives_no_pair_to_who_fell_since() -> None:
    table = crew()
    happened(table, WentOut("~0", "beaten", 0, 3), WentOut("i", "beaten"), Returned("~0", "parting", 0))
    assert table.state.free("~0")
    assert not any({bout.ours, bout.theirs} & {"i"} for bout in table.state.open_bouts)
    offers = table.kind.offers(table.state, table.sheets)
    assert not any(offer.by == "i" and offer.action == "round" for offer in offers)


def test_qw_49_who_is_back_faces_nobody_where_their_foe_has_fallen() -> None:
    table = crew()
    happened(table, WentOut("i", "beaten", 0, 3), WentOut("~0", "beaten"), Returned("i", "follower", 0))
    assert table.state.free("i")
    happened(table, Returned("~0", "parting", 1))
    assert table.state.free("i"), "the pair that was over is not there again because the foe is back too"


def test_qw_46_who_gets_away_from_one_opponent_is_pressed_by_the_others_still() -> None:
    table = crew()
    happened(table, Paired(len(table.state.bouts), "i", "~1"))
    both = table.state.bouts_of("i")
    assert len(both) == 2
    table.act("i", "round", 2, 19, bout=str(both[0].number), ability="k", aim="leave")
    assert table.state.entrant("i").status == "in"
    assert [bout.number for bout in table.state.bouts_of("i")] == [both[1].number]


@pytest.mark.parametrize("kind", [ScoredLong, ChainedLong])
def test_qw_46_who_got_away_may_act_apart_assist_and_take_somebody_on(kind: Any) -> None:
    table = crew(kind())
    table.act("i", "round", 2, 19, bout="0", ability="k", aim="leave")
    assert table.state.entrant("i").away
    offered = {offer.action for offer in table.kind.offers(table.state, table.sheets) if offer.by == "i"}
    assert {"unrelated", "engage", "augment"} <= offered and ("assist" in offered) == (kind is ScoredLong)
    table.act("i", "engage", whom="~0")
    assert table.state.entrant("i").fights and [bout.other("i") for bout in table.state.bouts_of("i")] == ["~0"]


def test_qw_46_the_pair_says_who_conceded_and_who_got_away() -> None:
    table = crew()
    table.act("i", "concede")
    bout = next(bout for bout in table.state.bouts if "i" in (bout.ours, bout.theirs))
    assert _over(table.state, bout) == "Ilse conceded"


@pytest.mark.parametrize("leaves", ["concede", "leave"])
def test_qw_a3_letting_go_of_the_prize_is_a_defeat_whatever_the_points_say(leaves: str) -> None:
    table = crew(foes="Captain Vey 17", scored_tables=True)
    table.act("i", "round", 16, 1, bout="0", ability="k")
    assert table.state.bout(0).points[0] > 0
    if leaves == "concede":
        table.act("i", "concede")
    else:
        table.act("i", "round", 16, 1, bout="0", ability="k", aim="leave")
    assert table.state.judged(table.state.entrant("i"), "rising").degree == -1


def test_qw_45_who_lost_a_parting_shot_is_told_what_it_does_before_a_point_is_spent() -> None:
    table = crew(points=2)
    happened(table, Scored(0, 5, 0), WentOut("~0", "beaten", 0, 3), RoundBegan(2))
    table.shot(19, 5, whom="~0", ability="k", words="His keys")
    offers = [offer.title for offer in table.kind.offers(table.state, table.sheets) if offer.action == "stand"]
    assert offers and "Captain Vey is back" in offers[0] and "against" in offers[0]


def test_qw_51_where_abilities_are_six_apart_a_critical_takes_nothing_over() -> None:
    for foe, gains in (("Captain Vey 14", True), ("Captain Vey 11", False)):
        table = Table(ExtendedLong(), foe)
        table.act("i", "bid", 17, 20, whom="~0", ability="k", bid=3)
        assert (table.state.entrant("i").ap > 17) == gains


def test_qw_25_a_long_contest_that_was_lost_is_remembered() -> None:
    table = crew(foes="Captain Vey 17", obstacle="The gate")
    table.act("i", "round", 20, 1, bout="0", ability="k")
    happened(table, WentOut("i", "beaten"), WentOut("o", "beaten"), Ended("done"))
    defeat = table.state.defeat_of("i")
    assert defeat is not None and (defeat.obstacle, defeat.abilities) == ("The gate", ("Mapmaker",))
    assert table.state.defeat_of("~0") is None


@pytest.fixture
def waiting() -> Table:
    """Ilse fell to Otho, who asks for a parting shot; her follower fights on, and those dice wait for her decision."""
    table = Table(None, "Captain Vey 17", (("i", "The crew", True), ("o", "The watch", True)), points=2)
    table.act("i", "follower", trait="r", role="contestant")
    table.act("o", "engage", whom="i")
    happened(table, WentOut("i", "beaten", table.state.bouts_of("o")[0].number, 3))
    table.act("i", "engage", who="i:r", whom="~0")
    table.act("o", "parting", whom="i", ability="s", words="Her map")
    table.round(15, 3, bout=table.state.bouts_of("i:r")[0].number, ability="r")
    assert table.state.busy("i"), "a story point would better it"
    return table


@pytest.mark.parametrize(("faces", "status"), [((3, 19), "beaten"), ((19, 3), "in")])
def test_qw_45_a_parting_shot_agreed_while_the_fallen_ones_dice_wait_is_rolled_after_them(
    waiting: Table, faces: tuple[int, int], status: str
) -> None:
    answers = next(offer for offer in waiting.kind.offers(waiting.state, waiting.sheets)
                   if offer.action == "answer_shot").options
    assert answers and ("o:yes", "Agree: Otho rolls later for “Her map”") in answers["answer"]
    waiting.act("", "answer_shot", answer="o:yes")
    assert not waiting.last.dice and "shoot" not in waiting.offered(), "the dice that wait come first"
    waiting.act("i", "stand")
    assert waiting.offered("o") >= {"shoot"} and "answer_shot" not in waiting.offered()
    waiting.act("o", "shoot", *faces)
    while waiting.state.throws:
        waiting.act(next(by for by in ("o", "i") if "stand" in waiting.offered(by)), "stand")
    assert waiting.state.entrant("i").status == status and "shoot" not in waiting.offered()


def test_qw_45_an_agreed_shot_at_somebody_who_is_back_by_then_is_no_more(waiting: Table) -> None:
    waiting.act("", "answer_shot", answer="o:yes")
    waiting.act("i", "stand")
    happened(waiting, Returned("i", "follower", 0))
    assert not waiting.offered() & {"shoot", "answer_shot"} and waiting.state.entrant("i").fights
