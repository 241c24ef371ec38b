"""Challenges as things of a scene: several may try one, and threat dice stay on it until it is overcome (DW-06, DW-09).

A challenge is known by its name: checks of one scene that are about the same are tries at the same challenge. *Ruling*:
the threat dice on it fall with every try, until one accomplishes it or the GM takes them off.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules.procedure import CampaignContext, Suggestion
from rules.systems.danger_world.reading import dice
from rules.systems.danger_world.table.resolution import HEIGHTS
from rules.systems.danger_world.table.state import State, ThreatLeft

SETUP_THREAT = "Complications"  # the reason of the threat dice that a check starts with


@dataclass(frozen=True)
class Challenge:
    """A challenge of the scene: the latest try at it (None before the first), and the threat dice that wait there."""

    name: str
    latest: State | None = None
    threats: tuple[ThreatLeft, ...] = ()
    overcome: bool = False

    @property
    def dice(self) -> int:
        """How many threat dice wait."""
        return sum(each.dice for each in self.threats)


def challenges(context: CampaignContext) -> dict[str, Challenge]:
    """The challenges of the scene as other checks left them, by their key, in the order in which they came."""
    found: dict[str, Challenge] = {}
    for past in context.past:
        state: State = past.state
        if past.scene != context.scene or not state.who:
            continue
        for threat in state.left:
            was = found.get(key(threat.challenge), Challenge(threat.challenge))
            found[key(threat.challenge)] = replace(was, threats=(*was.threats, threat), overcome=False)
        was = found.get(key(state.title), Challenge(state.title))
        threats = () if state.accomplished else tuple(_without(was.threats, state.removed))
        found[key(state.title)] = replace(was, latest=state, threats=threats, overcome=state.accomplished)
    return found


def waiting(state: State) -> tuple[ThreatLeft, ...]:
    """The threat dice that other checks left on the challenge of this one, and that the GM has not taken off."""
    known = challenges(state.context).get(key(state.title))
    return tuple(_without(known.threats, state.removed)) if known else ()


def suggestions(context: CampaignContext) -> tuple[Suggestion, ...]:
    """The challenges of the scene that are not overcome, each as a check at it starts."""
    return tuple(_suggestion(each) for each in challenges(context).values() if not each.overcome)


def try_again(state: State) -> tuple[tuple[str, str], ...]:
    """What a further check at the challenge of this one starts with."""
    threat = sum(each.dice for each in state.complications if each.reason == SETUP_THREAT and not each.trait)
    rows = zip(HEIGHTS, state.own, strict=False)
    return (
        ("title", state.title), ("difficulty", str(state.base)), ("keywords", ", ".join(state.keywords)),
        ("threat", str(threat)), ("move", state.move), *((f"height_{height}", row) for height, row in rows if row),
    )


def key(name: str) -> str:
    """What tells challenges apart: their names in small letters, with single blanks."""
    return " ".join(name.split()).casefold()


def _suggestion(challenge: Challenge) -> Suggestion:
    words = [f"difficulty {challenge.latest.base}"] if challenge.latest else []
    if challenge.dice:
        words.append(f"{dice(challenge.dice, 'threat')} on it")
    values = try_again(challenge.latest) if challenge.latest else (("title", challenge.name),)
    return Suggestion(challenge.name, ", ".join(words), values)


def _without(threats: Iterable[ThreatLeft], number: int) -> Iterator[ThreatLeft]:
    """The threats less so many dice, the oldest first."""
    for each in threats:
        gone = min(number, each.dice)
        number -= gone
        if each.dice > gone:
            yield replace(each, dice=each.dice - gone)
