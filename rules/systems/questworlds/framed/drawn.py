"""A framed contest as its page draws it: for each who contends, what they have, what it comes to, and the odds."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.moves import Die
from rules.sheet import Sheet
from rules.systems.questworlds.framed.asked import WORDS, counts, whose
from rules.systems.questworlds.framed.events import Chosen, Opposition
from rules.systems.questworlds.framed.forecast import results, what_ifs, with_others
from rules.systems.questworlds.framed.masses import FATES
from rules.systems.questworlds.framed.state import Phase, Proposal, State
from rules.systems.questworlds.notation import notation, of_rank, signed
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.traits import CONSEQUENCE

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
    results: Shares
    levels: tuple[str, ...]
    ifs: tuple[tuple[str, Shares], ...]
    others: tuple[tuple[str, Shares], ...]  # with another ability of the sheet
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
    mass: str
    gave: tuple[str, ...]


def picture(state: State, sheets: Mapping[str, Sheet]) -> Picture:
    """The contest for everybody: what is chosen in secret stays out of it."""
    rows = tuple(_row(state, each.id, sheets.get(each.id)) for each in state.entrants)
    return Picture(
        state.settings.prize, state.settings.obstacle, rows,
        tuple((_offered(state, each), each.words, _stands(each.verdict, each.won, each.bonus))
              for each in state.proposals),
        state.around.pool("story_points"),
        {"victory": "The group wins.", "defeat": "The group loses.", "tie": "Neither side wins."}.get(state.side, ""),
        _mass(state),
        tuple(f"{state.entrant(each.who).name}: {each.name}, "
              f"{signed(of_rank(each.rank) * (-1 if each.kind == CONSEQUENCE else 1), state.settings.symbol)}"
              for each in state.gave),
    )


def _mass(state: State) -> str:
    if state.mass is None:
        return ""
    force = state.mass.force or "the force"
    return {
        "decides": f"A clash of forces, and how they lead {force} decides it.",
        "contributes": f"A clash of forces. The number of {force} is rolled; abilities of their own augment it.",
        "suffers": f"A clash of forces, and they are caught in it. {dict(FATES).get(state.mass.fate, '')}.",
    }[state.mass.role]


def _offered(state: State, each: Proposal) -> str:
    """An augment, with whose help it is and for whom where that is not plain."""
    whom = state.name_of(each.whom)
    if each.by != each.whom and each.helper:
        return f"{each.name} of {each.helper}, for {whom}" if whom else f"{each.name} of {each.helper}"
    return f"{each.name}, for {whom}" if len(state.entrants) > 1 and whom else each.name


def _stands(verdict: str, won: bool | None, bonus: int) -> str:
    if verdict == "refused" or won is False:
        return "no help"
    if verdict == "roll" and won is None:
        return f"rolls for +{bonus}"
    return f"+{bonus}" if verdict else "waits for the GM"


def _row(state: State, who: str, sheet: Sheet | None) -> Row:
    symbol, entrant = state.settings.symbol, state.entrant(who)
    open_ = entrant.chosen if state.open_choices else None
    against, score = state.against(who), state.score(who)
    framed = state.framed and state.open_choices
    terms = state.terms(who) if framed else None
    lines = tuple(
        (counts(each, symbol), f"{WORDS[each.kind]}: {whose(state, each)}" if each.kind in WORDS else each.label,
         each.reason)
        for each in (state.lines(who) if state.open_choices else ())
    )
    before = not entrant.dice and state.phase in (Phase.FRAME, Phase.MODIFY, Phase.ROLL)
    found = what_ifs(state, who) if framed and before else ()
    # Against each other what one has is one's own affair, and so it is for whom nobody plays.
    open_sheet = sheet if who in state.settings.players and not state.rival(who) and against else None
    others = with_others(state, open_sheet) if open_sheet and before else ()
    notes: tuple[str, ...] = ()
    if against:
        notes = tuple(filter(None, (
            f"At stake: {against.stake}" if against.stake else "",
            "A story may end here." if against.ending else "",
            "The victory is assured." if against.assured else "",
            f"It takes {notation(against.least, symbol)}." if against.least else "",
            f"A second goal: {against.second_prize}" if against.second_prize else "",
            f"Many against few: {against.heads}." if against.crowd else "",
            "A tie goes to the player." if against.tie_to_player else "")))
    sentence, tone = _outcome(state, who)
    return Row(
        entrant.name, entrant.chosen is not None, open_.tactic if open_ else "", _ability(open_, score, symbol), lines,
        notation(terms.score, symbol) if terms else "",
        state.foe(who) if against or state.rival(who) else "",
        notation(terms.resistance + sum(terms.resistance_modifiers), symbol) if terms
        else notation(against.resistance, symbol) if against and not state.rival(who) else "",
        _told(against, symbol), notes,
        found[0][1].shares if found else (), results(state, who) if found else (),
        found[0][1].facts if found else (), tuple((label, each.shares) for label, each in found[1:]),
        tuple((label, each.shares) for label, each in others), _dice(state, who), sentence, tone)


def _ability(chosen: Chosen | None, score: int | None, symbol: str) -> str:
    if chosen is None:
        return ""
    if score is None:
        return "No ability fits, 6"
    names = f"{chosen.name} and {chosen.second}" if chosen.second else chosen.name
    return f"{names} {notation(score, symbol)}"


def _told(against: Opposition | None, symbol: str) -> str:
    """How a resistance came to its number."""
    if against is None or not against.crowd:
        return against.told if against else ""
    alone = notation(against.resistance - against.crowd, symbol)
    known = f"{against.told}, {alone}" if against.told else f"{alone} alone"
    return f"{known}; {signed(against.crowd, symbol)} for the heads"


def _dice(state: State, who: str) -> tuple[Die, ...]:
    dice = state.entrant(who).dice
    if dice is None:
        return ()
    return (Die(SIDES, dice[0], state.entrant(who).name), Die(SIDES, dice[1], state.foe(who)))


def entrant_name(state: State, who: str, lead: int) -> str:
    """Whoever leads, by name."""
    return state.entrant(who).name if lead > 0 else state.foe(who)


def _outcome(state: State, who: str) -> tuple[str, str]:
    found = state.outcome(who)
    if found is None:
        clash = state.rolled(who)
        if clash is None:
            return "", ""
        ours, theirs = clash.mastered if state.rival(who) else clash.results
        ahead = "Even" if not clash.lead else f"{entrant_name(state, who, clash.lead)} ahead"
        return f"A {ours.word} against a {theirs.word}, so far. {ahead}.", "fair"
    rank = f" of rank {found.rank}" if found.rank and found.outcome != "tie" else ""
    came = f": a {found.ours} against a {found.theirs}" if found.ours else ""
    goals = dict(state.goals)
    against = state.against(who)
    won = ""
    if against and who in goals:
        won = f" {state.settings.prize if goals[who] == 'first' else against.second_prize}".rstrip(".") + "."
    return f"{found.outcome.capitalize()}{rank}{came}.{won}", {"victory": "good", "defeat": "bad"}.get(
        found.outcome, "fair"
    )
