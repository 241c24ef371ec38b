"""Whom a procedure waits for, and for what: one sentence of what is asked, the same wherever it is told."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.procedure import Ask, Perspective
from rules.sheet import Sheet
from rules.wording import join, sentence

GM = "the GM"


def of_whom(asked: Iterable[tuple[str, str]]) -> list[str]:
    """What is asked, each with those who are asked for it; nobody's name where it is "".

    >>> of_whom([("Otto", "roll"), ("Pia", "roll"), ("", "set the resistance")])
    ['for Otto and Pia: roll', 'set the resistance']
    >>> of_whom([("", "bid"), ("Otto", "bid"), ("Pia", "bid")])
    ['bid, also for Otto and Pia']
    """
    people: dict[str, dict[str, None]] = {}
    for name, text in asked:
        people.setdefault(text, {})[name] = None
    return [_clause(text, [name for name in names if name], also="" in names) for text, names in people.items()]


def _clause(text: str, names: Sequence[str], *, also: bool) -> str:
    """One thing that is asked, of those with names, and `also` of one without."""
    if not names:
        return text
    return f"{text}, also for {join(names)}" if also else f"for {join(names)}: {text}"


def waiting(asks: Sequence[Ask], sheets: Mapping[str, Sheet], viewer: Perspective) -> str:
    """The viewer's own turn, in the second person; else whom they wait for; "" where nobody is asked.

    What may wait for as long as one likes keeps nobody waiting.
    """
    names = {who: sheet.name for who, sheet in sheets.items()}
    # What is asked of nobody by name comes first: it would read as one more of the last name's.
    mine = sorted((ask for ask in asks if viewer.is_asked(ask.by)), key=lambda ask: bool(ask.by))
    if mine:
        several = viewer.runs or len({ask.by for ask in mine}) > 1
        parts = of_whom((names.get(ask.by, "") if several else "", ask.text) for ask in mine)
        lead = "Paused" if all(ask.idle for ask in mine) else "Your turn"
        return sentence(f"{lead}{' ' if parts[0].startswith('for ') else ': '}{'; '.join(parts)}")
    parts = of_whom((names.get(ask.by, GM) if ask.by in viewer.players else GM, ask.text)
                    for ask in asks if not ask.idle)
    return sentence(f"Waiting {'; '.join(parts)}") if parts else ""


def as_refused(asks: Sequence[Ask], sheets: Mapping[str, Sheet], by: str) -> str:
    """Why an act that is not offered can't be done now: it waits for others, or for something else of this one."""
    others = () if any(ask.by == by for ask in asks) else asks
    parts = of_whom((sheets[ask.by].name if ask.by in sheets else GM, ask.text) for ask in others)
    waits = sentence(f"Waiting {'; '.join(parts)}") if parts else "Choose one of the actions shown."
    return f"You can’t do that right now. {waits}"
