"""The roll tray of a game whose rolls are procedures: who rolls, what the rules ask for, against what."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from accounts.wording import choice, options, speak
from campaigns.access import Viewer
from campaigns.rulefields import form_fields, values_of
from characters.models import Character
from play.forms.any_tray import AnyTray
from play.forms.rows import Chips, Row, chips, rows
from play.forms.typed_dice import TypedFaces
from play.services import tray
from play.services.obstacles import InTheWay
from play.services.requests import Intended
from play.services.typed_dice import allowed
from rules.fields import Choice, ChoiceOrWhole, Field, Listing, Word
from rules.values import BadMove, Value

ELSE = "Something else"
TAPPED = (forms.RadioSelect, forms.CheckboxSelectMultiple)


class ProcedureTray(AnyTray):
    """Who rolls, what it is about, and the fields of the tray's offer for whoever rolls."""

    what = forms.CharField(label="What do you try?", max_length=120, required=False)

    def __init__(
        self, viewer: Viewer, roller: Character | None, rollable: list[Character], obstacles: list[InTheWay],
        data: Any = None, ticked: Sequence[str] = (), **kwargs: Any,
    ) -> None:
        self.offer = tray.offer(viewer.campaign, roller, obstacles, runs=viewer.runs) if roller else None
        asked = self.offer.fields if self.offer else ()
        self._named = dict(self.offer.options or {}) if self.offer else {}
        own = form_fields(asked, self._named)
        self.of_sheet = tuple(name for name in own if name != tray.OBSTACLE)
        super().__init__(viewer, roller, rollable, obstacles, data, offer=self.offer, **kwargs)
        self.fields |= own
        if allowed(viewer.campaign):
            self.fields["typed"] = TypedFaces()
        for field in asked:
            self._as_rows(field)
        if self.limited and tray.OBSTACLE in own and self._is_gms:
            against = choice(self, tray.OBSTACLE)
            against.choices = [option for option in options(against) if option[0]]
        self._fits = dict((self.offer.fits if self.offer else None) or {})
        for name, value in {**((self.offer.now if self.offer else None) or {}), **self._ticked(ticked)}.items():
            self.fields[name].initial = value
            for ready in self._listed(str(value)):
                self.fields[ready].initial = self._fits[str(value)]
        for each in self.fields.values():
            speak(each)
        self._without_what_is_gone()
        self._with_what_is_new()

    def _with_what_is_new(self) -> None:
        """Ready with the line that is used: all that fits it where it was not drawn for that, else what has come."""
        if not self.moved or not self._fits or not isinstance(self.data, QueryDict):
            return
        drawn = self._drawn_with == self.fitted
        before = {line.pk for line in self.before.lines} if self.before and drawn else set()
        for name in {name for used in self._fits for name in self._listed(used)}:
            known = {pk for pk, _ in self._named[name]}
            ready = [fit for fit in self._fits.get(self.fitted, ()) if fit in known - before]
            self.data.setlist(name, [*dict.fromkeys([*(self.data.getlist(name) if drawn else ()), *ready])])

    def _listed(self, used: str, *, known: bool = False) -> list[str]:
        """The list, if any, in which something stands ready once this is used; `known`: or once something else is."""
        ready = {pk for fit in self._fits.values() for pk in fit} if known else set(self._fits.get(used, ()))
        return [name for name, ids in self._named.items() if ready & {pk for pk, _ in ids}]

    @property
    def fitted(self) -> str:
        """What the rows are drawn for: the line that is used, where things stand ready with it."""
        named = [field.name for field in (self.offer.fields if self.offer else ()) if field.name in self.fields]
        values = (self[name].value() for name in named)
        return next((value for value in values if isinstance(value, str) and value in self._fits), "")

    @property
    def _drawn_with(self) -> str:
        """The line that was used as the rows were drawn that were sent."""
        return str(self.data.get("fitted", "")).partition(" ")[0]

    @property
    def drawn_for(self) -> str:
        """The same with what is ticked, which the number upon the row tells: "" where nothing changes it."""
        if not self.fitted:
            return ""
        ticked = (str(each) for name in self._listed("", known=True) for each in self[name].value() or ())
        return " ".join((self.fitted, *sorted(ticked)))

    @property
    def restated(self) -> bool:
        """Whether what is chosen is another than what the rows were drawn for."""
        return self.is_bound and self.data.get("fitted", "") != self.drawn_for

    def refitted(self) -> ProcedureTray | None:
        """The same form with what fits the line that is used now; None where the rows were drawn for it already."""
        if not self._fits or self.another or self.moved or self._drawn_with == self.fitted:
            return None
        data: Any = QueryDict(mutable=True)
        data.update(self.data)
        for name in {name for used in self._fits for name in self._listed(used)}:
            known = {pk for pk, _ in self._named[name]}
            data.setlist(name, [fit for fit in self._fits.get(self.fitted, ()) if fit in known])
        return ProcedureTray(self.viewer, self._roller, self._rollable, self._obstacles, data)

    def _ticked(self, ticked: Sequence[str]) -> dict[str, Any]:
        """Lines of the sheet that a link names already, each in the first field that takes it."""
        for field in self.offer.fields if self.offer else ():
            known = dict(self._named.get(field.name, ()))
            if mine := [each for each in ticked if each in known]:
                return {field.name: mine if isinstance(field, Listing) else mine[0]}
        return {}

    def _as_rows(self, field: Field) -> None:
        """Choices are rows to tap; where none has to be made, the empty one is in words.

        A word or a number stays a list to open: its words are many.
        """
        if not self._tapped(field) or isinstance(field, (Listing, Choice, ChoiceOrWhole)):
            return
        one = choice(self, field.name)
        one.choices = [(pk, label if pk else ELSE) for pk, label in options(one)]
        if field.name != tray.OBSTACLE:  # what it is against stays a list to open: it takes one line
            one.widget = forms.RadioSelect(choices=one.choices)

    @property
    def rows(self) -> list[tuple[forms.BoundField, list[Row]]]:
        """What is chosen by a tap, always in sight: each field with its rows, none where it is a list to open."""
        tapped = [self[field.name] for field in (self.offer.fields if self.offer else ())
                  if self._tapped(field) and not (self.fitted and field.name in self._listed(self.fitted, known=True))]
        return [(field, rows(field) if isinstance(field.field.widget, TAPPED) else []) for field in tapped]

    @property
    def chips(self) -> Chips | None:
        """What counts with the line that is used, or may; None where nothing is used yet."""
        names = self._listed(self.fitted, known=True) if self.fitted else []
        binds = (self.offer.binds if self.offer else None) or {}
        return chips(self[names[0]], self._fits[self.fitted], binds.get(self.fitted, ())) if names else None

    @property
    def more(self) -> list[forms.BoundField]:
        """What unfolds: all that is not in sight, as the number of a word or a number."""
        in_sight = {row.name for row, _ in self.rows} | {*self._listed(self.fitted, known=True)}
        asked = form_fields(self.offer.fields if self.offer else (), self._named)
        return [self[name] for name in asked if name not in in_sight]

    @property
    def more_open(self) -> bool:
        """Whether something that unfolds was refused."""
        return any(field.errors for field in self.more)

    def _tapped(self, field: Field) -> bool:
        asked = field.name == "difficulty" and tray.OBSTACLE not in self._named
        return (field.name in self._named and field.name in self.fields) or asked

    def as_it_opens(self) -> ProcedureTray:
        """The same form as if it were sent untouched, so that odds can be shown before anything is chosen."""
        data = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        sent = {name: value for name, value in data.items() if value not in (None, False, "")}
        return self.bound_to(sent)

    def given(self) -> dict[str, Value]:
        """What the rules read."""
        return values_of(self.offer.fields, self.cleaned_data, self._named) if self.offer else {}

    def title(self) -> str:
        """What it is about: in words, or the names of what is in the way and of what is used."""
        if said := self.cleaned_data["what"]:
            return str(said)
        known = {pk: label for each in self._named.values() for pk, label in each}
        chosen = [self.cleaned_data.get(name) for name in (tray.OBSTACLE, *self._named)]
        first = next((known[each] for each in chosen if isinstance(each, str) and each in known), "A roll")
        return first.partition(" · ")[0][:120]

    def chosen(self) -> Intended:
        """What is chosen, for a request to the GM; raises `BadMove` for what can't be rolled."""
        try:
            self.planned().rehearse()
        except BadMove as bad:
            if not (self.must_ask and bad.field in {field.name for field in self.system.rolls.obstacle}):
                raise
        return Intended(self.given())

    @property
    def must_ask(self) -> bool:
        """Whether nothing can be rolled before the GM says how hard it is, and the rules ask for nothing else first."""
        return self._is_gms and self.may_ask and bool(self.offer) and self.limited

    @property
    def _is_gms(self) -> bool:
        """Whether in this game the GM alone says how hard something is."""
        return any(field.word is Word.GM for field in self.system.rolls.obstacle)

    @property
    def says_how_hard(self) -> bool:
        """Whether the player says how hard it is, where nothing is in the way."""
        known = {field.name for field in self.system.rolls.obstacle}
        return any(field.name in known for field in (self.offer.fields if self.offer else ()))

    def planned(self) -> tray.Planned:
        """The roll that it says; raises `BadMove`."""
        if self._roller is None:
            raise TypeError("Nobody rolls.")
        return tray.plan(self.viewer.campaign, self._roller, self._obstacles, self.title(), self.given(),
                         runs=self.viewer.runs)
