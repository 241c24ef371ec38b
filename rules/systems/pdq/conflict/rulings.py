"""What only the GM may do in a conflict."""
from __future__ import annotations

from rules.fields import REQUIRED, Choice, Listing, Text, Whole
from rules.procedure import Offer
from rules.systems.pdq.conflict.setup import FARTHEST, INTENTS
from rules.systems.pdq.conflict.sides import Sheets
from rules.systems.pdq.conflict.state import Contestant, Phase, State
from rules.systems.pdq.traits import is_weakness

WHO = Text(name="who", label="Who", default=REQUIRED, most=100)
TARGET = Text(name="target", label="Who", default=REQUIRED, most=100)
WORDS = Text(name="words", label="Description", most=1000)
NPCS = Listing(name="who", label="Who", of=Text(name="id", label="Who", most=100), default=REQUIRED,
               missing="Choose at least one of them.")
INTENT = Choice(name="intent", label="They mean to", options=INTENTS)
REASON = Text(name="reason", label="For what", default=REQUIRED, most=300, missing="Say what the upshift is for.")


def rulings(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """The GM's actions that are possible now."""
    found = []
    if state.standing:
        found.append(_about("grant", "Grant an upshift", state.standing, REASON, help="It counts on the next roll."))
    if state.phase in (Phase.TURN, Phase.LAST_CALL):
        late = state.acting or tuple(each.id for each in state.holders)
        found.append(_about("skip", "Skip a turn", tuple(state.contestant(each) for each in late),
                            help="For somebody who is not there."))
    if state.phase in (Phase.TURN, Phase.LAST_CALL, Phase.AFTERMATH):
        gone = tuple(each for each in state.contestants if each.out and not each.killed)
        found.append(_about("take_out", "Take out of action", state.standing, WORDS))
        if gone:
            text = "They act from the next round on."
            found.append(_about("bring_back", "Bring back into action", gone, WORDS, help=text))
            options = {"target": tuple((each.id, each.name) for each in gone)}
            found.append(Offer("kill", "", "Rule a death", "Of those out of action.", (TARGET, WORDS), options))
    silent = tuple((each.id, each.name) for each in state.standing if not each.player and not each.intent)
    if state.settings.killing == "asked" and silent and not state.attack and not state.wounds:
        found.append(Offer("intents", "", "State the intent of NPCs", "It holds for the whole conflict.",
                           (NPCS, INTENT), {"who": silent}))
    if state.attack:
        weak = tuple(
            each for each in map(state.contestant, state.attack.unanswered)
            if not each.hurt and each.id not in state.attack.weak and any(map(is_weakness, sheets[each.id].traits))
        )
        if weak:
            text = "2 damage more when the attack hits."
            found.append(_about("call_weakness", "Call a weakness relevant", weak, help=text))
    if state.settings.ranges:
        yard = Whole(name="to", label="To yard", least=-FARTHEST, most=FARTHEST)
        found.append(_about("place", "Move somebody", state.contestants, yard))
    found.append(Offer("end", "", "End the conflict", fields=(WORDS,)))
    return tuple(found)


def _about(
    action: str, title: str, whom: tuple[Contestant, ...], *fields: Text | Whole, help: str = ""
) -> Offer:
    options = {"who": tuple((each.id, each.name) for each in whom)}
    return Offer(action, "", title, help, (WHO, *fields), options)
