"""What drawing a picture costs, measured as the operating system tells it of the process that did it."""
from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from campaigns.pictures import ARTIST

# In a process that is small itself: what starts another one counts as its own for a moment.
MEASURE = """
import json, resource, subprocess, sys
with open(sys.argv[2], "rb") as file:
    done = subprocess.run([sys.executable, "-I", sys.argv[1]], stdin=file, capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
said = "" if done.stdout.startswith(b"RIFF") else done.stdout.decode()
print(json.dumps([done.returncode, said, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


@dataclass(frozen=True)
class Cost:
    """How a drawing ended (0), what it said in place of a picture, seconds of CPU, megabytes of memory on Linux."""

    ended: int
    said: str
    seconds: float
    megabytes: float


def cost_of(path: Path) -> Cost:
    """What drawing this file costs, with the start."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", MEASURE, str(ARTIST), str(path)], capture_output=True, text=True, timeout=60,
        check=True)
    cost = Cost(*json.loads(done.stdout))
    return cost if sys.platform == "linux" else Cost(cost.ended, cost.said, cost.seconds, 0)
