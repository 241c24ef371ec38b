from importlib import import_module

from django.apps import AppConfig


class CharactersConfig(AppConfig):
    name = "characters"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("characters")
        import_module("characters.home")  # it puts one's own sheets there
        import_module("characters.sharing")  # it says how a link shows a sheet
