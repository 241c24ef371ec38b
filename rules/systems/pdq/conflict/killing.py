"""Killing: said at the start, or free against one who was out before the turn began (PQ-17)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Listing, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import SetDead
from rules.systems.pdq.conflict.fields import WORDS
from rules.systems.pdq.conflict.state import (
    INCAPACITATE,
    KILL,
    Attack,
    Contestant,
    Deed,
    Phase,
    Result,
    State,
    put_out,
)
from rules.systems.pdq.harm import out_of_action
from rules.wording import quoted

Faces = Sequence[int]

INTENTS = ((INCAPACITATE, "Put out of action"), (KILL, "Kill"))
TARGET = Text(name="target", label="Target", default=REQUIRED, most=100)
ANSWER = Text(name="answer", label="Your answer", default=REQUIRED, missing="Choose an answer.")
VICTIM = replace(TARGET, missing="Choose a character to kill.")
NPCS = Listing(name="who", label="Character", of=Text(name="id", label="Character", most=100), default=REQUIRED,
               missing="Choose at least one of them.")


@dataclass(frozen=True)
class IntentStated(Event[State]):
    """A player said whether they kill or put out of action (PQ-17)."""

    who: str
    intent: str

    def after(self, state: State) -> State:
        return state.with_(self.who, intent=self.intent)


@dataclass(frozen=True)
class Killed(Deed):
    """One who was out of action before the turn began was killed (PQ-17)."""

    who: str
    target: str

    def done(self, state: State) -> State:
        return without_proposals(state, self.target).with_(self.target, killed=True)


@dataclass(frozen=True)
class KillProposed(Event[State]):
    """A player would kill one who was out of action before; the GM says whether it is so (PQ-17)."""

    who: str
    target: str

    def after(self, state: State) -> State:
        return replace(state, proposed=(*state.proposed, (self.who, self.target)))


@dataclass(frozen=True)
class KillRefused(Event[State]):
    """The GM said that this one lives."""

    target: str

    def after(self, state: State) -> State:
        return without_proposals(state, self.target)


@dataclass(frozen=True)
class Died(Deed):
    """Somebody's sheet says that they are dead: they are out of it, with all that waited for them (PQ-17)."""

    who: str

    def done(self, state: State) -> State:
        state = replace(without_proposals(state, self.who), attack=without_the_dead(state.attack, self.who))
        return put_out(state, self.who, killed=True)


@dataclass(frozen=True)
class Revived(Deed):
    """Somebody's sheet no longer says that they are dead; `out` whether their damage puts them out of action."""

    who: str
    out: bool

    def done(self, state: State) -> State:
        return state.with_(self.who, killed=False, out=self.out)


def without_the_dead(attack: Attack | None, who: str) -> Attack | None:
    """What is left of an attack that waits for reactions, None for nothing. Where all others have reacted, the last of
    them reacts again: the dice fall with a reaction."""
    if attack is None or attack.by == who or attack.targets == (who,):
        return None
    left = replace(attack, targets=tuple(target for target in attack.targets if target != who),
                   reactions=tuple(reaction for reaction in attack.reactions if reaction.by != who))
    return left if left.unanswered else replace(left, reactions=left.reactions[:-1])


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """A contestant dies by the GM's word on the sheet, or lives again (PQ-17)."""
    contestant = next((contestant for contestant in state.contestants if contestant.id == who), None)
    if contestant is None or contestant.killed == sheets[who].dead:
        return None
    if not sheets[who].dead:
        event = Revived(who, bool(out_of_action(sheets[who])))
        return Result((event,), (Step("PQ-17", f"{contestant.name} lives, and is {'out' if event.out else 'in'} "
                                      f"{'of action' if event.out else 'the conflict again'}."),))
    steps = [Step("PQ-17", f"{contestant.name} is dead, and out of the conflict.")]
    before, left = state.attack, without_the_dead(state.attack, who)
    if before and left is None:
        steps.append(Step("PQ-12", f"The attack by {state.contestant(before.by).name} comes to nothing."))
    elif before and left and left.unanswered != tuple(target for target in before.unanswered if target != who):
        again = state.contestant(before.reactions[-1].by).name
        steps.append(Step("PQ-13", f"{again} reacts again, as the dice fall with that."))
    return Result((Died(who),), tuple(steps))


def without_proposals(state: State, target: str) -> State:
    """The state in which nobody would kill this one."""
    return replace(state, proposed=tuple(proposal for proposal in state.proposed if proposal[1] != target))


