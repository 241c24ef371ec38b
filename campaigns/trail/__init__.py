"""The trail: one append-only, hash-chained list of all that ever changed in a campaign.

`write.entry` is the only door in; `tracked` says which fields of which tables the trail carries.
"""
from campaigns.trail.declared import Filter, declare
from campaigns.trail.write import ALL, GM, Draft, Repeated, answers_once, entry

__all__ = ["ALL", "GM", "Draft", "Filter", "Repeated", "answers_once", "declare", "entry"]
