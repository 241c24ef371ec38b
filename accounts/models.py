"""Who uses the site."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models

from accounts.names import LONGEST, check_name, key_of, look_of
from accounts.statements import compiled_once


class People(UserManager["User"]):
    """Finds people whichever way they spell their name."""

    def get(self, *args: Any, **kwargs: Any) -> User:
        """One of them. By their id alone, as the framework asks in every request who sends it, the SQL is made once."""
        if args or set(kwargs) != {"pk"} or not isinstance(kwargs["pk"], uuid.UUID):
            return super().get(*args, **kwargs)
        for person in _of_id(kwargs["pk"]):
            return person
        raise User.DoesNotExist

    def get_by_natural_key(self, username: str | None) -> User:
        """The person of this name; log-in asks here."""
        return self.get(name_key=key_of(username or ""))

    def is_free(self, name: str) -> bool:
        """Whether nobody is called so, or looks so."""
        return not self.filter(models.Q(name_key=key_of(name)) | models.Q(look=look_of(name))).exists()


class User(AbstractUser):
    """A person. An account that was deleted stays as an empty row, so that the trail keeps its pseudonym."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField("name", max_length=LONGEST, unique=True, validators=[check_name])
    # What makes names unique: the database's own lower() knows only English letters on SQLite.
    name_key = models.CharField(max_length=4 * LONGEST, unique=True, editable=False)
    # What names have in common that look alike; asked for when a name is chosen.
    look = models.CharField(max_length=4 * LONGEST, default="", editable=False)
    # The same, held by the database, so that of two who choose alike at one moment one is refused. None for an account
    # that looked like an elder one before this was held: nobody is called something else for it.
    sole_look = models.CharField(  # noqa: DJ001 - many have none
        max_length=4 * LONGEST, null=True, unique=True, editable=False)
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Where they read times; "" until they, or their browser, have said so: `accounts.zones` reads it.
    time_zone = models.CharField(max_length=64, blank=True)

    objects = People()  # type: ignore[misc]

    class Meta(AbstractUser.Meta):
        indexes = [models.Index(fields=["look"], name="user_look")]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keeps with the name what follows from it."""
        self.name_key = key_of(self.username)
        if self.look != (look := look_of(self.username)):
            self.look = self.sole_look = look
        if (fields := kwargs.get("update_fields")) is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "name_key", "look", "sole_look"}
        super().save(*args, **kwargs)

    @property
    def shown_name(self) -> str:
        """What others read: the name, or that there is nobody behind it any more."""
        return "someone who left" if self.deleted_at else self.username


@compiled_once
def _of_id(pk: uuid.UUID) -> models.QuerySet[User]:
    return User.objects.filter(pk=pk)


class CalendarAddress(models.Model):
    """A secret address from which a person's calendar is read. Only the hash of its secret is kept.

    Those that were renewed stay, so that whoever still asks there can be told.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="calendar_addresses")
    token_hash = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(auto_now_add=True)
    renewed = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(renewed=None), name="one_calendar_address_each"),
        ]


class Tally(models.Model):
    """How often something was tried since a time; `accounts.tallies` says by whom."""

    what = models.CharField(max_length=12)
    account = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    times = models.PositiveIntegerField()
    since = models.DateTimeField()
    last = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["what", "account", "address"], name="one_tally_each")]
