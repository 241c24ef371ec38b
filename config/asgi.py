"""The server's one process: pages through WSGI in a few blocking threads, the live stream beside them."""
from __future__ import annotations

import asyncio
import re

# Django is set up here, before anything that needs its models.
from config.wsgi import application as pages_by_wsgi

from config.live import Live  # isort: skip
from config.pages import Pages  # isort: skip
from config.protocol import Receive, Scope, Send  # isort: skip

STREAM = re.compile(r"/c/(?P<slug>[-\w]+)/live/", re.ASCII)

pages = Pages(pages_by_wsgi)
live = Live(pages.visits)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http" and scope["method"] == "GET" and (found := STREAM.fullmatch(scope["path"])):
        await live(scope, receive, send, found["slug"])
    elif scope["type"] == "http":
        await pages(scope, receive, send)
    else:
        await send({"type": "websocket.close"})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await live.open()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await live.close()
            await asyncio.to_thread(pages.close)
            await send({"type": "lifespan.shutdown.complete"})
            return
