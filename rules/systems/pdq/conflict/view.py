"""A conflict as a page draws it for one viewer: the order, who is waited for, what hangs in the air."""
from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Blocked, Participant, Perspective, View
from rules.systems.pdq.chart import rank_of, usable
from rules.systems.pdq.conflict.state import HOLDING, Contestant, Phase, State, foes, targets
from rules.systems.pdq.conflict.word import words_said
from rules.systems.pdq.harm import on_trait, ranks
from rules.systems.pdq.ranges import Range
from rules.systems.pdq.reckoning import CAGEY, FLIP_OUT
from rules.wording import alone, within

STRATEGIES = {FLIP_OUT: "flips out", CAGEY: "plays it cagey"}


@dataclass(frozen=True, slots=True)
class PendingAttack:
    """An attack whose dice have not fallen: by whom, at whom, in which words, and who has yet to react."""

    by: str
    targets: str
    words: str
    reacts: str
    said: tuple[str, ...] = ()  # what players say of it, a sentence each


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A quality at the moment: what it counts as, how much damage it has, and what that damage is in words."""

    name: str
    notation: str
    damage: int
    harm: str


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """How a contestant is doing; `known` whether the viewer knows more than the face."""

    id: str
    name: str
    status: str  # out of action, dead; "" for who can act
    qualities: tuple[QualityRow, ...]
    known: bool = True


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page of a conflict draws beside what all procedures have."""

    attack: PendingAttack | None
    participants: tuple[ParticipantRow, ...]


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """The order in its groups, what the conflict waits for, and what hangs in the air."""
    groups = tuple(tuple(_participant(state, state.contestant(id_)) for id_ in group) for group in state.order)
    return View(
        _heading(state), "The conflict is over." if state.over else "", groups, _facts(state), _detail(state, sheets),
        _blocked(state, viewer),
    )


def _heading(state: State) -> str:
    if state.over:
        return f"Won by {within(state.winner)}" if state.winner else "Ended"
    if state.phase is Phase.AFTERMATH:
        return "One side is left"
    if state.round > 0:
        return f"Round {state.round}"
    return "The free round" if state.round == 0 and state.settings.free_round else "Before round 1"


def _facts(state: State) -> tuple[str, ...]:
    harm = state.settings.harm
    parts = [f"{state.contestant(wound.who).name} has {ranks(wound.amount, harm)} to assign." for wound in state.wounds]
    for contestant in state.contestants:
        parts += [f"{contestant.name} has an upshift for the next roll: {reason}" for reason in contestant.grants]
        if contestant.pledge:
            parts.append(f"{contestant.name} is ready to help {state.contestant(contestant.pledge.to).name}.")
    if len(state.sides_standing) == 1 and not state.over:
        parts.append(f"{alone(state.sides_standing[0])}.")
    return tuple(parts)


def _detail(state: State, sheets: Sheets) -> Detail:
    attack = state.attack
    pending = PendingAttack(
        state.contestant(attack.by).name, state.names(attack.targets), attack.words, state.names(attack.unanswered),
        tuple(sentence for _, sentence in words_said(state, sheets)),
    ) if attack else None
    rows = tuple(_row(contestant, sheets) for contestant in state.contestants if contestant.id in sheets)
    return Detail(pending, rows)


def _row(who: Contestant, sheets: Sheets) -> ParticipantRow:
    rows = tuple(
        QualityRow(trait.name, rank_of(trait).notation if usable(trait) else "Out", trait.damage, on_trait(trait))
        for trait in sheets[who.id].traits
    )
    dead = who.killed or sheets[who.id].dead
    return ParticipantRow(who.id, who.name, "dead" if dead else "out of action" if who.out else "", rows,
                          sheets[who.id].known)


def _blocked(state: State, viewer: Perspective) -> tuple[Blocked, ...]:
    """Attacks that the distance alone forbids (PQ-20)."""
    return tuple(
        Blocked(who.id, f"{who.name}: Attack", reason) for who in state.able
        if (who.id in viewer.plays or viewer.runs) and (reason := out_of_reach(state, who))
    )


def out_of_reach(state: State, who: Contestant) -> str:
    """Why this contestant can attack nobody, where distance is why; "" otherwise."""
    far = foes(state, who)
    if not state.settings.ranges or not far or targets(state, who):
        return ""
    nearest = min(far, key=lambda foe: abs(foe.position - who.position))
    yards = abs(nearest.position - who.position)
    return f"Nobody is in reach: {nearest.name} is {yards} yards away, and {Range.FAR.value} is the farthest."


def _participant(state: State, who: Contestant) -> Participant:
    notes = [who.side]
    if who.strategy:
        notes.append(STRATEGIES[who.strategy])
    if who.unaware:
        notes.append("unaware")
    if who.killed:
        notes.append("dead")
    if state.settings.ranges:
        notes.append(f"at yard {who.position}")
    return Participant(
        who.id, who.name, who.side, current=who.id in state.acting, out=who.out,
        held=who.turn == HOLDING and not who.out, note=", ".join(notes),
    )
