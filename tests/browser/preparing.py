"""A GM's desk that lies ready: all that a game has to start with, heroes, obstacles, and a plan with NPCs in it."""
from __future__ import annotations

import uuid
from typing import Any

LONG_NAMES = ("Keeps the lamp at the end of the drowned causeway", "Knows every ferryman by his mother’s name",
              "Has read what was struck out of the toll book", "Never forgets a voice heard in fog",
              "Carries two knives and a psalter", "Walks with the drowned", "Owes the Salt Fair a song",
              "Sees in the dark as long as nobody speaks", "Born upriver", "Hates the tide", "Counts aloud",
              "Lies badly to children")


def desk(system: str, heroes: int = 0, obstacles: int = 0, npcs: int = 0) -> Any:
    """Alice's campaign of this game: so many heroes, obstacles and NPCs, one of twelve long lines, in a planned scene;
    its address, cookies, and how many NPCs there are."""
    from campaigns.services.founding import found
    from play.models import PlanScene, PrepItem
    from play.services import bank, library, plan
    from rules import quick_lines
    from tests.browser.staging import _entrance
    from tests.conftest import person
    from tests.play.conftest import character
    from tests.play.test_matrix import party

    people = {"Alice": person(f"Alice-{uuid.uuid4().hex[:6]}")}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"The Salt Desk {uuid.uuid4().hex[:4]}",
                     system=system)
    gm, rules = campaign.members.get(), campaign.rules
    by: dict[str, Any] = {"campaign": campaign, "actor": gm}
    library.add(**by, op_id=uuid.uuid4(), lines=[
        quick_lines.read(starter.line, rules, starter.kind, text=starter.text) for starter in rules.starters])
    campaign.refresh_from_db()
    party(campaign, heroes)
    kind = next(
        kind.name for kind in rules.sheet.trait_kinds if kind.values and not (kind.condition or kind.played))
    value = next(trait_kind.default for trait_kind in rules.sheet.trait_kinds if trait_kind.name == kind)
    for number in range(npcs):
        lines = LONG_NAMES if number == 0 else LONG_NAMES[:1 + number % 5]
        character(campaign, gm, f"The keeper of lamp {number}", [(kind, name, value) for name in lines], npc=True,
                  concept="Lives where the causeway goes under, and is paid in salt")
    item = PrepItem.objects.filter(campaign=campaign, type=rules.prep_items[0].name).first()
    assert item is not None
    if obstacles:
        bank.duplicate(**by, op_id=uuid.uuid4(), prepared_id=item.pk, count=obstacles)
        _each_as_hard_as_another(by, item)
    plan.write_plan(**by, op_id=uuid.uuid4(), title="The moot", notes="Bring the map.")
    plan.write_scene(**by, op_id=uuid.uuid4(), title="The lamp bridge", words="Fog on the water.", notes="She lies.")
    scene, known = PlanScene.objects.get(campaign=campaign), _those_of_the_library_first(campaign)
    for thing in (*known[:6], item):
        plan.add_line(**by, op_id=uuid.uuid4(), thing_id=thing.pk, plan_scene_id=scene.pk)
    campaign.refresh_from_db()
    return {**_entrance(campaign, people), "npcs": known.count()}


def _those_of_the_library_first(campaign: Any) -> Any:
    from characters.models import Character

    return Character.objects.filter(campaign=campaign, npc=True).order_by("concept", "name")


def _each_as_hard_as_another(by: dict[str, Any], like: Any) -> None:
    """Gives the obstacles of the copies of something different difficulties, as far as the game has so many."""
    from play.models import PrepItem
    from play.services import bank
    from rules.prep import harder

    campaign, kind = by["campaign"], bank.kind_of(by["campaign"], like.type)
    copies = PrepItem.objects.filter(campaign=campaign, type=like.type, name__startswith=like.name).exclude(pk=like.pk)
    for number, copy in enumerate(copies.order_by("name")):
        spec = held = bank.spec_of(copy)
        for place, obstacle in enumerate(kind.obstacles(copy.name, held)):
            moved = [made[1] for steps in range(-20, 60)
                     if (made := harder(campaign.rules.rolls.obstacle, obstacle.values, steps))]
            spec = kind.with_obstacle(spec, place, moved[(number + place) % len(moved)])
        if spec != held:
            bank.write(**by, op_id=uuid.uuid4(), type=copy.type, name=copy.name, words=copy.text, looks=copy.looks,
                       fields=spec, prepared_id=copy.pk)
