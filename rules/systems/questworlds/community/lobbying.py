"""Somebody goes to the community: what they ask for, what the GM puts against it, the dice, the point (QW-93, QW-94).

Any community hears its people so. What a request brings that was heard, a community says as it builds these acts.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Listing, Text, text
from rules.moves import Die, Need, Step, take
from rules.odds import chances
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Sheet, SpendShared
from rules.systems.questworlds.after import Learned
from rules.systems.questworlds.community.state import (
    BOLSTER,
    DRAW,
    LOBBY,
    POOL,
    Lobbied,
    OpenRequest,
    Request,
    Result,
)
from rules.systems.questworlds.community.why import of_request, why_roll
from rules.systems.questworlds.contest import Terms, roll_of
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.reckoning import counting, lasting_line, settle
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.roll import SIDES, Names
from rules.systems.questworlds.traits import RELATIONSHIPS, lasting, score_of, usable
from rules.tables import OddsAnswer
from rules.why import Why
from rules.wording import join, sentence

L = TypeVar("L", bound=Lobbied)
Brings = Callable[[L, Request], Result]

WINS = {"victory": "is accepted", "defeat": "is refused", "tie": "is not decided yet"}
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))
RULES = {DRAW: "QW-93", BOLSTER: "QW-94", LOBBY: "QW-A9"}
ABOUT = {
    DRAW: ("Draw on a resource", "First you convince them. Then it helps in one contest, and is down a rank."),
    BOLSTER: ("Bolster a resource", "It has a rank more until it is used; below 0 it is back at 0."),
    LOBBY: ("Ask for a resource", "First you convince them. Then the GM rolls with it, and it wears out."),
}
CHANCES = ("moderate", "low", "raised", "high", "very high", "very low")
REFUSE = "refuse"


@dataclass(frozen=True)
class Requested(Request, Event[L]):
    """Somebody would draw on a resource (`draw`), bolster it (`bolster`) or use it (`lobby`), in these words."""

    def after(self, state: L) -> L:
        players = tuple(dict.fromkeys((*state.settings.players, self.who)))
        return replace(state, requests=(*state.requests, OpenRequest(self)),
                       settings=replace(state.settings, players=players))


@dataclass(frozen=True)
class Faced(Event[L]):
    """The GM says what resistance a request meets."""

    who: str
    resistance: int
    told: str

    def after(self, state: L) -> L:
        return state.with_request(self.who, resistance=self.resistance)


@dataclass(frozen=True)
class Closed(Event[L]):
    """A request is over before the dice: `refused` or `withdrawn`."""

    who: str
    how: str

    def after(self, state: L) -> L:
        return state.without_request(self.who)


@dataclass(frozen=True)
class Rolled(Event[L]):
    """The dice of a request: one's own, the community's."""

    who: str
    ours: int
    theirs: int

    def after(self, state: L) -> L:
        return state.with_request(self.who, dice=(self.ours, self.theirs))


@dataclass(frozen=True)
class PointDecided(Event[L]):
    """Somebody spends a story point on it, or lets it stand."""

    who: str
    spend: bool

    def after(self, state: L) -> L:
        return state.with_request(self.who, point=self.spend)


@dataclass(frozen=True)
class Settled(Event[L]):
    """How a request came out; it is over with that."""

    who: str
    outcome: str
    rank: int

    def after(self, state: L) -> L:
        request = state.request(self.who)
        heard = state.convinced(request.asked) if request and self.outcome == "victory" else state
        return heard.without_request(self.who)


@dataclass(frozen=True)
class TookLesson(Learned, Event[L]):
    """What was learned by it, or was not."""

    stored = "learned"

    def after(self, state: L) -> L:
        return replace(state, learned=(*state.learned, self))


EVENTS: tuple[type[Event[Any]], ...] = (Requested, Faced, Closed, Rolled, PointDecided, Settled, TookLesson)


def offer_request(state: Lobbied, sheet: Sheet, kind: str, resources: Options) -> Iterator[Offer]:
    """To somebody who asks for nothing yet: lobbying for one of these, or an obstacle overcome for the community."""
    if not resources or state.request(sheet.id):
        return
    symbol = state.symbol
    known = sorted(usable(sheet), key=lambda trait: trait.kind not in RELATIONSHIPS)
    abilities = tuple((trait.id, f"{trait.name} · {notation(score_of(trait, sheet) or 0, symbol)}") for trait in known)
    counting = tuple((line.id, f"{line.name} {worth_of(line, symbol, state.edition)}") for line in lasting(sheet))
    bolsters = kind == BOLSTER
    words = "Your help" if bolsters else "Purpose"
    fields = [text("resource", "Resource", needed=True),
              text("words", words, "" if bolsters else "It serves the community, at a risk or a price.",
                   needed=True, most=200),
              text("ability", "Ability", "Leave blank if none fits. That counts as "
                   f"{state.edition.resolution.no_ability}." if bolsters else
                   "To convince them, as your tie to the community does.")]
    options: dict[str, Options] = {"resource": resources, "ability": abilities}
    now = {"resource": resources[0][0], **({"ability": abilities[0][0]} if abilities else {})}
    if counting:
        fields.append(Listing(name="lines", label="Counts here", of=text("line", "Line"), default=()))  # type: ignore[arg-type]
        options["lines"] = counting
    title, help = ABOUT[kind]
    yield Offer(kind, sheet.id, title, help, tuple(fields), options, now=dict(now), previews=True)


def request(
    kind: str, state: Lobbied, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> Result:
    """Somebody goes to the community, or to work for it; the GM says what stands against it."""
    asked, symbol = _requested(kind, state, sheets[by], values), state.symbol
    how = f"with {asked.ability} {notation(asked.score or 0, symbol)}" if asked.trait else "with no fitting ability"
    wants = (f"would bolster {asked.resource}" if kind == BOLSTER else
             f"asks {state.settings.name} for {asked.resource}")
    steps = [Step(RULES[kind], f"{asked.name} {wants}, {how}: {sentence(asked.words)}")]
    if asked.why:
        steps.append(Step("QW-61", f"{asked.why} counts: {signed(asked.modifier, symbol)}."))
    return Result((asked,), tuple(steps))


def _requested(kind: str, state: Lobbied, sheet: Sheet, values: Values) -> Requested[Any]:
    trait = sheet.trait(values["ability"])
    lines = [line for id_ in values.get("lines", ()) if (line := sheet.trait(id_))]
    # What is said here counts with whatever ability is used.
    said = (replace(lasting_line(sheet, line, state.settings.by_value, state.edition), touches=()) for line in lines)
    modifier = sum(line.amount for line in counting(said, (), state.edition))
    why = join([f"{line.name} {worth_of(line, state.symbol, state.edition)}" for line in lines]) if lines else ""
    return Requested(
        sheet.id, sheet.name, kind, state.named(values["resource"]), values["words"], trait.id if trait else "",
        trait.name if trait else "", score_of(trait, sheet) if trait else None, modifier, why)


def odds_of_request(state: Lobbied, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Of a request that is being written, against what the GM most likely answers."""
    asked = _requested(offer.action, state, sheets[offer.by], values)
    adds = state.resisting(asked, seen=True) or 0
    number, words = _by_rank(state, adds), "by its rank" if adds else "moderate"
    against = f"Against {notation(number, state.symbol)}, {words}, if the GM leaves it at that"
    return ((against, _odds(state.terms(OpenRequest(asked, resistance=number)))),)


