"""Whatever is sent, by whomever: no answer is a fault of ours, or holds a secret. `tests/fuzzed.py` says what is sent.

With LONG=1 100,000 requests in 200 parts, which PARTS=103-200 chooses from; each part begins with a site of its own,
and has its own dice.
"""
from __future__ import annotations

import uuid
from random import Random
from typing import Any

import pytest

from campaigns.services import pages
from characters.services import npcs
from tests.effort import parts, tries
from tests.fuzzed import Fuzzer
from tests.test_every_url import Site, site  # noqa: F401 - the fixture

pytestmark = pytest.mark.django_db
REQUESTS = tries(100, 500)
WORD = "Zwirnfaden"


@pytest.mark.parametrize("part", parts(200))
def test_no_request_is_answered_with_a_fault_or_a_secret(part: int, site: Site, campaign: Any, alices: Any) -> None:  # noqa: F811
    by = {"campaign": campaign, "actor": alices}
    npcs.quick(**by, op_id=uuid.uuid4(), line=f"The {WORD}, Club good", hidden=True)
    pages.write(**by, op_id=uuid.uuid4(), title=f"Of {WORD}", words=f"{WORD} knows", whose="gm")
    fuzzer = Fuzzer(site, Random(part - 1), WORD)
    fuzzer.play(REQUESTS)
    assert not fuzzer.faults, "\n\n".join(fuzzer.faults)
    assert fuzzer.count >= REQUESTS
    assert {200, 302, 404, 422} <= set(fuzzer.statuses), "requests of each kind went through"
