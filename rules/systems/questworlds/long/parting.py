"""Parting shots: one asks for a further prize, the GM agrees to it or does not, then the dice fall (QW-45, QW-53)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Field, text
from rules.moves import Need, Step, take
from rules.procedure import Offer
from rules.sheet import Sheet
from rules.systems.questworlds.long.beside import decider
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.dice import abilities, both, choice_of, fall, laid, last_ability, two
from rules.systems.questworlds.long.pairs import awaited, own
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import NO_CHOICE, Contestant, Shot
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.why import Why
from rules.wording import sentence


@dataclass(frozen=True)
class ShotAsked(Shot, Event[State]):
    """Somebody asks for a parting shot; an earlier wish of theirs gives way."""

    def after(self, state: State) -> State:
        return replace(state, shots=(*(shot for shot in state.shots if shot.by != self.by), self))


@dataclass(frozen=True)
class ShotAnswered(Event[State]):
    """The GM agrees to the further prize, or does not: then another one may be asked for, now as before."""

    by: str
    agreed: bool

    def after(self, state: State) -> State:
        if self.agreed:
            return replace(state, shots=tuple(
                replace(shot, agreed=True) if shot.by == self.by else shot for shot in state.shots))
        whom = next(shot.whom for shot in state.shots if shot.by == self.by)
        state = replace(state, shots=tuple(shot for shot in state.shots if shot.by != self.by))
        return state.with_(whom, fell_round=max(state.entrant(whom).fell_round, state.round - 1))


@dataclass(frozen=True)
class PartingMade(Event[State]):
    """A parting shot was tried at somebody who fell; there is one for each fall (QW-45)."""

    whom: str

    def after(self, state: State) -> State:
        state = replace(state, shots=tuple(shot for shot in state.shots if shot.whom != self.whom))
        return state.with_(self.whom, shot_at=True)


def just_fell(state: State, who: Contestant, by: Contestant) -> bool:
    """Whether somebody fell in this round or the one before, and nobody has shot at them or asked to."""
    asked = any(shot.whom == who.id and state.shot_of(shot.by) for shot in state.shots)
    return (who.status == "beaten" and who.part.side != by.part.side and not who.shot_at and not asked
            and who.fell_round >= state.round - 1 and not state.busy(who.id))


def a_shot(state: State, sheet: Sheet, action: str, help: str, *more: Field) -> Offer | None:
    """At whoever has just fallen: with which ability, for which further prize."""
    me = state.contestant(sheet.id)
    fallen = tuple((contestant.id, contestant.name)
                   for contestant in state.contestants if me and just_fell(state, contestant, me))
    if not fallen or state.shot_of(sheet.id):
        return None
    fields = (text("whom", "Target", needed=True), text("ability", "Ability"), *more,
              text("words", "The further prize", needed=True, most=200))
    return Offer(action, sheet.id, "Parting shot", help, fields,
                 {"whom": fallen, "ability": abilities(state, sheet)}, previews=True,
                 now={"whom": fallen[0][0], "ability": last_ability(state, sheet)})


def asked(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A parting shot is asked for: the further prize is the GM's to agree to, before a die falls (QW-45)."""
    made = ShotAsked(by, values["whom"], values.get("ability", ""), values["words"], values.get("bid", 0))
    name, whom = state.name_of(by), state.name_of(made.whom)
    return Result((made,), (Step("QW-45", f"{name} asks for a parting shot at {whom}: {sentence(made.words)}"),))


