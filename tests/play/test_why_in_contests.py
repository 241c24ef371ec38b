"""In a contest every number answers why, too: as its form opens and as it is filled in, in each game."""
from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_ways_back import of_player, on_the_sheet

pytestmark = pytest.mark.django_db
SUMMARY = re.compile(r"<summary>Why (.*?)\?</summary><ul class=\"sources\">(.*?)</ul>", re.DOTALL)
# The contest, and the act in which somebody says with what they roll.
TRAYS = [
    ("pdq", "conflict", "attack"), ("pdq_sharp", "duel", "stance"), ("pdq_sharp", "challenge", "roll"),
    ("pnc", "fight", "initiative"), ("pnc", "fight", "attack"), ("pnc", "fight", "defend"),
    ("pnc", "fight", "strike"), ("pdq_sharp", "duel", "impasse"), ("questworlds", "extended", "exchange"),
    ("danger_world", "check", "propose"), ("questworlds", "scored", "round"), ("questworlds", "extended", "bid"),
    ("questworlds", "chained", "round"), ("questworlds", "framed", "roll"),
]
LAID = ("roll", "strike", "exchange")  # with what was said before
STEPS = 14


def told(words: str) -> tuple[str, list[str]]:
    """The number that is asked about, and its parts, each as `what it comes to · what it is · where it comes from`."""
    said = SUMMARY.search(words)
    assert said, words
    pieces = (re.findall(">([^<>]+)<", item) for item in re.findall("<li.*?</li>", said[2], re.DOTALL))
    return said[1], [" · ".join(filter(None, map(str.strip, words))) for words in pieces]


def reached(laid: dict[str, Any], kind: str, action: str) -> tuple[Client, str, str]:
    """The contest at the moment at which the act is offered on its own page: who may take it, that page, the act."""
    contest = moments.begin(laid["address"], kind)
    _, clients = seated(laid)
    at = f"{laid['address']}contests/{contest}/"
    for _ in range(STEPS):
        for name in ("Bob", "Dana", "Alice"):
            for form in Page(clients[name].get(at)).forms:
                if form.action.startswith(f"{at}{action}/"):
                    return clients[name], at, form.action
        assert moments.step(laid["address"]), f"{kind} never came to {action}"
    raise AssertionError(f"{kind} never came to {action}")


def drawn(client: Client, at: str, url: str) -> tuple[Any, str]:
    """The act's form on that page, and what is drawn above its button."""
    answer = client.get(at)
    action, by = url.rstrip("/").split("/")[-2:]
    page = answer.content.decode()
    above = page.partition(f'id="why-{action}-{by}">')[2].partition("</form>")[0]
    return Page(answer).matching(action=url)[0], above


def asked(client: Client, form: Any, **chosen: Any) -> str:
    """What the page gets as its form is filled in so: the chances, and where they come from."""
    answer = client.post(f"{form.action}odds/", form.filled(**chosen), headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return str(answer.content.decode())


def lines(form: Any) -> dict[str, Any]:
    """The first of each list of lines that it has, two stats, and whom it is against."""
    first: dict[str, Any] = {}
    for name, control in form.controls.items():
        if name in ("qualities", "features", "fortes", "targets", "target", "stats") and control.offered:
            many = control.offered[:2 if name == "stats" else 1]
            first[name] = many[0] if name == "target" else many
    return first


@pytest.mark.parametrize(("system", "kind", "action"), TRAYS, ids=[f"{kind}-{action}" for _, kind, action in TRAYS])
def test_what_an_act_would_roll_says_why(system: str, kind: str, action: str) -> None:
    laid = moments.table(system, {"long": "all"} if system == "questworlds" else {})
    client, at, url = reached(laid, kind, action)
    form, above = drawn(client, at, url)
    if "Why" in above:
        assert re.search(r"\d", told(above)[0])
    chosen = lines(form)
    number, parts = told(asked(client, form, **chosen) if action not in LAID or chosen else above)
    assert re.search(r"\d", number)
    ids = [line for name in ("qualities", "features", "fortes", "stats") for line in chosen.get(name, [])]
    counted = [part for part in parts if "not counted" not in part]
    names = [trait.name for trait in traits(laid).filter(pk__in=ids)]
    assert all(any(name in part for part in counted) for name in names) and counted, (names, parts)


def traits(laid: dict[str, Any]) -> Any:
    """The lines of everybody’s sheets."""
    from characters.models import Trait

    return Trait.objects.filter(campaign=seated(laid)[0])


@pytest.mark.parametrize(("system", "kind", "action"), [
    ("pdq", "conflict", "attack"), ("pdq_sharp", "duel", "stance"), ("pnc", "fight", "initiative"),
    ("danger_world", "check", "propose")])
def test_what_could_count_is_ticked_from_there(system: str, kind: str, action: str) -> None:
    laid = moments.table(system)
    for player in ("Bob", "Dana") if system == "danger_world" else ():
        on_the_sheet(seated(laid)[0], of_player(seated(laid)[0], player), ("bonus", "Knows the alleys", 2))
    client, at, url = reached(laid, kind, action)
    form, _ = drawn(client, at, url)
    chosen = lines(form)
    before = asked(client, form, **chosen)
    (tick, *_) = re.findall(r'class="choice count-it" for="([^"]+)"', before)
    page = client.get(at).content.decode()
    named = re.search(rf'<input[^>]*name="(\w+)" value="([^"]+)"[^>]*id="{re.escape(tick)}"', page)
    assert named, tick
    after = asked(client, form, **{**chosen, named[1]: [*chosen.get(named[1], []), named[2]]})
    name = traits(laid).get(pk=named[2]).name
    assert any(name in part and "not counted" in part for part in told(before)[1])
    assert any(name in part and "not counted" not in part for part in told(after)[1]), told(after)


def test_qw_60_what_lasts_is_told_in_a_round_with_the_session_that_left_it() -> None:
    laid = moments.table("questworlds", {"long": "all"})
    for player in ("Bob", "Dana"):
        moments.hurt(laid["address"], player, "Broken wrist", 2)
    client, at, url = reached(laid, "scored", "round")
    _, parts = told(drawn(client, at, url)[1])
    (wrist,) = (part for part in parts if "Broken wrist" in part)
    assert wrist.startswith("−6 · ") and wrist.endswith("session 1, The lock gate, after dark")


def test_a_face_tells_nothing_of_what_it_is_rolled_against() -> None:
    """Whom players know by the face alone has no number in anybody’s reasons."""
    from characters.models import Character

    laid = moments.table("questworlds", {"long": "all"})
    campaign, _ = seated(laid)
    client, at, url = reached(laid, "scored", "round")
    assert "Against" in drawn(client, at, url)[1]
    Character.objects.filter(campaign=campaign, player=None).update(hidden=True, face=True)
    form, above = drawn(client, at, url)
    assert "Why" not in above and "Against" not in asked(client, form)


def test_an_act_that_rolls_nothing_puts_nothing_into_the_page() -> None:
    """Also one that is no longer offered: a page has no place for it."""
    laid = moments.table("pdq")
    client, _, url = reached(laid, "conflict", "attack")
    gone = url.replace("/attack/", "/defend/")
    for address, there in ((url, True), (gone, False)):
        answer = client.post(f"{address}odds/", {}, headers={"HX-Request": "true"})
        assert ('id="why-' in answer.content.decode()) is there
