"""What only the GM may do in a conflict."""
from __future__ import annotations

from rules.contests import Offer
from rules.fields import REQUIRED, Text, Whole
from rules.systems.pdq.conflict.setup import FARTHEST
from rules.systems.pdq.conflict.sides import Sheets
from rules.systems.pdq.conflict.state import Contestant, Phase, State
from rules.systems.pdq.traits import is_weakness

WHO = Text(name="who", label="Whom", default=REQUIRED, most=100)
WORDS = Text(name="words", label="In words", most=1000)
REASON = Text(name="reason", label="For what", default=REQUIRED, most=300)


def rulings(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """The GM's actions that are possible now."""
    found = []
    if state.standing:
        found.append(_about("grant", "Grant an upshift", state.standing, REASON, help="It counts on the next roll."))
    if state.phase in (Phase.TURN, Phase.LAST_CALL):
        late = state.acting or tuple(each.id for each in state.holders)
        gone = tuple(each for each in state.contestants if each.out and not each.killed)
        found.append(_about("skip", "Skip a turn", tuple(state.contestant(each) for each in late),
                            help="For somebody who is not there."))
        found.append(_about("take_out", "Take somebody out of action", state.standing, WORDS))
        if gone:
            told = "They act from the next round on."
            found.append(_about("bring_back", "Bring somebody back", gone, WORDS, help=told))
    if state.attack:
        weak = tuple(
            each for each in map(state.contestant, state.attack.unanswered)
            if not each.hurt and each.id not in state.attack.weak and any(map(is_weakness, sheets[each.id].traits))
        )
        if weak:
            told = "2 damage more when the attack hits."
            found.append(_about("call_weakness", "Call a weakness relevant", weak, help=told))
    if state.settings.ranges:
        yard = Whole(name="to", label="To yard", least=-FARTHEST, most=FARTHEST)
        found.append(_about("place", "Put somebody elsewhere", state.contestants, yard))
    found.append(Offer("end", "", "End the conflict", fields=(WORDS,)))
    return tuple(found)


def _about(
    action: str, title: str, whom: tuple[Contestant, ...], *fields: Text | Whole, help: str = ""
) -> Offer:
    options = {"who": tuple((each.id, each.name) for each in whom)}
    return Offer(action, "", title, help, (WHO, *fields), options)
