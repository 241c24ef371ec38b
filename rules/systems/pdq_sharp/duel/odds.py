"""The chances of a split against each of a foe's: to touch, and to be touched, exactly (PS-22 to PS-24)."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product

from rules.engine import Sheets
from rules.procedure import Perspective
from rules.systems.pdq_sharp.bonus import purse
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel import envenoming
from rules.systems.pdq_sharp.duel.dice import SPLITS, carried, counted, plan, shot_adds, thrown_with, usually
from rules.systems.pdq_sharp.duel.forms import counting
from rules.systems.pdq_sharp.duel.state import DEFENCE, DISARM, FEINTS, WITHOUT_ATTACK, Choice, Fencer, State
from rules.systems.pdq_sharp.duel.turn import STANCES, WORDS, ranks_of_attack, sums
from rules.systems.pdq_sharp.reading import modifier_of
from rules.systems.pdq_sharp.reckoning import Terms, most_more
from rules.tables import OddsAnswer
from rules.wording import join, percent

MOST_COUNTED = 3  # of the dice that one could add, as many as a table counts
BY_ATTACK = tuple(sorted(STANCES, key=lambda one: -STANCES[one]))  # as a page lists them


@dataclass(frozen=True, slots=True)
class Pair:
    """A split against a split: the chance to touch, to be touched, and the mean of the ranks given less those taken."""

    touch: Fraction
    touched: Fraction
    mean: Fraction

    @property
    def touch_shown(self) -> str:
        """The chance to touch as people read it, in per cent."""
        return percent(self.touch, narrow=True)

    @property
    def touch_wide(self) -> str:
        """How long its bar is, of 100."""
        return f"{float(self.touch * 100):.1f}"

    @property
    def touched_wide(self) -> str:
        """How long the bar of the chance to be touched is."""
        return f"{float(self.touched * 100):.1f}"

    @property
    def touched_shown(self) -> str:
        """The chance to be touched."""
        return percent(self.touched, narrow=True)


@dataclass(frozen=True, slots=True)
class Form:
    """What somebody brings to a turn against one foe: what is added to attack and defence, the dice, whose they are.

    `trays` are so many dice for the attack on each foe, then for the defence; `place` is the number of the attack on
    this one, None where there is none. `loose` are the dice that lie over the lowest of all of them.
    """

    attack: int
    defence: int
    trays: tuple[int, ...]
    loose: int = 0
    pc: bool = False
    place: int | None = 0

    @property
    def attacks(self) -> bool:
        """Whether they attack this foe."""
        return self.place is not None


def form_of(state: State, sheets: Sheets, choice: Choice, foe: str) -> Form:
    """What somebody would bring against a foe with what they chose."""
    fencer, planned = state.fencer(choice.who), plan(state, sheets, choice)
    attack, defence = carried(fencer, thrown_with(state, sheets, choice))
    attacked = [to for to, _ in planned.trays if to != DEFENCE]
    return Form(attack.adds, defence.adds, tuple(size for _, size in planned.trays), planned.extra, fencer.player,
                attacked.index(foe) if foe in attacked else None)


def forms(state: State, sheets: Sheets, choice: Choice, foe: str, more: int = 0) -> dict[str, Form]:
    """By each split what somebody would bring against a foe, with so many dice more."""
    by_split = {split: form_of(state, sheets, replace(choice, stance=split), foe) for split in BY_ATTACK}
    return {split: replace(form, loose=form.loose + more) for split, form in by_split.items()}


def as_last(fencer: Fencer) -> Choice:
    """A turn with the fortes that counted last, and nothing else."""
    return Choice(fencer.id, "", fencer.fortes)


@lru_cache(maxsize=4096)
def pair(mine: Form, theirs: Form) -> Pair:
    """The chances of one split against another, before style dice and techniques that are added later."""
    ours, foes = _spread(mine), _spread(theirs)
    whole = sum(ways for _, _, ways in ours) * sum(ways for _, _, ways in foes)
    mean = _gain(mine, ours, theirs, foes) - _gain(theirs, foes, mine, ours)
    return Pair(1 - Fraction(_misses(mine, ours, theirs, foes), whole),
                1 - Fraction(_misses(theirs, foes, mine, ours), whole), Fraction(mean, whole))


Spread = tuple[tuple[int, int, int], ...]  # attack, defence, in how many throws


def _gain(attacker: Form, attacks: Spread, defender: Form, defences: Spread) -> int:
    """The ranks that an attack gives less those that it costs, over all throws of both."""
    if not attacker.attacks:
        return 0
    high, low = Counter[int](), Counter[int]()
    for attack, _, ways in attacks:
        high[attack] += ways
    for _, defence, ways in defences:
        low[defence] += ways
    gain = 0
    for (attack, ways), (defence, more) in product(high.items(), low.items()):
        given, cost = ranks_of_attack(attack - defence, attacker.pc, defender.pc)
        gain += ways * more * (given - cost)
    return gain


def _misses(attacker: Form, attacks: Spread, defender: Form, defences: Spread) -> int:
    """In how many throws of both the one attacked takes nothing: neither by the attack nor by a tie of their own."""
    ties = attacker.pc and not defender.pc
    at_most: dict[int | None, list[int]] = {}  # by the attacker's defence, or any: in how many throws up to each attack
    least = min(attack for attack, _, _ in attacks)
    most = max(attack for attack, _, _ in attacks) - least
    for attack, defence, ways in attacks:
        for place in (None, defence):
            at_most.setdefault(place, [0] * (most + 1))[attack - least] += ways
    for place, ways_of in at_most.items():
        at_most[place] = list(accumulate(ways_of))
    misses = 0
    for back, defence, ways in defences:
        reach = min(defence - ties - least, most) if attacker.attacks else most
        if reach >= 0:
            tied = at_most.get(back) if ties and defender.attacks else None
            misses += ways * (at_most[None][reach] - (tied[reach] if tied else 0))
    return misses


@lru_cache(maxsize=1024)
def _spread(form: Form) -> Spread:
    """Attack and defence with in how many throws they come up."""
    totals = sums(form.trays, form.loose, attack=form.place) if form.place is not None else sums(form.trays, form.loose)
    return tuple((a + form.attack, d + form.defence, ways) for (a, d), ways in totals.items())


def table(
    state: State, sheets: Sheets, who: str, foe: str, more: int = 0, theirs: int = 0
) -> tuple[tuple[str, tuple[tuple[str, Pair], ...]], ...]:
    """Each split of somebody against each of a foe's; with so many more dice of either, over their lowest ones."""
    mine = forms(state, sheets, as_last(state.fencer(who)), foe, more)
    foes = forms(state, sheets, as_last(state.fencer(foe)), who, theirs)
    return tuple((own, tuple((other, pair(mine[own], foes[other])) for other in BY_ATTACK)) for own in BY_ATTACK)


