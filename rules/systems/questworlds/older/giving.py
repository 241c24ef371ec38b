"""What a contest leaves on sheets where the campaign has states, not consequences and benefits (QW-A6, QW-A7)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.procedure import Options
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.options import FORTUNES, STATES
from rules.systems.questworlds.older.states import DYING, NAMES
from rules.systems.questworlds.traits import ADVERSITY, BENEFIT, CONSEQUENCE, FORTUNE
from rules.values import BadMove

INFERIOR = 6  # by how much an ability is above what it beat, so that there is nothing to be proud of


def kind_of(kind: str, older: Sequence[str]) -> str:
    """The kind of line that a `consequence` or a `benefit` is in this campaign."""
    if kind == CONSEQUENCE and STATES in older:
        return ADVERSITY
    return FORTUNE if kind == BENEFIT and FORTUNES in older else kind


def kinds(older: Sequence[str]) -> Options:
    """What may last, as the GM chooses."""
    return ((CONSEQUENCE, "A state of adversity" if STATES in older else "A consequence"),
            (BENEFIT, "A state of fortune" if FORTUNES in older else "A benefit"))


def ranks(older: Sequence[str], edition: Edition, symbol: str) -> Options:
    """How much of it: ranks, and the states that they are."""
    ladder = edition.modifiers
    choices = []
    for rank in range(1, ladder.highest_rank + 1):
        number = f"Rank {rank}: {signed(ladder.of_rank(rank), symbol)[1:]}"
        names = [NAMES[kind][rank - 1] for option, kind in ((STATES, ADVERSITY), (FORTUNES, FORTUNE))
                 if option in older and rank <= DYING]
        if names:
            besides = f" ({number.lower()})" if len(names) == 1 else ""
            choices.append((str(rank), " or ".join(names).capitalize() + besides))
        elif not {STATES, FORTUNES} <= {*older}:
            choices.append((str(rank), number))
    return tuple(choices)


def check_state(kind: str, rank: int) -> None:
    """Raises `BadMove` for a rank that no state is."""
    if kind in (ADVERSITY, FORTUNE) and rank > DYING:
        raise BadMove(f"The last of these states is “{NAMES[kind][DYING - 1]}”. Choose that, or one before it.", "rank")


def check_worthy(kind: str, name: str, score: int | None, resistance: int | None, symbol: str) -> None:
    """Raises `BadMove` where whoever was beaten was clearly inferior, which is no state of fortune (QW-A7)."""
    if kind == FORTUNE and score is not None and resistance is not None and score - resistance >= INFERIOR:
        had, against = notation(score, symbol), notation(resistance, symbol)
        raise BadMove(f"{name} had {had} against {against}: an opponent who is {INFERIOR} or more below is clearly "
                      "inferior, and gives no state of fortune.", "kind")
