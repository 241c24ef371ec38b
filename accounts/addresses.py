"""Whom an address stands for: one IPv4 address, or a /64 of IPv6, which is what one household or one host is given."""
from __future__ import annotations

import ipaddress

UNKNOWN = "unknown"
HOUSEHOLD = 64  # bits of an IPv6 address; whoever has one address has all that begin so


def network_of(address: str) -> str:
    """What requests are counted by.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.7"), network_of("?")
    ('192.0.2.7', '2001:db8:1:2::/64', '192.0.2.7', 'unknown')
    """
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(read, ipaddress.IPv4Address):
        return str(read)
    if read.ipv4_mapped is not None:
        return str(read.ipv4_mapped)
    return str(ipaddress.ip_network((read, HOUSEHOLD), strict=False))
