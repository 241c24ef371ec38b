"""In a contest every number answers why, too: as its form opens and as it is filled in, in each game."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unittest import mock

import pytest
from django.test import Client

from rules.dice import Stream
from tests.browser import moments
from tests.effort import ALL
from tests.html_forms import Page
from tests.play.test_story_cards import seated
from tests.play.test_ways_back import of_player, on_the_sheet

pytestmark = pytest.mark.django_db
SUMMARY = re.compile(r"<summary>Why (.*?)\?</summary>(<ul class=\"sources\">.*?)</details>", re.DOTALL)
# The contest, and the act in which somebody says with what they roll.
TRAYS = [
    ("pdq", "conflict", "attack"), ("pdq_sharp", "duel", "stance"), ("pdq_sharp", "challenge", "roll"),
    ("pnc", "fight", "initiative"), ("pnc", "fight", "attack"), ("pnc", "fight", "defend"),
    ("pnc", "fight", "strike"), ("pdq_sharp", "duel", "impasse"), ("questworlds", "extended", "exchange"),
    ("danger_world", "check", "propose"), ("questworlds", "scored", "round"), ("questworlds", "extended", "bid"),
    ("questworlds", "chained", "round"), ("questworlds", "framed", "roll"),
]
# In the gate once in each game, and where something was said before.
TOLD = TRAYS if ALL else [("pdq", "conflict", "attack"), ("pdq_sharp", "duel", "stance"), ("pnc", "fight", "strike"),
                          ("questworlds", "chained", "round"), ("danger_world", "check", "propose")]
LAID = ("roll", "strike", "exchange")  # with what was said before
STEPS, TABLES = 14, 8
LOW = {"challenge": {"6": 1}}  # dice that fail
HARMFUL = {"challenge": {"harm": "wound"}}  # so that each +1 helps


def told(words: str) -> tuple[str, list[str]]:
    """The number that is asked about, and its parts, each as `what it comes to · what it is · where it comes from`."""
    said = SUMMARY.search(words)
    assert said, words
    pieces = (re.findall(">([^<>]+)<", item) for item in re.findall("<li.*?</li>", said[2], re.DOTALL))
    return said[1], [" · ".join(filter(None, map(str.strip, words))) for words in pieces]


def reached(laid: dict[str, Any], kind: str, action: str, faces: Mapping[str, int] | None = None
            ) -> tuple[Client, str, str]:
    """The contest at the moment at which the act is offered on its own page: who may take it, that page, the act."""
    contest = moments.begin(laid["address"], kind, **HARMFUL.get(kind, {}))
    _, clients = seated(laid)
    at = f"{laid['address']}contests/{contest}/"
    for _ in range(STEPS):
        for name in ("Bob", "Dana", "Alice"):
            for form in Page(clients[name].get(at)).forms:
                if form.action.startswith(f"{at}{action}/"):
                    return clients[name], at, form.action
        assert moments.step(laid["address"], faces=faces), f"{kind} never came to {action}"
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


@pytest.mark.parametrize(("system", "kind", "action"), TOLD, ids=[f"{kind}-{action}" for _, kind, action in TOLD])
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


def test_ps_16_an_impasse_as_it_lies_says_why() -> None:
    """Each forte that counts, both dice or all of them, and the roll of the other one."""
    for _ in range(TABLES):
        laid = moments.table("pdq_sharp")
        moments.begin(laid["address"], "duel")
        _, clients = seated(laid)
        for _ in range(STEPS):
            for name in ("Bob", "Dana"):
                moments.act(laid["address"], name, "impasse")
            for name, client in clients.items():
                for form in Page(client.get(f"{laid['address']}contests/{_contest(laid)}/")).forms:
                    if "/impasse_stand/" in form.action and name != "Alice":
                        above = drawn(client, f"{laid['address']}contests/{_contest(laid)}/", form.action)[1]
                        number, parts = told(above)
                        assert number.isdigit() and any("The dice: " in part for part in parts), parts
                        assert any("as it lies" in part and "Against " in part for part in parts), parts
                        return
            if not moments.step(laid["address"]):
                break
    raise AssertionError("no impasse was left to decide")


def _contest(laid: dict[str, Any]) -> str:
    from play.models import Contest

    return str(Contest.objects.filter(campaign=seated(laid)[0], kind__endswith="duel").values_list("pk", flat=True)[0])


def lying(system: str, kind: str) -> tuple[dict[str, Any], Client, str, str]:
    """A contest in which dice lie on which somebody decides; tables are laid until one falls so."""
    for _ in range(TABLES):
        laid = moments.table(system, {"long": "all"} if system == "questworlds" else {})
        try:
            return (laid, *reached(laid, kind, "stand", LOW.get(kind)))
        except AssertionError:
            continue
    raise AssertionError(f"nothing is left to decide in {kind}")


@pytest.mark.parametrize(("system", "kind"), [
    ("pdq_sharp", "challenge"), ("pdq_sharp", "flashy"), ("questworlds", "framed"), ("questworlds", "scored"),
    ("questworlds", "extended"), ("questworlds", "chained")])
def test_what_dice_come_to_says_why_while_somebody_may_add_to_it(system: str, kind: str) -> None:
    """The dice, what counted before they fell, what it is against, and what could be added and is not."""
    _, client, at, url = lying(system, kind)
    _, above = drawn(client, at, url)
    number, parts = told(above)
    page = client.get(at).content.decode()
    assert f"Let it stand: {number}" in page or f"failure, {number} against" in page or number in page
    counted, idle = ([part for part in parts if ("not counted" in part) is left] for left in (False, True))
    assert any(part for part in counted if "Against" in part), counted
    assert any("die" in part or "dice" in part for part in counted), counted
    assert any("tyle di" in part or "technique" in part or "A story point" in part or "a die, or +1" in part
               for part in idle), idle


def test_ps_17_what_was_added_after_the_dice_is_a_part_of_what_they_come_to() -> None:
    laid, client, at, _ = lying("pdq_sharp", "challenge")
    moments.fill(laid["address"], "style_dice", 3)
    form, flat = next((form, button) for form in Page(client.get(at)).forms if "/add/" in form.action
                      for button in form.buttons if button.attributes.get("value", "").endswith("|flat"))
    assert form.send(client, flat).status_code == 302
    above = client.get(at).content.decode().partition('id="why-stand-')[2]
    assert any(part.startswith("+1 · Added after the dice") for part in told(above)[1])


def of_each_side(parts: list[str]) -> dict[str, tuple[int, int]]:
    """What each side of somebody’s dice in a duel comes to, and how much of that is added; both are told right."""
    sides = {}
    for part in parts:
        if said := re.fullmatch(r"(−?\d+) · (.+) · (.+), ([+−]\d+) added", part):
            total, adds = as_a_number(said[1]), as_a_number(said[4])
            assert total == adds + sum(int(face) for face in re.findall(r"\d", said[3])), part
            sides[said[2]] = total, adds
    return sides


def test_ps_23_dice_of_a_duel_say_why_while_somebody_may_add_to_them() -> None:
    """Each attack with what it gives or takes, both sides, the fortes in them, and what was added after the dice."""
    laid, client, at, url = lying("pdq_sharp", "duel")
    moments.fill(laid["address"], "style_dice", 3)
    number, parts = told(drawn(client, at, url)[1])
    ranks = {word: sum(int(many) for part in parts for many in re.findall(rf"(\d+) {word}", part))
             for word in ("given", "taken")}
    assert number == f"{ranks['given']} given, {ranks['taken']} taken", parts
    assert any(re.search(r"\d against .* \d", part) for part in parts)
    fortes = sum(as_a_number(part.split(" · ")[0]) for part in parts if part.endswith(" · on the sheet"))
    before = of_each_side(parts)
    assert fortes and {adds for _, adds in before.values()} == {fortes}, parts
    assert any(part.startswith("a die, or +1 · A style die · not counted") for part in parts)
    (adding,) = Page(client.get(at)).matching(action=url.replace("/stand/", "/add/"))
    assert adding.send(client, use_style="flat|defence").status_code == 302
    after = client.get(at).content.decode().partition('id="why-stand-')[2]
    if after:  # else nothing is left that betters it
        _, parts = told(after)
        assert "+1 · A style die · on the defence" in parts
        assert of_each_side(parts)["Defence"] == tuple(number + 1 for number in before["Defence"])


def as_a_number(words: str) -> int:
    return int(words.replace("−", "-"))


@pytest.mark.parametrize(("kind", "action"), [
    ("fight", "mulligan"), ("fight", "wound"), ("opposed", "stand"), ("roll", "stand")])
def test_pn_09_what_dice_came_to_says_why_while_they_may_fall_again(kind: str, action: str) -> None:
    """The d20, the three dice that count of the others, and what made those so many: a wound binds."""
    for _ in range(TABLES):
        laid = moments.table("pnc")
        campaign, clients = seated(laid)
        for player in ("Bob", "Dana"):
            on_the_sheet(campaign, of_player(campaign, player), ("wound", "A cut hand", -2))
        try:
            _, at, url = reached(laid, kind, action)
            break
        except AssertionError:
            continue
    else:
        raise AssertionError(f"{action} was never offered in {kind}")
    _says_what_dice_came_to(clients, at, {url})
    for shown in (at, laid["address"]) if kind == "fight" else ():
        again = mulligans(clients, shown)
        assert again
        _says_what_dice_came_to(clients, shown, again)


def mulligans(clients: dict[str, Client], at: str) -> set[str]:
    """Where a part of it falls again, for each player who may."""
    return {form.action for name in ("Bob", "Dana") for form in Page(clients[name].get(at)).forms
            if "/mulligan/" in form.action}


def _says_what_dice_came_to(clients: dict[str, Client], at: str, urls: set[str]) -> None:
    for url in urls:
        client = next(clients[name] for name in ("Bob", "Dana", "Alice")
                      if Page(clients[name].get(at)).matching(action=url))
        _, above = drawn(client, at, url)
        number, (d20, d6, *factors) = told(above)
        assert as_a_number(number) == as_a_number(d20.split(" · ")[0]) + as_a_number(d6.split(" · ")[0])
        assert "’s d20" in d20 and re.search(r"’s \dd6: \d, \d and \d · the (high|low)est three count", d6), d6
        assert any("A cut hand" in part and re.search("1 (penalty|bonus) die", part) for part in factors), factors


@pytest.mark.parametrize(("typed", "number", "how"), [
    ("", "14", "the base"), ("high", "20", "high, the base +6"), ("17", "17", "on the GM’s word")])
def test_qw_03_a_resistance_that_the_gm_types_says_how_it_came(typed: str, number: str, how: str) -> None:
    laid = moments.table("questworlds", {"long": "all"})
    client, at, url = reached(laid, "framed", "oppose")
    form, _ = drawn(client, at, url)
    assert told(asked(client, form, resistance=typed))[0] == number
    (against, *_) = told(asked(client, form, resistance=typed))[1]
    assert against.startswith(f"{number} · ") and against.endswith(how)


def test_pn_06_a_graze_says_why_before_it_is_put_into_words() -> None:
    """A graze leaves no mark of itself, so the field for its words is blank."""
    laid = moments.table("pnc")
    client, at, url = reached(laid, "fight", "wound", {"20": 13, "6": 4})
    form, above = drawn(client, at, url)
    assert form.as_it_opens("")["words"] == "" and told(above)[0] == "+1"


def test_pn_10_a_wound_that_was_left_out_of_an_attack_is_told_once_its_dice_lie_there() -> None:
    """What the hit does is none of them."""
    from characters.models import Character

    laid = moments.table("pnc")
    campaign, _ = seated(laid)
    for who in Character.objects.filter(campaign=campaign):
        on_the_sheet(campaign, who, ("wound", "A cut hand", -2))
    client, at, url = reached(laid, "fight", "attack")
    name = Character.objects.get(pk=url.rstrip("/").split("/")[-1]).name
    (form,) = Page(client.get(at)).matching(action=url)
    assert form.send(client, features=[]).status_code == 302
    assert "Not counted: " not in client.get(at).content.decode()
    for _ in range(STEPS):
        if wound := Page(client.get(at)).matching(action=url.replace("/attack/", "/wound/")):
            break
        assert moments.step(laid["address"], faces={"20": 19, "6": 4})
    _, above = drawn(client, at, wound[0].action)
    idle = [part for part in told(above)[1] if "not counted" in part]
    assert len(idle) == 1 and re.match(rf"−1 · A cut hand · not counted: {name}’s wound, \w+", idle[0]), idle
    assert f"Not counted: A cut hand ({name})</p>" in client.get(at).content.decode()


def test_pn_10_a_wound_that_was_left_out_of_a_roll_is_told_while_it_may_fall_again() -> None:
    laid = moments.table("pnc")
    campaign, _ = seated(laid)
    for player in ("Bob", "Dana"):
        on_the_sheet(campaign, of_player(campaign, player), ("wound", "A cut hand", -2))
    client, at, url = reached(laid, "roll", "roll")
    (form,) = Page(client.get(at)).matching(action=url)
    with mock.patch.object(Stream, "roll", lambda dice, sides: [2 for _ in sides]):
        assert form.send(client, features=[]).status_code == 302
    _, above = drawn(client, at, url.replace("/roll/", "/stand/"))
    assert [part for part in told(above)[1] if part.startswith("−1 · A cut hand · not counted: a wound, hard")]


def test_ps_17_what_npcs_give_and_take_together_says_why() -> None:
    for _ in range(TABLES):
        laid = moments.table("pdq_sharp")
        try:
            client, at, url = reached(laid, "duel", "stand_npcs")
            break
        except AssertionError:
            continue
    number, parts = told(drawn(client, at, url)[1])
    ranks = [sum(int(many) for part in parts for many in re.findall(rf"(\d+) {word}", part))
             for word in ("given", "taken")]
    assert number == "{} given, {} taken".format(*ranks) and any(ranks), parts
    assert all(re.search(r"\d against .* \d", part) for part in parts), parts


def test_qw_03_what_a_roll_is_against_says_how_it_came() -> None:
    laid = moments.table("questworlds", {"long": "all"})
    client, at, url = reached(laid, "framed", "roll")
    _, parts = told(drawn(client, at, url)[1])
    assert "14 · Against The resistance · the base" in parts


def test_what_is_asked_of_a_gm_comes_before_what_may_be_struck() -> None:
    """None of that is marked as usual. Where the dice are beyond a difference nothing can be struck."""
    for _ in range(TABLES):
        laid = moments.table("questworlds", {"long": "all"})
        _, at, _ = reached(laid, "framed", "roll")
        while "close" not in [action for _, action, _ in moments.waiting(laid["address"])]:
            assert moments.step(laid["address"])
        asked_first, strikes, struck = seated(laid)[1]["Alice"].get(at).content.decode().partition(
            'id="offer-dismiss-gm"')
        if strikes:
            assert 'id="offer-close-gm"' in asked_first
            assert 'class="chip-button quiet"' in struck and 'class="chip-button"' not in struck
            return
    raise AssertionError("nothing could be struck")
