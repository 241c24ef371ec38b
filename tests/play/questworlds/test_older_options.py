"""The older options at a table: turned on in the settings, seen in the contest and on the sheet (QW-A1 to QW-A9)."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.setting import last_change
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from play.models import SharedPool
from play.services import scenes, sessions
from rules.systems.questworlds.notation import signed
from tests.conftest import logged_in
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, begin, frame, latest, of, page, press, state
from tests.play.questworlds.longing import roll, set_setting
from tests.play.questworlds.longing import start as long_contest

pytestmark = pytest.mark.django_db


def turn_on(as_alice: Client, campaign: Any, *options: str) -> None:
    """The owner ticks these in the campaign's settings."""
    url = f"/c/{campaign.slug}/settings/"
    assert all(f'name="setting-{option}"' in as_alice.get(url).content.decode() for option in options)
    now = {f"setting-{name}": value for name, value in campaign.settings.items() if value is not False}
    ticks = {f"setting-{option}": "on" for option in options}
    sent = body(base=last_change(campaign), name=campaign.name, pitch="", **now, **ticks)
    assert as_alice.post(url, sent).status_code == 302
    campaign.refresh_from_db()
    assert all(campaign.settings[option] is True for option in options)


def test_qw_a1_degrees_are_told_before_the_dice_and_after_and_a_stretch_caps_them(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "degrees")
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    text = page(as_bob)
    assert "complete victory" in text and "of rank" not in text
    press(as_alice, None, "modify", whom=str(ilse.pk), line="stretch:-3", reason="A forged pass, and no seal")
    assert "major victory" not in page(as_bob)
    press(as_alice, None, "set")
    fall(14, 20)
    assert press(as_bob, ilse, "roll").status_code == 302
    text = page(as_bob)
    assert "Minor victory: a critical against a fumble." in text
    assert "With a stretch a complete victory counts as a minor one." in text
    assert state().outcomes[0].degree == 2
    assert not list(differences(campaign.pk))


def lost_completely(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, fall: Any) -> None:
    """Ilse loses a contest by as much as there is."""
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    press(as_alice, None, "set")
    fall(20, 14)
    press(as_bob, ilse, "roll")
    if not state().outcomes:
        press(as_bob, ilse, "stand")


def over(as_alice: Client) -> None:
    assert press(as_alice, None, "close").status_code == 302


def test_qw_a6_dying_wherewithal_and_the_final_action_from_the_sheet(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "states", "degrees")
    lost_completely(as_alice, as_bob, campaign, ilse, fall)
    assert "Complete defeat" in page(as_alice) and "Dying" in page(as_alice)
    given = {"whom": str(ilse.pk), "kind": "consequence", "rank": "4", "name": "Bleeding out"}
    assert press(as_alice, None, "give", **given).status_code == 302
    over(as_alice)
    line = ilse.traits.get(name="Bleeding out")
    assert (line.kind, line.value) == ("adversity", 4)
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").content.decode()
    assert "dying, no action" in sheet and "Contest of wherewithal" in sheet and "can’t act" in sheet
    # An ordinary contest is not ready to roll; that of wherewithal is, against the base.
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="The guard")
    press(as_bob, ilse, "choose", tactic="Run", ability=of(ilse, "Knife"))
    press(as_alice, None, "oppose", name="The guard", resistance="6")
    refused = press(as_alice, None, "set")
    assert refused.status_code == 422 and "A contest of wherewithal may rouse them" in refused.content.decode()
    press(as_alice, None, "call_off")
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="Bleeding out")
    press(as_bob, ilse, "choose", tactic="Get up once more", ability=of(ilse, "Stubborn"))
    assert press(as_alice, None, "oppose", rouses=str(line.pk)).status_code == 302
    press(as_alice, None, "set")
    fall(17, 19)
    assert press(as_bob, ilse, "roll").status_code == 302
    over(as_alice)
    line.refresh_from_db()
    assert line.value == 6
    frame(as_alice, as_bob, campaign, ilse, resistance="6")
    assert press(as_alice, None, "lasting", lines=[str(line.pk)]).status_code == 302
    press(as_alice, None, "set")
    fall(3, 19)
    press(as_bob, ilse, "roll")
    if not state().outcomes:
        press(as_bob, ilse, "stand")
    assert "That was the final action of Ilse." in page(as_bob)
    line.refresh_from_db()
    assert line.value == 7 and not list(differences(campaign.pk))
    last = Entry.objects.filter(campaign=campaign).latest("seq")
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=last.seq)
    line.refresh_from_db()
    assert line.value == 6 and not list(differences(campaign.pk))


