"""What a side of a conflict's roll is made of: qualities in use as they are now, strategies, targets, grants."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Text
from rules.moves import Step
from rules.sheet import Sheet
from rules.systems.pdq.attack import Strike
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.state import CAGEY, FLIP_OUT, Applied, Attack, Contestant, Reaction, State
from rules.systems.pdq.roll import LINE_KINDS, Shift, Side, lines_field
from rules.systems.pdq.traits import rank_of, usable
from rules.values import BadMove

Sheets = Mapping[str, Sheet]

LEAD = Text(name="lead", label="Lead quality", most=100, help="Which quality the shifts move; the highest otherwise.")
LINES = lines_field(tuple(kind for kind in LINE_KINDS if kind[0] != "badass"))


def attack_shifts(who: Contestant, strategy: str, targets: int) -> tuple[Shift, ...]:
    """What the rules shift on an attack: the strategy, and each target after the first (PQ-12)."""
    shifts = []
    if strategy == FLIP_OUT or (who.flip_ready and strategy != CAGEY):
        shifts.append(Shift(1, "flipping out", "PQ-12"))
    if strategy == CAGEY:
        shifts.append(Shift(-1, "playing it cagey", "PQ-12"))
    if targets > 1:
        shifts.append(Shift(1 - targets, "each target after the first", "PQ-12"))
    return tuple(shifts)


def defence_shifts(who: Contestant) -> tuple[Shift, ...]:
    """What a strategy shifts on a reaction, until one's own next turn (PQ-12)."""
    if who.strategy == FLIP_OUT:
        return (Shift(-1, "flipping out", "PQ-12"),)
    return (Shift(1, "playing it cagey", "PQ-12"),) if who.strategy == CAGEY else ()


def action_shifts(strategy: str) -> tuple[Shift, ...]:
    """What a strategy shifts on any other action: both cost a rank (PQ-12)."""
    words = {FLIP_OUT: "flipping out", CAGEY: "playing it cagey"}
    return (Shift(-1, words[strategy], "PQ-12"),) if strategy else ()


def grant_shifts(who: Contestant) -> tuple[Shift, ...]:
    """What the GM granted and no roll has used yet (PQ-05)."""
    return tuple(Shift(1, reason, "PQ-05") for reason in who.grants)


def side(sheets: Sheets, qualities: Sequence[Applied], lead: int | None, shifts: tuple[Shift, ...]) -> Side:
    """The side that these qualities make as they are now; what has left its sheet or is below poor drops out."""
    ranks: list[Rank] = []
    leading = None
    for index, applied in enumerate(qualities):
        trait = sheets[applied.sheet].trait(applied.trait) if applied.sheet in sheets else None
        if trait is None or not usable(trait):
            continue
        if index == lead:
            leading = len(ranks)
        ranks.append(rank_of(trait))
    return Side(tuple(ranks), lead=leading, shifts=shifts)


def attack_side(state: State, sheets: Sheets, attack: Attack) -> Side:
    """The attacker's side of a pending attack."""
    shifts = (*attack.shifts, *grant_shifts(state.contestant(attack.by)))
    return side(sheets, attack.qualities, attack.lead, shifts)


def strikes(state: State, sheets: Sheets, attack: Attack) -> tuple[tuple[Reaction, Strike], ...]:
    """The attack on each target that has reacted, in the order of the attack (PQ-12 to PQ-14)."""
    attacker = attack_side(state, sheets, attack)
    reactions = {reaction.by: reaction for reaction in attack.reactions}
    made = []
    for target in attack.targets:
        reaction, who = reactions[target], state.contestant(target)
        shifts = (*reaction.shifts, *grant_shifts(who))
        made.append((reaction, Strike(
            attacker, side(sheets, reaction.qualities, reaction.lead, shifts),
            static_defence=state.settings.defence == "stand",
            weapon=attack.weapon,
            surprise=target in attack.surprised,
            weakness=reaction.weakness or target in attack.weak,
            first_damage=not who.hurt,
        )))
    return tuple(made)


def team(state: State, by: str, values: Mapping[str, Any]) -> tuple[tuple[Applied, ...], tuple[Step, ...]]:
    """Every quality in use, those of the helpers that are taken too (PQ-08)."""
    own = tuple(Applied(by, trait) for trait in values["qualities"])
    helped: list[Applied] = []
    for helper in values["helpers"]:
        pledge = state.contestant(helper).pledge
        helped += pledge.qualities if pledge else ()
    if not values["helpers"]:
        return own, ()
    helps = "helps" if len(values["helpers"]) == 1 else "help"
    text = (f"{state.names(values['helpers'])} {helps} {state.contestant(by).name}, "
            "at the cost of a turn of this round.")
    return (*own, *helped), (Step("PQ-08", text),)


def leading(values: Mapping[str, Any]) -> int | None:
    """Where the named lead is among the qualities; None where none is named. Raises `BadMove` (PQ-03)."""
    if not values["lead"]:
        return None
    if values["lead"] not in values["qualities"]:
        raise BadMove("Let one of the qualities that you apply lead.", "lead")
    return int(values["qualities"].index(values["lead"]))
