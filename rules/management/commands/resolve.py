"""`manage.py resolve`: answers JSON lines by the rules, as rules/contract.py says."""
from __future__ import annotations

from rules import contract
from rules.management.commands._lines import LinesCommand


class Command(LinesCommand):
    help = "Resolves moves: one JSON object a line in, one a line out."
    answer = staticmethod(contract.resolve)