@pytest.mark.parametrize(("dice", "says"), [((13, 12), False), ((9, 20), True)])
def test_qw_a6_after_a_major_victory_the_gm_waives_the_bump_down_of_the_final_action(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any, dice: tuple[int, int], says: bool
) -> None:
    turn_on(as_alice, campaign, "states", "degrees")
    lost_completely(as_alice, as_bob, campaign, ilse, fall)
    press(as_alice, None, "give", whom=str(ilse.pk), kind="consequence", rank="4", name="Bleeding out")
    over(as_alice)
    line = ilse.traits.get(name="Bleeding out")
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="Bleeding out")
    press(as_bob, ilse, "choose", tactic="Get up once more", ability=of(ilse, "Stubborn"))
    press(as_alice, None, "oppose", rouses=str(line.pk))
    press(as_alice, None, "set")
    fall(*dice)
    press(as_bob, ilse, "roll")
    if not state().outcomes:
        press(as_bob, ilse, "stand")
    assert "one final action" in page(as_bob)
    assert ("After a major victory the GM may ignore the bump down." in page(as_bob)) is says
    over(as_alice)
    frame(as_alice, as_bob, campaign, ilse, resistance="6")
    press(as_alice, None, "lasting", lines=[str(line.pk)])
    assert state().terms(str(ilse.pk)).down == (1, 0)
    assert press(as_alice, None, "take_back", line="0").status_code == 302
    assert state().terms(str(ilse.pk)).down == (0, 0)


def test_qw_a7_fortune_goes_onto_the_sheet_and_freshness_ends_with_the_session(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "fortune", "states")
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    press(as_alice, None, "set")
    fall(17, 19)
    press(as_bob, ilse, "roll")
    assert "Fresh" in page(as_alice) or "fresh" in page(as_alice)
    for rank, name, kind in (("1", "On a roll", "benefit"), ("4", "Unstoppable", "benefit"),
                             ("2", "Limp", "consequence")):
        assert press(as_alice, None, "give", whom=str(ilse.pk), kind=kind, rank=rank, name=name).status_code == 302
    over(as_alice)
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").content.decode()
    assert "fresh, +3" in sheet and "heroic, one bump up" in sheet and "impaired, −6" in sheet
    scenes.close_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), values={})
    sessions.close_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    assert set(ilse.traits.values_list("name", flat=True)) >= {"Unstoppable", "Limp"}
    assert not ilse.traits.filter(name="On a roll").exists()
    assert not list(differences(campaign.pk))


def test_qw_a8_healing_from_the_sheet_goes_by_degree(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "states", "by_degree")
    lost_completely(as_alice, as_bob, campaign, ilse, fall)
    press(as_alice, None, "give", whom=str(ilse.pk), kind="consequence", rank="3", name="A broken arm")
    over(as_alice)
    line = ilse.traits.get(name="A broken arm")
    assert "Heal A broken arm" in as_bob.get(f"/c/{campaign.slug}/characters/{ilse.pk}/").content.decode()
    begin(as_bob, campaign, who=str(ilse.pk), obstacle="A broken arm")
    press(as_bob, ilse, "choose", tactic="Splints", ability=of(ilse, "Mapmaker"))
    assert press(as_alice, None, "oppose", heals=str(line.pk)).status_code == 302
    assert state().against(str(ilse.pk)).resistance == 20  # high
    press(as_alice, None, "set")
    fall(17, 12)
    press(as_bob, ilse, "roll")
    assert "gets better by a minor victory: hurt, −3." in page(as_bob)
    line.refresh_from_db()
    assert line.value == 1 and not list(differences(campaign.pk))


@pytest.mark.parametrize(("dice", "said", "amount"), [
    ((13, 20), "A complete victory comes to +M.", 20), ((3, 19), "A minor victory comes to +6.", 6),
    ((19, 3), "A minor defeat comes to +0.", 0), ((20, 14), "A complete defeat comes to −3.", -3)])
