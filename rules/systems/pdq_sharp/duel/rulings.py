"""What the GM alone may do in a duel: for all NPCs at once, and what overrides."""
from __future__ import annotations

from collections.abc import Iterator

from rules.fields import REQUIRED, Choice, Flag, Text
from rules.procedure import Offer, Options
from rules.systems.pdq_sharp.chart import AVERAGE, GOOD, MASTER, notation_of
from rules.systems.pdq_sharp.duel import damage, ellipsis, stances
from rules.systems.pdq_sharp.duel.setup import HARMS
from rules.systems.pdq_sharp.duel.state import DEAD, UNAWARE, Fencer, Phase, State
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.duel_turn import WORDS
from rules.systems.pdq_sharp.reading import is_out

SAID = Text(name="words", label="Description", most=1000)


def rulings(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """The GM's acts: first what NPCs are waited for, then what overrides."""
    calm = state.phase in (Phase.ENGAGE, Phase.STANCE)
    overrides = _overrides(state, sheets) if calm or state.phase is Phase.AFTERMATH else ()
    return (*_for_npcs(state, sheets), *overrides, Offer("end", "", "End the duel", fields=(SAID,)))


def _for_npcs(state: State, sheets: Sheets) -> Iterator[Offer]:
    if state.phase is Phase.ENGAGE and not state.undecided[0].player:
        yield Offer("engage_npcs", "", "NPCs find their foes", "Each takes the foe who has the fewest.")
    if state.phase is Phase.STANCE and (npcs := stances.npcs(state)):
        yield _stances(state, sheets, npcs)
    if state.phase is Phase.STANCE and not state.unchosen:
        yield Offer("throw", "", "Throw the dice", "All who are left have chosen.", rolls=True)
    if state.phase in (Phase.ELLIPSIS, Phase.DAMAGE, Phase.POISON):
        if ellipsis.npcs(state):
            yield Offer("stand_npcs", "", "Let it stand for the NPCs")
        if damage.hurt_npcs(state):
            yield Offer("place_npcs", "", "Place the NPCs’ damage", "Where it hurts least.")


def _stances(state: State, sheets: Sheets, npcs: tuple[Fencer, ...]) -> Offer:
    """All NPCs' splits in one act, each standing at one that is good against whatever comes (PS-22)."""
    fields = tuple(
        Choice(name=f"npc_{place}", label=each.name, default=stances.default(state, sheets, each),
               options=tuple((name, words.capitalize()) for name, words in WORDS.items()
                             if each.surprise != UNAWARE or name == stances.STRONG_DEFENCE))
        for place, each in enumerate(npcs)
    )
    return Offer("stances", "", "Divide the NPCs’ dice", "Nobody sees them until all have chosen.", fields, rolls=True,
                 now={each.name: each.default for each in fields})


def _overrides(state: State, sheets: Sheets) -> Iterator[Offer]:
    yield _about("take_out", "Take somebody out", state.standing)
    out = tuple(each for each in state.fencers if each.out not in ("", DEAD) and not is_out(sheets[each.id]))
    if out:
        yield _about("bring_back", "Bring somebody back", out)
    if disarmed := tuple(each for each in state.standing if each.disarmed):
        yield _about("rearm", "Give a weapon back", disarmed)
    armed = tuple((str(rank), notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
    yield Offer("envenom", "", "Poison a blade", "What it does is a setting of the campaign.", (
        Text(name="whom", label="Whose", default=REQUIRED, most=100, missing="Choose whose."),
        Choice(name="rank", label="How strong", options=armed, default=str(GOOD)),
        Flag(name="lasting", label="Beyond the next touch")),
        {"whom": tuple((each.id, each.name) for each in state.standing)})
    yield Offer("rule_harm", "", "Say what damage means", fields=(
        Choice(name="harm", label="Damage means", options=HARMS),), now={"harm": state.settings.harm})


def _about(action: str, title: str, whom: tuple[Fencer, ...]) -> Offer:
    options: Options = tuple((each.id, each.name) for each in whom)
    fields = (Text(name="whom", label="Whom", default=REQUIRED, most=100, missing="Choose whom."), SAID)
    return Offer(action, "", title, fields=fields, options={"whom": options})
