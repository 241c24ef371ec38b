"""How far a page that is narrowed looks: at what an index points at, newest first, and at so many of those at most.

An entry that a filter's index points at may be sealed from the viewer, or be left out by another filter. Without a
bound a page would go through years of them to fill itself; so it ends there, and the next one goes on.
"""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import UUIDField

from campaigns.trail.declared import finds
from campaigns.trail.models import Change, Entry

LOOKED = 1000
END = 2**31 - 1  # no entry has this number

_TABLE = Entry._meta.db_table
# From one kind to the next by the index of kinds: as many steps as there are kinds, however many entries.
_KINDS = f"""
WITH RECURSIVE "known"("kind") AS (
  SELECT MIN("kind") FROM "{_TABLE}" WHERE "campaign_id" = %s
  UNION ALL
  SELECT (SELECT MIN("kind") FROM "{_TABLE}" WHERE "campaign_id" = %s AND "kind" > "known"."kind")
  FROM "known" WHERE "known"."kind" IS NOT NULL
) SELECT "kind" FROM "known" WHERE "kind" IS NOT NULL
"""  # noqa: S608 - the name is the table's own
_OF_A_KIND = f"""
SELECT "seq" FROM (
  SELECT "seq" FROM "{_TABLE}" WHERE "campaign_id" = %s AND "kind" = %s AND "seq" < %s ORDER BY "seq" DESC LIMIT %s
) AS "of_a_kind"
"""  # noqa: S608 - the name is the table's own


def kinds_in(campaign: uuid.UUID) -> list[str]:
    """The kinds of entries that a campaign has."""
    return [kind for kind, in _rows(_KINDS, [campaign, campaign])]


def of_filter(campaign: uuid.UUID, name: str, before: int | None) -> list[int]:
    """The numbers of the newest entries that a filter finds, `LOOKED` at most."""
    kinds = [kind for kind in kinds_in(campaign) if finds(name, kind)]
    if not kinds:
        return []
    sql = " UNION ALL ".join([_OF_A_KIND] * len(kinds)) + ' ORDER BY "seq" DESC LIMIT %s'
    given = [value for kind in kinds for value in (campaign, kind, before or END, LOOKED)]
    return [seq for seq, in _rows(sql, [*given, LOOKED])]


def of_person(campaign: uuid.UUID, person: uuid.UUID, session: uuid.UUID, before: int | None) -> tuple[list[int], int]:
    """The numbers of what a person did in a session, among their newest entries; and how far those were looked at."""
    own = Entry.objects.filter(campaign=campaign, actor=person, seq__lt=before or END).order_by("-seq")
    looked_at = list(own.values_list("seq", "session_id")[:LOOKED])
    within = [seq for seq, of_session in looked_at if of_session == session]
    return within, reached([seq for seq, _ in looked_at])


def reached(numbers: Sequence[int]) -> int:
    """The last entry that was looked at, where there may be more; 0 where these are all."""
    return numbers[-1] if len(numbers) == LOOKED else 0


def reached_about(campaign: uuid.UUID, object_id: uuid.UUID, before: int | None) -> int:
    """The same of the entries about an object."""
    marks = Change.objects.filter(campaign=campaign, object_id=object_id, field="", seq__lt=before or END)
    return next(iter(marks.order_by("-seq").values_list("seq", flat=True)[LOOKED - 1:LOOKED]), 0)


def _rows(sql: str, given: list[Any]) -> list[tuple[Any, ...]]:
    on = connections[DEFAULT_DB_ALIAS]
    prepared = [UUIDField().get_db_prep_value(value, on) if isinstance(value, uuid.UUID) else value for value in given]
    with on.cursor() as cursor:
        cursor.execute(sql, prepared)
        return list(cursor.fetchall())
