"""The trail: one append-only, hash-chained list of all that ever changed in a campaign.

`write.entry` is the only door in; `tracked` says which fields of which tables the trail carries.
"""
from accounts.conflicts import retried
from campaigns.trail.declared import Filter, declare
from campaigns.trail.draft import ALL, GM, Draft
from campaigns.trail.not_written import NotWritten
from campaigns.trail.write import Repeated, answers_once, entry, together

__all__ = ["ALL", "GM", "Draft", "Filter", "NotWritten", "Repeated", "answers_once", "declare", "entry",
           "retried", "together"]
