"""What the tests of campaigns share."""
from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from campaigns.models import Entry, Role
from campaigns.services.inviting import invite
from rules.codec import read
from rules.dice import new_token
from tests import laid
from tests.conftest import join, logged_in, person


@laid.fixture
def dora(db):
    """A GM beside Alice, once `doras` is asked for."""
    return person("Dora")


@laid.fixture
def doras(campaign, dora):
    """Dora as a member: a GM."""
    return join(campaign, dora, "gm")


@laid.fixture
def as_dora(dora):
    """Dora's browser."""
    return logged_in(dora)


@pytest.fixture
def body():
    """What every form sends along, new each time: `deed(role="gm")`."""
    return lambda **more: {"op_id": str(uuid.uuid4()), **more}


@pytest.fixture
def last(campaign):
    """The newest entry's kind, title and audience."""

    def tell():
        entry = Entry.objects.filter(campaign=campaign).select_related("payload").order_by("-seq").first()
        return entry.kind, read(entry.payload.text)["title"], entry.audience

    return tell


@pytest.fixture
def entries(campaign):
    """How many entries there are."""
    return lambda: Entry.objects.filter(campaign=campaign).count()


@pytest.fixture
def make_link(campaign, alices):
    """Makes a link and answers its token: `make_link(role=Role.GM, most_uses=1)`."""

    def make(actor=None, **changes):
        token = new_token()
        given = {"role": Role.PLAYER, "lasts": timedelta(days=7), "most_uses": None, **changes}
        invite(campaign=campaign, actor=actor or alices, op_id=uuid.uuid4(), token=token, **given)
        return token

    return make
