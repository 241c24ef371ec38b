"""What is said of an attack once it is read: the wound in words, and what a great failure does (PN-06, PN-10)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Text
from rules.moves import Step
from rules.procedure import Ask, Offer
from rules.sheet import Become, Effect, Gain, Lose
from rules.systems.pnc.character import LONGEST, WOUND
from rules.systems.pnc.fight.ending import STANDING, what_failed
from rules.systems.pnc.fight.state import WORDS, Aftermath, Attack, Combatant, Result, State, with_standing, written
from rules.systems.pnc.fight.why import why_attack
from rules.systems.pnc.standard_roll import damage_of
from rules.systems.pnc.standing import stands
from rules.values import BadMove, Value
from rules.wording import quoted

Faces = Sequence[int]

HARMLESS = "grazed"  # the size of a hit that leaves no line on a sheet, unless somebody puts it into words

WOUND_WORDS = Text(name="words", label="The wound", default=REQUIRED, most=LONGEST, missing="Describe the wound.",
                   help="It is written on the sheet like this.")
WOUND_OR_NONE = Text(name="words", label="The wound", most=LONGEST, help="Leave blank if it leaves no mark.")
BACKFIRE = Choice(name="what", label="Effect", default="nothing", options=(
    ("nothing", "Nothing more"), ("wound", "The attacker is hurt: say how"),
    ("place", "The attacker goes last from now on"),
    ("turn", "The attacker loses the next turn"), ("free", "The defender gets a free attack"),
))


@dataclass(frozen=True)
class Wounded(Event[State]):
    """What a hit does, in words; "" where it leaves no mark. What the GM rules is final: no part falls again."""

    who: str
    words: str
    standing: str
    final: bool = False

    def after(self, state: State) -> State:
        aftermath = state.aftermath
        if aftermath:
            again = aftermath.may_roll_again and not self.final
            aftermath = replace(aftermath, wound=self.words, may_roll_again=again)
        return with_standing(replace(state, attack=None, aftermath=aftermath), self.who, self.standing)


@dataclass(frozen=True)
class Backfired(Event[State]):
    """What a great failure did: `nothing`, `wound`, `place`, `turn` or `free`."""

    who: str
    what: str
    words: str
    against: str

    def after(self, state: State) -> State:
        state = self._ruled(self._hurt(state) if self.what == "wound" else state)
        if self.what == "place":
            last = min(combatant.score for combatant in state.combatants if combatant.placed)
            return state.with_(self.who, score=last - 1)
        if self.what == "turn":
            return state.with_(self.who, loses_next=True)
        if self.what == "free":
            return state.with_(self.against, free_at=self.who)
        return state

    def _hurt(self, state: State) -> State:
        """The wound could not count in an attack whose dice lie there; in one to be defended it still can."""
        failed = [attack for attack in state.unruled if (attack.by, attack.target) == (self.who, self.against)]
        still = state.attack and not state.attack.faces and state.attack.target == self.who
        wounds = () if still else tuple((self.who, self.words, attack.degree) for attack in failed[:1])
        return replace(state, turned=(*state.turned, *wounds))

    def _ruled(self, state: State) -> State:
        """The oldest great failure of this one against that one waits no longer."""
        pairs = [(failed.by, failed.target) for failed in state.failures]
        if (self.who, self.against) in pairs:
            place = pairs.index((self.who, self.against))
            return replace(state, failures=(*state.failures[:place], *state.failures[place + 1:]))
        latest = replace(state.aftermath, ruled=True, may_roll_again=False) if state.aftermath else None
        return replace(state, attack=None, aftermath=latest)


def _hit(state: State) -> tuple[Aftermath, Combatant] | None:
    """A hit that was read last, while no other attack is under way, and its target."""
    aftermath = state.aftermath
    if state.attack or not aftermath or not aftermath.attack.success:
        return None
    return aftermath, state.combatant(aftermath.attack.target)


def offer_wound(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the attacker, of a hit."""
    if hit := _hit(state):
        aftermath, target = hit
        said = f"Now it says: {aftermath.wound}." if aftermath.wound else "Now it leaves no mark."
        yield Offer("wound", aftermath.attack.by, f"Describe the wound of {target.name}",
                    f"{hit_in_words(aftermath.attack, target.name)} {said}", (WOUND_WORDS,),
                    now={"words": aftermath.wound})


