"""The review of lasting effects: at the start of a session the GM says of each how it is now."""
from __future__ import annotations

from rules.systems.questworlds.lasting_review.kind import LastingReview

__all__ = ["LastingReview"]
