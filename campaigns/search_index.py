"""The database's own index over `Found.words`: FTS5 on SQLite, full text search on PostgreSQL.

On SQLite triggers keep it in step with the table; like those of the trail they are put on again after each migration.
"""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

FILLED = tuple(f"campaigns_{name}" for name in ("found", "entry", "payload", "change", "commitment"))
LATEST = 1000  # rows that are looked through before PostgreSQL's index is asked

_INTO = "INSERT INTO campaigns_found_words(rowid, campaign_id, words) VALUES (new.id, new.campaign_id, new.words);"
_OUT = """INSERT INTO campaigns_found_words(campaigns_found_words, rowid, campaign_id, words)
    VALUES ('delete', old.id, old.campaign_id, old.words);"""
_ON_SQLITE = (
    """CREATE VIRTUAL TABLE IF NOT EXISTS campaigns_found_words USING fts5
    (campaign_id, words, content='campaigns_found', content_rowid='id', prefix='2 3')""",
    f"CREATE TRIGGER IF NOT EXISTS campaigns_found_in AFTER INSERT ON campaigns_found BEGIN {_INTO} END",
    f"CREATE TRIGGER IF NOT EXISTS campaigns_found_out AFTER DELETE ON campaigns_found BEGIN {_OUT} END",
    f"CREATE TRIGGER IF NOT EXISTS campaigns_found_anew AFTER UPDATE ON campaigns_found BEGIN {_OUT} {_INTO} END",
)
_INDEX = "CREATE INDEX campaigns_found_words ON campaigns_found USING gin (to_tsvector('simple', words))"
_MATCHING = """
        WITH everywhere AS MATERIALIZED (SELECT id, campaign_id FROM campaigns_found
            WHERE to_tsvector('simple', words) @@ to_tsquery('simple', asked))
        SELECT id FROM everywhere WHERE campaign_id = of_campaign """
# Whatever statistics say, and after a restore they say nothing: the index is asked first, alone, and once.
_FUNCTION = f"""CREATE OR REPLACE FUNCTION campaigns_found_matching(of_campaign uuid, asked text) RETURNS SETOF bigint
    LANGUAGE sql STABLE SET enable_seqscan = off AS $${_MATCHING}$$"""


def install(on: BaseDatabaseWrapper) -> None:
    """Makes the index, and what keeps it, where there is none; again and again if asked."""
    if "campaigns_found" in on.introspection.table_names():
        with on.cursor() as cursor:
            for statement in _missing_on_postgresql(cursor) if on.vendor == "postgresql" else _ON_SQLITE:
                cursor.execute(statement)


def _missing_on_postgresql(cursor: Any) -> list[str]:
    """What is not there as it is wanted: to ask for what is there would take locks all the same."""
    cursor.execute("SELECT to_regclass('campaigns_found_words') IS NULL")
    missing = [_INDEX] if cursor.fetchone()[0] else []
    cursor.execute("SELECT prosrc FROM pg_proc WHERE proname = 'campaigns_found_matching'"
                   " AND pg_function_is_visible(oid) AND proconfig = ARRAY['enable_seqscan=off']")
    return missing if cursor.fetchall() == [(_MATCHING,)] else [*missing, _FUNCTION]


def newest(campaign_id: uuid.UUID, words: Sequence[str], before: int, many: int) -> list[int]:
    """The newest rows of a campaign that have, for each of these, a word that begins so: letters and digits.

    At most so many, newest first; of all, or of those before one. Of a word that much has, no more is read than that.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            return _newest_on_postgresql(cursor, campaign_id, words, before or 2**62, many)
        asked = " AND ".join([f'campaign_id : "{campaign_id.hex}"', *(f'words : "{word}" *' for word in words)])
        cursor.execute(
            "SELECT rowid FROM campaigns_found_words WHERE campaigns_found_words MATCH %s AND rowid < %s"
            " ORDER BY rowid DESC LIMIT %s", (asked, before or 2**62, many))
        return [pk for pk, in cursor.fetchall()]


def _newest_on_postgresql(
    cursor: Any, campaign_id: uuid.UUID, words: Sequence[str], before: int, many: int
) -> list[int]:
    """The index answers with all rows at once: what is common is found sooner among the latest."""
    like = " AND ".join(["' ' || words LIKE %s"] * len(words))
    cursor.execute(
        "SELECT id FROM (SELECT id, words FROM campaigns_found WHERE campaign_id = %s AND id < %s ORDER BY id DESC"  # noqa: S608
        f" LIMIT %s) AS latest WHERE {like} ORDER BY id DESC LIMIT %s",
        (campaign_id, before, LATEST, *(f"% {word}%" for word in words), many))
    latest = [pk for pk, in cursor.fetchall()]
    if len(latest) == many:
        return latest
    cursor.execute("SELECT id FROM campaigns_found_matching(%s, %s) AS id WHERE id < %s ORDER BY id DESC LIMIT %s",
                   (campaign_id, " & ".join(f"{word}:*" for word in words), before, many))
    return [pk for pk, in cursor.fetchall()]


def analyse(on: BaseDatabaseWrapper, *, always: bool = True) -> None:
    """Has PostgreSQL count what is in the tables that an import fills, or only where it believes that there is nothing:
    after a restore. Until it knows, it reads far more than a page needs."""
    if on.vendor == "postgresql":
        with on.cursor() as cursor:
            cursor.execute("SELECT reltuples <= 0 FROM pg_class WHERE oid = 'campaigns_found'::regclass")
            [unknown] = cursor.fetchone()
            if always or unknown:
                cursor.execute(f"ANALYZE {', '.join(FILLED)}")
