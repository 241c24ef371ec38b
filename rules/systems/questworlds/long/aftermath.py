"""After a long contest: what lasts, what was learned, and the end (QW-43, QW-60, QW-80)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Step
from rules.sheet import Effect, Gain, Sheet
from rules.systems.questworlds.after import used_up
from rules.systems.questworlds.experience import DEFEAT, FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.state import NOBODY, Contestant, State
from rules.systems.questworlds.older.giving import check_state, check_worthy, kind_of
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.older.whole import compared
from rules.wording import sentence

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def give(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A consequence or a benefit goes onto a sheet, and knows where it is from (QW-60)."""
    who, kind, rank, name = values["whom"], values["kind"], int(values["rank"]), values["name"]
    touches, prize = values["touches"].rstrip("."), state.settings.prize
    note = f"{touches}. From: {prize}" if touches else f"From: {prize}"
    kind = kind_of(kind, state.settings.older)
    check_state(kind, rank)
    check_worthy(kind, sheets[who].name, *compared(state, sheets, who), state.settings.symbol)
    amount = worth(kind, rank, state.settings.symbol, state.edition)
    on = f", on {touches}" if touches else ""
    steps = [Step(RULES.get(kind, "QW-60"), f"{sheets[who].name}: {name}, {amount}{on}.")]
    if margin := margin_of(state, state.entrant(who)):
        text = f"The points were {margin[0]} to {margin[1]}: rank {suggested(*margin)} was suggested."
        steps.append(Step("QW-43", text))
    return e.Result((e.Gave(who, kind, name, rank),), tuple(steps), effects=(Gain(who, kind, name, rank, note),))


def margin_of(state: State, who: Contestant) -> tuple[int, int] | None:
    """Somebody's points and those against them, in their last bout; None for who had none."""
    bouts = [each for each in state.bouts if who.id in (each.ours, each.theirs) and each.rounds]
    if not bouts:
        return None
    place = bouts[-1].place(who.id)
    return bouts[-1].points[place], bouts[-1].points[1 - place]


def suggested(ours: int, theirs: int) -> int:
    """The rank that a difference in points suggests: one for each two. *Ruling*: the source names no numbers."""
    return max(1, min(5, (abs(ours - theirs) + 1) // 2))


def close(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The contest is done: who has the prize, and what was learned (QW-43, QW-47, QW-80)."""
    words = {NOBODY: "Nobody is left to have the prize", None: "It is left undecided"}
    words |= {place: f"The prize goes to {side}" for place, side in enumerate(state.settings.sides)}
    steps = [Step("QW-47", f"{words[state.won_by]}: {sentence(state.settings.prize)}")]
    events: list[e.Event] = []
    effects: list[Effect] = []
    for each in state.contestants:
        for kind, trait, contest in lessons(state, each) if each.id in sheets else ():
            found, why, earned = learned(state, sheets[each.id], kind, trait, contest)
            state = replace(state, learned=(*state.learned, *found))
            events += found
            steps += why
            effects += earned
    used, why_used = used_up(state.lines, sheets)
    return e.Result((*events, e.Ended("done")), (*steps, *why_used), {"won_by": state.won_by},
                    effects=(*effects, *used))


def lessons(state: State, who: Contestant) -> list[tuple[str, str, str]]:
    """What may be worth a point: flaws that met the dice, and a defeat (QW-23, QW-80)."""
    rolled = any(who.id in (each.ours, each.theirs) and each.rounds for each in state.bouts)
    found = [(FLAW, each.label, "hindrance") for each in state.lines
             if each.kind == "hindrance" and each.who == who.id and rolled]
    if who.status in ("beaten", "conceded") and rolled:
        found.append((DEFEAT, who.using.name if who.using else "", state.form))
    return found


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM lets it go."""
    return e.Result((e.Ended("called off"),), (Step("QW-20", "The contest is called off."),))
