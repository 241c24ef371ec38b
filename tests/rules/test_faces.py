"""Of somebody of whom one knows the face alone no procedure of any game tells a number before the dice do."""
from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.engine import Procedure
from rules.procedure import Perspective
from rules.sheet import NotKnown, Sheet, Trait, Withheld
from rules.system import System
from rules.values import BadMove
from tests.rules.at_any_table import AnyTable
from tests.rules.test_every_procedure import PROCEDURES, played, walk

# Nobody is in what is everybody's of whom players know the face alone.
BETWEEN = [(system, kind) for system, kind in PROCEDURES if kind.casting.who in ("sides", "many", "one")]


class Named(AnyTable):
    """A table at which each line says whose it is."""

    def _sheet(self, name: str) -> Sheet:
        made = super()._sheet(name)
        return replace(made, traits=tuple(replace(trait, name=f"{trait.name} of {name}") for trait in made.traits))


def shown(table: AnyTable, face: str, who: str) -> tuple[str, set[tuple[str, str]]]:
    """All that a player gets who knows only the face of another, and what is offered to them."""
    kind, sheets = table.kind, {**table.sheets, face: table.sheets[face].face}
    view = kind.view(table.state, sheets, Perspective(frozenset({who})))
    own = [offer for offer in kind.offers(table.state, sheets) if offer.by == who]
    return repr((view, own, kind.asks(table.state, sheets))), {(offer.action, offer.by) for offer in own}


@pytest.mark.parametrize(("system", "kind"), BETWEEN, ids=[kind.name for _, kind in BETWEEN])
@played(6)
def test_a_face_has_no_lines_before_the_dice(system: System, kind: Procedure[Any], seed: int) -> None:
    table = Named(system, kind, Random(seed))
    face, who, aloud = sorted(table.sheets)[-1], sorted(table.sheets)[0], ""
    own = [trait.name for trait in table.sheets[face].traits]
    for offer, said, result in walk(table):
        text, offered = shown(table, face, who)
        real = {(offer.action, offer.by) for offer in table.offers() if offer.by == who}
        assert offered <= real, "what is offered to a player can be done"
        assert not {action for action, _ in real - offered} - HELPED, "and all that can be done is offered"
        # What the GM calls an obstacle, after what it is, is the GM's word; a flaw that they frame it against, too.
        said_by_gm = re.compile("foe='([^']*)'|the score of [^']*'")
        hidden = [name for name in own if name not in aloud and name in said_by_gm.sub("", text)]
        assert not hidden
        # What somebody of whom one sees the face does in the open is seen.
        aloud += repr(result.steps) if offer.by else ""
        if offer.by == who:
            check_odds(table, face, offer.action, who, said)
        if result.dice:
            return


# What helps a face's own lines is not offered to whoever doesn't know them.
HELPED: set[str] = set()


def check_odds(table: AnyTable, face: str, action: str, by: str, said: Any) -> None:
    """Odds that are told are those that count no number of the face: with other numbers they are the same."""
    sheets = {**table.sheets, face: table.sheets[face].face}
    try:
        odds = table.kind.forecast(table.state, sheets, by, action, said, Withheld(table.sheets, frozenset({face})))
    except (NotKnown, BadMove):
        return
    assert not [trait.name for trait in table.sheets[face].traits if trait.name in repr(odds)]


def test_a_face_tells_who_it_is_and_nothing_else() -> None:
    whole = Sheet("a", "Ada", (Trait("t", "quality", "Knives", 4),), (("xp", 3),), npc=True)
    assert whole.face == Sheet("a", "Ada", npc=True, known=False)
    with pytest.raises(NotKnown):
        Withheld({"a": whole}, frozenset({"a"})).get("a")
    assert Withheld({"a": whole}, frozenset())["a"] is whole
