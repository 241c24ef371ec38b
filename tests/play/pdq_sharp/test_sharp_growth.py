"""What a PDQ# sheet goes through outside of contests: motivations, wealth, hooks, poison, growth, scenes."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.services.setting import last_change
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import PendingAllocation
from rules.sheet import Damage, Gain, Spend
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import from_line, suffers

pytestmark = pytest.mark.django_db


def act(who: Client, character: Character, action: str, expect: int = 302, **said: Any) -> str:
    """An action on a sheet's own page; what the page, or the sheet, then says."""
    at = f"/c/{character.campaign.slug}/sheet-actions/{character.pk}/{action}/"
    answer = who.post(at, body(**said))
    assert answer.status_code == expect, answer.content.decode()
    assert not list(differences(character.campaign_id))
    return str((who.get(answer["Location"]) if expect == 302 else answer).content.decode())


def close_scene(as_alice: Client, campaign: Any) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/scene/close/", body()).status_code == 302
    assert not list(differences(campaign.pk))


def setting(as_alice: Client, campaign: Any, **changes: str) -> None:
    """Changes settings on their page."""
    sent = {f"setting-{name}": value for name, value in campaign.settings.items()}
    sent |= {f"setting-{name}": value for name, value in changes.items()}
    at = f"/c/{campaign.slug}/settings/"
    answer = as_alice.post(at, body(base=last_change(campaign), name=campaign.name, pitch="", **sent))
    assert answer.status_code == 302, answer.content.decode()


def test_ps_12_a_motivation_is_burned_and_replaced(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, session: None
) -> None:
    drive = trait(perpetua, "Clear her name")
    page = act(as_bob, perpetua, "burn", line=str(drive.pk))
    assert "counts double in this scene" in page
    burned = perpetua.traits.get(kind="burned")
    chosen = body(character=str(perpetua.pk), difficulty="expert", fortes=[str(drive.pk)])
    tray = as_alice.post(f"/c/{campaign.slug}/tray/", chosen, headers={"HX-Request": "true"}).content.decode()
    assert "2d6, +4 against 11" in tray
    close_scene(as_alice, campaign)
    assert "to be replaced" in as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    act(as_bob, perpetua, "motivation", expect=422, line=str(burned.pk), name="Clear her name")
    act(as_bob, perpetua, "motivation", line=str(burned.pk), name="Find the twin")
    assert not perpetua.traits.filter(kind="burned").exists()
    drive.refresh_from_db()
    assert (drive.name, drive.kind) == ("Find the twin", "motivation")


def test_ps_05_a_fortune_is_squandered(as_bob: Client, campaign: Any, bobs: Any) -> None:
    rich = from_line(campaign, bobs, "Otto, Sailing good", player=bobs)
    suffers(campaign, Gain(str(rich.pk), "wealthy", "Estates", 1))
    estates = str(trait(rich, "Estates").pk)
    act(as_bob, rich, "squander", line=estates, how="push")
    assert trait(rich, "Estates").value == 1
    act(as_bob, rich, "squander", line=estates, how="push")
    assert trait(rich, "Estates").value == 0
    act(as_bob, rich, "squander", line=estates, how="beyond")
    assert "Poor [−2]" in as_bob.get(f"/c/{campaign.slug}/characters/{rich.pk}/").content.decode()


def test_ps_33_failure_ranks_come_back_and_wounds_are_rolled(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, session: None, dice: list[int]
) -> None:
    gambler, fencing = trait(perpetua, "Gambler"), trait(perpetua, "Fencing")
    suffers(campaign, Damage(str(gambler.pk), 2), Damage(str(fencing.pk), 1, failure=True),
            Spend(str(perpetua.pk), "scene_hits", 1))
    sheet = as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    assert "2 wound ranks" in sheet and "1 failure rank" in sheet
    close_scene(as_alice, campaign)
    assert trait(perpetua, "Fencing").damage == 0 and trait(perpetua, "Gambler").damage == 2
    assert perpetua.pools.get(name="scene_hits").value == 0
    owed = PendingAllocation.objects.get()
    at = f"/c/{campaign.slug}/to-place/{owed.pk}/"
    assert "What affects healing" in as_bob.get(at).content.decode()
    dice += [1, 1]
    assert as_bob.post(at, body()).status_code == 302
    place = PendingAllocation.objects.get(settled=False)
    assert (place.type, place.amount) == ("recovery", 2)
    spread = {f"on_{gambler.pk.hex}": "2"}
    assert as_bob.post(f"/c/{campaign.slug}/to-place/{place.pk}/", body(**spread)).status_code == 302
    assert trait(perpetua, "Gambler").damage == 0


