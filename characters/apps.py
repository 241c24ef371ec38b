from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CharactersConfig(AppConfig):
    name = "characters"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("characters")
        import_module("characters.home")  # it puts one's own sheets there
        import_module("characters.sharing")  # it says how a link shows a sheet
        post_migrate.connect(_lay_out_snapshots, sender=self)


def _lay_out_snapshots(**kwargs: Any) -> None:
    """Of campaigns that earlier versions have written."""
    from django.db import DatabaseError

    from characters import snapshots

    try:
        snapshots.lay_out_missing()
    except DatabaseError:
        return  # the tables are on their way to another version
