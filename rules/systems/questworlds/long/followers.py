"""Followers: whom one brings in or goes for, and what they carry for their leader (QW-49)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import Whole, text
from rules.moves import Need, Step
from rules.procedure import Offer
from rules.sheet import Sheet
from rules.systems.questworlds.long.beside import decider, helper, with_helper
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.dice import (
    Settled,
    both,
    comes_of,
    fall,
    laid,
    two,
)
from rules.systems.questworlds.long.extended import adds_points
from rules.systems.questworlds.long.pairs import Joined, Returned, WentOut, gms, own, pair_name, resistance
from rules.systems.questworlds.long.scored import FOLLOWER_FALLS, ROLES, ScoredState
from rules.systems.questworlds.long.state import Result, State
from rules.systems.questworlds.long.values import Choice, Part, Throw
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import RELATIONSHIPS, RETAINER, SIDEKICK_ABILITY, score_of
from rules.values import BadMove


@dataclass(frozen=True)
class Shifted(Event[ScoredState]):
    """Points of a leader's pair go onto a follower (QW-49)."""

    bout: int
    follower: str
    points: int

    def after(self, state: ScoredState) -> ScoredState:
        bout, follower = state.bout(self.bout), state.entrant(self.follower)
        place = bout.place(follower.part.leader)
        scored = list(bout.points)
        scored[1 - place] = max(0, scored[1 - place] - self.points)
        return state.with_bout(self.bout, points=(scored[0], scored[1])).with_(
            self.follower, points=follower.points + self.points)


FOLLOWERS = (RETAINER, SIDEKICK_ABILITY, *RELATIONSHIPS)


