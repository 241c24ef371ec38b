"""What can be done with a sheet at any time: motivations, wealth, hooks, poison (PS-05, PS-12, PS-48, PS-49)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.engine import check
from rules.fields import REQUIRED, Choice, Listing, Text, Whole
from rules.moves import Need, Roll, Step, take
from rules.procedure import ActResult, Offer
from rules.sheet import Become, Damage, Effect, Gain, Lose, NewAllocation, Raise, Sheet, Spend, Trait
from rules.systems.pdq_sharp.challenge_roll import ChallengeMove
from rules.systems.pdq_sharp.chart import AVERAGE, GOOD, MASTER, MODIFIERS, POOR, TARGETS, WORDS, notation, notation_of
from rules.systems.pdq_sharp.keep import SIDES, drawn
from rules.systems.pdq_sharp.kinds import (
    BURNED,
    ENDURING,
    FALLEN,
    FORTES,
    HOOK,
    MINION_RANKS,
    MINIONS,
    MOSTLY_DEAD,
    MOTIVATIONS,
    ONE_SHOT,
    OPEN,
    POISONED,
    SIDEKICK,
    SQUAD,
    THIS_SCENE,
    TO_REPLACE,
    WEALTHY,
)
from rules.systems.pdq_sharp.reading import SPLURGES, fortes, of_kind, rank_word, usable
from rules.systems.pdq_sharp.reckoning import KEEP, kept_step, settle, steps_of, terms
from rules.systems.pdq_sharp.recovery import DAMAGE
from rules.systems.pdq_sharp.settings import HARMS, KILLS
from rules.values import BadMove, Value

Values = Mapping[str, Any]
Result = ActResult[Any]
EDGE = 2  # purchases of a session at the edge of one's means that lower a fortune
BEYOND, PUSH = "beyond", "push"
FOLLOWERS = "followers"
HARM = "harm"  # what fire, a fall or a failure costs, at the GM’s word (PS-14)


def _which(label: str, lines: Sequence[Trait]) -> dict[str, Any]:
    field = Text(name="line", label=label, default=REQUIRED, missing="Choose a line.")
    return {"fields": (field,), "options": {"line": tuple((line.id, line.name) for line in lines)}}


def _words(name: str, label: str, help: str = "") -> Text:
    return Text(name=name, label=label, help=help, default=REQUIRED, most=120, missing="Describe it in a few words.")


def offers(sheet: Sheet) -> tuple[Offer, ...]:
    """Every action that this sheet has now; its player may do the first ones, the GM all."""
    me, listed = sheet.id, []
    if (drives := of_kind(sheet, *MOTIVATIONS)) and not of_kind(sheet, BURNED):
        listed.append(Offer("burn", me, "Burn a motivation", "When it is the point of the scene: it counts double "
                            "until the scene ends. Win or lose, another one takes its place.",
                            **_which("Motivation", drives)))
    if gone := [trait for trait in of_kind(sheet, BURNED) if trait.value == TO_REPLACE]:
        asked = _which("Burned motivation", gone)
        listed.append(Offer("motivation", me, "Choose a new motivation", "",
                           (*asked["fields"], _words("name", "What drives them now")), asked["options"]))
    if purses := [trait for trait in of_kind(sheet, WEALTHY) if trait.value > POOR]:
        asked = _which("Fortune", purses)
        how = Choice(name="how", label="Cost", default=PUSH, options=(
            (PUSH, "As much as one’s rank: the second in a session lowers it"),
            (BEYOND, "A rank more: this lowers it for good")))
        listed.append(Offer("squander", me, "Spend a fortune", "A rank that is lost comes back by training alone.",
                           (*asked["fields"], how), asked["options"]))
    return (*listed, *_gms(sheet))


def _gms(sheet: Sheet) -> list[Offer]:
    offers = [Offer("hook", "", "Add a story hook", "", (
        _words("name", "Description"), Text(name="from", label="Origin", most=300)))]
    if opened := [trait for trait in of_kind(sheet, HOOK) if trait.value == OPEN]:
        asked = _which("Story hook", opened)
        offers.append(Offer("use_hook", "", "Use a story hook", "", **asked))
        offers.append(Offer("write_hook", "", "Describe a story hook", "",
                           (*asked["fields"], _words("name", "What comes of it")), asked["options"]))
    if fortes(sheet):
        note = "Fire, a fall, water: the player assigns the wound ranks."
        offers.append(Offer(HARM, "", "Hurt this character", note, (
            Whole(name="ranks", label="Wound ranks", least=1, most=30, default=1), _words("name", "Cause"))))
        ranks = tuple((str(rank), notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
        offers.append(Offer("poison", "", "Poison this character", "Its effect is a setting of the campaign.", (
            Choice(name="rank", label="How strong", options=ranks, default=str(GOOD)),
            Choice(name="type", label="How long", default=str(ONE_SHOT), options=(
                (str(ONE_SHOT), "One dose: it does its work and is gone"),
                (str(ENDURING), "Lasting: until it is out of the blood"))),
            Listing(name="fortes", label="Fortes against it", default=(), of=Text(name="forte", label="Forte"),
                    help="Where poison kills, their challenge is rolled with these.")),
            {"fortes": tuple((forte.id, f"{forte.name}, {notation(rank_word(forte))}") for forte in fortes(sheet)
                             if usable(forte))}, rolls=True))
    offers.append(_taking_on())
    if ill := of_kind(sheet, POISONED):
        offers.append(Offer("antidote", "", "Apply the antidote", "", **_which("Poison", ill)))
    return offers


def _taking_on() -> Offer:
    """People who come to a character in play stand for a forte of theirs from then on (PS-05)."""
    return Offer(FOLLOWERS, "", "Take on followers", "They become a forte of this character, from now on.", (
        _words("name", "Description"),
        Choice(name="kind", label="Type", default=MINIONS, options=(
            (MINIONS, "Minions, who carry out orders"), (SIDEKICK, "A sidekick, at their side"))),
        Choice(name="rank", label="Rank", default=str(GOOD), options=tuple(
            (str(rank), notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))),
        Text(name="good_at", label="Their one good forte", help="Of minions.", most=120)))


def as_follower(npc: Sheet) -> dict[str, Value]:
    """What the form begins with for an NPC: a squad as minions, anybody else as a sidekick, with what they do best."""
    best = max((trait for trait in npc.traits if trait.kind in FORTES), key=lambda trait: trait.value, default=None)
    named: dict[str, Value] = {"name": npc.name, "kind": MINIONS if of_kind(npc, SQUAD) else SIDEKICK}
    if best is None:
        return named
    return {**named, "good_at": best.name, "rank": str(min(MASTER, max(AVERAGE, best.value)))}


def act(
    sheet: Sheet, settings: Mapping[str, Any], action: str, given: Mapping[str, Value], faces: Sequence[int]
) -> Result | Need:
    """What an action leads to, or the dice that it wants; raises `BadMove`."""
    offer = next(offer for offer in offers(sheet) if offer.action == action)
    values = check(offer, given)
    if action == "poison" and settings["poison"] == KILLS:
        return _deadly(sheet, values, faces)
    take(faces, 0)
    effects, step = HANDLERS[action](sheet, settings, values)
    return Result((), (step,), effects=tuple(effects))


def _deadly(sheet: Sheet, values: Values, faces: Sequence[int]) -> Result | Need:
    """A poison that kills: their challenge against it, and what fails is mostly dead (PS-49)."""
    if take(faces, KEEP) is None:
        return Need((SIDES,) * (KEEP - len(faces)))
    rank = int(values["rank"])
    counted = terms(sheet, fortes=values["fortes"], target=TARGETS[WORDS[rank]])
    result = settle(counted, faces)
    lies = f"{result.total} against {counted.target}"
    effects: list[Effect] = []
    if result.success:
        came = f"{sheet.name} withstands the poison: {lies}."
    else:
        came = f"{sheet.name} is poisoned, {notation_of(rank)}: {lies}, mostly dead."
        effects += [Damage(forte.id, forte.now - POOR + 1) for forte in fortes(sheet) if forte.now >= POOR]
        effects.append(Gain(sheet.id, FALLEN, "Mostly dead", MOSTLY_DEAD, note="Poison"))
        effects += _stays(sheet) if int(values["type"]) == ENDURING else []
    given: dict[str, Value] = {"fortes": list(counted.ranks), "difficulty": counted.target}
    move = ChallengeMove()
    outcome = move.resolve(move.read(given), faces)
    rolls = () if isinstance(outcome, Need) else (Roll(move.name, given, tuple(faces), outcome.result),)
    steps = (Step("PS-49", came), *steps_of(counted, sheet.name), kept_step(result, counted, sheet.name))
    return Result((), steps, dice=drawn(faces, KEEP, sheet.name), effects=tuple(effects), rolls=rolls)


def _stays(sheet: Sheet) -> list[Effect]:
    """A poison that goes on is a story hook until the antidote."""
    return [Gain(sheet.id, POISONED, "Poison", ENDURING), Gain(sheet.id, HOOK, "Poisoned", OPEN, note="Poison")]


Done = tuple[list[Effect], Step]


def _line(sheet: Sheet, values: Values) -> Trait:
    return next(trait for trait in sheet.traits if trait.id == values["line"])


def _burn(sheet: Sheet, settings: Values, values: Values) -> Done:
    drive = _line(sheet, values)
    step = Step("PS-12", f"{sheet.name} burns a motivation: {drive.name} counts double in this scene.")
    return [Gain(sheet.id, BURNED, drive.name, THIS_SCENE)], step


def _motivation(sheet: Sheet, settings: Values, values: Values) -> Done:
    burned, name = _line(sheet, values), " ".join(values["name"].split())
    if name.casefold() == burned.name.casefold():
        raise BadMove("Choose another one: this was burned.", "name")
    drives = [trait for trait in of_kind(sheet, *MOTIVATIONS) if trait.name.casefold() == burned.name.casefold()]
    effects: list[Effect] = [Lose(burned.id), *(Become(drive.id, drive.kind, name) for drive in drives[:1])]
    return effects, Step("PS-12", f"{sheet.name} is driven by something else now: {name}.")


def _squander(sheet: Sheet, settings: Values, values: Values) -> Done:
    fortune, so_far = _line(sheet, values), sheet.pool(SPLURGES)
    if values["how"] == PUSH and so_far + 1 < EDGE:
        text = f"{sheet.name} spends at the edge of {fortune.name}: once more in this session lowers it."
        return [Spend(sheet.id, SPLURGES, 1)], Step("PS-05", text)
    effects: list[Effect] = [Raise(fortune.id, -1)]
    if values["how"] == PUSH:
        effects.append(Spend(sheet.id, SPLURGES, -so_far))
    step = Step("PS-05", f"{sheet.name} squanders: {fortune.name} falls to {notation_of(fortune.value - 1)} for good.")
    return effects, step


def _hook(sheet: Sheet, settings: Values, values: Values) -> Done:
    step = Step("PS-48", f"A story hook for {sheet.name}: {values['name']}.")
    return [Gain(sheet.id, HOOK, values["name"], OPEN, note=values["from"] or "The GM")], step


def _use_hook(sheet: Sheet, settings: Values, values: Values) -> Done:
    hook = _line(sheet, values)
    return [Raise(hook.id, 1)], Step("PS-48", f"A story hook of {sheet.name} is used: {hook.name}.")


def _write_hook(sheet: Sheet, settings: Values, values: Values) -> Done:
    hook = _line(sheet, values)
    step = Step("PS-48", f"{sheet.name}: the hook on {hook.name} is “{values['name']}”.")
    return [Become(hook.id, HOOK, values["name"])], step


def _harm(sheet: Sheet, settings: Values, values: Values) -> Done:
    ranks, by = values["ranks"], values["name"]
    step = Step("PS-30", f"{sheet.name} takes {ranks} wound rank{'' if ranks == 1 else 's'}: {by}.")
    return [NewAllocation(sheet.id, DAMAGE, ranks, by)], step


def _poison(sheet: Sheet, settings: Values, values: Values) -> Done:
    """It harms or weakens, as the campaign has it; a lasting one is a story hook until the antidote (PS-49)."""
    rank, lasting = int(values["rank"]), int(values["type"])
    how, effects, text = settings["poison"], list[Effect](), ""
    if how == HARMS:
        ranks = max(0, MODIFIERS[WORDS[rank]])
        effects += [NewAllocation(sheet.id, DAMAGE, ranks, "Poison")] if ranks else []
        text = f"{ranks} wound ranks"
    else:
        text = "no wound heals, and a second wind costs 2, until the antidote is found"
    if lasting == ENDURING or how != HARMS:
        effects += [Gain(sheet.id, POISONED, "Poison", lasting), Gain(sheet.id, HOOK, "Poisoned", OPEN, note="Poison")]
    return effects, Step("PS-49", f"{sheet.name} is poisoned, {notation_of(rank)}: {text}.")


def _antidote(sheet: Sheet, settings: Values, values: Values) -> Done:
    return [Lose(values["line"])], Step("PS-49", f"{sheet.name}: the antidote works.")


def _followers(sheet: Sheet, settings: Values, values: Values) -> Done:
    name, kind, rank = values["name"], values["kind"], int(values["rank"])
    many = f", {dict(MINION_RANKS)[rank].partition(', ')[2]}" if kind == MINIONS else ""
    step = Step("PS-05", f"{name} follow {sheet.name} from now on: {notation_of(rank)}{many}." if kind == MINIONS
                else f"{name} is at {sheet.name}’s side from now on: {notation_of(rank)}.")
    return [Gain(sheet.id, kind, name, rank, note=values["good_at"] if kind == MINIONS else "")], step


HANDLERS: dict[str, Callable[[Sheet, Values, Values], Done]] = {
    "burn": _burn, "motivation": _motivation, "squander": _squander, "hook": _hook, "use_hook": _use_hook,
    "write_hook": _write_hook, "harm": _harm, "poison": _poison, "antidote": _antidote,
    FOLLOWERS: _followers,
}
