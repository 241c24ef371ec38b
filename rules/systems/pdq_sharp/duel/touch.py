"""What the dice come to: clash, volte-face, touch, and what tweaks make of them (PS-23, PS-24, PS-27)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.moves import Need, Roll, Step
from rules.sheet import Effect, Spend
from rules.systems.pdq_sharp.duel import poison
from rules.systems.pdq_sharp.duel.events import Carried, Clashed, Disarmed
from rules.systems.pdq_sharp.duel.state import (
    DEFENCE,
    DISARM,
    FEINTS,
    PARRY,
    RECOVER,
    Fencer,
    State,
    Throw,
    Wound,
)
from rules.systems.pdq_sharp.duel.trays import Sheets, dice_against, side_given, total
from rules.systems.pdq_sharp.duel_turn import MOST_BONUS, DuelTurnMove
from rules.systems.pdq_sharp.harm import ranks
from rules.systems.pdq_sharp.reading import TRAINING, modifier_of
from rules.values import Value


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
    hurts = costs = 0
    more = mine.firearm + poison.adds(state, mine.who)
    if attack > defence:
        hurts = attack - defence + more
    elif attack == defence and pcs[0] != pcs[1]:
        hurts, costs = (1 + more, 0) if pcs[0] else (0, 1)
    return Attack(mine.who, theirs.who, attack, defence, hurts, costs, attack == defence)


def balance(state: State, bout: Sequence[str]) -> dict[str, int]:
    """How badly off each of a bout is as the dice lie: the ranks that they take, less those that they give."""
    sums = dict.fromkeys(bout, 0)
    for each in attacks(state, bout):
        net = each.hurts - each.costs
        sums[each.on] += net
        sums[each.by] -= net
    return sums


def taken(state: State, who: str) -> tuple[int, int]:
    """The ranks that somebody gives and takes as the dice lie, without what a tweak makes of them."""
    found = [each for each in attacks(state, tuple(state.reach(who))) if who in (each.by, each.on)]
    gives = sum(each.hurts if each.by == who else each.costs for each in found)
    return gives, sum(each.costs if each.by == who else each.hurts for each in found)


def rolls_of(state: State, bout: Sequence[str] = ()) -> tuple[Roll, ...]:
    """Each two who are engaged as a move of the contract, where it can say what they threw."""
    found = []
    for first, second in state.pairs:
        throws = state.throw_of(first), state.throw_of(second)
        if throws[0] is None or throws[1] is None or (bout and first not in bout):
            continue
        sides = (side_given(throws[0], second, state.fencer(first).player),
                 side_given(throws[1], first, state.fencer(second).player))
        if sides[0] is None or sides[1] is None or any(_many(each) for each in sides):
            continue
        given: dict[str, Value] = {"first": sides[0], "second": sides[1]}
        dice = (*dice_against(throws[0], second), *dice_against(throws[1], first))
        outcome = DuelTurnMove().resolve(DuelTurnMove().read(given), dice)
        if not isinstance(outcome, Need):
            found.append(Roll(DuelTurnMove.name, given, dice, outcome.result))
    return tuple(found)


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
    for each in attacks(state, bout):
        back = "Volte-face: " if _is_answer(state, each) else ""
        steps.append(Step("PS-23", back + _text_of(state, each)))
        hurt[each.by] += each.costs
        if each.tie and each.hurts + each.costs:
            steps.append(Step("PS-24", "A tie is the player’s character’s: the NPC takes a rank."))
        mine, theirs = state.throw_of(each.by), state.throw_of(each.on)
        if mine and mine.against == each.on and mine.tweak:
            _tweaked(state, sheets, each, mine.tweak, carried, disarmed, steps)
        else:
            hurt[each.on] += each.hurts
            hits += [(each.by, each.on)] if each.touches else []
        if theirs and theirs.tweak == PARRY:
            _parried(state, each, carried, steps)
    wounds = tuple(Wound(who, hurt[who], state.settings.harm, _why(state, who)) for who in bout if hurt[who])
    steps += [Step("PS-23", f"{state.fencer(each.who).name}: {ranks(each.amount, each.kind)}.") for each in wounds]
    throws = [throw for who in bout if (throw := state.throw_of(who))]
    parried = [state.fencer(each.who).name for each in throws if each.tweak == PARRY]
    if len(parried) == len(throws):
        steps.append(Step("PS-27", f"{' and '.join(parried)} both wait for an attack: nothing happens this turn."))
    rearmed = tuple(each.who for each in throws if each.tweak == RECOVER)
    steps += [Step("PS-27", f"{state.fencer(each).name} has a weapon again.") for each in rearmed]
    taught, effects = _taught(state, bout)
    venom = poison.poisoned(state, sheets, hits)
    event = Clashed(tuple(bout), wounds, tuple(carried), tuple(disarmed), rearmed, venom.stings, venom.spent)
    return Compared(event, (*steps, *taught, *venom.steps), (*effects, *venom.effects), rolls_of(state, bout))


def _is_answer(state: State, each: Attack) -> bool:
    return (each.on, each.by) in state.pairs


def _text_of(state: State, each: Attack) -> str:
    by, on = state.fencer(each.by).name, state.fencer(each.on).name
    verdict = "turned aside"
    if each.touches:
        verdict = f"a touch, {each.hurts}"
    elif each.tie:
        verdict = f"a tie, which costs {by} a rank" if each.costs else "a tie, and nothing happens"
    return f"{by} {each.attack} against {on} {each.defence}: {verdict}."


def _tweaked(
    state: State, sheets: Sheets, each: Attack, tweak: str, carried: list[Carried], disarmed: list[Disarmed],
    steps: list[Step],
) -> None:
    """An attack that is a feint or a disarm does no damage (PS-27)."""
    by, on = state.fencer(each.by).name, state.fencer(each.on)
    if tweak in FEINTS:
        if each.touches:
            gained = max(1, each.margin)
            carried.append(Carried(each.by, attack=gained))
            steps.append(Step("PS-27", f"{by}: the feint takes. +{gained} on the next attack instead of damage."))
        elif not each.tie or each.costs:
            lost = max(1, -each.margin)
            carried.append(Carried(each.by, defence=-lost))
            steps.append(Step("PS-27", f"{by}: the feint is seen through. −{lost} on the next defence."))
    elif tweak == DISARM and each.touches:
        forte, mod = _weapon(state, sheets, on)
        if forte and max(1, each.margin) >= mod:
            disarmed.append(Disarmed(on.id, forte))
            steps.append(Step("PS-27", f"{on.name} is disarmed: {max(1, each.margin)} against a MOD of {mod}."))
        else:
            steps.append(Step("PS-27", f"{on.name} keeps the weapon: {max(1, each.margin)} against a MOD of {mod}."))


def _weapon(state: State, sheets: Sheets, on: Fencer) -> tuple[str, int]:
    """The forte that goes with somebody's weapon, the best of those that count, and its MOD."""
    found = [trait for each in on.fortes if (trait := sheets[on.id].trait(each))]
    best = max(found, key=modifier_of, default=None)
    return (best.id, modifier_of(best)) if best else ("", 0)


def _parried(state: State, each: Attack, carried: list[Carried], steps: list[Step]) -> None:
    """The margin of a defence that was all somebody did helps their next attack, or hinders it (PS-27)."""
    name = state.fencer(each.on).name
    if each.touches:
        lost = max(1, each.margin)
        carried.append(Carried(each.on, attack=-lost))
        steps.append(Step("PS-27", f"{name}: the parry fails. −{lost} on the next attack."))
    elif not each.tie or each.costs:
        gained = max(1, -each.margin)
        carried.append(Carried(each.on, attack=gained))
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
        with_dice = {each.to for each in throw.trays if each.dice}
        mine = list(attacks(state, bout))
        failed[who] += sum(each.by == who and each.on in with_dice and each.margin < 0 for each in mine)
        failed[who] += DEFENCE in with_dice and any(each.on == who and each.touches for each in mine)
    steps = tuple(
        Step("PS-14", f"{state.fencer(who).name} learns from it: {many} training point{'' if many == 1 else 's'}.")
        for who, many in failed.items() if many)
    return steps, tuple(Spend(who, TRAINING, many) for who, many in failed.items() if many)
