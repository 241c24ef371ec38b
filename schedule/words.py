"""Moments in words, as a wall clock in some zone has them."""
from __future__ import annotations

from datetime import datetime

from accounts.zones import called, comes_twice, zone_info


def day_of(at: datetime, zone: str) -> str:
    """`Thursday 26 November`; with the year where it isn't this one's."""
    here = at.astimezone(zone_info(zone))
    year = "" if here.year == datetime.now(zone_info(zone)).year else f" {here.year}"
    return f"{here:%A} {here.day} {here:%B}{year}"


def clock(at: datetime, zone: str) -> str:
    """`19:30`; with the zone's short name where the clocks go back over it and it is there twice."""
    here = at.astimezone(zone_info(zone))
    twice = comes_twice(here.replace(tzinfo=None, fold=0), zone)
    return f"{here:%H:%M} {here:%Z}" if twice else f"{here:%H:%M}"


def span(starts: datetime, ends: datetime, zone: str) -> str:
    """`Thursday 26 November, 19:30–23:00`."""
    return f"{day_of(starts, zone)}, {clock(starts, zone)}–{clock(ends, zone)}"


def exactly(at: datetime, zone: str) -> str:
    """`Thursday 26 November 2026, 19:30 (Berlin)`: for those who read it elsewhere or later."""
    here = at.astimezone(zone_info(zone))
    return f"{here:%A} {here.day} {here:%B} {here.year}, {clock(at, zone)} ({called(zone)})"
