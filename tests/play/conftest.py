"""A table that is set: Ilse is Bob's, Old Marrow is an NPC that all see, Whisper one that only Alice does."""
from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from campaigns import trail
from campaigns.models import Campaign
from campaigns.trail.dice import unused
from characters.models import Character, Trait
from play.models import Contest
from play.services.position import find_position
from rules.dice import Throw
from tests import laid
from tests.play.queries import every_post_held


@pytest.fixture(autouse=True)
def no_post_asks_too_much(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test does, no POST of play asks more of the database than it may."""
    with every_post_held(monkeypatch):
        yield


def character(campaign: Any, actor: Any, name: str, traits: list[tuple[str, str, int]], **fields: Any) -> Character:
    """A character with these traits (kind, name, value), by an entry of the trail."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.create", title=f"{name} joins the story",
        audience=trail.GM if fields.get("hidden") else trail.ALL,
    ) as entry:
        made = entry.create(Character(campaign=entry.campaign, name=name, **fields))
        for place, (kind, trait, value) in enumerate(traits):
            entry.create(Trait(
                campaign=entry.campaign, character=made, kind=kind, name=trait, value=value, place=place
            ))
    campaign.refresh_from_db()
    return made


def trait(character: Character, name: str) -> Trait:
    """The trait of this name, as it is now."""
    return character.traits.get(name=name)


def body(**values: Any) -> dict[str, Any]:
    """What a form sends: its own operation, and the values."""
    return {"op_id": str(uuid.uuid4()), **values}


def seed_for(member: Any, sides: Sequence[int], wanted: Callable[[list[int]], bool]) -> str:
    """A browser's seed with which this member's next dice fall as wanted: the trail still works them out again."""
    secret = unused(member).first()
    for number in itertools.count():
        seed = number.to_bytes(32, "big")
        throw = Throw(secret=bytes.fromhex(secret.secret), campaign=str(member.campaign_id), number=secret.number,
                      client_seed=seed)
        if wanted(throw.roll(sides)):
            return seed.hex()
    raise AssertionError


def own_page(begun: Any) -> str:
    """The address of a contest's own page, from the answer to its start: that leads to its card on the table."""
    table, mark, card = begun["Location"].partition("?contest=")
    assert mark, begun["Location"]
    return f"{table}contests/{card.removesuffix('#contest')}/"


MOVED = "The situation changed before you sent this."


def stays_on_top(page: str, sentence: str) -> bool:
    """Whether a contest's page says this before what is redrawn as the table moves, and says it aloud."""
    before, mark, _ = page.partition('<div id="contest"')
    assert mark, "this is no page of a contest"
    return sentence in before.partition('role="alert"')[2]


def leads_to(page: str, action: str, by: Any) -> bool:
    """Whether what is said on top leads to this form, which is there once."""
    name = f"offer-{action}-{by}"
    return stays_on_top(page, f'href="#{name}"') and page.count(f'id="{name}"') == 1


@laid.fixture
def ilse(campaign: Any, bobs: Any) -> Character:
    """Bob's mapmaker."""
    traits = [("strength", "Maps", 2), ("strength", "Knife", 1), ("weakness", "In debt", -1)]
    return character(campaign, bobs, "Ilse", traits, player=bobs)


@laid.fixture
def marrow(campaign: Any, alices: Any) -> Character:
    """An NPC in plain sight."""
    return character(campaign, alices, "Old Marrow", [("strength", "Grudges", 2), ("strength", "Club", 1)], npc=True)


@laid.fixture
def whisper(campaign: Any, alices: Any) -> Character:
    """An NPC that only the GM knows of."""
    return character(campaign, alices, "Whisper", [("strength", "Unseen", 3)], npc=True, hidden=True)


@laid.fixture
def scene(campaign: Any, alices: Any, ilse: Character, marrow: Character) -> Any:
    """A session and a scene in it, with Ilse and Old Marrow."""
    from play.models import Scene
    from play.services import sessions

    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=alices, op_id=uuid.uuid4(), title="The dry well", characters=[ilse.pk, marrow.pk]
    )
    campaign.refresh_from_db()
    return Scene.objects.get(campaign=campaign)


def state_of(contest: Contest) -> Any:
    """A contest as its events tell it, in what the campaign holds."""
    position = find_position(Campaign.objects.get(pk=contest.campaign_id), contest.pk)
    assert position is not None
    return position.state
