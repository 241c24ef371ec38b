"""What a sheet says is open after it grew, and what may be kept then (QW-70, QW-72, QW-81)."""
from __future__ import annotations

import re
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.undoing import undo
from characters.models import Character
from characters.provenance import provenance
from characters.services.pools import award
from rules.registry import SYSTEMS
from tests import laid
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def hester(campaign: Any, bobs: Any) -> Character:
    """All points but two are spent."""
    return character(campaign, bobs, "Hester", [
        ("keyword", "Ferrywoman", 27), ("characteristic", "Dogged", 25), ("ability", "Boathook", 13),
    ], player=bobs)


def page(client: Client, who: Character, name: str = "") -> str:
    return client.get(f"/c/{who.campaign.slug}/characters/{who.pk}/{name}").content.decode()


def grow(client: Client, alices: Any, who: Character, **given: Any) -> Entry:
    award(campaign=who.campaign, actor=alices, op_id=uuid.uuid4(), character_id=who.pk, pool="xp", amount=10,
          reason="Test")
    on = str(who.traits.get(name="Ferrywoman").pk)
    given = {"first": "raise_more", "first_on": on, "second": "new", "second_name": "Knots", **given}
    assert client.post(f"/c/{who.campaign.slug}/sheet-actions/{who.pk}/advance/", body(**given)).status_code == 302
    return Entry.objects.latest("seq")


def posted(who: Character, **values: str) -> dict[str, Any]:
    """The builder's form as it opens, with other values for some lines."""
    rows = list(who.traits.order_by("place"))
    sent: dict[str, Any] = body(name=who.name, concept="", story="", lines=len(rows), seen=10**6, character=str(who.pk))
    for place, row in enumerate(rows):
        value = values.get(row.name, str(row.value))
        sent |= {f"line-{place}-id": str(row.pk), f"line-{place}-kind": row.kind, f"line-{place}-name": row.name,
                 f"line-{place}-value": value, f"line-{place}-note": ""}
    return sent


def test_qw_81_an_advance_takes_nothing_of_what_was_open(as_bob: Client, alices: Any, hester: Any) -> None:
    before = page(as_bob, hester)
    assert "9 abilities left" in before and "2 points to spend" in before
    grow(as_bob, alices, hester)
    after = page(as_bob, hester)
    assert "9 abilities left" in after and "2 points to spend" in after
    edit = page(as_bob, hester, "edit/")
    assert "3 of 12." in edit and "18 of 20." in edit and "Growth is not counted." in edit
    counted = as_bob.post(f"/c/{hester.campaign.slug}/characters/builder/count/", posted(hester, Boathook="14"))
    assert "19 of 20." in counted.content.decode()
    # One's own points can still be spent, and no more than those.
    to = f"/c/{hester.campaign.slug}/characters/{hester.pk}/edit/"
    refused = as_bob.post(to, posted(hester, Boathook="14", Knots="15"))
    assert refused.status_code == 422 and "points 21 of 20" in refused.content.decode()
    assert as_bob.post(to, posted(hester, Boathook="14", Knots="14")).status_code == 302
    assert "20 of 20." in page(as_bob, hester, "edit/")


