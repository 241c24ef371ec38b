"""What may be done in a fight now, by whom, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.contests import Offer
from rules.fields import REQUIRED, Choice, Field, Text
from rules.sheet import Sheet
from rules.systems.pnc.character import options
from rules.systems.pnc.dice import band_of
from rules.systems.pnc.done import listed
from rules.systems.pnc.factors import CIRCUMSTANCES, FIELDS, button, roll_of, used
from rules.systems.pnc.fight.state import FIGHTING, WORDS, Attack, Combatant, Phase, State
from rules.systems.pnc.mulligans import MULLIGANS
from rules.systems.pnc.standard_roll import damage_of

Sheets = Mapping[str, Sheet]

MANNER = Text(name="words", label="How", most=1000, help="How it is done decides what a hit does.")
WHO = Text(name="who", label="Whom", default=REQUIRED, most=100)
WHICH = Text(name="which", label="Which", default=REQUIRED, most=10)
IN_WORDS = Text(name="words", label="In words", most=1000)
SAID = Text(name="words", label="In words", default=REQUIRED, most=1000)
WOUND = Text(name="words", label="The wound", default=REQUIRED, most=100, help="It is written on the sheet like this.")
STANDING = Choice(name="standing", label="And now they are", default=FIGHTING, options=tuple(WORDS.items()))
LEAVING = Choice(name="standing", label="You", default="surrendered", options=(
    ("surrendered", "surrender"), ("escaped", "escape")))
BACKFIRE = Choice(name="what", label="What it does", default="nothing", options=(
    ("nothing", "Nothing more"), ("wound", "The attacker is hurt: say how"),
    ("place", "The attacker goes last from now on"),
    ("turn", "The attacker loses the next turn"), ("free", "The defender gets a free attack"),
))


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal action now: the combatants', then the GM's."""
    own: list[Offer] = []
    match state.phase:
        case Phase.BLANK | Phase.OVER:
            return ()
        case Phase.INITIATIVE:
            for each in state.unplaced:
                own += _initiative(state, each, sheets[each.id])
        case Phase.TURN:
            for each in state.able:
                own += _turn(state, each, sheets[each.id])
        case _:
            if state.attack:
                own += _attack(state, state.attack, sheets)
    return (*own, *_gms(state))


def may_think_again(state: State, sheets: Sheets) -> tuple[str, ...]:
    """Who has a mulligan for their part of the attack, and has not let it stand."""
    if state.attack is None:
        return ()
    both = (state.combatant(state.attack.by), state.combatant(state.attack.target))
    return tuple(
        each.id for each in both
        if each.player and sheets[each.id].pool(MULLIGANS) and each.id not in state.attack.stands
    )


def _initiative(state: State, who: Combatant, sheet: Sheet) -> list[Offer]:
    if who.dice:
        return [Offer("keep", who.id, "Let it stand"), *_again(who, sheet, "Roll for your place again")]
    if state.settings.initiative == "d6":
        return [Offer("initiative", who.id, "Roll 1d6 for your place")]
    plain = button(roll_of((), open_ended=state.settings.open_ended))
    return [Offer("initiative", who.id, f"Roll for your place: {plain}", "The greatest degree acts first.",
                  _fields(sheet), {"features": options(sheet)}, rolls=True)]


def _turn(state: State, who: Combatant, sheet: Sheet) -> list[Offer]:
    own: list[Offer] = []
    lines = options(sheet)
    if who.id in state.acting or who.held:
        foes = tuple((each.id, _aim(each)) for each in state.fighting if each.side != who.side)
        at = Text(name="target", label="Whom", default=REQUIRED, most=100)
        own.append(Offer("attack", who.id, "Attack", "Your d20 against their 3d6.", (at, MANNER, *_fields(sheet)),
                         {"target": foes, "features": lines}, rolls=True))
        own.append(Offer("act", who.id, "Do something else", "It takes your turn. A roll for it is made at the table.",
                         (SAID,)))
        own.append(Offer("leave", who.id, "Give up, or get away", fields=(LEAVING, IN_WORDS)))
    if who.id in state.acting:
        own.insert(1, Offer("hold", who.id, "Hold your turn",
                            "Act later, up to your turn of the next time round; never before it has come."))
    if who.free_at and state.combatant(who.free_at).fights:
        foe = state.combatant(who.free_at).name
        told = "It lapses once you take your next turn."
        own.append(Offer("free_attack", who.id, f"Attack {foe}, free of cost", told, (MANNER, *_fields(sheet)),
                         {"features": lines}, rolls=True))
    return own


