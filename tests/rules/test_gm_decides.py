"""What the GM has to decide waits until it is answered or passed, whatever others do meanwhile."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from rules.procedure import Offer
from rules.registry import SYSTEMS
from rules.sheet import Sheet
from tests.effort import tries
from tests.rules.at_any_table import AnyTable

PLAYS, STEPS = tries(25, 1000), 30
# Where decisions of the GM's come up, and the player's act that takes back what one of them is about.
KINDS = {"pnc.fight": ("mulligan",), "pdq.conflict": (), "danger_world.check_at_table": (),
         "pdq_sharp.challenge_at_table": (), "pdq_sharp.style_dice": (),
         # Who chooses anew, or has no part any more, asks for no augment to what they chose before; while the dice of
         # one augment lie, the others are answered after them.
         "questworlds.framed": ("back_out", "choose", "roll_augment"),
         "questworlds.group": ("back_out", "choose", "roll_augment"),
         # Who concedes asks for no further prize any more, and none is had of whom a follower brings back.
         "questworlds.scored": ("concede", "shift"), "questworlds.chained": (), "questworlds.extended": ("concede",),
         "questworlds.resources": ("withdraw",)}


class NewScene(AnyTable):
    """A table at which nothing has happened in the scene, so that the rules ask the GM about the first time."""

    def _sheet(self, name: str) -> Sheet:
        made, noted = super()._sheet(name), {pool.name for pool in self.system.sheet.pools if pool.of_scene}
        return replace(made, pools=tuple((pool, value) for pool, value in made.pools if pool not in noted))


def decisions(table: AnyTable, offers: Iterable[Offer]) -> Counter[tuple[str, str]]:
    """What waits for the GM, by act and words; what is asked at once of several is so of each."""
    asks = table.kind.asks(table.state, table.sheets)
    offered = {offer.action for offer in offers if not offer.by}
    waiting = Counter((ask.action, about) for ask in asks if ask.waits
                      for about in (ask.text.partition(": ")[2] or ask.text).split("; "))
    assert {action for action, _ in waiting} <= offered, "what is asked can be answered"
    return waiting


@pytest.mark.parametrize("name", KINDS)
def test_no_decision_of_the_gms_is_lost_by_what_others_do(name: str) -> None:
    system = SYSTEMS[name.partition(".")[0]]
    kind = next(kind for kind in system.procedures if kind.name == name)
    met = 0
    for seed in range(5 * PLAYS):  # in a play of chance the GM has seldom to decide in a group
        if met and seed >= PLAYS:
            break
        table = NewScene(system, kind, Random(seed))
        # What is offered costs the most by far: it is asked once for each step, and holds until the next is done.
        offers = list(table.offers())
        before = decisions(table, offers)
        for _ in range(STEPS):
            table.chance.shuffle(offers)
            # Players go on as long as they can; the GM acts where nobody else can, or now and then.
            offers.sort(key=lambda offer: not offer.by if table.chance.random() < 0.8 else offer.by > "")
            did = next(((offer, done) for offer in offers if (done := table.found(offer))), None)
            if did is None:
                break
            offer, (_, result) = did
            over = table.ends(result)
            table.keep(result)
            waited, binds = before, before and offer.by and offer.action not in KINDS[name]
            assert not (over and binds), f"{offer.action} ends it over {dict(waited)}"
            if over:
                break
            offers = list(table.offers())
            before = decisions(table, offers)
            if binds:
                met += 1
                lost = waited - before
                gone = [contestant.name for contestant in getattr(table.plain, "contestants", ()) if contestant.out]
                assert all(any(name in text for name in gone) for _, text in lost), f"{offer.action} loses {dict(lost)}"
    assert met or not any_player_could(name), f"{name}: nothing was ever decided while others acted"


def any_player_could(name: str) -> bool:
    """Whether players can do anything there while the GM has to decide: in a challenge or a check of one they can't."""
    return name not in ("pdq_sharp.challenge_at_table", "danger_world.check_at_table")
