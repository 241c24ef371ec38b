"""The exact odds of a framed contest as it stands, and of what one more thing would make of it."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction

from rules.odds import chances
from rules.systems.questworlds.framed.state import Phase, State
from rules.systems.questworlds.roll import throws
from rules.tables import Reckoned, decimal

Forecasts = tuple[tuple[str, Reckoned], ...]
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


def odds(state: State, who: str, *extra: int, point: bool = False) -> Reckoned:
    """Victory, tie and defeat, and the rank that each is most likely to have."""
    one = state.clash(who, (1, 1), *extra, points=(point, False))
    told: Counter[str] = Counter()
    ranks: Counter[tuple[str, int]] = Counter()
    for ours, theirs, ways in throws(one.player.target, one.resistance.target):
        clash = state.clash(who, (ours, theirs), *extra, points=(point, False))
        told[clash.outcome] += ways
        ranks[clash.outcome, clash.rank] += ways
    shares = chances(told)
    levels = tuple(
        f"{_percent(ways)} {outcome} of rank {rank}" for (outcome, rank), ways in sorted(ranks.items()) if rank)
    return Reckoned(tuple((label, shares.get(word, Fraction(0)), tone) for word, label, tone in TONES), levels)


def _percent(ways: int) -> str:
    return f"{decimal(Fraction(ways, 4), 2)} %" if ways % 4 else f"{ways // 4} %"


def what_ifs(state: State, who: str) -> Forecasts:
    """Now first; then with a story point, and with each augment that is still open."""
    found = [("As it stands", odds(state, who))]
    if state.around.pool("story_points"):
        found.append(("With a story point", odds(state, who, point=True)))
    found += [(f"With {each.name}, +{each.bonus}", odds(state, who, each.bonus))
              for each in state.proposals if each.whom == who and each.open]
    if state.phase in (Phase.FRAME, Phase.MODIFY):
        found.append(("With +3 more", odds(state, who, 3)))
    return tuple(found)


def forecast(state: State, by: str, action: str) -> Forecasts:
    """The odds before the dice of a contest."""
    return what_ifs(state, by) if action == "roll" and state.phase in (Phase.MODIFY, Phase.ROLL) else ()
