"""What `resolve` and `odds` share: lines in, lines out, exit status 1 where a line was bad."""
from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from django.core.management.base import BaseCommand

from rules.contract import Answer, answer_lines


class LinesCommand(BaseCommand):
    requires_system_checks: list[str] = []
    answer: Callable[[Mapping[str, Any]], Answer]

    def handle(self, *args: Any, **options: Any) -> None:
        bad = False
        for answer in answer_lines(sys.stdin, type(self).answer):
            bad = bad or "error" in answer
            self.stdout.write(json.dumps(answer, ensure_ascii=False))
        if bad:
            sys.exit(1)
