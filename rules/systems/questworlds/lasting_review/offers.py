"""What the GM may do in a review of lasting effects."""
from __future__ import annotations

from rules.engine import Sheets
from rules.fields import Choice
from rules.procedure import Ask, Offer
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.lasting_review.state import ReviewState
from rules.systems.questworlds.older.states import TIMES, worth_of
from rules.systems.questworlds.traits import STATES

HOW = (("keep", "Keep it"), ("lower", "Lower by a rank"), ("gone", "Remove it"))


def offers(state: ReviewState, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    if state.over or not state.who:
        return ()
    options = tuple(
        (trait.id, f"{who.name}: {trait.name}, {worth_of(trait, state.symbol, state.edition)}")
        for who, trait in state.left(sheets)
    )
    finish = Offer("finish", "", "Finish", "What was not reviewed stays as it is." if options else "")
    if not options:
        return (finish,)
    how = Choice(name="how", label="How it is now", options=HOW, default="lower")
    days = Choice(name="days", label="How long", options=tuple((str(days), said) for days, said in TIMES))
    rest = (Offer("rest", "", "Let time pass", "In days of rest, or of idleness, states lapse.", (days,)),)
    title = "Clear the rest" if state.reviewed else "Clear all of them"
    return (
        Offer("look", "", "Review it", "", (text("line", "What", needed=True), how), {"line": options},
              now={"line": options[0][0]}),
        *(rest if any(trait.kind in STATES for _, trait in state.left(sheets)) else ()),
        Offer("clear", "", title, "All that you have not reviewed is over."), finish,
    )


def asks(state: ReviewState, sheets: Sheets) -> tuple[Ask, ...]:
    """The GM reviews what is left, then finishes."""
    if state.over or not state.who:
        return ()
    left = len(state.left(sheets))
    what = "consequence or benefit" if left == 1 else "consequences and benefits"
    return (Ask("", "look", f"review {left} {what}", "Review"),) if left else (
        Ask("", "finish", "finish the review", "Finish"),)
