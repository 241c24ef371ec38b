"""The dice of a turn: how many fall, where bonus dice lie, what attack and defence come to (PS-22, PS-25)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rules.engine import Sheets
from rules.systems.pdq_sharp.duel.forms import counting
from rules.systems.pdq_sharp.duel.state import (
    DEFENCE,
    UNAWARE,
    WITHOUT_ATTACK,
    Bonus,
    Choice,
    Fencer,
    LullSide,
    Resisting,
    State,
    Throw,
    Tray,
)
from rules.systems.pdq_sharp.duel.turn import DICE, STANCES, laid, lowest_first, over_lowest
from rules.systems.pdq_sharp.reading import fitting, lines_of, minions_left, modifier_of, rank_words
from rules.systems.pdq_sharp.reckoning import Terms, bettered, settle, terms
from rules.systems.pdq_sharp.settings import MODIFIER, TARGET
from rules.values import Value

Roll = TypeVar("Roll", LullSide, Resisting)

SPLITS = {"all_out_attack": "3 | 0", "strong_attack": "2 | 1", "strong_defence": "1 | 2", "all_out_defence": "0 | 3"}


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
    return Plan(choice, trays, max(0, many - DICE) + thrown_with(state, sheets, choice).bonus_dice)


def counted(state: State, sheets: Sheets, choice: Choice) -> Terms:
    """What somebody goes into a turn with, but what the last turn left: fortes, a gambit's, a die for each technique,
    and what those add who back them (PS-10, PS-11, PS-26, PS-27); raises `BadMove` where a technique does not go."""
    own = [forte for forte in (*choice.fortes, choice.gambit) if forte]
    backers = ((backer, sheets[backer.id]) for backer in state.backers_of(choice.who))
    helps = [(backer.name, rank_words(sheet, lines_of(sheet, counting(sheet, backer)))) for backer, sheet in backers]
    return terms(sheets[choice.who], fortes=own, techniques=choice.techniques, helps=helps)


def thrown_with(state: State, sheets: Sheets, choice: Choice) -> Terms:
    """The same, without what counts no more: fortes that were struck or lost since, techniques that hung on them."""
    who, sheet = state.fencer(choice.who), sheets[choice.who]
    fortes = counting(sheet, replace(who, fortes=choice.fortes))
    gambit = "".join(counting(sheet, replace(who, fortes=(choice.gambit,))))
    return counted(state, sheets, replace(choice, fortes=fortes, gambit=gambit, techniques=fitting(
        sheet, (*fortes, gambit), choice.techniques)))


def carried(fencer: Fencer, brought: Terms) -> tuple[Terms, Terms]:
    """What goes into somebody's attack and into their defence: what they bring, and what the last turn left (PS-27)."""
    return replace(brought, others=fencer.attack_carry), replace(brought, others=fencer.defence_carry)


def usually(state: State, sheets: Sheets, who: Fencer) -> Terms:
    """What somebody brings with the fortes that counted last, and nothing else."""
    return thrown_with(state, sheets, Choice(who.id, "", who.fortes))


def throw_from(state: State, sheets: Sheets, planned: Plan, faces: Sequence[int]) -> Throw:
    """Somebody's dice as they fell: the attacks first, the defence, then what a squad has more."""
    trays, start = [], 0
    for to, size in planned.trays:
        trays.append(Tray(to, tuple(faces[start : start + size])))
        start += size
    fencer, choice = state.fencer(planned.choice.who), planned.choice
    shot = sheets[fencer.id].trait(choice.firearm)
    more = shot_adds(state.settings.firearms, modifier_of(shot)) if shot else 0
    before = thrown_with(state, sheets, choice)
    used = [technique.name for technique in lines_of(sheets[fencer.id], before.used)]
    sources = (*used, *["the minions"] * (planned.extra - len(used)))
    return Throw(
        fencer.id, choice.stance, tuple(trays), before.ranks,
        tuple(Bonus(source, face) for source, face in zip(sources, faces[start:], strict=True)), before.used,
        fencer.attack_carry, fencer.defence_carry,
        choice.tweak, choice.against, more,
    )


