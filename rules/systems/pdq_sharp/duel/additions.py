"""What is added after the dice: techniques and style dice, several at once, each a die or +1 (PS-11, PS-17)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Any

from rules.engine import Event, Sheets, Values
from rules.fields import Choice
from rules.moves import Die, Need, Step
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import check_idioms, payment, purse
from rules.systems.pdq_sharp.duel.clash import Attack, asked, lying, rolls_of, taken
from rules.systems.pdq_sharp.duel.dice import total
from rules.systems.pdq_sharp.duel.lies import attacks_of
from rules.systems.pdq_sharp.duel.state import DEFENCE, Bonus, Result, State, Throw
from rules.systems.pdq_sharp.reading import hangs_on
from rules.systems.pdq_sharp.reckoning import AS_DIE, FLAT, STYLE_DIE, most_more, sources
from rules.values import BadMove, Value
from rules.wording import percent

USE = "use_"  # before the id of a tool: the field that says what becomes of it
# Style dice that can be sent at once, each by the field that says what becomes of it, and as people call it.
STYLE_DICE = ((STYLE_DIE, "A style die"), ("style_2", "A second style die"), ("style_3", "A third style die"),
              ("style_4", "A fourth style die"))
# What somebody gives and takes, each as (ranks, what is left to the attacker for the next turn).
Comes = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Added(Event[State]):
    """Something was added after the dice: a technique (its id), or a style die (PS-17)."""

    who: str
    bonus: Bonus
    technique: str = ""

    def after(self, state: State) -> State:
        throw, bonus = throw_by(state, self.who), replace(self.bonus, technique=self.technique)
        used = (*throw.used, self.technique) if self.technique else throw.used
        return reopened(state.with_throw(replace(throw, bonus=(*throw.bonus, bonus), used=used)), self.who)


def reopened(state: State, who: str) -> State:
    """What is added opens it again for the others of the pair or trio (PS-17)."""
    among = state.reach(who)
    return replace(state, stood=tuple(who for who in state.stood if who not in among))


def throw_by(state: State, who: str) -> Throw:
    return next(throw for throw in state.throws if throw.who == who)


def sources_of(state: State, sheets: Sheets, throw: Throw) -> tuple[tuple[str, str], ...]:
    """What somebody can add now: each technique that is left, and a style die."""
    return sources(*_can_add(state, sheets, throw))


def left_to_add(state: State, sheets: Sheets, throw: Throw) -> int:
    """How many tools somebody could still add, one after the other."""
    return most_more(*_can_add(state, sheets, throw))


def _can_add(state: State, sheets: Sheets, throw: Throw) -> tuple[Sheet, Sequence[str], Sequence[str], int]:
    """Whose techniques, with which fortes, but those used up, and how many style dice."""
    sheet, choice = sheets[throw.who], state.choice_of(throw.who)
    counting = (*choice.fortes, choice.gambit) if choice else ()
    return sheet, counting, throw.used, purse(sheet, state.context, player=state.fencer(throw.who).player)


def offer_add(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever is asked and has something left: for each tool whether it is a die or +1, and where."""
    for throw in asked(state):
        if sources := _one_by_one(state, sheets, throw):
            sheet = sheets[throw.who]
            fields = tuple(Choice(name=USE + source, label=name, default="",
                                  help=hangs_on(sheet, tool) if (tool := sheet.trait(source)) else "",
                                  options=(("", "Not now"), *_uses(state, throw))) for source, name in sources)
            yield Offer("add", throw.who, "Add to the roll", "Each technique once a turn, several at once. "
                        "A spent style die goes to the bowl.", fields, rolls=True)


def _one_by_one(state: State, sheets: Sheets, throw: Throw) -> tuple[tuple[str, str], ...]:
    """What somebody can add at once: each technique that is left, and each style die of the first few."""
    sheet, fortes, used, style = _can_add(state, sheets, throw)
    return (*sources(sheet, fortes, used), *STYLE_DICE[:style])


