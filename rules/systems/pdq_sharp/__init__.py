"""PDQ#: swashbuckling with fortes, style dice and duels. Its rolls stand; the game itself is not playable yet."""
from __future__ import annotations

from rules.systems.pdq_sharp.challenge import ChallengeMove, FlashyMove
from rules.systems.pdq_sharp.duel import DuelTurnMove

MOVES = (ChallengeMove(), FlashyMove(), DuelTurnMove())
