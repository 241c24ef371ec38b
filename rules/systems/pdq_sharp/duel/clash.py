"""What the dice come to: clash, volte-face, touch, and what tweaks make of them (PS-23, PS-24, PS-27)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from rules.engine import Event, Sheets
from rules.moves import Need, Roll, Step
from rules.sheet import Effect, Spend
from rules.systems.pdq_sharp.chart import signed
from rules.systems.pdq_sharp.duel import envenoming
from rules.systems.pdq_sharp.duel.dice import dice_against, loose_dice, over_the_lowest, put, side_given, total
from rules.systems.pdq_sharp.duel.forms import counting
from rules.systems.pdq_sharp.duel.state import (
    CLEAN,
    DEFENCE,
    DISARM,
    FEINTS,
    PARRY,
    RECOVER,
    Fencer,
    Phase,
    State,
    Sting,
    Throw,
    Wound,
)
from rules.systems.pdq_sharp.duel.turn import MOST_BONUS, DuelTurnMove, ranks_of_attack
from rules.systems.pdq_sharp.harm import ranks
from rules.systems.pdq_sharp.reading import TRAINING, lines_of, modifier_of
from rules.values import Value

MOST_WEIGHED = 3  # of the dice that nobody put anywhere, as many are tried on each side


@dataclass(frozen=True)
class Carried:
    """What a feint or a parry leaves for somebody's next turn (PS-27)."""

    who: str
    attack: int = 0
    defence: int = 0


@dataclass(frozen=True)
class Disarmed:
    """Somebody lost a weapon, and the forte that goes with it (PS-27)."""

    who: str
    forte: str


@dataclass(frozen=True)
class Clashed(Event[State]):
    """The dice of a pair or a trio were compared (PS-23)."""

    who: tuple[str, ...]
    wounds: tuple[Wound, ...]
    carried: tuple[Carried, ...] = ()
    disarmed: tuple[Disarmed, ...] = ()
    rearmed: tuple[str, ...] = ()
    stings: tuple[Sting, ...] = ()
    spent: tuple[str, ...] = ()  # whose one dose of poison did its work

    def after(self, state: State) -> State:
        state = replace(state, clashed=(*state.clashed, *self.who), wounds=(*state.wounds, *self.wounds),
                        stings=(*state.stings, *self.stings))
        for who in self.spent:
            state = state.with_(who, poison=CLEAN)
        for who in self.rearmed:
            state = state.with_(who, disarmed="")
        for lost in self.disarmed:
            state = state.with_(lost.who, disarmed=lost.forte)
        for left in self.carried:
            now = state.fencer(left.who)
            state = state.with_(left.who, next_attack=now.next_attack + left.attack,
                                next_defence=now.next_defence + left.defence)
        return state


@dataclass(frozen=True)
class Attack:
    """One attack as it stands: totals, what it hurts either of them, whether it touches, what a tweak makes of it."""

    by: str
    on: str
    attack: int
    defence: int
    touches: bool = False  # whether it succeeds
    hurts: int = 0  # ranks for the one who is attacked; none by a feint or a disarm (PS-27)
    costs: int = 0  # ranks for the attacker, an NPC by a tie (PS-24)
    tweak: str = ""  # of the attacker, aimed at this one
    parried: bool = False  # whether the other one only parries

    @property
    def margin(self) -> int:
        """By how much it got through, below 0 where it did not."""
        return self.attack - self.defence

    @property
    def tie(self) -> bool:
        """Whether both came to the same."""
        return not self.margin

    @property
    def left(self) -> tuple[Carried, ...]:
        """What a feint and a parry leave for the next turn; a tie that decides nothing leaves nothing (PS-27)."""
        if self.tie and not self.touches and not self.costs:
            return ()
        by = max(1, abs(self.margin))
        feint = Carried(self.by, attack=by) if self.touches else Carried(self.by, defence=-by)
        parry = Carried(self.on, attack=-by if self.touches else by)
        return (*((feint,) if self.tweak in FEINTS else ()), *((parry,) if self.parried else ()))

    @property
    def worth(self) -> int:
        """What it is worth to the attacker: ranks, and what is left for the next turn."""
        left = sum((left.attack + left.defence) * (1 if left.who == self.by else -1) for left in self.left)
        return self.hurts - self.costs + left + (self.tweak == DISARM and max(0, self.margin))


