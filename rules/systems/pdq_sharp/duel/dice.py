"""The dice of a turn: how many fall, where bonus dice lie, what attack and defence come to (PS-22, PS-25)."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from rules.engine import Sheets
from rules.sheet import Sheet
from rules.systems.pdq_sharp.bonus import open_techniques
from rules.systems.pdq_sharp.chart import modifier
from rules.systems.pdq_sharp.duel.state import (
    DEFENCE,
    UNAWARE,
    WITHOUT_ATTACK,
    Bonus,
    Choice,
    LullSide,
    Resisting,
    State,
    Throw,
    Tray,
)
from rules.systems.pdq_sharp.duel.turn import DICE, STANCES
from rules.systems.pdq_sharp.kinds import IDIOM
from rules.systems.pdq_sharp.reading import minions_left, modifier_of, rank_words, usable
from rules.systems.pdq_sharp.settings import MODIFIER, TARGET
from rules.values import Value

Rolled = TypeVar("Rolled", LullSide, Resisting)
SPLITS = {"all_out_attack": "3 | 0", "strong_attack": "2 | 1", "strong_defence": "1 | 2", "all_out_defence": "0 | 3"}

STYLE_DIE, AS_DIE, FLAT = "style", "die", "flat"  # what is added after the dice, and how


@dataclass(frozen=True)
class Plan:
    """What somebody will throw: the size of each tray, and how many dice more a squad has."""

    choice: Choice
    trays: tuple[tuple[str, int], ...]
    extra: int = 0

    @property
    def dice(self) -> int:
        """How many dice fall."""
        return sum(size for _, size in self.trays) + self.extra


def sizes(stance: str, dice: int = DICE) -> tuple[int, int]:
    """How many dice attack and how many defend; of two dice one is missing where most would be (PS-22, PS-25).

    >>> sizes("strong_attack"), sizes("strong_attack", 2), sizes("all_out_attack", 2)
    ((2, 1), (1, 1), (2, 0))
    """
    attack = STANCES[stance]
    defence = DICE - attack
    while attack + defence > dice:
        attack, defence = (attack - 1, defence) if attack > defence else (attack, defence - 1)
    return attack, defence


def plan(state: State, sheets: Sheets, choice: Choice) -> Plan:
    """The trays of somebody: one for each foe that is attacked, one for the defence (PS-23)."""
    fencer, foes = state.fencer(choice.who), state.foes_of(choice.who)
    many = minions_left(sheets[choice.who]) if fencer.squad else DICE
    attack, defence = sizes(choice.stance, min(DICE, many))
    attacked = () if fencer.surprise == UNAWARE or choice.tweak in WITHOUT_ATTACK else foes
    trays = (*((foe, attack) for foe in attacked), (DEFENCE, defence))
    return Plan(choice, trays, max(0, many - DICE) + len(choice.techniques))


def ranks_of(state: State, sheets: Sheets, choice: Choice) -> tuple[str, ...]:
    """The ranks of every forte that counts for somebody: their own, a gambit's, and those of who back them (PS-26)."""
    ranks: list[str] = []
    own = (*choice.fortes, choice.gambit)
    backers = ((backer.id, backer.fortes) for backer in state.backers_of(choice.who))
    for fencer_id, fortes in ((choice.who, own), *backers):
        sheet = sheets[fencer_id]
        struck = (*state.fencer(fencer_id).struck, state.fencer(fencer_id).disarmed)
        lines = [trait for forte in fortes if (trait := sheet.trait(forte)) and usable(trait)]
        ranks += rank_words(sheet, [line for line in lines if line.id not in struck])
    return tuple(ranks)


def throw_from(state: State, sheets: Sheets, planned: Plan, faces: Sequence[int]) -> Throw:
    """Somebody's dice as they fell: the attacks first, the defence, then what a squad has more."""
    trays, start = [], 0
    for to, size in planned.trays:
        trays.append(Tray(to, tuple(faces[start : start + size])))
        start += size
    fencer, choice = state.fencer(planned.choice.who), planned.choice
    shot = sheets[fencer.id].trait(choice.firearm)
    more = shot_adds(state.settings.firearms, modifier_of(shot)) if shot else 0
    used = [technique.name for line in choice.techniques if (technique := sheets[fencer.id].trait(line))]
    sources = (*used, *["the minions"] * (planned.extra - len(used)))
    return Throw(
        fencer.id, choice.stance, tuple(trays), ranks_of(state, sheets, choice),
        tuple(Bonus(source, face) for source, face in zip(sources, faces[start:], strict=True)), choice.techniques,
        fencer.attack_carry, fencer.defence_carry,
        choice.tweak, choice.against, more,
    )


def shot_adds(firearms: str, mod: int) -> int:
    """How many ranks a firearm adds to a hit: nothing, its MOD, or its target number (PS-49)."""
    return {MODIFIER: max(0, mod), TARGET: 7 + mod}.get(firearms, 0)