def offer_intent(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each player's character whose player has not said it."""
    field = Choice(name="intent", label="Your intent", options=INTENTS)
    for who in state.undecided if state.phase is Phase.INTENT else ():
        yield Offer("intent", who, "State your intent", "It holds for the whole conflict.", (field,))


def ask_for_intent(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each player's character whose player has not said it."""
    for who in state.undecided if state.phase is Phase.INTENT else ():
        yield Ask(who, "intent", "say whether to kill", "Say")


def intent(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Says at the start whether this contestant kills (PQ-17)."""
    text = f"{state.contestant(by).name} means {_meant(values)}."
    return Result((IntentStated(by, values["intent"]),), (Step("PQ-17", text),))


def offer_intents(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, for NPCs, while nothing is pending."""
    silent = tuple((contestant.id, contestant.name) for contestant in state.standing
                   if not contestant.player and not contestant.intent)
    if state.settings.killing == "asked" and silent and not state.attack and not state.wounds:
        field = Choice(name="intent", label="Their intent", options=INTENTS)
        yield Offer("intents", "", "State the intent of NPCs", "It holds for the whole conflict.", (NPCS, field),
                    {"who": silent})


def intents(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says what some NPCs mean (PQ-17)."""
    mean = "mean" if len(values["who"]) > 1 else "means"
    events = tuple(IntentStated(who, values["intent"]) for who in values["who"])
    return Result(events, (Step("PQ-17", f"{state.names(values['who'])} {mean} {_meant(values)}."),))


def offer_kill(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those whose turn it is, of who was out before; to who stands alone, whatever was said at the start."""
    for who in state.standing:
        if state.phase is Phase.AFTERMATH:
            yield _kill(who, "Free, of those out of action.", state.at_mercy)
        elif state.lethal and who.id in state.acting and state.phase is Phase.TURN and state.settings.killing == "free":
            helpless = [contestant for contestant in _victims(state) if contestant.side != who.side]
            if helpless:
                yield _kill(who, "Free: your turn is not spent.", helpless)


def offer_rule_death(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of those out of action."""
    if state.lethal and state.phase in (Phase.TURN, Phase.LAST_CALL, Phase.AFTERMATH) and state.gone:
        options = {"target": tuple((contestant.id, contestant.name) for contestant in state.gone)}
        yield Offer("kill", "", "Rule a death", "Of those out of action.", (TARGET, WORDS), options)


def kill(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Kills one who was out before the turn began, free of cost; the GM rules a death (PQ-17)."""
    target = state.contestant(values["target"])
    if by and state.contestant(by).player and not state.settings.players_kill:
        would = f"{state.contestant(by).name} would kill {target.name}{quoted(values['words'])}"
        return Result((KillProposed(by, target.id),), (Step("PQ-17", would),))
    who = f"{state.contestant(by).name} kills {target.name}" if by else f"The GM rules that {target.name} dies"
    text = f"{who}, who was out of action before{quoted(values['words'])}"
    return Result((Killed(by, target.id),), (Step("PQ-17", text),), {"killed": target.id},
                  effects=(SetDead(target.id),))


def offer_rule_kill(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at one tap: the oldest killing that a player has said."""
    if state.proposed:
        name, target = (state.contestant(key).name for key in state.proposed[0])
        answers = (("yes", f"{target} dies"), ("no", f"{target} lives"))
        yield Offer("rule_kill", "", f"Does {name} kill {target}?", "", (ANSWER,), {"answer": answers}, chips="answer")


def ask_to_rule_kill(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, of each killing that a player has said."""
    for _, target in state.proposed:
        yield Ask("", "rule_kill", f"say whether {state.contestant(target).name} dies", "Say", waits=True)


def rule_kill(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says whether a player's killing is so (PQ-17)."""
    who, target = (state.contestant(key) for key in state.proposed[0])
    if values["answer"] == "no":
        return Result((KillRefused(target.id),), (Step("PQ-17", f"The GM rules that {target.name} lives."),))
    text = f"{who.name} kills {target.name}, who was out of action before."
    return Result((Killed(who.id, target.id),), (Step("PQ-17", text),), {"killed": target.id},
                  effects=(SetDead(target.id),))


def _victims(state: State) -> tuple[Contestant, ...]:
    """Who may be killed: those who were out of action before this turn began (PQ-17)."""
    said = {target for _, target in state.proposed}
    return tuple(contestant for contestant in state.gone
                 if contestant.out_turn < state.turn and contestant.id not in said)


def _kill(who: Contestant, help: str, helpless: Iterable[Contestant]) -> Offer:
    options = {"target": tuple((contestant.id, contestant.name) for contestant in helpless
                               if contestant.side != who.side)}
    return Offer("kill", who.id, "Kill", help, (VICTIM, WORDS), options)


def _meant(values: Values) -> str:
    return "to kill" if values["intent"] == KILL else "to put out of action"


INTENT = Act("intent", offer_intent, intent, ask_for_intent)
KILLS = Act("kill", offer_kill, kill)
GMS = (Act("rule_kill", offer_rule_kill, rule_kill, ask_to_rule_kill), Act("kill", offer_rule_death, kill),
       Act("intents", offer_intents, intents))
EVENTS = (IntentStated, Killed, KillProposed, KillRefused, Died, Revived)
