from importlib import import_module

from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "play"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("play")
        import_module("play.now")  # it says what is asked of whom
