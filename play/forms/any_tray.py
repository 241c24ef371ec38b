"""What both roll trays share: who rolls, against what, and what a press was shown, held against what there is now."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from django import forms
from django.http import QueryDict

from accounts.wording import Pairs, choice, options
from campaigns.access import Viewer
from campaigns.web import ActionForm
from characters.models import Character
from play.models import PendingModifier
from play.services.obstacles import InTheWay
from play.services.tray import OBSTACLE
from play.shown import Moved, Shown, moves, shown_now
from play.word import is_limited
from rules.procedure import Offer

CHOOSE = "Choose who rolls."
AGAINST_IT, CHECK = "Roll again to roll against it.", "Check the numbers, then roll again."


class AnyTray(ActionForm):
    """A tray of one game: whose it is, and whether it may still be rolled as it was shown."""

    of_sheet: tuple[str, ...] = ()  # what belongs to the sheet of whoever rolls
    of_others: tuple[str, ...] = ()  # what names lines of other people
    pressed = False  # whether the button was pressed with it, and not a choice made

    character = forms.ChoiceField(label="Who rolls", error_messages={"required": CHOOSE})

    def __init__(
        self, viewer: Viewer, roller: Character | None, rollable: list[Character], obstacles: list[InTheWay],
        data: Any = None, *, present: Sequence[Character] = (), pending_modifiers: Sequence[PendingModifier] = (),
        offer: Offer | None = None, **kwargs: Any,
    ) -> None:
        self._viewer, self.system = viewer, viewer.campaign.rules
        self._roller, self._rollable, self._obstacles = roller, rollable, obstacles
        self.roller_id = str(roller.pk) if roller else ""
        self._pending = [modifier for modifier in pending_modifiers if roller and modifier.character_id == roller.pk]
        self.shown = shown_now(
            viewer, roller, obstacles, rollable=rollable, present=present, pending_modifiers=self._pending,
            offer=offer)
        self.before = Shown.read(viewer, data.get("shown", "")) if data else self.shown
        # Somebody else was chosen than whose lines were there to be ticked: what is ticked is another's.
        self.another = self.before is not None and self.before.roller != self.roller_id
        self.moved = self._moved(data, present) if data and not self.another else None
        if self.another or self.moved:
            data = data.copy()
            for name in (*self.of_sheet, *self.of_others) if self.another else ():
                data.pop(name, None)
            data.pop(OBSTACLE, None)
        if self.moved and self.moved.against:
            data[OBSTACLE] = self.moved.against
        super().__init__(data, **kwargs)
        choice(self, "character").choices = Pairs(who_rolls(roller, rollable))
        self.fields["character"].initial = self.roller_id or None

    def _moved(self, data: Any, present: Sequence[Character]) -> Moved | None:
        owners = {str(line.pk): str(character.pk) for character in present for line in character.traits.all()}
        people = {owners.get(pk, "") for name in self.of_others for pk in _all(data, name) if pk}
        return moves(self.before, self.shown, data.get(OBSTACLE, ""), people)

    def _without_what_is_gone(self) -> None:
        """Of what was ticked, what is there still; once all fields are there."""
        for name in (*self.of_sheet, *self.of_others) if self.moved else ():
            field = self.fields.get(name)
            if isinstance(field, forms.ChoiceField) and isinstance(self.data, QueryDict):
                known = {pk for pk, _ in options(field)}
                self.data.setlist(name, [each for each in self.data.getlist(name) if each in known])

    def clean(self) -> dict[str, Any]:
        """Refuses what is not as it was shown: then nothing is rolled, and the tray has the numbers of now."""
        if self.pressed and self.another and self.roller_id:
            raise forms.ValidationError(f"This is what {self.shown.name} can roll with. Choose, then roll.")
        if self.pressed and self.moved:
            raise forms.ValidationError(" ".join((*self.moved.said, AGAINST_IT if self.moved.anew else CHECK)))
        return self.cleaned_data

    @property
    def viewer(self) -> Viewer:
        """For whom it is."""
        return self._viewer

    @property
    def pending_modifiers(self) -> list[PendingModifier]:
        """What waits for the roller's next roll, where the game has that."""
        return self._pending

    @property
    def outdated(self) -> bool:
        """Whether it is to be drawn anew: something in it is not as it was shown, or others could roll."""
        if self.before is None or self.another:
            return self.before is None or self.before.rollable != self.shown.rollable
        return self.before != self.shown

    @property
    def news(self) -> str:
        """What has moved in a tray that stood open, in sentences; a press is told it as its refusal."""
        return " ".join(self.moved.said) if self.moved and not self.pressed else ""

    @property
    def token(self) -> str:
        """What goes along with the form of what it shows."""
        return self.shown.signed(self.viewer)

    def looked_at(self) -> Self:
        """The same form without what is said of it, for its odds."""
        sent = self.bound_to(self.data)
        sent.moved, sent.pressed = None, False
        return sent

    @property
    def anybody(self) -> bool:
        """Whether there is somebody to roll for."""
        return bool(self._rollable)

    @property
    def alone(self) -> bool:
        """Whether there is nobody else to roll for."""
        return bool(self.roller_id) and len(self._rollable) == 1

    @property
    def limited(self) -> bool:
        """Whether what is the GM's word is not for whoever has this tray to say."""
        return is_limited(runs=self.viewer.runs, scene=self.viewer.campaign.scene_id)

    @property
    def must_ask(self) -> bool:
        """Whether nothing can be rolled before the GM says how hard it is."""
        return self.limited and self.may_ask

    @property
    def may_ask(self) -> bool:
        """Whether the GM can be asked how hard it is: nothing is in the way yet."""
        return not self._obstacles

    def unable(self) -> str:
        """Why whoever rolls can't act now, in a sentence; "" where they can."""
        return self.system.sheet.unable(self._roller.sheet()) if self._roller else ""

    @property
    def roller_is_dead(self) -> bool:
        """Whether nothing brings back whoever rolls."""
        return bool(self._roller and self._roller.dead)

    def in_the_way(self) -> InTheWay | None:
        """What it is rolled against."""
        return next((each for each in self._obstacles if str(each.pk) == self.cleaned_data.get(OBSTACLE)), None)


def who_rolls(roller: Character | None, rollable: list[Character]) -> list[tuple[str, str]]:
    """Whom the tray offers; where nobody is likelier than the others, it has to be chosen."""
    return [*([] if roller else [("", CHOOSE.rstrip("."))]), *((str(each.pk), each.name) for each in rollable)]


def _all(data: Any, name: str) -> list[str]:
    given = data.getlist(name) if isinstance(data, QueryDict) else data.get(name, [])
    return [given] if isinstance(given, str) else list(given or ())
