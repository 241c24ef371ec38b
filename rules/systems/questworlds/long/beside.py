"""Acts beside the bouts, each with dice of its own (QW-45, QW-48, QW-49)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Need, take
from rules.sheet import Sheet
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.helping import assist_resistance
from rules.systems.questworlds.long.rounds import choice_of, fall
from rules.systems.questworlds.long.state import NO_CHOICE, State
from rules.systems.questworlds.roll import SIDES

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]


def _decider(state: State, sheets: Sheets, who: str) -> str:
    """Whose player may spend a story point on what this one rolls: a helper who is not in it has one, too."""
    if state.contestant(who) is None:
        return who if who in sheets and not sheets[who].npc else ""
    return state.keeper(who)


def _two(faces: Sequence[int]) -> tuple[int, int] | None:
    return None if take(faces, 2) is None else (faces[0], faces[1])


def _helper(state: State, sheets: Sheets, by: str, values: Values) -> tuple[str, str, e.Choice]:
    """Who of this player's acts, what they are called, and with what."""
    who = values.get("who", "") or by
    return who, state.name_of(who) or sheets[by].name, choice_of(state, sheets, who, values)


def assist(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """Help for somebody who is pressed: points against them go down, or up (QW-48)."""
    dice = _two(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    who, name, choice = _helper(state, sheets, by, values)
    bout = state.bout(int(values["bout"]))
    found = state.contestant(who)
    whom = bout.theirs if found and found.part.side == 1 else bout.ours
    return fall(state, sheets, e.Thrown(
        "assist", bout.number, who, name, "", "what stands against help", choice, NO_CHOICE, state.modifiers(who),
        assist_resistance(state, whom), (), (state.down(who), 0), dice, (_decider(state, sheets, who), ""), whom,
        dict(state.tries).get(whom, 0)))


def unrelated(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """An action beside the contest, for an augment or another aim, without a risk (QW-48)."""
    dice = _two(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    who, name, choice = _helper(state, sheets, by, values)
    return fall(state, sheets, e.Thrown(
        "unrelated", -1, who, name, "", "the base", choice, NO_CHOICE, state.modifiers(who), state.settings.base, (),
        (state.down(who), 0), dice, (_decider(state, sheets, who), ""), values.get("whom", "")))


def parting(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """A last blow at somebody who has just fallen, for a further prize (QW-45)."""
    dice = _two(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    whom = values["whom"]
    choice, none = choice_of(state, sheets, by, values), state.edition.resolution.no_ability
    score = state.score_of(whom)
    return fall(state, sheets, e.Thrown(
        "parting", -1, by, sheets[by].name, whom, state.name_of(whom), choice, state.entrant(whom).using or NO_CHOICE,
        state.modifiers(by), none if score is None else score, state.modifiers(whom),
        (state.down(by), state.down(whom)), dice, (_decider(state, sheets, by), state.keeper(whom)), whom))


def remove(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """Somebody unengaged goes for a follower of the other side (QW-49)."""
    dice = _two(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    who, name, choice = _helper(state, sheets, by, values)
    whom = state.entrant(values["whom"])
    return fall(state, sheets, e.Thrown(
        "remove", -1, who, name, whom.id, whom.name, choice, NO_CHOICE, state.modifiers(who),
        whom.part.resistance or state.settings.base, state.modifiers(whom.id), (state.down(who), 0), dice,
        (_decider(state, sheets, who), state.keeper(whom.id)), whom.id))


def threaten(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result | Need:
    """One of the GM's who is unengaged goes for a player's follower, who rolls against it (QW-49)."""
    dice = _two(faces)
    if dice is None:
        return Need((SIDES,) * (2 - len(faces)))
    whom, who = state.entrant(values["whom"]), state.entrant(values["who"])
    choice = e.Choice("", whom.part.ability, whom.part.resistance)
    return fall(state, sheets, e.Thrown(
        "remove", -1, whom.id, whom.name, who.id, who.name, choice, NO_CHOICE, state.modifiers(whom.id),
        who.part.resistance or state.settings.base, state.modifiers(who.id), (0, 0), dice,
        (state.keeper(whom.id), ""), whom.id))