def more_dice(state: State, sheets: Sheets, who: Fencer) -> tuple[int, str]:
    """How many dice somebody could add in this turn, as far as a table counts them, and what they come from."""
    if who.squad:
        return 0, ""
    apt = most_more(sheets[who.id], counting(sheets[who.id], who), ())
    style = purse(sheets[who.id], state.context, player=who.player)
    parts = [f"{apt} technique{'' if apt == 1 else 's'}"] if apt else []
    parts += [f"{style} style {'die' if style == 1 else 'dice'}"] if style else []
    return min(MOST_COUNTED, apt + style), join(parts, empty="")


def foes_dice(state: State, sheets: Sheets, who: Fencer, foe: Fencer) -> int:
    """How many dice a foe could add, as far as whoever plays `who` knows: an NPC's techniques are the GM's to know."""
    if foe.player or not who.player:
        return more_dice(state, sheets, foe)[0]
    return 0 if foe.squad else min(MOST_COUNTED, purse(sheets[foe.id], state.context, player=False))


def likely(state: State, sheets: Sheets, who: str, foe: str) -> str:
    """The split with the best mean over all that the foe may choose; of equal ones the more careful."""
    rows = {own: sum((cell.mean for _, cell in cells), Fraction(0))
            for own, cells in table(state, sheets, who, foe)}
    return max(reversed(BY_ATTACK), key=lambda own: rows[own])


