"""A round: ability, tactic, aim, chosen in secret or at once; its exact chances; its dice (QW-43 to QW-46, QW-50)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import Field, text
from rules.moves import Die, Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Sheet
from rules.systems.questworlds.long.chances import look_at_all, of_round
from rules.systems.questworlds.long.counting import Added
from rules.systems.questworlds.long.dice import (
    abilities,
    between,
    both,
    choice_of,
    fall,
    last_ability,
    terms_of,
    two,
)
from rules.systems.questworlds.long.pairs import Parted, WentOut, awaited, gms, pair_name
from rules.systems.questworlds.long.state import Phase, Result, State
from rules.systems.questworlds.long.values import NO_CHOICE, Bout, Choice, Line
from rules.systems.questworlds.long.why import of_chosen, of_pair
from rules.systems.questworlds.roll import SIDES
from rules.tables import OddsAnswer
from rules.values import Value
from rules.why import Why
from rules.wording import percent, sentence

TACTICS = (("normal", "Normal"), ("risky", "Risky gambit"), ("defensive", "Defensive response"))
AIMS = (("", "The prize"), ("else", "Something else"), ("augment", "An augment for one of us"),
        ("leave", "To get away"))
BASIS = "Exact: this round so, later ones normal on both sides."


@dataclass(frozen=True)
class Chose(Event[State]):
    """Somebody says what they do in this round, in secret where both sides choose."""

    bout: int
    who: str
    choice: Choice

    def after(self, state: State) -> State:
        chosen = {**dict(state.bout(self.bout).chosen), self.who: self.choice}
        return state.with_bout(self.bout, chosen=tuple(chosen.items()))


@dataclass(frozen=True)
class Fell(Event[State]):
    """One of two players rolls their own die."""

    bout: int
    who: str
    face: int

    def after(self, state: State) -> State:
        return state.with_bout(self.bout, faces=(*state.bout(self.bout).faces, (self.who, self.face)))


def mover(state: State, bout: Bout) -> str:
    """Who rolls first in a pair, as the one whose chances are told: a player character, ours before theirs."""
    return bout.ours if state.keeper(bout.ours) or not state.keeper(bout.theirs) else bout.theirs


def each_chooses(state: State, bout: Bout) -> bool:
    """Whether both sides choose in secret: two players, or where the GM's side does (QW-44)."""
    both = bool(state.keeper(bout.ours) and state.keeper(bout.theirs))
    return both or (state.settings.secret and bool(state.keeper(mover(state, bout))))


def round_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A round at once: the choice and both dice, where the other side's choice is no secret."""
    if (fallen := two(faces)) is None:
        return both(faces)
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    mine = choice_of(state, sheets, first, values)
    theirs = bout.choice(bout.other(first)) or NO_CHOICE
    return fall(state, sheets, between(state, bout, first, fallen, (mine, theirs)))


