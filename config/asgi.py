"""The server's one process: pages through WSGI in a few blocking threads, the live stream beside them."""
from __future__ import annotations

import asyncio
import re
import sys
from functools import partial

from django.core.exceptions import ImproperlyConfigured
from uvicorn.config import STARTUP_FAILURE

try:
    # Django is set up here, before anything that needs its models.
    from config.wsgi import application as pages_by_wsgi
except ImproperlyConfigured as wrong:
    # Not as a traceback: a supervisor would start a process that ended so again and again.
    sys.stderr.write(f"{wrong}\n")
    sys.exit(STARTUP_FAILURE)

from config.health import Health  # isort: skip
from config.live import Live  # isort: skip
from config.pages import Pages  # isort: skip
from config.protocol import Receive, Scope, Send  # isort: skip
from config.requests import noted  # isort: skip

STREAM = re.compile(r"/c/(?P<slug>[-\w]+)/live/", re.ASCII)

pages = Pages(pages_by_wsgi)
live = Live(pages.visits)
health = Health(lambda: live.listens)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] != "http":
        await send({"type": "websocket.close"})
    elif scope["path"] in health.at:
        await health(scope, receive, send)
    elif scope["method"] == "GET" and (of_stream := STREAM.fullmatch(scope["path"])):
        await noted(partial(live, slug=of_stream["slug"]), scope, receive, send, route="live")
    else:
        await noted(pages, scope, receive, send)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await live.open()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await live.close()
            await asyncio.to_thread(pages.close)
            await asyncio.to_thread(health.close)
            await send({"type": "lifespan.shutdown.complete"})
            return
