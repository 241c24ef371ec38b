"""An attack: one side's roll against another's roll or target number, and the damage (PQ-12 to PQ-14)."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Flag, Group
from rules.moves import Die, Face, MoveKind, Need, Outcome, Roll, Step, field_of, take
from rules.odds import spread, sum_of_dice
from rules.systems.pdq.roll import MOST_QUALITIES, Side, as_move, given_of, side_fields, side_of
from rules.values import BadMove, Value
from rules.wording import added

BY_WEAKNESS = 2  # damage more, where a weakness bears on the first of the scene (PQ-14)


@dataclass(frozen=True)
class Strike:
    """An attack on one defender: both sides and what adds to the damage."""

    attacker: Side
    defender: Side
    static_defence: bool = False
    weapon: bool = False
    surprise: bool = False
    weakness: bool = False
    first_damage: bool = False

    @property
    def defence_dice(self) -> int:
        """How many dice the defender rolls: none when standing, failing, or not needed at all."""
        return 0 if self.static_defence or self.attacker.fails else self.defender.dice

    @property
    def standing(self) -> int:
        """The target number of the highest quality applied, which shifts do not move (PQ-13)."""
        return max(self.defender.applied).target

    @property
    def extras(self) -> tuple[tuple[int, str], ...]:
        """What adds to the damage of a higher attack, with the reason (PQ-14)."""
        past = self.attacker.extra_dice
        named = (
            (2 if self.weapon else 0, "for the weapon"),
            (past, "for upshifts past Master"),
            (1 if self.surprise else 0, "for the complete surprise"),
            (BY_WEAKNESS if self.weakness and self.first_damage else 0, "for a weakness at the first damage"),
        )
        return tuple(extra for extra in named if extra[0])


@dataclass(frozen=True)
class Blow:
    """What an attack came to. Both numbers are None where no dice fell because the attacker's downshifts failed it."""

    attack: int | None
    defence: int | None
    to_attacker: int = 0
    to_defender: int = 0

    @property
    def result(self) -> dict[str, Value]:
        """The contract's fields."""
        given: dict[str, Value] = {"automatic": "failure"} if self.attack is None else {}
        damage = {"attacker": self.to_attacker, "defender": self.to_defender}
        return {**given, "attack": self.attack, "defence": self.defence, "damage": damage}


def strike(move: Strike, thrown: int, parried: int) -> Blow:
    """What the sums of both sides' dice lead to (0 for a side that rolls none). PQ-12 to PQ-14.

    A reaction that fails by downshift counts 0 and is hit for at least 1, which the sources leave open.
    """
    if move.attacker.fails:
        return Blow(None, None)
    attack = thrown + move.attacker.modifier
    extra = sum(number for number, _ in move.extras)
    if not move.static_defence and move.defender.fails:
        return Blow(attack, 0, 0, max(1, attack) + extra)
    defence = move.standing if move.static_defence else parried + move.defender.modifier
    if attack == defence:
        return Blow(attack, defence, 1, 1)
    return Blow(attack, defence, 0, attack - defence + extra if attack > defence else 0)


def explain(
    move: Strike, blow: Blow, attacker: str = "Attacker", defender: str = "Defender",
    unit: Callable[[int], str] = "{} damage".format,
) -> tuple[Step, ...]:
    """Why the blow is what it is, from the dice on; the sides' own steps come before. `unit` says so much damage."""
    if blow.attack is None or blow.defence is None:
        return (Step("PQ-12", f"{attacker}: the attack fails and nobody rolls."),)
    steps = []
    if move.static_defence:
        steps.append(Step("PQ-13", f"{defender} uses {blow.defence}, the target number of the best quality."))
        if move.defender.ups or move.defender.downs:
            steps.append(Step("PQ-13", f"{defender}: shifts do not move a target number."))
    elif move.defender.fails:
        steps.append(Step("PQ-13", f"{defender} can’t react: that counts 0, and the attack does at least 1 damage."))
    against = f"{blow.attack} against {blow.defence}"
    failed = move.defender.fails and not move.static_defence
    if blow.attack == blow.defence and not failed:
        return (*steps, Step("PQ-14", f"{against} is a tie: {unit(1)} each, and nothing is added."))
    if not blow.to_defender:
        return (*steps, Step("PQ-14", f"{against}: the attack has no effect."))
    base = blow.to_defender - sum(number for number, _ in move.extras)
    parts = "".join(f", +{number} {reason}" for number, reason in move.extras)
    whole = f"; {unit(blow.to_defender)} in all" if parts else ""
    return (*steps, Step("PQ-14", f"{against}: {unit(base)}{parts}{whole}."))


