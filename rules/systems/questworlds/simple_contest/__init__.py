"""A simple contest as a conversation: framed, modified, rolled, resolved, and what lasts of it."""
from rules.systems.questworlds.simple_contest.kind import FlawContest, GroupContest, OpposedContest, SimpleContest

__all__ = ["FlawContest", "GroupContest", "OpposedContest", "SimpleContest"]
