"""Somebody of whom players know the face alone stands in a contest, and as an obstacle: no byte tells a number."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Role
from campaigns.services.founding import found
from campaigns.trail.export import export
from characters.models import Character, Trait
from characters.services import lifecycle, sight
from play.models import AskedRoll, Contest, Obstacle
from play.now import KEPT as ASKED
from play.services import contests, obstacles, position, requests, sessions
from rules.codec import canonical, read
from rules.fields import Group, Listing
from rules.registry import SYSTEMS
from rules.system import Opposes
from rules.tray import named_field
from rules.values import BadMove
from tests.conftest import join, logged_in, person
from tests.games import ROLLED
from tests.html_forms import Page
from tests.play.conftest import body, character
from tests.play.test_sealed_stays_quiet import ONCE

pytestmark = pytest.mark.django_db

WORD, SEED = "Zwirnfaden", "00" * 32
KINDS = [(slug, kind.name) for slug, system in SYSTEMS.items() for kind in system.procedures
         if kind.casting.who in ("sides", "many", "one") and kind.placement.needs_scene]
SECONDS = [(slug, kind.name) for slug, system in SYSTEMS.items() for kind in system.procedures
           if kind.casting.second_role]


class Table:
    """Ilse is Bob's; of the Ferryman players know the face alone."""

    def __init__(self, system: str) -> None:
        self.campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system=system)
        self.gm = self.campaign.members.get()
        self.player = join(self.campaign, person("Bob"), Role.PLAYER)
        self.bob, self.alice = logged_in(self.player.user), logged_in(self.gm.user)
        kinds = [kind for kind in self.campaign.rules.sheet.trait_kinds if not (kind.condition or kind.played)]
        line = next(kind for kind in kinds if len(kind.values) > 2)
        values = [value for value, _ in line.values]
        self.ilse = character(self.campaign, self.player, "Ilse", [(line.name, "Maps", values[-1])], player=self.player)
        self.ferryman = character(self.campaign, self.gm, "Ferryman", [(line.name, WORD, values[-2])],
                                  npc=True, hidden=True)
        self.others, self.begun = values[0], uuid.UUID(int=0)
        sight.face(**self.by(character_id=self.ferryman.pk))
        sessions.open_session(**self.by())
        sessions.open_scene(**self.by(title="The ford", characters=[self.ilse.pk, self.ferryman.pk]))
        self.campaign.refresh_from_db()

    def by(self, **more: Any) -> dict[str, Any]:
        return {"campaign": self.campaign, "actor": self.gm, "op_id": uuid.uuid4(), **more}

    def start(self, name: str) -> Contest:
        """A contest of this kind with both, or with the Ferryman where one alone is in it."""
        kind = position.procedure_of(self.campaign, name)
        two = kind.casting.who != "one" or kind.casting.second_role
        both = [self.ilse, self.ferryman] if two else [self.ferryman]
        group = next(field.of for field in kind.fields if isinstance(field, Listing) and isinstance(field.of, Group))
        asked = {field.name for field in group.fields}
        lines = [{name: value for name, value in (
            ("sheet", str(person.pk)), ("side", person.name), ("player", not person.npc)) if name in asked}
            for person in both]
        contests.start(**self.by(client_seed=SEED, kind=name, title="At the ford", setup={"contestants": lines},
                                 characters=[character.pk for character in both]))
        self.campaign.refresh_from_db()
        contest = Contest.objects.get(campaign=self.campaign, kind=name)
        self.begun = contest.pk
        return contest

    def pages(self) -> dict[str, str]:
        """Every page of a player's on which the contest is seen, and all odds that they can ask for."""
        slug = self.campaign.slug
        answers = {name: self.bob.get(reverse(name, args=[slug]))
                 for name in ("table", "feed", "ledger", "chronicle", "characters", "now")}
        answers["search"] = self.bob.get(reverse("search", args=[slug]) + f"?q={WORD}")
        # What was begun comes last, after what goes on beside it in any session.
        for contest in sorted(Contest.objects.filter(campaign=self.campaign), key=lambda one: one.pk == self.begun):
            answers["contest"] = self.bob.get(reverse("contest", args=[slug, contest.pk]))
            at = position.find_position(self.campaign, contest.pk)
            for offer in at.offers if at else ():
                if offer.by == str(self.ilse.pk):
                    answers[f"odds of {offer.action}"] = self.odds(contest, offer.action, self.filled(offer))
        text = {name: ONCE.sub("", answer.content.decode()) for name, answer in answers.items()}
        text["search"] = text["search"].replace(WORD, "")
        return text | {"export": "".join(export(Viewer(self.campaign, self.player)))}

    def filled(self, offer: Any) -> dict[str, Any]:
        """What is tapped first in each list of an offer."""
        return {**{name: known[0][0] for name, known in (offer.options or {}).items() if known}, **(offer.now or {})}

    def odds(self, contest: Contest, action: str, given: Any) -> Any:
        return self.bob.post(reverse("act_odds", args=[self.campaign.slug, contest.pk, action, self.ilse.pk]),
                             body(**given))


