"""A poison that kills: a challenge against it, with what is added after the dice (PS-17, PS-49)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Die, Need, Roll, Step
from rules.procedure import Options
from rules.sheet import Damage, Effect, Gain, Sheet, Spend
from rules.systems.pdq_sharp import kinds
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse
from rules.systems.pdq_sharp.challenge_roll import KEEP, ChallengeMove, Side
from rules.systems.pdq_sharp.chart import POOR
from rules.systems.pdq_sharp.duel.ellipsis import AS_DIE, FLAT, STYLE_DIE
from rules.systems.pdq_sharp.duel.events import PoisonAdded, PoisonMet, Result, Withstood
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.poison import target
from rules.systems.pdq_sharp.duel.setup import FALLS
from rules.systems.pdq_sharp.duel.state import FALLEN, Resisting, State, Sting
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.keep import drawn
from rules.systems.pdq_sharp.reading import TRAINING, fortes, rank_words
from rules.values import BadMove, Value

Values = Mapping[str, Any]


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice of a challenge against the poison; what fails can still be added to (PS-17)."""
    sheet, fencer, style = sheets[by], state.fencer(by), values["style"]
    if style > purse(sheet, state.context, player=fencer.player):
        raise BadMove("You have not so many style dice.", "style")
    if len(faces) < KEEP + style:
        return Need((6,) * (KEEP + style - len(faces)))
    if len(faces) > KEEP + style:
        raise BadMove(f"Give {KEEP + style} dice; there are {len(faces)}.", "dice")
    ranks = rank_words(sheet, [trait for each in values["fortes"] if (trait := sheet.trait(each))])
    event = PoisonMet(Resisting(by, tuple(values["fortes"]), tuple(ranks), tuple(faces)))
    steps = (Step("PS-49", f"{fencer.name} against the poison."), *_side(event.roll).steps(faces, fencer.name))
    return _result(evolve(state, event), event, steps, drawn(faces, KEEP, fencer.name), payment(sheet, style))


def add(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A technique, once, or a style die: one more die, or +1 (PS-17)."""
    source, how = values["what"].split("|")
    if how == AS_DIE and not faces:
        return Need((6,))
    if len(faces) != (how == AS_DIE):
        raise BadMove("Give one die for a die, and none for +1.", "dice")
    technique, name = sheets[by].trait(source), state.fencer(by).name
    event = PoisonAdded(by, faces[0] if faces else 0, technique.id if technique else "")
    after, shows = evolve(state, event), f"shows {faces[0]}" if faces else "adds 1"
    steps = (Step("PS-11", f"{name}: {technique.name if technique else 'a style die'} {shows}."),
             Step("PS-17", f"{total(state, by)} becomes {total(after, by)}."))
    dice = tuple(Die(6, face, name) for face in faces)
    return _result(after, event, steps, dice, () if technique else payment(sheets[by], 1))


def _result(
    state: State, event: PoisonMet | PoisonAdded, steps: tuple[Step, ...], dice: tuple[Die, ...],
    effects: tuple[Effect, ...],
) -> Result:
    """The roll as it lies, as one that anybody can work out again."""
    who = event.roll.who if isinstance(event, PoisonMet) else event.who
    cast, needed = _cast(state, who), against(state, who)
    side = _side(cast)
    given: dict[str, Value] = {"fortes": list(cast.ranks), "bonus_dice": side.bonus_dice, "flat": side.flat,
                               "difficulty": needed}
    outcome: Any = ChallengeMove().resolve(ChallengeMove().read(given), cast.faces)
    lies = Step("PS-10", f"{total(state, who)} against {needed}, as it lies.")
    rolls = (Roll(ChallengeMove.name, given, cast.faces, outcome.result),)
    return Result((event,), (*steps, lies), outcome.result, dice, effects, rolls)


def stand(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets it stand."""
    event, steps, effects = settle(state, sheets, by)
    return Result((event,), (Step("PS-17", f"{state.fencer(by).name} lets it stand."), *steps), effects=effects)


def settle(state: State, sheets: Sheets, who: str) -> tuple[Withstood, tuple[Step, ...], tuple[Effect, ...]]:
    """What comes of a roll that stands; who fails is mostly dead at once."""
    fencer, lies = state.fencer(who), f"{total(state, who)} against {against(state, who)}"
    if withstands(state, who):
        return Withstood(who, by=_sting(state, who).by), (
            Step("PS-49", f"{lies}: {fencer.name} withstands the poison."),), ()
    kind = FALLS[state.settings.conflict]
    word = dict(kinds.FALLS)[kind]
    steps: tuple[Step, ...] = (Step("PS-49", f"{lies}: {fencer.name} falls to the poison, {word}."),)
    effects = (*_all_of(sheets[who]), Gain(who, kinds.FALLEN, word.capitalize(), kind, note="Poison"))
    if fencer.player:
        steps += (Step("PS-14", f"{fencer.name} learns from it: a training point."),)
        effects += (Spend(who, TRAINING, 1),)
    return Withstood(who, FALLEN), steps, effects


def additions(state: State, sheets: Sheets, who: str) -> Options:
    """What somebody can add: techniques that go with what counts, a style die; as a die or as +1."""
    cast, sheet = _cast(state, who), sheets[who]
    found = [(each.id, each.name) for each in open_techniques(sheet, cast.fortes, cast.used)]
    if purse(sheet, state.context, player=state.fencer(who).player):
        found.append((STYLE_DIE, "A style die"))
    return tuple((f"{source}|{how}", f"{name}: {words}") for source, name in found
                 for how, words in ((AS_DIE, "a die"), (FLAT, "+1")))


def outcomes(state: State, who: str, what: str) -> list[bool]:
    """For each face of what is added: whether it is enough."""
    faces = range(1, 7) if what.endswith(AS_DIE) else (0,)
    return [withstands(evolve(state, PoisonAdded(who, face, "")), who) for face in faces]


def withstands(state: State, who: str) -> bool:
    """Whether the roll is enough as it lies."""
    return total(state, who) >= against(state, who)


def total(state: State, who: str) -> int:
    """What somebody's roll has come to so far."""
    cast = _cast(state, who)
    return _side(cast).total(cast.faces)


def against(state: State, who: str) -> int:
    """What somebody has to reach."""
    return target(_sting(state, who).rank)


def _sting(state: State, who: str) -> Sting:
    """What somebody has to withstand first."""
    return next(each for each in state.stings if each.who == who)


def _cast(state: State, who: str) -> Resisting:
    return next(each for each in state.resisting if each.who == who)


def _side(cast: Resisting) -> Side:
    return Side(cast.ranks, len(cast.faces) - KEEP, cast.flat)


def _all_of(sheet: Sheet) -> tuple[Effect, ...]:
    return tuple(Damage(each.id, each.now - POOR + 1) for each in fortes(sheet) if each.now >= POOR)
