"""Attacks, as they are declared: on whom, with what, and when they fail at once (PQ-12)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules import engine
from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Flag, Word
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq.attack import Blow, Strike, rolls_of
from rules.systems.pdq.chart import Rank, rank_of, usable
from rules.systems.pdq.conflict.actions import shared
from rules.systems.pdq.conflict.fields import qualities, several
from rules.systems.pdq.conflict.helping import helpers
from rules.systems.pdq.conflict.reactions import Struck, hit_result
from rules.systems.pdq.conflict.sides import (
    armed,
    attack_shifts,
    attack_side,
    leading,
    on_their_word,
    reaction_shifts,
    strikes,
    team,
    used_up,
    why_side,
)
from rules.systems.pdq.conflict.state import (
    Applied,
    Attack,
    Contestant,
    Deed,
    Phase,
    Reaction,
    Result,
    State,
    adopted,
    spent,
    targets,
)
from rules.systems.pdq.conflict.turn import stepping_in
from rules.systems.pdq.ranges import range_of
from rules.systems.pdq.reckoning import odds_of_attack, terms
from rules.systems.pdq.roll import Shift
from rules.values import Value
from rules.why import THEIR_SIDE, Part, Why
from rules.wording import quoted

Faces = Sequence[int]

WEAPON = Flag(name="weapon", label="With a weapon", help="2 damage more.", word=Word.SAID)
TARGETS = several("targets", "Targets", "Choose a target.")
REACTS = "reacts with qualities of their own"


@dataclass(frozen=True)
class Attacked(Deed):
    """An attack is declared (PQ-12)."""

    who: str
    targets: tuple[str, ...]
    qualities: tuple[Applied, ...]
    lead: int | None
    shifts: tuple[Shift, ...]
    weapon: bool
    strategy: str
    helpers: tuple[str, ...]
    words: str

    def done(self, state: State) -> State:
        surprised = tuple(target for target in self.targets if state.contestant(target).unaware)
        state = adopted(spent(state, self.who, *self.helpers), self.who, self.strategy)
        attack = Attack(
            self.who, self.targets, self.qualities, self.lead, self.shifts, self.weapon, self.words, surprised,
        )
        return replace(state.with_(self.who, flip_ready=False), attack=attack)


def offer_attack(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who may act now and have somebody to attack."""
    for who in state.able:
        aims = tuple((foe.id, _aim(state, who, foe)) for foe in targets(state, who) if not sheets[foe.id].retired)
        if aims:
            own = qualities(sheets[who.id])
            options: dict[str, Options] = {
                "targets": aims, "qualities": own, "lead": own, "helpers": helpers(state, sheets, who)}
            yield Offer("attack", who.id, "Attack", "Each target after the first costs a downshift.",
                        (TARGETS, *shared(who), *((WEAPON,) if state.settings.weapons else ())), options, rolls=True,
                        now={"targets": [aims[0][0]]} if len(aims) == 1 else None)


def ask_to_act(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Each whose turn it is: to attack, or to act where there is nobody to attack."""
    for who in state.acting if state.phase is Phase.TURN else ():
        if sheets[who].retired:
            yield Ask("", "skip", f"skip {sheets[who].name}, who is retired", "Skip")
            continue
        foes = [foe for foe in targets(state, state.contestant(who)) if not sheets[foe.id].retired]
        text = f"attack {foes[0].name}, or another action" if len(foes) == 1 else "attack, or another action"
        yield Ask(who, "attack", text, "Act") if foes else Ask(who, "act", "act", "Act")


def attack(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """Declares an attack. It fails here and now where its downshifts go below poor; else the targets react."""
    take(faces, 0)
    who = state.contestant(by)
    event, said = _declared(state, by, values)
    events: tuple[Event[State], ...] = (*stepping_in(state, by), event)
    after = engine.after(state, events)
    first = Step("PQ-12", f"{who.name} attacks {state.names(values['targets'])}{quoted(values['words'])}")
    steps = (first, *said)
    pending = after.attack
    if pending is None:
        return Result(events, steps)
    side = attack_side(after, sheets, pending)
    if not side.fails:
        return Result(events, steps, {"targets": values["targets"], "waiting": pending.unanswered})
    steps += (*side.steps(who.name), Step("PQ-12", f"{who.name}: the attack fails and nobody rolls."))
    hits: list[Value] = [hit_result(target, Blow(None, None)) for target in values["targets"]]
    # It fails whoever it is aimed at, so it is one roll.
    return Result((*events, Struck(by, ())), steps, {"automatic": "failure", "attack": None, "hits": hits},
                  effects=used_up(state, by), rolls=rolls_of(Strike(side, terms(())), ()))


def odds_of_attacking(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Against each target's best quality: which one a target will use is not known yet."""
    event, _ = _declared(state, offer.by, values)
    after = engine.after(state, (*stepping_in(state, offer.by), event))
    if after.attack is None:
        return ()
    best = {target: _best(sheets[target]) for target in values["targets"]}
    reactions = tuple(
        Reaction(target, tuple(Applied(target, trait) for trait, _ in best[target]),
                 shifts=reaction_shifts(state.contestant(target)))
        for target in values["targets"]
    )
    return tuple(
        (f"{state.contestant(reaction.by).name}, {_reacting(best[reaction.by])}", odds_of_attack(move))
        for reaction, move in strikes(after, sheets, replace(after.attack, reactions=reactions))
    )


def why_attack(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The attacker’s side, whoever is to be attacked (PQ-12)."""
    event, _ = _declared(state, offer.by, values)
    after = engine.after(state, (*stepping_in(state, offer.by), event))
    if after.attack is None:
        return None
    own = why_side(sheets, offer.by, attack_side(after, sheets, after.attack), after.attack.qualities)
    theirs = tuple(Part("", f"Against {state.contestant(target).name}", REACTS) for target in values["targets"])
    return replace(own, parts=(*own.parts, *(theirs or (THEIR_SIDE,))))


def _declared(state: State, by: str, values: Values) -> tuple[Attacked, tuple[Step, ...]]:
    applied, team_steps = team(state, by, values)
    who, weapon = state.contestant(by), values.get("weapon", False)
    shifts = attack_shifts(who, values)
    event = Attacked(
        by, values["targets"], applied, leading(values), shifts, weapon, values["strategy"], values["helpers"],
        values["words"],
    )
    with_weapon = (Step("PQ-14", armed(who.name)),) if weapon and who.player else ()
    return event, (*team_steps, *on_their_word(shifts), *with_weapon)


def _aim(state: State, who: Contestant, target: Contestant) -> str:
    if not state.settings.ranges:
        return target.name
    yards = abs(target.position - who.position)
    return f"{target.name}, {range_of(yards).word} ({yards} yards)"


def _best(sheet: Sheet) -> tuple[tuple[str, str], ...]:
    """The highest quality that a target could react with: its id, and name with rank."""
    ranked = [trait for trait in sheet.traits if usable(trait)]
    if not ranked:
        return ()
    trait = max(ranked, key=lambda one: one.now)
    return ((trait.id, f"{trait.name}, {rank_of(trait).notation}"),) if trait.now > Rank.AVERAGE else ()


def _reacting(best: tuple[tuple[str, str], ...]) -> str:
    return f"reacting with {best[0][1]}" if best else "reacting with nothing better than average"


ATTACK = Act("attack", offer_attack, attack, ask_to_act, odds_of_attacking, why_attack, TARGETS.name)