def choose(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A choice in secret: it is shown when both have chosen."""
    bout = state.bout(int(values["bout"]))
    who = next(id_ for id_ in (bout.ours, bout.theirs) if state.keeper(id_) == by)
    choice = choice_of(state, sheets, who, values)
    return Result((Chose(bout.number, who, choice),), (_chosen(state, who, choice),), sealed=True)


def stance(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says how an NPC goes about the round: openly, or in secret as all do (QW-44)."""
    bout = state.bout(int(values["bout"]))
    who = bout.other(mover(state, bout))
    choice = Choice(tactic=values.get("tactic", "normal"))
    secret = each_chooses(state, bout)
    return Result((Chose(bout.number, who, choice),), (_chosen(state, who, choice),), sealed=secret)


def _chosen(state: State, who: str, choice: Choice) -> Step:
    what = {"normal": "goes on as usual", "risky": "makes a risky gambit", "defensive": "makes a defensive response"}
    used = f" with {choice.name}" if choice.name else ""
    return Step("QW-44", f"{state.name_of(who)} {what[choice.tactic]}{used}.")


def roll(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The dice, when both sides have chosen; two players each roll their own."""
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    each_rolls = all(state.keeper(who) for who in (bout.ours, bout.theirs))
    many = 1 if each_rolls else 2
    if take(faces, many) is None:
        return Need((SIDES,) * (many - len(faces)))
    choices = bout.choice(first) or NO_CHOICE, bout.choice(bout.other(first)) or NO_CHOICE
    if not each_rolls:
        return fall(state, sheets, between(state, bout, first, (faces[0], faces[1]), choices))
    who = next(id_ for id_ in (bout.ours, bout.theirs) if state.keeper(id_) == by)
    other = dict(bout.faces).get(bout.other(who))
    fell = Fell(bout.number, who, faces[0])
    if other is None:
        text = f"{state.name_of(who)} rolls {faces[0]}. {state.name_of(bout.other(who))} has not rolled yet."
        return Result((fell,), (Step("QW-10", text),), dice=(Die(SIDES, faces[0], state.name_of(who)),))
    dice = (faces[0], other) if who == first else (other, faces[0])
    ending = fall(state, sheets, between(state, bout, first, dice, choices))
    # The other die fell in an act of its own.
    return replace(ending, events=(fell, *ending.events), dice=(Die(SIDES, faces[0], state.name_of(who)),))


def aimed(
    state: State, number: int, who: str, choice: Choice
) -> tuple[list[Event[Any]], tuple[Step, ...], str]:
    """A round that was won for something else than the prize (QW-46)."""
    name, words = state.name_of(who), sentence(choice.words) if choice.words else ""
    if choice.aim == "leave":
        here = [bout for bout in state.bouts_of(who) if bout.number == number]
        if here and len(state.bouts_of(who)) > 1:
            text = f"{name} gets away from {state.name_of(here[0].other(who))}."
            return [Parted(number, "left")], (Step("QW-46", f"{text} The others still press."),), text
        why = Step("QW-46", f"{name} gets away, without further harm.")
        return [WentOut(who, "left")], (why,), f"{name} gets away."
    if choice.aim == "augment":
        whom, bonus = choice.whom or who, state.edition.modifiers.augment[0]
        line = Line(whom, "augment", choice.name or "An opening", bonus, choice.words, choice.trait,
                    family=choice.family if whom == who else "")
        text = f"{state.name_of(whom)} has +{bonus} from now on."
        return [Added(line)], (Step("QW-46", f"{text} No points: the round was for that."),), text
    text = f"{name} gets what the round was about{f': {words}' if words else '.'}"
    return [], (Step("QW-46", f"{text} No points."),), text


def open_now(state: State) -> Iterator[Bout]:
    """The pairs that have yet to have this round, and whose dice do not wait for anything."""
    for bout in state.open_bouts:
        deciders = {bout.ours, bout.theirs, state.keeper(bout.ours), state.keeper(bout.theirs)} - {""}
        if bout.played < state.round and not any(state.busy(who) for who in deciders):
            yield bout


def by_player(state: State, sheets: Sheets) -> Iterator[tuple[str, list[Bout]]]:
    """Each player's character with the pairs that have yet to have this round."""
    if state.phase is Phase.ROUNDS:
        bouts = tuple(open_now(state))
        for by in state.settings.players:
            yield by, [bout for bout in bouts if by in (state.keeper(bout.ours), state.keeper(bout.theirs))]


def can_roll_round(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A round at once, where the other side's choice is no secret."""
    for by, mine in by_player(state, sheets):
        at_once = [bout for bout in mine if state.keeper(mover(state, bout)) == by and not each_chooses(state, bout)]
        if at_once and by in sheets:
            yield _asked(state, sheets[by], at_once, "round", "Roll the round", rolls=True)


def can_choose(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A choice in secret."""
    for by, mine in by_player(state, sheets):
        silent = [bout for bout in mine if each_chooses(state, bout) and not _mine(state, bout, by)]
        if silent and by in sheets:
            yield _asked(state, sheets[by], silent, "choose", "Choose for this round")


def can_roll(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The dice, once both have chosen."""
    for by, mine in by_player(state, sheets):
        ready = [bout for bout in mine
                 if each_chooses(state, bout) and _both(bout) and _may_roll(state, bout, by)]
        if ready:
            yield _roll(state, ready, by)


def _mine(state: State, bout: Bout, by: str) -> bool:
    return any(state.keeper(who) == by and bout.choice(who) for who in (bout.ours, bout.theirs))


def _both(bout: Bout) -> bool:
    return bool(bout.choice(bout.ours) and bout.choice(bout.theirs))


def _may_roll(state: State, bout: Bout, by: str) -> bool:
    """Whether one's own die has not fallen; against the GM's side both are the player's to roll."""
    return not any(state.keeper(who) == by for who, _ in bout.faces)


def _roll(state: State, bouts: list[Bout], by: str) -> Offer:
    field = text("bout", "Pair", needed=True)
    options = tuple((str(bout.number), pair_name(state, bout)) for bout in bouts)
    return Offer("roll", by, "Roll", "Both have chosen.", (field,), {"bout": options}, rolls=True,
                 now={"bout": options[0][0]})


def _asked(
    state: State, sheet: Sheet, bouts: list[Bout], action: str, title: str, *, rolls: bool = False
) -> Offer:
    """Which pair, with which ability, with which tactic, for what."""
    friends = tuple((contestant.id, contestant.name) for contestant in state.contestants
                    if contestant.fights and contestant.part.side == state.entrant(sheet.id).part.side)
    fields: list[Field] = [text("bout", "Pair", needed=True), text("ability", "Ability")]
    if state.tactics:
        fields.append(ChoiceField(name="tactic", label="Tactic", options=TACTICS, default="normal"))
    fields += [
        ChoiceField(name="aim", label="Goal", options=AIMS, default="",
               help="Winning for something else moves no points; losing costs as usual."),
        text("words", "In your words", most=200), text("whom", "Character to augment"),
    ]
    pairs = tuple((str(bout.number), pair_name(state, bout)) for bout in bouts)
    now: dict[str, Value] = {"bout": pairs[0][0], "ability": last_ability(state, sheet)}
    return Offer(action, sheet.id, title, "", tuple(fields),
                 {"bout": pairs, "ability": abilities(state, sheet), "whom": friends}, rolls=rolls, now=now)


def can_take_a_stance(state: State, sheets: Sheets) -> Offer | None:
    """What the GM says for an NPC: a tactic, or in secret that they are ready."""
    facing = [bout for bout in open_now(state) if state.keeper(mover(state, bout))
              and not state.keeper(bout.other(mover(state, bout)))]
    # What was chosen in secret stands; what was said openly may be said otherwise.
    facing = [bout for bout in facing
              if not each_chooses(state, bout) or not bout.choice(bout.other(mover(state, bout)))]
    if not facing or not (state.tactics or state.settings.secret):
        return None
    which = text("bout", "Pair", needed=True)
    options = tuple((str(bout.number), pair_name(state, bout)) for bout in facing)
    now: dict[str, Value] = {"bout": options[0][0]}
    if not state.tactics:
        return Offer("stance", "", "Ready", "", (which,), {"bout": options}, now=now)
    return Offer("stance", "", "Choose a tactic", "It is shown to the players unless all choose in secret.",
                 (which, ChoiceField(name="tactic", label="Tactic", options=TACTICS, default="normal")),
                 {"bout": options}, now=now)


def ask_for_a_stance(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, where all choose in secret; said openly it is merely possible."""
    if state.settings.secret:
        for offer in gms(can_take_a_stance)(state, sheets):
            yield Ask("", offer.action, f"choose for round {state.round}", "Choose")


def can_roll_for_two(state: State, sheets: Sheets) -> Offer | None:
    """A whole round between two NPCs."""
    unplayed = [bout for bout in open_now(state) if not state.keeper(mover(state, bout))]
    if not unplayed:
        return None
    options = tuple((str(bout.number), pair_name(state, bout)) for bout in unplayed)
    return Offer("gm_round", "", "Roll a round of yours", "Both are NPCs.",
                 (text("bout", "Pair", needed=True),), {"bout": options}, rolls=True, now={"bout": options[0][0]})


def forecast(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of a round as it is being chosen, and of its bout: this round so, the later ones normal."""
    look_at_all(state, sheets)
    bout = state.bout(int(values["bout"]))
    first = mover(state, bout)
    secret = each_chooses(state, bout)
    if secret:
        first = next(who for who in (bout.ours, bout.theirs) if state.keeper(who) == offer.by)
        second = state.entrant(bout.other(first))
        if second.part.resistance is None and second.using is None:
            return ()
        bout = replace(bout, chosen=())  # what the other one chose is no part of what is told
    choice = choice_of(state, sheets, first, values)
    other = bout.choice(bout.other(first)) or NO_CHOICE
    terms = terms_of(state, bout, first, choice)
    facts = []
    if not choice.aim:
        chance = state.to_win(bout, first, choice)(choice.tactic, other.tactic)
        facts.append(state.uncounted if chance is None else
                     f"{percent(chance)} to win against {state.name_of(bout.other(first))} in the end. {BASIS}")
    return (("This round", OddsAnswer(of_round(terms), tuple(facts))),)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """Why the round is rolled against what it is, with the ability that is being chosen."""
    bout = state.bout(int(values["bout"]))
    secret = each_chooses(state, bout)
    first = next((who for who in (bout.ours, bout.theirs) if secret and state.keeper(who) == offer.by),
                 mover(state, bout))
    return of_pair(state, sheets, first, bout.other(first), values, secret=secret)


def why_both_chose(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The same once both have chosen: with what they chose."""
    bout = state.bout(int(values["bout"]))
    first = next((who for who in (bout.ours, bout.theirs) if state.keeper(who) == offer.by), mover(state, bout))
    choice = bout.choice(first)
    return of_chosen(state, sheets, first, bout.other(first), choice) if choice else None


EVENTS = (Chose, Fell)
ROUND = awaited(Act("round", can_roll_round, round_, odds=forecast, why=why), "roll round {round}", "Choose and roll")
CHOOSE = awaited(Act("choose", can_choose, choose, odds=forecast, why=why), "choose for round {round}", "Choose")
GM_ROUND = awaited(Act("gm_round", gms(can_roll_for_two), round_, odds=forecast, why=why), "roll round {round}", "Roll")
ROLL = awaited(Act("roll", can_roll, roll, why=why_both_chose), "roll round {round}", "Roll")
STANCE: Act[Any] = Act("stance", gms(can_take_a_stance), stance, ask_for_a_stance)
