"""Processes of the site that start in a moment: one that has read all that needs no settings makes them of itself.

Python and the site take more than a second to start, and tests start hundreds of processes. `Process` and `run` are
`subprocess.Popen` and `subprocess.run` for the same commands of this project (`-c CODE`, `-m MODULE`, a script, each
after `sys.executable` and perhaps `-W ignore`): the settings are read in the new process, from its own environment.
Code that begins with `SETS_UP`, and `manage.py`, come from one that has read the whole site, where that is asked for
again with no other database but of the same kind, and nothing else that is different around it: that saves half of its
time once more.
"""
from __future__ import annotations

import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config.stack import in_one_piece

ROOT = Path(__file__).resolve().parent.parent
# What takes long to read, and asks for no settings.
READ = ("django.core.management", "django.core.handlers.asgi", "django.db.models", "django.db.migrations.executor",
        "django.db.backends.sqlite3.base", "django.forms", "django.http", "django.template", "django.test.client",
        "django.urls", "django.views.generic", "markdown_it", "nh3", "PIL.Image", "psycopg", "rules.registry",
        "uvicorn", "uvicorn.config")
LENGTH = 4  # bytes that say how long a request is
SETS_UP = "import django; django.setup()\n"
OWN = ("DATABASE_URL", "PYTEST_CURRENT_TEST")  # what may be different where the site is read already