def numbers(table: Table) -> list[str]:
    """How the Ferryman's line is written, where the game writes it in a way that stands nowhere else by chance."""
    line = table.ferryman.traits.get()
    written = table.campaign.rules.sheet.notation(line.kind, line.value)
    return [written] if "[" in written else []


@pytest.mark.parametrize(("system", "name"), SECONDS, ids=[name for _, name in SECONDS])
def test_who_is_known_by_face_can_be_in_it_beside_somebody(system: str, name: str) -> None:
    table = Table(system)
    slug = position.procedure_of(table.campaign, name).slug
    for client in (table.alice, table.bob):
        form = Page(client.get(reverse("start_contest", args=[table.campaign.slug, slug]))).form(action=f"/{slug}/")
        assert str(table.ferryman.pk) in form.controls["beside"].offered
    assert str(table.ferryman.pk) not in form.controls["who"].offered, "it is the GM’s"
    answer = form.send(table.bob, **{
        **form.as_it_opens(), "who": str(table.ilse.pk), "beside": str(table.ferryman.pk)})
    assert answer.status_code == 302
    table.begun = Contest.objects.get(campaign=table.campaign, kind=name).pk
    assert not [page for page, text in table.pages().items() if WORD in text]


@pytest.mark.parametrize("system", [system for system, _ in SECONDS])
def test_whom_nobody_has_met_is_in_nothing_beside_somebody(system: str) -> None:
    table = Table(system)
    unseen = character(table.campaign, table.gm, "Unseen", [], npc=True, hidden=True)
    slug = next(position.procedure_of(table.campaign, name).slug for of, name in SECONDS if of == system)
    form = Page(table.alice.get(reverse("start_contest", args=[table.campaign.slug, slug]))).form(action=f"/{slug}/")
    assert str(unseen.pk) not in form.controls["beside"].offered


@pytest.mark.parametrize(("system", "name"), KINDS, ids=[name for _, name in KINDS])
def test_no_byte_of_a_players_follows_from_a_hidden_rank(system: str, name: str) -> None:
    table = Table(system)
    try:
        contest = table.start(name)
    except (BadMove, Refused) as bad:
        pytest.skip(bad.sentence)
    before = table.pages()
    assert "Ferryman" in before["contest"] and "seen the sheet of Ferryman" in before["contest"]
    leaks = [page for page, text in before.items() if WORD in text or any(number in text for number in numbers(table))]
    assert not leaks
    # With another rank nothing that a player gets is different.
    Trait.objects.filter(character=table.ferryman).update(value=table.others)
    position.FOLDS.__init__()  # type: ignore[misc]
    after = table.pages()
    assert [page for page in before if before[page] != after[page]] == []
    gm = table.alice.get(reverse("contest", args=[table.campaign.slug, contest.pk])).content.decode()
    assert "only the face" not in gm




def allow_odds(table: Table) -> None:
    Campaign.objects.filter(pk=table.campaign.pk).update(
        settings_json=canonical({**json.loads(table.campaign.settings_json), "face_odds": True}))
    table.campaign.refresh_from_db()


def test_a_campaign_may_tell_the_odds_and_still_no_number() -> None:
    table = Table("pdq")
    contest = table.start("pdq.conflict")
    given = {"targets": str(table.ferryman.pk), "qualities": str(table.ilse.traits.get().pk)}
    html = table.odds(contest, "attack", given).content.decode()
    assert "Odds unknown" in html and "%" not in html
    allow_odds(table)
    html = table.odds(contest, "attack", given).content.decode()
    assert "Ferryman" in html and "%" in html
    assert WORD not in html and "Good [" not in html and "damage on average" not in html
    assert "Odds unknown" not in html


def test_a_duel_divides_dice_without_the_chances_unless_they_are_told() -> None:
    table = Table("pdq_sharp")
    contest = table.start("pdq_sharp.duel")
    page = reverse("contest", args=[table.campaign.slug, contest.pk])
    at = position.find_position(table.campaign, contest.pk)
    mine = str(table.ilse.pk)
    by, action, given = (mine, "engage", {"foes": [str(table.ferryman.pk)]}) if at and at.offer(
        "engage", mine) else ("", "engage_npcs", {})
    contests.act(**table.by(client_seed=SEED, contest_id=contest.pk, by=by, action=action, given=given))
    text = table.bob.get(page).content.decode()
    assert "The odds against Ferryman are unknown." in text and 'name="stance" value=' in text
    allow_odds(table)
    assert "are unknown." not in table.bob.get(page).content.decode()


OPPOSING = [slug for slug, system in SYSTEMS.items() if isinstance(system.rolls, Opposes)]


