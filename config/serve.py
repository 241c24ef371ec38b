"""Serves the site: `python -m config.serve`. The settings are looked at first, and what is wrong ends it with one line.

`HOST` and `PORT` say where, `WEB_CONCURRENCY` in how many processes; with `WITH_WORKER=1` a worker runs beside it.
That it is open is said when the port is taken.
"""
from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import nullcontext
from types import FrameType

import django
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse
from uvicorn import Config, Server
from uvicorn.supervisors import Multiprocess

from config import beside
from config.environment import COUNTED, of_process
from config.garbage import look_less_often

WRONG_SETTING, WRONG_MACHINE = 2, 1
STOP_SECONDS = 3  # for pages that are being made; streams end at once
HUNG_SECONDS = 30  # in which a process has to say that it lives
UNUSED_SECONDS = 5  # until a connection is closed that asks for nothing; a proxy closes it before (`deploy/`)


def or_one_line(work: Callable[[], None]) -> int:
    """Does it, and answers the status to end with; what is wrong with settings or machine is one line."""
    from django.db import Error

    try:
        work()
    except ImproperlyConfigured as wrong:
        sys.stderr.write(f"{wrong}\n")
        return WRONG_SETTING
    except (Error, OSError) as wrong:
        what = "The database can’t be used" if isinstance(wrong, Error) else "This can’t start"
        sys.stderr.write(f"{what}: {' '.join(str(wrong).split())}\n")
        return WRONG_MACHINE
    return 0


def set_up(*, collected: bool = True) -> None:
    """Reads all settings; raises `ImproperlyConfigured` where a server could not answer with them.

    `collected` is whether the static files have to be there already.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.conf import settings
    from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage

    import config.limits  # noqa: F401 - reads settings of its own

    try:
        settings.SECRET_KEY  # noqa: B018 - Django refuses an empty one
    except ImproperlyConfigured:
        raise ImproperlyConfigured("SECRET_KEY is missing. `make run` writes one to .env, or set your own.") from None
    if collected and isinstance(staticfiles_storage, ManifestFilesMixin) and not staticfiles_storage.hashed_files:
        raise ImproperlyConfigured("The static files are missing. Run: python manage.py collectstatic --noinput")


def refuse_kept() -> None:
    """Raises `Kept` while a backup is put back. A database that is away may come back: the site opens, and says so."""
    from django.db import Error, connection

    from campaigns.keeping.alone import Kept

    if connection.vendor != "postgresql":  # SQLite would make an empty file where there is none
        return
    try:
        connection.ensure_connection()
    except Kept:
        raise
    except Error:
        return
    connection.close()


def listening(host: str, port: int) -> socket.socket:
    """The port, taken; raises `OSError` in a sentence."""
    try:
        addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = addresses[0]
        taken = socket.create_server((str(address[0]), port), family=family, backlog=2048)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)
        raise OSError(f"port {port} of {host} can’t be taken ({why}). Choose another with HOST and PORT.") from error
    taken.set_inheritable(True)
    return taken


def opening_words(host: str, port: int) -> str:
    """Where the site is, for the person who started it."""
    from config import hosts

    shown = "127.0.0.1" if host in hosts.ANY else host
    said = f"The site is open at http://{f'[{shown}]' if ':' in shown else shown}:{port}/ (Ctrl-C closes it).\n"
    other = hosts.of_this_machine() if host in hosts.ANY else None
    if other and hosts.answers_to(other):
        said += f"Others on this network find it at http://{other}:{port}/\n"
    elif other:
        said += f"To let others on this network in, write {hosts.with_host(other)} in .env and start again.\n"
    return said


def serve() -> None:
    """Serves until it is told to stop."""
    set_up()
    refuse_kept()
    host, port = os.environ.get("HOST", "127.0.0.1"), of_process("PORT", 8000, least=0)
    taken = listening(host, port)
    sys.stdout.write(opening_words(host, taken.getsockname()[1]))
    sys.stdout.flush()
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
    said = Loading(
        "config.asgi:application", http="config.connections:Connection", workers=of_process("WEB_CONCURRENCY", 1),
        timeout_graceful_shutdown=STOP_SECONDS, timeout_worker_healthcheck=HUNG_SECONDS,
        timeout_keep_alive=UNUSED_SECONDS, log_config=None, log_level="warning", access_log=False, server_header=False,
    )
    try:
        with beside.worker() if of_process("WITH_WORKER", 0, least=0) else nullcontext():
            _run(said, taken)
    except KeyboardInterrupt:
        sys.stdout.write("\n")


def _run(said: Config, taken: socket.socket) -> None:
    if said.workers > 1:
        with tempfile.TemporaryDirectory(prefix="numbers-") as os.environ[COUNTED]:
            Processes(said, sockets=[taken]).run()
    else:
        Server(said).run(sockets=[taken])


class Loading(Config):
    """What a server is started with. One that is told to stop while it still reads the site has nothing to bring to an
    end, and is gone at once."""

    def load(self) -> None:
        """Reads the site, for a second or more."""
        usual = signal.signal(signal.SIGTERM, signal.SIG_DFL)
        super().load()
        reverse("home")  # reads all views
        look_less_often()
        signal.signal(signal.SIGTERM, usual)


class Processes(Multiprocess):
    """Several servers on one port. They are told to stop at once, not at the supervisor's next look."""

    def __init__(self, config: Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        # Not here: the main thread, which runs this, may just hold the event's own lock.
        threading.Thread(target=self.should_exit.set).start()


def _gone(status: int) -> None:
    """Ends the process now: to take all that was read apart first, as Python does, takes up to a second."""
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _gone(or_one_line(serve))