def remove(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Somebody unengaged goes for a follower of the other side (QW-49)."""
    dice = two(faces)
    if dice is None:
        return both(faces)
    who, name, choice = helper(state, sheets, by, values)
    whom = state.entrant(values["whom"])
    return fall(state, sheets, laid(
        state, "remove", who, choice, dice, name=name, second=whom.id,
        deciders=(decider(state, sheets, who), state.keeper(whom.id)), whom=whom.id))


def threaten(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """One of the GM's who is unengaged goes for a player's follower, who rolls against it (QW-49)."""
    dice = two(faces)
    if dice is None:
        return both(faces)
    whom, who = state.entrant(values["whom"]), state.entrant(values["who"])
    choice = Choice("", whom.part.ability, whom.part.resistance)
    return fall(state, sheets, laid(
        state, "remove", whom.id, choice, dice, second=who.id, deciders=(state.keeper(whom.id), ""), whom=whom.id))


@comes_of("remove", State, victory="succeeds", defeat="fails", tie="changes nothing")
def removed(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """Somebody unengaged takes a follower out of it: with any victory (QW-49)."""
    lies = throw.thrown
    lost = clash.lead > 0 if lies.whom == lies.second else clash.lead < 0
    if not lost:
        return (), (), f"{state.name_of(lies.whom)} stays.", ()
    return (WentOut(lies.whom, "removed"),), (), "", ()


def can_remove(state: State, sheet: Sheet) -> Offer | None:
    side = state.side_of(sheet.id)
    theirs = tuple((follower.id, follower.name) for follower in state.contestants if follower.status == "in"
                   and follower.part.leader and follower.part.side != side and not state.busy(follower.id))
    entrant = state.contestant(sheet.id)
    if entrant is None:
        return None
    return with_helper(state, sheet, "remove", "Take a follower out", "Any victory takes them out of it.",
                        (("whom", "Target", theirs),), "How")


def can_threaten(state: State, sheets: Sheets) -> Offer | None:
    """One of the GM's who is free goes for a follower of a player's."""
    free = tuple((contestant.id, contestant.name) for contestant in state.contestants
                 if state.free(contestant.id) and contestant.part.resistance is not None and not contestant.part.leader)
    theirs = tuple((contestant.id, contestant.name) for contestant in state.contestants
                   if contestant.status == "in" and contestant.part.leader and state.keeper(contestant.id)
                   and not state.busy(state.keeper(contestant.id)) and not state.busy(contestant.id))
    sides = {state.entrant(who).part.side for who, _ in free}
    theirs = tuple(option for option in theirs if sides - {state.entrant(option[0]).part.side})
    if not free or not theirs:
        return None
    fields = (text("who", "Follower", needed=True), text("whom", "Target", needed=True))
    return Offer("threaten", "", "Go for a follower", "Any defeat takes the follower out.", fields,
                 {"who": free, "whom": theirs}, rolls=True, now={"who": free[0][0], "whom": theirs[0][0]})


def follower(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A follower of one's own takes part, in one of three roles (QW-49)."""
    sheet, role = sheets[by], values["role"]
    trait = next(trait for trait in sheet.traits if trait.id == values["trait"])
    within = sheet.trait(trait.parent)
    name = within.name if within else trait.name
    made = Part(f"{by}:{trait.id}", name, state.entrant(by).part.side, score_of(trait, sheet) or 0, trait.name, role,
                  by)
    if role == "points":
        return adds_points(replace(made, role="supporter"), by)
    what = {"contestant": "as a contestant", "secondary": f"beside {sheet.name}, to take points over",
            "supporter": "in the background, to assist"}[role]
    step = Step("QW-49", f"{name} takes part {what}.")
    return Result((Joined(made),), (step,))


def can_bring_a_follower(state: State, sheet: Sheet) -> Offer | None:
    me = state.contestant(sheet.id)
    there = {contestant.id for contestant in state.contestants}
    lines = tuple((trait.id, trait.name) for trait in sheet.traits
                  if trait.kind in FOLLOWERS and f"{sheet.id}:{trait.id}" not in there)
    if me is None or me.status != "in" or not lines:
        return None
    roles = state.roles(me)
    fields = (text("trait", "Follower", needed=True),
              ChoiceField(name="role", label="Role", options=roles, default=roles[0][0]))
    return Offer("follower", sheet.id, "Bring a follower in", "", fields, {"trait": lines}, now={"trait": lines[0][0]})


REMOVE: Act[Any] = Act("remove", own(can_remove), remove, odds=of_roll(remove), why=why_of(remove))


FOLLOWER: Act[Any] = Act("follower", own(can_bring_a_follower), follower)


THREATEN: Act[Any] = Act("threaten", gms(can_threaten), threaten, odds=of_roll(threaten), why=why_of(threaten))


def shift(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Points that stand against a leader go onto a follower at their side; at three it is out (QW-49)."""
    number, _, id_ = values["onto"].partition(":")
    bout, contestant, many = state.bout(int(number)), state.entrant(id_), values["points"]
    leader = contestant.part.leader
    place = 1 - bout.place(leader)
    if many > bout.points[place]:
        raise BadMove(f"Only {bout.points[place]} points are against {state.name_of(leader)}.", "points")
    events: list[Event[Any]] = [Shifted(bout.number, id_, many)]
    steps = [Step("QW-49", f"{contestant.name} takes {many} of the points against {state.name_of(leader)}.")]
    left = bout.points[place] - many
    if state.entrant(leader).status == "beaten" and left < state.edition.scored.to_win:
        events.append(Returned(leader, "follower", bout.number))
        steps.append(Step("QW-49", f"{left} points are left: {state.name_of(leader)} stays in it."))
    if contestant.points + many >= 3:
        events.append(WentOut(id_, "removed"))
        steps.append(Step("QW-49", f"Three points or more: {contestant.name} is out."))
    return Result(tuple(events), tuple(steps))


def can_shift(state: ScoredState, sheet: Sheet) -> Offer | None:
    """Points against a leader who stands, or has only just fallen, onto a follower at their side."""
    me = state.contestant(sheet.id)
    if me is None or not (me.status == "in" or (me.status == "beaten" and me.fell_round >= state.round - 1)):
        return None
    mine = [follower for follower in state.own(sheet.id)
            if follower.status == "in" and follower.part.role == "secondary"]
    options = []
    for bout in state.bouts:
        fell_here = me.fell is not None and me.fell.bout == bout.number
        against = bout.points[1 - bout.place(sheet.id)]
        if sheet.id in (bout.ours, bout.theirs) and (not bout.closed or fell_here) and against:
            options += [(f"{bout.number}:{follower.id}", f"{follower.name}, in {pair_name(state, bout)}")
                        for follower in mine]
    if not options:
        return None
    fields = (text("onto", "Recipient", needed=True), Whole(name="points", label="Points", default=1, least=1, most=9))
    return Offer("shift", sheet.id, "Let a follower take points", f"At {FOLLOWER_FALLS} the follower is out.", fields,
                 {"onto": tuple(options)}, now={"onto": options[0][0]})


def foe_follower(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM gives one of theirs a follower (QW-49)."""
    leader = state.entrant(values["leader"])
    number = resistance(values["resistance"], state.settings.base, state.settings.symbol, state)
    made = Part(f"~{len(state.contestants)}", values["name"], leader.part.side, number, "", values["role"], leader.id)
    return Result((Joined(made),), (Step("QW-49", f"{made.name} takes part, for {leader.name}."),))


def can_add_a_follower(state: ScoredState, sheets: Sheets) -> Offer | None:
    leaders = tuple((contestant.id, contestant.name) for contestant in state.contestants
                    if contestant.fights and not contestant.part.leader and contestant.part.resistance is not None)
    if not leaders:
        return None
    fields = (text("leader", "Leader", needed=True), text("name", "Name", needed=True, most=120),
              text("resistance", "Resistance", "Leave blank for the base."),
              ChoiceField(name="role", label="Role", options=ROLES, default="contestant"))
    return Offer("foe_follower", "", "Add a follower", "", fields, {"leader": leaders}, now={"leader": leaders[0][0]})


SHIFT: Act[Any] = Act("shift", own(can_shift, after=True), shift)


FOE_FOLLOWER: Act[Any] = Act("foe_follower", gms(can_add_a_follower), foe_follower)


EVENTS = (Shifted,)
