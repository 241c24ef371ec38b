"""What comes of what is rolled beside the bouts: assists, parting shots, other actions (QW-45, QW-48, QW-49)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.moves import Step
from rules.sheet import Effect, Sheet
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.state import State, Throw
from rules.systems.questworlds.roll import Clash
from rules.wording import sentence

Came = tuple[tuple[e.Event, ...], tuple[Step, ...], str, tuple[Effect, ...]]


def assist_resistance(state: State, whom: str) -> int:
    """What an assist for somebody faces: the base, and a rank more for each try before, whoever made it (QW-48)."""
    steps, difficulty = state.edition.modifiers, state.edition.difficulty
    tries = dict(state.tries).get(whom, 0) + state.assists_from
    base = state.settings.base or difficulty.base
    return max(difficulty.least, base + steps.of_rank(steps.held(tries)))


def assisted(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """Points against whom one helps go down by the rank, or up; never below 0, and five are five (QW-48)."""
    lies = throw.thrown
    if not clash.lead:
        return (), (), "Nothing changes.", ()
    bout, whom = state.bout(lies.bout), lies.whom
    place = 1 - bout.place(whom)
    before = bout.points[place]
    after = max(0, before - clash.lead * clash.rank)
    by = after - before
    events: list[e.Event] = [e.Scored(bout.number, *((by, 0) if not place else (0, by)))] if by else []
    if after >= state.edition.scored.to_win:
        events.append(e.Out(whom, "beaten", bout.number, by))
    text = f"{after} points stand against {state.name_of(whom)}, {before} before."
    return tuple(events), (Step("QW-48", text), Step("QW-80", "An assist earns no experience.")), text, ()


def unrelated(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """What somebody does whom nobody presses: an augment for somebody, or another aim; no risk (QW-48)."""
    lies = throw.thrown
    if clash.lead <= 0:
        return (), (), "Nothing comes of it, and nothing is lost.", ()
    if lies.whom:
        bonus = state.edition.modifiers.augment[0]
        line = e.Line(lies.whom, "augment", lies.choice.name or "Help", bonus, lies.choice.words)
        text = f"{state.name_of(lies.whom)} has +{bonus} from now on."
        return (e.Added(line),), (Step("QW-48", text),), text, ()
    return (), (), sentence(lies.choice.words) if lies.choice.words else "", ()


def parted_with(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """A parting shot: the further prize is won, or points are taken back, and who fell may return (QW-45)."""
    lies, rule = throw.thrown, state.edition.scored
    events: list[e.Event] = [e.PartingMade(lies.whom)]
    prize = sentence(lies.choice.words) if lies.choice.words else ""
    if clash.lead > 0:
        return tuple(events), (Step("QW-45", f"The further prize is won. {prize}".rstrip()),), prize, ()
    if not clash.lead:
        return tuple(events), (), "Nothing changes.", ()
    fallen = state.entrant(lies.whom)
    if fallen.fell is None or fallen.fell.bout < 0:
        return tuple(events), (), "", ()
    bout = state.bout(fallen.fell.bout)
    place = 1 - bout.place(lies.whom)
    back = min(clash.rank, fallen.fell.points)
    left = bout.points[place] - back
    events.append(e.Scored(bout.number, *((-back, 0) if not place else (0, -back))))
    text = f"{back} points are taken back: {left} stand against {fallen.name}."
    steps = [Step("QW-45", text)]
    if left < rule.to_win:
        events.append(e.Returned(lies.whom, "parting", bout.number))
        steps.append(Step("QW-45", f"That is under {rule.to_win}: {fallen.name} is back in it."))
        text = f"{fallen.name} is back, with {left} points against."
    return tuple(events), tuple(steps), text, ()


def removed(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """Somebody unengaged takes a follower out of it: with any victory (QW-49)."""
    lies = throw.thrown
    lost = clash.lead > 0 if lies.whom == lies.second else clash.lead < 0
    if not lost:
        return (), (), f"{state.name_of(lies.whom)} stays.", ()
    return (e.Out(lies.whom, "removed"),), (), "", ()
