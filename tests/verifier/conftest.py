"""A trail with all that a verifier looks at: changes, rolls with and without a share, and the GM's secrets."""
from __future__ import annotations

import uuid
from typing import Any

from campaigns import trail
from campaigns.access import Viewer
from campaigns.trail.export import export
from characters.models import Character, Trait
from rules.moves import Need
from rules.registry import kind_of
from tests import laid

SEED = "5a" * 32
GIVEN = {"qualities": ["good", "expert"], "difficulty": "master"}


def tested(campaign: Any, actor: Any, *, client_seed: str = SEED, audience: str = trail.ALL) -> Any:
    """A roll of the kind that the site's own services make."""
    kind = kind_of("pdq.test")
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind=kind.name, title="A test", audience=audience
    ) as entry:
        faces: list[int] = []
        while isinstance(answer := kind.resolve(kind.read(GIVEN), faces), Need):
            faces += entry.roll(answer.sides, client_seed)
        entry.move({"given": GIVEN}, answer)
    return entry.written


def renamed(campaign: Any, actor: Any, name: str, *, audience: str = trail.ALL) -> Any:
    """Gives the campaign's only character another name."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="character.rename", title=name, audience=audience
    ) as entry:
        entry.change(entry.locked(Character), name=name)
    return entry.written


@laid.fixture
def played(campaign: Any, alices: Any, bobs: Any) -> Any:
    """A campaign with a character of Bob's, three rolls and two changes, all of which can be read."""
    with trail.entry(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="character.create", title="Ilse"
    ) as entry:
        # A line's end and then a combining accent: NFC over the written JSON would join the accent to the "n".
        story = "Salt\n\u0301and “bread” \\n\u0301"
        ilse = entry.create(Character(campaign=campaign, name="Ilse", player=bobs, story=story))
        entry.create(Trait(campaign=campaign, character=ilse, kind="strength", name="Café", value=2))
    tested(campaign, bobs)
    tested(campaign, bobs, client_seed="")
    renamed(campaign, bobs, "Ilse Varn")
    tested(campaign, alices)
    with trail.entry(
        campaign=campaign, actor=bobs, op_id=uuid.uuid4(), kind="character.trait", title="Café lost"
    ) as entry:
        entry.remove(entry.locked(Trait))
    campaign.refresh_from_db()
    return campaign


@laid.fixture
def secret(played: Any, alices: Any) -> Any:
    """The same, with a roll behind the screen, a change that only the GM sees, and another roll after them."""
    tested(played, alices, audience=trail.GM)
    renamed(played, alices, "Ilse the Second", audience=trail.GM)
    tested(played, alices)
    played.refresh_from_db()
    return played


def exported(campaign: Any, member: Any) -> list[bytes]:
    """The member's export, line by line."""
    return [line.encode() for line in export(Viewer(campaign, member))]
