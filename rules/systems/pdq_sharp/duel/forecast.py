"""The odds of an act before it is done: what one die more would make of it, and of an impasse (PS-17, PS-28)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.moves import Face
from rules.odds import spread, sum_of_dice
from rules.systems.pdq_sharp.chart import modifier
from rules.systems.pdq_sharp.duel import withstand
from rules.systems.pdq_sharp.duel.ellipsis import AS_DIE, additions
from rules.systems.pdq_sharp.duel.events import Added
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.state import Bonus, Choice, State, Throw
from rules.systems.pdq_sharp.duel.touch import taken
from rules.systems.pdq_sharp.duel.trays import Sheets, ranks_of
from rules.tables import OddsAnswer
from rules.wording import percent

Forecasts = tuple[tuple[str, OddsAnswer], ...]


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that can be added: its id, what it is, and what it leads to; `gives` and `takes` are (least, most)."""

    id: str
    label: str
    touch: Fraction
    touched: Fraction
    gives: tuple[int, int]
    takes: tuple[int, int]

    @property
    def touch_shown(self) -> str:
        """The chance to touch as people read it."""
        return percent(self.touch)

    @property
    def touched_shown(self) -> str:
        """The chance to be touched."""
        return percent(self.touched)

    @property
    def spread(self) -> str:
        """The ranks that it would come to: `2 to 4 given, 1 taken`."""
        return ", ".join(f"{least if least == most else f'{least} to {most}'} {word}"
                         for (least, most), word in ((self.gives, "given"), (self.takes, "taken")))


def outcomes(state: State, who: str, what: str) -> list[tuple[int, int]]:
    """The ranks given and taken for each face of the die that is added, or for the +1."""
    _, how, to = what.split("|")
    faces = range(1, 7) if how == AS_DIE else (0,)
    return [taken(evolve(state, Added(who, Bonus("", face, to))), who) for face in faces]


def with_additions(state: State, sheets: Sheets, throw: Throw) -> tuple[Addition, ...]:
    """What each addition would lead to, for the page that offers them: what helps most comes first."""
    found: list[tuple[int, Addition]] = []
    for what, label in additions(state, sheets, throw):
        cases = outcomes(state, throw.who, what)
        net = sum(given - taken_ for given, taken_ in cases) * (6 // len(cases))
        gives, takes = [each[0] for each in cases], [each[1] for each in cases]
        found.append((net, Addition(
            what, label, _some(gives), _some(takes), (min(gives), max(gives)), (min(takes), max(takes)))))
    return tuple(each for _, each in sorted(found, key=lambda one: -one[0]))


def _some(ranks: list[int]) -> Fraction:
    return Fraction(sum(each > 0 for each in ranks), len(ranks))


def forecast(state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Any]) -> Forecasts:
    """The odds of what is being filled in."""
    if action == "add":
        counts = Counter(gives for gives, _ in outcomes(state, by, given["what"]))
        whole = sum(counts.values())
        by_ranks = tuple(
            (f"{ranks} {'rank' if ranks == 1 else 'ranks'}" if ranks else "No touch", Fraction(ways, whole),
             "good" if ranks else "bad") for ranks, ways in sorted(counts.items(), reverse=True))
        return (("The ranks that you give", OddsAnswer(by_ranks)),)
    if action == "poison_add":
        enough = withstand.outcomes(state, by, given["what"])
        likely = Fraction(sum(enough), len(enough))
        return (("Against the poison", OddsAnswer((("Enough", likely, "good"), ("Not enough", 1 - likely, "bad")))),)
    if action == "impasse":
        return (_impasse(state, sheets, by, given["foe"]),)
    return ()


def _impasse(state: State, sheets: Sheets, by: str, against: str) -> tuple[str, OddsAnswer]:
    who, foe = state.fencer(by), state.fencer(against)
    mods = [modifier(ranks_of(state, sheets, Choice(each.id, "", each.fortes))) for each in (who, foe)]
    dice = sum_of_dice(state.settings.impasse_dice, 6)

    def tell(mine: int, theirs: int) -> Face:
        margin = mine + mods[0] - theirs - mods[1]
        if margin == 0 and who.player != foe.player:
            margin = 1 if who.player else -1
        return (margin > 0) - (margin < 0)

    odds = spread(dice, dice, tell=tell)
    outcomes = ((1, "You win", "good"), (0, "Nobody gives way", "fair"), (-1, f"{foe.name} wins", "bad"))
    return f"Against {foe.name}", OddsAnswer(tuple(
        (label, odds.get(value, Fraction(0)), tone) for value, label, tone in outcomes))
