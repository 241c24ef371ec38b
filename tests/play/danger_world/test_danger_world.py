"""Danger World from making a campaign to resting after a check with damage, through the pages (DW-01 to DW-17)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import verify
from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest, SharedPool
from tests.html_forms import Page
from tests.play.conftest import MOVED, body, leads_to, stays_on_top
from tests.play.danger_world.checks import Check, thrown
from tests.verifier.conftest import exported
from tests.verifier.test_broken import _forged, _place, found_out
from tests.verifier.test_on_the_server import through
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db


def test_dw_01_the_builder_starts_with_stats_and_boxes(as_bob: Client, campaign: Any, bobs: Any) -> None:
    at = f"/c/{campaign.slug}/characters/new/"
    page = as_bob.get(at)
    lines = page.context["builder"].lines
    sent: dict[str, Any] = body(name="Nell", concept="", story="", lines=len(lines))
    for place, line in enumerate(lines):
        for field in ("id", "kind", "name", "value", "note"):
            sent[f"line-{place}-{field}"] = line[field].value() or ""
    aspects = [place for place, line in enumerate(lines) if line.trait_kind.name == "primary"]
    for place, name in zip(aspects, ("Quick hands", "No papers", "Sings"), strict=True):
        sent[f"line-{place}-name"] = name
    stat = next(place for place, line in enumerate(lines) if line["name"].value() == "Cool")
    sent[f"line-{stat}-value"] = "4"
    answer = as_bob.post(at, sent)
    assert answer.status_code == 302, answer.content.decode()
    nell = Character.objects.get(name="Nell")
    assert nell.traits.get(name="Cool").value == 4
    assert sorted(nell.traits.filter(kind="boxes").values_list("name", flat=True)) == [
        "Bashed", "Dead", "Injured", "Knocked out", "Stunned"]
    sheet = as_bob.get(answer["Location"]).content.decode()
    assert "Quick hands" in sheet and "Danger level 1, zone 1 of 5." in sheet
    assert not list(differences(campaign.pk))


def test_a_check_from_pool_to_rest(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None
) -> None:
    assert mara.pools.get(name="points").value == 3
    check = Check(as_bob, mara, difficulty="6", keywords="dark, loud")
    assert "Choose your dice" in as_bob.get(check.at).content.decode()
    refused = check.act(as_bob, "propose", stats=check.stats("Agility"), danger="0", expect=422)
    assert leads_to(refused, "propose", mara.pk)
    check.act(as_bob, "propose", stats=check.stats("Agility", "Speed"), danger="1", points_0="2")
    page = as_bob.get(check.at).content.decode()
    assert "Before it is rolled" in page and "Danger, at level 1" in page and "DW-10" in page
    assert stays_on_top(check.act(as_bob, "roll", expect=409), MOVED)
    check.act(as_alice, "rate", "gm", difficulty="6", helps=["dark"])
    check.act(as_alice, "agree", "gm")
    check.act(as_bob, "roll")
    assert SharedPool.objects.get(name="general").value == 2
    assert mara.pools.get(name="points").value == 1
    assert mara.traits.get(name="Born on the roofs").value == 1
    page = as_bob.get(check.at).content.decode()
    assert "Choose dice to roll again" in page and "Keep all dice" in page
    assert "to accomplish it with the best re-rolls" in page
    again = re.findall(r'<input type="checkbox" name="dice" value="(\d+)"( checked)?', page)
    rows = page.partition('class="lying"')[2].split("<li")[1:]
    kept = [index for index, row in enumerate(rows) if "<b>keep" in row]
    assert {int(index) for index, ticked in again if not ticked} == set(kept), "what best play rolls again is ticked"
    assert leads_to(check.act(as_bob, "reroll", dice=["99"], expect=422), "reroll", mara.pk)
    check.act(as_bob, "reroll", dice=["0", "3"])
    check.act(as_bob, "stand")
    faces = check.state.faces
    assert len(faces) == 10
    check.act(as_bob, "use", height="0")
    if not check.state.botches:
        return  # ten dice without a one
    as_alice.post(f"/c/{campaign.slug}/pools/kept/", body(value="6", reason="From last time"))
    check.act(as_alice, "draw", "gm", number="6")
    assert "Spend botches" in as_alice.get(check.at).content.decode()
    assert "Spend botches" not in as_bob.get(check.at).content.decode()
    check.act(as_alice, "pay", "gm", cost="reduced", words="The tiles slide.")
    check.act(as_alice, "let_go", "gm")
    assert Contest.objects.get().over
    assert mara.traits.get(name="Bashed").damage == 1
    assert "Recover again" in as_alice.get(f"/c/{campaign.slug}/").content.decode()
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body(rest="short")).status_code == 302
    assert mara.traits.get(name="Bashed").damage == 0
    assert not list(differences(campaign.pk))
    assert as_bob.get(reverse("ledger", args=[campaign.slug])).status_code == 200


def test_nobody_rolls_for_another(as_alice: Client, as_bob: Client, campaign: Any, mara: Any, alices: Any) -> None:
    from characters.services import editing

    entry = editing.create(campaign=campaign, actor=alices, op_id=uuid.uuid4(), name="Tamsin", player=alices)
    tamsin = editing.id_from(campaign, entry.op_id)
    sent = body(title="Not mine", who=str(tamsin), difficulty="3", threat="0", beside=str(mara.pk))
    assert as_bob.post(f"/c/{campaign.slug}/contests/start/check/", sent).status_code == 422
    check = Check(as_bob, mara, beside=str(tamsin), move="aid_another")
    assert str(check.state.beside) == str(tamsin)
    check.act(as_bob, "agree", "gm", expect=409)


def test_dw_16_undoing_an_aid_whose_dice_were_spent_names_where_they_went(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, tamsin: Character, session: None,
    dice: list[int]
) -> None:
    aid = Check(as_alice, tamsin, beside=str(mara.pk), move="aid_another", difficulty="2")
    thrown(aid, as_alice, dice, [3, 3, 3, 1, 5, 6], 3, as_alice)
    given = mara.traits.get(kind="bonus")
    helped = Entry.objects.filter(kind="contest.use").latest("seq")
    check = Check(as_bob, mara)
    check.act(as_bob, "propose", stats=check.stats("Agility", "Speed"), danger="0", bonus=[str(given.pk)])
    check.act(as_alice, "agree", "gm")
    dice[:] = [3, 3, 3, 4, 5, 6, 6] + [1] * given.value
    check.act(as_bob, "roll")
    spent = Entry.objects.filter(kind="contest.roll").latest("seq")
    assert not mara.traits.filter(kind="bonus").exists()
    form = Page(as_alice.get(reverse("entry", args=[campaign.slug, helped.seq]))).form(action=f"/{helped.seq}/undo/")
    answer = form.send(as_alice, form.buttons[-1])
    assert f"Entry {spent.seq} depends on this one. Undo that one first." in answer.content.decode()


def test_dw_13_a_tapped_box_and_the_danger(as_alice: Client, as_bob: Client, campaign: Any, mara: Any) -> None:
    at = f"/c/{campaign.slug}/sheet-actions/{mara.pk}"
    assert as_bob.post(f"{at}/fill/", body(zone="3", client_seed="ab" * 32)).status_code == 302
    assert mara.traits.get(name="Injured").damage == 1
    assert mara.traits.filter(kind="stat", damage=1).count() == 1
    before = Entry.objects.count()
    assert as_bob.post(f"{at}/danger/", body(by="1")).status_code == 302
    assert Entry.objects.count() == before
    assert as_alice.post(f"{at}/danger/", body(by="5")).status_code == 302
    page = as_bob.get(f"/c/{campaign.slug}/characters/{mara.pk}/").content.decode()
    assert "Danger level 6, zone 2 of 5. Filled: injured 1 of 3." in page
    assert not list(differences(campaign.pk))


def test_dw_09_a_challenge_from_the_bank_fills_a_check(as_alice: Client, campaign: Any, mara: Any) -> None:
    at = f"/c/{campaign.slug}/prepare/"
    sent = body(name="The guarded yard", difficulty="4", keywords="torches, dogs", threat="1")
    assert as_alice.post(f"{at}new/challenge/", sent).status_code == 302
    prepared = campaign.prep_items.get()
    page = as_alice.get(f"/c/{campaign.slug}/contests/start/check/?prepared={prepared.pk}").content.decode()
    assert 'value="torches, dogs"' in page and '<option value="4" selected>' in page


def test_dw_16_a_move_of_the_table_is_prepared(as_alice: Client, campaign: Any, mara: Any) -> None:
    sent = body(name="Calling the tide", move="own", height_2="a puddle answers", height_4="the harbour rises")
    assert as_alice.post(f"/c/{campaign.slug}/prepare/new/move/", sent).status_code == 302
    assert "Use it as" not in as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    prepared = campaign.prep_items.get()
    page = as_alice.get(f"/c/{campaign.slug}/contests/start/check/?prepared={prepared.pk}").content.decode()
    assert 'value="the harbour rises"' in page and '<option value="own" selected>' in page


def test_dw_17_the_odds_page_and_the_odds_of_a_pool(as_bob: Client, campaign: Any, mara: Any, bobs: Any) -> None:
    page = as_bob.get(f"/c/{campaign.slug}/odds/?of=keep&show_4=3&show_2=2&difficulty=4&rounds=1").content.decode()
    assert "Reaching a height" in page and "Keep 4, 4, 4" in page
    check = Check(as_bob, mara)
    sent = body(stats=check.stats("Agility", "Speed"), danger="0")
    html = as_bob.post(f"{check.at}propose/{mara.pk}/odds/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "7 dice against 3" in html and "botches on average" in html


def test_every_check_is_worked_out_again(
    as_alice: Client, as_bob: Client, campaign: Any, mara: Character, session: None, alices: Any
) -> None:
    for again in (["1", "5"], []):
        check = Check(as_bob, mara, threat="2", keywords="dark, loud")
        check.act(as_bob, "propose", stats=check.stats("Agility", "Speed"), danger="1")
        check.act(as_alice, "rate", "gm", difficulty="2", helps=["dark", "loud"])
        check.act(as_alice, "agree", "gm")
        check.act(as_bob, "roll")
        check.act(as_bob, "reroll", dice=["7", "0"])
        check.act(as_bob, *(("reroll",) if again else ("stand",)), dice=again)
        check.act(as_bob, "use", height=str(max(check.state.sets, default=0)))
    campaign.refresh_from_db()
    for most in (1, 500):
        progress = through(campaign, most)
        assert (progress.fault, progress.outcomes) == ("", 7)
    lines = exported(campaign, alices)
    report = verify.verify(lines, rules=RULES)
    assert (report.outcomes, report.unknown_outcomes) == (7, 0)

    def milder(payload: dict[str, Any]) -> None:
        payload["outcome"]["rolls"][0]["result"]["botches"] -= 1

    def another(payload: dict[str, Any]) -> None:
        """A check that is sound in itself, of other dice."""
        roll = payload["outcome"]["rolls"][0]
        roll["dice"] = [6] * len(roll["dice"])
        roll["given"].pop("set")
        roll["result"] = RULES(roll["move"], payload["edition"], roll["given"], roll["dice"]) if RULES else {}

    place = _place(lines, "contest.use")
    assert "does not follow" in found_out(_forged(lines, place, milder))
    assert "did not fall in its contest" in found_out(_forged(lines, place, another))
