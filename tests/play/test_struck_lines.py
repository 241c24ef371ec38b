"""Which quality counts in a roll of PDQ is a player's word: the GM strikes it at one tap, by the pages' own forms."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from play.models import Contest
from tests.html_forms import Form, Page
from tests.play.conftest import trait
from tests.play.test_pdq_one_scene import Evening, evening  # noqa: F401
from tests.play.test_struck_words import rolls, to_strike, tries

pytestmark = pytest.mark.django_db

MAPS, KNIFE = "Ilse says: Maps Expert [+4] counts.", "Ilse says: Knife Good [+2] counts."


def tap(form: Form, client: Client, words: str) -> dict[str, Any]:
    """The GM's one tap on what is called so; what the entry says."""
    assert form.send(client, next(button for button in form.buttons if button.words == words)).status_code == 302
    return dict(json.loads(Entry.objects.latest("seq").payload.text))


def words_of(form: Form) -> list[str]:
    return [button.words for button in form.buttons]


def steps_of(told: dict[str, Any]) -> list[str]:
    return [step["text"] for step in told["outcome"]["steps"]]


def test_pq_01_after_the_dice_of_a_test_the_gm_strikes_each_quality_and_the_last_leaves_average(
    evening: Evening, campaign: Any, alices: Any, ilse: Any  # noqa: F811
) -> None:
    evening.puts(difficulty="master")
    rolls(evening, 7, traits=[str(trait(ilse, name).pk) for name in ("Maps", "Knife")])
    assert not to_strike(evening, evening.bob)
    (form,) = to_strike(evening)
    assert words_of(form) == [MAPS, KNIFE], "each line, and never the roll"
    told = tap(form, evening.alice, MAPS)
    assert told["dice"] is None and told["title"] == f"The GM strikes what counted: {MAPS}"
    assert "Before: success, 13 against 13. Now: failure, 9 against 13." in steps_of(told)
    assert "Knife Good [+2] applies." in steps_of(told)
    (form,) = to_strike(evening)
    told = tap(form, evening.alice, KNIFE)
    assert "No quality applies, which counts as Average [0]." in steps_of(told)
    assert "Before: failure, 9 against 13. Now: failure, 7 against 13." in steps_of(told)
    assert not to_strike(evening), "there is nothing left to strike"
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=Entry.objects.latest("seq").seq)
    assert words_of(to_strike(evening)[0]) == [KNIFE]
    assert not list(differences(campaign.pk))


def test_of_the_newest_roll_alone_what_was_said_is_in_sight(evening: Evening, ilse: Any) -> None:  # noqa: F811
    """As every roll uses a line of the sheet: of those before it is folded."""
    evening.puts(difficulty="master")
    for _ in range(2):
        rolls(evening, 7, traits=[str(trait(ilse, "Maps").pk)])
    folds = [element for element in Page(evening.alice.get(evening.url(""))).elements
             if element.tag == "details" and element.text.startswith("Strike what was said")]
    assert ["open" in fold.attributes for fold in folds] == [True, False]


def test_pq_08_who_helped_with_what_is_struck_teams_up_no_more(
    evening: Evening, ilse: Any, marrow: Any  # noqa: F811
) -> None:
    evening.puts(difficulty="average")
    rolls(evening, 7, traits=[str(trait(ilse, "Maps").pk)], help=[str(trait(marrow, "Club").pk)])
    (form,) = to_strike(evening)
    club = "Ilse says: Old Marrow’s Club Good [+2] counts."
    assert words_of(form) == [MAPS, club]
    assert not [step for step in steps_of(tap(form, evening.alice, club)) if "team up" in step]
    assert "teamed up" not in evening.alice.get(evening.url("")).content.decode()


def test_a_quality_of_an_npc_is_the_gms_own_word(evening: Evening, marrow: Any) -> None:  # noqa: F811
    evening.puts(difficulty="average")
    form = Page(evening.alice.get(evening.url("") + f"?who={marrow.pk}")).form(action="/roll/")
    assert form.send(evening.alice, traits=[str(trait(marrow, "Club").pk)]).status_code == 302
    assert not to_strike(evening)


def test_pq_03_of_what_is_tried_in_a_conflict_a_quality_is_struck_before_its_dice_and_after_them(
    evening: Evening, campaign: Any, ilse: Any  # noqa: F811
) -> None:
    evening.conflict()
    evening.turn_of(ilse)
    both = [str(trait(ilse, name).pk) for name in ("Maps", "Knife")]
    evening.act(evening.bob, "act", ilse, test="on", words="Over the wall", qualities=both, lead=both[1])
    form = evening.form(evening.alice, "dismiss")
    assert words_of(form) == [MAPS, KNIFE] and not evening.offered(evening.bob, "dismiss")
    tap(form, evening.alice, MAPS)
    assert evening.state.trying.lead == 0, "the knife leads still"
    rate = evening.form(evening.alice, "rate")
    good = next(button for button in rate.buttons if button.words == "Good 9")
    assert rate.send(evening.alice, good).status_code == 302
    tries(evening, ilse)
    form = evening.form(evening.alice, "dismiss")
    assert words_of(form) == [KNIFE]
    told = tap(form, evening.alice, KNIFE)
    assert "Before: success, 9 against 9. Now: failure, 7 against 9." in steps_of(told)
    assert not evening.offered(evening.alice, "dismiss") and not list(differences(campaign.pk))


