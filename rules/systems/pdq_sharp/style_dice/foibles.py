"""Foibles pay: the GM offers dice for one, or a player says that one came up (PS-42)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Sheets, Values
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Transfer
from rules.systems.pdq_sharp.kinds import FOIBLE
from rules.systems.pdq_sharp.reading import of_kind
from rules.systems.pdq_sharp.style_dice.state import (
    Deed,
    Foible,
    Result,
    State,
    dice_field,
    many,
    purse_of,
    who_field,
    words_field,
)
from rules.values import BadMove

FOIBLE_MOST = 3


@dataclass(frozen=True)
class FoibleOffered(Deed):
    """The GM offers dice for a foible; `means` is what taking them leads to."""

    number: int
    who: str
    foible: str
    dice: int
    means: str
    name: str = ""

    def then(self, state: State) -> State:
        offer = Foible(self.number, self.who, self.foible, self.dice, self.means, self.name)
        return replace(state, foibles=(*state.foibles, offer), number=self.number)


@dataclass(frozen=True)
class FoibleRaised(Deed):
    """The GM offers more."""

    number: int
    dice: int

    def then(self, state: State) -> State:
        return replace(state, foibles=tuple(
            replace(foible, dice=self.dice) if foible.number == self.number else foible for foible in state.foibles))


@dataclass(frozen=True)
class FoibleClaimed(Deed):
    """A player says that a foible came up; the GM has yet to say how many dice it is worth."""

    number: int
    who: str
    foible: str
    means: str
    name: str = ""

    def then(self, state: State) -> State:
        claim = Foible(self.number, self.who, self.foible, 0, self.means, self.name, claimed=True)
        return replace(state, foibles=(*state.foibles, claim), number=self.number)


@dataclass(frozen=True)
class FoibleSettled(Deed):
    """An offer was taken, refused or withdrawn, or a claim was answered; `dice` is what came of it."""

    number: int
    dice: int

    def then(self, state: State) -> State:
        return replace(state, foibles=tuple(foible for foible in state.foibles if foible.number != self.number))


def offer_dice(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for each foible of whoever is not asked yet."""
    asked = {foible.who for foible in state.foibles}
    free = tuple((f"{sheet.id}/{line.id}", f"{sheet.name}: {line.name}") for sheet in sheets.values()
                 if sheet.id not in asked for line in of_kind(sheet, FOIBLE))
    if free:
        yield Offer("offer", "", "Offer dice for a foible", "The player takes or refuses; you may raise it.", (
            who_field("foible", "Foible"), dice_field(FOIBLE_MOST), words_field("What taking them means")),
            {"foible": free})


def offer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM offers dice for a foible (PS-42)."""
    sheet, _, line = values["foible"].partition("/")
    who, foible = sheets[sheet], _named(sheets, sheet, line)
    made = FoibleOffered(state.number + 1, who.id, foible, values["dice"], values["words"], who.name)
    step = Step("PS-42", f"The GM offers {who.name} {many(values['dice'])} for {foible}: {values['words']}")
    return Result((made,), (step,))


def offer_raising(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while more can be offered."""
    low = _numbered(state, sheets, "{name}: {foible.foible}, {foible.dice} now", claimed=False, below=FOIBLE_MOST)
    if low:
        yield Offer("raise_offer", "", "Raise an offer", "", (
            who_field("number", "Foible"), dice_field(FOIBLE_MOST, 2, "Offer")), {"number": low})


def _numbered(state: State, sheets: Sheets, words: str, *, claimed: bool, below: int = 99) -> Options:
    return tuple((str(foible.number), words.format(name=sheets[foible.who].name, foible=foible))
                 for foible in state.foibles
                 if foible.claimed == claimed and foible.dice < below and foible.who in sheets)


def raise_offer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A better offer in the place of the one that stands."""
    foible = _foible(state, values["number"])
    if values["dice"] <= foible.dice:
        raise BadMove(f"It is at {foible.dice}: offer more.", "dice")
    step = Step("PS-42", f"The GM raises the offer for {foible.foible} to {many(values['dice'])}.")
    return Result((FoibleRaised(foible.number, values["dice"]),), (step,))


def offer_withdrawing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for each offer that stands."""
    if offered := _numbered(state, sheets, "{name}: {foible.foible}", claimed=False):
        yield Offer("withdraw", "", "Withdraw an offer", "", (who_field("number", "Foible"),), {"number": offered})


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The offer is gone."""
    foible = _foible(state, values["number"])
    return Result((FoibleSettled(foible.number, 0),), (Step("PS-42", f"The offer for {foible.foible} is withdrawn."),))


def offer_taking(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom dice are offered: answering for a foible is nobody's but their player's."""
    for sheet in sheets.values():
        if offered := state.offered(sheet.id):
            held = state.dice_of(sheet)
            leads = f"You have {held}, and then {held + offered.dice}. {offered.means}".strip()
            yield Offer("take", sheet.id, f"Take {offered.dice}", leads, personal=True)


