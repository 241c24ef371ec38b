"""Rolling from the table's tray."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.visible import payload_of
from play.models import AskedRoll, Obstacle, PendingAllocation, PendingModifier
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.test_conflict_pages import with_settings_of
from tests.play.tray_page import shown

pytestmark = pytest.mark.django_db


def roll(client: Client, campaign: Any, character: Any, **values: Any) -> Any:
    sent = {"character": str(character.pk), "shown": shown(client, campaign, character), "difficulty": "good", **values}
    return client.post(f"/c/{campaign.slug}/roll/", body(**sent))


def last(campaign: Any, kind: str = "contest.tray") -> tuple[Entry, dict[str, Any]]:
    entry = Entry.objects.filter(campaign=campaign, kind=kind).latest("seq")
    payload = payload_of(entry)
    assert payload is not None
    return entry, payload


def as_tested(payload: dict[str, Any]) -> Any:
    """The test that an entry came to, as the contract takes it."""
    (roll_of_it,) = payload["outcome"]["rolls"]
    return roll_of_it["given"]


def test_pq_02_a_player_rolls_with_what_applies(as_bob: Client, campaign: Any, ilse: Any) -> None:
    answer = roll(as_bob, campaign, ilse, traits=[str(trait(ilse, "Maps").pk)], what="Find the old road")
    assert answer.status_code == 302
    entry, payload = last(campaign)
    assert as_tested(payload)["qualities"] == ["expert"]
    assert payload["outcome"]["result"]["used"] == "Maps Expert [+4]"
    assert payload["outcome"]["result"]["total"] == sum(payload["dice"]["faces"]) + 4
    assert payload["outcome"]["steps"][0]["rule"] == "PQ-02"
    assert entry.audience == "all"
    assert "Find the old road" in as_bob.get(answer["Location"]).content.decode()


def test_pq_05_a_gift_of_the_gm_counts_once(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any) -> None:
    gift = body(character=str(ilse.pk), kind="upshift", reason="The rope trick")
    assert as_alice.post(f"/c/{campaign.slug}/scene/gift/", gift).status_code == 302
    assert PendingModifier.objects.get().reason == "The rope trick"
    roll(as_bob, campaign, ilse)
    assert as_tested(last(campaign)[1])["lines"] == [{"kind": "upshift", "amount": 1, "reason": "The rope trick"}]
    # No scene is on, so that nobody is there to be asked: then it is marked whose word it is.
    own = "Ilse says: against good 9."
    assert last(campaign)[1]["outcome"]["result"]["said"] == f"1 upshift for “The rope trick”. {own}"
    roll(as_bob, campaign, ilse)
    assert last(campaign)[1]["outcome"]["result"]["said"] == own


def test_pq_05_only_the_gm_gives(as_bob: Client, campaign: Any, ilse: Any) -> None:
    gift = body(character=str(ilse.pk), kind="upshift", reason="My own hand")
    assert as_bob.post(f"/c/{campaign.slug}/scene/gift/", gift).status_code == 404
    assert not PendingModifier.objects.exists()


def wall(as_alice: Client, campaign: Any, **values: Any) -> str:
    """An obstacle that the GM puts on the scene; its id."""
    put = body(name="The wall", **{"difficulty": "good", **values})
    assert as_alice.post(f"/c/{campaign.slug}/obstacles/put/", put).status_code == 302
    return str(Obstacle.objects.latest("number").pk)


def test_pq_08_others_help(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    roll(as_bob, campaign, ilse, traits=[str(trait(ilse, "Knife").pk)], help=[str(trait(marrow, "Club").pk)],
         obstacle=wall(as_alice, campaign))
    payload = last(campaign)[1]
    assert "said" not in payload["outcome"]["result"]
    assert as_tested(payload)["qualities"] == ["good", "good"]
    assert any(step["rule"] == "PQ-08" for step in payload["outcome"]["steps"])


def test_in_a_scene_how_hard_it_is_is_the_gms_or_asked_for_with_one_tap(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    table = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert 'name="difficulty"' not in table and "Ask the GM for the difficulty" in table
    roll(as_bob, campaign, ilse, difficulty="poor", harm="", against=str(trait(marrow, "Grudges").pk))
    assert not Entry.objects.filter(kind="contest.tray").exists(), "nothing is rolled on a player's word"
    asked = AskedRoll.objects.get()
    answer = {"chip": "named:master"}
    assert as_alice.post(f"/c/{campaign.slug}/rolls/{asked.pk}/answer/", body(**answer)).status_code == 302
    as_bob.post(f"/c/{campaign.slug}/rolls/{asked.pk}/roll/", body())
    assert last(campaign)[1]["outcome"]["result"]["target"] == 13
    # What the GM says of an obstacle holds for whoever rolls against it.
    roll(as_bob, campaign, ilse, obstacle=wall(as_alice, campaign, difficulty="master", harm="on"))
    assert as_tested(last(campaign)[1])["harm"] is True


def test_where_a_campaign_asks_first_players_say_nothing_of_a_roll(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    against = wall(as_alice, campaign)
    said = {"lines_0_kind": "upshift", "lines_0_amount": 2, "lines_0_reason": "High ground"}
    roll(as_bob, campaign, ilse, obstacle=against, **said)
    assert as_tested(last(campaign)[1])["lines"][0]["said_by"] == "Ilse"
    with_settings_of(campaign, ask_first=True)
    assert 'name="lines_0_kind"' not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    roll(as_bob, campaign, ilse, obstacle=against, **said)
    assert "lines" not in as_tested(last(campaign)[1])


def test_pq_09_against_somebodys_quality(as_alice: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any) -> None:
    roll(as_alice, campaign, ilse, difficulty="poor", against=str(trait(marrow, "Grudges").pk))
    payload = last(campaign)[1]
    assert payload["outcome"]["result"]["target"] == 11
    assert payload["outcome"]["result"]["whose"] == "Grudges (Old Marrow)"
    assert any(step["rule"] == "PQ-09" and "Old Marrow" in step["text"] for step in payload["outcome"]["steps"])


def test_pq_07_failing_hurts_and_the_damage_waits_to_be_placed(
    as_bob: Client, campaign: Any, ilse: Any, marrow: Any
) -> None:
    roll(as_bob, campaign, ilse, difficulty="number", difficulty_number=30, harm="on")
    allocation = PendingAllocation.objects.get()
    assert allocation.amount == last(campaign)[1]["outcome"]["result"]["damage"] > 0
    assert allocation.character == ilse


def test_a_retry_finds_the_first_answer(as_bob: Client, campaign: Any, ilse: Any) -> None:
    sent = body(character=str(ilse.pk), shown=shown(as_bob, campaign, ilse), difficulty="good")
    first = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    second = as_bob.post(f"/c/{campaign.slug}/roll/", sent)
    assert first["Location"] == second["Location"]
    assert Entry.objects.filter(campaign=campaign, kind="contest.tray").count() == 1


def test_a_hidden_roll_is_sealed(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any) -> None:
    roll(as_alice, campaign, ilse, hidden="on", what="Does the well hear her")
    entry, _ = last(campaign, "pdq.test")
    assert entry.audience == "gm"
    assert "Does the well hear her" not in as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Does the well hear her" in as_alice.get(f"/c/{campaign.slug}/").content.decode()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"difficulty": "silly"}, "Choose one of these."),
        ({"difficulty": "number", "difficulty_number": "999"}, "Enter 100 or less."),
        ({"lines_0_kind": "upshift", "lines_0_amount": "99", "lines_0_reason": "x"}, "Enter 10 or less."),
        ({"traits": ["00000000-0000-0000-0000-000000000000"]}, "Choose one of these."),
        ({"op_id": "not one"}, "Reload the page"),
        ({"client_seed": "zz"}, ""),
        ({"what": "Nul \0 in it"}, "can’t be stored. Type it again."),
        ({"what": "w" * 121}, "120 characters at most"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    as_bob: Client, campaign: Any, ilse: Any, values: dict[str, Any], sentence: str
) -> None:
    before = Entry.objects.count()
    answer = roll(as_bob, campaign, ilse, **values)
    assert answer.status_code == 422
    assert sentence in answer.content.decode().replace("&#x27;", "'")
    assert Entry.objects.count() == before


def test_nothing_typed_is_lost(as_bob: Client, campaign: Any, ilse: Any) -> None:
    answer = roll(as_bob, campaign, ilse, difficulty="silly", what="Through the <b>needle</b> 🪡")
    assert "Through the &lt;b&gt;needle&lt;/b&gt; 🪡" in answer.content.decode()


def test_nobody_rolls_for_another(as_bob: Client, campaign: Any, ilse: Any, marrow: Any, whisper: Any) -> None:
    for other in (marrow, whisper):
        assert roll(as_bob, campaign, other).status_code == 422
    assert not Entry.objects.filter(campaign=campaign, kind__in=["contest.tray", "pdq.test"]).exists()


def test_a_hidden_characters_lines_are_not_to_be_had(as_bob: Client, campaign: Any, ilse: Any, whisper: Any) -> None:
    answer = roll(as_bob, campaign, ilse, traits=[str(trait(whisper, "Unseen").pk)])
    assert answer.status_code == 422
    assert "Whisper" not in answer.content.decode()


def test_outsiders_find_nothing(as_charlie: Client, anonymous: Client, campaign: Any, ilse: Any) -> None:
    assert roll(as_charlie, campaign, ilse).status_code == 404
    assert roll(anonymous, campaign, ilse).status_code == 302


def test_the_tray_forecasts_exactly(as_bob: Client, campaign: Any, ilse: Any) -> None:
    sent = body(character=str(ilse.pk), shown=shown(as_bob, campaign, ilse), difficulty="good",
                traits=[str(trait(ilse, "Maps").pk)])
    answer = as_bob.post(f"/c/{campaign.slug}/tray/", sent, headers={"HX-Request": "true"})
    assert "Roll 2d6 +4 against 9" in answer.content.decode()
    assert answer.context["forecast"].odds[0][1] == pytest.approx(30 / 36)


def test_what_the_gm_put_there_binds_whatever_a_press_says(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any
) -> None:
    """A player's page has nothing of it to untick, and a forged press changes none of it."""
    wall(as_alice, campaign, difficulty="master", harm="on")
    gift = body(character=str(ilse.pk), kind="downshift", reason="A sprained ankle")
    assert as_alice.post(f"/c/{campaign.slug}/scene/gift/", gift).status_code == 302
    tray = Page(as_bob.get(f"/c/{campaign.slug}/")).form(action="/roll/")
    assert not {"difficulty", "simple", "harm", "against", "hidden"} & tray.controls.keys()
    forged = {"difficulty": "poor", "simple": "on", "harm": "", "against": str(trait(marrow, "Club").pk),
              "hidden": "on"}
    sent = {**tray.filled(traits=[str(trait(ilse, "Maps").pk)]), **forged}
    assert as_bob.post(f"/c/{campaign.slug}/roll/", sent).status_code == 302
    entry, payload = last(campaign)
    assert entry.audience == "all"
    assert as_tested(payload) == {
        "qualities": ["expert"], "upshifts": 0, "downshifts": 0, "difficulty": "master", "simple": False, "harm": True,
        "lines": [{"kind": "downshift", "amount": 1, "reason": "A sprained ankle"}]}
    assert not PendingModifier.objects.filter(used=False).exists()


def test_pq_07_what_the_gm_says_of_failing_counts_over_an_obstacle_that_said_nothing_of_it(
    as_alice: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    against = wall(as_alice, campaign, difficulty="number", difficulty_number=30)
    for ticked in ({}, {"harm": "on"}):
        tray = Page(as_alice.get(f"/c/{campaign.slug}/?character={ilse.pk}")).form(action="/roll/")
        assert "harm" in tray.controls and against in tray.controls["obstacle"].offered
        assert tray.send(as_alice, **ticked).status_code == 302
        result = last(campaign)[1]["outcome"]["result"]
        assert result["target"] == 30, "how hard it is is the obstacle’s"
        owed = [allocation.amount for allocation in PendingAllocation.objects.filter(character=ilse)]
        assert owed == ([result["damage"]] if ticked else [])
