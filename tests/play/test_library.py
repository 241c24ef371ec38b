"""The library: one line makes a thing, search narrows as one types, things go onto the scene; players get no byte."""
from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from characters.models import Character, Trait
from play.models import LibraryTag, Obstacle, PrepItem, Presence
from rules.codec import VERSION, canonical
from rules.registry import SYSTEMS
from tests.games import STOCKED
from tests.gate import seldom
from tests.html_forms import Page
from tests.play.conftest import body
from tests.rules.test_quick_lines_read_back import LINES

pytestmark = pytest.mark.django_db


def at(campaign: Any, more: str = "") -> str:
    return f"/c/{campaign.slug}/prepare/{more}"


def add(browser: Client, campaign: Any, line: str, **more: Any) -> Any:
    return browser.post(at(campaign), body(line=line, kind="npc", **more))


def page(browser: Client, address: str) -> str:
    return browser.get(address).content.decode()


def scrubbed(text: str) -> str:
    """A page without what differs each time that it is asked for."""
    return re.sub(r'name="(csrfmiddlewaretoken|op_id)" value="[^"]*"', "", text)


def names(text: str) -> list[str]:
    return re.findall(r'<a class="name" href="[^"]*">([^<]*)</a>', text)


def test_a_line_is_shown_as_chips_and_added_when_all_of_it_is_understood(as_alice: Client, campaign: Any) -> None:
    line = "Gate guard, Watchful good, rather tall, #guard"
    shown = as_alice.get(at(campaign, "understood/"), {"line": line, "kind": "npc"}).content.decode()
    assert "Watchful Good [+2]" in shown and "<mark>rather tall</mark>" in shown and "disabled" in shown
    refused = add(as_alice, campaign, line)
    assert refused.status_code == 422 and line in refused.content.decode() and not Character.objects.exists()
    taken = {"line": line, "kind": "npc", "without": "rather tall"}
    shown = as_alice.get(at(campaign, "understood/"), taken).content.decode()
    assert 'value="rather tall" checked' in shown and "disabled" not in shown, "it stays to be put back"
    assert add(as_alice, campaign, line, without="rather tall").status_code == 302
    guard = Character.objects.get()
    assert (guard.name, guard.hidden, guard.npc) == ("Gate guard", True, True)
    assert LibraryTag.objects.get().tag == "guard"
    assert add(as_alice, campaign, "Resistance: A locked door, expert, #guard").status_code == 302
    listed = page(as_alice, at(campaign))
    assert names(listed) == ["A locked door", "Gate guard"] and "2 prepared" in listed and "takes 3 damage" in listed
    assert not list(differences(campaign.pk))


def test_a_chip_is_changed_in_its_place(as_alice: Client, campaign: Any) -> None:
    line = "Gate guard, Watchful good, rather tall"
    fixed = {"line": line, "kind": "npc", "was": ["Watchful good", "rather tall"],
             "instead": ["Watchful expert", "Tall good"]}
    shown = as_alice.get(at(campaign, "understood/"), fixed).content.decode()
    assert "Watchful Expert [+4]" in shown and "Tall Good [+2]" in shown and "disabled" not in shown
    assert 'name="was" value="rather tall"' in shown, "what was changed once is changed again"
    assert as_alice.post(at(campaign), body(**{**fixed, "instead": ["Watchful expert", "ever so"]})).status_code == 422
    assert as_alice.post(at(campaign), body(**fixed)).status_code == 302
    assert set(Trait.objects.values_list("name", "value")) >= {("Watchful", 2), ("Tall", 1)}


def test_a_line_is_shown_without_a_script_and_nothing_is_added(as_alice: Client, campaign: Any) -> None:
    form = Page(as_alice.get(at(campaign))).form(button="Show what is understood")
    show = next(button for button in form.buttons if button.words == "Show what is understood")
    shown = form.send(as_alice, show, line="Gate guard, Watchful good")
    assert "Watchful Good [+2]" in shown.content.decode() and not Character.objects.exists()
    assert Page(shown).form(button="Add Gate guard").send(as_alice).status_code == 302
    assert Character.objects.get().name == "Gate guard"


def test_two_presses_of_one_form_add_once(as_alice: Client, campaign: Any) -> None:
    sent = body(line="2 squads of 4 bandits, good, #wild", kind="npc")
    for _ in range(2):
        assert as_alice.post(at(campaign), sent).status_code == 302
    assert sorted(Character.objects.values_list("name", flat=True)) == ["Bandits 1", "Bandits 2"]
    assert LibraryTag.objects.count() == 2


