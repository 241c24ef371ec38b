"""Dividing the dice in secret, with what counts and a tweak; all splits are shown as the dice fall (PS-22 to PS-27)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values, after
from rules.fields import Choice as ChoiceField
from rules.fields import Field, Text
from rules.moves import Die, Need, Step
from rules.procedure import Ask, Offer, Options, Use, met
from rules.sheet import Effect
from rules.systems.pdq_sharp.bonus import open_techniques, payment, purse
from rules.systems.pdq_sharp.chart import fortes_text, signed
from rules.systems.pdq_sharp.duel.clash import lying, rolls_of
from rules.systems.pdq_sharp.duel.dice import SPLITS, carried, counted, plan, throw_from, thrown_with, total
from rules.systems.pdq_sharp.duel.forms import SAID, countable, counting, named, one_of, some_of
from rules.systems.pdq_sharp.duel.odds import likely, odds_against
from rules.systems.pdq_sharp.duel.state import (
    DEFENCE,
    DIRTY_TRICK,
    DISARM,
    FEINT,
    FREE_ONCE,
    PARRY,
    RECOVER,
    UNAWARE,
    Choice,
    Fencer,
    Phase,
    Result,
    State,
    Throw,
)
from rules.systems.pdq_sharp.duel.turn import WORDS
from rules.systems.pdq_sharp.origins import counted_parts, left_out
from rules.systems.pdq_sharp.reading import GM_DICE, STYLE, with_its_forte
from rules.values import BadMove
from rules.why import Part, Why
from rules.wording import join, quoted

STRONG_DEFENCE = "strong_defence"
TWEAKS = {
    FEINT: "Feint", DIRTY_TRICK: "Dirty trick", DISARM: "Disarm", PARRY: "Parry and riposte",
    RECOVER: "Recover the weapon",
}
HELP = {
    FEINT: "no damage; the margin helps your next attack, or hinders your next defence",
    DIRTY_TRICK: "counts as a feint", DISARM: "no damage; as much as the foe’s MOD and the weapon is lost",
    PARRY: "no attack; the margin of your defence helps your next attack, or hinders it",
    RECOVER: "no attack; the weapon is yours again when the turn ends",
}


@dataclass(frozen=True)
class Chose(Event[State]):
    """Somebody divided their dice, in secret (PS-22). `paid`: a starred tweak was paid for with it; today it is paid
    for when the dice fall."""

    choice: Choice
    paid: bool = False

    def after(self, state: State) -> State:
        who = self.choice.who
        others = tuple(choice for choice in state.choices if choice.who != who)
        prepaid = state.prepaid - {who} | ({who} if self.paid else frozenset())
        return replace(state, choices=(*others, self.choice), prepaid=prepaid)


@dataclass(frozen=True)
class Thrown(Event[State]):
    """All had chosen: the splits are shown, and all dice fall (PS-22)."""

    throws: tuple[Throw, ...]

    def after(self, state: State) -> State:
        """Before, what somebody chose is nowhere but in their choice: it is secret."""
        for choice in state.choices:
            state = state.with_(choice.who, fortes=choice.fortes).spent_free(choice.who, choice.tweak)
        return replace(state, throws=tuple(map(_traced, self.throws)), stood=(), easy=frozenset(), clashed=())

    def used(self, before: State) -> tuple[Use, ...]:
        fortes = {choice.who: choice.fortes for choice in before.choices}
        return tuple(use for first, second in before.pairs for use in met(
            first, fortes.get(first, ()), second, fortes.get(second, ())))


def _traced(throw: Throw) -> Throw:
    """Dice as they fell, each one more with the technique that it came from: those are the first of them (PS-11)."""
    techniques = (*throw.used, *[""] * len(throw.bonus))
    return replace(throw, bonus=tuple(replace(bonus, technique=technique) for bonus, technique in zip(
        throw.bonus, techniques, strict=False)))


def offer_stance(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each who has yet to divide their dice: the split, what counts, a tweak (PS-22, PS-27)."""
    for who in state.unchosen if state.phase is Phase.STANCE else ():
        foes = state.names(state.foes_of(who.id))
        fields, options = _fields(state, sheets, who)
        yield Offer("stance", who.id, "Divide your dice", f"Against {foes}, in secret.", fields, options, rolls=True,
                    now={"fortes": list(counting(sheets[who.id], who))})


