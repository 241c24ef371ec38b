"""A group's community from three browsers: asked, answered, rolled, used up (QW-92 to QW-94)."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body, state_of
from tests.play.questworlds.conftest import begin
from tests.play.questworlds.longing import set_setting

pytestmark = pytest.mark.django_db


@laid.fixture
def town(as_alice: Client, campaign: Any, scene: Any) -> Contest:
    answer = as_alice.post(f"/c/{campaign.slug}/contests/start/community/", body(title="Low Quay", c0_side="on"))
    assert answer.status_code == 302, answer.content.decode()
    made = Contest.objects.get()
    assert do(as_alice, made, "resources", names="Wealth\nFleet\nMorale\nMagic\nArms").status_code == 302
    return made


def do(client: Client, of: Contest, action: str, who: Any = None, **values: Any) -> Any:
    return client.post(f"/c/{of.campaign.slug}/contests/{of.pk}/{action}/{who.pk if who else 'gm'}/", body(**values))


def seen(client: Client, of: Contest) -> str:
    return str(client.get(f"/c/{of.campaign.slug}/contests/{of.pk}/").content.decode())


def ranks(of: Contest) -> list[int]:
    of = Contest.objects.select_related("campaign").prefetch_related("log").get(pk=of.pk)
    return [resource.counts for resource in state_of(of).resources]


def draws(as_alice: Client, as_bob: Client, town: Contest, who: Character, fall: Any, *faces: int) -> None:
    ability = who.traits.get(name="Mapmaker").pk
    assert do(as_bob, town, "draw", who, resource="0", words="Bread for the siege", ability=ability).status_code == 302
    assert do(as_alice, town, "face", against="moderate").status_code == 302
    fall(*faces)
    assert do(as_bob, town, "roll", who).status_code == 302


def test_qw_93_bob_asks_alice_answers_and_what_is_given_counts_once(
    as_alice: Client, as_bob: Client, campaign: Any, town: Contest, ilse: Character, fall: Any
) -> None:
    ability = ilse.traits.get(name="Mapmaker").pk
    asked = {"resource": "0", "words": "Bread for the siege", "ability": str(ability)}
    before = as_bob.post(f"/c/{campaign.slug}/contests/{town.pk}/draw/{ilse.pk}/odds/", body(**asked)).content.decode()
    assert "Against 14, moderate" in before and "Victory" in before
    assert do(as_bob, town, "draw", ilse, **asked).status_code == 302
    assert "answer Ilse, who asks for Wealth" in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert do(as_bob, town, "face", against="moderate").status_code == 409, "the GM answers"
    assert do(as_alice, town, "face", against="moderate").status_code == 302
    assert "roll for Wealth" in as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    fall(5, 19)
    assert do(as_bob, town, "roll", ilse).status_code == 302
    line = ilse.traits.get(kind="support")
    assert (line.name, line.value, line.note) == ("Wealth of Low Quay", 4, "Bread for the siege")
    assert ranks(town) == [3, 3, 2, 1, 0]
    page = seen(as_bob, town)
    assert "Given, not used yet" in page and "its own rank is +M" in page
    # It counts with one tap in the contest that it was asked for, and leaves the sheet with it.
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The granary")
    contest = Contest.objects.get(kind="questworlds.framed")
    assert do(as_bob, contest, "choose", ilse, tactic="A plea", ability=ability).status_code == 302
    assert do(as_alice, contest, "against", against="named:high").status_code == 302
    assert "Use what the community gave" in seen(as_bob, contest)
    assert do(as_bob, contest, "support", ilse, line=line.pk).status_code == 302
    assert "Roll 17M against 20" in seen(as_bob, contest)
    fall(20, 2)
    assert do(as_bob, contest, "roll", ilse).status_code == 302
    assert do(as_bob, contest, "stand", ilse).status_code == 302
    assert not ilse.traits.filter(kind="support").exists(), "whatever comes of it"
    assert ranks(town) == [3, 3, 2, 1, 0]
    assert not list(differences(campaign.pk))


@pytest.mark.parametrize(("faces", "buttons", "left"), [
    ((5, 19), [], 3), ((18, 19), ["Let it stand: defeat", "Spend a story point: victory"], 4)])
def test_qw_93_a_story_point_is_offered_where_another_outcome_comes_of_it(
    as_alice: Client, as_bob: Client, town: Contest, ilse: Character, fall: Any, faces: tuple[int, int],
    buttons: list[str], left: int
) -> None:
    draws(as_alice, as_bob, town, ilse, fall, *faces)
    page = Page(as_bob.get(f"/c/{town.campaign.slug}/contests/{town.pk}/"))
    words = {button.words for form in page.forms for button in form.buttons}
    assert sorted(said for said in words if said.startswith(("Spend", "Let it"))) == buttons
    assert ranks(town)[0] == left


def test_qw_93_undoing_a_draw_gives_the_rank_back(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, town: Contest, ilse: Character, fall: Any
) -> None:
    draws(as_alice, as_bob, town, ilse, fall, 5, 19)
    entry = Entry.objects.filter(kind="contest.roll").latest("seq")
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert ranks(town) == [4, 3, 2, 1, 0] and not ilse.traits.filter(kind="support").exists()
    assert not list(differences(campaign.pk))


def test_qw_94_the_gm_requires_moves_and_restores_and_players_see_what_they_may(
    as_alice: Client, as_bob: Client, campaign: Any, town: Contest, ilse: Character
) -> None:
    assert do(as_alice, town, "require", whom=ilse.pk, resource="4", words="The raid").status_code == 302
    assert do(as_alice, town, "require", whom=ilse.pk, resource="4", words="The raid").status_code == 302
    assert sorted(ilse.traits.filter(kind="support").values_list("value", flat=True)) == [-1, 0]
    assert "a penalty" in seen(as_bob, town)
    assert do(as_alice, town, "veil", resource="3").status_code == 302
    assert do(as_alice, town, "move", resource="3", ranks="-2", words="The well is foul").status_code == 302
    assert "its rank is the GM" in seen(as_bob, town) and "−3" not in seen(as_bob, town).split("Magic")[1][:400]
    assert "The well is foul" not in as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert "−3" in seen(as_alice, town).split("Magic")[1][:400]
    assert do(as_bob, town, "restore", resource="").status_code == 409
    assert do(as_alice, town, "restore", resource="").status_code == 302
    assert ranks(town) == [4, 3, 2, 1, 0]
    assert do(as_bob, town, "bolster", ilse, resource="3", words="A clean well",
              ability=ilse.traits.get(name="Mapmaker").pk).status_code == 302
    assert "By its rank: 17" in seen(as_alice, town)
    assert not list(differences(campaign.pk))


def test_qw_92_a_questionnaire_is_answered_by_the_players_and_assigns_the_ranks(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, town: Contest, ilse: Character,
    tam: Character,
) -> None:
    wrong = do(as_alice, town, "ask", text="Who leads?", answers="A council: Gold 2\nThe rich: Wealth 3")
    assert wrong.status_code == 422 and "A council: Gold 2" in wrong.content.decode()
    asked = do(as_alice, town, "ask", text="Who leads?", answers="A council: Arms 2\nThe rich: Wealth 1")
    assert asked.status_code == 302
    assert "answer: Who leads?" in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert do(as_bob, town, "vote", tam, answer="0.0").status_code == 409, "Tam is not Bob’s"
    assert do(as_charlie, town, "vote", ilse, answer="0.0").status_code == 404
    assert do(as_bob, town, "vote", ilse, answer="0.0").status_code == 302
    assert do(as_alice, town, "rank").status_code == 302
    page = seen(as_bob, town)
    assert page.index("Arms") < page.index("Wealth") and ranks(town) == [4, 3, 2, 1, 0]


def test_qw_92_the_community_stands_in_the_menu_unless_the_campaign_has_none(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, town: Contest
) -> None:
    place = f"/c/{campaign.slug}/contests/ongoing/community/"
    assert place in as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert as_bob.get(place)["Location"].endswith(f"/contests/{town.pk}/")
    assert "In progress" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    set_setting(campaign, alices, community="no")
    assert place not in as_bob.get(f"/c/{campaign.slug}/ledger/").content.decode()
    assert json.loads(campaign.settings_json)["community"] == "no"
