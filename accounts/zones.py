"""Time zones: a person's own, what it is called, and what a clock on a wall there says.

Every moment is kept in UTC. What somebody types is a wall clock's time in their zone; `instant` makes a moment of it.
"""
from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings

NO_ZONE = "There is no such time zone. Choose one from the list."
_APART = ("Etc", "GMT", "SystemV", "US", "posix", "right")  # not places where people live


class NoSuchTime(Exception):
    """The clocks go forward over this time; `name` is the zone's name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The clocks in {name} go forward that night, and this time is skipped. Choose another one.")


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    """Whether there is a zone of this name."""
    return name in _known()


@cache
def choices() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The zones that can be chosen, by continent: each with its name and what it is called."""
    by: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(_known()):
        continent, _, rest = name.partition("/")
        if rest and continent not in _APART:
            by.setdefault(continent, []).append((name, rest.replace("_", " ").replace("/", ": ")))
    return tuple((continent, tuple(zones)) for continent, zones in [*by.items(), ("Everywhere", [("UTC", "UTC")])])


def called(zone: str) -> str:
    """A zone as people say it: `Lisbon` of Europe/Lisbon."""
    return zone.rpartition("/")[2].replace("_", " ")


def zone_info(name: str) -> ZoneInfo:
    """The zone of this name; the site's where there is none, so that one stored name spoils nobody's page."""
    return ZoneInfo(name if is_zone(name) else settings.TIME_ZONE)


def zone_name(user: Any) -> str:
    """A person's zone; the site's where they have none, or one that is no more."""
    own = getattr(user, "time_zone", "")
    return own if own and is_zone(own) else settings.TIME_ZONE


def zone_of(user: Any) -> ZoneInfo:
    """The zone in which a person reads times."""
    return zone_info(zone_name(user))


def is_certain(user: Any) -> bool:
    """Whether a person's zone is their own: chosen by them, or said by their browser."""
    return bool(user.time_zone) and is_zone(user.time_zone)


def skipped(wall: datetime, zone: str) -> bool:
    """Whether the clocks of a zone go forward over this time of a wall clock.

    >>> skipped(datetime(2026, 3, 29, 2, 30), "Europe/Berlin"), skipped(datetime(2026, 3, 29, 3, 30), "Europe/Berlin")
    (True, False)
    """
    there = wall.replace(tzinfo=zone_info(zone), fold=0)
    return there.astimezone(UTC).astimezone(zone_info(zone)).replace(tzinfo=None) != wall


def comes_twice(wall: datetime, zone: str) -> bool:
    """Whether the clocks of a zone go back over this time, so that it is there twice.

    >>> comes_twice(datetime(2026, 10, 25, 2, 30), "Europe/Berlin")
    True
    """
    first, second = (wall.replace(tzinfo=zone_info(zone), fold=fold).utcoffset() for fold in (0, 1))
    return first != second and not skipped(wall, zone)


def instant(wall: datetime, zone: str) -> datetime:
    """The moment at which a wall clock in a zone says this: the first one, where there are two.

    Raises `NoSuchTime` where there is none.

    >>> instant(datetime(2026, 7, 2, 19, 30), "Europe/Lisbon").isoformat()
    '2026-07-02T18:30:00+00:00'
    """
    if skipped(wall, zone):
        raise NoSuchTime(called(zone))
    return nearest(wall, zone)


def nearest(wall: datetime, zone: str) -> datetime:
    """The same, and where there is none the moment that is as long after the hour as was meant: 03:30 for 02:30."""
    return wall.replace(tzinfo=zone_info(zone), fold=0).astimezone(UTC)
