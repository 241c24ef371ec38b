"""Beside the pairs: what somebody at hand does apart, and followers, whom one brings in or goes for (QW-48, QW-49)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import Act, Sheets, Values
from rules.fields import text
from rules.moves import Need, Step
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.counting import Added
from rules.systems.questworlds.long.dice import (
    Settled,
    abilities,
    both,
    choice_of,
    comes_of,
    fall,
    laid,
    last_ability,
    two,
)
from rules.systems.questworlds.long.pairs import own
from rules.systems.questworlds.long.state import Result, State
from rules.systems.questworlds.long.values import Choice, Line, Throw
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.systems.questworlds.roll import Clash
from rules.wording import sentence


def decider(state: State, sheets: Sheets, who: str) -> str:
    """Whose player may spend a story point on what this one rolls: a helper who is not in it has one, too."""
    if state.contestant(who) is None:
        return who if who in sheets and not sheets[who].npc else ""
    return state.keeper(who)


def helper(state: State, sheets: Sheets, by: str, values: Values) -> tuple[str, str, Choice]:
    """Who of this player's acts, what they are called, and with what."""
    who = values.get("who", "") or by
    return who, state.name_of(who) or sheets[by].name, choice_of(state, sheets, who, values)


def helpers(state: State, by: str, *, followers: bool = True) -> Options:
    """Whom this player may act with beside the bouts: who is free, or in the background, once in a round."""
    choices = []
    if state.contestant(by) is None:
        choices.append((by, "You"))
    for follower in state.own(by):
        if state.at_hand(follower.id) and follower.acted < state.round and (followers or not follower.part.leader):
            choices.append((follower.id, follower.name))
    return tuple(choices)


def with_helper(
    state: State, sheet: Sheet, action: str, title: str, help: str, asked: tuple[tuple[str, str, Options], ...],
    words: str,
) -> Offer | None:
    """An act of somebody at hand: who of one's own, whom it is for, with which ability, in which words."""
    who = helpers(state, sheet.id)
    if not who or any(not options for name, _, options in asked if name != "for"):
        return None
    fields = [text("who", "Character", needed=True)] if len(who) > 1 or who[0][0] != sheet.id else []
    options: dict[str, Options] = {"who": who} if fields else {}
    now = {"ability": last_ability(state, sheet), **({"who": who[0][0]} if fields else {})}
    for name, label, known in asked:
        named = name if name != "for" else "whom"
        fields.append(text(named, label, needed=name != "for"))
        options[named] = known
        if name != "for":
            now[named] = known[0][0]
    fields += [text("ability", "Ability"), text("words", words, most=200)]
    return Offer(action, sheet.id, title, help, tuple(fields), {**options, "ability": abilities(state, sheet)},
                 rolls=True, now=dict(now))


def unrelated(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """An action beside the contest, for an augment or another aim, without a risk (QW-48)."""
    dice = two(faces)
    if dice is None:
        return both(faces)
    who, name, choice = helper(state, sheets, by, values)
    return fall(state, sheets, laid(
        state, "unrelated", who, choice, dice, name=name, second_name="the base", resistance=state.settings.base,
        deciders=(decider(state, sheets, who), ""), whom=values.get("whom", "")))


@comes_of("unrelated", State, victory="succeeds", defeat="fails", tie="gets nothing of it")
def acted_apart(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """What somebody does whom nobody presses: an augment for somebody, or another aim; no risk (QW-48)."""
    lies = throw.thrown
    if clash.lead <= 0:
        return (), (), "Nothing comes of it, and nothing is lost.", ()
    if lies.whom:
        bonus = state.edition.modifiers.augment[0]
        line = Line(lies.whom, "augment", lies.choice.name or "Help", bonus, lies.choice.words, lies.choice.trait,
                    family=lies.choice.family if lies.whom == lies.first else "")
        text = f"{state.name_of(lies.whom)} has +{bonus} from now on."
        return (Added(line),), (Step("QW-48", text),), text, ()
    return (), (), sentence(lies.choice.words) if lies.choice.words else "", ()


def can_act_apart(state: State, sheet: Sheet) -> Offer | None:
    friends = tuple((contestant.id, contestant.name) for contestant in state.contestants
                    if contestant.fights and contestant.part.side == state.side_of(sheet.id))
    return with_helper(state, sheet, "unrelated", "Do something apart",
                        "Nobody presses you: there is no risk. It may help one of you with an augment.",
                        (("for", "Character to augment", friends),), "Action")


UNRELATED: Act[Any] = Act("unrelated", own(can_act_apart), unrelated, odds=of_roll(unrelated), why=why_of(unrelated))
