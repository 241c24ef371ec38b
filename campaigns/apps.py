from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("campaigns")
        post_migrate.connect(_install_triggers, sender=self)


def _install_triggers(using: str, **kwargs: Any) -> None:
    from django.db import connections

    from campaigns import search_index
    from campaigns.trail import triggers

    triggers.install(connections[using])
    search_index.install(connections[using])
