"""The matrix: each cell is the fraction that the contract answers; a change moves its row; players see none of it."""
from __future__ import annotations

import html
import json
import re
import uuid
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from campaigns.access import Viewer
from campaigns.models import Entry, View
from campaigns.services import undoing
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play import matrix
from play.contexts.matrix import matrix_row
from play.models import AskedRoll, MatrixFit, MatrixLimits, PrepItem
from play.services import bank, library, obstacles, pending_modifiers, sessions
from play.views.matrix import look_of
from rules import contract, prep, quick_lines
from rules.approaches import NOTHING, Approach, best, chance_of
from rules.registry import SYSTEMS
from rules.registry import kind_of as move_of
from rules.sheet import Sheet, Trait
from rules.wording import percent
from tests import laid
from tests.games import STOCKED
from tests.html_forms import Page
from tests.play.conftest import body, character, trait

pytestmark = pytest.mark.django_db


def at(campaign: Any, more: str = "") -> str:
    return f"/c/{campaign.slug}/prepare/matrix/{more}"


def whole(client: Client, campaign: Any) -> str:
    """The matrix as a browser has it: the first rows, and those that it fetches when they are there."""
    page = client.get(at(campaign)).content.decode()
    following = re.search(r'hx-get="([^"]+)" hx-trigger="load, click"', page)
    more = client.get(html.unescape(following[1]), headers={"HX-Request": "true"}) if following else None
    assert more is None or "<html" not in more.content.decode()
    return page + (more.content.decode() if more else "")


def party(campaign: Any, count: int = 2) -> list[Any]:
    """So many player characters, made of the game's own NPC starters."""
    rules, owner = campaign.rules, campaign.members.get(role="owner")
    lines = [starter for starter in rules.starters if starter.kind == "npc"]
    made = []
    for number in range(count):
        said = quick_lines.read(lines[number % len(lines)].line, rules, "npc")
        _, drafts = rules.sheet.from_line(said.line)
        made.append(character(
            campaign, owner, f"Hero {number}",
            [(draft.kind, draft.name, draft.value) for draft in drafts if not draft.within], player=owner))
    return made


def stocked(alice: Any, slug: str) -> Any:
    """A campaign with all of the game's starters, and a party."""
    campaign = found(user=alice, op_id=uuid.uuid4(), name=f"Matrix of {slug}", system=slug)
    lines = [quick_lines.read(starter.line, campaign.rules, starter.kind) for starter in campaign.rules.starters]
    library.add(campaign=campaign, actor=campaign.members.get(), op_id=uuid.uuid4(), lines=lines)
    campaign.refresh_from_db()
    party(campaign)
    return campaign


