"""What somebody is about to add after the dice, before it is sent: both arrows anew, and the sum (PS-11, PS-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine import Act, Forecasts, Sheets, Values
from rules.procedure import Offer
from rules.systems.pdq_sharp.bonus import check_idioms
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel.additions import (
    USE,
    Comes,
    Use,
    add,
    between,
    comes,
    fallen,
    left_to_add,
    offer_add,
    span_of,
    spread,
    throw_by,
    uses_in,
    where,
    with_flat,
)
from rules.systems.pdq_sharp.duel.clash import Attack
from rules.systems.pdq_sharp.duel.lies import ClashRow, TrayRow, attacks_of, clash_row, trays_with
from rules.systems.pdq_sharp.duel.state import State
from rules.systems.pdq_sharp.reckoning import AS_DIE, FLAT, STYLE_DIE
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.wording import join, percent

# How often the same is chosen: style dice alone can be.
TIMES = {2: " twice", 3: " three times", 4: " four times"}


@dataclass(frozen=True, slots=True)
class Composed:
    """The trays as they would lie with what is chosen, what that comes to, and what it comes to without."""

    trays: tuple[TrayRow, ...]
    chosen: str  # what is put somewhere, in words; "" for nothing
    comes: str
    was: str
    problem: str = ""  # why it does not go together
    harms: str = ""  # what would still make it worse, as a sentence


@dataclass(frozen=True, slots=True)
class OddsComposed(OddsAnswer):
    """Chances, and how all would lie."""

    composed: Composed | None = None


def composed(state: State, sheets: Sheets, who: str, uses: Sequence[Use]) -> tuple[Composed, Counter[Comes]]:
    """How it would lie with all of these, and in how many ways it comes to what."""
    before, sheet = attacks_of(state, who), sheets[who]
    cases = [(attacks_of(now, who), ways) for now, ways in fallen(state, sheet, who, uses)]
    counts: Counter[Comes] = Counter()
    for fought, ways in cases:
        counts[comes(fought, who)] += ways
    rows = []
    for place, was in enumerate(before):
        ways_of: Counter[Attack] = Counter()
        for fought, ways in cases:
            ways_of[fought[place]] += ways
        rows.append((was, _row(state, was, ways_of)))
    dice = Counter(use.to for use in uses if use.how == AS_DIE)
    trays = tuple(replace(tray, more=dice[tray.to])
                  for tray in trays_with(with_flat(state, sheet, who, uses), who, rows))
    tools = [(sheet.trait(use.source), "a die" if use.how == AS_DIE else "+1") for use in uses]
    chosen = Counter(f"{tool.name if tool else 'Style die'} {how}" for tool, how in tools)
    names = [name + TIMES.get(many, "") for name, many in chosen.items()]
    return Composed(trays, join(names, empty=""), _in_words(counts), _in_words({comes(before, who): 1}),
                    harms=_would_harm(state, sheets, who, uses)), counts


def _would_harm(state: State, sheets: Sheets, who: str, uses: Sequence[Use]) -> str:
    """Where one more +1 would make it worse than it lies with these, as a sentence; "" where none would, where nothing
    is left to add, and where a die has yet to fall."""
    throw = throw_by(state, who)
    if any(use.how == AS_DIE for use in uses) or left_to_add(state, sheets, throw) <= len(uses):
        return ""

    def comes_with(more: Sequence[Use]) -> Comes:
        return comes(attacks_of(with_flat(state, sheets[who], who, more), who), who)

    given, taken = comes_with(uses)
    for tray in throw.trays:
        worse = comes_with((*uses, Use(STYLE_DIE, FLAT, tray.to)))
        if sum(worse[0]) - sum(worse[1]) < sum(given) - sum(taken):
            return f"One more +1 on {where(state, throw, tray.to)} would make it worse: {_in_words({worse: 1})}."
    return ""


def _row(state: State, before: Attack, ways_of: Counter[Attack]) -> ClashRow:
    """An attack over all faces: what it comes to, or how likely it touches, and what it was before."""
    was, rows = clash_row(state, before), [clash_row(state, attack) for attack in ways_of]
    if len(rows) > 1:
        attack, defence = (between(min(totals), max(totals)) for totals in (
            [attack.attack for attack in ways_of], [attack.defence for attack in ways_of]))
        row = ClashRow(was.by, was.on, attack, defence, _likely(ways_of), any(row.touch for row in rows))
    else:
        row = rows[0]
    return replace(row, was=was.verdict if row.verdict != was.verdict else "")


def _likely(ways_of: Counter[Attack]) -> str:
    """How likely an attack touches, for how much; a tweak does no ranks (PS-27)."""
    parts = []
    touching = [attack for attack in ways_of if attack.touches]
    if touching:
        share = Fraction(sum(ways_of[attack] for attack in touching), ways_of.total())
        chance = "" if share == 1 else f" {percent(share)},"
        hurts = [attack.hurts for attack in touching]
        parts.append(f"gets through{chance or ','} no ranks" if touching[0].tweak
                     else f"touches{chance} for {between(min(hurts), max(hurts))}")
    if costs := sum(ways for attack, ways in ways_of.items() if attack.costs):
        parts.append(f"{percent(Fraction(costs, ways_of.total()))} a rank for the attacker")
    return ", ".join(parts) or "misses"


def _in_words(cases: Mapping[Comes, int]) -> str:
    """What is given and taken, and what is left for the next turn: `3 given, 0 taken, +2 next turn`."""
    left = [[comes[place][1] for comes in cases] for place in (0, 1)]
    mine, theirs = (f"{signed(min(some))}{f' to {signed(max(some))}' if min(some) != max(some) else ''}" if any(some)
                    else "" for some in left)
    return ", ".join([spread(span_of(cases, 0), span_of(cases, 1)), *([f"{mine} next turn"] if mine else []),
                      *([f"{theirs} next turn for the foe"] if theirs else [])])


def odds_of_adding(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of what one would give, and of what one would take, with all that is chosen."""
    uses, problem = uses_in(values), ""
    try:
        check_idioms(sheets[offer.by], (*throw_by(state, offer.by).used, *(use.source for use in uses)), USE)
    except BadMove as bad:
        uses, problem = (), bad.sentence
    whole, cases = composed(state, sheets, offer.by, uses)
    return tuple((title, OddsComposed(tuple(_by_ranks(cases, place)), composed=replace(whole, problem=problem)))
                 for place, title in ((0, "What you give"), (1, "What you take")))


def _by_ranks(cases: Mapping[Comes, int], place: int) -> Iterator[tuple[str, Fraction, str]]:
    counts: Counter[tuple[int, int]] = Counter()
    for come, ways in cases.items():
        counts[come[place]] += ways
    for (ranks, left), ways in sorted(counts.items(), reverse=True):
        parts = [f"{ranks or 'No'} {'rank' if ranks == 1 else 'ranks'}"] if ranks or not left else []
        parts += [f"{signed(left)} next turn"] if left else []
        yield join(parts), Fraction(ways, sum(counts.values())), "good" if (ranks + left > 0) != bool(place) else "bad"


ADD = Act("add", offer_add, add, odds=odds_of_adding)
