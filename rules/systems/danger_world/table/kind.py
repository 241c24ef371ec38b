"""A check as a procedure: one character against a challenge (DW-02 to DW-11, DW-16, DW-17)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import Event, KnowsCampaign, Sheets, Values
from rules.procedure import CampaignContext, Casting, Offer, Perspective, Placement, Suggestion, View
from rules.sheet import Sheet
from rules.systems.danger_world.settings import CheckSettings
from rules.systems.danger_world.table import challenges, costs, pooling, sets, throws
from rules.systems.danger_world.table.challenges import FIELDS, begin, suggestions
from rules.systems.danger_world.table.pooling import ON_ONES_WORD, from_tray, tray, treatments
from rules.systems.danger_world.table.state import Phase, Result, State
from rules.systems.danger_world.table.view import view
from rules.tray import Around, RollsFromTray, TrayAct, TrayRoll, Treatment, Treats
from rules.values import Value


class CheckAtTable(RollsFromTray[State], KnowsCampaign[State], Treats):
    """One character's check, in three moments: the pool, the re-rolls, the set; then what its botches cost."""

    name = "danger_world.check_at_table"
    title = "Check"
    title_label = "The challenge"
    fields = FIELDS
    reads = CheckSettings
    remembers = (name,)
    of_scene = True
    casting = Casting("one", second_role="Recipient", second_help="Aid and healing go to them.")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True, asks_to_close=True)
    events = (*challenges.EVENTS, *pooling.EVENTS, *throws.EVENTS, *sets.EVENTS, *costs.EVENTS)
    acts = (
        throws.ROLL, pooling.PROPOSE, throws.AGAIN, *sets.OWN_ACTS,
        pooling.AGREE, *challenges.ACTS, *sets.GMS, *costs.ACTS,
    )

    @property
    def slug(self) -> str:
        return "check"

    @property
    def start_label(self) -> str:
        return "Make a check"

    def as_proposed(self, setup: Mapping[str, Value]) -> Mapping[str, Value]:
        return {**setup, **ON_ONES_WORD}

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
        return begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return [state.who]

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def story(self, state: State) -> tuple[str, ...]:
        if state.phase is not Phase.OVER or state.height is None:
            return ()
        came = "Accomplished" if state.accomplished else "Not accomplished"
        height = f"with height {state.height}" if state.height else "without a set"
        return (f"{came} {height} against difficulty {state.difficulty}.", *([state.ending] if state.ending else []))

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def follow_up(self, state: State) -> Event[State] | None:
        return sets.without_own_dice(state)

    def suggestions(self, context: CampaignContext) -> tuple[Suggestion, ...]:
        return suggestions(context)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "height": state.height,
                "difficulty": state.difficulty or state.rated.difficulty, "botches": state.botches}

    def tray(self, sheet: Sheet, setup: Values, around: Around) -> Offer:
        return tray(sheet, around.obstacles)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], around: Around
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, around)

    def button(self, state: State, sheets: Sheets, act: TrayAct) -> str:
        return "Propose this pool" if act.action == "propose" else ""

    def tells_how_hard(self, given: Mapping[str, Value]) -> bool:
        return bool(given.get("undoes"))

    def treatments(self, healer: Sheet, patient: Sheet) -> tuple[Treatment, ...]:
        return treatments(healer, patient)
