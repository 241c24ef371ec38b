"""What the GM says of fortes in a duel: which do not count here, and which shoot (PS-10, PS-49)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.systems.pdq_sharp.duel import word
from rules.systems.pdq_sharp.duel.forms import some_of
from rules.systems.pdq_sharp.duel.state import Fencer, Phase, Result, State
from rules.systems.pdq_sharp.duel.word import Which, ruled
from rules.systems.pdq_sharp.reading import as_offered, usable
from rules.wording import join


@dataclass(frozen=True)
class Armed(Event[State]):
    """The GM said which fortes shoot (PS-49)."""

    shoots: Which

    def after(self, state: State) -> State:
        for who, shoots in self.shoots:
            state = state.with_(who, shoots=shoots)
        return state


def _lines(sheets: Sheets, fencers: Sequence[Fencer]) -> Options:
    return tuple((f"{who.id}|{line.id}", f"{who.name}: {as_offered(line)}")
                 for who in fencers for line in sheets[who.id].traits if usable(line))


def _by_fencer(fencers: Sequence[Fencer], chosen: Sequence[str]) -> Which:
    pairs = [said.split("|", 1) for said in chosen]
    return tuple((who.id, tuple(forte for by, forte in pairs if by == who.id)) for who in fencers)


def _named(sheets: Sheets, which: Which) -> str:
    lines = [line.name for who, fortes in which for line in sheets[who].traits if line.id in fortes]
    return join(lines, empty="nothing")


def offer_strike(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: before the dice, and as long as they do not stand."""
    if state.between or state.phase is Phase.ELLIPSIS:
        options = _lines(sheets, state.standing)
        now = [f"{who.id}|{forte}" for who in state.standing for forte in who.struck]
        yield Offer("strike", "", "Choose what does not count",
                    "Ticked fortes count for nobody’s roll in this duel. Dice that are not final are read again.",
                    (some_of("which", "Fortes that do not count", most=100),), {"which": options}, now={"which": now})


def strike(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Which fortes do not count; the same faces are read again without them (PS-10)."""
    struck = _by_fencer(state.standing, values["which"])
    said = Step("PS-10", f"The GM says what does not count here: {_named(sheets, struck)}.")
    read = ruled(state, sheets, struck)
    return replace(read, steps=(said, *read.steps))


def offer_arm(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where firearms do more than other weapons: players' fortes that shoot."""
    players = [who for who in state.standing if who.player]
    if state.between and state.settings.firearms != "plain" and players:
        now = [f"{who.id}|{forte}" for who in players for forte in who.shoots]
        yield Offer("arm", "", "Choose what shoots", "Only these can be chosen as the forte that shoots.",
                    (some_of("which", "Fortes that shoot", most=100),), {"which": _lines(sheets, players)},
                    now={"which": now})


def arm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Which fortes of players' characters shoot, for the whole duel (PS-49)."""
    shoots = _by_fencer([who for who in state.standing if who.player], values["which"])
    return Result((Armed(shoots),), (Step("PS-49", f"What shoots here: {_named(sheets, shoots)}."),))


GMS: tuple[Act[State], ...] = (
    word.DISMISS, Act("strike", offer_strike, strike), Act("arm", offer_arm, arm),
)
EVENTS: tuple[type[Event[State]], ...] = (*word.EVENTS, Armed)