def _fields(state: State, sheets: Sheets, who: Fencer) -> tuple[tuple[Field, ...], dict[str, Options]]:
    foes = [state.fencer(foe) for foe in state.foes_of(who.id)]
    able, unaware = countable(sheets[who.id], who), who.surprise == UNAWARE
    splits = tuple((name, f"{WORDS[name].capitalize()} {split}") for name, split in SPLITS.items()
                   if not unaware or name == STRONG_DEFENCE)
    techniques = open_techniques(sheets[who.id], [forte for forte, _ in able], ())
    fields: list[Field] = [
        ChoiceField(name="stance", label="Your three dice, attack | defence", options=splits,
                    missing="Choose how you divide your dice."),
        some_of("fortes", "Fortes"),
        *((some_of("techniques", "Techniques, a die more for each"),) if techniques else ()),
        Text(name="gambit", label="A Cyrano gambit", most=100, help="A forte that seems to have nothing to do with it. "
             "It counts for being played out: say how."),
    ]
    options: dict[str, Options] = {"fortes": able, "gambit": able}
    if techniques:
        options["techniques"] = tuple((line.id, with_its_forte(sheets[who.id], line)) for line in techniques)
    if tricks := () if unaware else _available(state, sheets, who):
        titles = tuple((trick, _trick(who, trick)) for trick in tricks)
        fields.append(ChoiceField(name="tweak", label="A tweak", default="", options=(("", "None"), *titles)))
        if len(foes) > 1:
            fields.append(one_of("against", "Opponent"))
            options["against"] = named(foes)
    shooting = tuple((forte, name) for forte, name in able if forte in who.shoots or not who.player)
    if state.settings.firearms != "plain" and shooting:
        fields.append(one_of("firearm", "The forte that shoots", help="It has to count too."))
        options["firearm"] = shooting
    return (*fields, SAID), options


def _trick(who: Fencer, tweak: str) -> str:
    cost = ", for a style die" if tweak in who.used_free else ""
    return f"{TWEAKS[tweak]}: {HELP[tweak]}{cost}"


def _available(state: State, sheets: Sheets, who: Fencer) -> tuple[str, ...]:
    """The tweaks that somebody may declare with a split now (PS-27)."""
    foes = [state.fencer(foe) for foe in state.foes_of(who.id)]
    tricks = [FEINT, DIRTY_TRICK]
    if any(not foe.squad and not foe.disarmed for foe in foes):
        tricks.append(DISARM)
    if any(foe.place <= who.place for foe in foes):
        tricks.append(PARRY)
    if who.disarmed:
        tricks.append(RECOVER)
    able = purse(sheets[who.id], state.context, player=who.player)
    return tuple(trick for trick in tricks if trick == RECOVER or trick not in who.used_free or able)


