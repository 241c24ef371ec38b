"""What an exchange comes to, and what else moves advantage points (QW-51 to QW-56)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.moves import Step
from rules.sheet import Effect, Sheet
from rules.systems.questworlds.extended import lost
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.scored_rounds import aimed
from rules.systems.questworlds.long.state import State, Throw
from rules.systems.questworlds.roll import Clash

Came = tuple[tuple[e.Event, ...], tuple[Step, ...], str, tuple[Effect, ...]]
Sheets = Mapping[str, Sheet]


def staked(state: State, actor: str, bid: int) -> int:
    """The bid that counts: whom nobody plays never stakes more than is left (QW-52)."""
    return bid if state.keeper(actor) else min(bid, max(1, state.entrant(actor).ap))


def exchanged(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> Came:
    """The loser loses by the bid of whoever acts; a critical takes it over; at 0 or fewer one is out (QW-51)."""
    lies = throw.thrown
    actor, bid = lies.whom, staked(state, lies.whom, lies.step)
    aim = lies.choice if actor == lies.first else lies.other
    events: list[e.Event] = [e.Acted(actor)]
    if not clash.lead:
        half = lost(bid, 0)
        who = [actor] if aim.aim else [lies.first, lies.second]
        return _moved(state, events, [(each, -half) for each in who], "Half of the bid, rounded up.")
    winner, loser = (lies.first, lies.second) if clash.lead > 0 else (lies.second, lies.first)
    if aim.aim and winner == actor:
        aims, because, words = aimed(state, winner, aim)
        return (*events, *aims), because, words, ()
    # An edge or a handicap counts for whoever attacks, where it is the other one who loses (QW-55).
    edge = state.entrant(actor).edge if winner == actor else 0
    loss = lost(max(0, bid + edge), clash.levels)
    moves = [(loser, -loss), *([(winner, loss)] if clash.transfers else [])]
    stake = f"{clash.levels} times the bid of {bid}" if clash.levels else f"half of the bid of {bid}, rounded up"
    if edge:
        stake += f", with {'an edge' if edge > 0 else 'a handicap'} of {abs(edge)}"
    taken = ", which the winner gains by a critical" if clash.transfers else ""
    return _moved(state, events, moves, f"{stake[0].upper()}{stake[1:]}{taken}.")


def _moved(state: State, events: list[e.Event], moves: list[tuple[str, int]], why: str) -> Came:
    """Points move, and whoever has none left is out; totals are nobody's to read here (QW-52)."""
    parts = []
    for who, by in moves:
        if not by:
            continue
        events.append(e.Moved(who, by))
        parts.append(f"{state.name_of(who)} {'+' if by > 0 else '−'}{abs(by)}")
        if state.entrant(who).fights and state.entrant(who).ap + by <= 0:
            events.append(e.Out(who, "beaten"))
    return tuple(events), (Step("QW-51", why),), f"{', '.join(parts)}." if parts else "Nothing moves.", ()


def given(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> Came:
    """Points from somebody who is not in it: a victory gives them, a defeat gives them to the other side (QW-54)."""
    lies = throw.thrown
    if not clash.lead:
        return (), (), "Nothing moves.", ()
    whom = lies.whom if clash.lead > 0 else lies.second
    came = _moved(state, [], [(whom, lies.step)] if whom else [], "Whoever gains them keeps them.")
    return came[0], (*came[1], Step("QW-80", "Giving points earns no experience.")), came[2], ()


def lent(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> Came:
    """Points of one's own for somebody on one's side: they are gone either way (QW-54)."""
    lies = throw.thrown
    moves = [(lies.first, -lies.step), *([(lies.whom, lies.step)] if clash.lead > 0 else [])]
    return _moved(state, [e.Acted(lies.first)], moves, "The lender loses them either way.")


def chance(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> Came:
    """A second chance: back with a quarter of the start, rounded up, and −6 from now on (QW-56)."""
    lies = throw.thrown
    found = state.entrant(lies.first)
    line = e.Line(lies.first, "second chance", "A second chance", -6, "What beat them shows")
    if clash.lead <= 0:
        return (e.ChanceTaken(lies.first),), (), "", ()
    back = -(-found.start // 4)
    events = (e.ChanceTaken(lies.first), e.Added(line), e.Returned(lies.first, "second chance"),
              e.Moved(lies.first, back - found.ap))
    text = f"{found.name} is back with {back} of {found.start}, at −6 from now on."
    return events, (Step("QW-56", text),), "", ()


def overreached(state: State, sheets: Sheets, throw: Throw, clash: Clash) -> Came:
    """A parting shot with a bid: the fallen lose more, or gain by a critical and may be back (QW-53)."""
    lies = throw.thrown
    events: list[e.Event] = [e.PartingMade(lies.whom)]
    loss = lost(lies.step, clash.levels)
    fallen, prize = state.entrant(lies.whom), lies.choice.words
    if clash.lead > 0:
        events.append(e.Moved(fallen.id, -loss))
        return tuple(events), (Step("QW-53", f"The further prize is won: {prize}"),), f"{fallen.name} −{loss}.", ()
    if not clash.lead:
        return tuple(events), (), "Nothing moves.", ()
    gains = clash.transfers
    if gains and fallen.ap + loss > 0:
        events.append(e.Returned(fallen.id, "parting"))
    came = _moved(state, events, [(lies.first, -loss), *([(fallen.id, loss)] if gains else [])],
                  "A stumble gives them an opening." if gains else "No critical: they stay down.")
    back = (Step("QW-53", f"{fallen.name} is back in it."),) if gains and fallen.ap + loss > 0 else ()
    return came[0], (*came[1], *back), came[2], ()