def lying(state: State, who: str) -> Throw | None:
    """Somebody's dice as they lie, those too that nobody put anywhere."""
    return _all_laid(state, tuple(state.reach(who))).throw_of(who)


def _all_laid(state: State, bout: Sequence[str]) -> State:
    """The dice of a bout as they lie: one after the other, by initiative, those that nobody put anywhere."""
    for fencer in state.order:
        throw = state.throw_of(fencer.id)
        if throw and fencer.id in bout and loose_dice(throw):
            state = state.with_throw(_laid(state, throw, bout))
    return state


def _laid(state: State, throw: Throw, bout: Sequence[str]) -> Throw:
    """Loose dice where they are worth most as all others lie, else over the lowest die; a squad's always there.

    The fourth highest of them lies over the lowest: only a few can matter.
    """
    usual = over_the_lowest(throw)
    if state.fencer(throw.who).squad:
        return usual
    trays, loose = [tray.to for tray in throw.trays if tray.dice], loose_dice(throw)[:MOST_WEIGHED]
    ways = [usual, *(over_the_lowest(put(throw, dict(zip(loose, places, strict=True))))
                     for places in product(trays, repeat=len(loose)) if len(trays) > 1)]
    return min(ways, key=lambda way: _weighed(_as_put(state.with_throw(way), bout), bout)[throw.who])


def attacks(state: State, bout: Sequence[str]) -> Iterator[Attack]:
    """The attacks of a pair or trio: for each two the quicker one's clash, then the volte-face (PS-23)."""
    return _as_put(_all_laid(state, bout), bout)


def _as_put(state: State, bout: Sequence[str]) -> Iterator[Attack]:
    """The attacks of a bout, dice that nobody put anywhere over the lowest ones."""
    for pair in state.pairs:
        if not {*pair} <= {*bout}:
            continue
        for by, on in (pair, pair[::-1]):
            mine, theirs = state.throw_of(by), state.throw_of(on)
            if mine and theirs and on in mine.attacks:
                yield _attack(state, mine, theirs)


def _attack(state: State, mine: Throw, theirs: Throw) -> Attack:
    attack, defence = total(mine, theirs.who), total(theirs, DEFENCE)
    pcs = state.fencer(mine.who).player, state.fencer(theirs.who).player
    hurts, costs = ranks_of_attack(attack - defence, *pcs)
    tweak = mine.tweak if mine.against == theirs.who else ""
    harm = hurts + mine.firearm + envenoming.adds(state, mine.who) if hurts and not tweak else 0
    return Attack(mine.who, theirs.who, attack, defence, hurts > 0, harm, costs, tweak, theirs.tweak == PARRY)


def balance(state: State, bout: Sequence[str]) -> dict[str, int]:
    """How badly off each of a bout is as the dice lie: what they take, less what they give."""
    return _weighed(attacks(state, bout), bout)


def _weighed(bouts_attacks: Iterable[Attack], bout: Sequence[str]) -> dict[str, int]:
    sums = dict.fromkeys(bout, 0)
    for attack in bouts_attacks:
        sums[attack.on] += attack.worth
        sums[attack.by] -= attack.worth
    return sums


def taken(state: State, who: str) -> tuple[int, int]:
    """The ranks that somebody gives and takes as the dice lie."""
    mine = [attack for attack in attacks(state, tuple(state.reach(who))) if who in (attack.by, attack.on)]
    gives = sum(attack.hurts if attack.by == who else attack.costs for attack in mine)
    return gives, sum(attack.costs if attack.by == who else attack.hurts for attack in mine)