def why_request(state: Lobbied, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The same, with what it is made of: each line that lasts by itself (QW-60, QW-93)."""
    sheet = sheets[offer.by]
    asked = _requested(offer.action, state, sheet, values)
    adds = state.resisting(asked, seen=True) or 0
    terms = state.terms(OpenRequest(asked, resistance=_by_rank(state, adds)))
    lines = [line for id_ in values.get("lines", ()) if (line := sheet.trait(id_))]
    return of_request(state, sheet, OpenRequest(asked), terms, "if the GM leaves it at that", lines)


def _by_rank(state: Lobbied, adds: int) -> int:
    """The base with what a resource adds to it."""
    written = signed(adds, state.symbol) if adds else ""
    return resistance_of(written, state.settings.base, state.symbol, state.edition)[0]


def _odds(terms: Terms) -> OddsAnswer:
    counts: Counter[str] = Counter()
    for ours, theirs, ways in settle(terms, (1, 1)).throws():
        counts[settle(terms, (ours, theirs)).outcome] += ways
    chance_of = chances(counts)
    return OddsAnswer(tuple((label, chance_of.get(word, Fraction(0)), tone) for word, label, tone in TONES))


def _waiting(state: Lobbied) -> OpenRequest | None:
    """The first request that waits for a resistance."""
    return next((request for request in state.requests if request.resistance is None), None)


def offer_face(state: Lobbied, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: the resistance of the first request that waits, as chips."""
    waiting = _waiting(state)
    if waiting is None:
        return
    asked, symbol = waiting.asked, state.symbol
    chips = []
    if (adds := state.resisting(asked)) is not None:
        chips.append((signed(adds, symbol) if adds else "", f"By its rank: {notation(_by_rank(state, adds), symbol)}"))
    for name in CHANCES:
        number, _ = resistance_of(name, state.settings.base, symbol, state.edition)
        chips.append((name, f"{name.capitalize()} {notation(number, symbol)}"))
    chips.append((REFUSE, "Refuse"))
    wants = f"bolster {asked.resource}" if asked.kind == BOLSTER else f"{asked.resource} for"
    help = ("" if asked.kind == BOLSTER else
            "A selfish plan, or one that is likely to fail, meets more; so do those who draw all the time.")
    yield Offer("face", "", f"{asked.name}, {wants}: {asked.words}", help,
                (Text(name="against", label="Against", most=30),), {"against": tuple(chips)}, chips="against")


def face(state: Lobbied, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the first request that waits meets, or that nothing comes of it."""
    waiting = next(request for request in state.requests if request.resistance is None)
    if values["against"] == REFUSE:
        text = f"Nothing comes of what {waiting.asked.name} asked for. No die falls."
        return Result((Closed(waiting.who, "refused"),), (Step(state.rule, text),))
    number, words = resistance_of(values["against"], state.settings.base, state.symbol, state.edition)
    resistance = notation(number, state.symbol)
    text = f"{waiting.asked.name} meets a resistance of {resistance}{f': {words}' if words else ''}."
    return Result((Faced(waiting.who, number, words),), (Step("QW-03", text),))


def asks(state: Lobbied, sheets: Sheets) -> Iterator[Ask]:
    """The GM while a request waits for a resistance, and those who have to roll or to decide."""
    if waiting := _waiting(state):
        wants = "would bolster" if waiting.asked.kind == BOLSTER else "asks for"
        yield Ask("", "face", f"answer {waiting.asked.name}, who {wants} {waiting.asked.resource}", waits=True)
    for request in state.requests:
        if request.dice:
            spends = f"spend a story point on {request.asked.resource}, or " if state.may_spend(request) else ""
            yield Ask(request.who, "stand", f"{spends}let it stand", "Decide", decision=True, stands=True)
        elif request.resistance is not None:
            yield Ask(request.who, "roll", f"roll for {request.asked.resource}", "Roll")


def _of_players(state: Lobbied, sheets: Sheets) -> Iterator[OpenRequest]:
    for sheet in sheets.values():
        if not sheet.npc and (request := state.request(sheet.id)):
            yield request


def offer_withdraw(state: Lobbied, sheets: Sheets) -> Iterator[Offer]:
    """To each whose dice have not fallen."""
    return (Offer("withdraw", request.who, "Cancel request")
            for request in _of_players(state, sheets) if not request.dice)


def withdraw(state: Lobbied, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is not asked after all."""
    text = f"{sheets[by].name} does not ask after all."
    return Result((Closed(by, "withdrawn"),), (Step(state.rule, text),))


def offer_roll(state: Lobbied, sheets: Sheets) -> Iterator[Offer]:
    """To each whom the GM has answered."""
    for request in _of_players(state, sheets):
        if request.resistance is not None and not request.dice:
            terms = state.terms(request)
            title = f"Roll {notation(terms.score, state.symbol)} against {notation(terms.resistance, state.symbol)}"
            yield Offer("roll", request.who, title, rolls=True)


def roll(
    brings: Brings[L], state: L, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> Result | Need:
    """The dice, and what comes of them where no story point can be offered."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    rolled: Rolled[L] = Rolled(by, faces[0], faces[1])
    after = rolled.after(state)
    request = _open(after, by)
    dice = tuple(Die(SIDES, face, name) for face, name in zip(faces, (sheets[by].name, "resistance"), strict=True))
    if not after.may_spend(request):
        ending = _settled(brings, after, sheets, request)
        return replace(ending, events=(rolled, *ending.events), dice=dice)
    offered = Step("QW-12", "A story point may be spent now: one bump up.")
    terms = after.terms(request)
    steps = settle(terms, request.faces).steps(names=_names(after, request))
    return Result((rolled,), (*steps, offered), dice=dice, rolls=(roll_of(terms, request.faces),))


def odds_of_roll(state: Lobbied, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Of a request that is about to be rolled, as it stands and with a story point."""
    request = _open(state, offer.by)
    return (("As it is now", _odds(state.terms(request))),
            ("With a story point", _odds(state.terms(replace(request, point=True)))))


def offer_spend(state: Lobbied, sheets: Sheets) -> Iterator[Offer]:
    """To each whose dice have fallen, where a point helps."""
    for request in _of_players(state, sheets):
        if state.may_spend(request):
            bumped = settle(state.terms(replace(request, point=True)), request.faces)
            yield Offer("spend", request.who, f"Spend a story point: {bumped.outcome}",
                        "One bump up, and the point is gone.")


def offer_stand(state: Lobbied, sheets: Sheets) -> Iterator[Offer]:
    """To each whose dice have fallen."""
    for request in _of_players(state, sheets):
        if request.dice:
            stands = settle(state.terms(request), request.dice)
            yield Offer("stand", request.who, f"Let it stand: {stands.outcome}")


def decide(
    brings: Brings[L], spent: bool, state: L, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> Result:
    """A story point, or none, and how it came out (QW-12)."""
    decided: PointDecided[L] = PointDecided(by, spent)
    after = decided.after(state)
    ending = _settled(brings, after, sheets, _open(after, by))
    said = Step("QW-12", f"{sheets[by].name} {'spends a story point' if spent else 'lets it stand'}.")
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent else ()
    return replace(ending, events=(decided, *ending.events), steps=(*ending.steps[:1], said, *ending.steps[1:]),
                   effects=(*paid, *ending.effects))


def _open(state: Lobbied, who: str) -> OpenRequest:
    return next(request for request in state.requests if request.who == who)


def _names(state: Lobbied, request: OpenRequest) -> Names:
    return Names(request.asked.name, state.settings.name or "the resistance", state.symbol)


def _settled(brings: Brings[L], state: L, sheets: Sheets, request: OpenRequest) -> Result:
    """How it came out, and what that brings (QW-80, QW-93, QW-94)."""
    asked, terms = request.asked, state.terms(request)
    clash = settle(terms, request.faces)
    came = Result((Settled(asked.who, clash.outcome, clash.rank),), (
        Step(RULES[asked.kind], f"{asked.name}’s request {WINS[clash.outcome]}: {sentence(asked.words)}"),
        *terms.steps(_names(state, request)), *clash.steps(names=_names(state, request))))
    brought = Result(())
    if clash.outcome == "victory":
        brought = brings(state, asked)
    if clash.outcome == "defeat":
        lesson, reasons, earned = learned(state, sheets[asked.who], DEFEAT, asked.ability, "simple")
        brought = Result(tuple(TookLesson(**vars(taught)) for taught in lesson), reasons, effects=earned)
    return Result((*came.events, *brought.events), (*came.steps, *brought.steps),
                  {"outcome": clash.outcome, "rank": clash.rank}, effects=brought.effects,
                  rolls=(roll_of(terms, request.faces),))


def going_on(brings: Brings[L]) -> tuple[Act[L], ...]:
    """What somebody may do who has asked for something; `brings` is what comes of a request that was heard."""
    return (
        Act("spend", offer_spend, partial(decide, brings, True), asks),
        Act("stand", offer_stand, partial(decide, brings, False)),
        Act("roll", offer_roll, partial(roll, brings), odds=odds_of_roll, why=why_roll),
        Act("withdraw", offer_withdraw, withdraw),
    )


FACE: Act[Any] = Act("face", offer_face, face)