class _Nursery:
    """The process that others are made of, for as long as this one lives; with the site in it where there is an
    environment for that."""

    def __init__(self, environment: Mapping[str, str] | None) -> None:
        ours, theirs = socket.socketpair()
        self.asking, self._line = threading.Lock(), ours
        told = [str(theirs.fileno()), *(["site"] if environment else [])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.forks", *told], cwd=ROOT, pass_fds=[theirs.fileno()], env=environment)
        theirs.close()

    def fork(self, said: dict[str, Any], streams: list[int]) -> tuple[int, socket.socket]:
        """The new process's id, and a line on which its status comes when it ends."""
        ours, theirs = socket.socketpair()
        request = json.dumps(said).encode()
        with self.asking:
            socket.send_fds(self._line, [len(request).to_bytes(LENGTH, "big")], [*streams, theirs.fileno()])
            self._line.sendall(request)
        theirs.close()
        return int.from_bytes(_exactly(ours, LENGTH), "big"), ours


Around = frozenset[tuple[str, str]]
_before: Counter[Around] = Counter()  # how often it was asked for the site with this around it


@cache
def _nursery(process: int, around: Around = frozenset()) -> _Nursery:
    """That of a process; one that was forked has its own."""
    return _Nursery(dict(around) or None)


def _nursery_for(args: Sequence[str], environment: Mapping[str, str]) -> _Nursery:
    """The one that has the site, where it is worth reading it."""
    program = args[2:] if args[0] == "-W" else args
    if program[0] != "manage.py" and not (program[0] == "-c" and program[1].startswith(SETS_UP)):
        return _nursery(os.getpid())
    kind = urlsplit(environment.get("DATABASE_URL", "")).scheme
    around = frozenset({**{name: value for name, value in environment.items() if name not in OWN},
                        "DATABASE_URL": "sqlite://:memory:" if kind == "sqlite" else f"{kind}://nobody@localhost/nothing",
                        }.items())
    _before[around] += 1
    return _nursery(os.getpid(), around if _before[around] > 1 else frozenset())


class Process(subprocess.Popen[Any]):
    """A process as `subprocess.Popen` has it, for a command of this project."""

    _ended: socket.socket

    def _execute_child(self, args: Any, executable: Any, preexec_fn: Any, close_fds: Any, pass_fds: Any, cwd: Any,
                       env: Any, startupinfo: Any, creationflags: Any, shell: Any, *streams: Any) -> None:
        ends = streams[:6]  # of stdin, stdout and stderr: where one reads, where one writes
        reads, _, _, writes, _, warns = ends
        said: dict[str, Any] = {"args": [str(part) for part in args[1:]], "cwd": str(cwd or Path.cwd()),
                                "env": dict(os.environ if env is None else env)}
        own = [given if given != -1 else usual for given, usual in ((reads, 0), (writes, 1), (warns, 2))]
        self.pid, self._ended = _nursery_for(said["args"], said["env"]).fork(said, own)
        self._child_created = True
        self._close_pipe_fds(*ends)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if wait_flags & os.WNOHANG and not select.select([self._ended], [], [], 0)[0]:
            return 0, 0
        self._status = int.from_bytes(_exactly(self._ended, LENGTH), "big")
        self._ended.close()
        return self.pid, self._status

    def _internal_poll(self, _deadstate: int | None = None, **_: Any) -> int | None:
        if self.returncode is None and self._child_created and self._try_wait(os.WNOHANG)[0]:
            self._handle_exitstatus(self._status)  # type: ignore[attr-defined]
        return self.returncode


def run(args: Any, *, timeout: float | None = None, check: bool = False, capture_output: bool = False,
        **options: Any) -> subprocess.CompletedProcess[Any]:
    """Runs a command of this project to its end."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Process(args, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(args, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def _exactly(line: socket.socket, length: int) -> bytes:
    got = b""
    while len(got) < length:
        if not (more := line.recv(length - len(got))):
            raise EOFError("The process that makes others is gone.")
        got += more
    return got


def _serve(line: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Makes processes until nobody asks any more; in each of those it answers what to be."""
    awake, wake = socket.socketpair()
    for end in (awake, wake):
        end.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waiting: dict[int, socket.socket] = {}
    while True:
        if line not in select.select([line, awake], [], [])[0]:
            awake.recv(1024)
            _tell(waiting)
            continue
        length, handed, _, _ = socket.recv_fds(line, LENGTH, 4)
        if not length:
            return None
        said, *streams, status = json.loads(_exactly(line, int.from_bytes(length, "big"))), *handed
        ended = socket.socket(fileno=status)
        if not (child := os.fork()):
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for end in (line, awake, wake, ended, *waiting.values()):
                end.close()
            return said, streams
        ended.sendall(child.to_bytes(LENGTH, "big"))
        waiting[child] = ended
        for stream in streams:
            os.close(stream)


def _tell(waiting: dict[int, socket.socket]) -> None:
    """Says of each that has ended how it did."""
    while waiting:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        with waiting.pop(child) as ended:
            try:
                ended.sendall(status.to_bytes(LENGTH, "big"))
            except OSError:  # nobody waits for it any more
                continue


def _become(said: dict[str, Any], streams: list[int]) -> None:
    """Runs the command, as Python would."""
    for stream, usual in zip(streams, range(3), strict=True):
        os.dup2(stream, usual)
        if stream > 2:
            os.close(stream)
    os.environ.clear()
    os.environ.update(said["env"])
    os.chdir(said["cwd"])
    if "django.apps" in sys.modules and sys.modules["django.apps"].apps.ready:
        _turn_to_its_database()
    args = said["args"]
    while args[0] == "-W":
        warnings.simplefilter(args[1])
        args = args[2:]
    sys.path[0] = said["cwd"]
    if args[0] == "-c":
        sys.argv = ["-c", *args[2:]]
        exec(compile(args[1], "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    elif args[0] == "-m":
        sys.argv = args[1:]
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = args
        runpy.run_path(args[0], run_name="__main__")


def _turn_to_its_database() -> None:
    """The site was read beside another database: the settings of this one are read, and no connection is left."""
    from django.conf import settings
    from django.db import connections

    for settings_module in ("config.settings", os.environ["DJANGO_SETTINGS_MODULE"]):
        sys.modules.pop(settings_module, None)
    settings.DATABASES = runpy.run_module(os.environ["DJANGO_SETTINGS_MODULE"])["DATABASES"]
    vars(connections).pop("settings", None)
    vars(connections)["_settings"] = None
    for alias in settings.DATABASES:
        with suppress(AttributeError):  # nothing was asked of it
            del connections[alias]


def _read_site() -> None:
    import django

    django.setup()
    from django.urls import reverse

    reverse("home")  # all views are read, and all addresses


if __name__ == "__main__":
    for module in READ:
        __import__(module)
    if "site" in sys.argv[2:]:
        _read_site()
    asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    if asked:
        in_one_piece(partial(_become, *asked))
