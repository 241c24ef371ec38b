"""A duel as a page draws it for one viewer: who faces whom, the dice, what is asked; no split before all chose."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine import Sheets
from rules.procedure import Ask, Participant, Perspective, View, is_known
from rules.sheet import Trait
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.chart import notation, notation_of, signed
from rules.systems.pdq_sharp.duel import impasse
from rules.systems.pdq_sharp.duel.additions import Addition, with_additions
from rules.systems.pdq_sharp.duel.clash import attacks, deciders
from rules.systems.pdq_sharp.duel.dice import SPLITS
from rules.systems.pdq_sharp.duel.engaging import bad_form
from rules.systems.pdq_sharp.duel.forms import counting
from rules.systems.pdq_sharp.duel.impasse import Lull, lull_of
from rules.systems.pdq_sharp.duel.lies import ClashRow, TrayRow, attacks_of, clash_row, trays_of, trays_with
from rules.systems.pdq_sharp.duel.odds import Stance, stance_of
from rules.systems.pdq_sharp.duel.start import FALLS as CONFLICTS
from rules.systems.pdq_sharp.duel.state import CLEAN, Fencer, Phase, State
from rules.systems.pdq_sharp.duel.turn import WORDS
from rules.systems.pdq_sharp.duel.withstanding import Met, met
from rules.systems.pdq_sharp.harm import ranks
from rules.systems.pdq_sharp.kinds import FALLS
from rules.systems.pdq_sharp.reading import STYLE, can_lose, fortes, hooks, minions_left, rank_word
from rules.wording import join, within

OUT = {"surrendered": "has surrendered", "broken": "scattered", "left": "has left", "dead": "dead"}


@dataclass(frozen=True, slots=True)
class Ellipsis:
    """What one who is asked after the dice can add, and what it would lead to."""

    who: str
    name: str
    clashes: tuple[ClashRow, ...]
    additions: tuple[Addition, ...]
    trays: tuple[TrayRow, ...] = ()


@dataclass(frozen=True, slots=True)
class Corner:
    """Somebody in the picture of who faces whom; `lines` are the places of those they face, in the same bout."""

    id: str
    name: str
    note: str
    player: bool


@dataclass(frozen=True, slots=True)
class Bout:
    """A pair or a trio: the one in the middle, whom they face, whether those two face each other too."""

    middle: Corner
    around: tuple[Corner, ...]
    closed: bool
    now: bool
    text: str  # the same for those who listen


@dataclass(frozen=True, slots=True)
class Box:
    """A rank of a forte on paper: free, a failure, or a wound."""

    state: str


@dataclass(frozen=True, slots=True)
class ForteRow:
    """A forte in a duel: whether it counts, its rank, a box for each rank that it has."""

    name: str
    notation: str
    counts: bool
    boxes: tuple[Box, ...]
    harm: str
    hook: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A duelist: style dice, fortes, the split once it is shown, the dice; `known` whether the sheet is."""

    id: str
    name: str
    kind: str
    style: int
    minions: int
    fortes: tuple[ForteRow, ...]
    split: str
    trays: tuple[TrayRow, ...]
    out: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page of a duel draws beside what all procedures have."""

    bouts: tuple[Bout, ...]
    cards: tuple[Card, ...]
    clashes: tuple[ClashRow, ...]
    stances: tuple[Stance, ...]
    ellipses: tuple[Ellipsis, ...]
    lull: Lull | None
    poisons: tuple[Met, ...]
    waiting: tuple[str, ...]


def view(state: State, sheets: Sheets, viewer: Perspective, asks: Sequence[Ask]) -> View:
    """The duel at this moment."""
    places = sorted({fencer.place for fencer in state.fencers})
    groups = tuple(
        tuple(_participant(state, sheets, fencer, asks) for fencer in state.fencers if fencer.place == place)
        for place in places)
    return View(_heading(state), "The duel is over." if state.over else "", groups, _facts(state, sheets),
                _detail(state, sheets, viewer, asks))


def _heading(state: State) -> str:
    if state.over:
        return f"Won by {within(state.winner)}" if state.winner else "Ended"
    return "One side is left" if state.phase is Phase.AFTERMATH else f"Turn {state.turn}"


def _participant(state: State, sheets: Sheets, who: Fencer, asks: Sequence[Ask]) -> Participant:
    asked = any(ask.by == who.id for ask in asks)
    return Participant(who.id, who.name, who.side, current=asked, out=not who.fights,
                       note=", ".join((who.side, *_notes(state, sheets, who))))


def _notes(state: State, sheets: Sheets, who: Fencer) -> list[str]:
    notes = [f"surprised{'' if who.surprise == 'surprised' else ', wholly unawares'}"] if who.surprise else []
    if who.out:
        notes.append(_out(state, who))
    elif who.backing:
        notes.append(f"backs {state.fencer(who.backing).name}")
    elif who.held:
        notes.append("stays out of this turn")
    elif not state.throws and state.choice_of(who.id):
        notes.append("split chosen")
    if who.disarmed:
        notes.append("disarmed")
    if who.poison != CLEAN:
        notes.append("poison on the blade" + (f", {notation_of(who.poison)}" if is_known(sheets, who.id) else ""))
    return notes


def _out(state: State, who: Fencer) -> str:
    if who.out == "fallen":
        return dict(FALLS)[CONFLICTS[state.settings.conflict]]
    return OUT.get(who.out, "")


def _facts(state: State, sheets: Sheets) -> tuple[str, ...]:
    parts = [f"{state.fencer(wound.who).name} has {ranks(wound.amount, wound.kind)} to assign."
             for wound in state.wounds]
    if state.terms[0]:
        parts.append(f"{state.fencer(state.terms[0]).name} would surrender: {state.terms[1]}")
    if state.coup[0]:
        parts.append(f"{state.fencer(state.coup[0]).name} means to kill {state.fencer(state.coup[1]).name}.")
    for fencer in state.standing:
        for what, carried in (("attack", fencer.attack_carry), ("defence", fencer.defence_carry)):
            if carried and not state.throws:
                parts.append(f"{fencer.name}: {signed(carried)} on the {what} this turn.")
        if fencer.backing and (bad := bad_form(state, sheets, fencer, state.fencer(fencer.backing))):
            parts.append(bad)
    return tuple(parts)


def _detail(state: State, sheets: Sheets, viewer: Perspective, asks: Sequence[Ask]) -> Detail:
    waiting = tuple(f"{state.fencer(ask.by).name if ask.by else 'The GM'}: {ask.text}" for ask in asks)
    mine = tuple(fencer for fencer in state.unchosen if viewer.is_asked(fencer.id))
    asked = [who for who in deciders(state) if viewer.is_asked(who)]
    return Detail(
        tuple(_bout(state, sheets, bout) for bout in state.bouts),
        tuple(_card(state, sheets, fencer) for fencer in state.order),
        tuple(clash_row(state, attack) for bout in state.bouts for attack in attacks(state, bout)),
        tuple(stance_of(state, sheets, fencer, viewer) for fencer in mine if fencer.player or viewer.runs),
        tuple(ellipsis_of(state, sheets, who) for who in asked), _lull(state, sheets, viewer),
        tuple(met(state, sheets, cast.who, viewer.is_asked(cast.who)) for cast in state.resisting), waiting,
    )


def _bout(state: State, sheets: Sheets, bout: tuple[str, ...]) -> Bout:
    middle = max(bout, key=lambda who: (len(state.foes_of(who)), state.fencer(who).player))
    around = tuple(who for who in bout if who != middle)
    closed = len(around) > 1 and around[1] in state.foes_of(around[0])
    now = any(who in deciders(state) or state.wound_of(who) for who in bout)
    text = f"{state.fencer(middle).name} faces {state.names(around)}"
    if closed:
        text += ", who face each other too"
    corners = tuple(_corner(state, sheets, who) for who in (middle, *around))
    return Bout(corners[0], corners[1:], closed, now, f"{text}.")


def _corner(state: State, sheets: Sheets, who: str) -> Corner:
    fencer, throw = state.fencer(who), state.throw_of(who)
    backers = [backer.name for backer in state.backers_of(who)]
    notes = [SPLITS[throw.stance]] if throw else _notes(state, sheets, fencer)
    if not throw and not notes:
        notes = ["not chosen"]
    return Corner(who, fencer.name, ", ".join([*notes, *([f"with {join(backers)}"] if backers else [])]), fencer.player)


def _card(state: State, sheets: Sheets, who: Fencer) -> Card:
    sheet, throw = sheets[who.id], state.throw_of(who.id)
    hooked = {hook.name for hook in hooks(sheet)}
    choice = state.choice_of(who.id) if throw and not who.squad else None
    counts = choice.fortes if choice else counting(sheet, who)
    rows = tuple(ForteRow(
        forte.name, notation(rank_word(forte)) if can_lose(forte) else "zeroed out", forte.id in counts, _boxes(forte),
        harm.in_words(forte), forte.name in hooked) for forte in fortes(sheet))
    split = f"{WORDS[throw.stance].capitalize()} {SPLITS[throw.stance]}" if throw else ""
    return Card(who.id, who.name, "player" if who.player else "squad" if who.squad else "npc", sheet.pool(STYLE),
                minions_left(sheet), rows, split, trays_of(state, throw) if throw else (), _out(state, who),
                sheet.known)


def _boxes(trait: Trait) -> tuple[Box, ...]:
    """A box for each rank: wounds first, then failures, then what is left."""
    room = can_lose(trait)
    return (*(Box("wound") for _ in range(trait.wounds)), *(Box("failure") for _ in range(trait.failures)),
            *(Box("free") for _ in range(room)))


def _lull(state: State, sheets: Sheets, viewer: Perspective) -> Lull | None:
    """An impasse as it lies; what can be added is for whoever is asked."""
    return lull_of(state, sheets, viewer.is_asked(impasse.decider(state))) if state.lull else None


def ellipsis_of(state: State, sheets: Sheets, who: str) -> Ellipsis:
    """What somebody who is asked can add, and what it would lead to."""
    throw = state.throw_of(who)
    rows = tuple((attack, clash_row(state, attack)) for attack in attacks_of(state, who))
    return Ellipsis(who, state.fencer(who).name, tuple(row for _, row in rows),
                    with_additions(state, sheets, throw) if throw else (), trays_with(state, who, rows))