@pytest.mark.parametrize("slug", STOCKED)
def test_each_cell_is_the_fraction_that_the_contract_answers(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = stocked(alice, slug)
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    rows, _ = matrix.prepared(viewer)
    assert len(rows) >= 4
    people = matrix.people(viewer)
    fits = matrix.known_fits(viewer, people)
    page = whole(as_alice, campaign)
    shown = []
    for row in rows:
        assert escape(row.obstacle.name) in page
        for person in people:
            chosen = matrix.way_of(viewer, fits, person, row)
            assert chosen is not None, row.obstacle
            way = chosen.best.way
            answer = json.loads(json.dumps(contract.odds({"move": way.move, "given": dict(way.given), "of": way.of})))
            chance = sum(Fraction(answer["odds"].get(contract.key_of(win), 0)) for win in way.wins)
            assert chosen.best.chance == chance
            assert bool(way.uses) == (slug == "danger_world" or chosen.fits), "of those who fit, by a tag"
            shown.append(percent(chance))
    assert re.findall(r'<span class="percent">([^<]*)</span>', page) == shown
    assert "No chance is known" not in page and ("▲ hard" not in page or slug == "pdq_sharp")
    assert slug != "questworlds" or "17, raised" in page


def test_wounds_count_and_lower_the_best(alice: Any) -> None:
    campaign = stocked(alice, "pdq")
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    hero = matrix.people(viewer)[0]
    values = {"difficulty": "good"}
    before = matrix.best_way(campaign, hero.sheet, values)
    hero.character.traits.update(damage=2)
    after = matrix.best_way(campaign, matrix.people(viewer)[0].sheet, values)
    assert before and after and before.chance == Fraction(7, 12) > after.chance


def test_what_waits_for_the_next_roll_counts_and_the_roll_that_is_asked_for_has_the_same_chance(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, doors: PrepItem, ilse: Any
) -> None:
    def shown() -> str:
        return re.sub(r"<[^>]*>", "", as_alice.get(at(campaign)).content.decode())

    say(as_alice, campaign, doors, ilse, "Maps")
    before = shown()
    assert "83.3" in before and "the leap over the well" not in before
    pending_modifiers.give(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, kind="badass",
                           reason="the leap over the well")
    assert "97.2" in shown() and "Maps, with 1 upshift for “the leap over the well”" in shown()
    bank.see(campaign=campaign, actor=alices, op_id=uuid.uuid4(), prepared_id=doors.pk, view=View.ALL)
    as_alice.post(at(campaign, "ask/"), body(cell=f"{ilse.pk}:{doors.pk}:0"))
    asked = AskedRoll.objects.get()
    tray = as_bob.get(f"/c/{campaign.slug}/?asked={asked.pk}").content.decode()
    assert "97.2" in tray and "83.3" not in tray


def test_ps_04_one_idiom_counts_with_the_forte_that_it_goes_with() -> None:
    rules = SYSTEMS["pdq_sharp"]
    fencing, sailing = Trait("1", "forte", "Fencing", 2), Trait("2", "forte", "Sailing", 2)
    flashy = Trait("3", "technique", "Flashy", 1, parent="1")
    grim, saber = Trait("4", "technique", "Grim", 1, parent="1"), Trait("5", "technique", "Saber", 5)

    def ways(*lines: Trait) -> dict[str, Approach]:
        molly, settings = Sheet("0", "Molly", lines), rules.read_settings({})
        approaches = rules.rolls.approaches(molly, {"difficulty": "expert"}, settings)
        return {approach.label: approach for approach in approaches}

    alone, both = ways(fencing, sailing, saber), ways(fencing, sailing, saber, flashy, grim)
    assert set(alone) == {"Fencing", "Sailing", NOTHING} == set(both), "a technique alone is no way"
    assert alone["Fencing"].given["bonus_dice"] == 0 and both["Sailing"].given == alone["Sailing"].given
    assert both["Fencing"].given["bonus_dice"] == 1 and both["Fencing"].lines == ("Fencing", "Flashy")
    assert best(both.values(), move_of) and chance_of(both["Fencing"], move_of) > chance_of(alone["Fencing"], move_of)


def test_qw_60_what_lasts_counts_where_it_touches_the_ability() -> None:
    rules = SYSTEMS["questworlds"]
    rope = Trait("1", "ability", "Rope", 17)
    hurt = Trait("2", "consequence", "Burned hand", 1, note="rope. From: The fire")

    def chance(*lines: Trait) -> Fraction:
        ways = rules.rolls.approaches(Sheet("0", "Sefa", lines), {"resistance": "14"}, rules.read_settings({}))
        best_way = best(ways, move_of)
        assert best_way is not None and best_way.way.label == "Rope"
        return best_way.chance

    assert chance(rope) > chance(rope, hurt)
    assert chance(rope) == chance(rope, replace(hurt, note="singing. From: The fire"))


@laid.fixture
def doors(campaign: Any, alices: Any, scene: Any) -> PrepItem:
    """A prepared door, with a scene that is on: Ilse is Bob's."""
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="A locked door",
               fields={"difficulty": "good"})
    campaign.refresh_from_db()
    return PrepItem.objects.get()


def test_changing_how_hard_it_is_moves_the_row_and_one_entry_keeps_it(
    as_alice: Client, campaign: Any, doors: PrepItem
) -> None:
    row = at(campaign, f"{doors.pk}/0/")
    assert "good 9" in as_alice.get(at(campaign)).content.decode()
    looked = as_alice.get(row, {"look": "1", "difficulty": "number", "difficulty_number": "15"},
                          headers={"HX-Request": "true"})
    shown = looked.content.decode()
    assert "<del>good 9</del>" in shown and "15" in shown and "<html" not in shown
    assert bank.spec_of(PrepItem.objects.get()) == {"difficulty": "good"}
    before = Entry.objects.count()
    assert as_alice.post(row, body(difficulty="number", difficulty_number="15")).status_code == 302
    assert bank.spec_of(PrepItem.objects.get())["difficulty"] == 15 and Entry.objects.count() == before + 1
    refused = as_alice.post(row, body(difficulty="number", difficulty_number="1500"))
    assert refused.status_code == 422 and "1500" in refused.content.decode()