def ask_about_foibles(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM once for all claims, then of each whom dice are offered to."""
    here = [foible for foible in state.foibles if foible.who in sheets]
    claims = [f"{foible.foible}, {sheets[foible.who].name}" for foible in here if foible.claimed]
    if claims:
        which = "a foible was" if len(claims) == 1 else "foibles were"
        yield Ask("", "grant", f"say what {which} worth: {'; '.join(claims)}", "Say", waits=True)
    for foible in here:
        if not foible.claimed:
            yield Ask(foible.who, "take", f"take or refuse {many(foible.dice)} for {foible.foible}", decision=True)


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player takes the dice, and what they mean."""
    foible = _offered(state, by)
    step = Step("PS-42", f"{sheets[by].name} takes {many(foible.dice)} for {foible.foible}: {foible.means}")
    why = f"Foible, {foible.foible}: {foible.means}"
    return Result((FoibleSettled(foible.number, foible.dice),), (step,),
                  effects=(Transfer(foible.dice, None, purse_of(by), why),))


def offer_refusing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom dice are offered."""
    for sheet in sheets.values():
        if state.offered(sheet.id):
            yield Offer("refuse", sheet.id, "Refuse", f"It costs nothing; you keep {state.dice_of(sheet)}.",
                        personal=True)


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player resists, which costs nothing."""
    foible = _offered(state, by)
    step = Step("PS-42", f"{sheets[by].name} resists: {foible.foible}. It costs nothing.")
    return Result((FoibleSettled(foible.number, 0),), (step,))


def offer_claim(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each with a foible about which nothing waits."""
    asked = {foible.who for foible in state.foibles}
    for sheet in sheets.values():
        foibles = tuple((line.id, line.name) for line in of_kind(sheet, FOIBLE))
        if foibles and sheet.id not in asked:
            yield Offer("claim", sheet.id, "Claim dice for a foible",
                        "The GM says what it is worth: 1 to 3 from the box.",
                        (who_field("foible", "Foible"), words_field("What came of it")), {"foible": foibles})


def claim(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A player says that a foible of theirs came up."""
    foible = _named(sheets, by, values["foible"])
    step = Step("PS-42", f"{sheets[by].name}’s foible came up, {foible}: {values['words']}")
    return Result((FoibleClaimed(state.number + 1, by, foible, values["words"], sheets[by].name),), (step,))


def offer_grant(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for each claim."""
    if claims := _numbered(state, sheets, "{name}, {foible.foible}: {foible.means}", claimed=True):
        yield Offer("grant", "", "Reward a foible", "0 is nothing; 1 as a rule, more where it was a joy.", (
            who_field("number", "Foible"), dice_field(FOIBLE_MOST, 0, default=1)), {"number": claims})


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the GM finds that it was worth."""
    foible, dice = _foible(state, values["number"]), values["dice"]
    name = sheets[foible.who].name
    step = Step("PS-41", f"{name} gets {many(dice)} from the box for {foible.foible}." if dice
                else f"{name} gets nothing for {foible.foible}.")
    ways = (Transfer(dice, None, purse_of(foible.who), f"Foible, {foible.foible}: {foible.means}"),) if dice else ()
    return Result((FoibleSettled(foible.number, dice),), (step,), effects=ways)


def _foible(state: State, number: str) -> Foible:
    return next(foible for foible in state.foibles if str(foible.number) == number)


def _offered(state: State, who: str) -> Foible:
    return next(foible for foible in state.foibles if foible.who == who and not foible.claimed)


def _named(sheets: Sheets, sheet: str, line: str) -> str:
    trait = sheets[sheet].trait(line)
    return trait.name if trait else ""


ANSWERS = (Act("take", offer_taking, accept, ask_about_foibles), Act("refuse", offer_refusing, refuse))
CLAIM = Act("claim", offer_claim, claim)
OFFERS = (Act("offer", offer_dice, offer), Act("raise_offer", offer_raising, raise_offer),
          Act("withdraw", offer_withdrawing, withdraw), Act("grant", offer_grant, grant))
EVENTS = (FoibleOffered, FoibleRaised, FoibleClaimed, FoibleSettled)
