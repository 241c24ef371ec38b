"""A simple contest as one viewer may see it: for each who contends, what they have, what it comes to, and the odds."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.engine import Sheets
from rules.moves import Die
from rules.procedure import Participant, Perspective, View, is_known
from rules.sheet import Sheet
from rules.systems.questworlds.after import Gave
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import worth
from rules.systems.questworlds.reckoning import told
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest.aftermath import group_chances, group_degree
from rules.systems.questworlds.simple_contest.framing import BEFORE_THE_DICE, warnings
from rules.systems.questworlds.simple_contest.masses import FATES
from rules.systems.questworlds.simple_contest.modifiers import OF_SHEETS, whose
from rules.systems.questworlds.simple_contest.odds import results, what_ifs, with_others
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Proposal, State
from rules.systems.questworlds.simple_contest.values import Chosen, Opposition
from rules.wording import sentence

RARE = ("crowd", "mass", "send_back", "take_back", "compel", "no_conflict", "call_off")
ENDS = {
    "backed out": "They backed out before the dice.", "called off": "It was called off.",
    "submitted": "The flaw had its way.", "no conflict": "Both sides have what they want.",
}
NOBODY = Perspective()
Outcomes = tuple[tuple[str, Fraction, str], ...]


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
    why: str  # how the resistance came
    notes: tuple[str, ...]
    odds: Outcomes
    results: Outcomes
    levels: tuple[str, ...]
    ifs: tuple[tuple[str, Outcomes], ...]
    others: tuple[tuple[str, Outcomes], ...]  # with another ability of the sheet
    dice: tuple[Die, ...]
    sentence: str
    tone: str
    unknown: bool = False  # whether the viewer knows only the face of what stands against it
    own: bool = False  # whether the viewer plays them


@dataclass(frozen=True)
class Detail:
    """All that the page of a simple contest draws beside what every procedure has."""

    obstacle: str
    rows: tuple[Row, ...]
    proposals: tuple[tuple[str, str, str], ...]  # name, words, how it stands
    points: int | None  # None where the campaign has no story points at all
    side: str
    mass: str
    gave: tuple[str, ...]
    chances: tuple[str, ...]  # of the whole group, where it is told
    settled: bool  # whether it is decided, so that only its aftermath is left
    framing: bool  # whether the players are asked first
    rare: tuple[str, ...]  # the GM's acts that stand behind "More options"


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The contest for one viewer: what others choose in secret stays out of it, and what is one's own is in it."""
    if not viewer.runs and state.phase in BEFORE_THE_DICE:
        state = state.unannounced
    groups = tuple((Participant(entrant.id, entrant.name, ""),) for entrant in state.entrants)
    # What a target number of 0 comes to depends on what is against it.
    open_ = all(viewer.may_count(sheets, state.foe_sheet(entrant.id)) for entrant in state.entrants)
    facts = tuple(text for rule, text in warnings(state) if open_ or rule != "QW-05")
    return View(heading(state), _besides(state, viewer), groups, facts, _detail(state, sheets, viewer))


def _detail(state: State, sheets: Sheets, viewer: Perspective) -> Detail:
    return Detail(
        state.settings.obstacle,
        tuple(_row(state, entrant, sheets.get(entrant.id), viewer, sheets)
              for entrant in sorted(state.entrants, key=lambda entrant: entrant.id not in viewer.plays)),
        tuple((_offered(state, proposal, sheets), proposal.words,
               _stands(proposal.verdict, proposal.won, proposal.bonus))
              for proposal in state.proposals),
        state.context.left("story_points"), _side(state), _mass(state),
        tuple(_given(state, given) for given in state.gave), group_chances(state),
        state.phase in (Phase.AFTER, Phase.OVER), state.phase in (Phase.FRAME, Phase.ROLL, Phase.POINT),
        () if state.settings.mode == "flaw" and not state.oppositions else RARE,
    )


