"""A line of an NPC in the way: as hard as the sheet says under the campaign's settings, until somebody rolls."""
from __future__ import annotations

import re
import uuid
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.models import Campaign, Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import AskedRoll, Obstacle
from play.services import sessions
from rules.codec import canonical, read
from rules.registry import SYSTEMS
from rules.system import Opposes
from tests import laid
from tests.conftest import join
from tests.play.conftest import body, character
from tests.play.test_asked_rolls import GAMES
from tests.play.test_matrix import at as matrix_of
from tests.play.test_requests import answer, ask
from tests.play.tray_page import sent_by
from tests.verifier.test_on_the_server import through

pytestmark = pytest.mark.django_db

# A line of the guard, what it says at first, and as what it stands once the line is worth more.
GUARD = {
    "pdq": (("strength", "Watch", 2), 3, "expert 11", "master 13"),
    "pdq_sharp": (("forte", "Watch", 2), 4, "11", "13"),
    "pnc": (("feature", "Watch", 1), 2, "hard", "very hard"),
    "questworlds": (("ability", "Watch", 21), 25, "15", "19"),
}
# So that neither base nor the way of stacking is the one that a game begins with.
SETTINGS: dict[str, dict[str, Any]] = {"questworlds": {"base": 17, "stacking": "value"}}
TIRED = ("Tired", "Wet through")


@pytest.fixture(params=sorted(slug for slug, game in SYSTEMS.items() if isinstance(game.rolls, Opposes)))
def campaign(request: pytest.FixtureRequest, alice: Any) -> Any:
    """Alice's campaign, of each game in which somebody's line can be against a roll."""
    return found(user=alice, op_id=uuid.uuid4(), name=f"The watch {request.param}", system=request.param,
                 settings=SETTINGS.get(request.param))


@laid.fixture
def nell(campaign: Any, bob: Any) -> Character:
    """Bob's."""
    bobs = join(campaign, bob, "player")
    return character(campaign, bobs, "Nell", GAMES[campaign.system], player=bobs)


@laid.fixture
def guard(campaign: Any, nell: Character) -> Character:
    """An NPC in the scene with Nell; in QuestWorlds two things last and touch the line."""
    gm, (line, *_) = campaign.members.get(role="owner"), GUARD[campaign.system]
    made = character(campaign, gm, "Guard", [line], npc=True)
    if campaign.system == "questworlds":
        with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="character.edit", title="Tired"
        ) as entry:
            for place, name in enumerate(TIRED, start=1):
                entry.create(Trait(campaign=entry.campaign, character=made, kind="consequence", name=name, value=1,
                                   note="Watch", place=place))
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The pier", characters=[nell.pk, made.pk])
    campaign.refresh_from_db()
    return made


def worth_more(campaign: Campaign, guard: Character) -> None:
    """The line of the guard is worth more from now on."""
    gm, (_, value, *_) = campaign.members.get(role="owner"), GUARD[campaign.system]
    with trail.entry(campaign=campaign, actor=gm, op_id=uuid.uuid4(), kind="character.edit",
                     title="Wide awake") as entry:
        entry.change(entry.locked(Trait, character=guard, name="Watch"), value=value)
    campaign.refresh_from_db()


def chips(client: Client, campaign: Any) -> dict[str, str]:
    """What the GM can tap, by what it says."""
    page = client.get(reverse("table", args=[campaign.slug])).content.decode()
    return {unescape(words): value for value, words in re.findall(r'name="chip" value="(line:[^"]*)">([^<]*)<', page)}


def shown(client: Client, campaign: Any, page: str = "table") -> str:
    return unescape(client.get(reverse(page, args=[campaign.slug])).content.decode())


def test_it_stands_as_the_settings_have_it_at_every_door_and_follows_the_sheet(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, guard: Character
) -> None:
    *_, before, then = GUARD[campaign.system]
    chip = chips(as_alice, campaign)[f"Guard: Watch · {before}"]
    assert as_alice.post(reverse("put_obstacle", args=[campaign.slug]), body(chip=chip)).status_code == 302
    assert f"Guard: Watch · {before}" in shown(as_bob, campaign)
    worth_more(campaign, guard)
    assert f"Guard: Watch · {then}" in shown(as_bob, campaign) and f"· {before}" not in shown(as_bob, campaign)
    assert f"Guard: Watch · {then}" in chips(as_alice, campaign)
    assert then in unescape(as_alice.get(matrix_of(campaign)).content.decode())
    sent = {**sent_by(as_bob.get(reverse("table", args=[campaign.slug])).content.decode()), "client_seed": "ab" * 32,
            "obstacle": str(Obstacle.objects.get().pk), **chosen(campaign, nell)}
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent).status_code == 302
    rolled = Entry.objects.filter(campaign=campaign).latest("seq")
    assert rolled.kind == "contest.tray"
    told = unescape(as_bob.get(f"/c/{campaign.slug}/ledger/{rolled.seq}/").content.decode())
    assert then.split(" ")[-1] in told and not list(differences(campaign.pk)) and not through(campaign).fault


def chosen(campaign: Any, who: Character) -> dict[str, Any]:
    lines = [str(trait.pk) for trait in who.traits.all()]
    return {"pdq": {"traits": lines}, "pdq_sharp": {"fortes": lines}, "pnc": {"features": lines[:1]},
            "questworlds": {"ability": lines[0]}}[campaign.system]


def test_an_answer_with_it_follows_the_sheet_too(
    as_alice: Client, as_bob: Client, campaign: Any, nell: Character, guard: Character
) -> None:
    if campaign.system == "questworlds":
        pytest.skip("whoever asks has a framed form there")
    *_, before, then = GUARD[campaign.system]
    ask(as_bob, nell, what="Past the guard")
    assert answer(as_alice, campaign, chips(as_alice, campaign)[f"Guard: Watch · {before}"]).status_code == 302
    assert before in shown(as_bob, campaign)
    worth_more(campaign, guard)
    assert f"roll Past the guard, {then}" in shown(as_bob, campaign)
    assert f"Past the guard · {then}" in shown(as_alice, campaign)
    row = AskedRoll.objects.get()
    assert as_bob.post(reverse("roll_answered", args=[campaign.slug, row.pk]), body()).status_code == 302
    rolled = Entry.objects.filter(campaign=campaign).latest("seq")
    told = unescape(as_bob.get(f"/c/{campaign.slug}/ledger/{rolled.seq}/").content.decode())
    assert then.split(" ")[-1] in told


def test_what_was_put_there_before_it_followed_anybody_stays_as_it_was(
    as_alice: Client, as_bob: Client, campaign: Any, guard: Character
) -> None:
    *_, before, _ = GUARD[campaign.system]
    chip = chips(as_alice, campaign)[f"Guard: Watch · {before}"]
    as_alice.post(reverse("put_obstacle", args=[campaign.slug]), body(chip=chip))
    spec = read(Obstacle.objects.get().spec)
    old = canonical({name: value for name, value in spec.items() if name in ("v", "fields")})
    Obstacle.objects.update(spec=old)
    worth_more(campaign, guard)
    assert f"Guard: Watch · {before}" in shown(as_bob, campaign)
