"""Several people follow a link for one at the same moment: real processes, a real database."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests.databases import MEETING, OwnDatabase
from tests.effort import tries

RACERS = tries(4, 8)

SETUP = """
import uuid
from datetime import timedelta
from django.utils import timezone
from accounts.models import User
from campaigns.models import Role
from campaigns.services.founding import found
from campaigns.services.inviting import invite
alice = User.objects.create_user("Alice", password="x")
road = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
invite(campaign=road, actor=road.members.get(), op_id=uuid.uuid4(), role=Role.PLAYER, lasts=timedelta(days=1),
       most_uses=1, token="the-token")
for number in range(RACERS):
    User.objects.create_user(f"Racer{number}", password="x")
"""

RACE = MEETING + """
import sys, uuid
from django.test import Client
from accounts.models import User
client = Client(headers={"host": "localhost"})
client.force_login(User.objects.get(username=sys.argv[1]), backend="django.contrib.auth.backends.ModelBackend")
client.get("/join/the-token/")  # the page is loaded, and all is warm
meet(sys.argv[2], int(sys.argv[3]))
print(client.post("/join/the-token/", {"op_id": str(uuid.uuid4())}).status_code)
"""

LEFT = """
from campaigns.models import Entry, Invitation, Member
print(Invitation.objects.get().uses, Member.objects.count(), Entry.objects.filter(kind="member.join").count())
"""


@pytest.mark.processes
def test_one_seat_for_one(real_database: OwnDatabase, tmp_path: Path) -> None:
    real_database.python(f"RACERS = {RACERS}\n{SETUP}")
    (meeting := tmp_path / "meeting").mkdir()
    started = [real_database.start(RACE, f"Racer{number}", str(meeting), str(RACERS)) for number in range(RACERS)]
    codes = [process.communicate(timeout=120)[0].strip() for process in started]
    assert codes.count("302") == 1
    assert set(codes) - {"302"} <= {"410", "422"}
    assert real_database.python(LEFT).split() == ["1", "2", "1"]