def test_a_chance_is_shown_without_a_script_and_nothing_is_kept(
    as_alice: Client, campaign: Any, doors: PrepItem
) -> None:
    address = at(campaign, f"{doors.pk}/0/")
    form = Page(as_alice.get(address)).form(button="Show the chance")
    show = next(button for button in form.buttons if button.words == "Show the chance")
    before = Entry.objects.count()
    shown = form.send(as_alice, show, difficulty="number", difficulty_number="15")
    assert "<del>good 9</del>" in shown.content.decode() and Entry.objects.count() == before
    assert Page(shown).form(button="Show the chance").send(as_alice).status_code == 302
    assert bank.spec_of(PrepItem.objects.get())["difficulty"] == 15


def test_easy_and_hard_are_said_in_words_and_the_limits_are_a_setting(
    as_alice: Client, as_bob: Client, campaign: Any, doors: PrepItem, ilse: Any
) -> None:
    assert "▽ easy" not in as_alice.get(at(campaign)).content.decode(), "nobody said what fits"
    say(as_alice, campaign, doors, ilse, "Maps")
    page = as_alice.get(at(campaign, "?counts=1")).content.decode()
    assert "▽ easy" in page and "▽ Easy 1<" in page and "▲ Hard 0<" in page and "Nothing fits 2<" in page
    assert "▽ Easy 1<" in as_alice.get(at(campaign, "counts/")).content.decode()
    assert doors.name in as_alice.get(at(campaign, "?tone=easy")).content.decode()
    none = as_alice.get(at(campaign, "?tone=hard&who=x")).content.decode()
    assert doors.name not in none and "No matching rows" in none and "?tone=easy&amp;who=x" in none
    assert as_alice.post(at(campaign), body(easy="99", hard="98")).status_code == 302
    assert "▲ hard" in as_alice.get(at(campaign)).content.decode()
    assert as_alice.post(at(campaign), body(easy="10", hard="20")).status_code == 422
    assert MatrixLimits.objects.get().easy == 99
    assert as_bob.get(at(campaign)).status_code == 404


@pytest.mark.parametrize(("view", "what"), [
    (View.NOTHING, "Something unknown"), (View.FACE, "A locked door"), (View.ALL, "A locked door")])
def test_a_cell_asks_its_player_for_the_roll_and_says_what_players_know(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, doors: PrepItem, ilse: Any, view: View, what: str
) -> None:
    if view is not View.NOTHING:
        bank.see(campaign=campaign, actor=alices, op_id=uuid.uuid4(), prepared_id=doors.pk, view=view)
    say(as_alice, campaign, doors, ilse, "Maps")
    opened = Page(as_alice.get(cell_of(campaign, doors, ilse)))
    assert opened.form(button="Ask Bob for this roll").send(as_alice).status_code == 302
    asked = AskedRoll.objects.get()
    assert (asked.character_id, asked.what) == (ilse.pk, what) and "Maps" in asked.lines
    for address in ("", "feed/", "ledger/", "search/?q=locked", "ledger/export/"):
        page = as_bob.get(f"/c/{campaign.slug}/{address}")
        page = (b"".join(page.streaming_content) if page.streaming else page.content).decode()
        assert view is not View.NOTHING or "A locked door" not in page, address
        assert view is View.ALL or "good 9" not in page, address
    for wrong in ("", "a:b:c", f"{ilse.pk}:{uuid.uuid4()}:0", f"{ilse.pk}:{doors.pk}:9"):
        refused = as_alice.post(at(campaign, "ask/"), body(cell=wrong))
        assert refused.status_code == 422
        assert f'href="{at(campaign)}?tone=easy"' in refused.content.decode(), "its links lead back to the matrix"