def _attack(state: State, attack: Attack, sheets: Sheets) -> list[Offer]:
    by, target = state.combatant(attack.by), state.combatant(attack.target)
    match state.phase:
        case Phase.DEFENCE:
            sheet = sheets[target.id]
            told = f"What helps you makes it harder for {by.name}."
            own_part = "Roll your part" if state.settings.opposed else "Defend: roll your part"
            lines = {"features": options(sheet, used(attack.weights))}
            answer = Offer("defend", target.id, own_part, told, _fields(sheet, attack), lines, rolls=True)
            return [*_own_factors(state, attack, sheets), answer]
        case Phase.STRIKE:
            return [Offer("strike", by.id, f"Roll the d20 against {attack.d6}")]
        case Phase.SECOND_THOUGHTS:
            own: list[Offer] = []
            for who in may_think_again(state, sheets):
                part = "the d20" if who == by.id else f"your {attack.roll.dice}d6"
                own += [Offer("stand", who, "Let it stand"),
                        *_again(state.combatant(who), sheets[who], f"Roll {part} again")]
            return own
        case Phase.WOUND:
            return [Offer("wound", by.id, "Put the wound into words", hit_in_words(attack, target.name), (WOUND,)),
                    Offer("unmarked", by.id, "It leaves no mark")]
    return []


def _own_factors(state: State, attack: Attack, sheets: Sheets) -> list[Offer]:
    """In an opposed roll whoever has the d20 says what bears on it while the other has not rolled."""
    if not state.settings.opposed:
        return []
    sheet = sheets[attack.by]
    lines = options(sheet, used(attack.weights))
    return [Offer("weigh", attack.by, "Say what bears on it", "Then the other one rolls first.",
                  _fields(sheet, attack), {"features": lines}, rolls=True)]


def hit_in_words(attack: Attack, name: str) -> str:
    """What a hit does, from its degree: `+4, sufficient success: Dunn is hurt.`"""
    degree = attack.thrown.degree if attack.thrown else 0
    return f"{attack.degree}, {band_of(degree)}: {name} is {damage_of(degree)}."


def _gms(state: State) -> list[Offer]:
    found: list[Offer] = []
    attack, phase = state.attack, state.phase
    if attack and phase == Phase.DEFENCE:
        name = state.combatant(attack.by).name
        found.append(Offer("judge", "", "Weigh the circumstances", f"As they are for {name}.", (CIRCUMSTANCES,)))
        if attack.weights:
            reasons = tuple((str(place), each.reason) for place, each in enumerate(attack.weights))
            found.append(Offer("dismiss", "", "Strike a factor", fields=(WHICH,), options={"which": reasons}))
    if attack and phase == Phase.WOUND:
        name = state.combatant(attack.target).name
        words = Text(name="words", label="The wound", most=100, help="Empty, it leaves no mark.")
        found.append(Offer("deal", "", "Say what the hit does", hit_in_words(attack, name), (words, STANDING)))
    if attack and phase == Phase.BACKFIRE:
        name = state.combatant(attack.by).name
        found.append(Offer("backfire", "", "Say what the failure does", f"{attack.degree}: it may turn on {name}.",
                           (BACKFIRE, Text(name="words", label="In words", most=100))))
    if phase == Phase.INITIATIVE and any(not each.dice for each in state.unplaced):
        waiting = listed([each.name for each in state.unplaced if not each.dice])
        found.append(Offer("roll_the_rest", "", "Roll for the rest", f"For {waiting}, without factors."))
    if phase in (Phase.INITIATIVE, Phase.TURN):
        if state.acting and phase == Phase.TURN:
            found.append(_about("skip", "Let a turn go by", (state.combatant(each) for each in state.acting)))
        unready = [each for each in state.fighting if not each.ready]
        if unready:
            told = "Who was caught off guard rolls for a place."
            found.append(_about("ready", "Let somebody act", unready, help=told))
        found.append(_about("stands", "Say how somebody stands", state.combatants, STANDING, IN_WORDS))
    title = "Leave it at that" if state.settings.opposed else "End the fight"
    found.append(Offer("end", "", title, fields=(IN_WORDS,)))
    return found


def _again(who: Combatant, sheet: Sheet, title: str) -> list[Offer]:
    left = sheet.pool(MULLIGANS) if who.player else 0
    told = f"It costs a mulligan point; you have {left}. The new dice count."
    return [Offer("mulligan", who.id, title, told)] if left else []


def _about(action: str, title: str, whom: Iterable[Combatant], *fields: Field, help: str = "") -> Offer:
    return Offer(action, "", title, help, (WHO, *fields), {"who": tuple((each.id, each.name) for each in whom)})


def _fields(sheet: Sheet, attack: Attack | None = None) -> tuple[Field, ...]:
    lines = options(sheet, used(attack.weights) if attack else ())
    return FIELDS if lines else (CIRCUMSTANCES,)


def _aim(who: Combatant) -> str:
    return who.name if who.ready else f"{who.name}, caught off guard"
