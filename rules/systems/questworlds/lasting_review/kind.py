"""The review of lasting effects as a procedure (QW-61, QW-03)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Choice, Field, Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import Ask, Casting, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.questworlds.edition import FIRST, Difficulty, Edition
from rules.systems.questworlds.lasting_review import acts
from rules.systems.questworlds.lasting_review.events import Event, Result
from rules.systems.questworlds.lasting_review.evolve import evolve
from rules.systems.questworlds.lasting_review.offers import asks, offers
from rules.systems.questworlds.lasting_review.state import ReviewState
from rules.systems.questworlds.lasting_review.view import view
from rules.systems.questworlds.traits import LASTING

MOST = 200  # of those who carry something


def _fields(difficulty: Difficulty) -> tuple[Field, ...]:
    """What the start asks for: who, whether a new season is harder, and how numbers are written and stand."""
    seasons = (("0", "Stays"), *((str(rise), f"+{rise}") for rise in difficulty.rises))
    return (
        Listing(name="contestants", label="Who", most=MOST, of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Choice(name="season", label="The base resistance", options=seasons, default="0",
               help="A new season may be harder. The Ledger keeps each step."),
        Text(name="symbol", label="Mastery symbol", default="M"),
        Whole(name="base", label="Base", default=difficulty.base),
    )


class LastingReview(Procedure[ReviewState, Event], KnowsCampaign[ReviewState]):
    """One line after the other: it stays, falls by a rank, or is over."""

    name = "questworlds.walk"
    title = "Review of consequences and benefits"
    casting = Casting("everyone", carrying=LASTING)
    placement = Placement(exclusive=False, needs_scene=False)
    remembers = ("questworlds.walk",)
    title_label = "How much time has passed"
    default_title = "Since the last session"
    start_label = "Review consequences"
    stored = StoredEvents[Event](Event)
    handlers = {"look": acts.look, "clear": acts.clear, "rest": acts.rest, "finish": acts.finish}

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition = edition
        self.fields = _fields(edition.difficulty)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return acts.begin(values, sheets, faces, self.edition)

    def blank(self) -> ReviewState:
        return ReviewState(edition=self.edition)

    def evolve(self, state: ReviewState, event: Event) -> ReviewState:
        return evolve(state, event)

    def offers(self, state: ReviewState, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: ReviewState, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state, sheets)

    def is_over(self, state: ReviewState) -> bool:
        return state.over

    def view(self, state: ReviewState, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)
