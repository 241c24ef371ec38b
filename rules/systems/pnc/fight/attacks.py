"""Attacks and opposed rolls: declared, weighed, rolled by both (PN-05, PN-06)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import NotKnown, Sheet
from rules.systems.pnc.dice import say
from rules.systems.pnc.factors import CIRCUMSTANCES, Weight, button, come_to, fields_for
from rules.systems.pnc.fight.order import purse_of
from rules.systems.pnc.fight.reading import drop_d20, pending, settled
from rules.systems.pnc.fight.state import Attack, Combatant, Deed, OfAttack, Phase, Result, State, spent
from rules.systems.pnc.origins import CLOSED, weighed
from rules.systems.pnc.origins import why as why_of
from rules.systems.pnc.reckoning import Kept, Terms, ready, terms, ticked
from rules.systems.pnc.roll_odds import exchange, spread
from rules.values import BadMove, Value
from rules.why import THEIR_SIDE, Part, Why
from rules.wording import quoted

Faces = Sequence[int]

DEFENDS = "says what helps them, and rolls"
TARGET = Text(name="target", label="Target", default=REQUIRED, most=100, missing="Choose a target.")
MANNER = Text(name="words", label="Description", most=1000, help="A hit is written on their sheet in these words.")


@dataclass(frozen=True)
class Attacked(Deed):
    """An attack is declared; a free one costs no turn."""

    who: str
    target: str
    words: str
    weights: tuple[Weight, ...]
    free: bool

    def done(self, state: State) -> State:
        state = state.with_(self.who, free_at="") if self.free else spent(state, self.who)
        attack = Attack(self.who, self.target, self.words, state.settings.open_ended, self.weights)
        return replace(state, attack=attack, aftermath=None, failures=state.unruled, turned=())


@dataclass(frozen=True)
class Judged(OfAttack):
    """The GM put factors down for the attack."""

    weights: tuple[Weight, ...]

    def to(self, attack: Attack) -> Attack:
        return replace(attack, weights=(*attack.weights, *self.weights))


@dataclass(frozen=True)
class Defended(OfAttack):
    """The defender's part: factors, and the six-sided dice."""

    who: str
    weights: tuple[Weight, ...]
    faces: tuple[int, ...]

    def to(self, attack: Attack) -> Attack:
        return replace(attack, weights=(*attack.weights, *self.weights), faces=self.faces)


