"""The frame as a whole: accepted, left, ready for the dice, and what the page says before (QW-20, QW-25, QW-63)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values, after
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.systems.questworlds.after import Defeat, RemembersDefeats
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import stopped
from rules.systems.questworlds.reckoning import told
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest.modifiers import OF_SHEETS, as_they_are_now, whose
from rules.systems.questworlds.simple_contest.opposition import stand_now
from rules.systems.questworlds.simple_contest.resolution import Ended, won_without_dice
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Result, State, plain
from rules.systems.questworlds.simple_contest.values import ContestOptions
from rules.values import BadMove
from rules.wording import sentence

BEFORE_THE_DICE = (Phase.FRAME, Phase.MODIFY, Phase.ROLL)


@dataclass(frozen=True)
class Begun(Event[State]):
    """The contest is opened: each who is in it as (id, name)."""

    settings: ContestOptions
    entrants: tuple[tuple[str, str], ...]

    def after(self, state: State) -> State:
        entrants = tuple(Entrant(who, name) for who, name in self.entrants)
        return replace(state, settings=self.settings, entrants=entrants)


@dataclass(frozen=True)
class Accepted(Event[State]):
    """A player accepts that a story may end here."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, accepted=True)


@dataclass(frozen=True)
class Left(Event[State]):
    """One of several backs out before the dice, and nothing that was said of them counts; the others go on."""

    who: str

    def after(self, state: State) -> State:
        who = self.who
        return replace(
            state, entrants=tuple(entrant for entrant in state.entrants if entrant.id != who),
            modifiers=tuple(line for line in state.modifiers if line.who != who),
            oppositions=tuple(against for against in state.oppositions if who not in (against.who, against.rival)),
            proposals=tuple(
                replace(proposal, verdict="refused") if who in (proposal.by, proposal.whom) and proposal.open
                else proposal for proposal in state.proposals))


@dataclass(frozen=True)
class Set(Event[State]):
    """The frame is ready."""

    def after(self, state: State) -> State:
        return replace(state, frame_stands=True)


@dataclass(frozen=True)
class Reopened(Event[State]):
    """Back to framing."""

    def after(self, state: State) -> State:
        return replace(state, frame_stands=False)


def _wary(state: State) -> Iterator[Entrant]:
    """Those who have yet to accept that a story may end here."""
    for entrant in state.entrants:
        against = state.against(entrant.id)
        if state.phase is Phase.MODIFY and against and against.ending and not entrant.accepted:
            yield entrant


