"""Whose word is taken for where a request comes from."""
from __future__ import annotations

import pytest
from uvicorn.config import Config

from config.connections import _is_believed


def application(_scope: object) -> None:
    """Never asked."""


def loaded(*, believes: bool = True) -> Config:
    proxies = "192.0.2.1,198.51.100.0/24"
    config = Config(application, interface="asgi3", proxy_headers=believes, forwarded_allow_ips=proxies)
    config.load()
    return config


@pytest.mark.parametrize(("host", "believed"), [
    ("192.0.2.1", True), ("198.51.100.9", True), ("192.0.2.2", False), ("127.0.0.1", False), ("", False),
])
def test_a_proxy_is_who_the_server_believes(host: str, believed: bool) -> None:
    assert _is_believed(host, loaded()) is believed


def test_nobody_is_where_the_server_believes_nobody() -> None:
    assert not _is_believed("192.0.2.1", loaded(believes=False))


def test_a_server_that_hides_whom_it_believes_is_no_silent_no() -> None:
    config = loaded()
    config.loaded_app = application
    with pytest.raises(TypeError, match="say here which addresses"):
        _is_believed("192.0.2.1", config)