def test_several_lines_are_read_before_any_is_added(as_alice: Client, campaign: Any) -> None:
    sent = {"line": "Guard, Spear good\nPlace: The mill, #town\nResistance: Ice, slippery", "kind": "npc"}
    looked = as_alice.post(at(campaign, "lines/"), body(look="1", **sent))
    assert "The mill" in looked.content.decode() and "<mark>slippery</mark>" in looked.content.decode()
    assert as_alice.post(at(campaign, "lines/"), body(add="1", **sent)).status_code == 422
    assert not Character.objects.exists() and not PrepItem.objects.exists()
    sent["line"] = sent["line"].replace("slippery", "good")
    assert as_alice.post(at(campaign, "lines/"), body(add="1", **sent)).status_code == 302
    assert Character.objects.count() == 1 and PrepItem.objects.count() == 2
    many = as_alice.post(at(campaign, "lines/"), body(line="\n".join(["Guard"] * 31), kind="npc"))
    assert many.status_code == 422 and "at most 30 lines" in many.content.decode()
    blank_between = as_alice.post(at(campaign, "lines/"), body(add="1", line="\n\n".join(["Guard"] * 30), kind="npc"))
    assert blank_between.status_code == 302 and Character.objects.count() == 31


def test_search_reads_names_words_tags_and_numbers(as_alice: Client, campaign: Any, alice: Any) -> None:
    quay = found(user=alice, op_id=uuid.uuid4(), name="The quay", system="questworlds")
    for line in ("Harbour guard, Halberd 17, #court", "Old guard, Halberd 16", "Clerk, Figures 17",
                 "Resistance: Serai, In a fight: 17, #court", "Resistance: Guarded gate, moderate"):
        assert add(as_alice, quay, line).status_code == 302
    for q, expected in {
        "guard 17": ["Harbour guard"], "17": ["Clerk", "Harbour guard", "Serai"], "court": ["Harbour guard", "Serai"],
        "fight": ["Serai"], "figur": ["Clerk"], "1": [], "guard": ["Guarded gate", "Harbour guard", "Old guard"],
        "'; (": [], "%": [],
    }.items():
        assert names(page(as_alice, at(quay, f"?q={q}"))) == expected, q
    assert names(page(as_alice, at(quay, "?kind=resistance"))) == ["Guarded gate", "Serai"]
    assert names(page(as_alice, at(quay, "?tag=court"))) == ["Harbour guard", "Serai"]
    only = as_alice.get(at(quay, "?q=clerk"), headers={"HX-Request": "true", "HX-Target": "library"}).content.decode()
    assert names(only) == ["Clerk"] and "quick-line" not in only


def test_things_are_put_on_the_scene_and_hidden_people_stay_hidden(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any
) -> None:
    before = scrubbed(page(as_bob, f"/c/{campaign.slug}/"))
    add(as_alice, campaign, "Whisper, Unseen master", here="1")
    add(as_alice, campaign, "Place: The cellar")
    assert "Whisper" in {presence.character.name for presence in Presence.objects.filter(scene=scene)}
    assert scrubbed(page(as_bob, f"/c/{campaign.slug}/")) == before, "what is prepared moves no player’s page"
    add(as_alice, campaign, "Resistance: A locked door, expert")
    door = PrepItem.objects.get(type="resistance")
    there = as_alice.post(at(campaign, "put/?q=door"), body(thing=str(door.pk)))
    assert there.status_code == 302 and there.headers["Location"].endswith("?q=door"), "one finds oneself where one was"
    seen = page(as_bob, f"/c/{campaign.slug}/")
    assert Obstacle.objects.get().name == "A locked door" not in seen and "Something unknown · unknown" in seen
    as_alice.post(f"/c/{campaign.slug}/prepare/things/{door.pk}/view/", body(view="all"))
    assert "A locked door · expert 11" in page(as_bob, f"/c/{campaign.slug}/")
    listed = page(as_alice, at(campaign))
    assert listed.count("✓ Here") == 3, "Old Marrow, Whisper and the door"
    cellar = PrepItem.objects.get(type="place")
    refused = as_alice.post(at(campaign, "put/"), body(thing=str(cellar.pk)))
    assert refused.status_code == 422 and "can’t be an obstacle" in refused.content.decode()