def _uses(state: State, throw: Throw) -> Options:
    """What a tool can be: a die on a side that has dice, one put down when it has fallen, or +1 on a side."""
    sides = [(tray, where(state, throw, tray.to)) for tray in throw.trays]
    return (*((f"{AS_DIE}|{tray.to}", f"A die on {side}") for tray, side in sides if tray.dice),
            (f"{AS_DIE}|", "A die, put down when it has fallen"),
            *((f"{FLAT}|{tray.to}", f"+1 on {side}") for tray, side in sides))


def where(state: State, throw: Throw, to: str) -> str:
    """A tray in words: the attack, the attack on somebody where there are two, the defence."""
    if to == DEFENCE:
        return "the defence"
    return "the attack" if len(throw.attacks) == 1 else f"the attack on {state.fencer(to).name}"


@dataclass(frozen=True)
class Use:
    """A tool that is added: a technique's id or `style`, as a `die` or `flat`, and where; "" for a die put nowhere."""

    source: str
    how: str
    to: str


def uses_in(values: Mapping[str, Any]) -> tuple[Use, ...]:
    """What was chosen for each tool."""
    chosen = ((name.removeprefix(USE), said) for name, said in values.items() if name.startswith(USE) and said)
    style = dict(STYLE_DICE)
    return tuple(Use(STYLE_DIE if source in style else source, *said.split("|")) for source, said in chosen)


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Techniques, each once a turn, and a style die: each one more die, or +1; all of it at once (PS-11, PS-22)."""
    uses = uses_in(values)
    if not uses:
        raise BadMove("Choose something to add, or let it stand.", next(iter(values)))
    check_idioms(sheets[by], (*throw_by(state, by).used, *(use.source for use in uses)), USE + uses[-1].source)
    wanted = sum(use.how == AS_DIE for use in uses)
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove("Enter a die for each die, and none for +1.", "dice")
    left, now = iter(faces), state
    events: list[Event[State]] = []
    steps: list[Step] = []
    dice: list[Die] = []
    for use in uses:
        added = _added(sheets[by], by, use, next(left) if use.how == AS_DIE else 0)
        steps += _told(now, added)
        dice += [Die(6, added.bonus.face, f"{state.fencer(by).name}: {added.bonus.source}")] if added.bonus.face else []
        now = added.after(now)
        events.append(added)
    style = sum(use.source == STYLE_DIE for use in uses)
    gives, takes = taken(now, by)
    result: dict[str, Value] = {"gives": {"ranks": gives}, "takes": {"ranks": takes}}
    return Result(tuple(events), tuple(steps), result, tuple(dice), payment(sheets[by], style),
                  rolls_of(now, tuple(state.reach(by))) if dice else ())


def _added(sheet: Sheet, who: str, use: Use, face: int) -> Added:
    technique = sheet.trait(use.source)
    bonus = Bonus(technique.name if technique else "a style die", face, use.to)
    return Added(who, bonus, technique.id if technique else "")


def _told(state: State, added: Added) -> Iterator[Step]:
    """What a tool adds, and what that makes of each side."""
    throw, bonus = throw_by(state, added.who), added.bonus
    place = where(state, throw, bonus.to) if bonus.to else "the side that it helps most"
    what = f"shows {bonus.face}" if bonus.face else "adds 1"
    yield Step("PS-11", f"{state.fencer(added.who).name}: {bonus.source} {what}, on {place}.")
    yield from before_after(state, added.after(state), added.who)


def before_after(before: State, after: State, who: str) -> Iterator[Step]:
    """Both moments in the trail: what each side came to, and what it comes to now."""
    was, now = lying(before, who) or throw_by(before, who), lying(after, who) or throw_by(after, who)
    for tray in now.trays:
        if total(was, tray.to) != total(now, tray.to):
            yield Step("PS-17", f"{before.fencer(who).name}, {where(before, now, tray.to)}: {total(was, tray.to)} "
                                f"becomes {total(now, tray.to)}.")


def outcomes(state: State, sheet: Sheet, who: str, uses: Sequence[Use]) -> Counter[Comes]:
    """What somebody gives and takes with all of these, over all faces: in how many ways."""
    cases: Counter[Comes] = Counter()
    for now, ways in fallen(state, sheet, who, uses):
        cases[comes(attacks_of(now, who), who)] += ways
    return cases


def fallen(state: State, sheet: Sheet, who: str, uses: Sequence[Use]) -> Iterator[tuple[State, int]]:
    """How the dice would lie with all of these, for all faces, each in how many ways."""
    places = Counter(use.to for use in uses if use.how == AS_DIE)
    fixed = with_flat(state, sheet, who, uses)
    for thrown in product(*(combinations_with_replacement(range(1, 7), many) for many in places.values())):
        now, ways = fixed, 1
        for to, faces in zip(places, thrown, strict=True):
            ways *= factorial(len(faces)) // prod(factorial(same) for same in Counter(faces).values())
            for face in faces:
                now = Added(who, Bonus("", face, to)).after(now)
        yield now, ways


def with_flat(state: State, sheet: Sheet, who: str, uses: Sequence[Use]) -> State:
    """How it lies with those of them that are no dice."""
    return reduce(lambda now, use: _added(sheet, who, use, 0).after(now),
                  [use for use in uses if use.how != AS_DIE], state)


def comes(fought: Sequence[Attack], who: str) -> Comes:
    """What somebody gives and takes by these attacks, and what those leave for the next turn."""
    gives = sum(attack.hurts if attack.by == who else attack.costs for attack in fought)
    takes = sum(attack.costs if attack.by == who else attack.hurts for attack in fought)
    left = [sum(left.attack + left.defence for attack in fought for left in attack.left if (left.who == who) is mine)
            for mine in (True, False)]
    return (gives, left[0]), (takes, left[1])


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
        return spread(self.gives, self.takes)


def spread(gives: tuple[int, int], takes: tuple[int, int]) -> str:
    """Ranks from the least to the most: `2 to 4 given, 1 taken`."""
    return ", ".join(f"{between(*span)} {word}" for span, word in ((gives, "given"), (takes, "taken")))


def between(least: int, most: int) -> str:
    """A number, or from where to where it goes."""
    return f"{least}" if least == most else f"{least} to {most}"


def with_additions(state: State, sheets: Sheets, throw: Throw) -> tuple[Addition, ...]:
    """What each tool would lead to alone, for the page that offers them: what helps most comes first."""
    rows: list[tuple[Fraction, Addition]] = []
    for source, name in sources_of(state, sheets, throw):
        for said, words in _uses(state, throw):
            cases = outcomes(state, sheets[throw.who], throw.who, (Use(source, *said.split("|")),))
            net = Fraction(sum((sum(comes[0]) - sum(comes[1])) * ways for comes, ways in cases.items()), cases.total())
            rows.append((net, Addition(f"{source}|{said}", f"{name}: {words[0].lower()}{words[1:]}",
                                       _share(cases, 0), _share(cases, 1),
                                       span_of(cases, 0), span_of(cases, 1))))
    return tuple(row for _, row in sorted(rows, key=lambda row: -row[0]))


def given_for(addition: str) -> dict[str, str]:
    """An addition by its id, as the act takes it."""
    source, _, said = addition.partition("|")
    return {USE + source: said}


def _share(cases: Mapping[Comes, int], place: int) -> Fraction:
    return Fraction(sum(ways for comes, ways in cases.items() if comes[place][0] > 0), sum(cases.values()))


def span_of(cases: Mapping[Comes, int], place: int) -> tuple[int, int]:
    """The least and the most ranks that somebody gives (0) or takes (1)."""
    ranks = [comes[place][0] for comes in cases]
    return min(ranks), max(ranks)