@pytest.mark.parametrize("system", OPPOSING)
def test_a_line_of_a_face_stands_in_the_way_and_is_unknown(system: str) -> None:
    table = Table(system)
    line = table.ferryman.traits.get()
    written = obstacles.put(**table.by(values={}, trait_id=line.pk))
    assert written.audience == "gm" and Obstacle.objects.get().character_id == table.ferryman.pk
    page = reverse("table", args=[table.campaign.slug]) + f"?traits={table.ilse.traits.get().pk}"
    before, gm = table.bob.get(page).content.decode(), table.alice.get(page).content.decode()
    assert "Ferryman · unknown" in before
    assert "Odds unknown" in before
    assert WORD not in before
    assert "Ferryman · unknown" not in gm
    assert WORD not in table.pages()["export"]
    allow_odds(table)
    odds = table.bob.get(page).content.decode()
    assert "Odds unknown" not in odds and "%" in odds and "Ferryman · unknown" in odds and WORD not in odds
    lifecycle.show(**table.by(character_id=table.ferryman.pk))
    assert "Ferryman · unknown" not in table.bob.get(page).content.decode()


@pytest.mark.parametrize("keep", [False, True], ids=["for one roll", "kept on the scene"])
@pytest.mark.parametrize("system", [slug for slug in ROLLED if slug != "questworlds"])
def test_an_answer_with_somebody_of_a_face_is_sealed_until_the_dice_tell(system: str, keep: bool) -> None:
    """The player asks how hard it is, and the GM taps somebody's chip: no byte of the player's follows from it."""
    table = Table(system)
    line, mine = table.ferryman.traits.get(), str(table.ilse.traits.get().pk)
    given = {"pnc": {"features": [mine]}, "danger_world": {"stats": [mine, mine]}, "pdq": {"traits": [mine]},
             "pdq_sharp": {"fortes": [mine]}}[system]
    asked = requests.request(**{**table.by(), "actor": table.player}, character_id=table.ilse.pk, what="Cross the ford",
                             choice=requests.Intended(given))
    chip = f"line:{line.pk}" if system in OPPOSING else f"person:{table.ferryman.pk}:5"
    answer = requests.answer(**table.by(request_id=requests.id_from(table.campaign, asked.op_id), chip=chip, keep=keep))
    assert answer.audience == "gm" and AskedRoll.objects.get().sealed
    table.campaign.refresh_from_db()
    words = table.campaign.rules.rolls.obstacle_words(read(AskedRoll.objects.get().spec)["fields"])
    before = table.pages()
    leaks = {page: text[max(0, at - 90):at + 30] for page, text in before.items()
             for at in (text.find(f"ford, {words}"), text.find(f"· {words}"), text.find(WORD)) if at >= 0}
    assert leaks == {}
    assert "Cross the ford" in before["table"] and "Odds unknown" not in before["export"]
    assert words in table.alice.get(reverse("entry", args=[table.campaign.slug, answer.seq])).content.decode()
    # With another difficulty nothing that a player gets is different.
    other = {"pdq": 5, "pdq_sharp": 5}.get(system, {"pnc": "easy"}.get(system, "2"))
    spec = canonical({"v": 1, "fields": {named_field(table.campaign.rules.rolls.obstacle): other}})
    assert spec != AskedRoll.objects.get().spec
    for kept in (AskedRoll, Obstacle):
        kept.objects.filter(campaign=table.campaign).update(spec=spec)
    ASKED.clear()
    after = table.pages()
    assert [page for page in before if before[page] != after[page]] == []


def test_the_dice_tell_what_they_were_thrown_against() -> None:
    """What is declared without dice is sealed where it names a hidden line; the roll is for all, as at a table."""
    table = Table("pdq")
    contest = table.start("pdq.conflict")
    start = Entry.objects.get(campaign=table.campaign, kind="contest.start")
    assert start.audience == "gm"
    act: dict[str, Any] = {"client_seed": SEED, "contest_id": contest.pk}
    at = position.find_position(table.campaign, contest.pk)
    assert at is not None
    mine, theirs = str(table.ilse.pk), str(table.ferryman.pk)
    if not at.offer("attack", theirs):
        contests.act(**{**table.by(), **act}, by=mine, action="pass", given={})
    attack = contests.act(**{**table.by(), **act}, by=theirs, action="attack", given={
        "targets": [mine], "qualities": [str(table.ferryman.traits.get().pk)]})
    assert attack.audience == "gm" and WORD not in table.pages()["contest"]
    struck = contests.act(campaign=table.campaign, actor=table.player, op_id=uuid.uuid4(), **act, by=mine,
                          action="defend", given={})
    assert struck.audience == "all"
    assert numbers(table)[0] in table.bob.get(
        reverse("entry", args=[table.campaign.slug, struck.seq])).content.decode()
    assert Character.objects.get(pk=table.ferryman.pk).face
