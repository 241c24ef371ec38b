"""What a campaign of Danger World can set, and what a check keeps of it in its first event."""
from __future__ import annotations

from dataclasses import dataclass

from rules.fields import Flag, Whole
from rules.settings import setting
from rules.systems.danger_world.aspects import SESSION_POINTS


@dataclass(frozen=True)
class Settings:
    """All of them, in the order in which the campaign's page asks."""

    points: int = setting(Whole(
        name="points", label="Story points for each session", default=SESSION_POINTS, least=0, most=20))
    agree: bool = setting(Flag(name="agree", label="The GM agrees to each pool before it is rolled", default=True))
    hint: bool = setting(Flag(
        name="hint", label="Mark the dice that are best kept", default=True,
        help="With the exact chance beside them, during re-rolls."))


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """Those that a check reads."""

    agree: bool
    hint: bool
