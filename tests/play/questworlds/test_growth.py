"""Sheets between contests, in the browser: people come and go, advances, packages, milestones (QW-73 to QW-83)."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from characters.models import Character, Pool
from characters.services.pools import award
from play.models import Contest
from play.services import sessions
from tests import laid
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db

SIDEKICK = {
    "name": "Old Wren", "reason": "Pulled from the ice, and owes it still", "first_name": "Reads the current",
    "first_score": "1M", "second_name": "Sour", "second_score": "13", "third_name": "Knots", "third_score": "18",
}


@laid.fixture
def hester(campaign: Any, bobs: Any) -> Character:
    """Bob's ferrywoman, and the people around her."""
    return character(campaign, bobs, "Hester", [
        ("keyword", "Ferrywoman", 17), ("characteristic", "Dogged", 17), ("ability", "Boathook", 13),
        ("patron", "The lock-keeper", 13), ("retainer", "Two oarsmen", 14), ("flaw", "Owes the toll", 17),
        ("dependent", "Her nephew Pim", 17),
    ], player=bobs)


def at(who: Character, action: str = "") -> str:
    return f"/c/{who.campaign.slug}/sheet-actions/{who.pk}/{action}{'/' if action else ''}"


def sheet(client: Client, who: Character) -> str:
    return client.get(f"/c/{who.campaign.slug}/characters/{who.pk}/").content.decode()


def of(who: Character, name: str) -> str:
    return str(who.traits.get(name=name).pk)


def lines(who: Character) -> dict[str, tuple[str, int]]:
    return {trait.name: (trait.kind, trait.value) for trait in who.traits.all()}


def paid(campaign: Any, alices: Any, who: Character, amount: int = 10) -> None:
    award(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=who.pk, pool="xp", amount=amount,
          reason="Test")


def said() -> str:
    return Entry.objects.latest("seq").payload.text


def test_qw_75_a_player_takes_on_a_sidekick(as_bob: Client, as_charlie: Client, hester: Any, dana: Any) -> None:
    from tests.conftest import logged_in

    assert "Take on a sidekick" in as_bob.get(at(hester)).content.decode()
    assert as_charlie.post(at(hester, "sidekick"), body(**SIDEKICK)).status_code == 404
    assert logged_in(dana.user).post(at(hester, "sidekick"), body(**SIDEKICK)).status_code == 404
    assert as_bob.post(at(hester, "sidekick"), body(**SIDEKICK)).status_code == 302
    wren = hester.traits.get(kind="sidekick")
    assert {(trait.name, trait.value) for trait in hester.traits.filter(parent=wren)} == {
        ("Reads the current", 21), ("Sour", 13), ("Knots", 18)}
    assert "10 of 15 points are spent" in said() and "Pulled from the ice" in said()
    assert "Reads the current" in sheet(as_bob, hester)
    assert "Take on a sidekick" not in as_bob.get(at(hester)).content.decode()
    assert not list(differences(hester.campaign_id))


def test_qw_75_nothing_typed_is_lost_when_a_sidekick_is_refused(as_bob: Client, hester: Any) -> None:
    before = Entry.objects.count()
    for wrong, sentence in (
        ({"first_score": "7M"}, "10 points are the most on one"), ({"second_score": "12"}, "This one starts at 13"),
        ({"first_score": "6M", "third_score": "19"}, "This takes 16 points"), ({"third_name": "sour"}, "named twice"),
        ({"third_score": "many"}, "Enter a number or a notation"), ({"reason": ""}, "Fill this in."),
    ):
        answer = as_bob.post(at(hester, "sidekick"), body(**{**SIDEKICK, **wrong}))
        page = answer.content.decode()
        assert answer.status_code == 422 and sentence in page and 'value="Reads the current"' in page, sentence
    assert Entry.objects.count() == before


def test_qw_76_the_gm_says_who_is_lost(as_alice: Client, as_bob: Client, hester: Any) -> None:
    as_bob.post(at(hester, "sidekick"), body(**SIDEKICK))
    before = Entry.objects.count()
    assert "Lose a supporting character" not in as_bob.get(at(hester)).content.decode()
    as_bob.post(at(hester, "lose"), body(who=of(hester, "Old Wren"), reason="Walked off"))
    assert as_alice.post(at(hester, "lose"), body(who=of(hester, "Old Wren"), reason="")).status_code == 422
    assert as_alice.post(at(hester, "lose"), body(who=of(hester, "Boathook"), reason="Broke")).status_code == 422
    assert Entry.objects.count() == before
    assert as_alice.post(at(hester, "lose"), body(who=of(hester, "Old Wren"), reason="Walked off")).status_code == 302
    assert not {"Old Wren", "Reads the current", "Sour", "Knots"} & set(lines(hester))
    assert "Hester loses Old Wren, the sidekick: Walked off." in said() and "QW-76" in said()
    assert as_alice.post(at(hester, "lose"), body(who=of(hester, "The lock-keeper"), reason="Drowned")
                         ).status_code == 302
    assert as_alice.post(at(hester, "lose"), body(who=of(hester, "Her nephew Pim"), reason="Grown")).status_code == 302
    # A lost one is replaced, without experience.
    assert as_bob.post(at(hester, "sidekick"), body(**{**SIDEKICK, "name": "Young Wren"})).status_code == 302
    assert not list(differences(hester.campaign_id))


