"""What a campaign of PnC can set, and what rolls and fights keep of it in their first event."""
from __future__ import annotations

from dataclasses import dataclass

from rules.fields import Choice, Flag, Whole
from rules.settings import setting
from rules.systems.pnc.combat import MULLIGANS
from rules.systems.pnc.standard_roll import OPEN_ENDED


@dataclass(frozen=True)
class Settings:
    """All of them, in the order in which the campaign's page asks."""

    open_ended: bool = setting(OPEN_ENDED)
    mulligans: int = setting(Whole(
        name="mulligans", label="Mulligan points a session", default=MULLIGANS, least=0, most=12,
        help="A session fills each player’s character up to this; what was earned beyond it stays."))
    swing: bool = setting(Flag(
        name="swing", label="A 20 earns a mulligan point, a 1 loses one", default=True,
        help="For players only, as the d20 falls first. Nobody has fewer than none."))
    initiative: str = setting(Choice(name="initiative", label="Initiative", default="degree", options=(
        ("degree", "A standard roll each, the greatest degree first"), ("d6", "1d6 each, ties rolled off"))))


@dataclass(frozen=True, kw_only=True)
class RollSettings:
    """Those that a standard roll and an opposed one read."""

    open_ended: bool
    swing: bool


@dataclass(frozen=True)
class FightSettings:
    """Those that a fight reads, and whether it is an opposed roll."""

    initiative: str = "degree"  # or `d6` (PN-07)
    open_ended: bool = True
    swing: bool = True
    opposed: bool = False  # one attack roll that is no attack: nobody is hurt, and it ends with the reading
