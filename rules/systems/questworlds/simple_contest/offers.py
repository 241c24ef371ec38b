"""Every legal act of a simple contest at one moment, in the order in which a table comes to it."""
from __future__ import annotations

from collections.abc import Iterator

from rules.procedure import Offer, is_known
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older import mutual, outcome_points
from rules.systems.questworlds.older.degrees import DegreeClash, in_words
from rules.systems.questworlds.older.options import BY_DEGREE
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.simple_contest.answering import answer_with
from rules.systems.questworlds.simple_contest.crowd import crowd
from rules.systems.questworlds.simple_contest.mass_conflict import mass_conflict
from rules.systems.questworlds.simple_contest.offer_forms import (
    Sheets,
    admit,
    answer,
    augment,
    choose,
    give,
    goal,
    hinder,
    last,
    modify,
    of_entrants,
    resist,
    send_back,
    support,
    take_back,
)
from rules.systems.questworlds.simple_contest.opposition import oppose, stakes
from rules.systems.questworlds.simple_contest.own_contests import comes_to
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.traits import FLAWS, usable


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    match state.phase:
        case Phase.FRAME if state.settings.mode == "flaw" and not state.oppositions:
            return tuple(_giving_in(state, sheets))
        case Phase.FRAME:
            return tuple(_framing(state, sheets))
        case Phase.MODIFY:
            return tuple(_modifying(state, sheets))
        case Phase.OWN_POINT:
            return tuple(_own_contest(state))
        case Phase.ROLL | Phase.POINT:
            return tuple(_rolling(state, sheets))
        case Phase.AFTER:
            return tuple(_after(state))
        case Phase.BLANK | Phase.OVER:
            return ()


def _plain(action: str, by: str, title: str, help: str = "", *, rolls: bool = False) -> Offer:
    return Offer(action, by, title, help, rolls=rolls)


CALL_OFF = _plain("call_off", "", "Call it off")