def wound(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The attacker's player puts the hit into words; it is a line on the other's sheet (PN-06, PN-10)."""
    return _hurt(state, sheets, values["words"], _target(state).standing)


def offer_unmarked(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the attacker, of a hit that left a mark."""
    if (hit := _hit(state)) and hit[0].wound:
        aftermath, target = hit
        yield Offer("unmarked", aftermath.attack.by, "Remove the wound", f"The hit leaves no mark on {target.name}.")


def unmarked(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """A hit that leaves nothing behind."""
    return _hurt(state, sheets, "", _target(state).standing)


def offer_deal(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of a hit."""
    if hit := _hit(state):
        aftermath, target = hit
        yield Offer("deal", "", "Decide what the hit does", hit_in_words(aftermath.attack, target.name),
                    (WOUND_OR_NONE, STANDING), now={"words": aftermath.wound, "standing": target.standing})


def deal(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says what the hit does, and how its target stands now (PN-06, PN-11)."""
    return _hurt(state, sheets, values["words"], values["standing"], final=True)


def offer_backfire(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, of the oldest great failure that is not ruled on; it waits through later attacks."""
    if state.unruled and not state.over:
        attack = state.unruled[0]
        yield Offer("backfire", "", "Decide what the failure does",
                    f"{attack.reading}: it may turn on {state.combatant(attack.by).name}.",
                    (BACKFIRE, Text(name="words", label="In words", most=LONGEST)))


def ask_for_ruling(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, as long as a great failure is not ruled on: once for all, which are ruled on one after the other."""
    if state.unruled and not state.over:
        yield Ask("", "backfire", f"say what {what_failed(state)}", "Say", waits=True)


def backfire(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """What a great failure or worse does to the attacker (PN-06)."""
    attack, what = state.unruled[0], values["what"]
    name, foe = state.combatant(attack.by).name, state.combatant(attack.target).name
    if what == "wound" and not values["words"]:
        raise BadMove("Describe how the attacker is hurt.", "words")
    text = {
        "nothing": "The failure has no further cost", "wound": f"{name} is hurt",
        "place": f"{name} goes last from now on", "turn": f"{name} loses the next turn",
        "free": f"{foe} gets a free attack on {name}",
    }[what]
    effects = (Gain(attack.by, WOUND, values["words"], attack.degree),) if what == "wound" else ()
    return Result((Backfired(attack.by, what, values["words"], attack.target),),
                  (Step("PN-06", f"{text}{quoted(values['words'])}"),), {"what": what}, effects=effects)


def hit_in_words(attack: Attack, name: str) -> str:
    """What a hit does, from its degree: `+4, sufficient success: Dunn is hurt.`"""
    return f"{attack.reading}: {name} is {damage_of(attack.degree)}."


def wound_in_words(attack: Attack, by: str) -> str:
    """What is written on the sheet of whoever is hit, until somebody says it better: `Hurt by Ada: a thrust`.

    *Ruling*: a graze leaves no mark of itself.
    """
    size = damage_of(attack.degree) or ""
    if size == HARMLESS:
        return ""
    plain = f"{size.capitalize()} by {by}"
    manner = " ".join(attack.words.split()).rstrip(".")
    whole = f"{plain}: {manner}" if manner else plain
    return whole if len(whole) <= LONGEST else plain[:LONGEST]


def mark(attack: Attack, target: Combatant, words: str) -> Step:
    """What a hit leaves on the sheet, as a step."""
    if not words:
        return Step("PN-10", f"The hit leaves no mark on {target.name}.")
    return Step("PN-10", f"On {target.name}’s sheet: {words} ({attack.reading}).")


def undone(state: State, sheets: Sheets) -> tuple[Effect, ...]:
    """Before a part falls again, the wound that it made leaves the sheet."""
    wound = written(state, sheets)
    return (Lose(wound.id),) if wound else ()


def _hurt(state: State, sheets: Sheets, words: str, standing: str, *, final: bool = False) -> Result:
    attack, who = _aftermath(state).attack, _target(state)
    steps = [mark(attack, who, words)]
    if standing != who.standing:
        steps.append(Step("PN-11", f"{who.name} is {WORDS[standing]} now."))
    line = written(state, sheets)
    effects: tuple[Effect, ...] = ()
    if line:
        effects = (Become(line.id, WOUND, words),) if words else (Lose(line.id),)
    elif words:
        effects = (Gain(who.id, WOUND, words, attack.degree),)
    if standing != who.standing:
        effects = (*effects, *stands(sheets[who.id], standing))
    result: dict[str, Value] = {"who": who.name, "wound": words, "degree": attack.degree, "standing": standing}
    return Result((Wounded(who.id, words, standing, final),), tuple(steps), result, effects=effects)


def _target(state: State) -> Combatant:
    return state.combatant(_aftermath(state).attack.target)


def _aftermath(state: State) -> Aftermath:
    return cast(Aftermath, state.aftermath)  # there is one where these acts are offered


OWN = (Act("wound", offer_wound, wound, why=why_attack), Act("unmarked", offer_unmarked, unmarked))
GMS = (Act("deal", offer_deal, deal, why=why_attack), Act("backfire", offer_backfire, backfire, ask_for_ruling))
EVENTS = (Wounded, Backfired)
