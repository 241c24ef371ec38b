"""What the evenings taught, on a page, and how one comes there (QW-80)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.services.undoing import undo
from campaigns.trail.draft import Draft
from characters.models import Character
from characters.services.pools import award
from play.models import Contest, ContestEvent, Session
from play.services import contests, sessions
from play.services.position import procedure_of
from rules.codec import canonical
from rules.systems.questworlds.simple_contest.resolution import TookLesson
from tests import laid
from tests.conftest import join, logged_in, person
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign, of a game whose contests teach and make facts."""
    return found(user=alice, op_id=uuid.uuid4(), name="Salt and Iron", system="questworlds")


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    lines = [("keyword", "Mapmaker", 17), ("ability", "Knife", 13)]
    flaws = [("flaw", name, 17) for name in ("In debt", "Proud", "Afraid of Water", "Loud", "Late", "Lost")]
    return character(campaign, bobs, "Ilse", [*lines, *flaws], player=bobs)


@laid.fixture
def tam(campaign: Any, alices: Any) -> Character:
    """Nobody's yet, so that Alice runs him."""
    return character(campaign, alices, "Tam", [("ability", "Songs", 14), ("flaw", "Sleepy", 14)], player=alices)


def evening(campaign: Any, alices: Any, *here: Character) -> None:
    """Alice opens a session, and a scene in it."""
    mine = {"campaign": campaign, "actor": alices}
    sessions.open_session(**mine, op_id=uuid.uuid4())
    sessions.open_scene(**mine, op_id=uuid.uuid4(), title="The quay", characters=[character.pk for character in here])
    campaign.refresh_from_db()


@laid.fixture
def scene(campaign: Any, alices: Any, ilse: Character, tam: Character) -> Any:
    evening(campaign, alices, ilse, tam)
    return campaign.scene_id


def end(campaign: Any, alices: Any) -> None:
    """The scene is over, and the session."""
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="scene.close", title="Over") as entry:
        entry.change(entry.campaign, scene_id=None)
    sessions.close_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    campaign.refresh_from_db()


def framed(client: Client, campaign: Any, who: Character, ability: str, title: str = "Past the guard") -> Contest:
    """A contest that is framed and waits for what counts."""
    at = f"/c/{campaign.slug}/contests"
    before = set(Contest.objects.values_list("pk", flat=True))
    assert client.post(f"{at}/start/framed/", body(title=title, who=str(who.pk))).status_code == 302
    contest = Contest.objects.exclude(pk__in=before).get()
    line = str(who.traits.get(name=ability).pk)
    assert client.post(f"{at}/{contest.pk}/choose/{who.pk}/", body(tactic="Boldly", ability=line)).status_code == 302
    assert client.post(f"{at}/{contest.pk}/oppose/gm/", body(name="The guard", resistance="")).status_code == 302
    return contest


def compel(client: Client, contest: Contest, who: Character, flaw: str) -> Entry:
    """The GM lets a flaw have its way, which ends the contest; answers the entry."""
    line = str(who.traits.get(name=flaw).pk)
    answer = client.post(f"/c/{contest.campaign.slug}/contests/{contest.pk}/compel/gm/", body(trait=line))
    assert answer.status_code == 302, answer.content.decode()
    return Entry.objects.order_by("-seq").exclude(kind__startswith="dice.")[0]