def offer_to_accept(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those whose story may end here."""
    return (Offer("accept", entrant.id, "Accept that the story may end here", personal=True)
            for entrant in _wary(state))


def ask_to_accept(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The same, once no augment waits."""
    text = "accept that the story may end here, or back out"
    return (Ask(entrant.id, "accept", text, "Decide", decision=True)
            for entrant in _wary(state) if not state.waiting)


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The story may end here."""
    text = f"{sheets[by].name} goes on, knowing that the story may end here."
    return Result((Accepted(by),), (Step("QW-63", text),))


def leaving(state: State, who: str) -> tuple[Left, ...]:
    """Somebody leaves a group before their dice, and whoever stood against them alone; () where nobody of theirs is
    left to contend."""
    gone = (who, *(against.rival for against in state.oppositions if against.rival and against.who == who))
    stay = any(entrant.id not in gone and not state.others_side(entrant.id) for entrant in state.entrants)
    return tuple(map(Left, gone)) if stay and not state.pair else ()


def offer_to_back_out(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each, before the dice."""
    if state.phase is Phase.MODIFY:
        for entrant in state.entrants:
            yield Offer("back_out", entrant.id, "Back out", "No dice fall, and nothing is won.")


def back_out(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """No contest, no prize."""
    text = f"{sheets[by].name} backs out before a die falls."
    if left := leaving(state, by):
        return Result(left, (Step("QW-63", f"{text} The others go on."),))
    return Result((Ended("backed out"),), (Step("QW-63", text),))


def offer_no_conflict(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as the frame is open."""
    if state.framing:
        yield Offer("no_conflict", "", "Declare no conflict", "Both sides can have what they want: no dice fall.")


def no_conflict(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Goals that do not stand in each other's way: both are reached (QW-27)."""
    text = "The two sides’ goals do not conflict. Both succeed, and no die falls."
    return Result((Ended("no conflict"),), (Step("QW-27", text),))


def offer_to_call_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, until the dice have decided."""
    if state.phase not in (Phase.BLANK, Phase.AFTER):
        yield Offer("call_off", "", "Call off the contest")


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets the contest go."""
    return Result((Ended("called off"),), (Step("QW-20", "The contest is called off."),))


def offer_to_set(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, once no augment waits."""
    if state.phase is Phase.MODIFY and not state.waiting:
        yield Offer("set", "", "Ready to roll")


def ask_to_set(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, once all else is said."""
    if state.phase is Phase.MODIFY and not state.waiting and not any(_wary(state)):
        yield Ask("", "set", "add modifiers, or say that it is ready to roll", "Ready")


def set_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The frame is ready, and in the Ledger before a die falls (QW-20)."""
    changes, now = as_they_are_now(state, sheets)
    stand = stand_now(state, sheets)
    # Who accepted that a story may end here goes on to: what is met is the same, only its number has moved.
    again = [Accepted(entrant.id) for entrant in state.entrants if entrant.accepted] if stand.events else []
    changes, now = (*changes, *stand.events, *again), (*now, *stand.steps)
    state = after(state, changes)
    for entrant in state.entrants:
        if missing := least_missing(state, entrant.id):
            raise BadMove(missing)
        against = state.against(entrant.id)
        if why := stopped(sheets.get(entrant.id), against.rouses if against else ""):
            raise BadMove(why)
        if against and against.ending and not entrant.accepted:
            raise BadMove(f"{entrant.name} has not accepted yet that the story may end here.")
    steps = (*now, *_frame(state))
    # What two sides fight over is never assured: a rival has nothing of the kind.
    if not all((against := state.against(entrant.id)) and against.assured == "won" for entrant in state.entrants):
        return Result((*changes, Set()), steps)
    won = won_without_dice(Set().after(state), sheets)
    return Result((*changes, Set(), *won.events), (*steps, *won.steps), won.result, effects=won.effects)


def _frame(state: State) -> Iterator[Step]:
    """The whole frame, as it is kept: for each what they do, against what, and what counts."""
    settings = state.settings
    yield Step("QW-20", f"Ready to roll. The prize: {sentence(settings.prize)}")
    if settings.obstacle:
        yield Step("QW-20", f"Obstacle: {sentence(settings.obstacle)}")
    for entrant in state.entrants:
        yield from _part(state, entrant)
    for opposition in state.oppositions:
        of_whom = f"{state.entrant(opposition.who).name}: " if opposition.who and len(state.entrants) > 1 else ""
        if opposition.stake:
            yield Step("QW-20", f"{of_whom}At stake: {sentence(opposition.stake)}")
        if opposition.ending:
            yield Step("QW-63", f"{of_whom}A story may end here, and that was accepted.")
    for rule, text in warnings(state):
        yield Step(rule, text)


def _part(state: State, who: Entrant) -> Iterator[Step]:
    terms, symbol = state.terms(who.id), state.settings.symbol
    if who.chosen:
        yield Step("QW-20", f"{who.name}: {sentence(who.chosen.tactic)}")
    name = who.chosen.name if who.chosen and who.chosen.name else "no fitting ability"
    against = f"{state.foe(who.id)} at {notation(terms.resistance + sum(terms.resistance_modifiers), symbol)}"
    yield Step("QW-05", f"{who.name}, {name}: {notation(terms.score, symbol)} against {against}.")
    for line in state.lines(who.id):
        kind = OF_SHEETS.get(line.kind, "")
        text = f"{told(line, symbol)} for {f'{kind}, ' if kind else ''}{whose(state, line)}"
        yield Step("QW-21", f"{text}: {sentence(line.reason)}" if line.reason else f"{text}.")


def offer_to_reopen(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, before the first die."""
    if state.phase is Phase.ROLL and not any(entrant.rolled_die for entrant in state.entrants):
        yield Offer("reopen", "", "Return to framing")


def reopen(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Before the dice the GM may change the frame."""
    return Result((Reopened(),), (Step("QW-20", "Back to framing."),))


def warnings(state: State) -> tuple[tuple[str, str], ...]:
    """Each as (rule, sentence); earlier contests are read only before the dice."""
    warned: list[tuple[str, str]] = []
    for entrant in state.entrants:
        if not entrant.chosen or not state.open_choices or state.phase not in BEFORE_THE_DICE:
            continue
        if state.framed and state.terms(entrant.id).score <= 0:
            warned.append(("QW-05", _hopeless(state, entrant)))
        if missing := least_missing(state, entrant.id):
            warned.append(("QW-30", missing))
        warned += [("QW-25", text) for text in _repeated(state, entrant.id)]
    return tuple(warned)


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
    warned = []
    for past in state.context.past:
        if mine is None:
            continue
        if isinstance(past.state, RemembersDefeats):
            if _lost_there(state, past.state.defeat_of(who), who, mine.name):
                warned.append(f"The same ability was beaten by this obstacle in entry {past.seq}, “{past.title}”. "
                             "Another one is needed.")
            continue
        if not isinstance(past.state, State) or not _same_obstacle(state, past.state, who):
            continue
        outcome = past.state.outcome(who)
        theirs = past.state.entrant(who).chosen if outcome else None
        if outcome is None or outcome.outcome != "defeat" or theirs is None:
            continue
        if plain(mine.tactic) == plain(theirs.tactic) or (mine.name and mine.name == theirs.name):
            warned.append(f"The same tactic was tried against this obstacle in entry {past.seq}, “{past.title}”. "
                         "Another one is needed.")
    return warned


def _lost_there(now: State, defeat: Defeat | None, who: str, ability: str) -> bool:
    """Whether a long contest was lost with this ability against the same."""
    if defeat is None or ability not in defeat.abilities:
        return False
    ours, theirs = plain(now.settings.obstacle), plain(defeat.obstacle)
    if ours and theirs:
        return ours == theirs
    return bool(({_foe(now, who), ours} - {""}) & {*map(plain, defeat.foes), theirs})


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


ACCEPT = Act("accept", offer_to_accept, accept, ask_to_accept)
SET = Act("set", offer_to_set, set_, ask_to_set)
BACK_OUT = Act("back_out", offer_to_back_out, back_out)
NO_CONFLICT = Act("no_conflict", offer_no_conflict, no_conflict)
REOPEN = Act("reopen", offer_to_reopen, reopen)
CALL_OFF = Act("call_off", offer_to_call_off, call_off)
EVENTS = (Begun, Accepted, Left, Set, Reopened)