def test_qw_75_a_retainer_rises_and_others_are_found(as_alice: Client, as_bob: Client, hester: Any) -> None:
    oarsmen = of(hester, "Two oarsmen")
    assert as_bob.post(at(hester, "promote"), body(retainer=oarsmen, **SIDEKICK)).status_code == 302
    wren = hester.traits.get(name="Old Wren")
    assert (str(wren.pk), wren.kind, wren.value) == (oarsmen, "sidekick", 0)
    assert hester.traits.filter(parent=wren, kind="sidekick_ability").count() == 3
    assert "Two oarsmen" in said()
    assert "Find new retainers" not in as_bob.get(at(hester)).content.decode()
    given = body(name="Mud larks", score="14", reason="They work for bread")
    assert as_alice.post(at(hester, "retainers"), given).status_code == 302
    assert lines(hester)["Mud larks"] == ("retainer", 14) and "They work for bread" in said()
    assert not list(differences(hester.campaign_id))


def test_qw_75_the_other_retainers_stay(as_bob: Client, hester: Any) -> None:
    shown = as_bob.get(at(hester)).content.decode()
    assert "Others stay retainers" in shown and 'name="stay"' in shown and "checked" in shown
    given = body(retainer=of(hester, "Two oarsmen"), stay="on", **SIDEKICK)
    assert as_bob.post(at(hester, "promote"), given).status_code == 302
    assert lines(hester)["Two oarsmen"] == ("retainer", 14) and lines(hester)["Old Wren"] == ("sidekick", 0)
    assert hester.traits.filter(parent=hester.traits.get(name="Old Wren")).count() == 3
    assert "The others stay." in said() and not list(differences(hester.campaign_id))


