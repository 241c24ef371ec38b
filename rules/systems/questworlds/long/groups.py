"""Who is in it and faces whom: pairs, who joins, followers, who goes (QW-47, QW-49, QW-57)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Lose, Sheet
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.nesting import elsewhere
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.giving import kind_of
from rules.systems.questworlds.older.states import unable
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.traits import CONSEQUENCE, score_of
from rules.values import BadMove

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def facing(state: State, ours: str, theirs: str, number: int | None = None) -> tuple[e.Paired, Step]:
    """A new pair, and what is said of it."""
    made = e.Paired(len(state.bouts) if number is None else number, ours, theirs)
    return made, Step("QW-47", f"{state.name_of(ours)} faces {state.name_of(theirs)}, from nothing.")


def engage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Somebody who is free takes somebody on, whom others may face already (QW-47)."""
    who, whom = values.get("who", "") or by, values["whom"]
    ours, theirs = state.in_order(who, whom)
    made, step = facing(state, ours, theirs)
    return e.Result((made,), (step,))


def pair(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM says who faces whom; a pair that has not had a round yet gives way."""
    ours, theirs = values["ours"], values["theirs"]
    if any((each.ours, each.theirs) == (ours, theirs) for each in state.open_bouts):
        raise BadMove("These two face each other already. Choose another pair.", "theirs")
    gone = tuple(e.Parted(each.number, "paired anew") for each in state.bouts_of(ours) if not each.rounds)
    made, step = facing(state, ours, theirs)
    return e.Result((*gone, made), (step,))


def part(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM parts a pair: what was scored in it is gone."""
    bout = state.bout(int(values["bout"]))
    names = f"{state.name_of(bout.ours)} and {state.name_of(bout.theirs)}"
    return e.Result((e.Parted(bout.number, "parted"),), (Step("QW-47", f"{names} no longer face each other."),))


def enter(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A character who was not in it joins, and takes somebody on (QW-47)."""
    _not_elsewhere(state, by, sheets[by].name)
    if why := unable(sheets[by]):
        raise BadMove(why)
    whom = state.entrant(values["whom"])
    part = e.Part(by, sheets[by].name, 1 - whom.part.side)
    ours, theirs = (by, whom.id) if part.side == 0 else (whom.id, by)
    made = e.Paired(len(state.bouts), ours, theirs)
    step = Step("QW-47", f"{part.name} joins, and faces {whom.name} from nothing.")
    return e.Result((e.Joined(part, not sheets[by].npc), made), (step,))


def join(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM brings somebody in: a name and a resistance, or who is here (QW-47)."""
    side, base, symbol = int(values["side"]), state.settings.base, state.settings.symbol
    sheet = sheets.get(values.get("npc", ""))
    if sheet is not None:
        _not_elsewhere(state, sheet.id, sheet.name)
        scores = [(score, each.name) for each in sheet.traits if (score := score_of(each, sheet)) is not None]
        number, ability = max(scores, default=(base, ""))
        made = e.Part(sheet.id, sheet.name, side, number, ability)
    else:
        if not values["name"]:
            raise BadMove("Say who joins.", "name")
        number = resistance(values["resistance"], base, symbol, state)
        made = e.Part(f"~{len(state.contestants)}", values["name"], side, number)
    step = Step("QW-47", f"{made.name} joins, at {notation(made.resistance or base, symbol)}.")
    return e.Result((e.Joined(made),), (step,))


def resistance(written: str, base: int, symbol: str, state: State) -> int:
    """A resistance as the GM wrote it; what resists nothing is no contest at all (QW-40)."""
    number, _ = resistance_of(written, base, symbol, state.edition)
    if number < state.edition.difficulty.assured_below:
        raise BadMove("What is below 1 resists nothing: no long contest is needed.", "resistance")
    return number


def _not_elsewhere(state: State, who: str, name: str) -> None:
    if title := elsewhere(state.context, who):
        raise BadMove(f"{name} is in “{title}”. A long contest never stands inside another: end or pause that one, or "
                      "help here with an unrelated action.")


def follower(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A follower of one's own takes part, in one of three roles (QW-49)."""
    sheet, role = sheets[by], values["role"]
    trait = next(each for each in sheet.traits if each.id == values["trait"])
    within = sheet.trait(trait.parent)
    name = within.name if within else trait.name
    made = e.Part(f"{by}:{trait.id}", name, state.entrant(by).part.side, score_of(trait, sheet) or 0, trait.name, role,
                  by)
    if role == "points":
        made = e.Part(made.id, name, made.side, made.resistance, trait.name, "supporter", by)
        points = made.resistance or 0
        step = Step("QW-51", f"{name} adds {points} advantage points.")
        return e.Result((e.Joined(made), e.Advantage(by, points)), (step,))
    what = {"contestant": "as a contestant", "secondary": f"beside {sheet.name}, to take points over",
            "supporter": "in the background, to assist"}[role]
    step = Step("QW-49", f"{name} takes part {what}.")
    return e.Result((e.Joined(made),), (step,))


def foe_follower(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM gives one of theirs a follower (QW-49)."""
    leader = state.entrant(values["leader"])
    number = resistance(values["resistance"], state.settings.base, state.settings.symbol, state)
    made = e.Part(f"~{len(state.contestants)}", values["name"], leader.part.side, number, "", values["role"], leader.id)
    return e.Result((e.Joined(made),), (Step("QW-49", f"{made.name} takes part, for {leader.name}."),))


def shift(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Points that stand against a leader go onto a follower at their side; at three it is out (QW-49)."""
    number, _, id_ = values["onto"].partition(":")
    bout, found, many = state.bout(int(number)), state.entrant(id_), values["points"]
    leader = found.part.leader
    place = 1 - bout.place(leader)
    if many > bout.points[place]:
        raise BadMove(f"Only {bout.points[place]} points stand against {state.name_of(leader)}.", "points")
    events: list[e.Event] = [e.Shifted(bout.number, id_, many)]
    steps = [Step("QW-49", f"{found.name} takes {many} of the points that stand against {state.name_of(leader)}.")]
    left = bout.points[place] - many
    if state.entrant(leader).status == "beaten" and left < state.edition.scored.to_win:
        events.append(e.Returned(leader, "follower", bout.number))
        steps.append(Step("QW-49", f"{left} points are left: {state.name_of(leader)} stays in it."))
    if found.points + many >= 3:
        events.append(e.Out(id_, "removed"))
        steps.append(Step("QW-49", f"Three points or more: {found.name} is out."))
    return e.Result(tuple(events), tuple(steps))


def pass_on(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A follower takes a defeat, one rank worse, and leaves (QW-57)."""
    found = state.entrant(values["follower"])
    rank, name = state.entrant(by).hurts[-1]
    lines = [each for each in sheets[by].traits
             if (each.kind, each.name, each.value) == (kind_of(CONSEQUENCE, state.settings.older), name, rank)]
    worse = state.edition.modifiers.held(rank + 1)
    step = Step("QW-57", f"{found.name} takes the defeat of {sheets[by].name}, one rank worse, which is rank {worse}, "
                         "and leaves.")
    return e.Result((e.PassedOn(by, found.id, worse), e.Out(found.id, "removed")), (step,),
                    effects=tuple(Lose(each.id) for each in lines[-1:]))


def concede(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Somebody gives up (QW-57)."""
    who = values.get("who", "") or by
    name = state.name_of(who)
    return e.Result((e.Out(who, "conceded"),), (Step("QW-57", f"{name} concedes, and gives the prize up."),))


def part_ways(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Both of a pair wish to leave: they do (QW-57)."""
    bout = state.bout(int(values["bout"]))
    names = f"{state.name_of(bout.ours)} and {state.name_of(bout.theirs)}"
    outs = tuple(e.Out(who, "left") for who in (bout.ours, bout.theirs) if len(state.bouts_of(who)) == 1)
    parted = e.Parted(bout.number, "parted")
    return e.Result((parted, *outs), (Step("QW-57", f"{names} both leave it."),))
