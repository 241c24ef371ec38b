"""The style dice of a session as a procedure: it begins and ends with each session (PS-40 to PS-46)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.afterwards import StatesFacts
from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Field, Flag, Group, Listing, Text
from rules.moves import Need
from rules.procedure import Casting, Fact, FactRule, Perspective, Placement, View
from rules.settings import asked
from rules.systems.pdq_sharp.settings import ACCLAIM, OWN_ACCLAIM, Settings, StyleSettings
from rules.systems.pdq_sharp.style_dice import awards, creating, foibles, giving, healing
from rules.systems.pdq_sharp.style_dice.state import WEIGHTS, Result, State, many
from rules.systems.pdq_sharp.style_dice.view import view


class StyleDice(Procedure[State], KnowsCampaign[State], StatesFacts[State]):
    """Bowl, box and holders; gifts, awards, foibles, misfortunes; what players create with theirs."""

    name = "pdq_sharp.style_dice"
    title = "Style dice"
    default_title = "Style dice"
    start_label = "Bring out the style dice"
    casting = Casting("everyone", open=True)
    placement = Placement(exclusive=False, needs_scene=False, session_end="finish")
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Participants", default=(), most=200, of=Group(
            name="who", label="One",
            fields=(Text(name="sheet", label="Character"), Flag(name="player", label="Player character")))),
        ACCLAIM,
        OWN_ACCLAIM,
        *asked(Settings, by=StyleSettings),
    )
    reads = StyleSettings
    events = (*awards.EVENTS, *foibles.EVENTS, *giving.EVENTS, *healing.EVENTS, *creating.EVENTS)
    acts = (
        *awards.START, *foibles.ANSWERS, giving.GIFT, *healing.ACTS, *creating.ACTS, foibles.CLAIM,
        *giving.FROM_BOWL, *foibles.OFFERS, *giving.GMS, *awards.END,
    )
    fact_rule = FactRule(("fact", "chip_in", "named_npc", "npc_forte", "npc_technique"),
                         "Facts that players stated with style dice: a minor one for none, a significant one "
                         "for 1, a major one for 2.")

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return awards.begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def facts(self, state: State) -> tuple[Fact, ...]:
        """What stands, and what waits for the rest of its price."""
        return tuple(
            Fact(fact.words, _weight(fact.weight, fact.cost), fact.who, fact.left <= 0) for fact in state.facts)


def _weight(weight: str, cost: int) -> str:
    return f"{WEIGHTS.get(weight, weight)}, {many(cost) if cost else 'no style dice'}"
