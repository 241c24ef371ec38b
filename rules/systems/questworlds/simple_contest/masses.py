"""Many against few, whose heads are counted; armies, markets, faiths, in which somebody is caught (QW-28, QW-29)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Field, Whole, text
from rules.moves import Step
from rules.procedure import Offer, Options
from rules.systems.questworlds.crowds import BODIES, WORDS, Heads, heads
from rules.systems.questworlds.notation import ScoreField, notation, signed
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.simple_contest.approach import lend_to_all, take_back_lent
from rules.systems.questworlds.simple_contest.opposition import Opposed, with_crowd
from rules.systems.questworlds.simple_contest.state import Result, State
from rules.systems.questworlds.simple_contest.values import Mass, Opposition
from rules.values import BadMove
from rules.wording import join

WAYS = ((BODIES, "With bodies: six at most get at one"), (WORDS, "With words: two at most talk at one"))
MANY = 10**6
DECIDES, CONTRIBUTES, SUFFERS = "decides", "contributes", "suffers"
ROLES = (
    (DECIDES, "They decide it: how they lead is what counts"),
    (CONTRIBUTES, "They contribute: the force’s number is rolled, and they help it"),
    (SUFFERS, "They are caught in it: you say how it goes, they see how they fare"),
)
WON, OPEN, LOST = "won", "open", "lost"
FATES = ((WON, "It goes well for their side"), (OPEN, "It hangs in the balance"), (LOST, "It goes badly"))
# *Ruling*: what a resistance is, where the GM writes none, for those who are caught in it.
RESISTANCES = {WON: "low", OPEN: "moderate", LOST: "high"}


@dataclass(frozen=True)
class Massed(Mass, Event[State]):
    """Forces clash."""

    def after(self, state: State) -> State:
        return replace(state, mass=self)


def offer_heads(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Heads against heads, once there is a resistance for them to change (QW-28)."""
    counted = [against for against in state.oppositions if not against.rival]
    if state.pair or not counted or not state.framing:
        return
    fields: list[Field] = [
        Whole(name="them", label="How many of them", default=1, least=1, most=MANY),
        Whole(name="us", label="How many of us", default=len(state.entrants), least=1, most=MANY,
              help="Followers count too."),
        Choice(name="way", label="How they contend", options=WAYS, default=BODIES),
        Choice(name="amount", label="Effect on the resistance", default="", options=(
            ("", "What the heads say"), *((str(amount), signed(amount)) for amount in (9, 6, 3, 0, -3, -6, -9)))),
    ]
    options: dict[str, Options] = {}
    if len(counted) > 1:
        fields.insert(0, text("whom", "For the resistance", "Leave blank for all."))
        options["whom"] = tuple((against.who, state.entrant(against.who).name) for against in counted if against.who)
    yield Offer("crowd", "", "Count heads", "Many against few: two on one are +3, three or four +6, more +9.",
                tuple(fields), options)


def count_heads(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The larger side divides among the smaller, which makes a resistance harder, or easier (QW-28)."""
    counted = heads(values["them"], values["us"], values["way"], state.edition)
    by_rank = state.edition.modifiers.of_rank(counted.rank)
    amount = int(values["amount"]) if values["amount"] else by_rank
    division, symbol = _heads(values["them"], values["us"], counted), state.settings.symbol
    opposeds, steps = [], [Step("QW-28", f"{values['them']} of them against {values['us']} of us: {division}.")]
    if amount != by_rank:
        steps.append(Step("QW-28", f"The GM makes it {signed(amount)}; the heads say {signed(by_rank)}."))
    for against in state.oppositions:
        if not against.rival and values.get("whom", "") in ("", against.who):
            changed = with_crowd(state, against, amount, division)
            opposeds.append(Opposed(changed))
            before = notation(against.resistance - against.crowd, symbol)
            floor = "" if changed.crowd == amount else f"; {state.edition.difficulty.least} is the least"
            steps.append(Step("QW-28", f"{against.name}: {before}, {signed(amount, symbol)} for the heads, comes to "
                                       f"{notation(changed.resistance, symbol)}{floor}."))
    return Result(tuple(opposeds), tuple(steps))


def _heads(them: int, us: int, counted: Heads) -> str:
    if counted.each == 1:
        return "one on one"
    more, whose = ("of them", "of us") if them > us else ("of us", "of them")
    told = f"{counted.each} {more} on {'one' if min(them, us) == 1 else 'each'} {whose}"
    return told if counted.engaged == counted.each else f"{told}, {counted.engaged} at a time"


def offer_mass(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Which of the three they are."""
    if not state.framing or state.pair:
        return
    symbol = state.settings.symbol
    fields = (
        Choice(name="role", label="Role", options=ROLES, default=DECIDES),
        text("force", "Their force", "The river guard, the weavers’ guild, the congregation.", most=120),
        ScoreField(name="score", label="The force’s number", may_lack=True, default=None, symbol=symbol,
                   help="For those who contribute: 17, 7M. Their own abilities can augment it."),
        Choice(name="fate", label="How it goes on the whole", options=FATES, default=OPEN,
               help="For those who are caught in it."),
        text("resistance", "The resistance to come through",
             "Leave blank for low, moderate or high, depending on the result.",
             most=20),
    )
    now = {"role": state.mass.role, "force": state.mass.force} if state.mass else None
    yield Offer("mass", "", "Make it a clash of forces", "", fields, {}, now=now)


def clash(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """How much those who contend matter in it, and what follows (QW-29)."""
    role, names = values["role"], join([entrant.name for entrant in state.entrants])
    force = values["force"] or "the force"
    if role == CONTRIBUTES:
        return _contributes(state, names, values["force"], values["score"])
    sent = take_back_lent(state)
    if role == DECIDES:
        said = f"{names}: how they lead {force} decides it. An ability to lead is what they need."
        return Result((*sent, Massed(role, values["force"])), (Step("QW-29", said),))
    symbol, fate = state.settings.symbol, values["fate"]
    number, why = resistance_of(
        values["resistance"] or RESISTANCES[fate], state.settings.base, symbol, state.edition)
    opposition = Opposition("", _fate(fate, values["force"]), number, why)
    said = f"{names}: caught in it. {dict(FATES)[fate]}, whatever they do."
    stands = f"To come through it they roll against {notation(number, symbol)}{f', {why}' if why else ''}."
    return Result((*sent, Massed(role, values["force"], fate=fate), Opposed(opposition)),
                (Step("QW-29", said), Step("QW-03", stands)))


def _contributes(state: State, names: str, force: str, score: int | None) -> Result:
    if score is None:
        raise BadMove("Enter the force’s number, which is rolled: 17, 7M.", "score")
    if not force:
        raise BadMove("Enter the force that has this number.", "force")
    massed = Massed(CONTRIBUTES, force, score)
    said = (f"{names}: {force} {notation(score, state.settings.symbol)} is what is rolled; their own abilities may "
            "augment it.")
    return Result((massed, *lend_to_all(state, massed)), (Step("QW-29", said),))


def _fate(fate: str, force: str) -> str:
    of = f" for {force}" if force else ""
    return {WON: "A day that goes well", OPEN: "A day in the balance", LOST: "A day that goes badly"}[fate] + of


CROWD = Act("crowd", offer_heads, count_heads)
MASS = Act("mass", offer_mass, clash)
EVENTS = (Massed,)
