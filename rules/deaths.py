"""What only contests have that people can leave: who has died by the word of their sheet is in it no longer."""
from __future__ import annotations

from abc import abstractmethod
from typing import final

from rules.engine import Event, Procedure, S, Sheets
from rules.procedure import ActResult


class HearsOfDeath(Procedure[S]):
    """A procedure that is told when the sheet of somebody in it says dead, or no longer does, and keeps that as events.
    """

    @abstractmethod
    def of_death(self, state: S, sheets: Sheets, who: str) -> ActResult[Event[S]] | None:
        """What comes of that in here; None where it is so here already, or they are not in it."""

    @final
    def hears(self, state: S, sheets: Sheets, who: str) -> ActResult[Event[S]] | None:
        """The same with everything that follows by itself."""
        came = self.of_death(state, sheets, who)
        return self.completed(state, sheets, "of_death", who, came) if came else None
