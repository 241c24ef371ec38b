"""What the page says before the dice, so that nobody is surprised (QW-05, QW-25, QW-30)."""
from __future__ import annotations

from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.notation import notation


def warnings(state: State) -> tuple[tuple[str, str], ...]:
    """Each as (rule, sentence)."""
    found: list[tuple[str, str]] = []
    for each in state.entrants:
        if not each.chosen or not state.open_choices:
            continue
        if state.framed and state.terms(each.id).score <= 0:
            number = notation(state.terms(each.id).score, state.settings.symbol)
            found.append(("QW-05", f"{each.name} has a target number of {number}: whatever the die shows is a "
                                   "failure. Another tactic would do better."))
        if missing := least_missing(state, each.id):
            found.append(("QW-30", missing))
        found += [("QW-25", told) for told in _repeated(state, each.id)]
    return tuple(found)


def least_missing(state: State, who: str) -> str:
    """What a use that asks for a score misses; "" where nothing does (QW-30)."""
    against, score = state.against(who), state.score(who)
    if against is None or against.least is None or (score if score is not None else 6) >= against.least:
        return ""
    symbol = state.settings.symbol
    has = notation(score if score is not None else 6, symbol)
    return f"This takes a score of {notation(against.least, symbol)}; {state.entrant(who).name} has {has}."


def _repeated(state: State, who: str) -> list[str]:
    """Earlier contests of the same one against the same obstacle with the same tactic or ability (QW-25)."""
    mine, goal = state.entrant(who).chosen, _plain(state.settings.obstacle or state.settings.prize)
    found = []
    for past in state.around.past:
        if not isinstance(past.state, State) or not past.state.outcomes:
            continue
        if _plain(past.state.settings.obstacle or past.state.settings.prize) != goal:
            continue
        theirs = next((each.chosen for each in past.state.entrants if each.id == who), None)
        if mine and theirs and (
                _plain(mine.tactic) == _plain(theirs.tactic) or (mine.name and mine.name == theirs.name)):
            found.append(f"The same tactic was tried against this obstacle in entry {past.seq}, “{past.title}”. "
                         "Another one is needed.")
    return found


def _plain(words: str) -> str:
    return " ".join(words.casefold().split()).strip(".!?… ")
