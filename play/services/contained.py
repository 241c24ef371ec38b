"""What the rules say of a contest, where they may fail: that stays in its card, and takes no page with it."""
from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import Error as DatabaseError

from play.models import Contest

log = logging.getLogger(__name__)

T = TypeVar("T")
D = TypeVar("D")


def contained(of: Contest | str, ask: Callable[[], T], nothing: D) -> T | D:
    """What is asked of the rules about a contest, or about what is yet to be one, by the name of its procedure;
    `nothing` where they fail, and the log has the traceback.

    What fails in the database is raised: it says nothing of the contest.
    """
    try:
        return ask()
    except DatabaseError:
        raise
    except Exception:
        log.exception("The rules failed at %s.", of if isinstance(of, str) else f"{of.kind} {of.pk}")
        return nothing
