"""Writes: keyword-only, one transaction each, never a request. Each answers the entry that it wrote."""
from campaigns.trail.declared import Filter

PEOPLE = Filter("people", "Members and settings")