def test_pq_12_of_an_attack_a_quality_is_struck_before_anybody_reacts(
    evening: Evening, ilse: Any, marrow: Any  # noqa: F811
) -> None:
    evening.conflict()
    evening.turn_of(ilse)
    evening.act(evening.bob, "attack", ilse, qualities=[str(trait(ilse, "Maps").pk)])
    for client in (evening.alice, evening.bob):
        assert MAPS in client.get(evening.at).content.decode(), "seen before anyone reacts"
    tap(evening.form(evening.alice, "dismiss"), evening.alice, MAPS)
    assert evening.state.attack.qualities == () and not evening.offered(evening.alice, "dismiss")
    told = evening.act(evening.alice, "defend", marrow, seed=evening.seed(
        "alice", 4, lambda faces: (sum(faces[:2]), sum(faces[2:])) == (9, 4)))
    assert json.loads(told)["outcome"]["result"]["hits"][0]["damage"] == {"attacker": 0, "defender": 5}


def test_pq_13_after_the_dice_of_an_attack_what_either_side_used_is_struck(
    evening: Evening, campaign: Any, ilse: Any, marrow: Any  # noqa: F811
) -> None:
    evening.conflict()
    evening.attack_on_marrow(ilse, marrow, (9, 4))
    told = tap(evening.form(evening.alice, "dismiss"), evening.alice, MAPS)
    assert told["outcome"]["result"]["hits"][0]["damage"]["defender"] == 5
    assert evening.state.wound_of(str(marrow.pk)).amount == 5
    evening.moment()
    evening.act(evening.alice, "take_damage", marrow)
    evening.turn_of(marrow)
    evening.act(evening.alice, "attack", marrow, qualities=[str(trait(marrow, "Club").pk)])
    knife = [str(trait(ilse, "Knife").pk)]
    first = evening.act(evening.bob, "defend", ilse, qualities=knife, seed=evening.seed(
        "bob", 4, lambda faces: (sum(faces[:2]), sum(faces[2:])) == (11, 3)))
    form = evening.form(evening.alice, "dismiss")
    assert words_of(form) == [KNIFE], "the club is the GM’s own word"
    told = tap(form, evening.alice, KNIFE)
    before, now = (said["outcome"]["result"]["hits"][0] for said in (json.loads(first), told))
    assert now["defence"] == 3 and now["damage"]["defender"] == before["damage"]["defender"] + 2
    assert not list(differences(campaign.pk))


def test_pq_06_a_test_that_was_won_without_dice_is_rolled_once_what_won_it_is_struck(
    evening: Evening, campaign: Any, ilse: Any  # noqa: F811
) -> None:
    evening.puts(difficulty="average", simple="on")
    form = Page(evening.bob.get(evening.url(""))).form(action="/roll/")
    assert form.send(evening.bob, traits=[str(trait(ilse, name).pk) for name in ("Maps", "Knife")]).status_code == 302
    assert Contest.objects.get().over and not to_strike(evening, evening.bob)
    (form,) = to_strike(evening)
    assert words_of(form) == [MAPS, KNIFE]
    told = tap(form, evening.alice, MAPS)
    assert "Before: success, without a roll. Now: success, without a roll." in steps_of(told), "Good is enough, too"
    told = tap(to_strike(evening)[0], evening.alice, KNIFE)
    assert "Before: success, without a roll. Now: to be rolled against 7." in steps_of(told)
    assert not Contest.objects.get().over and told["dice"] is None
    assert "roll" in evening.bob.get(evening.url("")).context["now"].asks[0].text
    at = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    form = Page(evening.bob.get(at)).form(action=f"/roll/{ilse.pk}/")
    assert "traits" not in form.controls, "what counts was said, and struck"
    form.controls["client_seed"].opens = [evening.seed("bob", 2, lambda faces: sum(faces) == 6)]
    assert form.send(evening.bob).status_code == 302
    told = json.loads(Entry.objects.latest("seq").payload.text)
    assert told["outcome"]["result"]["success"] is False and told["outcome"]["result"]["total"] == 6
    assert Contest.objects.get().over and not to_strike(evening) and not list(differences(campaign.pk))
