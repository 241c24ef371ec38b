"""How the group draws on its community, bolsters it, and what the GM rules of it (QW-93, QW-94)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.engine import Sheets
from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, Gain, SpendShared
from rules.systems.questworlds.community import events as e
from rules.systems.questworlds.community.evolve import evolve
from rules.systems.questworlds.community.state import BOLSTER, DRAW, LOBBY, POOL, Request, State
from rules.systems.questworlds.contest import roll_of
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.roll import SIDES, Names
from rules.systems.questworlds.traits import SUPPORT, score_of, together
from rules.wording import join, sentence

Values = Mapping[str, Any]
WINS = {"victory": "is heard", "defeat": "is not heard", "tie": "is not heard yet"}
REFUSE = "refuse"
RULES = {DRAW: "QW-93", BOLSTER: "QW-94", LOBBY: "QW-A9"}


def request(state: State, sheets: Sheets, by: str, kind: str, values: Values) -> e.Result:
    """Somebody goes to the community, or to work for it; the GM says what stands against it."""
    sheet, symbol = sheets[by], state.settings.symbol
    trait = sheet.trait(values["ability"])
    lines = [line for id_ in values.get("lines", ()) if (line := sheet.trait(id_))]
    modifier = together(lines, state.settings.by_value, state.edition) if lines else 0
    why = join([f"{each.name} {worth_of(each, symbol, state.edition)}" for each in lines]) if lines else ""
    asked = e.Requested(
        by, sheet.name, kind, state.chosen(values["resource"]).name, values["words"], trait.id if trait else "",
        trait.name if trait else "", score_of(trait, sheet) if trait else None, modifier, why)
    how = f"with {asked.ability} {notation(asked.score or 0, symbol)}" if trait else "with no fitting ability"
    wants = (f"would bolster {asked.resource}" if kind == BOLSTER else
             f"asks {state.settings.name} for {asked.resource}")
    steps = [Step(RULES[kind], f"{sheet.name} {wants}, {how}: {sentence(asked.words)}")]
    if why:
        steps.append(Step("QW-61", f"{why} counts: {signed(modifier, symbol)}."))
    return e.Result((asked,), tuple(steps))


def draw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Lobbying for a resource (QW-93)."""
    return request(state, sheets, by, DRAW, values)


