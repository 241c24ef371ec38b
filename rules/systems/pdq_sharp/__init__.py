"""PDQ#: swashbuckling with fortes, style dice and duels."""
from __future__ import annotations

from rules.systems.pdq_sharp.system import PdqSharp

__all__ = ["PdqSharp"]
