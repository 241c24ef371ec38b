"""What the page says before the dice, so that nobody is surprised (QW-05, QW-25, QW-30)."""
from __future__ import annotations

from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, State, plain

BEFORE_THE_DICE = (Phase.FRAME, Phase.MODIFY, Phase.ROLL)


def warnings(state: State) -> tuple[tuple[str, str], ...]:
    """Each as (rule, sentence); earlier contests are read only before the dice."""
    found: list[tuple[str, str]] = []
    for each in state.entrants:
        if not each.chosen or not state.open_choices or state.phase not in BEFORE_THE_DICE:
            continue
        if state.framed and state.terms(each.id).score <= 0:
            found.append(("QW-05", _hopeless(state, each)))
        if missing := least_missing(state, each.id):
            found.append(("QW-30", missing))
        found += [("QW-25", text) for text in _repeated(state, each.id)]
    return tuple(found)


def _hopeless(state: State, who: Entrant) -> str:
    """What a target number of 0 or less comes to, and what a story point makes of it, as the dice would have it."""
    number = notation(state.terms(who.id).score, state.settings.symbol)
    clash = state.clash(who.id, (SIDES, SIDES))
    point = ""
    if who.id in state.settings.players and state.context.pool("story_points"):
        point = f" A story point would make it a {clash.mastered[0].bumped(1).word}."
    return (f"{who.name} has a target number of {number}: whatever the die shows is a {clash.mastered[0].word}.{point} "
            "Another tactic would do better.")


def least_missing(state: State, who: str) -> str:
    """What a use that asks for a score misses; "" where nothing does (QW-30)."""
    against, score, symbol = state.against(who), state.score(who), state.settings.symbol
    number = state.edition.resolution.no_ability if score is None else score
    if against is None or against.least is None or number >= against.least:
        return ""
    takes, has = notation(against.least, symbol), notation(number, symbol)
    return f"This takes a score of {takes}; {state.entrant(who).name} has {has}."


def _repeated(state: State, who: str) -> list[str]:
    """Earlier defeats of the same character at the same obstacle with the same tactic or ability (QW-25)."""
    mine = state.entrant(who).chosen
    found = []
    for past in state.context.past:
        if not isinstance(past.state, State) or mine is None or not _same_obstacle(state, past.state, who):
            continue
        outcome = past.state.outcome(who)
        theirs = past.state.entrant(who).chosen if outcome else None
        if outcome is None or outcome.outcome != "defeat" or theirs is None:
            continue
        if plain(mine.tactic) == plain(theirs.tactic) or (mine.name and mine.name == theirs.name):
            found.append(f"The same tactic was tried against this obstacle in entry {past.seq}, “{past.title}”. "
                         "Another one is needed.")
    return found


def _same_obstacle(now: State, past: State, who: str) -> bool:
    """Whether what stands in the way is the same: by the words of both frames, or by who or what was against them."""
    ours, theirs = plain(now.settings.obstacle), plain(past.settings.obstacle)
    if ours and theirs:
        return ours == theirs
    if not past.name_of(who):
        return False
    foes = {_foe(now, who), ours} & {_foe(past, who), theirs}
    return bool(foes - {""})


def _foe(state: State, who: str) -> str:
    return plain(state.foe(who)) if state.rival(who) or state.against(who) else ""