Levels = tuple[tuple[int, tuple[tuple[str, Pair], ...]], ...]


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A split against each that a foe may choose, with no more dice, with one, and so on.

    `tables` has one such table, and where a foe could add dice another for all of those.
    """

    name: str
    words: str
    split: str
    attack: int
    tables: tuple[Levels, ...]


@dataclass(frozen=True, slots=True)
class Stance:
    """What dividing the dice leads to, for one who has yet to choose: a table for each foe.

    `more` is how many dice they could add after the throw, as the tables count them; `means` says from where. `foes`
    says how many each foe could add, "" where none can; `unknown` are those against whom no chances can be told.
    """

    who: str
    name: str
    mod: str
    against: tuple[tuple[str, str, tuple[SplitRow, ...]], ...]
    columns: tuple[str, ...]
    more: tuple[int, ...]
    means: str
    foes: str
    unknown: str = ""


def stance_of(state: State, sheets: Sheets, who: Fencer, viewer: Perspective) -> Stance:
    """The tables of somebody who divides their dice; none against a foe whose numbers may not be counted."""
    many, means = more_dice(state, sheets, who)
    levels = tuple(range(many + 1))
    foes = [state.fencer(foe) for foe in state.foes_of(who.id)]
    theirs = {foe: foes_dice(state, sheets, who, foe) for foe in foes}
    against, unknown = [], [foe.name for foe in foes if not viewer.may_count(sheets, foe.id)]
    for foe in foes:
        counted = () if foe.name in unknown else (0, theirs[foe]) if any(theirs.values()) else (0,)
        whole = viewer.whole or sheets
        tables = [{more: dict(table(state, whole, who.id, foe.id, more, dice)) for more in levels} for dice in counted]
        rows = tuple(SplitRow(own, WORDS[own].capitalize(), split, int(split[0]), tuple(
            tuple((more, tuple((SPLITS[other], pair) for other, pair in cells[own])) for more, cells in by_dice.items())
            for by_dice in tables)) for own, split in SPLITS.items())
        against.append((foe.id, foe.name, rows))
    text = join([f"{bonus.name} +{dice}" for bonus, dice in theirs.items() if dice], empty="")
    adds = carried(who, usually(state, sheets, who))[0].adds
    return Stance(who.id, who.name, signed(adds), tuple(against),
                  tuple(SPLITS.values()), levels, means, text, join(unknown, empty=""))


def odds_against(state: State, sheets: Sheets, choice: Choice, foe: str) -> tuple[str, OddsAnswer]:
    """Each split with a choice against each that a foe may choose: to touch, and to be touched; and what counts."""
    other, sides = state.fencer(foe), carried(state.fencer(choice.who), counted(state, sheets, choice))
    mine, theirs = forms(state, sheets, choice, foe), forms(state, sheets, as_last(other), choice.who)
    rows: list[tuple[str, ...]] = [("", *(SPLITS[split] for split in BY_ATTACK))]
    for own in BY_ATTACK:
        pairs = [pair(mine[own], theirs[split]) for split in BY_ATTACK]
        rows.append((f"{SPLITS[own]}: {_through(choice, foe)}", *(cell.touch_shown for cell in pairs)))
        rows.append((f"{SPLITS[own]}: be touched", *(cell.touched_shown for cell in pairs)))
    facts = _counts(state, sheets, choice, sides, mine[BY_ATTACK[0]].loose)
    return f"Against {other.name}", OddsAnswer((), facts, tuple(rows))


def _through(choice: Choice, foe: str) -> str:
    return "get through" if choice.tweak and choice.against in ("", foe) else "touch"


def _counts(
    state: State, sheets: Sheets, choice: Choice, sides: tuple[Terms, Terms], loose: int
) -> tuple[str, ...]:
    """What a choice comes to before the dice, in sentences; `sides` are attack and defence."""
    more = f", {loose} more over the lowest" if loose else ""
    facts = [f"{signed(sides[0].adds)} to attack, {signed(sides[1].adds)} to defend{more}."]
    if choice.tweak in FEINTS:
        facts.append("A feint does no ranks: its margin counts on the next attack, or against the next defence.")
    elif choice.tweak == DISARM:
        facts.append("A disarm does no ranks: by as much as the foe’s MOD it takes the weapon.")
    elif choice.tweak in WITHOUT_ATTACK:
        facts.append("No attack this turn.")
    shot = sheets[choice.who].trait(choice.firearm) if choice.firearm else None
    shoots = shot_adds(state.settings.firearms, modifier_of(shot)) if shot else 0
    for hit, ranks in (("A hit", shoots), ("With the poison, a hit", envenoming.adds(state, choice.who))):
        if ranks:
            facts.append(f"{hit} does {ranks} rank{'' if ranks == 1 else 's'} more.")
    return tuple(facts)
