"""The roll tray: who rolls, what the rules ask for; and what a press was shown, held against what is so by now."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from django import forms
from django.http import QueryDict
from django.urls import reverse

from accounts.wording import Pairs, choice, options, speak
from campaigns.access import Viewer
from campaigns.rulefields import form_fields, values_of
from campaigns.web import ActionForm
from characters.contexts import SwitchLink
from characters.models import Character
from characters.queries import MOST_SWITCHED
from play.forms.rows import Chips, Row, chips, rows
from play.forms.rows import ticks as ticks_of
from play.forms.typed_dice import TypedFaces
from play.services import tray
from play.services.obstacles import InTheWay
from play.services.requests import Intended
from play.services.tray import OBSTACLE, Beside
from play.shown import Moved, Shown, moves, shown_now
from play.word import is_limited
from rules.fields import Field, Listing, Word
from rules.procedure import Offer
from rules.values import BadMove, Value

CHOOSE = "Choose a character."
AGAINST_IT, CHECK = "Roll again to roll against it.", "Check the numbers, then roll again."
ELSE, NOBODY = "Something else", "Nobody: use the difficulty"
TAPPED = (forms.RadioSelect, forms.CheckboxSelectMultiple)


class Tray(ActionForm):
    """Whose roll it is, what it is about, and the fields of the tray's offer; and whether it may still be rolled as it
    was shown. What it offers and shows is that of the `same` tray, where one was made already."""

    pressed = False  # whether the button was pressed with it, and not a choice made

    character = forms.ChoiceField(label="Who rolls", error_messages={"required": CHOOSE})
    what = forms.CharField(label="What do you try?", max_length=120, required=False)

    def __init__(
        self, viewer: Viewer, roller: Character | None, rollable: list[Character], beside: Beside, data: Any = None,
        ticked: Sequence[str] = (), same: Tray | None = None, **kwargs: Any,
    ) -> None:
        self._viewer, self.system, self._roller, self._rollable = viewer, viewer.campaign.rules, roller, rollable
        self._beside: Beside = same._beside if same else beside.of(roller)
        self.roller_id = str(roller.pk) if roller else ""
        self._procedure = tray.the_procedure(viewer.campaign)
        self.offer: Offer | None = same.offer if same else tray.offer(viewer.campaign, roller, self._beside)
        self._asked = self.offer.fields if self.offer else ()
        self._named = dict(self.offer.options or {}) if self.offer else {}
        own = form_fields(self._asked, self._named)
        self._own = tuple(own)
        self._of_sheet = tuple(name for name in own if name != OBSTACLE)
        super().__init__(self._as_sent(data, same), **kwargs)
        choice(self, "character").choices = Pairs(who_rolls(roller, rollable))
        self.fields["character"].initial = self.roller_id or None
        self.fields |= {**own, **self._where_there_are(viewer)}
        for field in self._asked:
            self._as_rows(field)
        if self.limited and OBSTACLE in own and self._is_gms:
            against = choice(self, OBSTACLE)
            against.choices = Pairs(option for option in options(against) if option[0])
        self._fits = dict((self.offer.fits if self.offer else None) or {})
        self._open_with({**((self.offer.now if self.offer else None) or {}), **self._ticked(ticked)})
        for form_field in self.fields.values():
            speak(form_field)
        self._without_what_is_gone()
        self._with_what_is_new()

    def _as_sent(self, data: Any, same: Tray | None) -> Any:
        """What was sent, without what is another's or no longer there."""
        here = self._beside.here if self._procedure.of_others else ()
        self.shown: Shown = same.shown if same else shown_now(
            self._viewer, self._roller, self._beside.ways, rollable=self._rollable, present=here,
            pending_modifiers=self._beside.pending, offer=self.offer)
        self.before = Shown.read(self._viewer, data.get("shown", "")) if data else self.shown
        # Somebody else was chosen than whose lines were there to be ticked: what is ticked is another's.
        self.another = self.before is not None and self.before.roller != self.roller_id
        self.moved = self._moved(data) if data and not self.another else None
        if self.another or self.moved:
            data = data.copy()
            for name in self._of_sheet if self.another else ():
                data.pop(name, None)
            data.pop(OBSTACLE, None)
        if self.moved and self.moved.against:
            data[OBSTACLE] = self.moved.against
        return data

    def _where_there_are(self, viewer: Viewer) -> dict[str, forms.Field]:
        """What only some trays have: real dice, and a screen to roll behind."""
        made: dict[str, forms.Field] = {"typed": TypedFaces()} if viewer.campaign.types_dice else {}
        if viewer.runs and self._procedure.in_secret:
            made["hidden"] = forms.BooleanField(label="Roll in secret (behind the screen)", required=False)
        return made

    def _open_with(self, ready: dict[str, Any]) -> None:
        for name, value in ready.items():
            self.fields[name].initial = value
            for listed in self._listed(str(value)):
                self.fields[listed].initial = self._fits[str(value)]

    def _moved(self, data: Any) -> Moved | None:
        owners = {str(line.pk): str(other.pk) for other in self._beside.here for line in other.traits.all()}
        people = {owners.get(pk, "") for name in self._procedure.of_others for pk in _all(data, name) if pk}
        return moves(self.before, self.shown, data.get(OBSTACLE, ""), people)

    def _without_what_is_gone(self) -> None:
        """Of what was ticked, what is there still; once all fields are there."""
        for name in self._of_sheet if self.moved else ():
            field = self.fields.get(name)
            if isinstance(field, forms.ChoiceField) and isinstance(self.data, QueryDict):
                known = {pk for pk, _ in options(field)}
                self.data.setlist(name, [option for option in self.data.getlist(name) if option in known])

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

    def opened_anew(self) -> Tray:
        """The tray as it opens for somebody else than it was drawn for: nothing of theirs is called missing yet. What
        was typed of the attempt stays."""
        meant = tray.lines_meant(self._roller, self._beside.ways)
        kept = {name: self[name].value() for name in ("what", "hidden") if name in self.fields}
        return Tray(self.viewer, self._roller, self._rollable, self._beside, None, meant, initial=kept)

    def fresh(self, viewer: Viewer) -> Tray:
        """The same tray as it opens, where nothing that it is made of has moved since this one was read."""
        ways = [way for way in self._beside.ways if not way.patient]
        meant = tray.lines_meant(self._roller, ways)
        same = self if len(ways) == len(self._beside.ways) else None
        return Tray(viewer, self._roller, self._rollable, replace(self._beside, ways=ways), None, meant, same)

    @property
    def anybody(self) -> bool:
        """Whether there is somebody to roll for."""
        return bool(self._rollable)

    @property
    def treats(self) -> str:
        """The id of the treatment that it was opened for, "" for any other roll: it goes along with the form."""
        return next((str(way.pk) for way in self._beside.ways if way.patient), "")

    @property
    def alone(self) -> bool:
        """Whether there is nobody else to roll for."""
        return bool(self.roller_id) and len(self._rollable) == 1

    @property
    def switch(self) -> tuple[SwitchLink, ...]:
        """A player's own characters, where there are several; a GM has a list instead, as theirs are many."""
        if self.viewer.runs or not 1 < len(self._rollable) <= MOST_SWITCHED:
            return ()
        table, fetched = (reverse(name, args=[self.viewer.campaign.slug]) for name in ("table", "tray"))
        return tuple(
            SwitchLink(own.pk, own.name, f"{table}?character={own.pk}#tray", str(own.pk) == self.roller_id,
                       f"{fetched}?whole&character={own.pk}") for own in self._rollable)

    @property
    def limited(self) -> bool:
        """Whether what is the GM's word is not for whoever has this tray to say."""
        return is_limited(runs=self.viewer.runs, scene=self.viewer.campaign.scene_id)

    @property
    def may_ask(self) -> bool:
        """Whether the GM can be asked how hard it is: nothing is in the way yet, nor does what is chosen tell it."""
        chosen = {name: self[name].value() for name in self._own if name in self.fields}
        return not self._beside.ways and not self._procedure.tells_how_hard(chosen)

    def unable(self) -> str:
        """Why whoever rolls can't act now, in a sentence; "" where they can."""
        return self.system.sheet.unable(self._roller.sheet()) if self._roller else ""

    @property
    def roller(self) -> Character | None:
        """Whoever rolls."""
        return self._roller

    def in_the_way(self) -> InTheWay | None:
        """What it is rolled against."""
        return next((way for way in self._beside.ways if str(way.pk) == self.cleaned_data.get(OBSTACLE)), None)

    def _with_what_is_new(self) -> None:
        """What has come and stands ready where a tray opens is ticked here too, as a wound is. With the line that is
        used all that fits it where it was not drawn for that, else what has come."""
        if not self.moved or not isinstance(self.data, QueryDict):
            return
        was = {line.pk for line in (self.before or self.shown).lines}
        for name, value in ((self.offer.now if self.offer else None) or {}).items():
            if isinstance(value, list) and (come := [pk for pk in value if pk not in was]):
                self.data.setlist(name, [*dict.fromkeys([*self.data.getlist(name), *come])])
        if not self._fits:
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
        named = [field.name for field in self._asked if field.name in self.fields]
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
        ticked = (str(pk) for name in self._listed("", known=True) for pk in self[name].value() or ())
        return " ".join((self.fitted, *sorted(ticked)))

    @property
    def restated(self) -> bool:
        """Whether what is chosen is another than what the rows were drawn for."""
        return self.is_bound and self.data.get("fitted", "") != self.drawn_for

    def refitted(self) -> Tray | None:
        """The same form with what fits the line that is used now; None where the rows were drawn for it already."""
        if not self._fits or self.another or self.moved or self._drawn_with == self.fitted:
            return None
        data: Any = QueryDict(mutable=True)
        data.update(self.data)
        for name in {name for used in self._fits for name in self._listed(used)}:
            known = {pk for pk, _ in self._named[name]}
            data.setlist(name, [fit for fit in self._fits.get(self.fitted, ()) if fit in known])
        return Tray(self.viewer, self._roller, self._rollable, self._beside, data)

    def _ticked(self, ticked: Sequence[str]) -> dict[str, Any]:
        """Lines of the sheet that a link names already, each in the first field that takes it."""
        for field in self._asked:
            known = dict(self._named.get(field.name, ()))
            if mine := [pk for pk in ticked if pk in known]:
                return {field.name: mine if isinstance(field, Listing) else mine[0]}
        return {}

    def _as_rows(self, field: Field) -> None:
        """Choices are rows to tap; where none has to be made, the empty one is in words.

        A word or a number stays a list to open: its words are many.
        """
        if not self._tapped(field) or field.name not in self._named or isinstance(field, Listing):
            return
        one, others = choice(self, field.name), field.name in self._procedure.of_others
        one.choices = Pairs((pk, label if pk else NOBODY if others else ELSE) for pk, label in options(one))
        if field.name != OBSTACLE and not others:  # what it is against stays a list to open: it takes one line
            one.widget = forms.RadioSelect(choices=one.choices)

    @property
    def rows(self) -> list[tuple[forms.BoundField, list[Row]]]:
        """What is chosen by a tap, always in sight: each field with its rows, none where it is a list to open."""
        tapped = [self[field.name] for field in self._asked
                  if self._tapped(field) and not (self.fitted and field.name in self._listed(self.fitted, known=True))]
        hurt = [trait for trait in (self._roller.traits.all() if self._roller else ()) if trait.damage]
        was = {str(trait.pk): self.system.sheet.notation(trait.kind, trait.value) for trait in hurt}
        return [(field, rows(field, was) if isinstance(field.field.widget, TAPPED) else []) for field in tapped]

    @property
    def chips(self) -> Chips | None:
        """What counts with the line that is used, or may; None where nothing is used yet."""
        names = self._listed(self.fitted, known=True) if self.fitted else []
        binds = (self.offer.binds if self.offer else None) or {}
        return chips(self[names[0]], self._fits[self.fitted], binds.get(self.fitted, ())) if names else None

    @property
    def ticks(self) -> dict[str, str]:
        """The id of the control of each choice that can be ticked, by what it chooses."""
        return ticks_of(self, self._asked)

    @property
    def more(self) -> list[forms.BoundField]:
        """What unfolds: all that is not in sight, as the number of a word or a number."""
        in_sight = {row.name for row, _ in self.rows} | {*self._listed(self.fitted, known=True)}
        return [self[name] for name in self._own if name not in in_sight]

    @property
    def more_open(self) -> bool:
        """Whether something that unfolds was refused."""
        return any(field.errors for field in self.more)

    def _tapped(self, field: Field) -> bool:
        if field.name in self._procedure.seldom:
            return False
        asked = field.name in {of.name for of in self.system.rolls.obstacle} and OBSTACLE not in self._named
        return (field.name in self._named and field.name in self.fields) or asked

    def as_it_opens(self) -> Tray:
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
        known = {pk: label for options in self._named.values() for pk, label in options}
        chosen = [self.cleaned_data.get(name) for name in (OBSTACLE, *self._named)]
        first = next((known[option] for option in chosen if isinstance(option, str) and option in known), "A roll")
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
        return any(field.name in known for field in self._asked)

    def planned(self) -> tray.Planned:
        """The roll that it says; raises `BadMove`."""
        if self._roller is None:
            raise TypeError("Nobody rolls.")
        return tray.plan(self.viewer.campaign, self._roller, self._beside, self.title(), self.given(),
                         secret=self.cleaned_data.get("hidden", False), asked=self.offer)


def who_rolls(roller: Character | None, rollable: list[Character]) -> list[tuple[str, str]]:
    """Whom the tray offers; where nobody is likelier than the others, it has to be chosen."""
    unchosen = [] if roller else [("", CHOOSE.rstrip("."))]
    return [*unchosen, *((str(character.pk), character.name) for character in rollable)]


def _all(data: Any, name: str) -> list[str]:
    given = data.getlist(name) if isinstance(data, QueryDict) else data.get(name, [])
    return [given] if isinstance(given, str) else list(given or ())
