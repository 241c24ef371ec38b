"""Who is out of a fight, and how it ends (PN-11)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Flag, Text
from rules.moves import Roll, Step
from rules.procedure import Offer
from rules.systems.pnc import standing
from rules.systems.pnc.fight.state import FIGHTING, WORDS, Deed, Phase, Result, State, about, with_standing
from rules.values import BadMove
from rules.wording import alone, join, quoted

Faces = Sequence[int]

IN_WORDS = Text(name="words", label="In words", most=1000)
STANDING = Choice(name="standing", label="State from now on", default=FIGHTING, options=tuple(WORDS.items()))
DROP = Flag(name="drop", label="The failure has no further cost")
LEAVING = Choice(name="standing", label="You", default="surrendered", options=(
    ("surrendered", "surrender"), ("escaped", "escape")))


@dataclass(frozen=True)
class Stands(Deed):
    """Somebody stands differently now: out of the fight, or in it again."""

    who: str
    standing: str
    words: str

    def done(self, state: State) -> State:
        return with_standing(state, self.who, self.standing)


@dataclass(frozen=True)
class Ended(Event[State]):
    """The fight is over. `winner` is the one side that is left, or ""."""

    winner: str
    words: str

    def after(self, state: State) -> State:
        return replace(state, over=True, winner=self.winner, words=self.words, attack=None, acting=(),
                       aftermath=None, failures=(), new_places=())

    def explained(self, before: State, after: State) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        if after.settings.opposed:
            return (), ()
        still = alone(self.winner) if self.winner else "Nobody is still standing"
        return (Step("PN-11", f"{still}: the fight is over."),), ()


def offer_leave(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose turn it is."""
    for who in state.on_turn:
        yield Offer("leave", who.id, "Surrender or escape", "You are out of the fight then.", (LEAVING, IN_WORDS))


def leave(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Somebody gives up, or gets away."""
    verb = "surrenders" if values["standing"] == "surrendered" else "escapes"
    text = f"{state.combatant(by).name} {verb}{quoted(values['words'])}"
    return Result((Stands(by, values["standing"], values["words"]),), (Step("PN-11", text),),
                  effects=standing.stands(sheets[by], values["standing"]))


def offer_stands(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, between attacks."""
    if state.phase in (Phase.INITIATIVE, Phase.TURN, Phase.RULING):
        yield about("stands", "Take out or bring back", state.combatants, STANDING, IN_WORDS)


def stands(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says how somebody stands."""
    who = state.combatant(values["who"])
    if who.standing == values["standing"]:
        raise BadMove(f"No change: {who.name} is already {who.state}.", "standing")
    text = f"{who.name} is {WORDS[values['standing']]} now{quoted(values['words'])}"
    return Result((Stands(who.id, values["standing"], values["words"]),), (Step("PN-11", text),),
                  effects=standing.stands(sheets[who.id], values["standing"]))


def of_death(state: State, sheets: Sheets, who: str) -> Result | None:
    """A combatant dies by the GM's word on the sheet, or lives again (PN-11)."""
    combatant = next((combatant for combatant in state.combatants if combatant.id == who), None)
    now = standing.standing_of(sheets[who])
    if state.settings.opposed or combatant is None or (combatant.standing == standing.DEAD) == sheets[who].dead:
        return None
    steps = [Step("PN-11", f"{combatant.name} is dead, and out of the fight." if sheets[who].dead else
                  f"{combatant.name} lives, and is {WORDS[now]} now.")]
    if sheets[who].dead and state.attack and who in (state.attack.by, state.attack.target):
        steps.append(Step("PN-06", f"The attack by {state.combatant(state.attack.by).name} comes to nothing."))
    return Result((Stands(who, now, ""),), tuple(steps))


def offer_end(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time; a great failure that is not ruled on is asked for first (PN-06)."""
    if state.combatants:
        dropped = (replace(DROP, help=f"{unruled(state)} Say so first, or tick this."),) if state.unruled else ()
        title = "Finish the roll" if state.settings.opposed else "Finish the fight"
        yield Offer("end", "", title, fields=(*dropped, IN_WORDS))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM ends the fight."""
    if state.unruled and not values[DROP.name]:
        raise BadMove(f"{unruled(state)} Say so first, or leave it at that.", DROP.name)
    what = "The roll" if state.settings.opposed else "The fight"
    steps = [Step("PN-11", f"{what} ends{quoted(values['words'])}")]
    if state.unruled:
        more = "It has" if len(state.unruled) == 1 else "They have"
        steps.append(Step("PN-06", f"{unruled(state)} {more} no further cost."))
    return Result((Ended("", values["words"]),), tuple(steps))


def unruled(state: State) -> str:
    """The great failures that the GM has not ruled on, as a sentence."""
    return f"Nobody has said what {what_failed(state)}."


def what_failed(state: State) -> str:
    """The same, and on whom they may turn, after `say what`: `the great failure does to Ilse`."""
    names, many = [state.combatant(attack.by).name for attack in state.unruled], len(state.unruled)
    return (f"the great failure does to {names[0]}" if many == 1 else
            f"the {many} great failures do to {join(list(dict.fromkeys(names)))}")


LEAVE = Act("leave", offer_leave, leave)
GMS = (Act("stands", offer_stands, stands), Act("end", offer_end, end))
EVENTS = (Stands, Ended)
