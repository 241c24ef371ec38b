"""Whom an address stands for: one IPv4 address, or a /64 of IPv6, which is what one household or one host is given.

Beside it the wider prefix that is handed out as one: whoever has many networks has them mostly side by side.
"""
from __future__ import annotations

import ipaddress

UNKNOWN = "unknown"
HOUSEHOLD = 64  # bits of an IPv6 address; whoever has one address has all that begin so
SITE = 48  # bits of an IPv6 address that a company or a provider's customer is given
NEIGHBOURS = 24  # bits of an IPv4 address: the smallest network that is routed on its own


def network_of(address: str) -> str:
    """What requests are counted by.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("?")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', 'unknown')
    """
    read = _read(address)
    if isinstance(read, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((read, HOUSEHOLD), strict=False))
    return str(read or UNKNOWN)


def prefix_of(address: str) -> str:
    """What takes turns where many ask: a /24 of IPv4, a /48 of IPv6.

    >>> prefix_of("192.0.2.7"), prefix_of("2001:db8:1:2:3:4:5:6"), prefix_of("?")
    ('192.0.2.0/24', '2001:db8:1::/48', 'unknown')
    """
    read = _read(address)
    if read is None:
        return UNKNOWN
    return str(ipaddress.ip_network((read, SITE if read.version == 6 else NEIGHBOURS), strict=False))


def _read(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (read.ipv4_mapped or read) if isinstance(read, ipaddress.IPv6Address) else read