def bolster(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """An obstacle that is overcome for the community's sake (QW-94)."""
    return request(state, sheets, by, BOLSTER, values)


def face(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """What it meets, or that nothing comes of it: the first request that waits."""
    waiting = next(each for each in state.requests if each.resistance is None)
    if values["against"] == REFUSE:
        text = f"Nothing comes of what {waiting.asked.name} asked for. No die falls."
        return e.Result((e.Closed(waiting.who, "refused"),), (Step("QW-93", text),))
    number, words = resistance_of(values["against"], state.settings.base, state.settings.symbol, state.edition)
    resistance = notation(number, state.settings.symbol)
    text = f"{waiting.asked.name} meets a resistance of {resistance}{f': {words}' if words else ''}."
    return e.Result((e.Faced(waiting.who, number, words),), (Step("QW-03", text),))


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """It is not asked after all."""
    text = f"{sheets[by].name} does not ask after all."
    return e.Result((e.Closed(by, "withdrawn"),), (Step("QW-93", text),))


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """The dice, and what comes of them where no story point can be offered."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    rolled = e.Rolled(by, faces[0], faces[1])
    after = evolve(state, rolled)
    found = _open(after, by)
    dice = tuple(Die(SIDES, face, name) for face, name in zip(faces, (sheets[by].name, "resistance"), strict=True))
    if not after.may_spend(found):
        ending = _settled(after, sheets, found)
        return replace(ending, events=(rolled, *ending.events), dice=dice)
    offered = Step("QW-12", "A story point may be spent now: one bump up.")
    clash = found and after.clash(found)
    steps = clash.steps(names=_names(after, found)) if clash else ()
    return e.Result((rolled,), (*steps, offered), dice=dice, rolls=(roll_of(after.terms(found), faces_of(found)),))


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A story point (QW-12)."""
    return _decided(state, sheets, by, spent=True)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """No story point."""
    return _decided(state, sheets, by, spent=False)


def _decided(state: State, sheets: Sheets, by: str, *, spent: bool) -> e.Result:
    decided = e.PointDecided(by, spent)
    after = evolve(state, decided)
    ending = _settled(after, sheets, _open(after, by))
    said = Step("QW-12", f"{sheets[by].name} {'spends a story point' if spent else 'lets it stand'}.")
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent else ()
    return replace(ending, events=(decided, *ending.events), steps=(*ending.steps[:1], said, *ending.steps[1:]),
                   effects=(*paid, *ending.effects))


def _open(state: State, who: str) -> Request:
    return next(each for each in state.requests if each.who == who)


def faces_of(request: Request) -> tuple[int, int]:
    """The dice of a request that was rolled."""
    return request.dice or (1, 1)


def _names(state: State, request: Request) -> Names:
    return Names(request.asked.name, state.settings.name or "the resistance", state.settings.symbol)


def _settled(state: State, sheets: Sheets, request: Request) -> e.Result:
    """How it came out, and what that does to the resource (QW-80, QW-93, QW-94)."""
    asked, terms, dice = request.asked, state.terms(request), faces_of(request)
    clash = terms.clash(dice)
    events: list[e.Event] = [e.Settled(asked.who, clash.outcome, clash.rank)]
    effects: list[Effect] = []
    steps = [Step(RULES[asked.kind], f"{asked.name} {WINS[clash.outcome]}: {sentence(asked.words)}"),
             *terms.steps(_names(state, request)), *clash.steps(names=_names(state, request))]
    if clash.outcome == "victory" and asked.kind != LOBBY:
        came = _drawn(state, asked.who, asked.resource, asked.words) if asked.kind == DRAW else _bolstered(
            state, asked.resource)
        events, steps, effects = [*events, *came.events], [*steps, *came.steps], [*effects, *came.effects]
    if clash.outcome == "defeat":
        lesson, reasons, earned = learned(state, sheets[asked.who], DEFEAT, asked.ability, "simple")
        events, steps, effects = [*events, *lesson], [*steps, *reasons], [*effects, *earned]
    return e.Result(tuple(events), tuple(steps), {"outcome": clash.outcome, "rank": clash.rank},
                    effects=tuple(effects), rolls=(roll_of(terms, dice),))


def _drawn(state: State, who: str, name: str, words: str, *, required: bool = False) -> e.Result:
    """The resource is given out: it waits on the sheet for the contest, and drops a rank whatever comes of that.

    *Ruling*: it drops when it is given. What is 0 or less has nothing to give, unless its use is required.
    """
    found = state.resource(name)
    if found.counts <= 0 and not required:
        return e.Result((), (Step("QW-93", f"{name} has nothing to give at this time, and stays as it is."),))
    drawn = e.Drawn(name, who, required)
    after = evolve(state, drawn).resource(name)
    symbol = state.settings.symbol
    bonus, then = signed(state.bonus(found), symbol), signed(state.bonus(after), symbol)
    of_it = f"{name} of {state.settings.name}" if state.settings.name else name
    effect = Gain(who, SUPPORT, of_it[:120], state.held(found.counts), words)
    steps = [Step("QW-93", f"{name} gives {bonus}, for one contest: {sentence(words)}")]
    if found.bolstered:
        steps.append(Step("QW-94", f"What bolstered {name} is used up: it is at {then}."))
    else:
        steps.append(Step("QW-93", f"{name} drops a rank with that, whatever comes of it: it is at {then}."))
    return e.Result((drawn,), tuple(steps), effects=(effect,))


def _bolstered(state: State, name: str) -> e.Result:
    event = e.Bolstered(name)
    after = evolve(state, event)
    now = signed(after.bonus(after.resource(name)), state.settings.symbol)
    text = f"The penalty of {name} is gone: it is at {now}." if state.resource(name).counts < 0 else (
        f"{name} is bolstered: {now}, until it is used.")
    return e.Result((event,), (Step("QW-94", text),))


def require(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """What somebody does takes a resource in any case: a bonus, or a penalty below 0, and no lobbying (QW-94)."""
    found = state.chosen(values["resource"])
    given = _drawn(state, values["whom"], found.name, values["words"], required=True)
    step = Step("QW-94", f"What {sheets[values['whom']].name} does takes {found.name}, without being asked.")
    return replace(given, steps=(step, *given.steps))


def move(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Background events, and what a contest cost the community that did not draw on it (QW-93, QW-94)."""
    found = state.chosen(values["resource"])
    event = e.Moved(found.name, int(values["ranks"]))
    after = evolve(state, event)
    now = signed(after.bonus(after.resource(found.name)), state.settings.symbol)
    text = f"{sentence(values['words'])} {found.name} is at {now} for now."
    return e.Result((event,), (Step("QW-94", text),), sealed=found.veiled)


def restore(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A resource is back at its own rank, or all are (QW-93)."""
    wanted = [state.chosen(values["resource"])] if values["resource"] else state.resources
    names = tuple(each.name for each in wanted if each.now != each.rank)
    after = reduce(evolve, (restored := e.Restored(names),), state)
    back = join([f"{each.name} is at {signed(after.bonus(each), state.settings.symbol)} again"
                 for each in after.resources if each.name in names])
    veiled = any(state.resource(each).veiled for each in names)
    return e.Result((restored,), (Step("QW-93", f"{back}."),), sealed=veiled)


def veil(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Whether players see a rank."""
    found = state.chosen(values["resource"])
    text = f"Players see the rank of {found.name}." if found.veiled else f"The rank of {found.name} is for the GM."
    return e.Result((e.Veiled(found.name, not found.veiled),), (Step("QW-92", text),))


def takes(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """What always takes a resource, in words (QW-94)."""
    name, words = state.chosen(values["resource"]).name, values["words"]
    text = f"{name} is needed for: {sentence(words)}" if words else f"Nothing always takes {name}."
    return e.Result((e.Required(name, words),), (Step("QW-94", text),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The group has no more to do with it."""
    return e.Result((e.Ended(),), (Step("QW-92", f"{state.settings.name} is no longer the community of the group."),))
