"""The log: one line for whatever is said, as text or as JSON, and no address that may hold a secret."""
from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import DisallowedHost
from django.urls import ResolverMatch

# The request that is worked on, in this thread or task.
request_id: ContextVar[str] = ContextVar("request_id", default="")


def route_of(match: ResolverMatch | None) -> str:
    """What an address is called here: it has no slug, no name and no token in it."""
    return (match.view_name or match.route) if match else "none"


class Discreet(logging.Filter):
    """Adds the request's id; an address becomes the name of its route, a foreign name in Host one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Lets everything pass."""
        record.id = getattr(record, "id", "") or request_id.get()
        request = getattr(record, "request", None)
        if path := getattr(request, "path", None):
            route = route_of(getattr(request, "resolver_match", None))
            if isinstance(record.args, tuple):
                record.args = tuple(route if value == path else value for value in record.args)
        if isinstance(record.exc_info, tuple) and isinstance(record.exc_info[1], DisallowedHost):
            record.exc_info = record.exc_text = None
        return True


class Text(logging.Formatter):
    """For people: time, level, request, and what is said."""

    def format(self, record: logging.LogRecord) -> str:
        """A line, and a traceback's lines where there is one."""
        head = f"{_time(record)} {record.levelname} {getattr(record, 'id', '') or '-'} "
        return head + super().format(record)


class Json(logging.Formatter):
    """For programs: the same as one object a line; a request's parts are fields of their own."""

    def format(self, record: logging.LogRecord) -> str:
        """An object, in one line."""
        said: dict[str, Any] = {"time": _time(record), "level": record.levelname, "id": getattr(record, "id", "")}
        said |= getattr(record, "parts", None) or {"from": record.name, "message": record.getMessage()}
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def logging_settings(form: str, *, requests: bool) -> dict[str, Any]:
    """Django's LOGGING: everything to the console, of requests one line each where it is wanted."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"discreet": {"()": Discreet}},
        "formatters": {"text": {"()": Text}, "json": {"()": Json}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": form, "filters": ["discreet"]}},
        "root": {"handlers": ["console"], "level": "WARNING"},
        "loggers": {
            "config.requests": {"level": "INFO" if requests else "WARNING"},
            # What was not found or not allowed is in the request's own line.
            "django.request": {"level": "ERROR"},
        },
    }
