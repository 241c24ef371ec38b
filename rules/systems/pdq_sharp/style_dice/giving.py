"""Style dice are given: by the GM from bowl and box, by anybody for style, by bad luck (PS-41, PS-43, PS-45)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Sheets, Values
from rules.fields import Flag
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Effect, Purse, Spend, Transfer
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE, MISFORTUNES, STYLE
from rules.systems.pdq_sharp.style_dice.state import (
    GM,
    MOST_AT_ONCE,
    Deed,
    Result,
    State,
    called,
    dice_field,
    friends,
    many,
    npcs,
    people,
    played,
    purse_of,
    who_field,
    words_field,
)
from rules.values import BadMove

MISFORTUNE_LEAST = 3


@dataclass(frozen=True)
class Given(Deed):
    """Somebody got dice from the GM, for the plot or as an NPC's own."""

    who: str
    dice: int

    def then(self, state: State) -> State:
        return state


@dataclass(frozen=True)
class Gifted(Deed):
    """Somebody gave dice for style (`giver` "" is the GM): the GM may answer with more from the box."""

    giver: str
    taker: str
    dice: int

    def then(self, state: State) -> State:
        return replace(state, gifts=state.gifts + 1, last=self.taker)


@dataclass(frozen=True)
class Answered(Deed):
    """The GM moved one more from the box to the bowl."""

    def then(self, state: State) -> State:
        return replace(state, gifts=max(0, state.gifts - 1))


@dataclass(frozen=True)
class Suffered(Deed):
    """A vexing misfortune."""

    who: str

    def then(self, state: State) -> State:
        return replace(state, woes=(*state.woes, self.who))


