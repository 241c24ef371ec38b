"""What differs by machine, from the environment or from `.env`. What can't be meant is refused, with its name.

A value may also be in a file: `SECRET_KEY_FILE=/run/secrets/key` stands for `SECRET_KEY`.
"""
from __future__ import annotations

import builtins
import os
import zoneinfo
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

TRUE, FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
COUNTED = "PROMETHEUS_MULTIPROC_DIR"  # a folder in which several processes count together (`config.metrics`)
DATABASES = ("sqlite", "postgres", "postgresql")


class Environment(environ.FileAwareEnv):  # type: ignore[misc]
    """django-environ's, which takes for false whatever it does not know."""

    def str(self, var: builtins.str, default: builtins.str = "") -> builtins.str:
        """A line of text, without what an editor leaves at a file's end."""
        return self._text(var) or default

    def bool(self, var: builtins.str, default: builtins.bool) -> builtins.bool:
        """True or false, and no third."""
        value = self._text(var)
        if value.lower() in TRUE:
            return True
        if value and value.lower() not in FALSE:
            raise ImproperlyConfigured(f"{var}={value} is neither true nor false. Write {var}=true or {var}=false.")
        return False if value else default

    def int(self, var: builtins.str, default: builtins.int, *, least: builtins.int = 0) -> builtins.int:
        """A whole number."""
        return whole_number(var, self._text(var), default, least)

    def one_of(self, var: builtins.str, *choices: builtins.str) -> builtins.str:
        """One of these words; the first where none is said."""
        value = self._text(var) or choices[0]
        if value not in choices:
            raise ImproperlyConfigured(f"{var}={value} is not known. Write one of {', '.join(choices)}.")
        return value

    def zone(self, var: builtins.str, default: builtins.str) -> builtins.str:
        """The name of a time zone."""
        value = self._text(var) or default
        if value not in zoneinfo.available_timezones():
            raise ImproperlyConfigured(f"{var}={value} is not a time zone. Write one such as Europe/London or UTC.")
        return value

    def database(self, var: builtins.str, default: builtins.str) -> dict[builtins.str, Any]:
        """Where the database is."""
        address = self._text(var) or default
        if urlsplit(address).scheme not in DATABASES:
            # The address may hold a password: it is not repeated.
            raise ImproperlyConfigured(f"{var} is not an address. Write sqlite:///… or postgres://user:pass@host/name.")
        try:
            settings: dict[builtins.str, Any] = self.db_url_config(address)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} can’t be read: look at its port, and quote its signs.") from error
        return settings

    def listening(self, var: builtins.str) -> tuple[builtins.bool, builtins.str]:
        """Whether the database tells of what is written (`none`: it does not), and at which address; "" for its own."""
        value = self._text(var)
        if value and value != "none" and urlsplit(value).scheme not in DATABASES[1:]:
            raise ImproperlyConfigured(f"{var} is not an address. Write postgres://user:pass@host/name, or {var}=none.")
        return value != "none", "" if value == "none" else value

    def mail(self, var: builtins.str, default: builtins.str) -> dict[builtins.str, Any]:
        """Where mail goes."""
        try:
            settings: dict[builtins.str, Any] = self.email_url_config(self._text(var) or default)
        except (KeyError, ValueError, ImproperlyConfigured) as error:
            raise ImproperlyConfigured(f"{var} is not an address. Write smtp+tls://user:password@host:587.") from error
        return settings

    def _text(self, var: builtins.str) -> builtins.str:
        try:
            return builtins.str(self.get_value(var, default="")).strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{var}_FILE names a file that can’t be read: {error.strerror}.") from error


def whole_number(var: str, value: str, default: int, least: int = 0) -> int:
    """What a setting says; also for what is read before Django."""
    if not value:
        return default
    if not value.isascii() or not value.isdigit() or int(value) < least:
        raise ImproperlyConfigured(f"{var}={value} is not a whole number{f' from {least}' if least else ''}.")
    return int(value)


def of_process(var: str, default: int, least: int = 1) -> int:
    """A whole number of the environment alone: it is wanted before any settings are."""
    return whole_number(var, os.environ.get(var, "").strip(), default, least)


def read_file(path: Path) -> Environment:
    """The environment, with what it leaves out from a file; raises `ImproperlyConfigured` where that can't be read."""
    try:
        Environment.read_env(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{path.name} can’t be read: {error}.") from error
    return Environment()
