"""What betters a roll: techniques, each once a turn, and style dice, which go to the bowl (PS-04, PS-11, PS-44)."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.procedure import CampaignContext
from rules.sheet import Effect, Purse, Sheet, Trait, Transfer
from rules.systems.pdq_sharp.kinds import IDIOM
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, STYLE, techniques
from rules.values import BadMove


def purse(sheet: Sheet, context: CampaignContext, *, player: bool) -> int:
    """How many style dice somebody can spend: their own, and for an NPC the GM's besides (PS-40, PS-45)."""
    return sheet.pool(STYLE) + (0 if player else context.pool(GM_DICE))


def payment(sheet: Sheet, dice: int, why: str = "Be impressive") -> tuple[Effect, ...]:
    """The way of so many style dice into the bowl: one's own first, then the GM's (PS-44)."""
    own = min(dice, sheet.pool(STYLE))
    spent = ((own, Purse(STYLE, sheet.id)), (dice - own, Purse(GM_DICE)))
    return tuple(Transfer(many, source, Purse(BOWL), why) for many, source in spent if many)


def winnings(sheet_id: str, why: str, dice: int = 1) -> Transfer:
    """The way of a style die from the box to whoever won it (PS-16)."""
    return Transfer(dice, None, Purse(STYLE, sheet_id), why)


def open_techniques(sheet: Sheet, fortes: Iterable[str], used: Sequence[str]) -> list[Trait]:
    """The techniques that go with these fortes and were not used yet; of idioms one alone in a turn (PS-04)."""
    spoken = any(trait.value == IDIOM for id_ in used if (trait := sheet.trait(id_)))
    return [
        technique for technique in techniques(sheet, fortes)
        if technique.id not in used and not (spoken and technique.value == IDIOM)]


def check_idioms(sheet: Sheet, used: Iterable[str], field: str = "techniques") -> None:
    """Raises `BadMove` for two idioms at a time (PS-04)."""
    if sum(trait.value == IDIOM for id_ in used if (trait := sheet.trait(id_))) > 1:
        raise BadMove("One idiom at a time: choose which.", field)
