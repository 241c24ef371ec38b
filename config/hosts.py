"""Names that this server is asked for by, and what to write so that it answers to one of a home's network."""
from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress

from django.conf import settings
from django.http.request import split_domain_port, validate_host

LOCAL = (".local", ".lan", ".home", ".internal", ".home.arpa")
ANY = ("0.0.0.0", "::", "")  # noqa: S104 - looked for, not bound


def is_of_a_network(host: str) -> bool:
    """Whether a name or an address is one that only a home's or an office's own network knows."""
    with suppress(ValueError):
        return ipaddress.ip_address(host.strip("[]")).is_private
    return bool(host) and ("." not in host or host.endswith(LOCAL))


def answers_to(host: str) -> bool:
    """Whether pages are answered under this name."""
    return validate_host(host, settings.ALLOWED_HOSTS)


def with_host(host: str) -> str:
    """The line for `.env` that adds a name."""
    return f"ALLOWED_HOSTS={','.join([*settings.ALLOWED_HOSTS, host])}"


def name_of(asked: str) -> str:
    """The name in a Host header, without its port; empty where it holds none."""
    return split_domain_port(asked)[0]


def of_this_machine() -> str | None:
    """The address by which others on the network find this machine; asks nobody, and sends nothing."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as looking:
        looking.connect(("192.0.2.1", 9))  # an address that nobody has: it only chooses the way out
        address = str(looking.getsockname()[0])
        return None if ipaddress.ip_address(address).is_loopback else address
    return None
