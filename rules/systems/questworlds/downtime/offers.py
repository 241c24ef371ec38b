"""What may be done in a downtime: each says how they spend it, in any order; the GM ends it."""
from __future__ import annotations

from rules.engine import Sheets
from rules.fields import REQUIRED, Text
from rules.procedure import Ask, Offer
from rules.systems.questworlds.downtime.events import Rested
from rules.systems.questworlds.downtime.state import State

WORDS = Text(name="words", label="How the time is spent", help="A sentence or two.", most=500, lines=True,
             default=REQUIRED)


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    if state.over or not state.rested.who:
        return ()
    ends = (Offer("pass", "", "Finish", f"The time has passed. {outlook(state.rested)}".strip()),
            Offer("call_off", "", "Cancel the downtime", "Then it has not happened."))
    return (*(_spend(state, who) for who in state.rested.who if who in sheets), *ends)


def _spend(state: State, who: str) -> Offer:
    said = state.words(who)
    title = "Change how you spend the time" if said else "Say how you spend the time"
    return Offer("spend", who, title, "", (WORDS,), now={"words": said} if said else None)


def outlook(rested: Rested) -> str:
    """What the end does to the story points; "" where the campaign has none."""
    if not rested.points:
        return ""
    return "The story points come back with it." if rested.back else "The story points stay as they are."


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """Whoever has not said how they spend the time; when all have, the GM."""
    if state.over or not state.rested.who:
        return ()
    silent = [who for who in state.rested.who if who in sheets and not state.words(who)]
    said = tuple(Ask(who, "spend", "say how the time is spent", "Say") for who in silent)
    return said or (Ask("", "pass", "finish the downtime", "Finish"),)
