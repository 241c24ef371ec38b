"""The style dice of a session as a procedure: it begins and ends with each session (PS-40 to PS-46)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, StatesFacts, Values
from rules.fields import Field, Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import Ask, Casting, Fact, FactRule, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.pdq_sharp.settings import ACCLAIM, OWN_ACCLAIM
from rules.systems.pdq_sharp.style_dice import giving
from rules.systems.pdq_sharp.style_dice.acts import HANDLERS
from rules.systems.pdq_sharp.style_dice.events import Event, Result
from rules.systems.pdq_sharp.style_dice.evolve import evolve
from rules.systems.pdq_sharp.style_dice.offers import asks, offers
from rules.systems.pdq_sharp.style_dice.state import WEIGHTS, State
from rules.systems.pdq_sharp.style_dice.view import view


class StyleDice(Procedure[State, Event], KnowsCampaign[State], StatesFacts[State]):
    """Bowl, box and holders; gifts, awards, foibles, misfortunes; what players create with theirs."""

    name = "pdq_sharp.style_dice"
    title = "Style dice"
    default_title = "Style dice"
    start_label = "Bring out the style dice"
    casting = Casting("everyone", open=True)
    placement = Placement(exclusive=False, needs_scene=False, session_end="finish")
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Who", default=(), most=200, of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        ACCLAIM,
        OWN_ACCLAIM,
        Whole(name="misfortunes", label="Vexing misfortunes before a warning", default=2, most=10),
    )
    stored = StoredEvents[Event](Event)
    fact_rule = FactRule(("fact", "chip_in", "named_npc", "npc_forte", "npc_technique"),
                         "What players stated with style dice is kept here: a minor fact for none, a significant one "
                         "for 1, a major one for 2.")
    handlers = HANDLERS

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return giving.begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state, sheets)

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def facts(self, state: State) -> tuple[Fact, ...]:
        """What stands, and what waits for the rest of its price."""
        return tuple(
            Fact(each.words, _weight(each.weight, each.cost), each.who, each.left <= 0) for each in state.facts)


def _weight(weight: str, cost: int) -> str:
    price = "no style dice" if not cost else f"{cost} style {'die' if cost == 1 else 'dice'}"
    return f"{WEIGHTS.get(weight, weight)}, {price}"