def _side(state: State) -> str:
    text = {"victory": "The group wins", "defeat": "The group loses", "tie": "Neither side wins"}.get(state.side, "")
    if text and state.in_points and (degree := group_degree(state)):
        return f"{text}: a {in_words(degree)}."
    return f"{text}." if text else ""


def _given(state: State, gave: Gave) -> str:
    amount = worth(gave.kind, gave.rank, state.settings.symbol, state.edition)
    return f"{state.name_of(gave.who)}: {gave.name}, {amount}"


def _assured(against: Opposition, before: bool) -> str:
    """That it is assured, to whoever may know; `before` the roll that is the GM alone, unless it was announced."""
    if not against.assured:
        return ""
    secret = before and not against.announced
    return f"The victory is assured.{' Only you know before the roll.' if secret else ''}"


def _mass(state: State) -> str:
    if state.mass is None:
        return ""
    force = state.mass.force or "the force"
    return {
        "decides": f"A clash of forces, and how they lead {force} decides it.",
        "contributes": f"A clash of forces. The number of {force} is rolled; abilities of their own augment it.",
        "suffers": f"A clash of forces, and they are caught in it. {dict(FATES).get(state.mass.fate, '')}.",
    }[state.mass.role]


def _offered(state: State, proposal: Proposal, sheets: Sheets) -> str:
    """An augment, with whose help it is and for whom where that is not plain."""
    whom = state.name_of(proposal.whom)
    if not is_known(sheets, proposal.by):
        return f"Help of {proposal.helper or state.name_of(proposal.by)}"
    if proposal.by != proposal.whom and proposal.helper:
        return f"{proposal.name} of {proposal.helper}, for {whom}" if whom else f"{proposal.name} of {proposal.helper}"
    return f"{proposal.name}, for {whom}" if len(state.entrants) > 1 and whom else proposal.name


def _stands(verdict: str, won: bool | None, bonus: int) -> str:
    if verdict == "refused" or won is False:
        return "no help"
    if verdict == "roll" and won is None:
        return f"rolls for +{bonus}"
    return f"+{bonus}" if verdict else "waits for the GM"


def _row(state: State, entrant: Entrant, sheet: Sheet | None, viewer: Perspective, sheets: Sheets) -> Row:
    symbol, who = state.settings.symbol, entrant.id
    # Against each other one sees what is one's own, until both have chosen; of a face alone one sees no number.
    seen = (state.open_choices or is_own(state, who, viewer)) and is_known(sheets, who)
    chosen = entrant.chosen if seen else None
    against, rival = state.against(who), state.rival(who)
    framed = state.framed and state.open_choices
    before = not entrant.dice and state.phase in (Phase.FRAME, Phase.MODIFY, Phase.ROLL)
    known, counts = is_known(sheets, state.foe_sheet(who)), viewer.may_count(sheets, who, state.foe_sheet(who))
    cases = what_ifs(state, who) if framed and before and counts else ()
    # Against each other what one has is one's own affair, and so it is for NPCs.
    open_sheet = sheet if who in state.settings.players and not rival and against else None
    others = with_others(state, open_sheet) if open_sheet and before and counts else ()
    came, tone = _outcome(state, who)
    return Row(
        entrant.name, entrant.chosen is not None, chosen.tactic if chosen else "",
        _ability(state, chosen, state.score(who)), _lines(state, who) if seen else (),
        notation(state.terms(who).score, symbol) if framed and seen else "",
        state.foe(who) if against or rival else "", _resistance(state, who, framed) if known else "",
        _why(against, symbol) if known else "", _notes(state, against, chosen),
        cases[0][1].outcomes if cases else (), results(state, who) if cases else (),
        cases[0][1].facts if cases else (), tuple((label, answer.outcomes) for label, answer in cases[1:]),
        tuple((label, answer.outcomes) for label, answer in others), _dice(state, who), came, tone,
        bool(against or rival) and not known, who in viewer.plays)