def test_qw_81_an_advance_that_is_undone_gave_nothing(as_bob: Client, alices: Any, hester: Any) -> None:
    entry = grow(as_bob, alices, hester)
    origins = provenance(hester.campaign, hester.pk).values()
    assert {(origin.grown, origin.later) for origin in origins} == {(6, False), (13, True)}
    undo(campaign=hester.campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert not provenance(hester.campaign, hester.pk)
    undone = Entry.objects.latest("seq")
    undo(campaign=hester.campaign, actor=alices, op_id=uuid.uuid4(), seq=undone.seq)
    assert len(provenance(hester.campaign, hester.pk)) == 2


def test_a_sheet_that_grew_often_asks_for_no_more(as_bob: Client, alices: Any, hester: Any) -> None:
    counts = []
    for round in range(2):
        grow(as_bob, alices, hester, second_name=f"Knots {round}", first="raise")
        page(as_bob, hester)
        with CaptureQueriesContext(connection) as asked:
            page(as_bob, hester)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_one_excess_hides_nothing_that_is_open(as_bob: Client, campaign: Any, bobs: Any) -> None:
    over = character(campaign, bobs, "Tam", [("keyword", "Sailor", 27), ("ability", "Songs", 25)], player=bobs)
    shown = page(as_bob, over)
    assert "This sheet is not finished." in shown and "10 abilities left" in shown
    assert "Over budget: points 22 of 20." in shown


@pytest.mark.parametrize(("row", "sentence", "where"), [
    (("keyword", "Ferrywoman", "8M"), "10 points are the most on one: 7M here.", "value"),
    (("ability", "Knots", "11"), "This starts at 13. It can’t be lower.", "value"),
    (("keyword", "Ferrywoman", "16"), "This starts at 17.", "value"),
    (("flaw", "Proud", "13"), "By rule this flaw has 17.", "value"),
    (("characteristic", "Kind", "17"), "There is one distinguishing characteristic.", "name"),
])
def test_qw_72_a_player_alone_keeps_no_sheet_that_the_rules_have_not(
    as_bob: Client, as_alice: Client, campaign: Any, bobs: Any, row: Any, sentence: str, where: str
) -> None:
    rows = [("characteristic", "Dogged", "17"), ("keyword", "Ferrywoman", "17"), row]
    rows = [other for other in rows if other[:2] != row[:2]] + [row]
    sent: dict[str, Any] = {"name": "Hester", "lines": len(rows)}
    for place, other in enumerate(rows):
        sent |= {f"line-{place}-{name}": said for name, said in zip(("kind", "name", "value"), other, strict=True)}
    new = f"/c/{campaign.slug}/characters/new/"
    answer = as_bob.post(new, body(**sent))
    shown = answer.content.decode()
    assert answer.status_code == 422 and sentence in shown and not Character.objects.exists()
    assert shown.index(f'name="line-{len(rows) - 1}-{where}"') < shown.index(sentence)
    # The GM allows it, and says why.
    assert as_alice.post(new, body(**sent, part=str(bobs.pk))).status_code == 422
    assert as_alice.post(new, body(**sent, part=str(bobs.pk), reason="A saga")).status_code == 302
    # What stands so stays, and the rest can be changed; worse it does not get.
    made = Character.objects.get()
    to = f"/c/{campaign.slug}/characters/{made.pk}/edit/"
    assert as_bob.post(to, {**posted(made), "story": "Told at last"}).status_code == 302
    if row[2] == "8M":
        assert as_bob.post(to, posted(made, Ferrywoman="29")).status_code == 422


def test_qw_75_a_second_sidekick_is_refused_at_its_name(as_bob: Client, campaign: Any, bobs: Any) -> None:
    sent: dict[str, Any] = {"name": "Hester", "lines": 2}
    for place, name in enumerate(("Old Wren", "Young Wren")):
        sent |= {f"line-{place}-kind": "sidekick", f"line-{place}-name": name, f"line-{place}-value": "0"}
    answer = as_bob.post(f"/c/{campaign.slug}/characters/new/", body(**sent))
    assert answer.status_code == 422 and "A character has one sidekick." in answer.content.decode()


def test_qw_60_what_play_brings_is_written_by_nobody_but_the_gm(
    as_bob: Client, as_alice: Client, campaign: Any, bobs: Any, hester: Any
) -> None:
    new, to = f"/c/{campaign.slug}/characters/new/", f"/c/{campaign.slug}/characters/{hester.pk}/edit/"
    assert "What play brings" not in as_bob.get(new).content.decode() + page(as_bob, hester, "edit/")
    forged = {"lines": 4, "line-3-kind": "benefit", "line-3-name": "Blessed", "line-3-value": "5", "line-3-id": ""}
    before = Entry.objects.count()
    for client, where, sent in ((as_bob, to, posted(hester)), (as_bob, new, body(name="Tam"))):
        answer = client.post(where, {**sent, **forged, **({} if where == to else {"lines": 1, **{
            name.replace("line-3", "line-0"): value for name, value in forged.items() if name != "lines"}})})
        assert answer.status_code == 422 and "Benefits can only be gained in play." in answer.content.decode()
    assert Entry.objects.count() == before
    assert as_alice.post(to, {**posted(hester), **forged, "reason": "A gift"}).status_code == 302
    blessed = hester.traits.get(name="Blessed")
    for wrong in ({"line-3-value": "4"}, {"line-3-name": "Cursed"}, {"line-3-kind": "consequence"}, {"lines": 3}):
        answer = as_bob.post(to, {**posted(hester), **wrong})
        assert answer.status_code == 422, wrong
    blessed.refresh_from_db()
    assert (blessed.kind, blessed.name, blessed.value) == ("benefit", "Blessed", 5)
    assert as_bob.post(to, {**posted(hester), "story": "Told at last"}).status_code == 302


def test_qw_72_the_first_keyword_starts_at_17_and_another_at_13(as_bob: Client, campaign: Any, bobs: Any) -> None:
    new = f"/c/{campaign.slug}/characters/new/"
    fresh = as_bob.get(new).content.decode()
    assert value_of(fresh, "keyword") == ["17"] and value_of(fresh, "ability") == ["13"] * 4
    one = {"line-0-kind": "keyword", "line-0-name": "Ferrywoman", "line-0-value": "4M"}
    more = as_bob.post(new, body(name="Hester", lines=1, add="keyword", **one)).content.decode()
    assert value_of(more, "keyword") == ["4M", "13"]


def test_qw_75_the_first_ability_of_a_sidekick_starts_at_16(as_bob: Client, campaign: Any, bobs: Any) -> None:
    new = f"/c/{campaign.slug}/characters/new/"
    shown = as_bob.post(new, body(name="Hester", lines=0, add="sidekick_ability")).content.decode()
    assert value_of(shown, "sidekick_ability") == ["16"]
    one = {"line-0-kind": "sidekick_ability", "line-0-name": "Sour", "line-0-value": "16"}
    shown = as_bob.post(new, body(name="Hester", lines=1, add="sidekick_ability", **one)).content.decode()
    assert value_of(shown, "sidekick_ability") == ["16", "13"]


def value_of(page: str, kind: str) -> list[str]:
    """The scores of the lines of a kind, as the builder shows them."""
    places = re.findall(rf'name="line-(\d+)-kind" value="{kind}"', page)
    fields = (re.search(rf'<input[^>]*name="line-{place}-value"[^>]*>', page) for place in places)
    return [re.search('value="([^"]*)"', field[0])[1] for field in fields]  # type: ignore[index]


def test_a_line_without_a_name_needs_no_score(as_bob: Client, campaign: Any, bobs: Any) -> None:
    rows = {"line-0-kind": "ability", "line-0-name": "Boathook", "line-0-value": "13"}
    for empty in ("", "sharp"):
        unused = {"line-1-kind": "ability", "line-1-name": "", "line-1-value": empty}
        answer = as_bob.post(f"/c/{campaign.slug}/characters/new/", body(name="Hester", lines=2, **rows, **unused))
        assert answer.status_code == 302, empty
    assert [made.traits.get().name for made in Character.objects.all()] == ["Boathook", "Boathook"]
    rows["line-0-value"] = ""
    answer = as_bob.post(f"/c/{campaign.slug}/characters/new/", body(name="Hester", lines=1, **rows))
    assert answer.status_code == 422 and "Enter an amount." in answer.content.decode()


def test_qw_01_a_score_that_cannot_be_read_says_so_at_its_field_while_one_types(
    as_bob: Client, campaign: Any, bobs: Any
) -> None:
    rows = body(name="Hester", lines=3)
    for place, value in enumerate(("sharp", "13", "")):
        rows |= {f"line-{place}-kind": "ability", f"line-{place}-name": f"Knack {place}", f"line-{place}-value": value}
    html = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", rows).content.decode()
    assert html.count("Enter a number or a notation") == 1 and "1 of 12" in html
    at = 'id="line-0-unread" aria-live="polite" hx-swap-oob="true"><p class="error">Enter a number'
    assert at in html and 'id="line-1-unread" aria-live="polite" hx-swap-oob="true"></div>' in html
    fresh = as_bob.get(f"/c/{campaign.slug}/characters/new/").content.decode()
    assert 'id="line-0-unread" aria-live="polite"></div>' in fresh and "hx-swap-oob" not in fresh.split("budget")[0]


def test_qw_75_the_builder_says_what_a_sidekick_lacks(as_bob: Client, campaign: Any, bobs: Any) -> None:
    rows = body(name="Hester", lines=3)
    for place, (kind, name, value) in enumerate((("sidekick", "Old Wren", "0"), ("sidekick_ability", "Sour", "16"),
                                                 ("ability", "sour", "13"))):
        rows |= {f"line-{place}-kind": kind, f"line-{place}-name": name, f"line-{place}-value": value}
    html = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", rows).content.decode()
    assert "A sidekick has three abilities; here are 1." in html and "Sour belongs to no one" in html
    assert "Sour is there more than once." in html


def test_qw_72_a_missing_characteristic_is_asked_for_in_the_words_of_the_page(
    as_bob: Client, campaign: Any, bobs: Any
) -> None:
    row = {"line-0-kind": "keyword", "line-0-name": "Ferrywoman", "line-0-value": "17"}
    html = as_bob.post(f"/c/{campaign.slug}/characters/builder/count/", body(name="H", lines=1, **row)).content.decode()
    assert "Enter their distinguishing characteristic in the first line." in html
    fresh = as_bob.get(f"/c/{campaign.slug}/characters/new/").content.decode()
    assert fresh.index("Distinguishing characteristic</h2>") < fresh.index("Keywords</h2>")


def test_without_javascript_a_button_counts_and_keeps_nothing(as_bob: Client, campaign: Any, bobs: Any) -> None:
    new = f"/c/{campaign.slug}/characters/new/"
    assert 'name="recount"' in as_bob.get(new).content.decode()
    before = Entry.objects.count()
    rows = {"line-0-kind": "keyword", "line-0-name": "Ferrywoman", "line-0-value": "4M", "line-1-kind": "ability",
            "line-1-name": "Knots", "line-1-value": "sharp"}
    answer = as_bob.post(new, body(name="Hester", story="Once", lines=2, recount="1", **rows))
    shown = answer.content.decode()
    assert answer.status_code == 200 and "7 of 20." in shown and "1 of 12." in shown
    assert 'value="Ferrywoman"' in shown and 'value="sharp"' in shown and "Enter a number or a notation" in shown
    assert Entry.objects.count() == before and not Character.objects.exists()


def test_what_came_with_an_advance_is_not_said_to_have_been_played(as_bob: Client, alices: Any, hester: Any) -> None:
    grow(as_bob, alices, hester)
    to = f"/c/{hester.campaign.slug}/characters/{hester.pk}/edit/"
    for wrong in ({"line-3-name": "Splices"}, {"line-3-value": "12"}, {"lines": 3}):
        answer = as_bob.post(to, {**posted(hester), **wrong})
        shown = answer.content.decode()
        assert answer.status_code == 422, wrong
        assert ("Knots came with an entry of its own." in shown) or wrong == {"line-3-value": "12"}
        assert "Knots was at the table" not in shown
    assert hester.traits.get(name="Knots").value == 13


def at(campaign: Any, rest: str) -> str:
    return f"/c/{campaign.slug}/{rest}"


def written(name: str, rows: list[tuple[str, str, str]], **more: Any) -> dict[str, Any]:
    """What the builder sends of these lines: kind, name, value."""
    sent: dict[str, Any] = {"name": name, "lines": len(rows), **more}
    for place, row in enumerate(rows):
        sent |= {f"line-{place}-{field}": said for field, said in zip(("kind", "name", "value"), row, strict=True)}
    return body(**sent)


@pytest.mark.usefixtures("bobs")
def test_qw_71_a_text_has_no_limit_and_what_is_over_twelve_is_open_for_the_gm(as_bob: Client, campaign: Any) -> None:
    text = "A [[smuggler]] of the coast. " + " ".join(f"She knows [trick {number}] well." for number in range(20))
    rows = as_bob.post(at(campaign, "characters/new/prose/"), {"text": text}).content.decode()
    assert "The text has 105 of about 100 words: 5 over." in rows and 'value="trick 19"' in rows
    sheet = [("keyword", "smuggler", "17"), *(("ability", f"trick {number}", "13") for number in range(20))]
    answer = as_bob.post(at(campaign, "characters/new/"), written("Mara", sheet, story=text))
    assert answer.status_code == 302, answer.content.decode()
    mara = Character.objects.get(name="Mara")
    assert mara.traits.count() == 21
    assert "9 abilities more than a list makes: the GM says whether they stay." in page(as_bob, mara)
    assert "Over budget" not in page(as_bob, mara)


@pytest.mark.usefixtures("bobs")
def test_qw_71_the_words_of_a_text_are_counted(as_bob: Client, campaign: Any) -> None:
    assert 'data-words="100"' in as_bob.get(at(campaign, "characters/new/prose/")).content.decode()
    rows = as_bob.post(at(campaign, "characters/new/prose/"), {"text": "A [[smuggler]], and [proud]."}).content.decode()
    assert "The text has 4 of about 100 words." in rows


@pytest.mark.usefixtures("bobs")
def test_qw_72_points_are_held_to_as_ever(as_bob: Client, campaign: Any) -> None:
    rows = [("keyword", "Smuggler", "27"), ("ability", "Knots", "23"), ("ability", "Songs", "14")]
    refused = as_bob.post(at(campaign, "characters/new/"), written("Mara", rows))
    assert refused.status_code == 422 and "points 21 of 20" in refused.content.decode()


@pytest.mark.usefixtures("bobs")
def test_qw_74_a_flaw_scored_by_rule_follows_the_ability_in_the_builder(
    as_bob: Client, as_alice: Client, campaign: Any
) -> None:
    rows = [("characteristic", "Dogged", "17"), ("keyword", "Ferrywoman", "17"), ("flaw", "Proud", "")]
    assert as_bob.post(at(campaign, "characters/new/"), written("Hester", rows)).status_code == 302
    hester = Character.objects.get(name="Hester")
    assert hester.traits.get(name="Proud").value == 17
    edit = at(campaign, f"characters/{hester.pk}/edit/")
    answer = as_bob.post(edit, posted(hester, Ferrywoman="1M"))
    assert answer.status_code == 302, answer.content.decode()
    assert hester.traits.get(name="Proud").value == 21
    # What the GM set otherwise stays where it is.
    assert as_alice.post(edit, {**posted(hester, Proud="13"), "reason": "A small one"}).status_code == 302
    assert as_bob.post(edit, posted(hester, Ferrywoman="3M")).status_code == 302
    assert hester.traits.get(name="Proud").value == 13


def test_qw_77_an_npc_line_that_was_not_understood_asks(as_alice: Client, campaign: Any) -> None:
    asked = as_alice.post(at(campaign, "characters/quick/"), body(line="Mara, Rapier seventeen"))
    assert asked.status_code == 422 and "in figures: Rapier 17" in asked.content.decode()
    assert not Character.objects.exists()
    assert as_alice.post(at(campaign, "characters/quick/"), body(line="2 squads of 5 guards, good")).status_code == 302
    squads = Character.objects.order_by("name")
    assert squads.count() == 2
    assert {(line.name, line.value, line.note) for squad in squads for line in squad.traits.all()} == {
        ("Guards", 17, "A squad of 5")}


def test_whoever_retires_a_character_is_asked_once(as_bob: Client, hester: Any) -> None:
    shown = page(as_bob, hester)
    assert "Retire character</summary>" in shown and "Yes, retire Hester" in shown
    assert shown.index("Retire character</summary>") < shown.index(f"{hester.pk}/retire/") < shown.index("Yes, retire")


def test_a_game_whose_builder_leaves_growth_out_says_so() -> None:
    """Where its code looks at what came later, a sheet's page has to read that."""
    for name, system in SYSTEMS.items():
        folder = Path(rules.__file__).parent / "systems" / name
        looks = any(re.search(r"\.(grown|later)\b", path.read_text()) for path in folder.glob("*builder.py"))
        assert system.growth.apart == looks, name
