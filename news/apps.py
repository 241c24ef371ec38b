from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class NewsConfig(AppConfig):
    name = "news"

    def ready(self) -> None:
        import_module("news.watching")  # entries ask for their news
        import_module("news.home")
        post_migrate.connect(_remind, sender=self)


def _remind(using: str, **kwargs: Any) -> None:
    from django.db import DatabaseError, transaction

    from news.work import remind_all

    try:
        with transaction.atomic(using=using):
            remind_all()
    except DatabaseError:
        return  # the tables are on their way to another version
