"""A check as a procedure: one character against a challenge (DW-02 to DW-11, DW-16, DW-17)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import Forecasts, KnowsCampaign, Procedure, Sheets, Values
from rules.procedure import Ask, CampaignContext, Casting, Offer, Options, Perspective, Placement, Suggestion, View
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.danger_world.table import acts, gm
from rules.systems.danger_world.table.asks import asks
from rules.systems.danger_world.table.events import Event, Result
from rules.systems.danger_world.table.evolve import evolve
from rules.systems.danger_world.table.forecast import pool_odds
from rules.systems.danger_world.table.offers import offers
from rules.systems.danger_world.table.on_challenge import suggestions
from rules.systems.danger_world.table.pooling import pool_from, pool_words, reasons
from rules.systems.danger_world.table.setup import FIELDS, begin
from rules.systems.danger_world.table.state import Phase, State
from rules.systems.danger_world.table.tray import from_tray, tray
from rules.systems.danger_world.table.view import view
from rules.tray import Obstacle, RollsFromTray, TrayRoll
from rules.values import Value


class CheckAtTable(Procedure[State, Event], KnowsCampaign[State], RollsFromTray):
    """One character's check, in three moments: the pool, the re-rolls, the set; then what its botches cost."""

    name = "danger_world.check_at_table"
    title = "Check"
    title_label = "The challenge"
    fields = FIELDS
    remembers = (name,)
    casting = Casting("one", second_role="Who it is for", second_help="Aid and healing go to them.")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)
    stored = StoredEvents[Event](Event)
    handlers = {
        "propose": acts.propose, "roll": acts.roll, "reroll": acts.reroll, "stand": acts.stand, "use": acts.use,
        "heal": acts.heal, "agree": gm.agree, "rate": gm.rate, "complicate": gm.complicate, "threaten": gm.threaten,
        "clear_threats": gm.clear_threats, "dark_side": gm.dark_side, "benefit": gm.benefit,
        "no_benefit": gm.no_benefit, "pay": gm.pay, "let_go": gm.let_go, "keep": gm.keep, "draw": gm.draw,
        "end": gm.end,
    }

    @property
    def slug(self) -> str:
        return "check"

    @property
    def start_label(self) -> str:
        return "Make a check"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
        return begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state)

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def suggestions(self, context: CampaignContext) -> tuple[Suggestion, ...]:
        return suggestions(context)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "height": state.height,
                "difficulty": state.difficulty or state.rated.difficulty, "botches": state.botches}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        if offer.action not in ("propose", "roll"):
            return ()
        proposal = acts.proposal_from(values) if offer.action == "propose" else state.proposal
        if proposal is None:
            return ()
        pool = pool_from(reasons(state, sheets[offer.by], proposal))
        return ((f"{pool_words(pool)} against {state.rated.difficulty}", pool_odds(pool, state.rated.difficulty)),)

    def tray(self, sheet: Sheet, setup: Values, obstacles: Options) -> Offer:
        return tray(sheet, obstacles)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], obstacle: Obstacle | None
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, obstacle)
