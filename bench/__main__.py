"""Measures all cases in one process, turn by turn, on a new SQLite database: `python -m bench [ROUNDS]`."""
from __future__ import annotations

import io
import os
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

ROUNDS = 150
WARM = 15


def main(rounds: int) -> None:
    """Prints a line for each case: the processor's time, and by the quick quarter how many bare ones it costs."""
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    from bench.site import cases, furnish

    viewer, cookies = furnish()
    everything = cases(viewer)
    runs = {case.name: case.call or sender(cast(Callable[[], Any], case.request), cookies) for case in everything}
    times: dict[str, list[float]] = {case.name: [] for case in everything}
    for turn in range(WARM + rounds):
        # Turn by turn, so that whatever else the machine does falls on all alike.
        for name, run in runs.items():
            begun = time.process_time()
            run()
            if turn >= WARM:
                times[name].append(time.process_time() - begun)
    # The quick quarter is what the code costs; the slow end is what else the machine had to do.
    usual = {name: statistics.quantiles(each, n=4)[0] * 1000 for name, each in times.items()}
    print(f"{'':28}{'25 %':>10}{'50 %':>10}{'95 %':>10}{'ratio':>8}  beside")
    for case in everything:
        half, slow = statistics.median(times[case.name]) * 1000, statistics.quantiles(times[case.name], n=20)[-1] * 1000
        ratio = usual[case.name] / usual[case.beside]
        print(f"{case.name:28}{usual[case.name]:7.2f} ms{half:7.2f} ms{slow:7.2f} ms{ratio:8.2f}  {case.beside}")


def sender(request: Callable[[], Any], cookies: dict[str, str]) -> Callable[[], None]:
    """Sends a request through the whole of Django, with nothing of a network or a test client about it."""
    from bench.site import body
    from config.wsgi import application

    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def send() -> None:
        wanted, said = request(), list[str]()

        def answered(status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
            said.append(status)
            return lambda _: None

        content = body(wanted.form)
        answer = application({
            "REQUEST_METHOD": wanted.method, "PATH_INFO": wanted.path, "QUERY_STRING": wanted.query,
            "SERVER_NAME": "localhost", "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "HTTP_COOKIE": cookie,
            "HTTP_X_CSRFTOKEN": cookies["csrftoken"], "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(content)), **({"HTTP_HX_REQUEST": "true"} if wanted.by_htmx else {}),
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http", "wsgi.version": (1, 0), "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False,
        }, answered)
        b"".join(answer)
        answer.close()
        if said[0][:3] not in ("200", "302"):
            raise SystemExit(f"{wanted.method} {wanted.path} answered {said[0]}.")

    return send


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}", "DJANGO_SETTINGS_MODULE": "bench.settings",
        }
        warnings.filterwarnings("ignore", "No directory at")  # static files are not collected
        import django

        django.setup()
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
