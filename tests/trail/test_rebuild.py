"""The tables are what the trail adds up to, whatever was done at the table and in whatever order."""
from __future__ import annotations

import io
import itertools
import random
import uuid
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import verify
from campaigns.models import Campaign, Role
from campaigns.services.founding import found
from campaigns.trail import chain, dice
from campaigns.trail.rebuild import by_tables, rebuild
from campaigns.trail.tracked import TRACKED
from campaigns.trail.verifying import Progress, check
from characters.models import Character, Trait
from tests import laid
from tests.conftest import join
from tests.effort import tries
from tests.play.conftest import character
from tests.trail.walking import Walk
from tests.verifier.conftest import exported
from tests.verifier.test_sound import RULES

pytestmark = pytest.mark.django_db

EXAMPLES, ROUNDS = tries(3, 12), 3


def run(campaign: Campaign, *arguments: str) -> str:
    """What `manage.py rebuild` says; raises `CommandError` where it ends with status 1, with all that it said."""
    said = io.StringIO()
    try:
        call_command("rebuild", campaign.slug, *arguments, stdout=said)
    except CommandError as error:
        raise CommandError(f"{said.getvalue()}{error}") from error
    return said.getvalue()


def checked(campaign: Campaign, most: int) -> Progress:
    """The chain, checked to its end."""
    progress = Progress()
    while not progress.over:
        progress = check(campaign, progress, most)
    return progress


SEEN: set[str] = set()


@settings(
    max_examples=EXAMPLES, derandomize=True, phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_is_done_can_be_built_anew_and_verified(
    chance: random.Random, alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = itertools.count(1)
    monkeypatch.setattr(dice, "new_secret", lambda: next(secrets).to_bytes(32, "big"))  # so that a walk can be repeated
    with transaction.atomic():
        # Dice follow from the campaign's id too: a walk that is repeated has to throw the same.
        campaign = found(user=alice, op_id=uuid.UUID(int=1), name="The Salt Road", system="pdq")
        owner, plays = campaign.members.get(), join(campaign, bob, Role.PLAYER)
        walk = Walk(campaign, owner, plays, chance)
        for name in ("player_makes_one", "npc", "npc", "open_session", "open_scene"):
            walk.step(name)
        for name in [name for _ in range(ROUNDS) for name in walk.everything()]:
            walk.step(name)
        SEEN.update(walk.done)
        campaign.refresh_from_db()
        holds(campaign, owner, plays)
        built_from_nothing(campaign)
        transaction.set_rollback(True)


def holds(campaign: Campaign, owner: Any, plays: Any) -> None:
    """The tables say what the trail says, and everybody's export and the chain itself are sound."""
    assert "The tables say what the trail says." in run(campaign, "--check")
    whole = checked(campaign, 500)
    assert whole.fault == ""
    assert checked(campaign, 7) == whole, "A check in steps finds something else than a check at once."
    for member in (owner, plays):
        report = verify.verify(exported(campaign, member), rules=RULES)
        assert (report.entries, report.head) == (campaign.head_seq, campaign.head_hash)
        assert report.rolls + report.sealed_rolls == whole.rolls
    assert verify.verify(exported(campaign, owner)).sealed == 0


def built_from_nothing(campaign: Campaign) -> None:
    """With every row gone that can go, the trail alone gives the same tables."""
    before = by_tables(campaign.pk)
    for name in reversed(TRACKED):
        if name not in ("campaign", "member"):  # the trail itself hangs on these
            rows = TRACKED[name].rows(campaign.pk)
            rows._raw_delete(rows.db)
    assert by_tables(campaign.pk) != before
    rebuild(campaign.pk)
    connection.check_constraints()
    assert by_tables(campaign.pk) == before


def test_the_walks_did_everything() -> None:
    """What the walk above is worth: nothing of what it can do was refused each time."""
    if not SEEN:
        pytest.skip("the walk did not run before this")
    everything = {name.removeprefix("do_") for name in dir(Walk) if name.startswith("do_")}
    # The order of rows with random ids is chance: a rare deed may be refused each time, but not several.
    assert len(everything - SEEN) <= 2, f"These were refused in every walk: {everything - SEEN}."


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    return character(campaign, bobs, "Ilse", [("strength", "Maps", 2), ("weakness", "In debt", -1)], player=bobs)


def sql(statement: str, *parameters: Any) -> None:
    """Somebody at the database's own prompt."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def pk_of(row: Any) -> str:
    """A row's key as its table holds it."""
    return row.pk.hex if connection.vendor == "sqlite" else str(row.pk)


def test_a_number_that_somebody_changed_by_hand(campaign: Any, ilse: Character) -> None:
    maps = ilse.traits.get(name="Maps")
    sql("UPDATE characters_trait SET value = 3 WHERE id = %s", pk_of(maps))
    with pytest.raises(CommandError, match=rf"trait {maps.pk} differs in value: 3, by the trail 2") as exception_info:
        run(campaign, "--check")
    assert "1 rows differ" in str(exception_info.value)
    assert ilse.traits.get(name="Maps").value == 3, "A check changes nothing."
    assert "1 rows were put right." in run(campaign)
    assert ilse.traits.get(name="Maps").value == 2
    assert "The tables say what the trail says." in run(campaign, "--check")


def test_a_row_that_somebody_took_away(campaign: Any, ilse: Character) -> None:
    maps = ilse.traits.get(name="Maps")
    sql("DELETE FROM characters_trait WHERE id = %s", pk_of(maps))
    with pytest.raises(CommandError, match=rf"trait {maps.pk} is in the trail and missing from its table"):
        run(campaign, "--check")
    run(campaign)
    assert ilse.traits.get(name="Maps").pk == maps.pk
    run(campaign, "--check")


def test_a_row_that_somebody_slipped_in(campaign: Any, ilse: Character) -> None:
    Trait.objects.create(campaign=campaign, character=ilse, kind="strength", name="Wealth", value=3)
    with pytest.raises(CommandError, match="is in its table and not in the trail"):
        run(campaign, "--check")
    run(campaign)
    assert not ilse.traits.filter(name="Wealth").exists()
    run(campaign, "--check")


def test_a_whole_character_that_somebody_took_away(campaign: Any, ilse: Character) -> None:
    sql("DELETE FROM characters_trait WHERE character_id = %s", pk_of(ilse))
    sql("DELETE FROM characters_character WHERE id = %s", pk_of(ilse))
    with pytest.raises(CommandError, match="3 rows differ"):
        run(campaign, "--check")
    run(campaign)
    assert sorted(Character.objects.get(pk=ilse.pk).traits.values_list("name", flat=True)) == ["In debt", "Maps"]
    run(campaign, "--check")


def test_the_trail_itself_is_never_put_right(campaign: Any, ilse: Character) -> None:
    """What the tables are built from is not what they are built to."""
    head = (campaign.head_seq, campaign.head_hash)
    ilse.traits.update(value=1)
    run(campaign)
    campaign.refresh_from_db()
    assert (campaign.head_seq, campaign.head_hash) == head
    assert campaign.head_hash != chain.GENESIS


def test_a_campaign_that_there_is_not(db: None) -> None:
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        call_command("rebuild", "nowhere", "--check")
