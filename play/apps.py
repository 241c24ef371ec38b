from importlib import import_module

from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "play"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("play")
        import_module("play.now")  # it says what is asked of whom
        import_module("play.telling")  # and this what happened
        import_module("play.sharing")  # and this how a link shows the Chronicle
