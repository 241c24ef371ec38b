"""What could not be written though its dice had fallen: they are used up, and an entry says so.

Else a refusal would tell what the next dice are, and whoever was refused could spend them on something else.
"""
from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from campaigns.errors import Refused
from campaigns.trail import pins
from campaigns.trail.declared import declared

if TYPE_CHECKING:
    from campaigns.trail.draft import Draft


class NotWritten(Refused):
    """Nothing of an entry stays, and that is nobody's bad move.

    Where dice of the site had fallen for it, an entry of this `kind` with this `title` uses them up. The kind declares
    what a retry of the same operation is answered, as `refusal`.
    """

    def __init__(self, sentence: str, kind: str, title: str) -> None:
        super().__init__(sentence)
        self.kind, self.title = kind, title


def refused_before(kind: str) -> NotWritten | None:
    """What an operation is answered that comes again, where an entry of this kind is all that came of it."""
    known = declared(kind)
    return NotWritten(known.refusal, kind, "") if known and known.refusal else None


def use_up(
    campaign: Any, draft: Draft, refused: NotWritten, entry: Callable[..., AbstractContextManager[Draft]]
) -> Draft | None:
    """Writes the entry that uses up the dice of a draft, in a locked campaign; None where none of the site's fell.

    It is the operation's own, so that a retry finds it, and whoever could have read the roll reads it.
    """
    if draft.dice is None or draft.dice.digest is None:
        return None
    pins.take_over(campaign, entry)
    said = {"kind": refused.kind, "title": refused.title, "audience": draft.audience}
    with entry(campaign=campaign, actor=draft.actor, op_id=draft.op_id, **said) as told:
        told.dice = draft.dice
        told.index(*draft.about)
        told.move({"not_written": draft.kind})
    return told