def test_qw_a8_an_augment_that_is_rolled_adds_what_its_degree_says_to_the_contest(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any,
    dice: tuple[int, int], said: str, amount: int,
) -> None:
    turn_on(as_alice, campaign, "degrees", "by_degree")
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    words = "A glint of it"
    assert press(as_bob, ilse, "augment", trait=of(ilse, "Knife"), whom=str(ilse.pk), words=words).status_code == 302
    assert press(as_alice, None, "answer", proposal="0", verdict="roll3").status_code == 302
    fall(*dice)
    assert press(as_bob, ilse, "roll_augment").status_code == 302
    if "Let it stand" in page(as_bob):
        assert f"Let it stand: {signed(amount)}" in page(as_bob)
        assert press(as_bob, ilse, "stand").status_code == 302
    text = page(as_bob)
    assert said in text
    assert [line.amount for line in state().lines(str(ilse.pk))] == ([amount] if amount else [])
    assert state().terms(str(ilse.pk)).score == 17 + amount
    assert not list(differences(campaign.pk))


def test_qw_a2_a_group_wins_by_points_and_a_player_boosts_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "outcome_points")
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="Together", ability=of(ilse, "Mapmaker"))
    press(as_dana, tam, "choose", tactic="Together", ability=of(tam, "Songs"))
    assert press(as_alice, None, "oppose", name="The storm", resistance="14").status_code == 302
    assert "Chances of the whole group" in page(as_bob)
    press(as_alice, None, "set")
    fall(5, 3)
    press(as_bob, ilse, "roll")
    press(as_bob, ilse, "stand")
    fall(5, 5)
    press(as_dana, tam, "roll")
    press(as_dana, tam, "stand")
    assert "The group wins: a marginal victory." in page(as_bob)
    assert press(as_dana, tam, "boost", steps="2").status_code == 302
    text = page(as_bob)
    assert "The group wins: a major victory." in text and "spends 2 story points on a double boost" in text
    assert SharedPool.objects.get(campaign=campaign, name="story_points").value == 0
    assert not list(differences(campaign.pk))


def test_qw_a3_qw_a4_a_scored_contest_ends_by_the_tables(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, alices: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "scored_tables", "group_outcomes", "states", "fortune")
    long_contest(as_alice, campaign)
    fall(3, 18)
    for _ in range(3):
        roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert "Count the outcomes" in page(as_alice)
    assert act(as_alice, None, "outcomes", arc="rising", whom=[str(ilse.pk)]).status_code == 302
    text = page(as_bob)
    assert ": a major victory for the players" in text and "invigorated, +9" in text
    line = ilse.traits.get(kind="fortune")
    assert line.value == 3 and not list(differences(campaign.pk))
    over(as_alice)
    last = Entry.objects.filter(campaign=campaign, kind="contest.outcomes").latest("seq")
    assert "QW-A4" in last.payload.text and "QW-A3" in last.payload.text


def test_qw_a5_a_chained_contest_goes_by_states(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, alices: Any, fall: Any
) -> None:
    set_setting(campaign, alices, long="chained")
    turn_on(as_alice, campaign, "long_tables", "states")
    long_contest(as_alice, campaign, "chained")
    fall(19, 3)
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert "hurt, −3" in page(as_bob)
    line = ilse.traits.get(kind="adversity")
    assert line.value == 1
    last = Entry.objects.filter(campaign=campaign).latest("seq")
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=last.seq)
    assert not ilse.traits.filter(kind="adversity").exists() and not list(differences(campaign.pk))
    assert act(as_bob, ilse, "stand").status_code == 302
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    roll(as_bob, ilse, ability=of(ilse, "Mapmaker"))
    assert "dying, no action" in page(as_bob) and state().entrant(str(ilse.pk)).status == "beaten"
    assert not list(differences(campaign.pk))


def why_of_tests(client: Client, action: str) -> list[str]:
    """What the GM’s button for a test of the interval says of what it rolls: each part in words, the average first."""
    above = page(client).partition(f'id="why-{action}-gm"')[2].partition("</ul>")[0]
    return [" ".join(re.sub("<[^>]+>", " ", part.partition("</span>")[2]).split()) for part in above.split("<li")[1:]]


