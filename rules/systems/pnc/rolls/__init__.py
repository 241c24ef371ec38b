"""Standard rolls on a page of their own: one alone, several compared, and questions that need none."""
from rules.systems.pnc.rolls.kind import Answer, Race, StandardRollContest

__all__ = ["Answer", "Race", "StandardRollContest"]