def offer_attack(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each whose turn it is."""
    for who in state.on_turn:
        foes, (lines, wounds) = foes_of(state, who), ticked(sheets[who.id])
        words = tuple((foe.id, foe.name if foe.ready else f"{foe.name}, caught off guard") for foe in foes)
        yield Offer("attack", who.id, f"Attack {foes[0].name}" if len(foes) == 1 else "Attack",
                    "Your d20 against their dice. They roll first.", (TARGET, MANNER, *fields_for(lines)),
                    {"target": words, "features": lines}, rolls=True,
                    now={**wounds, **_likely(who, [foe.id for foe in foes])} or None)


def foes_of(state: State, who: Combatant) -> tuple[Combatant, ...]:
    """Whom they may attack: those of other sides who are still in it."""
    return tuple(foe for foe in state.fighting if foe.side != who.side)


def _likely(who: Combatant, foes: Sequence[str]) -> dict[str, Value]:
    """The one foe, or of several the one with whom they last exchanged an attack."""
    likely = foes if len(foes) == 1 else [foe for foe in who.met if foe in foes]
    return {"target": likely[-1]} if likely else {}


def ask_to_attack(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each whose turn it is."""
    if state.phase is not Phase.TURN:
        return
    for who in state.acting:
        foes = [foe.name for foe in foes_of(state, state.combatant(who))]
        text = f"attack {foes[0]}, or another action" if len(foes) == 1 else "attack, or another action"
        yield Ask(who, "attack", text, "Act")


def attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """An attack is declared; the defender's dice come next (PN-06)."""
    take(faces, 0)
    return declare(state, sheets, by, values["target"], values, free=False)


def odds_of_attack(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances before the defender says what helps them."""
    target = state.combatant(_target(state, offer, values)).name
    return exchange(f"{target}, before they say what helps them", spread(_falling(state, sheets, offer, values).roll))


def why_attack(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The dice of an attack with what its attacker adds to it, whoever is to be attacked (PN-05, PN-06)."""
    own = why_of(sheets[offer.by], _falling(state, sheets, offer, values), state.names)
    target = _target(state, offer, values)
    theirs = Part("", f"Against {state.combatant(target).name}", DEFENDS) if target else THEIR_SIDE
    return replace(own, parts=(*own.parts, theirs))


def _falling(state: State, sheets: Sheets, offer: Offer, values: Values) -> Terms:
    """An attack as its form is filled in, with what stands ready in the form of whoever is attacked."""
    by, target, opens = offer.by, _target(state, offer, values), state.settings.open_ended
    known = _ready_in(sheets, target, Kept((), opens))
    return terms(sheets[by], values, by=by, so_far=known, open_ended=opens)


def _ready_in(sheets: Sheets, defender: str, so_far: Kept) -> tuple[Weight, ...]:
    """What counts so far, and what stands ready in the form of whoever defends; of a face that is not known, and while
    nobody is chosen there is none (PN-10)."""
    try:
        foe = sheets.get(defender)
    except NotKnown:
        foe = None
    return ready(foe, so_far.weights, against=True, open_ended=so_far.open_ended).weights if foe else so_far.weights


def _target(state: State, offer: Offer, values: Values) -> str:
    """Whom an attack is on, "" while nobody is chosen."""
    target: str = values["target"] if offer.action == "attack" else state.combatant(offer.by).free_at
    return target


def offer_free_attack(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whom a great failure of a foe has opened one, until their next turn."""
    for who in state.able if state.phase is Phase.TURN else ():
        if who.free_at and state.combatant(who.free_at).fights:
            lines, wounds = ticked(sheets[who.id])
            yield Offer("free_attack", who.id, f"Attack {state.combatant(who.free_at).name} for free",
                        "It does not take your turn. Once you take your next turn, it is gone.",
                        (MANNER, *fields_for(lines)), {"features": lines}, rolls=True, now=wounds or None)


def free_attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """An attack that a great failure of the other one has opened."""
    take(faces, 0)
    return declare(state, sheets, by, state.combatant(by).free_at, values, free=True)


def declare(state: State, sheets: Sheets, by: str, target: str, values: Values, *, free: bool) -> Result:
    """An attack with its factors. An opposed roll begins like one, without words (PN-05, PN-06)."""
    weighed = terms(sheets[by], values, by=by, open_ended=state.settings.open_ended)
    who, foe = state.combatant(by), state.combatant(target)
    if state.settings.opposed:
        text = f"{who.name} rolls the d20, {foe.name} the resistance{quoted(values['words'])}"
    else:
        how = " from hold" if who.held and by not in state.acting and not free else ", free of cost" if free else ""
        text = f"{who.name} attacks {foe.name}{how}{quoted(values['words'])}"
    steps = (Step("PN-06", text), *weighed.steps(state.names), *weighed.omissions)
    return Result((Attacked(by, target, values["words"], weighed.own, free),), steps, {"target": foe.name})


def _defence(state: State) -> Attack | None:
    """The attack that waits for the defender's dice."""
    return state.attack if state.phase is Phase.DEFENCE else None


def offer_weigh(state: State, sheets: Sheets) -> Iterator[Offer]:
    """In an opposed roll to whoever has the d20, while the other has not rolled."""
    declared = _defence(state)
    if declared and state.settings.opposed:
        lines, wounds = ticked(sheets[declared.by], declared.weights)
        yield Offer("weigh", declared.by, "Add what makes it easier or harder", "Then the other one rolls first.",
                    fields_for(lines), {"features": lines}, rolls=True, now=wounds or None)


def weigh(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Factors of the one who has the d20 in an opposed roll (PN-05)."""
    take(faces, 0)
    return _judged(state, _with(state, sheets[by], values, by=by))


def odds_with_factors(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of the attack with what one side adds to it."""
    if state.attack is None:
        return ()
    whose = f"{sheets[state.attack.by].name}’s roll" if offer.action == "defend" else "With that"
    return exchange(whose, spread(_falls_with(state, sheets, offer, values).roll), harmless=state.settings.opposed)


def why_with_factors(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The dice of the attack under way with what one side adds to it; not of a face’s (PN-05)."""
    if state.attack is None:
        return None
    sheets[state.attack.by]  # its factors count: who may not know them may not know this
    return why_of(sheets[offer.by], _falls_with(state, sheets, offer, values), state.names)


def _falls_with(state: State, sheets: Sheets, offer: Offer, values: Values) -> Terms:
    """The attack under way with what one side adds to it; of whoever has the d20 against what stands ready."""
    sheet, now = sheets[offer.by], pending(state)
    if offer.action == "defend":
        return _with(state, sheet, values, by=offer.by, against=True)
    known = _ready_in(sheets, now.target, now.terms)
    return terms(sheet, values, by=offer.by, so_far=known, open_ended=now.open_ended)


def offer_judge(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while the defender has not rolled."""
    if declared := _defence(state):
        name = state.combatant(declared.by).name
        yield Offer("judge", "", "Add circumstances", f"What makes it easier or harder for {name}.", (CIRCUMSTANCES,))


def judge(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM weighs the circumstances of an attack (PN-05)."""
    return _judged(state, _with(state, None, values))


def _with(state: State, sheet: Sheet | None, values: Values, *, by: str = "", against: bool = False) -> Terms:
    """The attack under way with what somebody adds to it."""
    so_far = pending(state)
    return terms(sheet, values, by=by, against=against, so_far=so_far.weights, open_ended=so_far.open_ended)


def _judged(state: State, weighed: Terms) -> Result:
    if not weighed.own:
        raise BadMove("Name at least one factor.", "circumstances")
    text = say("", f"{come_to(weighed.roll)}.")
    return Result((Judged(weighed.own),), (Step("PN-05", text), *weighed.steps(state.names)))


def offer_defend(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the defender."""
    if declared := _defence(state):
        by, target = state.combatant(declared.by), state.combatant(declared.target)
        title = "Roll your part" if state.settings.opposed else "Defend"
        lines, wounds = ticked(sheets[target.id], declared.weights)
        # How many dice fall is said by what follows the form.
        yield Offer("defend", target.id, title, f"Anything that helps you makes it harder for {by.name}.",
                    fields_for(lines), {"features": lines}, rolls=True, now=wounds or None)


def ask_to_defend(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The defender."""
    if declared := _defence(state):
        text = f"roll against {state.combatant(declared.by).name}"
        yield Ask(declared.target, "defend", text, "Roll" if state.settings.opposed else "Defend")


def defend(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The defender's factors, turned to the attacker's side, and the defender's dice (PN-05, PN-06)."""
    terms = _with(state, sheets[by], values, by=by, against=True)
    if take(faces, terms.roll.dice) is None:
        return Need((6,) * (terms.roll.dice - len(faces)))
    defended = Defended(by, terms.own, tuple(faces))
    fallen = defended.to(pending(state))
    steps = [Step("PN-06", f"{state.combatant(by).name} rolls {terms.roll.dice}d6: {fallen.d6} to get over.")]
    if terms.weights:
        steps.append(Step("PN-05", f"All factors together make it {button(terms.roll)}."))
    return Result((defended,), (*steps, *terms.steps(state.names), *terms.omissions), {"d6": fallen.d6}, fallen.drawn)


def offer_strike(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the attacker, once the defender's dice lie there."""
    if state.attack and state.phase is Phase.STRIKE:
        yield Offer("strike", state.attack.by, f"Roll the d20 against {state.attack.d6}", rolls=True)


def ask_to_strike(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The attacker, once the defender's dice lie there."""
    if state.attack and state.phase is Phase.STRIKE:
        target = state.combatant(state.attack.target).name
        yield Ask(state.attack.by, "strike", f"roll the d20 against the {state.attack.d6} of {target}", "Roll")


def why_strike(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The dice that the d20 has to get over, and what made them so many; not of a face’s (PN-05, PN-06)."""
    lies = state.attack
    if lies is None:
        return None
    for side in (lies.by, lies.target):
        sheets[side]  # both sides' factors count: who may not know them may not know this
    rolled = Part(str(lies.d6), f"{state.combatant(lies.target).name} rolled {lies.roll.dice}d6", "to get over")
    closed = () if lies.open_ended else (CLOSED,)
    return Why(f"1d20 against {lies.d6}", (rolled, *weighed(lies.weights, state.names), *closed))


def strike(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The attacker's d20, and what comes of both parts (PN-04, PN-06)."""
    purse = purse_of(state, sheets, by)
    rolled = drop_d20(state, purse, faces)
    if isinstance(rolled, Need):
        return rolled
    read = settled(state, sheets, rolled, {by: purse.points})
    return replace(read, effects=(*purse.effects, *read.effects))


ATTACK = Act("attack", offer_attack, attack, ask_to_attack, odds_of_attack, why_attack, TARGET.name)
FREE_ATTACK = Act("free_attack", offer_free_attack, free_attack, odds=odds_of_attack, why=why_attack)
ANSWERS = (
    Act("weigh", offer_weigh, weigh, odds=odds_with_factors, why=why_with_factors),
    Act("defend", offer_defend, defend, ask_to_defend, odds_with_factors, why_with_factors),
    Act("strike", offer_strike, strike, ask_to_strike, why=why_strike),
)
GMS = (Act("judge", offer_judge, judge),)
EVENTS: tuple[type[Event[State]], ...] = (Attacked, Judged, Defended)
