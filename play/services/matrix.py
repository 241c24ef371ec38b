"""What a GM says of the matrix: what counts as easy and hard in it, and what fits."""
from __future__ import annotations

import uuid
from collections.abc import Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character, Trait
from play.models import MatrixFit, MatrixLimits
from play.services import bank
from rules.wording import join

trail.declare("matrix.limits", "The limits of the matrix change", bank.PREPARED, story=False)
trail.declare("matrix.fit", "Fitting traits in the matrix", bank.PREPARED, story=False)


@trail.answers_once
def set_limits(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, easy: int, hard: int) -> Entry:
    """Says from which percent on something is called easy, and down from which hard."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="matrix.limits", audience=trail.GM,
        title=f"The matrix: easy from {easy}%, hard up to {hard}%",
    ) as entry:
        if not 0 <= hard < easy <= 100:
            raise Refused("Enter two numbers from 0 to 100, the one for hard lower than the one for easy.", "hard")
        kept = MatrixLimits.objects.filter(campaign=campaign).first()
        if kept is None:
            entry.create(MatrixLimits(campaign=entry.campaign, easy=easy, hard=hard))
        elif not entry.change(entry.locked(MatrixLimits, pk=kept.pk), easy=easy, hard=hard):
            raise Refused("No change: these are already the limits.", "hard")
    return entry.written


@trail.answers_once
def say_fit(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, thing_id: uuid.UUID, place: int,
    name: str, lines: Sequence[uuid.UUID], stretch: int = 0, tag: str = "",
) -> Entry:
    """Says which of a character's lines fit a row of the matrix (`name` is what it is called), none: nothing does.

    With a `tag` it is said for all rows of it, and what was said for this row alone goes.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="matrix.fit", audience=trail.GM
    ) as entry:
        who = entry.locked(Character, pk=character_id)
        own = list(Trait.objects.filter(character=who, pk__in=lines).order_by("place"))
        if len(own) < len(lines):
            raise Refused("One of these traits is no longer on the sheet. Reload the page.", "fits")
        what = join([line.name for line in own], "nothing")
        entry.title = f"{who.name}, {f'#{tag}' if tag else name}: {what} fits"[:bank.TITLE]
        here = _here(entry, who, thing_id=thing_id, place=place)
        if tag and here:
            entry.remove(here)
        kept = _here(entry, who, tag=tag) if tag else here
        held = {"lines": " ".join(str(line.pk) for line in own), "stretch": stretch if own else 0}
        if kept:
            entry.change(kept, **held)
        else:
            spot = {"tag": tag} if tag else {"thing_id": thing_id, "place": place}
            entry.create(MatrixFit(campaign=entry.campaign, character=who, **spot, **held))
    return entry.written


@trail.answers_once
def forget_fit(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, thing_id: uuid.UUID, place: int,
    name: str,
) -> Entry:
    """Takes back what was said for a row: tags and what was really used count again."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="matrix.fit", audience=trail.GM
    ) as entry:
        who = entry.locked(Character, pk=character_id)
        here = _here(entry, who, thing_id=thing_id, place=place)
        if here is None:
            raise Refused("Nothing is said for this row.", "fits")
        entry.title = f"{who.name}, {name}: by tag and by use again"[:bank.TITLE]
        entry.remove(here)
    return entry.written


def _here(entry: trail.Draft, who: Character, **spot: object) -> MatrixFit | None:
    wanted = {"thing_id": None, "place": 0, "tag": "", **spot}
    kept = MatrixFit.objects.filter(campaign=entry.campaign, character=who, **wanted).first()
    return entry.locked(MatrixFit, pk=kept.pk) if kept else None
