"""A framed contest as its page draws it: for each who contends, what they have, what it comes to, and the odds."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.moves import Die
from rules.systems.questworlds.framed.events import Chosen
from rules.systems.questworlds.framed.forecast import what_ifs
from rules.systems.questworlds.framed.state import Phase, State
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.roll import SIDES

Shares = tuple[tuple[str, Fraction, str], ...]


@dataclass(frozen=True)
class Row:
    """One who contends."""

    name: str
    chosen: bool
    tactic: str
    ability: str
    lines: tuple[tuple[str, str, str], ...]  # amount, label, reason
    target: str
    foe: str
    resistance: str
    told: str
    notes: tuple[str, ...]
    odds: Shares
    levels: tuple[str, ...]
    ifs: tuple[tuple[str, Shares], ...]
    dice: tuple[Die, ...]
    sentence: str
    tone: str


@dataclass(frozen=True)
class Picture:
    """All of it."""

    prize: str
    obstacle: str
    rows: tuple[Row, ...]
    proposals: tuple[tuple[str, str, str], ...]  # name, words, how it stands
    points: int
    side: str


def picture(state: State) -> Picture:
    """The contest for everybody: what is chosen in secret stays out of it."""
    return Picture(
        state.settings.prize, state.settings.obstacle, tuple(_row(state, each.id) for each in state.entrants),
        tuple((each.name, each.words, _stands(each.verdict, each.won, each.bonus)) for each in state.proposals),
        state.around.pool("story_points"),
        {"victory": "The group wins.", "defeat": "The group loses.", "tie": "Neither side wins."}.get(state.side, ""),
    )


def _stands(verdict: str, won: bool | None, bonus: int) -> str:
    if verdict == "refused" or won is False:
        return "no help"
    if verdict == "roll" and won is None:
        return f"rolls for +{bonus}"
    return f"+{bonus}" if verdict else "waits for the GM"


def _row(state: State, who: str) -> Row:
    symbol, entrant = state.settings.symbol, state.entrant(who)
    open_ = entrant.chosen if state.open_choices else None
    against, score = state.against(who), state.score(who)
    framed = state.framed and state.open_choices
    terms = state.terms(who) if framed else None
    lines = tuple(
        ("bump down" if each.down else signed(each.amount, symbol), each.label, each.reason)
        for each in state.lines(who)
    )
    found = what_ifs(state, who) if framed and state.phase in (Phase.MODIFY, Phase.ROLL) and not entrant.dice else ()
    notes: tuple[str, ...] = ()
    if against:
        notes = tuple(filter(None, (
            f"At stake: {against.stake}" if against.stake else "",
            "A story may end here." if against.ending else "",
            "The victory is assured." if against.assured else "",
            f"It takes {notation(against.least, symbol)}." if against.least else "",
            f"A second goal: {against.second_prize}" if against.second_prize else "",
            "A tie goes to the player." if against.tie_to_player else "")))
    sentence, tone = _outcome(state, who)
    return Row(
        entrant.name, entrant.chosen is not None, open_.tactic if open_ else "", _ability(open_, score, symbol), lines,
        notation(terms.score, symbol) if terms else "",
        (state.rival(who).name if state.pair else against.name if against else "") if framed or not state.pair else "",
        notation(terms.resistance + sum(terms.resistance_modifiers), symbol) if terms
        else notation(against.resistance, symbol) if against else "",
        against.told if against else "", notes, found[0][1].shares if found else (), found[0][1].facts if found else (),
        tuple((label, each.shares) for label, each in found[1:]), _dice(state, who), sentence, tone)


def _ability(chosen: Chosen | None, score: int | None, symbol: str) -> str:
    if chosen is None:
        return ""
    if score is None:
        return "No ability fits, 6"
    names = f"{chosen.name} and {chosen.second}" if chosen.second else chosen.name
    return f"{names} {notation(score, symbol)}"


def _dice(state: State, who: str) -> tuple[Die, ...]:
    dice = state.entrant(who).dice
    if dice is None:
        return ()
    against = state.against(who)
    foe = state.rival(who).name if state.pair else against.name if against else "the resistance"
    return (Die(SIDES, dice[0], state.entrant(who).name), Die(SIDES, dice[1], foe))


def _outcome(state: State, who: str) -> tuple[str, str]:
    found = state.outcome(who)
    if found is None:
        clash = state.rolled(who)
        if clash is None:
            return "", ""
        ours, theirs = clash.mastered if state.pair else clash.results
        return f"A {ours.word} against a {theirs.word}, so far.", "fair"
    rank = f" of rank {found.rank}" if found.rank and found.outcome != "tie" else ""
    results = f": a {found.ours} against a {found.theirs}" if found.ours else ""
    return f"{found.outcome.capitalize()}{rank}{results}.", {"victory": "good", "defeat": "bad"}.get(
        found.outcome, "fair"
    )
