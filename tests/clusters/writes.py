"""The disk is full, or broken, at each write in turn: of a roll, an upload, an export, a backup, an import.

    python -m tests.clusters.writes [EVERY] [--act "an import"] [--fault EIO] [--first N]

SQLite, in one process that has `failing_writes.c` loaded: the n-th write to the folder of the database fails, for each
n until none is left to fail (or for every EVERYth, from the first that is asked for, or until it is stopped; of one act
or by one fault alone). ENOSPC stays, as a full disk does; EIO comes once. Each time the person reads what happened, and
what they were told is so: either all of it is kept, or nothing. Needs a C compiler.
"""
from __future__ import annotations

import argparse
import ctypes
import errno
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.clusters.rounds import listen, stopped, until_stopped
from tests.databases import ROOT, Template

SOURCE = Path(__file__).with_name("failing_writes.c")
FAULTS = {"ENOSPC": (errno.ENOSPC, True), "EIO": (errno.EIO, False)}
ACTS = ("a roll", "an upload", "an export", "a backup", "an import")
MOST = 5000  # writes of one act; more would mean that it never ends
SENTENCES = ("Nothing was saved",)


def compiler() -> str | None:
    """The C compiler of this machine."""
    return shutil.which("cc") or shutil.which("gcc")


@dataclass(frozen=True)
class Tried:
    """What is tried: every how many writes, from which on; one act and one fault alone, or ""."""

    every: int = 1
    act: str = ""
    fault: str = ""
    first: int = 1