def test_qw_a9_a_community_with_scores_is_kept_on_its_page(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    start = f"/c/{campaign.slug}/contests/start/resources/"
    assert as_alice.get(start).status_code == 302, "it is not offered"
    turn_on(as_alice, campaign, "community_scores")
    assert "Set up a community with scores" in as_alice.get(start).content.decode()
    named = {"names": "Wealth, Fleet, Morale, Magic, Arms", "interval": "A season"}
    poor = as_alice.post(start, body(title="Low Quay", c0_side="on", **{**named, "names": "Wealth"}))
    assert poor.status_code == 422 and "Enter 5 resources" in poor.content.decode()
    assert as_alice.post(start, body(title="Low Quay", c0_side="on", **named)).status_code == 302
    assert why_of_tests(as_alice, "background")[0].startswith("Against the average of the scores of all resources")
    assert "Fleet its score" in why_of_tests(as_alice, "background")
    fall(*(20, 1) * 5)
    assert act(as_alice, None, "background").status_code == 302
    assert all(resource.total < 0 for resource in state().resources)
    (fleet,) = (part for part in why_of_tests(as_alice, "crisis") if part.startswith("Fleet "))
    assert fleet.endswith(f"and −{-state().resources[1].total} for now")
    assert act(as_bob, None, "bolster", resource="0", degree="3").status_code in (404, 409)
    assert act(as_alice, None, "bolster", resource="0", degree="3").status_code == 302
    fall(3, 19)
    use = {"resource": "1", "resistance": "14", "words": "Ships", "whom": str(ilse.pk)}
    assert act(as_alice, None, "use", **use).status_code == 302
    text = page(as_bob)
    assert "12M" in text and "for now" in text and "That takes" in text and "the average: 1M" in text
    assert act(as_alice, None, "interval").status_code == 302
    assert state().number == 2 and not list(differences(campaign.pk))


def test_qw_a9_bob_lobbies_the_gm_rolls_with_it_and_a_defeat_stands_on_his_sheet(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, fall: Any
) -> None:
    turn_on(as_alice, campaign, "community_scores")
    assert as_alice.get(f"/c/{campaign.slug}/contests/start/community/").status_code == 302, "there is one already"
    start = f"/c/{campaign.slug}/contests/start/resources/"
    named = {"names": "Wealth, Fleet, Morale, Magic, Arms", "interval": "A season"}
    assert as_alice.post(start, body(title="Low Quay", c0_side="on", **named)).status_code == 302
    asked = {"resource": "1", "words": "Ships for the siege", "ability": of(ilse, "Mapmaker")}
    here = f"/c/{campaign.slug}/contests/{latest().pk}"
    assert "Against 14, moderate" in as_bob.post(f"{here}/lobby/{ilse.pk}/odds/", body(**asked)).content.decode()
    assert act(as_bob, ilse, "lobby", **{**asked, "words": ""}).status_code == 422
    assert act(as_bob, ilse, "lobby", **asked).status_code == 302
    assert "answer Ilse, who asks for Fleet" in page(as_alice)
    assert act(as_bob, None, "face", against="moderate").status_code in (404, 409)
    assert act(as_alice, None, "face", against="moderate").status_code == 302
    fall(3, 19)
    assert act(as_bob, ilse, "roll").status_code == 302
    assert "Granted, not used yet" in page(as_bob)
    use = {"resource": "1", "resistance": "14", "words": "The siege", "whom": str(ilse.pk)}
    html = as_alice.post(f"{here}/augment/gm/odds/", body(**use)).content.decode()
    assert "Fleet against 14" in html and "It loses" in html and "Adds" in html
    fall(3, 19)
    assert act(as_alice, None, "augment", **use).status_code == 302
    assert ilse.traits.get(kind="support").note.startswith("The siege. It is the one augment")
    fall(20, 3)
    assert act(as_alice, None, "use", **{**use, "resource": "4"}).status_code == 302
    blamed = ilse.traits.get(kind="consequence")
    assert blamed.name == "Displeasure of Low Quay" and state().resources[4].total in (-6, -9)
    assert "Granted, not used yet" not in page(as_bob)
    assert act(as_alice, None, "interval").status_code == 302
    assert not ilse.traits.filter(kind="consequence").exists() and not list(differences(campaign.pk))
