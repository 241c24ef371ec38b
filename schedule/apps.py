from importlib import import_module

from django.apps import AppConfig


class ScheduleConfig(AppConfig):
    name = "schedule"

    def ready(self) -> None:
        from campaigns.trail.declared import load

        load("schedule")
        import_module("schedule.home")  # it puts the next dates there
