"""Measures all cases in one process, turn by turn, on a new SQLite database: `python -m bench [ROUNDS]`.

`python -m bench files` counts the files that a roll, an act and a contest's page enter.
"""
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
from typing import Any

ROUNDS = 150
WARM = 15


def main(rounds: int) -> None:
    """Prints a line for each case: the processor's time, and by the quick quarter how many bare ones it costs.

    With no rounds, which files the cases enter that are counted.
    """
    from bench.laying import lay_tables

    lay_tables()
    from bench.entered import told
    from bench.site import cases, furnish

    viewer, cookies = furnish()
    everything = cases(viewer)
    runs = {case.name: case.call or sender(case, cookies) for case in everything}
    if not rounds:
        told(runs)
        return
    times: dict[str, list[float]] = {case.name: [] for case in everything}
    weighed: dict[str, int | None] = {}
    for turn in range(WARM + rounds):
        # Turn by turn, so that whatever else the machine does falls on all alike.
        for name, run in runs.items():
            begun = time.process_time()
            weighed[name] = run()
            if turn >= WARM:
                times[name].append(time.process_time() - begun)
    # The quick quarter is what the code costs; the slow end is what else the machine had to do.
    usual = {name: statistics.quantiles(time_, n=4)[0] * 1000 for name, time_ in times.items()}
    print(f"{'':28}{'25%':>10}{'50%':>10}{'95%':>10}{'ratio':>8}  beside")
    for case in everything:
        half, slow = statistics.median(times[case.name]) * 1000, statistics.quantiles(times[case.name], n=20)[-1] * 1000
        ratio = usual[case.name] / usual[case.beside]
        print(f"{case.name:28}{usual[case.name]:7.2f} ms{half:7.2f} ms{slow:7.2f} ms{ratio:8.2f}  {case.beside}")
    for case in everything:
        if case.requests:
            print(f"{case.name:28}{weighed[case.name]} bytes of answers, compressed")


def sender(case: Any, cookies: dict[str, str]) -> Callable[[], int]:
    """Sends a case's requests through the whole of Django, with nothing of a network or a test client about it; answers
    how many bytes come back, compressed as on their way."""
    from bench.site import body
    from config.compressing import CODERS
    from config.wsgi import application

    def send_all() -> int:
        return sum(map(send, case.requests() if case.requests else [case.request()]))

    def send(wanted: Any) -> int:
        own, said = wanted.cookies or cookies, list[str]()
        cookie = "; ".join(f"{name}={value}" for name, value in own.items())

        def answered(status: str, headers: list[tuple[str, str]], error: Any = None, /) -> Callable[[bytes], object]:
            said.append(status)
            return lambda _: None

        content = body(wanted.form)
        answer = application({
            "REQUEST_METHOD": wanted.method, "PATH_INFO": wanted.path, "QUERY_STRING": wanted.query,
            "SERVER_NAME": "localhost", "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1", "HTTP_COOKIE": cookie,
            "HTTP_X_CSRFTOKEN": own["csrftoken"], "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(content)), **({"HTTP_HX_REQUEST": "true"} if wanted.by_htmx else {}),
            "wsgi.input": io.BytesIO(content),
            "wsgi.errors": sys.stderr, "wsgi.url_scheme": "http", "wsgi.version": (1, 0), "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False,
        }, answered)
        came = b"".join(answer)
        answer.close()
        if said[0][:3] not in ("200", "302"):
            raise SystemExit(f"{wanted.method} {wanted.path} answered {said[0]}.")
        return len(CODERS["br"](came)) if case.requests else len(came)

    return send_all


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}", "DJANGO_SETTINGS_MODULE": "bench.settings",
        }
        warnings.filterwarnings("ignore", "No directory at")  # static files are not collected
        import django

        django.setup()
        said = sys.argv[1] if len(sys.argv) > 1 else str(ROUNDS)
        main(0 if said == "files" else int(said))
