"""What each act leads to that hands style dice over (PS-40 to PS-43, PS-45)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step, take
from rules.sheet import Effect, Purse, Spend, Transfer
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, MISFORTUNES, STYLE
from rules.systems.pdq_sharp.settings import phrase
from rules.systems.pdq_sharp.style_dice.events import (
    Answered,
    Awarded,
    Ended,
    FoibleClaimed,
    FoibleOffered,
    FoibleRaised,
    FoibleSettled,
    Gifted,
    Given,
    LastCall,
    Opened,
    Result,
    Suffered,
)
from rules.systems.pdq_sharp.style_dice.offers import AWARDS
from rules.systems.pdq_sharp.style_dice.state import Foible, State, called, purse_of
from rules.values import BadMove
from rules.wording import join

SHOWED_UP = "Showed up"


def many(dice: int) -> str:
    """So many style dice, in words."""
    return f"{dice} style {'die' if dice == 1 else 'dice'}"


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A session's style dice come out."""
    take(faces, 0)
    said = phrase(values)
    step = Step("PS-40", f"The style dice are out. For style say “{said}!”")
    return Result((Opened(said, values["misfortunes"]),), (step,))


def award(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The awards of the session's start, a die from the box for each."""
    ways = [Transfer(1, None, purse_of(each), SHOWED_UP) for each in values["here"]]
    for name, label in AWARDS:
        ways += [Transfer(1, None, purse_of(each), label) for each in values[name]]
    parts = [f"{called(each, sheets)} ({reason.lower()})" for reason, names in
             ((SHOWED_UP, values["here"]), *((label, values[name]) for name, label in AWARDS)) for each in names]
    text = f"A style die each from the box: {join(parts)}." if parts else "Nobody gets an award today."
    return Result((Awarded(),), (Step("PS-41", text),), effects=tuple(ways))


def no_awards(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The session begins without awards."""
    return Result((Awarded(),), (Step("PS-41", "Nobody gets an award today."),))


def good_form(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives from the bowl."""
    to, dice, words = values["to"], values["dice"], values["words"]
    _in_bowl(state, dice)
    step = Step("PS-41", f"{state.phrase}! {many(dice)} from the bowl for {called(to, sheets)}{_for(words)}")
    return Result((Gifted("", to, dice),), (step,),
                  effects=(Transfer(dice, Purse(BOWL), purse_of(to), f"{state.phrase}{_for(words, '')}"),))


def _for(words: str, without: str = ".") -> str:
    """What dice were given for, behind a sentence; nothing where nobody said it."""
    return f": {words}" if words else without


def plot(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody fed the plot."""
    _in_bowl(state, 1)
    to, words = values["to"], values["words"]
    step = Step("PS-41", f"{called(to, sheets)} feeds the plot: a style die from the bowl. {words}")
    way = Transfer(1, Purse(BOWL), purse_of(to), f"Feeding the plot: {words}")
    return Result((Given(to, 1),), (step,), effects=(way,))


def _in_bowl(state: State, dice: int) -> None:
    if dice > state.bowl:
        raise BadMove(f"There {'is' if state.bowl == 1 else 'are'} {state.bowl} in the bowl. After a gift you may add "
                      "one from the box.", "dice")


def gift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody gives of theirs, to anybody (PS-43)."""
    to, dice, words = values["to"], values["dice"], values["words"]
    why = f"{state.phrase}{_for(words, '')}"
    step = Step("PS-43", f"{state.phrase}! {sheets[by].name} gives {called(to, sheets)} {many(dice)}{_for(words)}")
    return Result((Gifted(by, to, dice),), (step,), effects=state.pays(sheets[by], dice, why, purse_of(to)))


def gm_gift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives of their own."""
    to, dice, words = values["to"], values["dice"], values["words"]
    step = Step("PS-43", f"{state.phrase}! The GM gives {called(to, sheets)} {many(dice)}: {words}")
    return Result((Gifted("", to, dice),), (step,),
                  effects=(Transfer(dice, Purse(GM_DICE), purse_of(to), f"{state.phrase}: {words}"),))


def answer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """After a gift one more goes from the box to the bowl, in rare cases one to whoever was given it (PS-43)."""
    ways = [Transfer(1, None, Purse(BOWL), state.reply)]
    text = f"{state.reply}! One more from the box into the bowl"
    if values["direct"]:
        ways.append(Transfer(1, None, purse_of(state.last), state.reply))
        text += f", and one for {called(state.last, sheets)}"
    return Result((Answered(),), (Step("PS-43", f"{text}."),), effects=tuple(ways))


def set_dice(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What an NPC has beside the GM's dice (PS-45)."""
    npc = sheets[values["to"]]
    step = Step("PS-45", f"{npc.name} has {many(values['dice'])} more of their own.")
    way = Transfer(values["dice"], None, Purse(STYLE, npc.id), "Set dice of an NPC")
    return Result((Given(npc.id, values["dice"]),), (step,), effects=(way,))


def misfortune(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What somebody can't resist, for three dice and more; after some of them it is asked twice (PS-41)."""
    who, dice, words = sheets[values["to"]], values["dice"], values["words"]
    so_far = state.woes.count(who.id)
    if so_far >= state.warn_after and not values["sure"]:
        raise BadMove(f"{who.name} had {so_far} in this session already. Tick that it happens all the same.", "sure")
    step = Step("PS-41", f"A vexing misfortune for {who.name}, and {many(dice)} from the box: {words}")
    ways: tuple[Effect, ...] = (Transfer(dice, None, Purse(STYLE, who.id), f"Vexing misfortune: {words}"),
                                Spend(who.id, MISFORTUNES, 1))
    return Result((Suffered(who.id),), (step,), effects=ways)


def offer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM offers dice for a foible (PS-42)."""
    sheet, _, line = values["foible"].partition("/")
    who, foible = sheets[sheet], _named(sheets, sheet, line)
    made = FoibleOffered(state.number + 1, who.id, foible, values["dice"], values["words"])
    step = Step("PS-42", f"The GM offers {who.name} {many(values['dice'])} for {foible}: {values['words']}")
    return Result((made,), (step,))


def raise_offer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A better offer in the place of the one that stands."""
    foible = _foible(state, values["number"])
    if values["dice"] <= foible.dice:
        raise BadMove(f"It stands at {foible.dice}: offer more.", "dice")
    step = Step("PS-42", f"The GM raises the offer for {foible.foible} to {many(values['dice'])}.")
    return Result((FoibleRaised(foible.number, values["dice"]),), (step,))


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The offer is gone."""
    foible = _foible(state, values["number"])
    return Result((FoibleSettled(foible.number, 0),), (Step("PS-42", f"The offer for {foible.foible} is withdrawn."),))


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player takes the dice, and what they mean."""
    foible = _offered(state, by)
    step = Step("PS-42", f"{sheets[by].name} takes {many(foible.dice)} for {foible.foible}: {foible.means}")
    why = f"Foible, {foible.foible}: {foible.means}"
    return Result((FoibleSettled(foible.number, foible.dice),), (step,),
                  effects=(Transfer(foible.dice, None, purse_of(by), why),))


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player resists, which costs nothing."""
    foible = _offered(state, by)
    step = Step("PS-42", f"{sheets[by].name} resists: {foible.foible}. It costs nothing.")
    return Result((FoibleSettled(foible.number, 0),), (step,))


def claim(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A player says that a foible of theirs came up."""
    foible = _named(sheets, by, values["foible"])
    step = Step("PS-42", f"{sheets[by].name}’s foible came up, {foible}: {values['words']}")
    return Result((FoibleClaimed(state.number + 1, by, foible, values["words"]),), (step,))


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the GM finds that it was worth."""
    foible, dice = _foible(state, values["number"]), values["dice"]
    name = called(foible.who, sheets)
    step = Step("PS-41", f"{name} gets {many(dice)} from the box for {foible.foible}." if dice
                else f"{name} gets nothing for {foible.foible}.")
    ways = (Transfer(dice, None, purse_of(foible.who), f"Foible, {foible.foible}: {foible.means}"),) if dice else ()
    return Result((FoibleSettled(foible.number, dice),), (step,), effects=ways)


def last_call(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The session ends soon: whoever holds dice is told (PS-45)."""
    holding = [f"{each.name} {state.dice_of(each)}" for each in sheets.values() if not each.npc and state.dice_of(each)]
    text = f"Style dice go when it does: {join(holding)}." if holding else "Nobody holds style dice."
    return Result((LastCall(),), (Step("PS-45", f"The session ends soon. {text}"),))


def finish(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Nothing more is given or taken."""
    return Result((Ended(),), (Step("PS-45", "The style dice of this session are done with."),))


def _foible(state: State, number: str) -> Foible:
    return next(each for each in state.foibles if str(each.number) == number)


def _offered(state: State, who: str) -> Foible:
    return next(each for each in state.foibles if each.who == who and not each.claimed)


def _named(sheets: Sheets, sheet: str, line: str) -> str:
    trait = sheets[sheet].trait(line)
    return trait.name if trait else ""