def offer_good_form(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as there is something in the bowl."""
    if state.bowl:
        yield Offer("good_form", "", f"{state.phrase}: give from the bowl", "For flair, courage and good play.", (
            who_field("to", "Recipient"), dice_field(min(state.bowl, MOST_AT_ONCE)),
            words_field("Reason", needed=False)), {"to": friends(sheets)})


def good_form(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives from the bowl."""
    to, dice, words = values["to"], values["dice"], values["words"]
    step = Step("PS-41", f"{state.phrase}! {many(dice)} from the bowl for {called(to, sheets)}{_for(words)}")
    return Result((Gifted("", to, dice),), (step,),
                  effects=(Transfer(dice, Purse(BOWL), purse_of(to), f"{state.phrase}{_for(words, '')}"),))


def _for(words: str, without: str = ".") -> str:
    """What dice were given for, behind a sentence; nothing where nobody said it."""
    return f": {words}" if words else without


def offer_plot(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as there is something in the bowl."""
    if state.bowl:
        yield Offer("plot", "", "Reward feeding the plot (1 from the bowl)", "For what moves the story on.", (
            who_field("to", "Recipient"), words_field("Reason")), {"to": people(sheets)})


def plot(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody fed the plot."""
    to, words = values["to"], values["words"]
    step = Step("PS-41", f"{called(to, sheets)} feeds the plot: a style die from the bowl. {words}")
    way = Transfer(1, Purse(BOWL), purse_of(to), f"Feeding the plot: {words}")
    return Result((Given(to, 1),), (step,), effects=(way,))


def offer_gift(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who holds dice."""
    for sheet in sheets.values():
        if held := state.dice_of(sheet):
            yield Offer("gift", sheet.id, f"{state.phrase}: give of yours", "To any player or the GM, at any time.", (
                who_field("to", "Recipient"), dice_field(min(held, MOST_AT_ONCE)),
                words_field("Reason", needed=False)), {"to": friends(sheets, sheet.id)})


def ask_to_use(state: State, sheets: Sheets) -> Iterator[Ask]:
    """At the last call, of each who still holds dice."""
    for sheet in sheets.values() if state.last_call else ():
        if not sheet.npc and (held := state.dice_of(sheet)):
            last = f"the last {held} style dice" if held > 1 else "the last style die"
            yield Ask(sheet.id, "gift", f"use {last} before the session ends", "Use")


def gift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody gives of theirs, to anybody (PS-43)."""
    to, dice, words = values["to"], values["dice"], values["words"]
    why = f"{state.phrase}{_for(words, '')}"
    step = Step("PS-43", f"{state.phrase}! {sheets[by].name} gives {called(to, sheets)} {many(dice)}{_for(words)}")
    return Result((Gifted(by, to, dice),), (step,), effects=state.pays(sheets[by], dice, why, purse_of(to)))


def offer_gm_gift(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of their own."""
    if state.gm_dice:
        yield Offer("gm_gift", "", "Give of your own", "", (
            who_field("to", "Recipient"), dice_field(min(state.gm_dice, MOST_AT_ONCE)), words_field("Reason")),
            {"to": people(sheets, GM)})


def gm_gift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives of their own."""
    to, dice, words = values["to"], values["dice"], values["words"]
    step = Step("PS-43", f"{state.phrase}! The GM gives {called(to, sheets)} {many(dice)}: {words}")
    return Result((Gifted("", to, dice),), (step,),
                  effects=(Transfer(dice, Purse(GM_DICE), purse_of(to), f"{state.phrase}: {words}"),))


def offer_answer(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for each gift."""
    if state.gifts:
        direct = Flag(name="direct", label="And one to the last recipient", help="In rare cases.")
        there = state.last == GM or state.last in sheets
        yield Offer("answer", "", f"Put one more into the bowl: “{state.reply}”", "From the box, after a gift.",
                    (direct,) if there else ())


def answer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """After a gift one more goes from the box to the bowl, in rare cases one to whoever was given it (PS-43)."""
    ways = [Transfer(1, None, Purse(BOWL), state.reply)]
    text = f"{state.reply}! One more from the box into the bowl"
    if values.get("direct", False):
        ways.append(Transfer(1, None, purse_of(state.last), state.reply))
        text += f", and one for {called(state.last, sheets)}"
    return Result((Answered(),), (Step("PS-43", f"{text}."),), effects=tuple(ways))


def offer_set_dice(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for NPCs."""
    if npcs(sheets):
        yield Offer("set_dice", "", "Give an NPC their set dice", "An archvillain has 3, beside yours.", (
            who_field("to", "NPC"), dice_field(MOST_AT_ONCE, default=3)), {"to": npcs(sheets)})


def set_dice(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What an NPC has beside the GM's dice (PS-45)."""
    npc = sheets[values["to"]]
    step = Step("PS-45", f"{npc.name} has {many(values['dice'])} more of their own.")
    way = Transfer(values["dice"], None, Purse(STYLE, npc.id), "Set dice of an NPC")
    return Result((Given(npc.id, values["dice"]),), (step,), effects=(way,))


def offer_misfortune(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for characters of players."""
    if played(sheets):
        sure = Flag(name="sure", label=f"Even after {state.settings.misfortunes} in this session")
        help_text = "What they can’t resist: a trapdoor, a theft."
        yield Offer("misfortune", "", "Inflict a vexing misfortune (3+ dice)", help_text, (
            who_field("to", "Character"), dice_field(MOST_AT_ONCE, MISFORTUNE_LEAST),
            words_field("What happens"), sure), {"to": played(sheets)})


def misfortune(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What somebody can't resist, for three dice and more; after some of them it is asked twice (PS-41)."""
    who, dice, words = sheets[values["to"]], values["dice"], values["words"]
    so_far = state.woes.count(who.id)
    if so_far >= state.settings.misfortunes and not values["sure"]:
        raise BadMove(f"{who.name} had {so_far} in this session already. Tick that it happens all the same.", "sure")
    step = Step("PS-41", f"A vexing misfortune for {who.name}, and {many(dice)} from the box: {words}")
    ways: tuple[Effect, ...] = (Transfer(dice, None, Purse(STYLE, who.id), f"Vexing misfortune: {words}"),
                                Spend(who.id, MISFORTUNES, 1))
    return Result((Suffered(who.id),), (step,), effects=ways)


GIFT = Act("gift", offer_gift, gift, ask_to_use)
FROM_BOWL = (Act("good_form", offer_good_form, good_form), Act("plot", offer_plot, plot),
             Act("answer", offer_answer, answer))
GMS = (Act("misfortune", offer_misfortune, misfortune), Act("gm_gift", offer_gm_gift, gm_gift),
       Act("set_dice", offer_set_dice, set_dice))
EVENTS = (Given, Gifted, Answered, Suffered)
