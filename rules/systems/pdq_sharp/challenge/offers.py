"""What may be done now in a challenge, whom it waits for, and the chances of it."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rules.engine import Sheets
from rules.fields import REQUIRED, Allocation, Choice, Field, Flag, Listing, Text, Whole
from rules.moves import Face
from rules.odds import spread
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.bonus import open_techniques, purse
from rules.systems.pdq_sharp.challenge.acts import AS_DIE, FLAT, chances, decider, sources
from rules.systems.pdq_sharp.challenge.state import Entrant, Phase, State, behind, side, total
from rules.systems.pdq_sharp.challenge_roll import KEEP, Challenge, ChallengeMove, Side
from rules.systems.pdq_sharp.chart import difficulty_field, notation_of
from rules.systems.pdq_sharp.duel.setup import usual
from rules.systems.pdq_sharp.keep import best_sums
from rules.systems.pdq_sharp.kinds import MOTIVATIONS
from rules.systems.pdq_sharp.reading import (
    absorbing,
    as_offered,
    can_lose,
    capacity,
    is_burned,
    rank_words,
    usable,
)
from rules.tables import OddsAnswer
from rules.wording import join

Forecasts = tuple[tuple[str, OddsAnswer], ...]
HARMS = (("none", "Does not hurt"), ("ask", "May hurt: the GM says when it has failed"),
         (harm.FAILURE, "Costs failure ranks, by the difference"), (harm.WOUND, "Costs wound ranks, by the difference"))
SAID = Text(name="words", label="Description", most=1000)


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.FRAME:
            own = tuple(_frame(state, sheets))
        case Phase.ELLIPSIS:
            own = tuple(_ellipsis(state, sheets))
        case Phase.HURT:
            field = Choice(name="harm", label="Failing", options=tuple(each for each in HARMS if each[0] != "ask"))
            own = (Offer("rule_harm", "", "Say whether it hurts", f"It failed by {state.hurt[1]}.", (field,)),)
        case Phase.DAMAGE:
            own = (_damage(state, sheets[state.hurt[0]]),)
    return (*own, Offer("call_off", "", "Call it off"))


def countable(sheet: Sheet) -> Options:
    """What can count in a roll; a foible counts as poor (PS-13)."""
    return tuple((each.id, as_offered(each)) for each in sheet.traits if usable(each))


def _frame(state: State, sheets: Sheets) -> Iterator[Offer]:
    ready = state.settings.flashy or state.target
    for each in state.entrants:
        if each.cast is None and ready:
            yield _roll(state, sheets[each.id], each)
    if state.settings.flashy:
        return
    taking_part = {each.id for each in state.entrants}
    for who, sheet in sheets.items():
        if who not in taking_part and countable(sheet) and not sheet.dead:
            field = _some("fortes", "With which fortes", "Choose a forte to help with.")
            yield Offer("help", who, f"Help {state.entrants[0].name}", "They roll, and your fortes count with theirs.",
                        (field,), {"fortes": countable(sheet)})
    fields = (difficulty_field(), Choice(name="harm", label="Failing", options=HARMS))
    yield Offer("set", "", "Set the difficulty", fields=fields,
                now={"harm": state.settings.harm, **({"difficulty": state.target} if state.target else {})})


def _some(name: str, label: str, missing: str = "") -> Listing:
    return Listing(name=name, label=label, of=Text(name="id", label=label, most=100), missing=missing,
                   default=REQUIRED if missing else ())


def _roll(state: State, sheet: Sheet, who: Entrant) -> Offer:
    techniques = tuple((each.id, each.name) for each in open_techniques(sheet, [each.id for each in sheet.traits], ()))
    dice = purse(sheet, state.context, player=who.player)
    fields: list[Field] = [
        _some("fortes", "What counts"),
        _some("techniques", "Techniques, a die each"), _some("flat", "Techniques, +1 each"),
        Whole(name="style", label="Style dice", default=0, most=min(18, dice), help="They go to the bowl."),
    ]
    fields.append(Flag(
        name="burn", label="Burn the motivation: it counts double in this scene, then you need another"))
    against = "Against the other’s roll." if state.settings.flashy else f"Against {state.target}."
    return Offer("roll", who.id, "Roll", f"2d6 and all fortes that count; the best two dice. {against}",
                 (*fields, SAID), {"fortes": countable(sheet), "techniques": techniques, "flat": techniques},
                 rolls=True, now={"fortes": [each.id for each in _usual(sheet)]} if state.settings.flashy else None)


def _unburned(sheet: Sheet, lines: Iterable[Trait]) -> list[Trait]:
    """The motivations among these lines that can still be burned (PS-12)."""
    return [each for each in lines if each.kind in MOTIVATIONS and not is_burned(sheet, each)]


def additions(state: State, sheet: Sheet, who: Entrant) -> Options:
    """What can be added after the dice, as a die or as +1."""
    return tuple((f"{source}|{how}", f"{name}: {words}") for source, name in sources(state, sheet, who)
                 for how, words in ((AS_DIE, "a die"), (FLAT, "+1")))


def _ellipsis(state: State, sheets: Sheets) -> Iterator[Offer]:
    who = state.entrant(decider(state))
    yield Offer("stand", who.id, f"Let it stand: {_as_it_lies(state, who)}")
    field = Text(name="what", label="What", most=100, default=REQUIRED, missing="Choose what you add.")
    yield Offer("add", who.id, "Add to it", "Each technique once. Spent style dice go to the bowl.", (field,),
                {"what": additions(state, sheets[who.id], who)}, rolls=True)


def _as_it_lies(state: State, who: Entrant) -> str:
    """What letting it stand leads to: `failure, 9 against 11`."""
    if not state.settings.flashy:
        return f"failure, {total(who)} against {state.target}"
    foe = next(each for each in state.entrants if each.id != who.id)
    word = "a tie" if len(behind(state)) > 1 else "defeat"
    return f"{word}, {total(who)} against {total(foe)}"


def _damage(state: State, sheet: Sheet) -> Offer:
    who, amount, kind = state.hurt
    lines = tuple((each.id, f"{each.name}, {notation_of(each.now)}: {can_lose(each)} at most")
                  for each in absorbing(sheet))
    fields = (Allocation(name="spread", label="Where", default={}),
              Text(name="first", label="The first hit of the scene goes to", most=100, help=harm.FIRST))
    return Offer("place", who, "Place the damage", f"Place {harm.ranks(min(amount, capacity(sheet)), kind)}.", fields,
                 {"spread": lines, "first": lines})


def asks(state: State) -> tuple[Ask, ...]:
    """Whom it waits for."""
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.FRAME:
            if not state.settings.flashy and not state.target:
                return (Ask("", "set", f"set the difficulty for {state.entrants[0].name}", "Set"),)
            return tuple(Ask(each.id, "roll", "roll", "Roll") for each in state.entrants if each.cast is None)
        case Phase.ELLIPSIS:
            text = f"let it stand ({standing(state)}) or add to it"
            hurts = len(behind(state)) == 1 if state.settings.flashy else state.settings.harm != "none"
            return (Ask(decider(state), "stand", text, "Decide", decision=True, stands=True, hurts=hurts),)
        case Phase.HURT:
            return (Ask("", "rule_harm", "say whether it hurts", "Decide", decision=True),)
        case Phase.DAMAGE:
            return (Ask(state.hurt[0], "place", f"place {harm.ranks(state.hurt[1], state.hurt[2])}", "Place"),)


def standing(state: State) -> str:
    """The numbers as they lie."""
    if state.settings.flashy:
        return " against ".join(str(total(each)) for each in state.entrants)
    return f"{total(state.entrants[0])} against {state.target}"


def forecast(state: State, sheets: Sheets, by: str, action: str, values: Mapping[str, Any]) -> Forecasts:
    """The chances of a roll, or of what is added to it (PS-10, PS-17)."""
    if action == "add":
        counted = Counter(chances(state, by, values["what"]))
        names = (("won", "You have it", "good"), ("tie", "A tie", "fair"), ("lost", "It is not enough", "bad"))
        outcomes = tuple((label, Fraction(counted[name], counted.total()), tone) for name, label, tone in names
                         if name != "tie" or state.settings.flashy)
        return (("What it would be", OddsAnswer(outcomes)),)
    if action != "roll":
        return ()
    own = _side(state, sheets[by], values)
    if state.settings.flashy:
        return (_against(state, sheets, by, own),)
    odds = ChallengeMove().odds(Challenge(own, state.target), "success")
    outcomes = (("Success", odds.get(True, Fraction(0)), "good"), ("Failure", odds.get(False, Fraction(0)), "bad"))
    return ((f"{own.dice} dice, the best {KEEP}, against {state.target}", OddsAnswer(outcomes)),)


def _side(state: State, sheet: Sheet, values: Mapping[str, Any]) -> Side:
    """What is being filled in, as the moves take it."""
    lines = [trait for each in values["fortes"] if (trait := sheet.trait(each))]
    ranks = rank_words(sheet, lines)
    if values["burn"]:
        ranks += rank_words(sheet, _unburned(sheet, lines)[:1])
    for each in state.helps:
        ranks += each.ranks
    return Side(tuple(ranks), len(values["techniques"]) + values["style"], len(values["flat"]))


def _against(state: State, sheets: Sheets, by: str, own: Side) -> tuple[str, OddsAnswer]:
    """The chances against the other one: their roll where it lies, else their usual forte with two dice (PS-16)."""
    mine, other = state.entrant(by), next(each for each in state.entrants if each.id != by)
    theirs = side(other, True) if other.cast else Side(tuple(rank_words(sheets[other.id], _usual(sheets[other.id]))))
    sums = {total(other): 1} if other.cast else {
        thrown + theirs.adds: ways for thrown, ways in best_sums(theirs.dice, KEEP).items()}

    def tell(first: int, second: int) -> Face:
        margin = first + own.adds - second
        if margin == 0 and mine.player != other.player:
            margin = 1 if mine.player else -1
        return (margin > 0) - (margin < 0)

    odds = spread(best_sums(own.dice, KEEP), sums, tell=tell)
    names = [each.name for each in _usual(sheets[other.id])]
    with_ = f"{total(other)}" if other.cast else join(names, empty="no forte")
    outcomes = ((1, "You win", "good"), (0, "Nobody wins", "fair"), (-1, f"{other.name} wins", "bad"))
    return f"Against {other.name}, {with_}", OddsAnswer(tuple(
        (label, odds.get(value, Fraction(0)), tone) for value, label, tone in outcomes))


def _usual(sheet: Sheet) -> list[Trait]:
    return [trait for each in usual(sheet) if (trait := sheet.trait(each))]
