"""What an undoing took away comes back by undoing that, unless its place is taken or what it stood in is gone."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import connection

from campaigns.errors import Refused
from campaigns.models import Campaign
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import differences
from play.services import sessions

pytestmark = pytest.mark.django_db


def test_a_session_whose_number_another_has_by_now_does_not_come_back(campaign: Campaign, alices: Any) -> None:
    by = {"campaign": campaign, "actor": alices}
    first = sessions.open_session(**by, op_id=uuid.uuid4())
    undone = undo(**by, op_id=uuid.uuid4(), seq=first.seq)
    second = sessions.open_session(**by, op_id=uuid.uuid4())
    with pytest.raises(Refused, match="taken its place"):
        undo(**by, op_id=uuid.uuid4(), seq=undone.seq)
    undo(**by, op_id=uuid.uuid4(), seq=second.seq)
    undo(**by, op_id=uuid.uuid4(), seq=undone.seq)
    assert not list(differences(campaign.pk))


def test_a_scene_whose_session_is_undone_does_not_come_back(campaign: Campaign, alices: Any) -> None:
    by = {"campaign": campaign, "actor": alices}
    session = sessions.open_session(**by, op_id=uuid.uuid4())
    scene = sessions.open_scene(**by, op_id=uuid.uuid4(), title="The dry well")
    undone = undo(**by, op_id=uuid.uuid4(), seq=scene.seq)
    undo(**by, op_id=uuid.uuid4(), seq=session.seq)
    with pytest.raises(Refused, match="no longer exists"):
        undo(**by, op_id=uuid.uuid4(), seq=undone.seq)
    connection.check_constraints()
