"""How it ends for somebody, and for all: surrender, mercy or a coup de grace, the GM's word (PS-27, PS-31, PS-32)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Flag, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Effect, SetDead
from rules.systems.pdq_sharp.bonus import winnings
from rules.systems.pdq_sharp.duel.forms import SAID, named, one_of, whom
from rules.systems.pdq_sharp.duel.state import DEAD, LEFT, SURRENDERED, Fencer, Phase, Result, State
from rules.systems.pdq_sharp.reading import how_fallen
from rules.wording import alone, quoted


@dataclass(frozen=True)
class TermsOffered(Event[State]):
    """Somebody would surrender, on these terms (PS-27)."""

    who: str
    terms: str

    def after(self, state: State) -> State:
        return replace(state, terms=(self.who, self.terms))


@dataclass(frozen=True)
class TermsAnswered(Event[State]):
    """A foe took the surrender, or would not have it."""

    who: str
    by: str
    accepted: bool

    def after(self, state: State) -> State:
        state = replace(state, terms=("", ""))
        return state.gone(self.who, SURRENDERED) if self.accepted else state


@dataclass(frozen=True)
class KillAnnounced(Event[State]):
    """Somebody says that they kill a helpless foe, and is asked again (PS-32)."""

    who: str
    target: str

    def after(self, state: State) -> State:
        return replace(state, coup=(self.who, self.target))


@dataclass(frozen=True)
class KillSworn(Event[State]):
    """A player said again that they kill; the GM says whether it is so (PS-32)."""

    def after(self, state: State) -> State:
        return replace(state, sworn=True)


@dataclass(frozen=True)
class KillAnswered(Event[State]):
    """They meant it, or they did not."""

    killed: bool

    def after(self, state: State) -> State:
        target, state = state.coup[1], replace(state, coup=("", ""), sworn=False)
        return state.gone(target, DEAD) if self.killed else state


@dataclass(frozen=True)
class Rearmed(Event[State]):
    """Somebody has a weapon again."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, disarmed="")


@dataclass(frozen=True)
class TakenOut(Event[State]):
    """Somebody left the duel."""

    who: str
    how: str

    def after(self, state: State) -> State:
        return state.gone(self.who, self.how)


@dataclass(frozen=True)
class BroughtBack(Event[State]):
    """Somebody is in it again."""

    who: str

    def after(self, state: State) -> State:
        return state.with_(self.who, out="", held=False, backing="")


@dataclass(frozen=True)
class Ended(Event[State]):
    """The duel is over. `winner` is the one side that still stands, or ""."""

    winner: str
    words: str = ""

    def after(self, state: State) -> State:
        return replace(state, over=True, winner=self.winner)