def _giving_in(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A flaw has come up: it has its way, or is acted against (QW-24)."""
    yield from _compelling(state, sheets)
    yield from (found for each in state.entrants if (found := resist(state, sheets[each.id])))
    yield CALL_OFF


def _framing(state: State, sheets: Sheets) -> Iterator[Offer]:
    yield from (choose(state, sheets[each.id]) for each in state.entrants
                if each.id in sheets and not (state.pair and each.chosen))
    yield from _against(state, sheets)
    yield from _leaving(state, sheets)


def _modifying(state: State, sheets: Sheets) -> Iterator[Offer]:
    found: list[Offer | None] = []
    waiting = [each for each in state.proposals if each.open]
    for each in state.entrants:
        against = state.against(each.id)
        if against and against.ending and not each.accepted:
            found.append(Offer("accept", each.id, "Accept that the story may end here", personal=True))
    found += [_plain("roll_augment", each.by, f"Roll for the augment: {each.name}", rolls=True)
              for each in waiting if each.verdict == "roll"][:1]
    found += [answer(state)]
    found += [] if waiting else [_plain("set", "", "Ready to roll")]
    found += [modify(state), hinder(state, sheets), last(state, sheets)]
    found += [augment(state, sheet) for sheet in sheets.values() if usable(sheet)]
    for each in state.entrants:
        found += [] if state.pair else [choose(state, sheets[each.id])]
        found += [support(state, sheets[each.id]), admit(state, sheets[each.id])]
        found.append(_plain("back_out", each.id, "Back out", "No dice fall, and nothing is won."))
    found += [*_against(state, sheets), take_back(state), *_leaving(state, sheets)]
    yield from (each for each in found if each)


def _against(state: State, sheets: Sheets) -> list[Offer]:
    """What stands in the way is the GM's to say, unless two stand against each other."""
    if state.pair:
        return [stakes(state)]
    found = (answer_with(state, sheets), oppose(state, sheets), crowd(state), mass_conflict(state), send_back(state))
    return [each for each in found if each]


def _leaving(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Ways out before the dice."""
    if not state.pair:
        yield from _compelling(state, sheets)
    yield _plain("no_conflict", "", "No conflict", "Both sides can have what they want: no dice fall.")
    yield CALL_OFF


def _compelling(state: State, sheets: Sheets) -> Iterator[Offer]:
    flaws = of_entrants(state, sheets, FLAWS)
    if flaws:
        now = {"trait": flaws[0][0]} if len(flaws) == 1 else None
        yield Offer("compel", "", "Compel a flaw", "They act as it dictates: no dice, and 1 experience.",
                    (text("trait", "Which flaw", needed=True),), {"trait": flaws}, now=now)


def _own_contest(state: State) -> Iterator[Offer]:
    """The story point that turns an augment's or a flaw's own contest (QW-12)."""
    rolled = state.own_roll
    if rolled:
        helps = "it helps" if rolled.kind == "augment" else "it does not hinder"
        fails = "it does not help" if rolled.kind == "augment" else f"it hinders, {signed(rolled.amount)}"
        if rolled.kind == "augment" and state.on(BY_DEGREE):
            helps, fails = (signed(comes_to(state, rolled, spent=spent)) for spent in (True, False))
        if state.context.pool("story_points"):
            yield _plain("spend", rolled.who, f"Spend a story point: {helps}")
        yield _plain("stand", rolled.who, f"Let it stand: {fails}")
    yield CALL_OFF


def _rolling(state: State, sheets: Sheets) -> Iterator[Offer]:
    found: list[Offer] = []
    given = [support(state, sheets[each.id]) for each in state.entrants
             if each.dice is None and each.face is None and each.id in sheets]
    for each in state.entrants:
        if each.dice is None and each.face is None:
            found.append(_plain("roll", each.id, _roll_button(state, each.id, sheets), rolls=True))
        elif each.dice and state.may_spend(each.id):
            found += _story_point(state, each.id, each.dice)
    if state.phase is Phase.POINT and not found:
        # The pool ran dry while they thought: somebody has to say that it is how it is.
        found = [_plain("stand", each.id, "Let it stand", "The pool is empty by now.")
                 for each in state.entrants if each.point is None]
    yield from found
    yield from (each for each in given if each)
    if all(each.dice is None and each.face is None for each in state.entrants):
        yield _plain("reopen", "", "Back to framing")
    yield CALL_OFF


def _roll_button(state: State, who: str, sheets: Sheets) -> str:
    """`Roll 17 against 14`: the numbers as they stand, where both may be seen."""
    if state.pair or state.assured(who):
        return "Roll"
    terms, symbol = state.unannounced.terms(who), state.settings.symbol
    if not is_known(sheets, state.foe_sheet(who)):
        return f"Roll {notation(terms.score, symbol)} against {state.foe(who)}"
    return f"Roll {notation(terms.score, symbol)} against {notation(terms.resistance, symbol)}"


def _story_point(state: State, who: str, dice: tuple[int, int]) -> tuple[Offer, Offer]:
    """Whether a story point is spent, with what each answer leads to."""
    rival = state.rival(who)
    stands, spends = (_came(state, who, state.clash(who, dice, points=(point, False))) for point in (False, True))
    # Between two the other decides in secret, so that this is only so where they let it stand.
    if_so = f" if {rival.name} lets it stand" if rival else ""
    return (_plain("spend", who, f"Spend a story point: {spends}{if_so}", "One bump up, and the point is gone."),
            _plain("stand", who, f"Let it stand: {stands}{if_so}"))


def _came(state: State, who: str, clash: Clash) -> str:
    """An outcome in two words: `defeat, rank 2`; assured, what the roll brings."""
    if state.assured(who):
        return f"victory with a {clash.results[0].word}"
    if isinstance(clash, DegreeClash):
        return in_words(clash.degree)
    return f"{clash.outcome}, rank {clash.rank}" if clash.rank else clash.outcome


def _after(state: State) -> Iterator[Offer]:
    goals = [goal(state, each.id) for each in state.entrants if state.goal_open(each.id)]
    yield from goals
    if worse := mutual.offer(state):
        yield worse
    yield from outcome_points.offers(state)
    if not goals:
        yield _plain("close", "", "Finish")
    yield give(state)
