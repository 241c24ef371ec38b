"""What a service says when it will not do something."""
from __future__ import annotations

from rules.values import BadMove


class Refused(BadMove):
    """An action that is not done: a sentence that says what to do instead, and the field that it belongs to."""