def test_qw_75_on_a_full_sheet_a_sidekick_is_the_gms(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    full = character(campaign, bobs, "Full", [("ability", f"Knack {n}", 13) for n in range(12)], player=bobs)
    assert "Take on a sidekick" not in as_bob.get(at(full)).content.decode()
    as_bob.post(at(full, "sidekick"), body(**SIDEKICK))
    assert not full.traits.filter(kind="sidekick").exists()
    assert "the GM’s to give" in as_alice.get(at(full)).content.decode()
    assert as_alice.post(at(full, "sidekick"), body(**SIDEKICK)).status_code == 302
    assert "Over budget" not in sheet(as_bob, full)


def test_qw_75_a_sidekick_that_came_or_went_can_be_undone(as_alice: Client, as_bob: Client, hester: Any) -> None:
    whole = lines(hester)
    for client, action, given in (
        (as_bob, "sidekick", SIDEKICK), (as_bob, "promote", {"retainer": of(hester, "Two oarsmen"), **SIDEKICK}),
    ):
        client.post(at(hester, action), body(**given))
        with_wren = lines(hester)
        as_alice.post(at(hester, "lose"), body(who=of(hester, "Old Wren"), reason="Walked off"))
        gone = Entry.objects.latest("seq")
        undo(campaign=hester.campaign, actor=gone.actor, op_id=uuid.uuid4(), seq=gone.seq)
        assert lines(hester) == with_wren and with_wren != whole
        assert hester.traits.filter(parent=hester.traits.get(name="Old Wren")).count() == 3
        assert not list(differences(hester.campaign_id))
        as_alice.post(at(hester, "lose"), body(who=of(hester, "Old Wren"), reason="Walked off"))


def test_qw_75_a_sidekick_is_improved_by_an_advance(as_bob: Client, campaign: Any, alices: Any, hester: Any) -> None:
    as_bob.post(at(hester, "sidekick"), body(**SIDEKICK))
    paid(campaign, alices, hester)
    page = as_bob.get(at(hester)).content.decode()
    assert "Old Wren: Knots · 18 (+9: 7M, +6: 4M)" in page
    given = {"first": "raise", "first_on": of(hester, "Knots"), "second": "drop",
             "second_on": of(hester, "Owes the toll"), "flaw": "The toll-man", "flaw_kind": "adversary"}
    assert as_bob.post(at(hester, "advance"), body(**given)).status_code == 302
    assert lines(hester)["Knots"] == ("sidekick_ability", 24) and "Owes the toll" not in lines(hester)
    assert lines(hester)["The toll-man"] == ("adversary", 17)


def test_qw_76_people_are_written_in_the_builder(as_bob: Client, campaign: Any, bobs: Any) -> None:
    new = f"/c/{campaign.slug}/characters/new/"
    page = as_bob.get(new).content.decode()
    assert "More options" in page and 'value="ally"' in page and 'value="adversary"' in page
    rows = [("keyword", "Ferrywoman", "19"), ("ally", "Tam", "13"), ("contact", "The quay", "14"),
            ("dependent", "Pim", ""), ("adversary", "The toll-man", "")]
    sent = {"name": "Hester", "lines": str(len(rows))}
    for place, (kind, name, value) in enumerate(rows):
        sent |= {f"line-{place}-kind": kind, f"line-{place}-name": name, f"line-{place}-value": value}
    more = as_bob.post(new, body(**sent, add="patron")).content.decode()
    assert 'value="Tam"' in more and "Add patron" in more
    counted = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", body(**sent)).content.decode()
    assert "3 of 12" in counted
    assert as_bob.post(new, body(**sent)).status_code == 302
    made = Character.objects.get(name="Hester")
    assert lines(made)["Pim"] == ("dependent", 19) and lines(made)["The toll-man"] == ("adversary", 14)
    shown = sheet(as_bob, made)
    assert "Relationships" in shown and ">Ally<" in shown and ">Adversary<" in shown and "Patron" not in shown


def test_qw_73_in_a_package_abilities_stand_alone(alice: Any, as_alice: Client) -> None:
    settings = {"keywords": "package"}
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Packed", system="questworlds", settings=settings)
    alices = campaign.members.get(user=alice)
    new = f"/c/{campaign.slug}/characters/new/"
    page = as_alice.get(new).content.decode()
    assert "Abilities of a keyword" in page and "breakout" not in page.lower().replace('value="breakout"', "").replace(
        'value="characteristic_breakout"', "")
    sent = {"name": "Hester", "lines": "2", "part": "nobody", "line-0-kind": "keyword", "line-0-name": "Ferrywoman",
            "line-0-value": "17", "line-1-kind": "breakout", "line-1-name": "River weather", "line-1-value": "",
            "line-1-within": "Ferrywoman"}
    assert as_alice.post(new, body(**sent)).status_code == 302
    hester = Character.objects.get()
    assert lines(hester)["River weather"] == ("breakout", 0)
    given = body(line=of(hester, "Ferrywoman"), amount="6", reason="The flood")
    assert as_alice.post(at(hester, "improve"), given).status_code == 302
    assert lines(hester)["River weather"] == ("breakout", -6)
    shown = sheet(as_alice, hester)
    assert '<span class="notation">3M</span>' in shown and '<span class="notation">17</span>' in shown
    assert "River weather stays where it is" in said()
    edit = as_alice.get(f"/c/{campaign.slug}/characters/{hester.pk}/edit/").content.decode()
    assert 'value="-6"' in edit or 'value="−6"' in edit
    paid(campaign, alices, hester)
    raised = body(first="raise_more", first_on=of(hester, "River weather"), second="new", second_name="Ropes")
    assert as_alice.post(at(hester, "advance"), raised).status_code == 302
    assert "River weather +9: 17 becomes 6M." in said()


def test_qw_82_the_gm_lets_others_catch_up_with_what_was_given(as_alice: Client, as_bob: Client, hester: Any) -> None:
    page = as_alice.get(at(hester)).content.decode()
    assert "Boathook · 13 (+3: 16)" in page and "Ferrywoman · 17 (+3: 20, +6: 3M, +9: 6M)" in page
    given = {"line": of(hester, "Ferrywoman"), "amount": "6", "catch_up": [of(hester, "Boathook")], "reason": "Flood"}
    as_bob.post(at(hester, "improve"), body(**given))
    assert lines(hester)["Boathook"] == ("ability", 13)
    assert as_alice.post(at(hester, "improve"), body(**{**given, "amount": "3"})).status_code == 422
    assert as_alice.post(at(hester, "improve"), body(**given)).status_code == 302
    assert lines(hester)["Boathook"] == ("ability", 16) and "QW-82" in said()


def test_qw_83_a_flaw_gives_way_to_a_new_one(as_alice: Client, hester: Any) -> None:
    as_alice.post(at(hester, "improve"), body(name="Lame", kind="flaw", reason="The fall"))
    assert lines(hester)["Lame"] == ("flaw", 13)
    given = body(name="Scarred", kind="flaw", drops=of(hester, "Owes the toll"), reason="The fire")
    assert as_alice.post(at(hester, "improve"), given).status_code == 302
    assert "Owes the toll" not in lines(hester) and lines(hester)["Scarred"] == ("flaw", 13)
    assert "Owes the toll is replaced by it." in said()


def test_qw_83_milestones_are_granted_in_the_place_of_experience(alice: Any, as_alice: Client) -> None:
    settings = {"growth": "milestone"}
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Miles", system="questworlds", settings=settings)
    hester = character(campaign, campaign.members.get(user=alice), "Hester", [("ability", "Boathook", 13)])
    assert as_alice.post(at(hester, "milestone"), body(reason="")).status_code == 422
    assert as_alice.post(at(hester, "milestone"), body(reason="The dam holds")).status_code == 302
    assert "An advance is ready." in sheet(as_alice, hester)
    given = body(first="raise_more", first_on=of(hester, "Boathook"), second="new", second_name="Ropes")
    assert as_alice.post(at(hester, "advance"), given).status_code == 302
    assert Pool.objects.get(character=hester).value == 0 and lines(hester)["Boathook"][1] == 22


@pytest.mark.parametrize("growth", ["xp", "milestone"])
def test_qw_83_of_experience_nothing_is_said_under_milestones_nor_of_whom_nobody_plays(
    alice: Any, as_alice: Client, growth: str
) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name="Miles", system="questworlds", settings={"growth": growth})
    seat = campaign.members.get(user=alice)
    played = character(campaign, seat, "Hester", [("ability", "Boathook", 13)], player=seat)
    nobodys = character(campaign, seat, "The toll-man", [("ability", "Counting", 13)], npc=True)
    said = {who.name: "xperience" in sheet(as_alice, who) for who in (played, nobodys)}
    assert said == {"Hester": growth == "xp", "The toll-man": False}


