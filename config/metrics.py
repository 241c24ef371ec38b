"""What is counted of this server, for Prometheus: `/metrics`, for whoever has the token.

With several processes each writes its numbers to files of its own in `PROMETHEUS_MULTIPROC_DIR`, which `config.serve`
makes, and whichever is asked adds them up.
"""
from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from config.environment import COUNTED
from jobs import queue

METHODS = ("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)

_requests = Counter("site_requests", "Requests that were answered; status 0 where the browser left first.",
                    ["method", "route", "status"])
_latency = Histogram("site_request_seconds", "From a request’s first line to the answer’s.", ["route"], buckets=SECONDS)
_lock_wait = Histogram("site_write_lock_wait_seconds", "How long a write waited for its lock.", buckets=SECONDS)
streams = Gauge("site_streams", "Live streams that are open.", multiprocess_mode="livesum")
busy_threads = Gauge("site_threads_busy", "Threads that answer, by kind of page.", ["kind"],
                     multiprocess_mode="livesum")
waiting = Gauge("site_requests_waiting", "Requests that wait for a thread, by kind of page.", ["kind"],
                multiprocess_mode="livesum")
connections = Gauge("site_database_connections", "Connections to the database that are kept.",
                    multiprocess_mode="livesum")


def answered(method: str, route: str, status: int, seconds: float) -> None:
    """One more request came to its end. A stream's time is that to its beginning, like a page's."""
    _requests.labels(method, route, str(status)).inc()
    _latency.labels(route).observe(seconds)


def timing_locks(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """A wrapper of Django's for statements: how long those take that wait for whoever writes."""
    if not (sql.startswith("BEGIN IMMEDIATE") or "FOR UPDATE" in sql):
        return execute(sql, params, many, context)
    begun = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        _lock_wait.observe(time.perf_counter() - begun)


class Jobs:
    """What the database says of work outside requests, when it is asked."""

    def collect(self) -> Iterator[Metric]:
        """A number each."""
        yield GaugeMetricFamily("site_jobs_ready", "Jobs that could be done now.", queue.ready().count())
        yield GaugeMetricFamily("site_jobs_given_up", "Jobs that failed for a day.", queue.given_up().count())
        late = queue.late().total_seconds()
        yield GaugeMetricFamily("site_jobs_late_seconds", "How long the first job waits beyond its time.", late)
        if (sign := queue.last_sign()) is not None:
            yield GaugeMetricFamily(
                "site_worker_sign_age_seconds", "How long ago a worker last said that it is there.",
                sign.total_seconds())


_of_jobs = CollectorRegistry()
_of_jobs.register(Jobs())


def page() -> bytes:
    """All numbers, of all processes, as Prometheus reads them."""
    return generate_latest(_counted()) + generate_latest(_of_jobs)


def _counted() -> CollectorRegistry:
    if not (folder := os.environ.get(COUNTED)):
        return REGISTRY
    for gauge in Path(folder).glob("gauge_live*_*.db"):
        process = int(gauge.stem.rpartition("_")[2])
        if not Path(f"/proc/{process}").exists():
            mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
    summed = CollectorRegistry()
    MultiProcessCollector(summed, folder)  # type: ignore[no-untyped-call]
    return summed
