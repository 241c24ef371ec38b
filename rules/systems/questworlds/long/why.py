"""Why somebody rolls against what they do in a round, an exchange, or beside the pairs (QW-02, QW-21, QW-57, QW-60)."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.engine import Handler, Sheets, Values
from rules.procedure import Offer
from rules.systems.questworlds.long.chances import look_at_all
from rules.systems.questworlds.long.dice import DiceFell, choice_of
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.long.values import AGAINST_A_NUMBER, OF_THEIR_OWN, Choice, Thrown
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.origins import BY_VALUE, counted_parts, left_out, rating, unfit
from rules.systems.questworlds.reckoning import Party, counting, terms
from rules.why import LEFT_OUT, Part, Why

Reason = Callable[[Any, Sheets, Offer, Values], Why | None]


def of_side(state: State, sheets: Sheets, who: str, ours: Party, choice: Choice, *against: Part) -> Why:
    """A side with the ability that it chose, what counts with that, and what of its sheet does not."""
    symbol, contestant, sheet = state.settings.symbol, state.contestant(who), sheets.get(who)
    number = terms(ours, Party(None), edition=state.edition).score
    lines, trait = counting(ours.counts, ours.uses, state.edition), sheet.trait(choice.trait) if sheet else None
    if ours.score is None:
        used = unfit(state.edition, symbol)
    elif sheet and trait:
        used = rating(sheet, trait, symbol)
    else:
        name = choice.name or (contestant.part.ability if contestant else "")
        used = Part(notation(ours.score, symbol), name or "Score")
    by_value = (BY_VALUE,) if state.settings.by_value and len(lines) > 1 else ()
    counted = {source for line in ours.counts for source in (line.source, *line.sources) if line in lines}
    idle = left_out(sheet, counted, symbol, state.edition) if sheet else ()
    parts = (used, *counted_parts(lines, number, symbol), *against, *by_value)
    return Why(notation(number, symbol), parts, tuple(part for part in idle if part.label not in state.consequences))


def of_pair(state: State, sheets: Sheets, first: str, second: str, values: Values, *, secret: bool = False) -> Why:
    """A side of a pair, and the number of the other one where its choice is no secret."""
    look_at_all(state, sheets)
    return of_chosen(state, sheets, first, second, choice_of(state, sheets, first, values), secret=secret)


def of_chosen(state: State, sheets: Sheets, first: str, second: str, choice: Choice, *, secret: bool = False) -> Why:
    """The same with a choice that is made already."""
    look_at_all(state, sheets)
    against = () if secret else (
        Part(notation(state.target(second), state.settings.symbol), f"Against {state.name_of(second)}"),)
    return of_side(state, sheets, first, state.party(first, choice), choice, *against)


def of_roll(do: Handler[Any]) -> Reason:
    """The same of an act that only rolls: of the dice that it would lay."""
    def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
        look_at_all(state, sheets)
        laid = do(state, sheets, offer.by, values, (1, 1))
        lies = next((event for event in getattr(laid, "events", ()) if isinstance(event, DiceFell)), None)
        return None if lies is None else _of_dice(state, sheets, lies)
    return why


def _of_dice(state: State, sheets: Sheets, lies: Thrown) -> Why:
    """A roll of one alone against a number."""
    ours = state.party(lies.first, lies.choice)
    if lies.kind in OF_THEIR_OWN:
        ours = Party(lies.choice.score, (lies.choice.trait, lies.choice.name),
                     tuple(line.modifier for line in lies.choice.binds))
    against = notation(lies.resistance + sum(lies.resistance_modifiers), state.settings.symbol)
    return of_side(state, sheets, lies.first, ours, lies.choice,
                   Part(against, f"Against {lies.second_name or 'the resistance'}"))


def why_lies(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """How the dice lie on which somebody decides: what was rolled with, both dice, and the story point that is not
    spent (QW-10 to QW-12)."""
    throw = next((throw for throw in state.throws
                  if offer.by in throw.thrown.deciders and offer.by not in dict(throw.decided)), None)
    if throw is None:
        return None
    lies, clash = throw.thrown, state.clash(throw)
    sides = [(lies.first, lies.choice, lies.second_name), (lies.second, lies.other, lies.first_name)]
    place = lies.deciders.index(offer.by)
    (who, choice, foe), other = sides[place], sides[1 - place][0]
    alone = lies.kind in (*OF_THEIR_OWN, *AGAINST_A_NUMBER)
    told = _of_dice(state, sheets, lies) if alone else of_chosen(state, sheets, who, other, choice)
    fell = tuple(Part(str(lies.dice[nth]), label, f"a {clash.mastered[nth].word}")
                 for nth, label in ((place, "Your die"), (1 - place, f"The die of {foe or 'the resistance'}")))
    point = (Part("a bump up", "A story point", LEFT_OUT),) if state.may_spend(throw, place) else ()
    came = f"{clash.outcome}, rank {clash.rank}" if clash.rank else clash.outcome
    return Why(came, (*told.parts, *fell), (*told.idle, *point))