@pytest.mark.parametrize("slug", STOCKED)
def test_a_step_harder_is_tried_by_a_link_and_lowers_every_chance(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = stocked(alice, slug)
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    hero, fields = matrix.people(viewer)[0].sheet, campaign.rules.rolls.obstacle
    for row in [row for row in matrix.prepared(viewer)[0] if row.item]:
        held = row.obstacle.values
        shifted = {steps: prep.harder(fields, held, steps) for steps in (-1, 1)}
        assert any(shifted.values())
        for steps, moved in shifted.items():
            was, now = (matrix.best_way(campaign, hero, values) for values in (held, moved[1] if moved else held))
            assert was and now and (moved is None or (now.chance - was.chance) * steps < 0 or now.chance in (0, 1))
    url = matrix_row(look_of(viewer), row).steps[-1].url
    page = whole(as_alice, campaign)
    assert escape(url) in page
    tried = as_alice.get(url).content.decode()
    assert "<html" in tried and "<del>" in tried and ">Save the difficulty<" in tried


@pytest.mark.parametrize("slug", ["questworlds", "pnc", "danger_world"])
def test_thirty_by_six_is_quick_and_costs_no_query_more(
    as_alice: Client, alice: Any, slug: str, django_assert_max_num_queries: Any
) -> None:
    campaign = stocked(alice, slug)
    party(campaign, 4)
    item = PrepItem.objects.filter(type="challenge").first()
    assert item is not None
    PrepItem.objects.bulk_create(
        PrepItem(campaign=campaign, type="challenge", name=f"Again {n:02}", spec=item.spec) for n in range(30))
    first = as_alice.get(at(campaign)).content.decode()
    assert 48 <= first.count('<td class="cell') < 100, "the first row does not wait for all the others"
    with django_assert_max_num_queries(48):
        page = whole(as_alice, campaign)
    assert page.count('<td class="cell') >= 180
    rows = re.findall(r'<tbody id="(row-[^"]+)"', page)
    assert len(rows) == len({*rows}), "none comes twice"


def cell_of(campaign: Any, doors: PrepItem, who: Any) -> str:
    return at(campaign, f"{doors.pk}/0/{who.pk}/")


def say(client: Client, campaign: Any, doors: PrepItem, who: Any, line: str = "", **more: str) -> Any:
    """Says by the page what a character goes about a row with; no line: nothing fits."""
    form = Page(client.get(cell_of(campaign, doors, who))).form(button="Save what fits")
    answer = form.send(client, fits=str(trait(who, line).pk) if line else "nothing", **more)
    assert answer.status_code == 302
    return answer


def words_of(client: Client, campaign: Any, who: Any, doors: PrepItem) -> str:
    """What a cell of the page says."""
    page = client.get(at(campaign)).content.decode()
    cell = next(cell for cell in page.split("<td ")[1:] if f'{doors.pk}/0/{who.pk}/"' in cell)
    return " ".join(re.sub(r"<[^>]*>", " ", cell.partition(">")[2].partition("</td>")[0]).split())


def test_what_fits_is_said_once_for_a_row_or_a_tag_and_is_kept(
    as_alice: Client, campaign: Any, alices: Any, doors: PrepItem, ilse: Any, marrow: Any
) -> None:
    bank.write(campaign=campaign, actor=alices, op_id=uuid.uuid4(), type="resistance", name="The drowned cellar",
               fields={"difficulty": "good"})
    cellar = PrepItem.objects.get(name="The drowned cellar")
    for thing, name in ((doors, "maps"), (cellar, "cellar")):
        library.tag(campaign=campaign, actor=alices, op_id=uuid.uuid4(), thing_id=thing.pk, tags=[name])
    assert "Maps" in words_of(as_alice, campaign, ilse, doors), "a line is called as the tag is"
    assert "no quality fits" in words_of(as_alice, campaign, ilse, cellar)
    say(as_alice, campaign, doors, ilse)
    assert words_of(as_alice, campaign, ilse, doors).endswith("no quality fits ✓"), "nothing is an answer too"
    say(as_alice, campaign, cellar, ilse, "Knife", tag="cellar")
    plain = words_of(as_alice, campaign, ilse, cellar)
    assert "Knife" in plain
    say(as_alice, campaign, cellar, ilse, "Knife", stretch="1")
    stretched = words_of(as_alice, campaign, ilse, cellar)
    assert "a stretch" in stretched and float(stretched.split("%")[0]) < float(plain.split("%")[0])
    form = Page(as_alice.get(cell_of(campaign, doors, ilse))).form(button="Go by tag and use again")
    assert form.send(as_alice, form.buttons[1]).status_code == 302
    assert "Maps" in words_of(as_alice, campaign, ilse, doors), "and is taken back"
    assert [*differences(campaign.pk)] == []
    form = Page(as_alice.get(cell_of(campaign, doors, ilse))).form(button="Save what fits")
    trait(ilse, "Maps").delete()
    assert form.send(as_alice).status_code == 422


@pytest.mark.parametrize("slug", STOCKED)
def test_what_was_really_used_fits_from_then_on(as_alice: Client, alice: Any, slug: str) -> None:
    campaign = stocked(alice, slug)
    owner = campaign.members.get(role="owner")
    viewer = Viewer(campaign, owner)
    hero = matrix.people(viewer)[0].character
    row = next(row for row in matrix.prepared(viewer)[0] if row.item)
    sessions.open_session(campaign=campaign, actor=owner, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=owner, op_id=uuid.uuid4(), title="Here", characters=[hero.pk])
    obstacles.put(campaign=campaign, actor=owner, op_id=uuid.uuid4(), name=row.obstacle.name,
                  values=row.obstacle.values)
    assert row.item
    used = roll_with_the_first_line(as_alice, campaign, hero)
    cell = words_of(as_alice, campaign, hero, row.item)
    assert used and "↺" in cell and all(name in cell for name in used), cell
    seq = Entry.objects.filter(campaign=campaign).latest("seq").seq
    undoing.undo(campaign=campaign, actor=owner, op_id=uuid.uuid4(), seq=seq)
    assert "↺" not in words_of(as_alice, campaign, hero, row.item), "what was undone was not used"


def roll_with_the_first_line(client: Client, campaign: Any, hero: Any) -> list[str]:
    """Rolls from the tray against what is in the way, with the first line (or two) on the page; their names."""
    form = Page(client.get(f"/c/{campaign.slug}/?character={hero.pk}")).form(action="/roll/")
    field = next(name for name in ("ability", "fortes", "features", "stats", "traits") if name in form.controls)
    lines = [line for line in form.controls[field].offered if line][:2 if field == "stats" else 1]
    answer = form.send(client, **{field: lines})
    assert answer.status_code in (200, 302), Page(answer).errors
    return [line.name for line in hero.traits.filter(pk__in=lines)]


def test_every_character_and_each_line_of_an_npc_is_there(as_alice: Client, alice: Any) -> None:
    campaign = stocked(alice, "questworlds")
    party(campaign, 12)
    page, there = "", at(campaign)
    while there:
        shown = as_alice.get(there).content.decode()
        assert shown.count('<th scope="col"') == 1 + 14, "two before, and twelve"
        older = re.search(r'href="([^"]+)" rel="next"', shown)
        page, there = page + shown, html.unescape(older[1]) if older else ""
    viewer = Viewer(campaign, campaign.members.get(role="owner"))
    npcs = [row for row in matrix.prepared(viewer)[0] if row.whose]
    assert npcs and all(row.obstacle.name in html.unescape(page) for row in npcs)


def test_five_hundred_cells_are_what_manage_py_odds_answers(as_alice: Client, alice: Any) -> None:
    checked = 0
    for slug in STOCKED:
        campaign = stocked(alice, slug)
        party(campaign, 6)
        viewer = Viewer(campaign, campaign.members.get(role="owner"))
        people, rows = matrix.people(viewer), matrix.prepared(viewer)[0]
        fits = matrix.known_fits(viewer, people)
        answers: dict[str, Fraction] = {}
        for number, (row, person) in enumerate((row, person) for row in rows for person in people):
            ways = [way for way in campaign.rules.rolls.approaches(
                person.sheet, row.obstacle.values, campaign.settings) if way.uses]
            if number % 3 and ways:
                lines = " ".join(ways[number % len(ways)].uses)
                said = MatrixFit(character_id=person.id, thing_id=row.thing, place=row.place, lines=lines)
                fits = replace(fits, said={**fits.said, (person.id, row.thing, row.place, ""): said})
            chosen = matrix.way_of(viewer, fits, person, row)
            assert chosen is not None
            way = chosen.best.way
            asked = json.dumps({"move": way.move, "given": dict(way.given), "of": way.of})
            if asked not in answers:
                odds = contract.odds(json.loads(asked))["odds"]
                answers[asked] = sum((Fraction(odds.get(contract.key_of(win), 0)) for win in way.wins), Fraction(0))
            assert chosen.best.chance == answers[asked], (slug, row.obstacle, way)
            checked += 1
    assert checked >= 500
