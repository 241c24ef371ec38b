"""What is pressed at a table that stands open, beside acts and rolls, by htmx: what is new there and no page."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from characters.models import Character
from play.models import Contest, Obstacle, PrepItem
from play.services import bank
from play.services.position import Position
from tests.html_forms import Button, Form, Page
from tests.play.conftest import body
from tests.play.test_acts_here import pressed
from tests.play.test_contests_here import salt, two
from tests.play.test_refused_here import choosing

__all__ = ("salt", "two")

pytestmark = pytest.mark.django_db


def sent(client: Client, form: Form, button: Button | None = None, **values: str) -> Any:
    """Presses one of its buttons at a table that stands open, as its script does."""
    assert "data-stays" in form.controls["at"].attributes
    head = Entry.objects.filter(campaign__slug=form.at.split("/")[2]).latest("seq").seq
    address = (button.attributes.get("formaction") if button else None) or form.action
    return client.post(f"{address}?since={head}", form.filled(button, **values), headers={"HX-Request": "true"})


def is_what_is_new(answer: Any, campaign: Any) -> str:
    """The answer to a press that was taken, as text: rows and parts of the table, and no page."""
    page: str = answer.content.decode()
    campaign.refresh_from_db()
    assert answer.status_code == 200 and "<html" not in page and "data-address=" in page
    assert f'name="since" value="{campaign.head_seq}"' in page
    return page


def test_a_chip_puts_an_obstacle_and_its_cross_takes_it_away(
    as_alice: Client, campaign: Any, ilse: Any, scene: Any
) -> None:
    at = f"/c/{campaign.slug}/"
    chips = next(form for form in Page(as_alice.get(at)).matching(action="/obstacles/put/"))
    page = is_what_is_new(sent(as_alice, chips, chips.buttons[1]), campaign)
    put = Obstacle.objects.get()
    assert 'id="present"' in page and f"Remove {put.name}" in page
    gone, again = (Page(as_alice.get(at)).form(action=f"/obstacles/{put.pk}/remove/") for _ in range(2))
    assert f"Remove {put.name}" not in is_what_is_new(sent(as_alice, gone), campaign)
    late = sent(as_alice, again)
    assert late.status_code == 409 and 'class="error"' in late.content.decode(), "it says so, and changes no page"
    assert "data-address" not in late.content.decode()


def test_an_npc_comes_to_the_table_and_a_line_that_is_refused_comes_back(
    as_alice: Client, campaign: Any, ilse: Any, scene: Any
) -> None:
    form, other = (Page(as_alice.get(f"/c/{campaign.slug}/")).form(button="Add to the scene") for _ in range(2))
    before = Character.objects.filter(npc=True).count()
    for line, says in (("", "Write a line"), ("x" * 300, "x" * 300)):
        answer = sent(as_alice, form, line=line)
        page = answer.content.decode()
        assert answer.status_code == 422 and "<html" not in page and "data-address" not in page
        assert 'aria-invalid="true" aria-describedby="npc-line_error"' in page and says in page
        assert Character.objects.filter(npc=True).count() == before
    page = is_what_is_new(sent(as_alice, form, line="The ferryman, Expert Rower"), campaign)
    assert 'id="present"' in page and "The ferryman" in page and 'id="npc-line_error"' not in page
    without_a_script = other.send(as_alice, line="x" * 300)
    assert without_a_script.status_code == 422 and "<html" in without_a_script.content.decode()
    assert other.send(as_alice, line="Another").status_code == 302


def test_an_exchange_is_undone_at_the_table(as_alice: Client, as_bob: Client, salt: Any, two: list[Contest]) -> None:
    table = f"/c/{salt.slug}/"
    form, ability = choosing(as_bob, table, two[0])
    assert pressed(as_bob, form, ability=ability, tactic="By the cellar").status_code == 200
    undo = Page(as_alice.get(table)).form(action=f"/contests/{two[0].pk}/undo/")
    assert as_alice.post(f"{table}contests/{two[0].pk}/against/gm/", body(against="named:high")).status_code == 302
    late = sent(as_alice, undo)
    page = late.content.decode()
    assert late.status_code == 409 and 'class="error"' in page and "data-address" not in page and "<html" not in page
    answer = sent(as_alice, Page(as_alice.get(table)).form(action=f"/contests/{two[0].pk}/undo/"))
    assert answer["HX-Reswap"] == "morph:innerHTML" and "Undone by entry" in is_what_is_new(answer, salt)


def test_a_contest_that_cant_be_shown_is_called_off_at_the_table(
    as_alice: Client, salt: Any, two: list[Contest], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"/c/{salt.slug}/"
    monkeypatch.setattr(Position, "is_broken", property(lambda self: self.contest.pk == two[0].pk))
    off, again = (Page(as_alice.get(f"{table}?contest={two[0].pk}")).form(
        action=f"/contests/{two[0].pk}/call-off/") for _ in range(2))
    assert off.controls["at"].opens == ["table"]
    assert "called off" in is_what_is_new(sent(as_alice, off), salt).lower()
    late = sent(as_alice, again)
    assert late.status_code == 409 and "<html" not in late.content.decode()


def test_what_players_see_of_a_person_and_of_an_obstacle_is_changed_at_the_table(
    as_alice: Client, campaign: Any, alices: Any, ilse: Any, marrow: Any, scene: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), name="The old gate", type="resistance",
               fields={"difficulty": "good"})
    thing = PrepItem.objects.get(campaign=campaign)
    chips = Page(as_alice.get(table)).form(action="/obstacles/put/")
    chips.send(as_alice, next(chip for chip in chips.buttons if str(thing.pk) in chip.attributes["value"]))
    for seen, name in ((marrow, "Old Marrow"), (thing, "The old gate")):
        for view, word in (("face", "known by"), ("nothing", "hidden"), ("all", "all")):
            page = Page(as_alice.get(table))
            form, late = (page.form(action=f"/prepare/things/{seen.pk}/view/") for _ in range(2))
            tapped = next(button for button in form.buttons if button.attributes["value"] == view)
            if tapped.attributes["aria-pressed"] == "true":
                continue
            answer = is_what_is_new(sent(as_alice, form, tapped), campaign)
            assert 'id="present"' in answer and name in answer, word
            now = Page(as_alice.get(table)).form(action=f"/prepare/things/{seen.pk}/view/")
            assert [button.attributes["value"] for button in now.buttons
                    if button.attributes["aria-pressed"] == "true"] == [view]
            late.controls["op_id"].opens = [str(uuid.uuid4())]
            again = sent(as_alice, late, tapped)
            refused = again.status_code == 409 and 'class="error"' in again.content.decode()
            assert refused or (seen == thing and view == "all"), "it is so already"


def test_the_x_card_stops_a_table_that_stands_open_and_the_gm_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, scene: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    card, late = Page(as_bob.get(table)).form(button="X-card"), Page(as_alice.get(table)).form(button="X-card")
    assert "The X-card was pressed" in is_what_is_new(sent(as_bob, card), campaign)
    again = sent(as_alice, late)
    assert again.status_code == 409 and "data-address" not in again.content.decode()
    assert "The scene is already stopped." in again.content.decode()
    assert not Page(as_bob.get(table)).matching(button="Go on with the scene")
    on, too_late = (Page(as_alice.get(table)).form(button="Go on with the scene") for _ in range(2))
    assert "X-card</button>" in is_what_is_new(sent(as_alice, on), campaign)
    assert sent(as_alice, too_late).status_code == 409


def test_the_last_entry_of_a_contest_that_cant_be_shown_is_undone_at_the_table(
    as_alice: Client, as_bob: Client, salt: Any, two: list[Contest], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = f"/c/{salt.slug}/"
    form, ability = choosing(as_bob, table, two[0])
    assert pressed(as_bob, form, ability=ability, tactic="By the cellar").status_code == 200
    with monkeypatch.context() as broken:
        broken.setattr(Position, "is_broken", property(lambda self: self.contest.pk == two[0].pk))
        shown = Page(as_alice.get(f"{table}?contest={two[0].pk}"))
        undo, again = (shown.form(button="Undo the last entry") for _ in range(2))
        own = Page(as_alice.get(f"{table}contests/{two[0].pk}/")).form(button="Undo the last entry")
        assert own.controls["at"].opens == ["contest"]
        assert f"?contest={two[0].pk}#contest" in is_what_is_new(sent(as_alice, undo), salt)
        again.controls["op_id"].opens = [str(uuid.uuid4())]
        late = sent(as_alice, again)
        assert late.status_code == 409 and "<html" not in late.content.decode() and "data-address" not in (
            late.content.decode())
    assert Page(as_bob.get(table)).matching(action=form.action.partition("?")[0]), "the choice is to be made again"


def test_a_reminder_is_ticked_at_the_table(as_alice: Client, campaign: Any, ilse: Any, scene: Any) -> None:
    table = f"/c/{campaign.slug}/"
    plan = f"{table}prepare/plan/"
    assert as_alice.post(f"{plan}lines/", body(words="Ask about the debt")).status_code == 302
    form, late = (Page(as_alice.get(table)).form(action="/plan/change/") for _ in range(2))
    answer = sent(as_alice, form, form.buttons[0])
    page = answer.content.decode()
    assert answer.status_code == 200 and "<html" not in page and "Ask about the debt: done" in page
    assert as_alice.post(f"{plan}change/", body(drop=form.buttons[0].attributes["value"])).status_code == 302
    gone = sent(as_alice, late, form.buttons[0])
    assert gone.status_code == 409 and "<html" not in gone.content.decode()


def test_an_act_on_a_contests_own_page_is_answered_with_the_contest(
    as_bob: Client, salt: Any, two: list[Contest]
) -> None:
    own = f"/c/{salt.slug}/contests/{two[0].pk}/"
    (form, ability), (late, _), (later, _) = (choosing(as_bob, own, two[0]) for _ in range(3))
    assert form.controls["at"].opens == ["contest"] and "data-stays" in form.controls["at"].attributes

    def answered(one: Form, **values: str) -> tuple[int, str]:
        answer = as_bob.post(one.action, one.filled(None, **values), headers={"HX-Request": "true"})
        said = answer.content.decode()
        assert "<html" not in said and 'id="story"' not in said
        assert all(f'id="{part}"' in said for part in ("view", "acts", "below", "not-done", "now"))
        return answer.status_code, said

    status, page = answered(form, ability=ability, tactic="By the back door " * 60)
    assert status == 422 and 'aria-invalid="true"' in page and "By the back door By the back door" in page
    status, page = answered(form, ability=ability, tactic="By the back door")
    assert status == 200 and "By the back door" in page
    assert answered(form, ability=ability, tactic="By the back door")[0] == 200, "the same press again"
    Contest.objects.filter(pk=two[0].pk).update(over=True)
    status, page = answered(late, ability=ability, tactic="By the well")
    assert status == 409 and "The situation changed" in page
    assert later.send(as_bob, ability=ability, tactic="By the well").status_code == 409