def play(tried: Tried) -> dict[str, Any]:
    """All of it in a process of its own; for each act how many writes failed, what was wrong, and whether it was
    stopped before the last of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shim = folder / "failing.so"
        subprocess.run([str(compiler()), "-shared", "-fPIC", "-O1", "-o", shim, SOURCE, "-ldl"], check=True)
        disk = folder / "disk"
        disk.mkdir()
        # Whatever DATABASE_URL says: where PostgreSQL writes is its own affair.
        with _on_sqlite(), Template(folder).made() as template, template.copied(disk) as database:
            environment = {**database.environment, "LD_PRELOAD": str(shim), "FAILING_FOLDER": str(disk)}
            answer: dict[str, Any] = json.loads(_said(environment, tried).splitlines()[-1])
    return answer


def _said(environment: dict[str, str], tried: Tried) -> str:
    """What the process says in which writes fail; it is stopped where this one is."""
    command, told = [sys.executable, "-m", "tests.clusters.writes", "--within", json.dumps(asdict(tried))], False
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            while True:
                try:
                    said, _ = running.communicate(timeout=1)
                    break
                except subprocess.TimeoutExpired:
                    if stopped() and not told:
                        told = True
                        running.terminate()
        except BaseException:
            running.kill()
            raise
    if not said:
        raise subprocess.CalledProcessError(running.returncode, command)
    return said


class _on_sqlite:
    """While inside, databases of tests are files."""

    def __enter__(self) -> None:
        self._was = os.environ.get("DATABASE_URL", "")
        os.environ["DATABASE_URL"] = "sqlite://:memory:"

    def __exit__(self, *_: object) -> None:
        os.environ["DATABASE_URL"] = self._was


@dataclass
class Act:
    """Something that writes. `do` answers whether it said that it was done, and what it said otherwise; `kept` how many
    such things there are; `before` each try, what it begins from is laid out."""

    name: str
    do: Callable[[], tuple[bool, str]]
    kept: Callable[[], int]
    sentences: tuple[str, ...] = SENTENCES
    many: int = 1  # an act of many writes that are alike: where not each is tried, one in so many more
    before: Callable[[], object] = lambda: None


@dataclass
class Disk:
    """Lets the n-th write fail, and looks at what came of it."""

    tried: Tried
    failed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    stopped: bool = False

    def __post_init__(self) -> None:
        self._shim = ctypes.CDLL(None)

    def at_each_write(self, act: Act) -> None:
        """Until a try has no n-th write, of either kind of fault, or until it is stopped."""
        every = self.tried.every * act.many if self.tried.every > 1 else 1
        for fault, (number, stays) in FAULTS.items():
            if self.tried.fault not in ("", fault):
                continue
            for n in range(self.tried.first, MOST, every):
                if stopped():
                    self.stopped = True
                    return
                act.before()
                before = act.kept()
                self._shim.fail_at(n, number, int(stays))
                try:
                    done, said = act.do()
                finally:
                    written = self._shim.writes()
                    self._shim.fail_at(0, 0, 0)
                if written < n:
                    self.wrong += [] if done else [f"{act.name}: with nothing wrong this was said: {said[-600:]}"]
                    break
                self.failed[f"{act.name}, {fault}"] += 1
                self._look(f"{act.name}, {fault} at write {n}", act, before, done, said)
            else:
                self.wrong.append(f"{act.name}, {fault}: no end of writes")
            failed = self.failed[f"{act.name}, {fault}"]
            print(f"{act.name}, {fault}: {failed:,} of {written:,} writes failed", file=sys.stderr)

    def _look(self, when: str, act: Act, before: int, done: bool, said: str) -> None:
        if act.kept() - before != int(done):
            self.wrong.append(f"{when}: {act.kept() - before} kept, though it was {'done' if done else 'refused'}")
        if not done and not any(sentence in said for sentence in act.sentences):
            self.wrong.append(f"{when}: this was said: {said[-600:]}")
        self.wrong += [f"{when}: {fault}" for fault in _unsound()]


def _unsound() -> Iterator[str]:
    from django.db import connection

    from campaigns.models import Campaign
    from campaigns.trail.rebuild import differences
    from campaigns.trail.verifying import whole

    with connection.cursor() as cursor:
        [check] = cursor.execute("PRAGMA integrity_check").fetchone()
    if check != "ok":
        yield f"the database: {check}"
    for campaign in Campaign.objects.all():
        if fault := whole(campaign).fault:
            yield f"the Ledger: {fault}"
        yield from (str(difference) for difference in differences(campaign.pk))


def within(tried: Tried) -> dict[str, Any]:
    """The acts, one after the other, in this process."""
    import django

    django.setup()
    disk = Disk(tried)
    for act in _acts():
        if tried.act in ("", act.name):
            disk.at_each_write(act)
    return {"failed": dict(disk.failed), "wrong": disk.wrong, "stopped": disk.stopped}


def _acts() -> Iterator[Act]:
    from campaigns.models import Entry
    from campaigns.services.founding import found
    from characters.models import Character
    from characters.services import editing
    from play.services import sessions
    from tests.conftest import logged_in, person
    from tests.html_forms import Page

    campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
    by: dict[str, Any] = {"campaign": campaign, "actor": campaign.members.get()}
    editing.create_ready(**by, op_id=uuid.uuid4(), ready=campaign.rules.sheet.ready_made[0], player=by["actor"])
    hero = Character.objects.get()
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The dry well", characters=[hero.pk])
    browser, at = logged_in(by["actor"].user), f"/c/{campaign.slug}/"
    browser.raise_request_exception, browser.defaults["SERVER_NAME"] = False, "localhost"

    def of_kind(*kinds: str) -> Callable[[], int]:
        return lambda: Entry.objects.filter(campaign=campaign, kind__in=kinds).count()

    def sent(page: str, action: str, button: str = "", **typed: Any) -> Callable[[], tuple[bool, str]]:
        form = Page(browser.get(page)).form(action=action)
        if button:  # of the page that asks whether this is meant
            form = Page(form.send(browser)).form(button=button)

        def send() -> tuple[bool, str]:
            form.controls["op_id"].opens = [str(uuid.uuid4())]
            given = {**form.filled(None), **{name: make() for name, make in typed.items()}}
            answer = browser.post(form.action.partition("#")[0], given)
            said = b"".join(answer.streaming_content) if answer.streaming else answer.content
            return answer.status_code in (200, 302), said.decode(errors="replace")

        return send

    rolls = set(Entry.objects.values_list("kind", flat=True))
    roll = sent(at, "/roll/", what=lambda: "Across the ferry")
    roll()
    [rolled] = set(Entry.objects.values_list("kind", flat=True)) - rolls - {"dice.commit"}
    yield Act("a roll", roll, of_kind(rolled))
    picture = f"{at}characters/{hero.pk}/portrait/"
    yield Act("an upload", sent(picture, "/portrait/", picture=_picture), of_kind("portrait.put"))
    export = sent(f"{at}settings/", "/take-along/", "Download the campaign")
    yield Act("an export", export, of_kind("campaign.export"))
    yield _backup(Path(os.environ["FAILING_FOLDER"]))
    yield _import(Path(os.environ["FAILING_FOLDER"]).parent)


def _picture() -> Any:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from tests.campaigns.hostile import noise, saved

    # Another each time, or nothing would be written.
    return SimpleUploadedFile("face.png", saved("PNG", noise(64, 64 + next(_SIDES))), "image/png")


_SIDES = iter(range(1, 100_000))


def _backup(folder: Path) -> Act:
    from campaigns.keeping.backing_up import back_up
    from campaigns.keeping.database import NotKept

    place = folder / "backups"
    place.mkdir()

    def do() -> tuple[bool, str]:
        try:
            back_up(place / uuid.uuid4().hex, lambda said: None, check=False)
        except NotKept as error:
            return False, str(error)
        return True, ""

    return Act("a backup", do, lambda: len(list(place.iterdir())), ("The backup can’t be written.",), 4)


def _import(folder: Path) -> Act:
    """A campaign that is not there: each try begins from one state of the database, or there would be more writes after
    each campaign that came in. The log is taken into the database at its end, so that this fails, too."""
    from django.core.management import CommandError, call_command
    from django.db import connection

    from bench import long_road
    from campaigns.models import Campaign

    kept, database, file = folder / "kept.sqlite3", Path(connection.settings_dict["NAME"]), folder / "in.gz"
    long_road.write(file, 60)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(kept)])

    def before() -> None:
        connection.close()  # the last one takes the log with it
        shutil.copyfile(kept, database)
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA journal_mode = WAL")
            cursor.execute("PRAGMA wal_autocheckpoint = 50")

    def do() -> tuple[bool, str]:
        try:
            call_command("import_campaign", file, owner="Alice", stdout=io.StringIO())
        except CommandError as error:
            return False, str(error)
        return True, ""

    sentences = ("can’t be written to. Nothing was imported.",)
    return Act("an import", do, Campaign.objects.count, sentences, 9, before)


def main(tried: Tried) -> bool:
    """Plays it and prints what came of it; answers whether all is as promised."""
    told = play(tried)
    for wrong in told["wrong"][:50]:
        print(wrong)
    print(f"{'stopped early: ' if told['stopped'] else ''}{sum(told['failed'].values()):,} writes failed: "
          f"{told['failed']}; {len(told['wrong'])} of them went wrong")
    return not told["wrong"]


def _asked() -> Tried:
    asked = argparse.ArgumentParser()
    asked.add_argument("every", nargs="?", type=int, default=1)
    asked.add_argument("--act", default="", choices=["", *ACTS])
    asked.add_argument("--fault", default="", choices=["", *FAULTS])
    asked.add_argument("--first", type=int, default=1)
    return Tried(**vars(asked.parse_args()))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--within"]:
        listen()
        print(json.dumps(within(Tried(**json.loads(sys.argv[2])))))
    else:
        until_stopped(partial(main, _asked()))