def test_ps_33_a_slow_healer_gets_one_rank(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, session: None
) -> None:
    suffers(campaign, Damage(str(trait(perpetua, "Gambler").pk), 2))
    close_scene(as_alice, campaign)
    foible = str(trait(perpetua, "Must have the last word").pk)
    at = f"/c/{campaign.slug}/to-place/{PendingAllocation.objects.get().pk}/"
    assert as_bob.post(at, body(traits=[foible])).status_code == 302
    assert PendingAllocation.objects.get(settled=False).amount == 1


def test_ps_30_harm_outside_of_a_duel_is_placed_and_leaves_hooks(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, session: None
) -> None:
    act(as_alice, perpetua, "harm", ranks="3", name="Through the burning mill")
    owed = PendingAllocation.objects.get()
    at = f"/c/{campaign.slug}/to-place/{owed.pk}/"
    spread = {f"on_{trait(perpetua, 'Gambler').pk.hex}": "3"}
    assert as_bob.post(at, body(**spread)).status_code == 302
    notes = sorted(trait.note for trait in perpetua.traits.filter(kind="hook"))
    assert notes == ["The first hit of a scene", "Zeroed out"]
    assert "Zeroed out" in as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()


def test_ps_48_hooks_are_written_down_and_used(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character
) -> None:
    act(as_alice, perpetua, "hook", name="Gambler", **{"from": "The first hit of a scene"})
    hook = perpetua.traits.get(kind="hook")
    page = act(as_alice, perpetua, "write_hook", line=str(hook.pk), name="A debt is called in")
    assert "A debt is called in" in page and "The first hit of a scene" in page
    act(as_alice, perpetua, "use_hook", line=str(hook.pk))
    assert "used" in as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    assert "Add a story hook" not in as_bob.get(f"/c/{campaign.slug}/sheet-actions/{perpetua.pk}/").content.decode()


@pytest.mark.parametrize(("how", "leaves"), [("harms", "owed"), ("weakens", "poisoned"), ("kills", "fallen")])
def test_ps_49_poison_does_what_the_table_agreed_on(
    as_alice: Client, campaign: Any, perpetua: Character, dice: list[int], how: str, leaves: str
) -> None:
    if how != "harms":  # which is the default
        setting(as_alice, campaign, poison=how)
    dice[:] = [5, 5]  # against 11, with nothing that counts
    act(as_alice, perpetua, "poison", rank="2", type="1")
    kinds = set(perpetua.traits.filter(kind__in=("poisoned", "fallen", "hook")).values_list("kind", flat=True))
    if leaves == "owed":
        assert PendingAllocation.objects.get().amount == 4 and not kinds
    else:
        assert leaves in kinds and not PendingAllocation.objects.exists()
    sheet = as_alice.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    assert ("is mostly dead" in sheet) == (how == "kills")


def test_ps_49_a_poison_that_kills_rolls_their_challenge_by_itself(
    as_alice: Client, campaign: Any, perpetua: Character, dice: list[int]
) -> None:
    setting(as_alice, campaign, poison="kills")
    counted = trait(perpetua, "Gambler")
    dice[:] = [5, 5]
    act(as_alice, perpetua, "poison", rank="2", type="1", fortes=[str(counted.pk)])  # Gambler brings 11 and more
    written = Entry.objects.get(kind="deed.poison").payload.text
    assert "withstands the poison" in written and "PS-10" in written
    assert not perpetua.traits.filter(kind="fallen").exists()
    sent = as_alice.get(f"/c/{campaign.slug}/sheet-actions/{perpetua.pk}/").content.decode()
    assert "Fortes against it" in sent and "came to" not in sent


def test_ps_49_the_weakened_do_not_heal_until_the_antidote(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, session: None
) -> None:
    setting(as_alice, campaign, poison="weakens")
    act(as_alice, perpetua, "poison", rank="1", type="2")
    suffers(campaign, Damage(str(trait(perpetua, "Gambler").pk), 1))
    close_scene(as_alice, campaign)
    assert not PendingAllocation.objects.exists()
    act(as_alice, perpetua, "antidote", line=str(perpetua.traits.get(kind="poisoned").pk))
    assert not perpetua.traits.filter(kind="poisoned").exists()


