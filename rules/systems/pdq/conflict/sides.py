"""What the sides of a conflict's rolls are made of: who does what with which qualities, and what holds for them now."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.engine import Sheets, Values
from rules.fields import Field, Text, Word
from rules.moves import Step
from rules.sheet import Trait, UseWaiting
from rules.systems.pdq.attack import Strike
from rules.systems.pdq.chart import usable
from rules.systems.pdq.conflict.state import Applied, Attack, Contestant, Reaction, State
from rules.systems.pdq.harm import hurt_before, weak_before
from rules.systems.pdq.origins import left_out, quality
from rules.systems.pdq.origins import why as why_of
from rules.systems.pdq.reckoning import FLIP_OUT, Hard, as_lines, by_grants, by_strategy, by_targets, by_word, terms
from rules.systems.pdq.roll import LINE_KINDS, MOST_SAID, MOST_SHIFTS, Line, Shift, Side, lines_field
from rules.values import BadMove
from rules.why import Why

LEAD = Text(name="lead", label="Lead quality", most=100, help="The quality that shifts apply to. Default: the highest.")
SHIFT_KINDS = tuple(kind for kind in LINE_KINDS if kind[0] != "badass")


def lines_for(who: Contestant) -> Field:
    """The shifts that somebody may say. What a player says is bounded; an NPC's are the GM's to say."""
    return replace(lines_field(SHIFT_KINDS, most=MOST_SAID if who.player else MOST_SHIFTS), word=Word.SAID)


def said(who: Contestant, values: Values) -> tuple[Shift, ...]:
    """What was said of a roll: on a player's word, or the GM's; raises `BadMove`."""
    return by_word(values["lines"], who.name if who.player else "")


def given(state: State, who: str) -> tuple[Shift, ...]:
    """What the GM has given for somebody's next roll: here, or for the next one whatever it is (PQ-05)."""
    return (*by_grants(state.contestant(who).grants), *by_word(as_lines(state.context.waits_for(who))))


def used_up(state: State, *who: str) -> tuple[UseWaiting, ...]:
    """That these rolled, which uses up what was given for the next one whatever it is."""
    return tuple(UseWaiting(character) for character in who if state.context.waits_for(character))


def attack_shifts(who: Contestant, values: Values) -> tuple[Shift, ...]:
    """What shifts an attack as it is declared: strategy, targets, and what is said (PQ-12)."""
    strategy = values["strategy"] or (FLIP_OUT if who.flip_ready else "")
    return (*by_strategy("attack", strategy), *by_targets(len(values["targets"])), *said(who, values))


def reaction_shifts(who: Contestant, values: Values | None = None) -> tuple[Shift, ...]:
    """What shifts a reaction: the strategy until one's own next turn, and what is said (PQ-12)."""
    return (*by_strategy("reaction", who.strategy), *(said(who, values) if values else ()))


def other_shifts(state: State, who: Contestant, values: Values) -> tuple[Shift, ...]:
    """What shifts any other action: a strategy costs a rank, and what the GM granted counts (PQ-05, PQ-12)."""
    return (*by_strategy("other", values["strategy"]), *said(who, values), *given(state, who.id))


def lines_of(sheets: Sheets, qualities: Sequence[Applied]) -> list[Trait | None]:
    """These qualities as their sheets have them now; None for what has left its sheet."""
    return [sheets[quality.sheet].trait(quality.trait) if quality.sheet in sheets else None for quality in qualities]


def side_of(
    state: State, sheets: Sheets, by: str, qualities: Sequence[Applied], shifts: tuple[Shift, ...], lead: int | None
) -> Side:
    """A side of a roll, each quality with whose word it is that it counts: its owner's, who helps or rolls (PQ-08)."""
    return terms(lines_of(sheets, qualities), shifts, lead, [counted_as(state, by, quality) for quality in qualities])


def counted_as(state: State, by: str, quality: Applied) -> Line:
    """Whose a quality is in a roll of somebody, and who says that it counts; "" where it is the GM's word."""
    owner = state.contestant(quality.sheet)
    return Line(whose="" if owner.id == by else owner.name, said_by=owner.name if owner.player else "")


def attack_side(state: State, sheets: Sheets, attack: Attack) -> Side:
    """The attacker's side of a pending attack."""
    return side_of(state, sheets, attack.by, attack.qualities, (*attack.shifts, *given(state, attack.by)), attack.lead)


def why_side(sheets: Sheets, by: str, side: Side, applied: Sequence[Applied], hard: Hard | None = None) -> Why:
    """Why a side of a roll is what it is, and which qualities of whoever rolls could count beside (PQ-03, PQ-08)."""
    used = [quality(trait) if of.sheet == by else quality(trait, f"{sheets[of.sheet].name} helps")
            for of, trait in zip(applied, lines_of(sheets, applied), strict=True) if trait and usable(trait)]
    own = [trait for trait in sheets[by].traits if usable(trait)]
    return why_of(side, used, hard, left_out(own, {of.trait for of in applied}))


def strikes(state: State, sheets: Sheets, attack: Attack) -> tuple[tuple[Reaction, Strike], ...]:
    """The attack on each target that has reacted, in the order of the attack (PQ-12 to PQ-14)."""
    attacker = attack_side(state, sheets, attack)
    reactions = {reaction.by: reaction for reaction in attack.reactions}
    made = []
    for target in attack.targets:
        reaction, who = reactions[target], state.contestant(target)
        shifts = (*reaction.shifts, *given(state, target))
        made.append((reaction, Strike(
            attacker, side_of(state, sheets, target, reaction.qualities, shifts, reaction.lead),
            static_defence=state.settings.defence == "stand",
            weapon=attack.weapon,
            surprise=target in attack.surprised,
            weakness=reaction.weakness or target in attack.weak or weak_before(sheets[target]),
            first_damage=first_damage(sheets, who),
        )))
    return tuple(made)


def first_damage(sheets: Sheets, who: Contestant) -> bool:
    """Whether damage would be their first of the scene, in whatever contest or test that was (PQ-14)."""
    return not (who.hurt or hurt_before(sheets[who.id]))


def team(state: State, by: str, values: Values) -> tuple[tuple[Applied, ...], tuple[Step, ...]]:
    """Every quality in use, those of the helpers that are taken too (PQ-08)."""
    own = tuple(Applied(by, trait) for trait in values["qualities"])
    helped: list[Applied] = []
    for helper in values["helpers"]:
        pledge = state.contestant(helper).pledge
        helped += pledge.qualities if pledge else ()
    if not values["helpers"]:
        return own, ()
    helps = "helps" if len(values["helpers"]) == 1 else "help"
    text = (f"{state.names(values['helpers'])} {helps} {state.contestant(by).name}, "
            "at the cost of a turn of this round.")
    return (*own, *helped), (Step("PQ-08", text),)


def leading(values: Values) -> int | None:
    """Where the named lead is among the qualities; None where none is named. Raises `BadMove` (PQ-03)."""
    if not values["lead"]:
        return None
    if values["lead"] not in values["qualities"]:
        raise BadMove("Let one of the qualities that you apply lead.", "lead")
    return int(values["qualities"].index(values["lead"]))


def on_their_word(shifts: Sequence[Shift]) -> tuple[Step, ...]:
    """What players say of a roll, as its entry tells it before anybody reacts."""
    return tuple(Step(shift.rule, shift.words) for shift in shifts if shift.said_by)


def armed(name: str) -> str:
    """That somebody says their weapon counts."""
    return f"{name} says: with a weapon, for 2 damage more."
