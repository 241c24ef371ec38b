"""What somebody filled in is read by others as words: labels, and values as the form calls them."""
from __future__ import annotations

from typing import Any

import pytest

from campaigns.rulefields import in_words
from rules.fields import Choice, Field, Flag, Group, Listing, Text, Whole

HARM = Choice(name="harm", label="Harm", options=(("wound", "Wounds"), ("failure", "Failure ranks")))
ONLY = Choice(name="danger", label="Danger", options=(("momentary", "A moment"),))
HIDDEN, WHERE = Flag(name="hidden", label="Hidden"), Text(name="where", label="Where")
RANK, THREAT = Whole(name="rank", label="Rank"), Whole(name="threat", label="Threat", default=0)
WAYS = Listing(name="ways", label="Ways", of=Text(name="way", label="Way"))
FOES = Listing(name="foes", label="Foes", of=Group(name="foe", label="Foe", fields=(WHERE, RANK, HARM)))


@pytest.mark.parametrize(("field", "value", "said"), [
    (HARM, "failure", [("Harm", "Failure ranks")]), (HARM, "of old", [("Harm", "of old")]), (HARM, "", []),
    (ONLY, "momentary", []), (HIDDEN, True, [("Hidden", "yes")]), (HIDDEN, False, []),
    (WHERE, "By the weir", [("Where", "By the weir")]), (WHERE, None, []), (RANK, 3, [("Rank", "3")]),
    (RANK, 0, [("Rank", "0")]), (THREAT, 0, []), (THREAT, 2, [("Threat", "2")]),
    (FOES, [{"where": "The ford", "rank": 0}], [("Foe", "The ford 0")]),
    (WAYS, ["rope", "raft"], [("Ways", "rope, raft")]),
    (FOES, [{"where": "The weir", "rank": 2}, {"harm": "wound"}], [("Foe", "The weir 2"), ("Foe", "Wounds")]),
])
def test_what_is_filled_in_is_said_as_the_form_calls_it(field: Field, value: Any, said: list[tuple[str, str]]) -> None:
    assert in_words([field], {field.name: value}) == said
    assert in_words([field, WHERE], {field.name: value, "where": "Here"})[-1:] == [("Where", "Here")]
    assert in_words([field], {}) == []