def test_ps_49_what_the_table_agreed_on_is_a_setting(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    setting(as_alice, campaign, penumbra="Pirate: rigging, not fencing on land", together="crew", aesthetic="pirate")
    page = as_bob.get(f"/c/{campaign.slug}/settings/").content.decode()
    assert "Pirate: rigging, not fencing on land" in page and "A pirate crew" in page


def test_ps_49_what_a_forte_covers_stands_on_its_sheet_and_where_it_is_chosen(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character
) -> None:
    agreed = "Fencing: swords of any kind\nRepartee covers courts and taverns\nPirate: ropes"
    setting(as_alice, campaign, penumbra=agreed)
    page = as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/").content.decode()
    assert "What your table agreed on" in page and "swords of any kind" in page and "covers courts and taverns" in page
    assert "ropes" not in page


class TestGrowth:
    """PS-47, on its page."""

    @pytest.fixture
    def trained(self, campaign: Any, perpetua: Character) -> Character:
        suffers(campaign, Spend(str(perpetua.pk), "training_points", 24))
        return perpetua

    def buy(
        self, who: Client, character: Character, choice: str, name: str = "", words: str = "", expect: int = 302
    ) -> str:
        answer = who.post(f"/c/{character.campaign.slug}/characters/{character.pk}/grow/",
                          body(choice=choice, name=name, words=words))
        assert answer.status_code == expect, answer.content.decode()
        return str(answer.content.decode())

    def left(self, character: Character) -> int:
        return int(character.pools.get(name="training_points").value)

    def test_ps_47_ranks_and_fortes(self, as_bob: Client, campaign: Any, trained: Character) -> None:
        page = as_bob.get(f"/c/{campaign.slug}/characters/{trained.pk}/grow/").content.decode()
        assert "Raise Repartee to Expert [+4], for 4" in page and "A new forte at Good [+2], for 8" in page
        self.buy(as_bob, trained, f"raise:{trait(trained, 'Repartee').pk}")
        assert trait(trained, "Repartee").value == 2 and self.left(trained) == 20
        self.buy(as_bob, trained, "forte", "Sailing", expect=422)
        self.buy(as_bob, trained, "forte", "Sailing", "Shanghaied by the navy")
        assert trait(trained, "Sailing").value == 1 and self.left(trained) == 12
        assert trained.traits.get(kind="hook").name == "Shanghaied by the navy"
        assert not list(differences(campaign.pk))

    def test_ps_47_foibles_and_techniques(self, as_bob: Client, campaign: Any, trained: Character) -> None:
        fencing, repartee = trait(trained, "Fencing"), trait(trained, "Repartee")
        self.buy(as_bob, trained, f"technique:{fencing.pk}", "Weapon: Dagger")
        assert (trait(trained, "Dagger").parent, trait(trained, "Dagger").value, self.left(trained)) == (fencing, 5, 22)
        self.buy(as_bob, trained, f"technique:{repartee.pk}", "Idiom: Dry", "A season at court")
        assert trait(trained, "Dry").note == "A season at court" and self.left(trained) == 18
        self.buy(as_bob, trained, "technique:", "With a partner", "The partner’s past")
        assert trait(trained, "With a partner").parent is None and self.left(trained) == 12
        self.buy(as_bob, trained, "foible", "Gentlewoman", "Too long with the Princess")
        assert trait(trained, "Gentlewoman").kind == "foible" and self.left(trained) == 8

    def test_ps_47_what_was_bought_is_charged_to_no_budget(
        self, as_bob: Client, campaign: Any, trained: Character
    ) -> None:
        self.buy(as_bob, trained, f"raise:{trait(trained, 'Fencing').pk}")
        self.buy(as_bob, trained, "forte", "Sailing", "Shanghaied")
        page = as_bob.get(f"/c/{campaign.slug}/characters/{trained.pk}/edit/").content.decode()
        assert "8 of 8." in page and "too many" not in page

    def test_ps_47_what_is_too_dear_is_not_offered(self, as_bob: Client, campaign: Any, perpetua: Character) -> None:
        suffers(campaign, Spend(str(perpetua.pk), "training_points", 2))
        page = as_bob.get(f"/c/{campaign.slug}/characters/{perpetua.pk}/grow/").content.decode()
        assert "A technique chained to Fencing, for 2" in page and "A new forte" not in page
        self.buy(as_bob, perpetua, "forte", "Sailing", "Shanghaied", expect=422)
