"""A tab that is opened again asks its last address by GET, whatever was sent there: that leads to a page with words."""
from __future__ import annotations

import re

import pytest

from tests.doors import ROWS
from tests.test_every_url import ROUTES, Site, site

__all__ = ("site",)

pytestmark = pytest.mark.django_db

FETCHED = {"live", "head", "worker", "library_understood", "matrix_counts"}  # what a script asks for, and nobody's tab
LEAST = 3  # of words that a page says


def test_no_address_is_blank_when_it_is_opened_again(site: Site) -> None:
    """Followed to its end it is a page with words on it, for whoever may send something there; never a bare 405."""
    wrong, looked = [], 0
    for route, needed in ROUTES:
        takes = ROWS[route][1].status != 405  # it takes what is sent
        if not takes or route in FETCHED:
            continue
        address = site.address(route, needed, site.here)
        role = "player" if ROWS[route][1].least == "player" else "owner"
        answer = site.browsers[role].get(address, follow=True)
        looked += 1
        if answer.status_code == 405 or len(answer.redirect_chain) > 3:
            wrong.append(f"{route}: {answer.status_code} after {answer.redirect_chain}")
        elif "html" in answer.get("Content-Type", ""):
            main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
            if len(re.sub("<[^>]*>", " ", f"<{main}").split()) < LEAST:
                wrong.append(f"{route}: {answer.status_code} with nothing on it")
    assert not wrong, "\n".join(wrong)
    assert looked > 100
