"""Who acts first in a turn (PS-20)."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.moves import Step
from rules.sheet import Sheet
from rules.systems.pdq_sharp.chart import AVERAGE, notation_of
from rules.systems.pdq_sharp.duel.state import SURPRISED, UNAWARE, Fencer, State
from rules.systems.pdq_sharp.reading import STYLE, fortes, usable
from rules.wording import join

Sheets = Mapping[str, Sheet]
Key = tuple[bool, int, int, bool]


def highest(sheet: Sheet) -> int:
    """The highest rank that somebody has at the moment."""
    return max((each.now for each in fortes(sheet) if usable(each)), default=AVERAGE)


def _key(fencer: Fencer, sheet: Sheet, turn: int) -> Key:
    """Lower acts first: who is not surprised, then style dice, then rank, then the players' characters."""
    late = turn == 1 and fencer.surprise in (SURPRISED, UNAWARE)
    return late, -sheet.pool(STYLE), -highest(sheet), not fencer.player


def places(fencers: Iterable[Fencer], sheets: Sheets, turn: int) -> tuple[tuple[str, int], ...]:
    """The initiative of a turn, as (who, place); equal ones have the same place."""
    keys = {each.id: _key(each, sheets[each.id], turn) for each in fencers if each.fights}
    ranked = sorted(set(keys.values()))
    return tuple((who, ranked.index(key)) for who, key in keys.items())


def order_steps(fencers: Iterable[Fencer], sheets: Sheets, turn: int) -> tuple[Step, ...]:
    """The initiative in words, a step for each place."""
    by_key: dict[Key, list[Fencer]] = {}
    for each in fencers:
        if each.fights:
            by_key.setdefault(_key(each, sheets[each.id], turn), []).append(each)
    steps = []
    for place, key in enumerate(sorted(by_key), 1):
        late, dice, rank, _ = key
        why = f"{-dice} style {'die' if dice == -1 else 'dice'}, {notation_of(-rank)}"
        together = ", at the same moment" if len(by_key[key]) > 1 else ""
        late_too = "surprised; " if late else ""
        names = join([each.name for each in by_key[key]])
        steps.append(Step("PS-20", f"{place}. {names}{together}: {late_too}{why}."))
    return tuple(steps)


def can_cede_to(state: State, fencer: Fencer) -> tuple[Fencer, ...]:
    """To whom the first in initiative may leave it: foes who come later (PS-20)."""
    first = min((each.place for each in state.standing), default=0)
    if fencer.place != first or state.choices or state.throws:
        return ()
    return tuple(each for each in state.order
                 if each.fights and each.side != fencer.side and each.place > fencer.place)


def ceded(state: State, who: Fencer, to: Fencer) -> tuple[tuple[str, int], ...]:
    """The places after somebody let this foe, and all before them, go first."""
    order = [each for each in state.order if each.fights and each.id != who.id]
    spots: dict[int, list[str]] = {}
    for each in order:
        spots.setdefault(each.place, []).append(each.id)
    groups: list[list[str]] = []
    for place in sorted(spots):
        groups.append(spots[place])
        if place == to.place:
            groups.append([who.id])
    return tuple((each, place) for place, group in enumerate(groups) for each in group)
