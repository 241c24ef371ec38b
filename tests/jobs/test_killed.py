"""A worker that is killed after a mail went out, and before that is noted: the next one sends the same mail again."""
from __future__ import annotations

import email
import signal
from pathlib import Path

import pytest

from tests.databases import OwnDatabase

pytestmark = pytest.mark.processes

PREPARE = """
import uuid
from accounts.models import User
from campaigns.models import Member
from campaigns.services.founding import found
from news.models import Subscription
from news.services.choosing import confirm
from play.models import Session
from play.services import sessions
from tests.conftest import join, person

campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
alice, bob = campaign.members.get(), join(campaign, person("Bob"), "player")
Subscription.objects.create(campaign=campaign, member=bob, pace="at_once", told_seq=campaign.head_seq)
confirm(user=bob.user)
sessions.open_session(campaign=campaign, actor=alice, op_id=uuid.uuid4())
sessions.write_recap(campaign=campaign, actor=alice, op_id=uuid.uuid4(), session_id=Session.objects.get().pk,
                     title="The ferry", recap="They went by water.", seen=10**6)
"""
# So much later, the worker does what is ready; what it sends it leaves in a folder.
WORK = """
import os, signal, sys
from datetime import timedelta
from django.conf import settings
from django.core.mail.backends.filebased import EmailBackend
from django.db.models import F
from jobs.queue import Job
from jobs.worker import Worker

settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = "django.core.mail.backends.filebased.EmailBackend", sys.argv[1]
send = EmailBackend.send_messages
def send_and_die(self, messages):
    send(self, messages)
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "dies":
    EmailBackend.send_messages = send_and_die
for _ in range(2):
    Job.objects.update(run_after=F("run_after") - timedelta(minutes=5))
    Job.objects.exclude(started_at=None).update(started_at=F("started_at") - timedelta(minutes=6))
    Worker(worker_id=sys.argv[2], interval=0, once=True).run()
print(Job.objects.count())
"""


def test_a_worker_killed_between_sending_and_noting_loses_nothing(real_database: OwnDatabase, tmp_path: Path) -> None:
    real_database.python(PREPARE)
    killed = real_database.start(WORK, str(tmp_path / "mails"), "dies")
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    assert real_database.python(WORK, str(tmp_path / "mails"), "lives").strip() == "0"
    letters = [email.message_from_string(path.read_text()) for path in (tmp_path / "mails").iterdir()]
    assert len(letters) == 2
    assert len({letter["Message-ID"] for letter in letters}) == 1
    assert {letter["To"] for letter in letters} == {"bob@example.org"}
    real_database.python(WORK, str(tmp_path / "mails"), "again")
    assert len(list((tmp_path / "mails").iterdir())) == 2
