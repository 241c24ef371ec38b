"""A sheet with nothing on it, to print and fill in by hand."""
from __future__ import annotations

import uuid
from dataclasses import replace

from campaigns.access import Viewer
from characters.contexts import SheetContext, State, sheet_context
from characters.models import Character
from rules.sheet import Sheet, Trait

ROWS = 26  # to write on, shared out among the headings: with the rest of the sheet they fill a page of either size
LEAST, MOST = 3, 12  # under each


def blank_sheet(viewer: Viewer) -> SheetContext:
    """The sheet of a character that is yet to be; of lines that every sheet has the names alone."""
    lines = tuple(Trait(str(uuid.uuid4()), line.kind, line.name, line.value, note=line.note)
                  for line in viewer.campaign.rules.sheet.starting_lines() if line.name)
    nobody = Character(campaign=viewer.campaign)
    empty = sheet_context(viewer, nobody, State(Sheet(str(nobody.pk), "", lines)), now=False, why=False)
    room = range(max(LEAST, min(MOST, ROWS // max(len(empty.groups), 1))))
    return replace(
        empty, pools=tuple(replace(pool, value=None) for pool in empty.pools),
        groups=tuple(replace(group, room=room, rows=tuple(replace(row, notation="") for row in group.rows))
                     for group in empty.groups))