def shown(throw: Throw) -> dict[str, tuple[int, ...]]:
    """The dice of each tray as they lie: bonus dice where they were put, over the lowest there if higher; those that
    nobody put anywhere go, highest first, over the lowest die of all (the attack's where equal) if higher (PS-22)."""
    trays = {tray.to: list(tray.dice) for tray in throw.trays}
    for bonus in throw.bonus:
        if bonus.face and bonus.to and trays.get(bonus.to):
            _over_lowest(trays[bonus.to], bonus.face)
    for face in sorted((bonus.face for bonus in throw.bonus if not bonus.to), reverse=True):
        filled = [tray for tray in trays.values() if tray]
        if filled:
            _over_lowest(min(filled, key=min), face)
    return {to: tuple(dice) for to, dice in trays.items()}


def _over_lowest(dice: list[int], face: int) -> None:
    place = dice.index(min(dice))
    dice[place] = max(dice[place], face)


def total(throw: Throw, to: str) -> int:
    """What a tray comes to: its dice, all MODs, what was added flat, and what the last turn left."""
    flat = sum(not bonus.face and bonus.to == to for bonus in throw.bonus)
    carried = throw.defence_carry if to == DEFENCE else throw.attack_carry
    return sum(shown(throw).get(to, ())) + modifier(throw.ranks) + flat + carried


def side_given(throw: Throw, foe: str, pc: bool) -> dict[str, Value] | None:
    """A throw as the move of the contract takes it, against one foe; None where it is not of three dice.

    Dice that were put on the attack of somebody else have no part in it.
    """
    attack = next((tray.dice for tray in throw.trays if tray.to == foe), None)
    defence = next((tray.dice for tray in throw.trays if tray.to == DEFENCE), ())
    if attack is None or (len(attack), len(defence)) != sizes(throw.stance):
        return None
    if len(throw.attacks) > 1 and any(bonus.face and not bonus.to for bonus in throw.bonus):
        return None  # where they lie hangs on both attacks
    mine = [bonus for bonus in throw.bonus if bonus.to in ("", foe, DEFENCE)]
    dice = [bonus for bonus in mine if bonus.face]
    flat = {to: sum(not bonus.face and bonus.to == to for bonus in mine) for to in (foe, DEFENCE)}
    adds = flat[foe] + throw.attack_carry, flat[DEFENCE] + throw.defence_carry
    if min(adds) < 0:
        return None
    placed: list[Any] = [
        {"": "best", DEFENCE: "defence"}.get(bonus.to, "attack") for bonus in dice]
    return {
        "stance": throw.stance, "fortes": list(throw.ranks), "bonus_dice": len(dice), "flat_attack": adds[0],
        "flat_defence": adds[1], "pc": pc, **({"placed": placed} if any(to != "best" for to in placed) else {}),
    }


def dice_against(throw: Throw, foe: str) -> tuple[int, ...]:
    """The dice of a throw that matter against one foe, in the order of the contract."""
    base = tuple(face for tray in throw.trays if tray.to in (foe, DEFENCE) for face in tray.dice)
    return base + tuple(bonus.face for bonus in throw.bonus if bonus.face and bonus.to in ("", foe, DEFENCE))


def bettered(cast: Rolled, face: int, technique: str) -> Rolled:
    """A roll of an impasse or against a poison with a die more, or +1 where there is no face."""
    used = (*cast.used, technique) if technique else cast.used
    return replace(cast, used=used, faces=(*cast.faces, face) if face else cast.faces, flat=cast.flat + (not face))


def how_many(sheet: Sheet, fortes: Iterable[str], used: Sequence[str], style: int) -> int:
    """How many tools somebody can still add, one after the other: of idioms one, every style die (PS-04, PS-11)."""
    techniques = open_techniques(sheet, fortes, used)
    idioms = [technique for technique in techniques if technique.value == IDIOM]
    return len(techniques) - len(idioms) + bool(idioms) + style


def enough_with(what: str, faces: Sequence[int], keep: int, short: int, more: int) -> Fraction:
    """The chance that what is added is enough, with what could still be added to it: so many more tools.

    `short` is what is missing; of all `faces` the best `keep` count. `what` ends with `die` or `flat`.

    >>> str(enough_with("style|flat", (3, 2), 2, 2, 1)), str(enough_with("style|flat", (3, 2), 2, 2, 0))
    ('1', '0')
    """
    kept = tuple(sorted(faces)[-keep:])
    return _with_die(kept, short, more) if what.endswith(AS_DIE) else chance(kept, short - 1, more)


@cache
def chance(kept: tuple[int, ...], short: int, more: int) -> Fraction:
    """The chance that so many tools make good what is missing, each a die or +1, whichever is better then."""
    if short <= 0 or not more:
        return Fraction(short <= 0)
    return max(chance(kept, short - 1, more - 1), _with_die(kept, short, more - 1))


def _with_die(kept: tuple[int, ...], short: int, more: int) -> Fraction:
    better = [tuple(sorted((max(kept[0], face), *kept[1:]))) for face in range(1, 7)]
    return sum((chance(dice, short - sum(dice) + sum(kept), more) for dice in better), Fraction(0)) / 6