def answering(state: State, bout: Sequence[str]) -> str:
    """Who says next whether the dice stand: whoever is worse off, of those who have not; "" when all have (PS-17)."""
    off = balance(state, bout)
    left = [who for who in bout if who not in state.stood]
    return max(left, key=lambda who: off[who], default="")


def deciders(state: State) -> tuple[str, ...]:
    """Those who are asked now, one of each pair or trio whose dice do not stand yet."""
    if not state.live:
        return ()
    answerers = (answering(state, bout) for bout in state.bouts if bout[0] not in state.clashed)
    return tuple(who for who in answerers if who)


def asked(state: State) -> tuple[Throw, ...]:
    """The dice of those who are asked now whether they stand."""
    asked = deciders(state) if state.phase is Phase.ELLIPSIS else ()
    return tuple(throw for who in asked if (throw := state.throw_of(who)))


def rolls_of(state: State, bout: Sequence[str] = ()) -> tuple[Roll, ...]:
    """Each two who are engaged as a move of the contract, where it can say what they threw."""
    rolls = []
    for first, second in state.pairs:
        throws = lying(state, first), lying(state, second)
        if throws[0] is None or throws[1] is None or (bout and first not in bout):
            continue
        sides = (side_given(throws[0], second, state.fencer(first).player),
                 side_given(throws[1], first, state.fencer(second).player))
        if sides[0] is None or sides[1] is None or any(_many(side) for side in sides):
            continue
        given: dict[str, Value] = {"first": sides[0], "second": sides[1]}
        dice = (*dice_against(throws[0], second), *dice_against(throws[1], first))
        outcome = DuelTurnMove().resolve(DuelTurnMove().read(given), dice)
        if not isinstance(outcome, Need):
            rolls.append(Roll(DuelTurnMove.name, given, dice, outcome.result))
    return tuple(rolls)


def _many(side: dict[str, Value] | None) -> bool:
    """Whether these are more dice than the contract counts: a large squad's."""
    dice = side["bonus_dice"] if side else 0
    return isinstance(dice, int) and dice > MOST_BONUS


@dataclass(frozen=True)
class Compared:
    """What a comparison led to."""

    event: Clashed
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...]
    rolls: tuple[Roll, ...]


def compare(state: State, sheets: Sheets, bout: Sequence[str]) -> Compared:
    """All attacks of a pair or trio at the same moment: even one just zeroed out strikes back (PS-23)."""
    hurt: Counter[str] = Counter()
    carried: list[Carried] = []
    disarmed: list[Disarmed] = []
    steps: list[Step] = []
    hits: list[tuple[str, str]] = []
    for attack in attacks(state, bout):
        back = "Volte-face: " if _is_answer(state, attack) else ""
        steps.append(Step("PS-23", back + text_of(state, attack)))
        hurt[attack.by] += attack.costs
        if attack.tie and (attack.touches or attack.costs):
            steps.append(Step("PS-24", "A tie is the player’s character’s: the NPC takes a rank."))
        hurt[attack.on] += attack.hurts
        hits += [(attack.by, attack.on)] if attack.hurts else []
        carried += attack.left
        steps += [Step("PS-27", text) for text in left_in_words(state, attack)]
        if attack.tweak == DISARM and attack.touches:
            forte, mod = _weapon(state, sheets, state.fencer(attack.on))
            lost = forte and max(1, attack.margin) >= mod
            disarmed += [Disarmed(attack.on, forte)] if lost else []
            so = "is disarmed" if lost else "keeps the weapon"
            text = f"{state.fencer(attack.on).name} {so}: {max(1, attack.margin)} against a MOD of {mod}."
            steps.append(Step("PS-27", text))
    wounds = tuple(Wound(who, hurt[who], state.settings.harm, _why(state, who)) for who in bout if hurt[who])
    steps += [Step("PS-23", f"{state.fencer(wound.who).name}: {ranks(wound.amount, wound.kind)}.") for wound in wounds]
    throws = [throw for who in bout if (throw := state.throw_of(who))]
    parried = [state.fencer(throw.who).name for throw in throws if throw.tweak == PARRY]
    if len(parried) == len(throws):
        steps.append(Step("PS-27", f"{' and '.join(parried)} both wait for an attack: nothing happens this turn."))
    rearmed = tuple(throw.who for throw in throws if throw.tweak == RECOVER)
    steps += [Step("PS-27", f"{state.fencer(who).name} has a weapon again.") for who in rearmed]
    taught, effects = _taught(state, bout)
    venom = envenoming.poisoned(state, sheets, hits)
    event = Clashed(tuple(bout), wounds, tuple(carried), tuple(disarmed), rearmed, venom.stings, venom.spent)
    return Compared(event, (*steps, *taught, *venom.steps), (*effects, *venom.effects), rolls_of(state, bout))


