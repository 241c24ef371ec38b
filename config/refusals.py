"""What is said to whoever is not served."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from http import HTTPStatus

from config import limits
from config.limits import Kind
from config.protocol import Receive, Scope, Send, body, header, start
from config.visits import CampaignHasTooMany, TooMany, TooManyStreams

LINGER = 2.0  # seconds in which what a refused client still sends is thrown away, so that it reads why


class Refused(Exception):
    """Not served: a status, and the sentence that says why."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


class Left(Exception):
    """The client went before it was its turn: nothing is done, and nobody is there to be told."""


def busy() -> Refused:
    """There are more requests than the server takes."""
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Too many requests at the moment. Try again in a few seconds.")


def too_slow() -> Refused:
    """The body did not come in time."""
    return Refused(HTTPStatus.REQUEST_TIMEOUT, "This took too long to arrive. Send it again.")


def too_large(kind: Kind) -> Refused:
    """The body is longer than this kind of page takes."""
    size, unit = (limits.MB, "MB") if kind.most_bytes >= limits.MB else (limits.KB, "KB")
    most = f"{kind.most_bytes // size} {unit}"
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"This page takes at most {most}. Go back and send less.")


def not_here() -> Refused:
    """The same, whether there is nothing or nothing for this person."""
    return Refused(HTTPStatus.NOT_FOUND, "There is nothing here for you.")


def too_many_streams() -> Refused:
    """Too many pages are open that listen, of this person, of this address, or of all."""
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Too many open pages. Close some of them.")


def campaign_has_too_many() -> Refused:
    """Too many pages of one campaign listen."""
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "As many live pages of this campaign are open as it has room for. "
                   "Reload this one to see what is new.")


def check_length(scope: Scope) -> None:
    """Raises `Refused` where a request says two ways where it ends: a proxy in front may have believed the other one,
    and what it takes for the body would be read here as somebody's next request."""
    if header(scope, b"content-length") is not None and header(scope, b"transfer-encoding") is not None:
        raise Refused(HTTPStatus.BAD_REQUEST, "This request says its length in two ways. Send it with one of them.")


async def or_say_why(serving: Awaitable[None], receive: Receive, send: Send) -> None:
    """Serves a request; where it is refused before its answer began, says so and closes the connection."""
    try:
        await serving
    except Left:
        pass
    except TooManyStreams:
        await _refuse(too_many_streams(), receive, send)
    except CampaignHasTooMany:
        await _refuse(campaign_has_too_many(), receive, send)
    except TooMany:
        await _refuse(busy(), receive, send)
    except Refused as refused:
        await _refuse(refused, receive, send)


async def _refuse(refused: Refused, receive: Receive, send: Send) -> None:
    """Says why, throws away what still comes for a moment, and closes."""
    sentence = f"{refused.sentence}\n".encode()
    more = {"connection": "close", "content-length": str(len(sentence))}
    if refused.status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.REQUEST_TIMEOUT):
        more["retry-after"] = "5"
    await send(start(refused.status, "text/plain; charset=utf-8", more))
    await send(body(sentence, more=True))
    try:
        async with asyncio.timeout(LINGER):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    break
    except TimeoutError:
        pass
    await send(body(b""))
