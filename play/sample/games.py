"""The samples that can be played, by game: who sits at the table, and what plays it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.models import Campaign
from play.sample import evenings
from play.sample.pdq_sharp import evening as gilded_compass


@dataclass(frozen=True)
class Sample:
    """A sample: people as (name, what they do), the GM's first, and what plays it between these accounts."""

    people: tuple[tuple[str, str], ...]
    play: Callable[..., Campaign]

    def between(self, users: Mapping[str, Any]) -> Campaign:
        """Plays it; `users` are accounts by name."""
        gm, *players = (users[name] for name, _ in self.people)
        return self.play(gm=gm, player=players[0]) if len(players) == 1 else self.play(gm=gm, players=players)


FIRST = "pdq"  # what a first start plays
SAMPLES = {
    "pdq": Sample((("Mara", "runs the game"), ("Jonas", "plays Nell and Hester")), evenings.play),
    "pdq_sharp": Sample(
        (("Mara", "runs the game"), ("Jonas", "plays Perpetua Vane"), ("Pia", "plays Matteo Brand")),
        gilded_compass.play),
}
