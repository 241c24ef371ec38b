"""What the dice come to: clash, volte-face, touch, and what tweaks make of them (PS-23, PS-24, PS-27)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Event, Sheets
from rules.moves import Need, Roll, Step
from rules.sheet import Effect, Spend
from rules.systems.pdq_sharp.duel import poison
from rules.systems.pdq_sharp.duel.dice import dice_against, side_given, total
from rules.systems.pdq_sharp.duel.state import (
    CLEAN,
    DEFENCE,
    DISARM,
    FEINTS,
    PARRY,
    RECOVER,
    Fencer,
    State,
    Sting,
    Throw,
    Wound,
)
from rules.systems.pdq_sharp.duel.turn import MOST_BONUS, DuelTurnMove, ranks_of_attack
from rules.systems.pdq_sharp.harm import ranks
from rules.systems.pdq_sharp.reading import TRAINING, modifier_of
from rules.values import Value


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
    """One attack as it stands: totals, what it hurts either of them, and whether it touches."""

    by: str
    on: str
    attack: int
    defence: int
    hurts: int = 0  # ranks for the one who is attacked
    costs: int = 0  # ranks for the attacker, an NPC by a tie (PS-24)
    tie: bool = False

    @property
    def margin(self) -> int:
        """By how much it got through, below 0 where it did not."""
        return self.attack - self.defence

    @property
    def touches(self) -> bool:
        """Whether the attack succeeds."""
        return self.hurts > 0


def attacks(state: State, bout: Sequence[str]) -> Iterator[Attack]:
    """The attacks of a pair or trio: for each two the quicker one's clash, then the volte-face (PS-23)."""
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
    if hurts:
        hurts += mine.firearm + poison.adds(state, mine.who)
    return Attack(mine.who, theirs.who, attack, defence, hurts, costs, attack == defence)


def balance(state: State, bout: Sequence[str]) -> dict[str, int]:
    """How badly off each of a bout is as the dice lie: the ranks that they take, less those that they give."""
    sums = dict.fromkeys(bout, 0)
    for attack in attacks(state, bout):
        net = attack.hurts - attack.costs
        sums[attack.on] += net
        sums[attack.by] -= net
    return sums


def taken(state: State, who: str) -> tuple[int, int]:
    """The ranks that somebody gives and takes as the dice lie, without what a tweak makes of them."""
    mine = [attack for attack in attacks(state, tuple(state.reach(who))) if who in (attack.by, attack.on)]
    gives = sum(attack.hurts if attack.by == who else attack.costs for attack in mine)
    return gives, sum(attack.costs if attack.by == who else attack.hurts for attack in mine)


def rolls_of(state: State, bout: Sequence[str] = ()) -> tuple[Roll, ...]:
    """Each two who are engaged as a move of the contract, where it can say what they threw."""
    rolls = []
    for first, second in state.pairs:
        throws = state.throw_of(first), state.throw_of(second)
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
        steps.append(Step("PS-23", back + _text_of(state, attack)))
        hurt[attack.by] += attack.costs
        if attack.tie and attack.hurts + attack.costs:
            steps.append(Step("PS-24", "A tie is the player’s character’s: the NPC takes a rank."))
        mine, theirs = state.throw_of(attack.by), state.throw_of(attack.on)
        if mine and mine.against == attack.on and mine.tweak:
            _tweaked(state, sheets, attack, mine.tweak, carried, disarmed, steps)
        else:
            hurt[attack.on] += attack.hurts
            hits += [(attack.by, attack.on)] if attack.touches else []
        if theirs and theirs.tweak == PARRY:
            _parried(state, attack, carried, steps)
    wounds = tuple(Wound(who, hurt[who], state.settings.harm, _why(state, who)) for who in bout if hurt[who])
    steps += [Step("PS-23", f"{state.fencer(wound.who).name}: {ranks(wound.amount, wound.kind)}.") for wound in wounds]
    throws = [throw for who in bout if (throw := state.throw_of(who))]
    parried = [state.fencer(throw.who).name for throw in throws if throw.tweak == PARRY]
    if len(parried) == len(throws):
        steps.append(Step("PS-27", f"{' and '.join(parried)} both wait for an attack: nothing happens this turn."))
    rearmed = tuple(throw.who for throw in throws if throw.tweak == RECOVER)
    steps += [Step("PS-27", f"{state.fencer(who).name} has a weapon again.") for who in rearmed]
    taught, effects = _taught(state, bout)
    venom = poison.poisoned(state, sheets, hits)
    event = Clashed(tuple(bout), wounds, tuple(carried), tuple(disarmed), rearmed, venom.stings, venom.spent)
    return Compared(event, (*steps, *taught, *venom.steps), (*effects, *venom.effects), rolls_of(state, bout))


def _is_answer(state: State, attack: Attack) -> bool:
    return (attack.on, attack.by) in state.pairs


def _text_of(state: State, attack: Attack) -> str:
    by, on = state.fencer(attack.by).name, state.fencer(attack.on).name
    verdict = "turned aside"
    if attack.touches:
        verdict = f"a touch, {attack.hurts}"
    elif attack.tie:
        verdict = f"a tie, which costs {by} a rank" if attack.costs else "a tie, and nothing happens"
    return f"{by} {attack.attack} against {on} {attack.defence}: {verdict}."


def _tweaked(
    state: State, sheets: Sheets, attack: Attack, tweak: str, carried: list[Carried], disarmed: list[Disarmed],
    steps: list[Step],
) -> None:
    """An attack that is a feint or a disarm does no damage (PS-27)."""
    by, on = state.fencer(attack.by).name, state.fencer(attack.on)
    if tweak in FEINTS:
        if attack.touches:
            gained = max(1, attack.margin)
            carried.append(Carried(attack.by, attack=gained))
            steps.append(Step("PS-27", f"{by}: the feint takes. +{gained} on the next attack instead of damage."))
        elif not attack.tie or attack.costs:
            lost = max(1, -attack.margin)
            carried.append(Carried(attack.by, defence=-lost))
            steps.append(Step("PS-27", f"{by}: the feint is seen through. −{lost} on the next defence."))
    elif tweak == DISARM and attack.touches:
        forte, mod = _weapon(state, sheets, on)
        if forte and max(1, attack.margin) >= mod:
            disarmed.append(Disarmed(on.id, forte))
            steps.append(Step("PS-27", f"{on.name} is disarmed: {max(1, attack.margin)} against a MOD of {mod}."))
        else:
            steps.append(Step("PS-27", f"{on.name} keeps the weapon: {max(1, attack.margin)} against a MOD of {mod}."))


def _weapon(state: State, sheets: Sheets, on: Fencer) -> tuple[str, int]:
    """The forte that goes with somebody's weapon, the best of those that count, and its MOD."""
    lines = [trait for forte in on.fortes if (trait := sheets[on.id].trait(forte))]
    best = max(lines, key=modifier_of, default=None)
    return (best.id, modifier_of(best)) if best else ("", 0)


def _parried(state: State, attack: Attack, carried: list[Carried], steps: list[Step]) -> None:
    """The margin of a defence that was all somebody did helps their next attack, or hinders it (PS-27)."""
    name = state.fencer(attack.on).name
    if attack.touches:
        lost = max(1, attack.margin)
        carried.append(Carried(attack.on, attack=-lost))
        steps.append(Step("PS-27", f"{name}: the parry fails. −{lost} on the next attack."))
    elif not attack.tie or attack.costs:
        gained = max(1, -attack.margin)
        carried.append(Carried(attack.on, attack=gained))
        steps.append(Step("PS-27", f"{name}: the parry holds. +{gained} on the next attack."))


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