def test_why_puts_one_mark_between_what_was_done_and_what_changed(as_alice: Client, hester: Any) -> None:
    line = hester.traits.get(kind="ability")
    given = body(line=str(line.pk), amount="3", reason="The fire")
    assert as_alice.post(at(hester, "improve"), given).status_code == 302
    reasons = as_alice.get(f"/c/{hester.campaign.slug}/characters/{hester.pk}/why/{line.pk}/").context["reasons"]
    assert all(reason.changes and not reason.title.endswith(".") for reason in reasons)
    assert "The fire" in reasons[0].title
    assert 'now 16: The fire."' in said(), "the entry itself stays a sentence"


def test_qw_83_without_the_setting_there_are_no_milestones(as_alice: Client, hester: Any) -> None:
    assert "Grant a milestone" not in as_alice.get(at(hester)).content.decode()
    before = Entry.objects.count()
    as_alice.post(at(hester, "milestone"), body(reason="The dam holds"))
    assert Entry.objects.count() == before


def test_the_page_of_deeds_asks_no_more_of_a_long_sheet(
    as_alice: Client, campaign: Any, bobs: Any, hester: Any
) -> None:
    many = character(campaign, bobs, "Many", [("ability", f"Knack {n}", 13) for n in range(50)], player=bobs)
    counts = []
    for who in (hester, many):
        as_alice.get(at(who))
        with CaptureQueriesContext(connection) as asked:
            assert as_alice.get(at(who)).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_qw_70_the_twelve_are_counted_in_a_frame_as_in_the_builder(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    rows = [("keyword", "Ferrywoman", 17), ("characteristic", "Dogged", 17), ("sidekick", "Old Wren", 0)]
    mara = character(campaign, bobs, "Mara", [*rows, *(("ability", f"Knack {n}", 13) for n in range(9))], player=bobs)
    nell = character(campaign, bobs, "Nell", [*rows[:2], *(("ability", f"Trick {n}", 13) for n in range(9))],
                     player=bobs)
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The quay", characters=[mara.pk, nell.pk])
    paid(campaign, alices, nell)
    assert as_bob.post(at(nell, "advance"), body(
        first="raise_more", first_on=of(nell, "Dogged"), second="new", second_name="Ropes")).status_code == 302

    def offered(who: Character) -> str:
        sent = body(title="Over the bar", who=str(who.pk))
        assert as_bob.post(f"/c/{campaign.slug}/contests/start/framed/", sent).status_code == 302
        one = Contest.objects.get(over=False)
        page = as_bob.get(f"/c/{campaign.slug}/contests/{one.pk}/").content.decode()
        Contest.objects.filter(pk=one.pk).update(over=True)
        return page

    # A sidekick is one of the twelve; what an advance brought is none of them.
    assert "12 of 12." in as_bob.get(f"/c/{campaign.slug}/characters/{mara.pk}/edit/").content.decode()
    assert "11 of 12." in as_bob.get(f"/c/{campaign.slug}/characters/{nell.pk}/edit/").content.decode()
    assert 'name="new"' not in offered(mara) and 'name="new"' in offered(nell)
