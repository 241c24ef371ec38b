"""What counts in a contest, as its pages say it: what touches the ability by itself, the rest on somebody's word."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns import trail
from characters.models import Character, Trait
from tests import laid
from tests.conftest import logged_in
from tests.html_forms import Page
from tests.play.questworlds.conftest import begin, latest, of, page, press, state

pytestmark = pytest.mark.django_db


@laid.fixture
def hurt(campaign: Any, bobs: Any, scene: Any, ilse: Character) -> Character:
    """Ilse with a hand that is no good with a knife, and a name that is no good at the harbour court."""
    lines = (("Cut hand", 2, "Knife"), ("In bad odour", 1, "The harbour court"))
    with trail.entry(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="test", title="Hurt") as entry:
        for place, (name, rank, note) in enumerate(lines, 9):
            entry.create(Trait(campaign=entry.campaign, character=ilse, kind="consequence", name=name, value=rank,
                               note=note, place=place))
    return ilse


def chance(text: str, name: str = "") -> str:
    """The chance of victory that a page shows first, or behind a name."""
    match = re.search(r"Victory\D{0,200}?([\d.]+%)", text[text.index(name):] if name else text)
    assert match
    return match[1]


def test_qw_60_a_group_is_told_its_chances_with_what_lasts_before_the_gm_opens_anything(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, dana: Any,
    tam: Character
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    assert press(as_bob, hurt, "choose", ability=of(hurt, "Knife")).status_code == 302
    assert press(as_dana, tam, "choose", ability=of(tam, "Songs")).status_code == 302
    assert press(as_alice, None, "oppose", resistance="14").status_code == 302
    before = chance(page(as_bob), "Ilse")
    assert "Cut hand" in page(as_dana) and state().terms(str(hurt.pk)).score == 7
    assert press(as_alice, None, "set").status_code == 302
    assert chance(page(as_bob), "Ilse") == before and state().terms(str(hurt.pk)).score == 7


def test_qw_60_what_does_not_touch_another_ability_is_not_in_its_chance(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk))
    press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker"))
    press(as_alice, None, "oppose", resistance="14")
    plain = chance(page(as_bob), "Ilse")
    press(as_bob, hurt, "choose", ability=of(hurt, "Knife"))
    with_another = page(as_bob)
    assert plain in with_another[with_another.index("Mapmaker 17"):], "with the map the hand is no matter"
    press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker"))
    assert chance(page(as_bob), "Ilse") == plain


def test_qw_60_what_else_applies_is_a_players_word_with_their_name_until_the_gm_takes_it_off(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk), obstacle="The court clerk")
    press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker"))
    press(as_alice, None, "oppose", resistance="14")
    theirs = Page(as_bob.get(f"/c/{campaign.slug}/contests/{latest().pk}/")).form(action=f"/lasting/{hurt.pk}/")
    assert theirs.controls["lines"].offered == [of(hurt, "Cut hand"), of(hurt, "In bad odour")]
    assert press(as_bob, hurt, "lasting", lines=[of(hurt, "In bad odour")]).status_code == 302
    assert "Ilse says so" in page(as_alice) and state().terms(str(hurt.pk)).score == 14
    assert press(as_alice, None, "dismiss", which="0").status_code == 302, "one tap"
    assert state().terms(str(hurt.pk)).score == 17
    again = Page(as_bob.get(f"/c/{campaign.slug}/contests/{latest().pk}/")).form(action=f"/lasting/{hurt.pk}/")
    assert again.controls["lines"].offered == [of(hurt, "Cut hand")], "what the GM took off is the GM’s"


def test_qw_21_what_the_situation_adds_and_what_stands_in_the_way_are_the_gms(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk))
    press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker"))
    press(as_alice, None, "oppose", resistance="14")
    here = f"/c/{campaign.slug}/contests/{latest().pk}/"
    for action in ("modify", "oppose", "set", "take_back", "lasting", "stakes", "answer", "crowd"):
        assert not Page(as_bob.get(here)).matching(action=f"/{action}/gm/")
    assert Page(as_alice.get(here)).matching(action="/modify/gm/")


@pytest.mark.parametrize("first", ["the ability", "the augment"])
def test_qw_22_an_ability_never_augments_itself_whichever_is_chosen_first(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, first: str
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk))
    knife, other = of(hurt, "Knife"), of(hurt, "Mapmaker")
    press(as_bob, hurt, "choose", ability=knife if first == "the ability" else other)
    press(as_alice, None, "oppose", resistance="14")
    said = press(as_bob, hurt, "augment", trait=knife, whom=str(hurt.pk), words="With an edge")
    if first == "the ability":
        assert said.status_code == 422 and "does not augment itself" in said.content.decode()
        assert "With an edge" in said.content.decode(), "nothing typed is lost"
        return
    press(as_alice, None, "answer", proposal="0", verdict="assured3")
    assert state().terms(str(hurt.pk)).score == 20
    press(as_bob, hurt, "choose", ability=knife)
    assert state().terms(str(hurt.pk)).score == 7, "13, and the hand; the augment is gone"


def test_qw_23_a_players_own_flaw_stands_with_their_name_and_goes_at_the_gms_tap(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk))
    press(as_bob, hurt, "choose", ability=of(hurt, "Mapmaker"))
    press(as_alice, None, "oppose", resistance="14")
    assert press(as_bob, hurt, "hinder", trait=of(hurt, "In debt")).status_code == 302
    assert "Ilse says so" in page(as_alice) and state().terms(str(hurt.pk)).score == 14
    assert press(as_alice, None, "dismiss", which="0").status_code == 302
    assert state().terms(str(hurt.pk)).score == 17


def test_qw_24_acting_against_a_flaw_counts_what_lasts(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_alice, campaign, "flaw", who=str(hurt.pk))
    assert press(as_bob, hurt, "resist", flaw=of(hurt, "In debt")).status_code == 302
    assert press(as_bob, hurt, "choose", ability=of(hurt, "Knife")).status_code == 302
    terms = state().terms(str(hurt.pk))
    assert (terms.score, terms.resistance) == (7, 17) and "Cut hand" in page(as_bob)


def test_qw_20_a_frame_names_itself_where_nobody_writes_a_word(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character
) -> None:
    begin(as_bob, campaign, who=str(hurt.pk), obstacle="The court clerk")
    here = f"/c/{campaign.slug}/contests/{latest().pk}/"
    assert not Page(as_bob.get(here)).form(action=f"/choose/{hurt.pk}/").required
    press(as_bob, hurt, "choose")
    assert "Uses Mapmaker" in page(as_alice)
    assert not [field.name for field in Page(as_alice.get(here)).form(action="/oppose/gm/").required]
    press(as_alice, None, "oppose", resistance="20")
    assert "The court clerk" in page(as_bob) and state().against(str(hurt.pk)).name == "The court clerk"


def test_qw_60_the_tray_counts_what_binds_though_it_is_unticked(
    as_alice: Client, as_bob: Client, campaign: Any, hurt: Character, fall: Any
) -> None:
    here = f"/c/{campaign.slug}/"
    put = Page(as_alice.get(f"{here}obstacles/put/")).form(action="obstacles/put/").send(
        as_alice, name="The lock", resistance="14")
    assert put.status_code == 302
    tray = Page(as_bob.get(here)).form(action=f"{here}roll/")
    fall(9, 9)
    assert tray.send(as_bob, ability=of(hurt, "Knife"), lines=[]).status_code == 302
    assert state().terms(str(hurt.pk)).score == 7, "whatever is ticked"
