"""The rolls that the GM asks for and waits for, for the table."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from campaigns.access import Viewer
from play.models import AskedRoll
from play.services import requests
from rules.codec import read
from rules.procedure import Options
from rules.wording import join


@dataclass(frozen=True)
class AskedRow:
    """A roll that the GM asks for: of whom, and the entry in which each has rolled, None where they have not.

    `requested` is the id of what a player asked for; it is `open` until the GM has said how hard it is. `said` is what
    that player says of it, which the GM may strike until it is rolled.
    """

    seq: int
    label: str
    sealed: bool
    people: tuple[tuple[str, int | None], ...]
    requested: uuid.UUID | None = None
    open: bool = False
    said: Options = ()


def asked_rows(viewer: Viewer, waiting: Iterable[AskedRoll]) -> tuple[AskedRow, ...]:
    """What the GM waits for, oldest first. Order by `asked`, and join the character."""
    words = viewer.campaign.rules.rolls.obstacle_words
    asked = []
    for seq, group in groupby(waiting, key=lambda request: request.asked):
        rows = list(group)
        first, people = rows[0], tuple((row.character.name, row.rolled) for row in rows)
        label = f"{first.what} · {words(read(first.spec)['fields'])}" if first.spec else _requested(first)
        said = requests.said_in(viewer.campaign, first.choice, first.character.name)
        asked.append(AskedRow(
            seq, label, first.sealed, people, first.pk if first.choice else None, not first.spec, said))
    return tuple(row for row in asked if any(rolled is None for _, rolled in row.people))


def _requested(row: AskedRoll) -> str:
    """What a player asks for, with the lines that they mean to use where it is not named by them."""
    names = [line for line in read(row.lines)["lines"] if line not in row.what]
    return f"{row.what}, with {join(names)}" if names else row.what