def read_again(state: State, sheets: Sheets, throw: Throw, choice: Choice) -> Throw:
    """The same dice without what counts no more: a forte’s ranks, dice and +1s of the techniques that hung on it, and
    what it shot (PS-10, PS-11, PS-49)."""
    used = fitting(sheets[throw.who], (*choice.fortes, choice.gambit), throw.used)
    bonus = tuple(bonus for bonus in throw.bonus if bonus.technique in ("", *used))
    return replace(throw, ranks=thrown_with(state, sheets, choice).ranks, used=used, bonus=bonus,
                   firearm=throw.firearm if choice.firearm else 0)


def added_to(roll: Roll, face: int, technique: str) -> Roll:
    """A roll with a die more, or +1 where there is no face: by a technique, by id, or "" by a style die."""
    return replace(bettered(roll, face, technique), added=(*roll.added, (technique, face)))


def with_these(roll: Roll, used: Sequence[str]) -> Roll:
    """The same dice with these of its techniques alone: dice and +1s of the others are gone (PS-11)."""
    left: tuple[tuple[str, int], ...] = tuple(more for more in roll.added if more[0] in ("", *used))
    fell: tuple[int, ...] = roll.faces[: len(roll.faces) - sum(bool(face) for _, face in roll.added)]
    return replace(roll, used=tuple(used), added=left, faces=(*fell, *(face for _, face in left if face)),
                   flat=sum(not face for _, face in left))


def shot_adds(firearms: str, mod: int) -> int:
    """How many ranks a firearm adds to a hit: nothing, its MOD, or its target number (PS-49)."""
    return {MODIFIER: max(0, mod), TARGET: 7 + mod}.get(firearms, 0)


def shown(throw: Throw) -> dict[str, tuple[int, ...]]:
    """The dice of each tray as they lie: each bonus die where it was put, over the lowest there if higher; those that
    nobody put anywhere lie over the lowest of all (PS-22)."""
    return {to: tuple(dice) for to, dice in _where_put(throw, _over_lowest(throw)).items()}


def _where_put(throw: Throw, places: Mapping[int, str]) -> dict[str, list[int]]:
    """The dice of each tray, with those that were put there, or are by these places of dice by their number."""
    over: dict[str, list[int]] = {}
    for number, bonus in enumerate(throw.bonus):
        if bonus.face:
            over.setdefault(places.get(number, bonus.to), []).append(bonus.face)
    return {tray.to: laid([tray.dice], over.get(tray.to, ()))[0] for tray in throw.trays}


def loose_dice(throw: Throw) -> tuple[int, ...]:
    """The numbers of the bonus dice that nobody put anywhere, the highest die first."""
    loose = [number for number, bonus in enumerate(throw.bonus) if bonus.face and not bonus.to]
    return tuple(sorted(loose, key=lambda number: -throw.bonus[number].face))


def over_the_lowest(throw: Throw) -> Throw:
    """The same with each loose die put over the lowest of all, the first attack's where equal, if it is higher."""
    places = _over_lowest(throw)
    return put(throw, places) if places else throw


def _over_lowest(throw: Throw) -> dict[int, str]:
    """The loose dice that lie over the lowest of all, by their number, and the tray in which it is."""
    if not (loose := loose_dice(throw)):
        return {}
    lie = _where_put(throw, {})
    over = over_lowest(lowest_first([*lie.values()]), [throw.bonus[number].face for number in loose])
    return {number: [*lie][tray] for number, (tray, _, _) in zip(loose, over, strict=False)}


def put(throw: Throw, places: Mapping[int, str]) -> Throw:
    """The same with bonus dice put there, by their number."""
    return replace(throw, bonus=tuple(
        replace(bonus, to=places.get(number, bonus.to)) for number, bonus in enumerate(throw.bonus)))


def total(throw: Throw, to: str) -> int:
    """What a tray comes to: its dice, all MODs, what was added flat, and what the last turn left."""
    flat = sum(not bonus.face and bonus.to == to for bonus in throw.bonus)
    carried = throw.defence_carry if to == DEFENCE else throw.attack_carry
    dice = shown(throw).get(to, ())
    return settle(Terms(throw.ranks, flat=flat, others=carried), dice, len(dice)).total


def side_given(throw: Throw, foe: str, pc: bool) -> dict[str, Value] | None:
    """A throw as the move of the contract takes it, against one foe; None where it is not of three dice.

    Dice that lie on the attack of somebody else have no part in it.
    """
    attack = next((tray.dice for tray in throw.trays if tray.to == foe), None)
    defence = next((tray.dice for tray in throw.trays if tray.to == DEFENCE), ())
    if attack is None or (len(attack), len(defence)) != sizes(throw.stance):
        return None
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
