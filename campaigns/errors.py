"""What a service says when it will not do something, and a check of what is stored when something is wrong."""
from __future__ import annotations

from rules.values import BadMove


class Refused(BadMove):
    """An action that is not done: a sentence that says what to do instead, and the field that it belongs to."""


class Broken(Exception):
    """What is wrong with an entry, in a sentence that gives nothing sealed away."""