def _resistance(state: State, who: str, framed: bool) -> str:
    """What stands against one, as it counts now."""
    symbol, against = state.settings.symbol, state.against(who)
    if framed:
        terms = state.terms(who)
        return notation(terms.resistance + sum(terms.resistance_modifiers), symbol)
    return notation(against.resistance, symbol) if against and not state.rival(who) else ""


def _lines(state: State, who: str) -> tuple[tuple[str, str, str], ...]:
    """The modifiers of one, each with its amount, what it is and why."""
    return tuple(
        (told(line, state.settings.symbol),
         f"{OF_SHEETS[line.kind].capitalize()}: {whose(state, line)}" if line.kind in OF_SHEETS else line.label,
         line.reason)
        for line in state.lines(who)
    )


def _notes(state: State, against: Opposition | None, chosen: Chosen | None) -> tuple[str, ...]:
    """What else there is to know of it, each in a sentence."""
    notes = [f"A second goal: {chosen.goal}"] if chosen and chosen.goal else []
    if against:
        notes += filter(None, (
            f"At stake: {against.stake}" if against.stake else "",
            "A story may end here." if against.ending else "",
            _assured(against, state.phase in BEFORE_THE_DICE),
            f"It takes {notation(against.least, state.settings.symbol)}." if against.least else "",
            f"A second goal: {against.second_prize}" if against.second_prize else "",
            f"Many against few: {against.heads}." if against.crowd else "",
            "A tie goes to the player." if against.tie_to_player else ""))
    return tuple(notes)


def _ability(state: State, chosen: Chosen | None, score: int | None) -> str:
    if chosen is None:
        return ""
    if score is None:
        return f"No ability fits, {state.edition.resolution.no_ability}"
    names = f"{chosen.name} and {chosen.second}" if chosen.second else chosen.name
    return f"{names} {notation(score, state.settings.symbol)}"


def _why(against: Opposition | None, symbol: str) -> str:
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
    outcome = state.outcome(who)
    if outcome is None:
        clash = state.rolled(who)
        if clash is None:
            return "", ""
        ours, theirs = clash.mastered if state.rival(who) else clash.results
        ahead = "Even" if not clash.lead else f"{entrant_name(state, who, clash.lead)} ahead"
        return f"A {ours.word} against a {theirs.word}, so far. {ahead}.", "fair"
    rank = f" of rank {outcome.rank}" if outcome.rank and outcome.outcome != "tie" else ""
    came = f": a {outcome.ours} against a {outcome.theirs}" if outcome.ours else ""
    goals, won = dict(state.goals), ""
    if who in goals:
        won = f" {sentence(state.settings.prize if goals[who] == 'first' else state.second_goal(who))}"
    what = in_words(outcome.degree) if outcome.degree else f"{outcome.outcome}{rank}"
    return f"{what.capitalize()}{came}.{won}", {"victory": "good", "defeat": "bad"}.get(
        outcome.outcome, "fair"
    )


def is_own(state: State, who: str, viewer: Perspective) -> bool:
    """Whether it is the viewer's to say for this one: their own, or, for the GM, an NPC."""
    return who in viewer.plays or (viewer.runs and who not in state.settings.players)


def heading(state: State) -> str:
    """Where the contest is, in a word or two."""
    return {
        Phase.BLANK: "", Phase.FRAME: "Framing", Phase.MODIFY: "Modifiers", Phase.ROLL: "Rolling",
        Phase.OWN_POINT: "Story point", Phase.POINT: "Story points", Phase.AFTER: "Aftermath", Phase.OVER: "Done",
    }[state.phase]


def _besides(state: State, viewer: Perspective) -> str:
    """What there is to say beside whom it waits for."""
    if state.phase is Phase.OVER:
        return ENDS.get(state.ended, "The contest is done.")
    return "" if viewer.runs or state.phase is not Phase.MODIFY else "You can offer augments now."
