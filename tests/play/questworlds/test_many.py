"""Heads, forces, thresholds, two goals, two sides of a group: as people do them, each from their own browser."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.setting import last_change
from campaigns.trail.rebuild import differences
from characters.models import Trait
from play.models import Contest
from rules.codec import read
from tests.conftest import logged_in
from tests.play.conftest import body
from tests.play.questworlds.conftest import act, begin, frame, latest, of, page, press, state

pytestmark = pytest.mark.django_db


def payload(campaign: Any) -> Any:
    """What the latest entry says."""
    entry = Entry.objects.filter(campaign=campaign).select_related("payload").order_by("-seq").first()
    assert entry is not None
    return read(entry.payload.text)


def rules_of(campaign: Any) -> set[str]:
    return {step["rule"] for step in payload(campaign)["outcome"]["steps"]}


def settings_of(campaign: Any, **settings: str) -> dict[str, Any]:
    """The settings page as it would be sent, with these settings changed."""
    campaign.refresh_from_db()
    said = {f"setting-{name}": value for name, value in {**campaign.settings, **settings}.items()}
    return body(base=str(last_change(campaign)), name=campaign.name, pitch="", **said)


def test_qw_28_the_gm_counts_heads_and_the_page_says_what_they_make_of_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    assert act(as_bob, None, "crowd", them="3", us="1", way="bodies", amount="").status_code in (403, 404, 409)
    assert press(as_alice, None, "crowd", them="3", us="1", way="bodies", amount="").status_code == 302
    assert state().against(str(ilse.pk)).resistance == 20
    text = page(as_bob)
    assert "3 of them on one of us" in text and "+6 for the heads" in text
    assert press(as_alice, None, "crowd", them="0", us="1", way="bodies", amount="").status_code == 422
    assert not list(differences(campaign.pk))


def test_qw_29_a_force_is_rolled_for_and_led_by_an_augment(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    missing = press(as_alice, None, "mass", role="contributes", force="The river guard", fate="open")
    assert missing.status_code == 422 and "number" in missing.content.decode()
    assert press(as_alice, None, "mass", role="contributes", force="The river guard", score="5M",
               fate="open").status_code == 302
    assert "The river guard 5M" in page(as_bob)
    assert press(as_bob, ilse, "choose", tactic="From the sandbank").status_code == 302
    assert press(as_bob, ilse, "augment", trait=of(ilse, "Mapmaker"), whom=str(ilse.pk), words="I know the sandbanks"
               ).status_code == 302
    assert press(as_alice, None, "answer", proposal="0", verdict="assured6").status_code == 302
    assert state().terms(str(ilse.pk)).score == 31
    assert press(as_alice, None, "mass", role="suffers", fate="lost").status_code == 302
    assert rules_of(campaign) == {"QW-29", "QW-03"}
    assert "A day that goes badly" in page(as_bob)


def test_qw_30_the_campaign_names_thresholds_and_a_use_asks_for_one(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    settings = as_alice.get(f"/c/{campaign.slug}/settings/").content.decode()
    assert "Named difficulty scores" in settings
    bad = as_alice.post(f"/c/{campaign.slug}/settings/", settings_of(campaign, thresholds="adept"))
    assert bad.status_code == 422 and "no name with a score" in bad.content.decode()
    good = as_alice.post(f"/c/{campaign.slug}/settings/", settings_of(campaign, thresholds="adept 18, master 1M2"))
    assert good.status_code == 302, good.content.decode()
    frame(as_alice, as_bob, campaign, ilse, threshold="adept")
    text = page(as_alice)
    assert "adept: 18" in text and "This takes a score of 18" in text
    assert press(as_alice, None, "set").status_code == 422
    assert press(as_alice, None, "oppose", name="The guard", resistance="1M", least="").status_code == 302
    assert press(as_alice, None, "set").status_code == 302


def test_qw_30_the_gm_asks_for_another_tactic(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    assert press(as_alice, None, "send_back", whom=str(ilse.pk), reason="Nobody reads at night").status_code == 302
    assert state().entrant(str(ilse.pk)).chosen is None and "Your turn: choose an ability, and say how." in page(as_bob)


def test_qw_27_the_player_chooses_which_goal_is_won(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, monkeypatch: Any
) -> None:
    from campaigns.trail.draft import Draft

    frame(as_alice, as_bob, campaign, ilse, resistance="14", second_prize="And nobody saw it")
    press(as_alice, None, "set")
    monkeypatch.setattr(Draft, "roll", lambda self, sides, client_seed: [9, 5][: len(sides)])
    press(as_bob, ilse, "roll")
    press(as_bob, ilse, "stand")
    assert "Choose what you win" in page(as_bob)
    assert act(as_alice, None, "close").status_code == 409
    assert press(as_bob, ilse, "choose_goal", goal="second").status_code == 302
    assert "And nobody saw it." in page(as_bob) and rules_of(campaign) == {"QW-27"}
    assert press(as_alice, None, "close").status_code == 302


def test_qw_27_what_does_not_conflict_is_no_contest(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    assert press(as_alice, None, "no_conflict").status_code == 302
    assert Contest.objects.get().over


def test_qw_42_two_of_a_group_on_two_sides_roll_each_their_own_die_and_decide_in_secret(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="I hold the door", ability=of(ilse, "Knife"))
    press(as_dana, tam, "choose", tactic="I talk her out of it", ability=of(tam, "Songs"))
    assert press(as_alice, None, "oppose", whom=str(ilse.pk), rival=str(tam.pk), name="").status_code == 302
    assert "Tam" in page(as_bob)
    press(as_alice, None, "set")
    press(as_bob, ilse, "roll")
    assert not any(entrant.dice for entrant in state().entrants), "each rolls their own"
    press(as_dana, tam, "roll")
    assert all(entrant.dice for entrant in state().entrants)
    for client, who, other in ((as_bob, ilse, as_dana), (as_dana, tam, as_bob)):
        if not state().outcomes and state().may_spend(str(who.pk)):
            press(client, who, "stand")
            if not state().outcomes:
                title = payload(campaign)["title"]
                assert title not in other.get(f"/c/{campaign.slug}/ledger/").content.decode()
    now = state()
    assert {outcome.outcome for outcome in now.outcomes} in ({"victory", "defeat"}, {"tie"})
    assert now.side == {"victory": "victory", "defeat": "defeat", "tie": "tie"}[now.outcome(str(ilse.pk)).outcome]


def test_qw_42_and_60_what_a_whole_contest_brings_goes_onto_every_sheet_of_the_side(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "group", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="Over the wall", ability=of(ilse, "Knife"))
    press(as_dana, tam, "choose", tactic="By boat", ability=of(tam, "Songs"))
    press(as_alice, None, "oppose", name="The night watch", resistance="1", assured="won")
    press(as_alice, None, "set")
    assert press(as_alice, None, "give", whom="ours", kind="consequence", rank="1", name="Hoarse").status_code == 302
    assert Trait.objects.filter(campaign=campaign, kind="consequence", name="Hoarse", value=1).count() == 2
    text = page(as_bob)
    assert "Ilse: Hoarse, −3" in text and "Tam: Hoarse, −3" in text
    assert latest().title == "Past the guard" and not list(differences(campaign.pk))


def test_the_page_says_what_each_other_ability_would_do_and_each_result(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    begin(as_bob, campaign, who=str(ilse.pk))
    press(as_alice, None, "oppose", name="The guard", resistance="14")
    text = page(as_bob)
    assert "With each ability" in text and "Stubborn 17" in text
    press(as_bob, ilse, "choose", tactic="Quietly", ability=of(ilse, "Knife"))
    text = page(as_bob)
    assert "With another ability" in text and "Critical" in text and "Fumble" in text


def test_qw_22_a_pair_keeps_to_itself_what_it_could_have_used(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="I hold the door", ability=of(ilse, "Knife"))
    text = page(logged_in(dana.user))
    assert "With each ability" not in text and "I hold the door" not in text


def test_the_campaign_and_every_entry_name_the_edition_of_the_rules(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    campaign.refresh_from_db()
    for client in (as_alice, as_bob):
        for address in ("settings/", f"ledger/{campaign.head_seq}/"):
            assert "questworlds 0.51" in client.get(f"/c/{campaign.slug}/{address}").content.decode()


def test_qw_63_only_the_player_accepts_that_a_story_may_end(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse, ending="on", stake="She is sent away")
    assert "Accept that the story may end here" not in page(as_alice)
    assert act(as_alice, ilse, "accept").status_code == 409
    assert press(as_alice, None, "set").status_code == 422
    assert "Accept that the story may end here" in page(as_bob)
    assert press(as_bob, ilse, "accept").status_code == 302
    assert press(as_alice, None, "set").status_code == 302
    assert "She is sent away" in " ".join(step["text"] for step in payload(campaign)["outcome"]["steps"])


def test_qw_41_what_was_chosen_in_secret_is_not_spied_on_by_undoing(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, tam: Any, dana: Any
) -> None:
    as_dana = logged_in(dana.user)
    begin(as_alice, campaign, "versus", c0_side="one", c1_side="one")
    press(as_bob, ilse, "choose", tactic="I hold the door", ability=of(ilse, "Knife"))
    press(as_dana, tam, "choose", tactic="I pull", ability=of(tam, "Songs"))
    seq = Entry.objects.filter(campaign=campaign).latest("seq").seq
    refused = as_dana.post(f"/c/{campaign.slug}/ledger/{seq}/undo/", body())
    assert "nothing beside a secret choice" in refused.content.decode() or refused.status_code in (403, 404)
    assert all(entrant.chosen for entrant in state().entrants)
    assert as_alice.post(f"/c/{campaign.slug}/ledger/{seq}/undo/", body()).status_code == 302


def test_qw_20_the_gm_can_call_it_off_while_a_story_point_is_thought_of(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any, monkeypatch: Any
) -> None:
    from campaigns.trail.draft import Draft

    monkeypatch.setattr(Draft, "roll", lambda self, sides, client_seed: [9, 5][: len(sides)])
    frame(as_alice, as_bob, campaign, ilse, resistance="14")
    press(as_alice, None, "set")
    press(as_bob, ilse, "roll")
    assert "Call off the contest" in page(as_alice) and "Call off the contest" not in page(as_bob)
    assert press(as_alice, None, "call_off").status_code == 302
    assert Contest.objects.get().over


def test_the_gm_undoes_act_after_act_of_a_contest(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    frame(as_alice, as_bob, campaign, ilse)
    press(as_alice, None, "modify", whom=str(ilse.pk), line="situation:3", reason="A good night")
    press(as_alice, None, "set")
    press(as_bob, ilse, "roll")
    last = Entry.objects.filter(campaign=campaign).latest("seq").seq
    for seq in (last, last - 1, last - 2):
        answer = as_alice.post(f"/c/{campaign.slug}/ledger/{seq}/undo/", body(reason="Again from there"))
        assert answer.status_code == 302, answer.content.decode()
    assert not state().modifiers and not state().frame_stands
    assert not list(differences(campaign.pk))
