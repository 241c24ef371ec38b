import sys
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("campaigns")
        import_module("campaigns.search_building")
        post_migrate.connect(_install_triggers, sender=self)
        post_migrate.connect(_lay_out_words, sender=self)
        post_migrate.connect(_ask_for_backup, sender=self)


def _install_triggers(using: str, **kwargs: Any) -> None:
    from django.db import connections

    from campaigns import search_index
    from campaigns.trail import triggers

    triggers.install(connections[using])
    search_index.install(connections[using])


def _lay_out_words(using: str, **kwargs: Any) -> None:
    """After the last migration, what the search has not got yet: it may take a while, and people can play meanwhile."""
    from django.db import DatabaseError, connections
    from django.db.migrations.executor import MigrationExecutor

    from campaigns import search_building, search_index

    try:
        wanted = list(search_building.missing())
    except DatabaseError:
        return  # the tables are on their way to another version
    executor = MigrationExecutor(connections[using])
    if wanted and not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        search_building.build_missing(lambda said: sys.stderr.write(f"{said}\n"))
    search_index.analyse(connections[using], always=False)


def _ask_for_backup(using: str, **kwargs: Any) -> None:
    from django.db import DatabaseError, transaction

    from campaigns.keeping.work import ask_for_next

    try:
        with transaction.atomic(using=using):
            ask_for_next()
    except DatabaseError:
        return  # the table of jobs is not there yet