def _is_answer(state: State, attack: Attack) -> bool:
    return (attack.on, attack.by) in state.pairs


def text_of(state: State, attack: Attack) -> str:
    """An attack in a sentence: both totals, and what they come to."""
    by, on = state.fencer(attack.by).name, state.fencer(attack.on).name
    verdict = "turned aside"
    if attack.touches:
        verdict = f"it gets through by {attack.margin}" if attack.tweak else f"a touch, {attack.hurts}"
    elif attack.tie:
        verdict = f"a tie, which costs {by} a rank" if attack.costs else "a tie, and nothing happens"
    return f"{by} {attack.attack} against {on} {attack.defence}: {verdict}."


def left_in_words(state: State, attack: Attack) -> Iterator[str]:
    """What a feint and a parry leave for the next turn, as sentences (PS-27)."""
    for left in attack.left:
        name, more = state.fencer(left.who).name, left.attack + left.defence
        if left.who == attack.on:
            yield f"{name}: the parry {'holds' if more > 0 else 'fails'}. {signed(more)} on the next attack."
        elif left.attack:
            yield f"{name}: the feint takes. {signed(more)} on the next attack instead of damage."
        else:
            yield f"{name}: the feint is seen through. {signed(more)} on the next defence."


def _weapon(state: State, sheets: Sheets, on: Fencer) -> tuple[str, int]:
    """The forte that goes with somebody's weapon, the best of those that count, and its MOD."""
    best = max(lines_of(sheets[on.id], counting(sheets[on.id], on)), key=modifier_of, default=None)
    return (best.id, modifier_of(best)) if best else ("", 0)


def _why(state: State, who: str) -> str:
    return f"{state.names(state.foes_of(who))} in a duel"


def _taught(state: State, bout: Sequence[str]) -> tuple[tuple[Step, ...], tuple[Effect, ...]]:
    """A training point for each roll of a player's character that failed: each attack, and the one defence (PS-14)."""
    failed: Counter[str] = Counter()
    for who in bout:
        throw = state.throw_of(who)
        if throw is None or not state.fencer(who).player:
            continue
        with_dice = {tray.to for tray in throw.trays if tray.dice}
        mine = list(attacks(state, bout))
        failed[who] += sum(attack.by == who and attack.on in with_dice and attack.margin < 0 for attack in mine)
        failed[who] += DEFENCE in with_dice and any(attack.on == who and attack.touches for attack in mine)
    steps = tuple(
        Step("PS-14", f"{state.fencer(who).name} learns from it: {many} training point{'' if many == 1 else 's'}.")
        for who, many in failed.items() if many)
    return steps, tuple(Spend(who, TRAINING, many) for who, many in failed.items() if many)


EVENTS: tuple[type[Event[State]], ...] = (Clashed,)