def text(client: Client, campaign: Any, page: str = "experience/") -> str:
    """What a page says, without its marks."""
    answer = client.get(f"/c/{campaign.slug}/{page}")
    assert answer.status_code == 200, answer.content.decode()
    main = answer.content.decode().split("<main")[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def source(client: Client, campaign: Any, page: str = "experience/") -> str:
    return client.get(f"/c/{campaign.slug}/{page}").content.decode()


def test_qw_80_each_lesson_is_listed_with_its_contest_its_entry_and_its_reason(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, scene: Any, ilse: Character
) -> None:
    both = [framed(as_alice, campaign, ilse, "Knife") for _ in range(2)]
    first, second = (compel(as_alice, contest, ilse, "In debt") for contest in both)
    page, html = text(as_bob, campaign), source(as_bob, campaign)
    assert "Ilse This session 1 of 5" in page
    assert "In debt : it had its way 1 point" in page
    assert "has earned its point in this session. no point" in page
    assert f"/contests/{both[0].pk}/" in html and f"/ledger/{first.seq}/" in html
    assert f"/ledger/{second.seq}/" in html and "Past the guard" in page
    observer = logged_in(join(campaign, person("Otto"), "observer").user)
    assert text(observer, campaign) == page
    assert as_charlie.get(f"/c/{campaign.slug}/experience/").status_code == 404


def test_qw_80_a_defeat_names_the_ability_as_the_sheet_does(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Draft, "roll", lambda self, sides, client_seed: [20, 1][: len(sides)])
    contest = framed(as_alice, campaign, ilse, "Mapmaker")
    for action, by in (("set", "gm"), ("roll", ilse.pk), ("stand", ilse.pk)):
        as_alice.post(f"/c/{campaign.slug}/contests/{contest.pk}/{action}/{by}/", body())
    assert "Mapmaker : a defeat 1 point" in text(as_alice, campaign)


def test_qw_80_of_two_lines_that_differ_in_capitals_alone_the_first_is_named(
    as_alice: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    lines = [("ability", "Knife", 13), ("flaw", "LATE", 17), ("flaw", "Late", 14)]
    dory = character(campaign, bobs, "Dory", lines, player=bobs)
    evening(campaign, alices, dory)
    compel(as_alice, framed(as_alice, campaign, dory, "Knife"), dory, "Late")
    assert "LATE : it had its way 1 point" in text(as_alice, campaign)


def test_qw_80_the_sixth_lesson_of_a_session_says_why_it_does_not_count(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character
) -> None:
    for flaw in ("In debt", "Proud", "Afraid of Water", "Loud", "Late", "Lost"):
        compel(as_alice, framed(as_alice, campaign, ilse, "Knife"), ilse, flaw)
    page = text(as_alice, campaign)
    assert "5 of 5" in page and "Afraid of Water : it had its way 1 point" in page
    assert "Lost : it had its way 5 points are the most in a session. no point" in page


def test_qw_80_what_was_undone_is_not_shown_as_earned(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character, alices: Any
) -> None:
    mine = {"campaign": campaign, "actor": alices}
    award(**mine, op_id=uuid.uuid4(), character_id=ilse.pk, pool="xp", amount=2, reason="A start")
    contest = framed(as_alice, campaign, ilse, "Knife")
    entry = compel(as_alice, contest, ilse, "In debt")
    assert "1 of 5" in text(as_alice, campaign)
    undone = undo(**mine, op_id=uuid.uuid4(), seq=entry.seq)
    page = text(as_alice, campaign)
    assert "1 of 5" not in page and "it had its way" not in page
    assert f"Undone by entry {undone.seq}" in page and "Ilse +1" not in page
    # An undo can be undone: then it was learned after all, where it was learned first.
    undo(**mine, op_id=uuid.uuid4(), seq=undone.seq)
    page = text(as_alice, campaign)
    assert f"{entry.seq} In debt : it had its way 1 point" in page and "Undone" not in page


def test_qw_80_what_else_changed_it_is_listed_with_its_reason(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character, alices: Any
) -> None:
    contest = framed(as_alice, campaign, ilse, "Knife")
    compel(as_alice, contest, ilse, "In debt")
    award(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, pool="xp", amount=9, reason="The map"
    )
    end(campaign, alices)
    picks = body(first="raise_more", first_on=str(ilse.traits.get(name="Mapmaker").pk), second="new",
                 second_name="Ropes")
    assert as_bob.post(f"/c/{campaign.slug}/sheet-actions/{ilse.pk}/advance/", picks).status_code == 302
    page = text(as_bob, campaign)
    assert "1 of 5" in page and "Other changes" in page
    assert "Ilse earns 9 experience The map Ilse +9" in page
    assert "between sessions Ilse −10" in page and "Ilse +1 " not in page


def test_qw_80_each_session_has_its_own_page_the_latest_first(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character, alices: Any
) -> None:
    compel(as_alice, framed(as_alice, campaign, ilse, "Knife"), ilse, "In debt")
    end(campaign, alices)
    evening(campaign, alices, ilse)
    assert "Nobody has learned anything in this session yet" in text(as_bob, campaign)
    one, two = Session.objects.order_by("number")
    assert f"?session={one.pk}" in source(as_bob, campaign)
    earlier = f"experience/?session={one.pk}"
    assert "1 of 5" in text(as_bob, campaign, earlier) and f"?session={two.pk}" in source(as_bob, campaign, earlier)
    # A flaw teaches anew in another session.
    compel(as_alice, framed(as_alice, campaign, ilse, "Knife"), ilse, "In debt")
    assert "1 of 5" in text(as_bob, campaign) and "1 of 5" in text(as_bob, campaign, earlier)
    assert f"/experience/?session={one.pk}" in source(as_bob, campaign, "chronicle/")


def test_qw_80_a_contest_that_goes_on_teaches_in_the_session_of_the_entry(
    as_alice: Client, campaign: Any, scene: Any, ilse: Character, alices: Any
) -> None:
    three = [framed(as_alice, campaign, ilse, "Knife") for _ in range(3)]
    first = compel(as_alice, three[0], ilse, "In debt")
    end(campaign, alices)
    between = compel(as_alice, three[1], ilse, "Loud")
    evening(campaign, alices, ilse)
    second = compel(as_alice, three[2], ilse, "Proud")
    one = Session.objects.get(number=1)
    for page, here, there in (
        ("experience/", (second,), (first, between)), (f"experience/?session={one.pk}", (first, between), (second,))
    ):
        html = source(as_alice, campaign, page)
        assert all(f"/ledger/{entry.seq}/" in html for entry in here)
        assert not any(f"/ledger/{entry.seq}/" in html for entry in there)


def test_qw_80_a_lesson_under_a_seal_stays_under_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character, alices: Any
) -> None:
    contest = framed(as_alice, campaign, ilse, "Knife")
    rules = procedure_of(campaign, contest.kind)
    contest.refresh_from_db()
    with trail.entry(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="contest.test", title="Sealed", audience=trail.GM
    ) as entry:
        lesson = rules.write(TookLesson(str(ilse.pk), "flaw", "in debt", "hindrance", True, "1 point."))
        entry.create(ContestEvent(
            campaign=campaign, contest=contest, number=contest.events + 1, text=canonical(lesson)
        ))
    assert "In debt" in text(as_alice, campaign) and "In debt" not in text(as_bob, campaign)


def test_qw_80_a_session_that_is_not_here_is_not_found(as_alice: Client, alice: Any, campaign: Any, scene: Any) -> None:
    other = found(user=alice, op_id=uuid.uuid4(), name="Elsewhere", system="questworlds")
    theirs = sessions.open_session(campaign=other, actor=other.members.get(), op_id=uuid.uuid4())
    assert theirs.seq
    for wrong in (Session.objects.get(campaign=other).pk, uuid.uuid4(), "the-last", "\x00"):
        assert as_alice.get(f"/c/{campaign.slug}/experience/", {"session": wrong}).status_code == 404


def test_qw_80_who_is_hidden_stays_out(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, tam: Character, alices: Any
) -> None:
    mine = {"campaign": campaign, "actor": alices}
    compel(as_alice, framed(as_alice, campaign, tam, "Songs"), tam, "Sleepy")
    award(**mine, op_id=uuid.uuid4(), character_id=tam.pk, pool="xp", amount=3, reason="Patience")
    assert "Tam" in text(as_bob, campaign) and "Patience" in text(as_bob, campaign)
    with trail.entry(**mine, op_id=uuid.uuid4(), kind="character.hide", title="Tam leaves", audience=trail.GM) as entry:
        entry.change(entry.locked(Character, pk=tam.pk), hidden=True)
    page = text(as_bob, campaign)
    assert "Tam" not in page and "Sleepy" not in page and "Patience" not in page
    assert "Sleepy" in text(as_alice, campaign) and "Patience" in text(as_alice, campaign)


def test_qw_80_before_the_first_session_the_page_says_what_belongs_there(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Character
) -> None:
    assert "A defeat teaches" in text(as_bob, campaign) and "Your GM opens the first one" in text(as_bob, campaign)
    assert "Open a session" in text(as_alice, campaign)


def test_qw_80_the_page_takes_as_many_queries_however_much_was_learned(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Character, tam: Character, alices: Any
) -> None:
    def taken() -> int:
        with CaptureQueriesContext(connection) as seen:
            as_bob.get(f"/c/{campaign.slug}/experience/")
        return len(seen)

    def learn() -> None:
        for who, ability, flaw in ((ilse, "Knife", "In debt"), (tam, "Songs", "Sleepy")):
            compel(as_alice, framed(as_alice, campaign, who, ability), who, flaw)
            award(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=who.pk, pool="xp", amount=1,
                  reason="More")

    learn()
    one = taken()
    learn()
    learn()
    assert taken() == one <= 23


def test_the_pages_are_reached_from_the_sessions_and_the_table(
    as_bob: Client, campaign: Any, ilse: Character
) -> None:
    contest = contests.start(
        campaign=campaign, actor=ilse.player, op_id=uuid.uuid4(), client_seed="", kind="questworlds.plot",
        title="It rains", characters=[ilse.pk],
        setup={"contestants": [{"sheet": str(ilse.pk)}], "title": "It rains", "level": "minor"},
    )
    assert contest.seq
    facts, learned = f"/c/{campaign.slug}/facts/", f"/c/{campaign.slug}/experience/"
    for page in ("", "chronicle/", "experience/", "facts/"):
        html = source(as_bob, campaign, page)
        assert f'href="{facts}"' in html and f'href="{learned}"' in html
    for page in (f"contests/{Contest.objects.get().pk}/", "contests/start/plot/"):
        assert f'href="{facts}"' in source(as_bob, campaign, page)
    assert f'href="{learned}"' in source(as_bob, campaign, f"characters/{ilse.pk}/")
    rail = source(as_bob, campaign, "facts/").split('class="rail"')[1].split("</nav>")[0]
    assert re.findall(r'aria-current="true">(\w+)<', rail) == ["Chronicle"]


def test_a_game_without_lessons_or_facts_has_no_such_pages(as_alice: Client, alice: Any) -> None:
    other = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
    for page in ("experience/", "facts/"):
        assert as_alice.get(f"/c/{other.slug}/{page}").status_code == 404
    for page in ("", "chronicle/"):
        html = source(as_alice, other, page)
        assert "/facts/" not in html and "/experience/" not in html