def ask_for_stances(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each who has yet to divide their dice; the NPCs together; where nobody is left, that the dice are thrown."""
    if state.phase is not Phase.STANCE:
        return
    others = [fencer.id for fencer in npcs(state)]
    if others:
        yield Ask("", "stances", f"divide the dice of {state.names(others)} in secret", "Divide")
    elif not state.unchosen:
        yield Ask("", "throw", "throw the dice", "Throw")
    for fencer in state.unchosen:
        if fencer.player:
            yield Ask(fencer.id, "stance", "divide your three dice in secret", "Divide")


def stance(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody's split; whoever chooses last shows them all, and all dice fall (PS-22)."""
    return _chosen(state, sheets, (_choice(state, sheets, state.fencer(by), values),), faces)


def _choice(state: State, sheets: Sheets, who: Fencer, values: Values) -> Choice:
    """What was chosen, held against the rules; raises `BadMove`."""
    choice = Choice(who.id, values["stance"], tuple(values["fortes"]), values.get("gambit", ""),
                    values.get("tweak", ""), values.get("against", ""), values.get("firearm", ""), values["words"],
                    tuple(values.get("techniques", ())))
    if choice.gambit and choice.gambit in choice.fortes:
        raise BadMove("This forte counts already. Choose another one for the gambit.", "gambit")
    if choice.gambit and not choice.words:
        raise BadMove("Enter how it comes in: a gambit counts for being played out.", "words")
    if choice.firearm and choice.firearm not in (*choice.fortes, choice.gambit):
        raise BadMove("It shoots only where it counts too. Tick it under “Fortes”.", "firearm")
    counted(state, sheets, choice)
    return _aimed(state, sheets, choice)


def _aimed(state: State, sheets: Sheets, choice: Choice) -> Choice:
    """A choice with its tweak _aimed at somebody it can be _aimed at; raises `BadMove`."""
    if choice.tweak in ("", PARRY, RECOVER):
        return replace(choice, against="")
    foes = state.foes_of(choice.who)
    against = choice.against or (foes[0] if len(foes) == 1 else "")
    if not against:
        raise BadMove("Choose an opponent.", "against")
    foe = state.fencer(against)
    if choice.tweak == DISARM and (foe.squad or foe.disarmed):
        raise BadMove(f"{foe.name} can’t be disarmed.", "against")
    return replace(choice, against=against)


def offer_stances(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: all NPCs' splits in one act, each standing at one that is good against whatever comes (PS-22)."""
    if state.phase is not Phase.STANCE or not npcs(state):
        return
    fields = tuple(
        ChoiceField(name=f"npc_{place}", label=who.name, default=default(state, sheets, who),
                    options=tuple((name, words.capitalize()) for name, words in WORDS.items()
                                  if who.surprise != UNAWARE or name == STRONG_DEFENCE))
        for place, who in enumerate(npcs(state)))
    yield Offer("stances", "", "Divide the NPCs’ dice", "Nobody sees them until all have chosen.", fields, rolls=True,
                now={field.name: field.default for field in fields})


def stances(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The splits of all the GM's NPCs at once."""
    choices = tuple(
        Choice(who.id, STRONG_DEFENCE if who.surprise == UNAWARE else values[f"npc_{place}"],
               counting(sheets[who.id], who))
        for place, who in enumerate(npcs(state))
    )
    return _chosen(state, sheets, choices, faces)


def npcs(state: State) -> tuple[Fencer, ...]:
    """Those who are nobody's to play and have yet to divide their dice."""
    return tuple(fencer for fencer in state.unchosen if not fencer.player)


def default(state: State, sheets: Sheets, who: Fencer) -> str:
    """A split that is good against whatever the first foe may do (PS-22)."""
    if who.surprise == UNAWARE:
        return STRONG_DEFENCE
    return likely(state, sheets, who.id, state.foes_of(who.id)[0])


def offer_throw(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where all have chosen and the dice did not fall by that."""
    if state.phase is Phase.STANCE and not state.unchosen:
        yield Offer("throw", "", "Throw the dice", "All who are left have chosen.", rolls=True)


def throw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """The GM lets the dice fall where nobody is left to choose: somebody went who had not."""
    return _chosen(state, sheets, (), faces)


def _chosen(state: State, sheets: Sheets, choices: Sequence[Choice], faces: Sequence[int]) -> Result | Need:
    events: list[Event[State]] = [Chose(choice) for choice in choices]
    now = after(state, events)
    if now.unchosen or now.undecided:
        names = state.names(choice.who for choice in choices)
        if faces:
            raise BadMove("No dice fall before all have chosen.", "dice")
        step = Step("PS-22", f"{names} divided the dice. Nobody sees the split until all have chosen.")
        return Result(tuple(events), (step,), sealed=True)
    lapsed, unpaid, effects = _settled(now, sheets)
    events += lapsed
    now = after(now, lapsed)
    thrown = _thrown(now, sheets, faces)
    if isinstance(thrown, Need):
        return thrown
    throws, dice = thrown
    shown = Thrown(throws).after(now)
    steps = tuple(step for throw in throws for step in _split_steps(shown, throw))
    opening = Step("PS-22", "All have chosen. The splits are shown, and the dice fall.")
    return Result((*events, Thrown(throws)), (opening, *unpaid, *steps), dice=dice, effects=effects,
                  rolls=rolls_of(shown))


def _price(who: Fencer, choice: Choice) -> int:
    """The style dice that a choice costs: a starred tweak is free once in a duel (PS-27)."""
    return int(choice.tweak in FREE_ONCE and choice.tweak in who.used_free)


def _settled(state: State, sheets: Sheets) -> tuple[list[Event[State]], tuple[Step, ...], tuple[Effect, ...]]:
    """Starred tweaks are paid as the dice fall: before, a die less would tell of a secret choice. Whoever has none left
    by then goes without."""
    lapsed: list[Event[State]] = []
    steps, effects, of_gm = list[Step](), list[Effect](), state.context.pool(GM_DICE)
    for choice in state.choices:
        who, own = state.fencer(choice.who), sheets[choice.who].pool(STYLE)
        price = 0 if who.id in state.prepaid else _price(who, choice)
        if price > own + (0 if who.player else of_gm):
            lapsed.append(Chose(replace(choice, tweak="")))
            steps.append(Step("PS-27", f"{who.name} has no style die left for {TWEAKS[choice.tweak]}: it is left out."))
            continue
        of_gm -= max(0, price - own)
        effects += payment(sheets[who.id], price, TWEAKS.get(choice.tweak, ""))
    return lapsed, tuple(steps), tuple(effects)


def _thrown(
    state: State, sheets: Sheets, faces: Sequence[int]
) -> tuple[tuple[Throw, ...], tuple[Die, ...]] | Need:
    plans = [plan(state, sheets, choice) for fencer in state.engaged if (choice := state.choice_of(fencer.id))]
    wanted = sum(planned.dice for planned in plans)
    if len(faces) < wanted:
        return Need((6,) * (wanted - len(faces)))
    if len(faces) > wanted:
        raise BadMove(f"Enter {wanted} dice; there are {len(faces)}.", "dice")
    throws, dice, start = [], [], 0
    for planned in plans:
        run = faces[start : start + planned.dice]
        start += planned.dice
        throws.append(throw_from(state, sheets, planned, run))
        name = state.fencer(planned.choice.who).name
        roles = [f"{name}: {'defence' if to == DEFENCE else 'attack'}"
                 for to, size in planned.trays for _ in range(size)]
        roles += [f"{name}: more"] * planned.extra
        dice += [Die(6, face, role) for face, role in zip(run, roles, strict=True)]
    return tuple(throws), tuple(dice)


def _split_steps(state: State, throw: Throw) -> list[Step]:
    """A split with what counts, in words."""
    name, choice = state.fencer(throw.who).name, state.choice_of(throw.who)
    steps = [Step("PS-22", f"{name}: {WORDS[throw.stance]}{quoted(choice.words if choice else '')}"),
             Step("PS-10", fortes_text(throw.ranks, name))]
    if state.backers_of(throw.who):
        backers = state.names(backer.id for backer in state.backers_of(throw.who))
        steps.append(Step("PS-26", f"{backers} with {name}: one rolls, all MODs count."))
    if choice and choice.gambit:
        steps.append(Step("PS-27", f"{name}: a Cyrano gambit; a forte counts that has nothing to do with it."))
    if throw.tweak:
        aim = f" against {state.fencer(throw.against).name}" if throw.against else ""
        steps.append(Step("PS-27", f"{name}: {TWEAKS[throw.tweak].lower()}{aim}."))
    for what, carry in (("attack", throw.attack_carry), ("defence", throw.defence_carry)):
        if carry:
            steps.append(Step("PS-27", f"{name}: {signed(carry)} on the {what}, from the last turn."))
    if minions := len(throw.bonus) - len(throw.used):
        steps.append(Step("PS-25", f"{name}: {minions} more for the minions; the best count."))
    if throw.used:
        with_ = join([f"{bonus.source} ({bonus.face})" for bonus in throw.bonus[:len(throw.used)]])
        steps.append(Step("PS-11", f"{name}: a die more each by {with_}."))
    throw = lying(state, throw.who) or throw
    totals = [f"{total(throw, foe)} to attack {state.fencer(foe).name}" for foe in throw.attacks]
    steps.append(Step("PS-23", f"{name}: {', '.join([*totals, f'{total(throw, DEFENCE)} to defend'])}."))
    return steps


def _as_filled_in(offer: Offer, values: Values) -> Choice:
    return Choice(offer.by, values["stance"], tuple(values["fortes"]), values.get("gambit", ""),
                  values.get("tweak", ""), values.get("against", ""), values.get("firearm", ""), "",
                  tuple(values.get("techniques", ())))


def odds_of_stance(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chances of each split against each of a foe's, with what is ticked (PS-22, PS-27)."""
    return tuple(odds_against(state, sheets, _as_filled_in(offer, values), foe) for foe in state.foes_of(offer.by))


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """What somebody brings into a turn, what the last one left, and what could count beside (PS-10, PS-22, PS-27)."""
    sheet, choice, who = sheets[offer.by], _as_filled_in(offer, values), state.fencer(offer.by)
    brought = thrown_with(state, sheets, choice)
    left = [Part(signed(carry), f"On the {what}", "from the last turn")
            for what, carry in (("attack", who.attack_carry), ("defence", who.defence_carry)) if carry]
    idle = left_out(sheet, choice.fortes, choice.techniques) if not who.squad else ()
    return Why(signed(carried(who, brought)[0].adds), (*counted_parts(sheet, brought), *left), tuple(idle))


STANCE = Act("stance", offer_stance, stance, ask_for_stances, odds_of_stance, why)
GMS: tuple[Act[State], ...] = (Act("stances", offer_stances, stances), Act("throw", offer_throw, throw))
EVENTS: tuple[type[Event[State]], ...] = (Chose, Thrown)