def offer_surrender(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has not divided their dice."""
    for who in state.free:
        yield Offer("surrender", who.id, "Surrender", "On terms that a foe has to accept, or on none.",
                    (Text(name="terms", label="Terms", most=300),))


def surrender(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Gives up, on terms that a foe must accept, or on none (PS-27)."""
    name, terms = state.fencer(by).name, values["terms"]
    if not terms:
        return Result((TakenOut(by, SURRENDERED),), (Step("PS-27", f"{name} surrenders."),))
    return Result((TermsOffered(by, terms),), (Step("PS-27", f"{name} would surrender{quoted(terms)}"),))


def _who_answer(state: State) -> tuple[Fencer, ...]:
    """Those who face the one who would surrender, else all foes: any of them may take it or not (PS-27)."""
    if state.phase is not Phase.TERMS:
        return ()
    who = state.fencer(state.terms[0])
    return (tuple(state.fencer(foe) for foe in state.foes_of(who.id))
            or tuple(foe for foe in state.standing if foe.side != who.side))


def _would_surrender(state: State) -> str:
    return f"{state.fencer(state.terms[0]).name} would surrender: {state.terms[1]}"


def offer_accept(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the foes of one who would surrender on terms."""
    for foe in _who_answer(state):
        yield Offer("accept", foe.id, "Accept the surrender", _would_surrender(state))


def ask_for_answers(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The foes of one who would surrender on terms."""
    for foe in _who_answer(state):
        text = f"accept or refuse the surrender of {state.fencer(state.terms[0]).name}"
        yield Ask(foe.id, "accept", text, "Decide", decision=True)


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Takes the surrender, terms and all."""
    who = state.fencer(state.terms[0])
    step = Step("PS-27", f"{state.fencer(by).name} accepts: {who.name} surrenders{quoted(state.terms[1])}")
    return Result((TermsAnswered(who.id, by, True),), (step,))


def offer_refuse(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the same."""
    bad = (Flag(name="bad_form", label="That is bad form: a style die for the other"),)
    for foe in _who_answer(state):
        worth = state.fencer(state.terms[0]).player and not foe.player
        yield Offer("refuse", foe.id, "Refuse the surrender", _would_surrender(state), bad if worth else ())


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Will not have it; an NPC who does that in bad form gives the player's character a style die (PS-27)."""
    who, foe = state.fencer(state.terms[0]), state.fencer(by)
    steps = [Step("PS-27", f"{foe.name} refuses. The duel goes on.")]
    effects: tuple[Effect, ...] = ()
    if values.get("bad_form"):
        effects = (winnings(who.id, "Reward for a foe’s bad form"),)
        steps.append(Step("PS-27", f"Bad form: {who.name} gains a style die from the box."))
    return Result((TermsAnswered(who.id, by, False),), tuple(steps), effects=effects)


def helpless(state: State, by: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody could kill: foes at their mercy, where it is fought with blades (PS-32)."""
    if state.settings.conflict != "physical":
        return ()
    return tuple(fencer for fencer in state.fencers if fencer.helpless and fencer.side != by.side)


def offer_end_here(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each of the side that stands, where foes lie at their mercy."""
    for who in state.standing if state.phase is Phase.AFTERMATH else ():
        if targets := helpless(state, who):
            live = f"{state.names(foe.id for foe in targets)} will live."
            yield Offer("end_here", who.id, "End the duel here", live, (SAID,))


def ask_for_mercy(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each of the side that stands, where foes lie at their mercy; and whoever said that they kill, again."""
    if state.phase is Phase.COUP:
        name = state.fencer(state.coup[1]).name
        yield Ask("", "rule_kill", f"say whether {name} dies", "Say", waits=True) if state.sworn else Ask(
            state.coup[0], "spare", f"say again whether {name} dies", "Decide", decision=True)
    for who in state.standing if state.phase is Phase.AFTERMATH else ():
        if any(other.helpless and other.side != who.side for other in state.fencers):
            yield Ask(who.id, "end_here", "end it here, or give a coup de grace", "Decide", decision=True)


def offer_kill(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each with a helpless foe, before the dice and when one side stands."""
    fields = (one_of("target", "Target", "Choose a character."), SAID)
    for who in state.order if state.calm else ():
        if who.fights and (targets := helpless(state, who)):
            yield Offer("kill", who.id, "Coup de grace", "Only the helpless. You will be asked again.", fields,
                        {"target": named(targets)})


def kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A statement, and it is asked again before it is so (PS-32)."""
    target = state.fencer(values["target"])
    text = f"{state.fencer(by).name} means to kill {target.name}, who is helpless{quoted(values['words'])}"
    return Result((KillAnnounced(by, target.id),), (Step("PS-32", text),))


def offer_spare(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever said that they kill."""
    if state.phase is Phase.COUP:
        yield Offer("spare", state.coup[0], "Let them live")


def spare(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """On second thought, no."""
    step = Step("PS-32", f"{state.fencer(by).name} lets {state.fencer(state.coup[1]).name} live.")
    return Result((KillAnswered(False),), (step,))


def offer_confirm_kill(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the same."""
    if state.phase is Phase.COUP and not state.sworn:
        yield Offer("confirm_kill", state.coup[0], f"Kill {state.fencer(state.coup[1]).name}",
                    "The GM decides." if _asks_gm(state) else "There is no way back.")


def _asks_gm(state: State) -> bool:
    """Whether a killing waits for the GM: a player's does, unless the campaign lets players kill."""
    return state.fencer(state.coup[0]).player and not state.settings.players_kill


def confirm_kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is so, or the GM says whether it is."""
    target = state.fencer(state.coup[1])
    if _asks_gm(state):
        step = Step("PS-32", f"{state.fencer(by).name} would kill {target.name}. The GM decides.")
        return Result((KillSworn(),), (step,))
    step = Step("PS-32", f"{state.fencer(by).name} kills {target.name}.")
    return Result((KillAnswered(True),), (step,), {"killed": target.id}, effects=(SetDead(target.id),))


def offer_rule_kill(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at one tap."""
    if state.phase is Phase.COUP and state.sworn:
        name, target = state.fencer(state.coup[0]).name, state.fencer(state.coup[1]).name
        answers = (("yes", f"{target} dies"), ("no", f"{target} lives"))
        yield Offer("rule_kill", "", f"Does {name} kill {target}?", "There is no way back.",
                    (one_of("answer", "Your answer", "Choose an answer."),), {"answer": answers}, chips="answer")


def rule_kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says whether a player's killing is so (PS-32)."""
    name, target = state.fencer(state.coup[0]).name, state.fencer(state.coup[1])
    if values["answer"] == "no":
        return Result((KillAnswered(False),), (Step("PS-32", f"The GM rules that {target.name} lives."),))
    step = Step("PS-32", f"{name} kills {target.name}.")
    return Result((KillAnswered(True),), (step,), {"killed": target.id}, effects=(SetDead(target.id),))


def offer_take_out(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between the dice."""
    if state.calm:
        yield whom("Take out a character", state.standing, "take_out")


def take_out(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody is out of it: gone, carried off, bound."""
    text = f"{state.fencer(values['whom']).name} is out of the duel{quoted(values['words'])}"
    return Result((TakenOut(values["whom"], LEFT),), (Step("PS-23", text),))


def offer_bring_back(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where somebody is out who could go on."""
    out = tuple(who for who in state.fencers if who.out not in ("", DEAD) and not how_fallen(sheets[who.id]))
    if state.calm and out:
        yield whom("Bring back a character", out, "bring_back")


def bring_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody is in it again."""
    text = f"{state.fencer(values['whom']).name} is in the duel again{quoted(values['words'])}"
    return Result((BroughtBack(values["whom"]),), (Step("PS-23", text),))


def offer_rearm(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where somebody lost a weapon."""
    disarmed = tuple(who for who in state.standing if who.disarmed)
    if state.calm and disarmed:
        yield whom("Give a weapon back", disarmed, "rearm")


def rearm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody has a weapon, or needs none (PS-27)."""
    text = f"{state.fencer(values['whom']).name} fences on{quoted(values['words'])}"
    return Result((Rearmed(values["whom"]),), (Step("PS-27", text),))


def offer_end(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.fencers:
        yield Offer("end", "", "Finish the duel", fields=(SAID,))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It ends here: whoever lies there lives, or the GM says that it is over."""
    winner = state.sides_standing[0] if state.decided and state.sides_standing else ""
    steps = (Step("PS-23", f"The duel ends here{quoted(values['words'])}"),
             *((Step("PS-31", f"{alone(winner)}."),) if winner else ()))
    return Result((Ended(winner, values["words"]),), steps)


KILL = Act("kill", offer_kill, kill)
SURRENDER = Act("surrender", offer_surrender, surrender)
ANSWERS: tuple[Act[State], ...] = (
    Act("accept", offer_accept, accept, ask_for_answers), Act("refuse", offer_refuse, refuse),
    Act("spare", offer_spare, spare), Act("confirm_kill", offer_confirm_kill, confirm_kill),
    Act("rule_kill", offer_rule_kill, rule_kill),
    Act("end_here", offer_end_here, end, ask_for_mercy),
)
TAKE_OUT, BRING_BACK, REARM, END = (
    Act("take_out", offer_take_out, take_out), Act("bring_back", offer_bring_back, bring_back),
    Act("rearm", offer_rearm, rearm), Act("end", offer_end, end),
)
EVENTS: tuple[type[Event[State]], ...] = (
    TermsOffered, TermsAnswered, KillAnnounced, KillSworn, KillAnswered, Rearmed, TakenOut, BroughtBack, Ended)