def answer_shot(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The GM agrees to a further prize, and the dice fall for it; or does not (QW-45).

    Where other dice that concern who fell still wait, the shot does so too, and is rolled by whoever asked for it.
    """
    who, _, answer = values["answer"].rpartition(":")
    shot, agreed = next(shot for shot in state.shots if shot.by == who), answer == "yes"
    words = "The further prize is agreed" if agreed else "Not this prize"
    said = Result((ShotAnswered(who, agreed),), (Step("QW-45", f"{words}: {sentence(shot.words)}"),))
    if not agreed or state.busy(shot.whom):
        take(faces, 0)
        return said
    rolled = shoot(said.events[0].after(state), sheets, who, {}, faces)
    if isinstance(rolled, Need):
        return rolled
    return replace(rolled, events=(*said.events, *rolled.events), steps=(*said.steps, *rolled.steps))


def can_answer_shot(state: State, sheets: Sheets) -> Iterator[Offer]:
    """One tap for each prize that was asked for."""
    waiting = unanswered(state)
    if not waiting or state.phase not in (Phase.ROUNDS, Phase.AFTER):
        return
    answers = [answer for shot in waiting for answer in (
        (f"{shot.by}:yes", _agree(state, shot)), (f"{shot.by}:no", "Not this prize"))]
    titles = " ".join(f"{state.name_of(shot.by)} at {state.name_of(shot.whom)}: {sentence(shot.words)}"
                      for shot in waiting)
    yield Offer("answer_shot", "", f"A further prize? {titles}", "Agree, and the dice fall for it at once.",
                (text("answer", "Your answer", needed=True),), {"answer": tuple(answers)}, rolls=True, chips="answer")


def _agree(state: State, shot: Shot) -> str:
    """The GM's yes: who rolls for what, and whether the dice fall with it."""
    name, prize = state.name_of(shot.by), f"“{shot.words.rstrip('.')}”"
    return f"Agree: {name} rolls later for {prize}" if state.busy(shot.whom) else f"Agree, and roll for {name}: {prize}"


def unanswered(state: State) -> tuple[Shot, ...]:
    """The parting shots that wait for the GM's word."""
    return tuple(shot for shot in state.shots if state.shot_of(shot.by) == shot and not shot.agreed)


def shoot(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The last blow at somebody who has just fallen, for the further prize that was agreed (QW-45, QW-53)."""
    if (dice := two(faces)) is None:
        return both(faces)
    shot = next(shot for shot in state.shots if shot.by == by)
    choice = choice_of(state, sheets, by, {"ability": shot.ability, "words": shot.words})
    return fall(state, sheets, laid(
        state, state.shot, by, choice, dice, second=shot.whom, other=state.entrant(shot.whom).using or NO_CHOICE,
        deciders=(decider(state, sheets, by), state.keeper(shot.whom)), whom=shot.whom, step=shot.bid))


def can_shoot(state: State, sheet: Sheet) -> Offer | None:
    """The dice of a parting shot whose prize is agreed."""
    if state.contestant(sheet.id) is None or (shot := state.shot_of(sheet.id)) is None or not shot.agreed:
        return None
    if state.busy(shot.whom):
        return None
    return Offer("shoot", sheet.id, f"Roll the parting shot at {state.name_of(shot.whom)}",
                 f"For the further prize: {sentence(shot.words)}", rolls=True)


def odds_of_asked(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a shot that is being asked for, as if it was agreed."""
    return of_roll(shoot)(_as_asked(offer, values).after(state), sheets, offer, {})


def why_of_asked(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Why such a shot is rolled against what it is, as if it was agreed."""
    return why_of(shoot)(_as_asked(offer, values).after(state), sheets, offer, {})


def _as_asked(offer: Offer, values: Values) -> ShotAsked:
    return ShotAsked(offer.by, values["whom"], values.get("ability", ""), values.get("words", ""),
                     values.get("bid", 0), True)


EVENTS = (ShotAsked, ShotAnswered, PartingMade)
ANSWER_SHOT = awaited(
    Act("answer_shot", can_answer_shot, answer_shot), "agree to the further prize, or not", "Answer", waits=True)
SHOOT = awaited(
    Act("shoot", own(can_shoot, after=True), shoot, odds=of_roll(shoot), why=why_of(shoot)), "roll the parting shot",
    "Roll", routine=True)
