"""What may be done in a fight now, by whom, and what it asks for. Nothing else is accepted."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.engine import Sheets
from rules.fields import REQUIRED, Choice, Field, Text
from rules.procedure import Offer, is_known
from rules.sheet import Sheet
from rules.systems.pnc.character import LONGEST, options
from rules.systems.pnc.factors import CIRCUMSTANCES, FIELDS, button, roll_of, used
from rules.systems.pnc.fight.state import FIGHTING, WORDS, Aftermath, Attack, Combatant, Phase, State
from rules.systems.pnc.mulligans import MULLIGANS, left_of
from rules.systems.pnc.roll_odds import spread
from rules.systems.pnc.standard_roll import damage_of
from rules.values import Value
from rules.wording import join, percent

TARGET = Text(name="target", label="Whom", default=REQUIRED, most=100, missing="Choose a target.")
MANNER = Text(name="words", label="How", most=1000, help="A hit is written on their sheet in these words.")
WHO = Text(name="who", label="Whom", default=REQUIRED, most=100, missing="Choose somebody.")
WHICH = Text(name="which", label="Which", default=REQUIRED, most=10, missing="Choose a factor.")
IN_WORDS = Text(name="words", label="In words", most=1000)
SAID = Text(name="words", label="What you do", default=REQUIRED, most=1000)
WOUND = Text(name="words", label="The wound", default=REQUIRED, most=LONGEST, missing="Say what the wound is.",
             help="It is written on the sheet like this.")
WOUND_OR_NONE = Text(name="words", label="The wound", most=LONGEST, help="Empty, it leaves no mark.")
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
            own = [_initiative(state, each, sheets[each.id]) for each in state.unplaced if not each.dice]
        case Phase.TURN:
            own = [offer for each in state.able for offer in _turn(state, each, sheets[each.id])]
        case Phase.DEFENCE | Phase.STRIKE | Phase.SECOND_THOUGHTS:
            own = _attack(state, state.attack, sheets) if state.attack else []
    if not state.attack:
        own += _afterwards(state, sheets)
    return (*own, *_gms(state))


def may_roll_again(state: State, sheets: Sheets) -> tuple[Combatant, ...]:
    """Those who have a mulligan for a part of the last attack, or for their place, which nobody acted upon (PN-09)."""
    return tuple(each for each in state.fighting if _points(each, sheets[each.id]) and (
        rolls_attack_again(state, each.id) or _rolls_place_again(state, each)))


def rolls_attack_again(state: State, who: str) -> bool:
    """Whether it is their part of the attack that was read last that may fall anew."""
    after = state.aftermath
    return bool(after and after.may_roll_again and who in (after.attack.by, after.attack.target))


def hit_in_words(attack: Attack, name: str) -> str:
    """What a hit does, from its degree: `+4, sufficient success: Dunn is hurt.`"""
    return f"{attack.reading}: {name} is {damage_of(attack.degree)}."


def _rolls_place_again(state: State, who: Combatant) -> bool:
    # Whoever acts now has the best place there is.
    return who.id in state.new_places and who.dice is not None and who.id not in state.acting


def _initiative(state: State, who: Combatant, sheet: Sheet) -> Offer:
    if state.settings.initiative == "d6":
        return Offer("initiative", who.id, "Roll 1d6 for your place", "The highest acts first.", rolls=True)
    plain = button(roll_of((), open_ended=state.settings.open_ended))
    return Offer("initiative", who.id, f"Roll for your place: {plain}", "The greatest degree acts first.",
                 _fields(sheet), {"features": options(sheet)}, rolls=True)


def _turn(state: State, who: Combatant, sheet: Sheet) -> list[Offer]:
    own: list[Offer] = []
    lines = options(sheet)
    if who.id in state.acting or who.held:
        foes = tuple((each.id, _aim(each)) for each in state.fighting if each.side != who.side)
        own.append(Offer("attack", who.id, "Attack", "Your d20 against their 3d6. They roll first.",
                         (TARGET, MANNER, *_fields(sheet)), {"target": foes, "features": lines}, rolls=True,
                         now=_likely(who, [foe for foe, _ in foes])))
        own.append(Offer("act", who.id, "Do something else",
                         "It takes your turn. If it needs a roll, make that at the table.", (SAID,)))
        own.append(Offer("leave", who.id, "Surrender or escape", "You are out of the fight then.",
                         (LEAVING, IN_WORDS)))
    if who.id in state.acting:
        own.insert(1, Offer("hold", who.id, "Hold your turn",
                            "Act later, up to your turn of the next round; never before it has come."))
    if who.free_at and state.combatant(who.free_at).fights:
        foe = state.combatant(who.free_at).name
        own.append(Offer("free_attack", who.id, f"Attack {foe} for free",
                         "It does not take your turn. Once you take your next turn, it is gone.",
                         (MANNER, *_fields(sheet)), {"features": lines}, rolls=True))
    return own


def _likely(who: Combatant, foes: Sequence[str]) -> dict[str, Value] | None:
    """The one foe, or of several the one with whom they last exchanged an attack."""
    likely = foes if len(foes) == 1 else [each for each in who.met if each in foes]
    return {"target": likely[-1]} if likely else None


def _attack(state: State, attack: Attack, sheets: Sheets) -> list[Offer]:
    by, target = state.combatant(attack.by), state.combatant(attack.target)
    match state.phase:
        case Phase.DEFENCE:
            sheet = sheets[target.id]
            own_part = "Roll your part" if state.settings.opposed else "Defend"
            title = f"{own_part}: roll {attack.roll.dice}d6" if is_known(sheets, by.id) else own_part
            lines = {"features": options(sheet, used(attack.weights))}
            help = f"What helps you makes it harder for {by.name}."
            answer = Offer("defend", target.id, title, help, _fields(sheet, attack), lines, rolls=True)
            return [*_own_factors(state, attack, sheets), answer]
        case Phase.STRIKE:
            return [Offer("strike", by.id, f"Roll the d20 against {attack.d6}", rolls=True)]
        case Phase.SECOND_THOUGHTS if state.loser:
            part = "the d20" if state.loser.id == by.id else f"your {attack.roll.dice}d6"
            return [Offer("stand", state.loser.id, f"Let it stand: {attack.reading}"),
                    *_again(state.loser, sheets[state.loser.id], part, _chance(attack, state.loser.id, opposed=True))]
    return []


def _own_factors(state: State, attack: Attack, sheets: Sheets) -> list[Offer]:
    """In an opposed roll whoever has the d20 says what bears on it while the other has not rolled."""
    if not state.settings.opposed:
        return []
    sheet = sheets[attack.by]
    lines = options(sheet, used(attack.weights))
    return [Offer("weigh", attack.by, "Add what makes it easier or harder", "Then the other one rolls first.",
                  _fields(sheet, attack), {"features": lines}, rolls=True)]


def _afterwards(state: State, sheets: Sheets) -> list[Offer]:
    """What those of the last attack may still do: roll again until somebody acts, and say what the wound is."""
    own: list[Offer] = []
    after = state.aftermath
    if after and after.attack.success:
        target = state.combatant(after.attack.target).name
        said = f"Now it says: {after.wound}." if after.wound else "Now it leaves no mark."
        own.append(Offer("wound", after.attack.by, f"Describe the wound of {target}",
                         f"{hit_in_words(after.attack, target)} {said}", (WOUND,), now={"words": after.wound}))
        if after.wound:
            own.append(Offer("unmarked", after.attack.by, "Remove the wound", f"The hit leaves no mark on {target}."))
    for who in may_roll_again(state, sheets):
        after = state.aftermath if rolls_attack_again(state, who.id) else None
        own += _again(who, sheets[who.id], _part(state, who), _chance(after.attack, who.id) if after else "")
    return own


def _part(state: State, who: Combatant) -> str:
    """What of theirs would fall again."""
    if state.aftermath is None or not rolls_attack_again(state, who.id):
        return "for your place"
    attack = state.aftermath.attack
    return "the d20" if who.id == attack.by else f"your {attack.roll.dice}d6"


def _chance(attack: Attack, who: str, *, opposed: bool = False) -> str:
    """What new dice of one part may come to while the other lies: `: 38.5 % to hit`."""
    mine = who == attack.by
    found = spread(attack.roll, d6=attack.d6) if mine else spread(attack.roll, d20=(attack.first, attack.second))
    if opposed:
        return f": {percent(found.success if mine else 1 - found.success)} to prevail"
    if mine and attack.success:
        return f": {percent(found.better(attack.degree))} to hit harder, {percent(1 - found.success)} to miss"
    return f": {percent(found.success)} to hit" if mine else f": {percent(1 - found.success)} that it misses"


def _again(who: Combatant, sheet: Sheet, part: str, chance: str) -> list[Offer]:
    points = _points(who, sheet)
    help = f"It costs a mulligan point; {left_of(points)}. The new dice count, whatever they show."
    return [Offer("mulligan", who.id, f"Roll {part} again{chance}", help, rolls=True)] if points else []


def _points(who: Combatant, sheet: Sheet) -> int:
    return sheet.pool(MULLIGANS) if who.player else 0


def _gms(state: State) -> list[Offer]:
    found: list[Offer] = []
    attack, phase = state.attack, state.phase
    if attack and phase == Phase.DEFENCE:
        name = state.combatant(attack.by).name
        found.append(Offer("judge", "", "Add circumstances", f"What makes it easier or harder for {name}.",
                           (CIRCUMSTANCES,)))
        if attack.weights:
            reasons = tuple((str(place), each.reason) for place, each in enumerate(attack.weights))
            found.append(Offer("dismiss", "", "Remove a factor", fields=(WHICH,), options={"which": reasons}))
    if state.aftermath and not attack:
        found += _rulings(state, state.aftermath)
    if phase == Phase.INITIATIVE:
        waiting = join([each.name for each in state.unplaced])
        found.append(Offer("roll_the_rest", "", "Roll for the rest", f"For {waiting}, without factors.", rolls=True))
    if phase in (Phase.INITIATIVE, Phase.TURN):
        if state.acting and phase == Phase.TURN:
            found.append(_about("skip", "Skip a turn", (state.combatant(each) for each in state.acting)))
        unready = [each for each in state.fighting if not each.ready]
        if unready:
            found.append(_about("ready", "Let somebody act", unready,
                                help="Who was caught off guard rolls for a place in the order."))
        found.append(_about("stands", "Take somebody out, or bring them back", state.combatants, STANDING, IN_WORDS))
    title = "End the roll" if state.settings.opposed else "End the fight"
    found.append(Offer("end", "", title, fields=(IN_WORDS,)))
    return found


def _rulings(state: State, after: Aftermath) -> list[Offer]:
    """The GM's say on the attack that was read last."""
    attack = after.attack
    if attack.success:
        target = state.combatant(attack.target)
        return [Offer("deal", "", "Say what the hit does", hit_in_words(attack, target.name),
                      (WOUND_OR_NONE, STANDING), now={"words": after.wound, "standing": target.standing})]
    if after.backfires:
        name = state.combatant(attack.by).name
        return [Offer("backfire", "", "Say what the failure does", f"{attack.reading}: it may turn on {name}.",
                      (BACKFIRE, Text(name="words", label="In words", most=LONGEST)))]
    return []


def _about(action: str, title: str, whom: Iterable[Combatant], *fields: Field, help: str = "") -> Offer:
    return Offer(action, "", title, help, (WHO, *fields), {"who": tuple((each.id, each.name) for each in whom)})


def _fields(sheet: Sheet, attack: Attack | None = None) -> tuple[Field, ...]:
    lines = options(sheet, used(attack.weights) if attack else ())
    return FIELDS if lines else (CIRCUMSTANCES,)


def _aim(who: Combatant) -> str:
    return who.name if who.ready else f"{who.name}, caught off guard"
