"""Challenges and flashy challenges at the table, with what is added after the dice (PS-10 to PS-17)."""
from __future__ import annotations

from rules.systems.pdq_sharp.challenge.kind import ChallengeAtTable, FlashyAtTable

__all__ = ["ChallengeAtTable", "FlashyAtTable"]