def test_tags_and_more_like_this(as_alice: Client, campaign: Any) -> None:
    add(as_alice, campaign, "Guard, Spear good, #gate")
    add(as_alice, campaign, "Resistance: Ice, good, #cold")
    guard, ice = Character.objects.get(), PrepItem.objects.get()
    for thing in (guard, ice):
        assert as_alice.post(at(campaign, f"things/{thing.pk}/"), body(count="3")).status_code == 302
        assert as_alice.post(at(campaign, f"things/{thing.pk}/"), body(count="99")).status_code == 422
    assert sorted(Character.objects.values_list("name", flat=True)) == ["Guard", "Guard 2", "Guard 3", "Guard 4"]
    assert sorted(PrepItem.objects.values_list("name", flat=True)) == ["Ice", "Ice 2", "Ice 3", "Ice 4"]
    assert LibraryTag.objects.filter(tag="gate").count() == 4 == LibraryTag.objects.filter(tag="cold").count()
    assert as_alice.post(at(campaign, f"things/{ice.pk}/"), body(tags="#Winter cold")).status_code == 302
    assert sorted(LibraryTag.objects.filter(thing_id=ice.pk).values_list("tag", flat=True)) == ["cold", "winter"]
    assert not Entry.objects.filter(kind__in=["library.tag", "bank.write"]).exclude(audience="gm").exists()
    assert not list(differences(campaign.pk))


def test_the_library_is_the_gms(as_bob: Client, campaign: Any, bobs: Any) -> None:
    for path in ("", "understood/?line=x", "lines/", "starters/"):
        assert as_bob.get(at(campaign, path)).status_code == 404
    assert as_bob.post(at(campaign, "put/"), body(thing=str(uuid.uuid4()))).status_code == 404


@pytest.mark.parametrize("slug", STOCKED)
def test_every_game_starts_with_things_that_can_be_taken(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=slug, system=slug)
    assert page(as_alice, at(campaign, "starters/")).count("Use this line") == len(campaign.rules.starters)
    lines = "\n".join(f"{starter.kind}: {starter.line}" for starter in campaign.rules.starters)
    assert as_alice.post(at(campaign, "lines/"), body(add="1", line=lines)).status_code == 302
    listed = page(as_alice, at(campaign))
    assert len(names(listed)) >= len(campaign.rules.starters)
    for thing in (*Character.objects.all(), *PrepItem.objects.all()):
        assert as_alice.get(at(campaign, f"things/{thing.pk}/")).status_code == 200


@seldom
def test_a_page_of_five_thousand_is_small_and_takes_as_many_queries(
    as_alice: Client, campaign: Any, django_assert_max_num_queries: Any
) -> None:
    text = "Description (players see this) first is the water, and then who stands in it. " * 3
    spec = canonical({"v": VERSION, "fields": {"difficulty": "expert"}})
    PrepItem.objects.bulk_create(
        PrepItem(campaign=campaign, type="resistance", name=f"A long name for the obstacle number {n:04}", text=text,
                 spec=spec) for n in range(2500))
    people = Character.objects.bulk_create(
        Character(campaign=campaign, npc=True, name=f"A long name for the person number {n:04}") for n in range(2500))
    Trait.objects.bulk_create(
        Trait(campaign=campaign, character=person, kind="strength", name=f"Knows the river at night {n}", value=2,
              place=n)
        for person in people for n in range(4))
    LibraryTag.objects.bulk_create(LibraryTag(campaign=campaign, thing_id=person.pk, tag="river") for person in people)
    for query in ("", "?q=number", "?q=river+night", "?tag=river", "?kind=npc"):
        with django_assert_max_num_queries(24):
            answer = as_alice.get(at(campaign, query))
        assert len(answer.content) < 60_000 and len(names(answer.content.decode())) == 50, query
    seen: list[str] = []
    address: str | None = "?q=2+number"
    while address:
        text = page(as_alice, at(campaign, address))
        seen += names(text)
        older = re.search(r'<a href="[^"?]*prepare/(\?[^"]*)" rel="next">', text)
        address = older[1].replace("&amp;", "&") if older else None
    assert seen == sorted(set(seen)) and len(seen) > 1000


def test_the_ledger_of_a_player_says_nothing_of_it(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    add(as_alice, campaign, "Note: Quillon lies, #quillon")
    seen = page(as_bob, reverse("ledger", args=[campaign.slug]))
    assert "uillon" not in seen


@pytest.mark.parametrize("slug", SYSTEMS)
def test_what_people_type_is_read_back_before_it_is_added(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = found(user=alice, op_id=uuid.uuid4(), name=f"Lines of {slug}", system=slug)
    kinds = {kind.name: kind.label for kind in campaign.rules.library} | {"npc": "NPC"}
    for kind in kinds:
        lines = [(line, back) for game, one, line, back in LINES if (game, one) == (slug, kind)][:20]
        typed = "\n".join(line for line, _ in lines)
        page = html.unescape(as_alice.post(
            f"/c/{campaign.slug}/prepare/lines/", body(line=typed, kind=kind)).content.decode())
        assert all(part in page for _, back in lines for part in back.split(" / ") if part[:1] not in "?#"), kind
    assert not PrepItem.objects.filter(campaign=campaign).exists()
