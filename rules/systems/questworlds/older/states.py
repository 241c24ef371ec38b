"""States of adversity and of fortune: what each is, how it lapses, whom it stops, and the final action (QW-A6, QW-A7).

A state is a line of a sheet; its value is how far it goes. After dying come three that the story passes through: nobody
can save them any more, one action is left to them, it was taken.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Effect, Lose, Raise, Sheet, Trait
from rules.system import TraitKind
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import signed
from rules.systems.questworlds.traits import ADVERSITY, FORTUNE, LAST_NUMBER, STATES, WORSENING, adds

DYING, DOOMED, ROUSED, SPENT = 4, 5, 6, 7
NAMES: Mapping[str, tuple[str, ...]] = {
    ADVERSITY: ("hurt", "impaired", "injured", "dying", "doomed", "a final action", "at the end"),
    FORTUNE: ("fresh", "pumped", "invigorated", "heroic"),
}
CLEAR = {3: "a major victory", 4: "a complete victory"}  # so much that the final action may be at no bump down
DAY, WEEK, MONTH, SEASON = 1, 7, 30, 90
TIMES = ((DAY, "A day"), (WEEK, "A week"), (MONTH, "A month"), (SEASON, "A season"))
# How many days of rest, or of idleness, take one such state away; dying is no matter of time.
LAPSES: Mapping[str, Mapping[int, int]] = {
    ADVERSITY: {1: DAY, 2: WEEK, 3: MONTH}, FORTUNE: {1: DAY, 2: WEEK, 3: MONTH, 4: SEASON}}
RULES = {ADVERSITY: "QW-A6", FORTUNE: "QW-A7"}


def kinds() -> tuple[TraitKind, ...]:
    """The two kinds of line."""
    said = ((ADVERSITY, "State of adversity", "States of adversity", "How banged up they are, in body or otherwise."),
            (FORTUNE, "State of fortune", "States of fortune", "What a victory has done for them."))
    return tuple(TraitKind(
        name, label, plural, help, tuple((place, word) for place, word in enumerate(NAMES[name], 1)), 1,
        values_are="State", condition=True, played=True) for name, label, plural, help in said)


def name_of(kind: str, value: int) -> str:
    """A state by name: `hurt`."""
    names = NAMES[kind]
    return names[max(1, min(len(names), value)) - 1]


def worth(kind: str, value: int, symbol: str = "M", edition: Edition = FIRST) -> str:
    """What a line that lasts comes to, as people read it: `−6`, `hurt, −3`, `heroic, one bump up`."""
    number = signed(adds(Trait("", kind, "", value), edition), symbol)
    if kind not in STATES:
        return number
    if value > LAST_NUMBER:
        number = "one bump up" if kind == FORTUNE else "one bump down" if value == ROUSED else "no action"
    return f"{name_of(kind, value)}, {number}"


def worth_of(trait: Trait, symbol: str = "M", edition: Edition = FIRST) -> str:
    """The same of a line of a sheet."""
    return worth(trait.kind, trait.value, symbol, edition)


def said(amount: int, down: int, symbol: str) -> str:
    """What a line of a contest comes to, in number and in bumps: `−3 and one bump down`."""
    if not down:
        return signed(amount, symbol)
    bump = f"{'one bump' if abs(down) == 1 else f'{abs(down)} bumps'} {'down' if down > 0 else 'up'}"
    return f"{signed(amount, symbol)} and {bump}" if amount else bump


def heals(trait: Trait) -> bool:
    """Whether healing is for such a line: whoever is past saving is not healed."""
    return trait.kind in WORSENING and trait.value <= DYING


def end_of(sheet: Sheet) -> Trait | None:
    """The line that says that somebody is dying, or what has come after it."""
    ends = [trait for trait in sheet.traits if trait.kind == ADVERSITY and trait.value >= DYING]
    return max(ends, key=lambda trait: trait.value, default=None)


def unable(sheet: Sheet) -> str:
    """Why somebody who is dying can't act, and what they can do; "" for anybody else."""
    line = end_of(sheet)
    if line is None or line.value == ROUSED:
        return ""
    if line.value == SPENT:
        return f"{sheet.name} has taken the last action: nothing more can be done. The GM says what becomes of them."
    return (f"{sheet.name} is {name_of(ADVERSITY, line.value)} and can’t act. A contest of wherewithal may rouse them "
            "for one final action.")


def rested(sheet: Sheet, days: int) -> tuple[list[Step], list[Lose]]:
    """What lapses in so many days of rest: of each state as many as there is time for, oldest first."""
    gone = []
    for kind in STATES:
        for value, takes in LAPSES[kind].items():
            gone += [trait for trait in sheet.traits if (trait.kind, trait.value) == (kind, value)][:days // takes]
    return _gone(sheet, gone, f"after {dict(TIMES)[days].lower()}")


def session_ends(sheets: Iterable[Sheet]) -> tuple[list[Step], list[Lose]]:
    """What lapses when a session ends: whoever is hurt or fresh is so no longer."""
    steps: list[Step] = []
    effects: list[Lose] = []
    for sheet in sheets:
        why, lost = _gone(sheet, [trait for trait in sheet.traits if trait.kind in STATES and trait.value == 1],
                          "with the session")
        steps, effects = [*steps, *why], [*effects, *lost]
    return steps, effects


def defeated(sheet: Sheet, used: Iterable[str]) -> tuple[list[Step], list[Lose]]:
    """Freshness lasts until a defeat: that of the lines which counted in it goes (QW-A7)."""
    counted = {*used}
    lines = [trait for trait in sheet.traits if trait.id in counted and (trait.kind, trait.value) == (FORTUNE, 1)]
    return _gone(sheet, lines, "with the defeat")


def _gone(sheet: Sheet, lines: Iterable[Trait], when: str) -> tuple[list[Step], list[Lose]]:
    traits = tuple(lines)
    return ([Step(RULES[trait.kind], f"{sheet.name}: {trait.name} ({name_of(trait.kind, trait.value)}) is over {when}.")
             for trait in traits], [Lose(trait.id) for trait in traits])


def rousable(sheet: Sheet) -> Options:
    """The dying line that a contest of wherewithal may be about."""
    line = end_of(sheet)
    return ((line.id, f"{sheet.name}: {line.name}"),) if line and line.value <= DOOMED else ()


def stopped(sheet: Sheet | None, rouses: str) -> str:
    """Why somebody who is dying may not roll in a contest that `rouses` this line; "" where they may."""
    line = end_of(sheet) if sheet else None
    return "" if sheet is None or line is None or line.id == rouses else unable(sheet)


def after_contest(sheet: Sheet, rouses: str, won: bool, clear: int) -> tuple[list[Step], list[Effect]]:
    """What a contest that `rouses` this line makes of somebody who is dying: roused by it, or at the end with it.

    `won` is whether it was won, `clear` by what degree, or rank where it has none.
    """
    line = end_of(sheet)
    if line is None:
        return [], []
    if line.id == rouses:
        by = CLEAR.get(clear)
        waived = f" After {by} the GM may ignore the bump down." if by else ""
        text = (f"{sheet.name} finds the strength for one final action, about something new, at one bump down.{waived}"
                if won else f"{sheet.name} finds no strength for a final action.")
        return [Step("QW-A6", text)], [Raise(line.id, (ROUSED if won else SPENT) - line.value)]
    if line.value == ROUSED:
        return [Step("QW-A6", f"That was the final action of {sheet.name}.")], [Raise(line.id, SPENT - line.value)]
    return [], []