class AttackMove(MoveKind[Strike]):
    """The attacker's roll against the defender's roll or target number; the difference is damage.

    >>> move = AttackMove().read({"attacker": {"qualities": ["good"]}, "defender": {}, "weapon": True})
    >>> AttackMove().resolve(move, [4, 4, 3, 4]).result["damage"]
    {'attacker': 0, 'defender': 5}
    """

    name = "pdq.attack"
    title = "Attack"
    fields = (
        Group(name="attacker", label="Attacker", fields=side_fields()),
        Group(name="defender", label="Defender", fields=side_fields()),
        Flag(name="static_defence", label="The defender uses a target number"),
        Flag(name="weapon", label="With a weapon", help="2 damage more."),
        Flag(name="surprise", label="The defender is completely surprised", help="1 damage more."),
        Flag(name="weakness", label="A weakness of the defender is relevant", help="2 more at the first damage."),
        Flag(name="first_damage", label="It would be the defender’s first damage of the scene"),
    )

    def build(self, **values: Any) -> Strike:
        sides = {}
        for name in ("attacker", "defender"):
            try:
                sides[name] = side_of(values[name])
            except BadMove as bad:
                raise bad.inside(name) from None
        return Strike(**{**values, **sides})

    def resolve(self, move: Strike, faces: Sequence[int]) -> Outcome | Need:
        runs = take(faces, move.attacker.dice, move.defence_dice)
        if runs is None:
            return Need((6,) * (move.attacker.dice + move.defence_dice - len(faces)))
        thrown, parried = runs
        blow = strike(move, sum(thrown), sum(parried))
        steps = list(move.attacker.steps("Attacker"))
        if blow.attack is not None:
            steps.append(rolled("Attacker", sum(thrown), move.attacker))
            steps += [] if move.static_defence else move.defender.steps("Defender")
            steps += [rolled("Defender", sum(parried), move.defender)] if parried else []
        steps += explain(move, blow)
        dice = [Die(6, face, "attacker") for face in thrown] + [Die(6, face, "defender") for face in parried]
        return Outcome(blow.result, tuple(steps), tuple(dice))

    def odds(self, move: Strike, of: str) -> dict[Face, Fraction]:
        return spread(
            sum_of_dice(move.attacker.dice, 6), sum_of_dice(move.defence_dice, 6),
            tell=lambda thrown, parried: field_of(strike(move, thrown, parried).result, of),
        )


def rolls_of(move: Strike, dice: Sequence[int]) -> tuple[Roll, ...]:
    """An attack on one defender with these dice as the contract tells it, the attacker's first.

    None where a side is more than the contract takes.
    """
    defender = move.defender
    if move.static_defence:
        # It stands on its highest quality, unmoved by shifts.
        defender = Side(tuple(sorted(defender.qualities, reverse=True)[:MOST_QUALITIES]))
    sides = given_of(move.attacker), given_of(defender)
    if sides[0] is None or sides[1] is None:
        return ()
    flags = {field.name: getattr(move, field.name) for field in AttackMove.fields if isinstance(field, Flag)}
    return as_move(AttackMove(), {"attacker": sides[0], "defender": sides[1], **flags}, dice)


def rolled(who: str, thrown: int, side: Side) -> Step:
    """What a side's dice and modifier come to."""
    return Step("PQ-02", f"{who}: {added(thrown, side.modifier)}.")
