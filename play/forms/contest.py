"""Setting a contest up, and acting in one: both follow from what the rules ask for."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from accounts.wording import options as options_of
from accounts.wording import speak
from campaigns.access import Viewer
from campaigns.models import View
from campaigns.rulefields import form_fields, hide_said, initial_of, values_of
from campaigns.web import ActionForm
from characters.cast import Cast
from characters.models import Character
from play.forms.named_things import NamedThings
from play.forms.typed_dice import TypedFaces
from play.models import PrepItem
from play.services.bank import kind_of as bank_kind
from play.services.bank import spec_of
from play.word import is_limited
from rules.engine import Forecasts, Procedure
from rules.fields import Choice, Field, Group, Listing, Text, of_players
from rules.procedure import Offer, Options
from rules.values import Value

SIDES = ("one", "two", "three")
HIDDEN = "Hidden NPC. If they take part, players will see the name and picture."
GIVEN = ("contestants", "title", "sides", "said")  # fields of a procedure that the form asks for in its own way
OWN = ("sheet", "side", "player")  # what the site knows of a contestant, or asks for in its own way


@dataclass(frozen=True)
class Part:
    """Somebody's row of the start form: whether and on which side they are in it, and what the rules ask besides.

    What is seldom said is `folded`; it stands `open` where something of it is said, or was refused.
    """

    name: str
    side: forms.BoundField
    rest: tuple[forms.BoundField, ...]

    @property
    def folded(self) -> bool:
        """Whether what is asked besides is more than one field."""
        return len(self.rest) > 1

    @property
    def open(self) -> bool:
        """Whether something of it is said or refused."""
        return any(field.errors or field.value() for field in self.rest)


class StartForm(ActionForm):
    """Who is in a contest, on which side, and what the rules ask for besides.

    What the campaign's settings say is not asked again. Everybody present has a row; who is on no side stays out of it.
    """

    title = forms.CharField(label="Title (what is at stake)", max_length=120)
    side_one = forms.CharField(label="One side", max_length=60, initial="The party")
    side_two = forms.CharField(label="The other side", max_length=60, initial="The others")
    side_three = forms.CharField(label="A third side", max_length=60, required=False)

    def __init__(
        self, viewer: Viewer, kind: Procedure[Any], present: list[Character], beside: Sequence[Character],
        data: Any = None, said: Mapping[str, str] | None = None, filled: PrepItem | None = None,
        choices: Mapping[str, Options] | None = None, *, planning: bool = False,
    ) -> None:
        super().__init__(data)
        self._hidden = {character.pk for character in present if character.view is View.NOTHING and not planning}
        self.kind, self.settings, self._present = kind, viewer.campaign.settings, present
        self._known = Cast.of([*present, *beside], viewer.campaign.head_seq)
        self.system = viewer.campaign.rules
        self.fields["title"].label, self.fields["title"].initial = kind.title_label, kind.default_title
        self.group = next(f.of for f in kind.fields if isinstance(f, Listing) and isinstance(f.of, Group))
        known = choices or {}
        own = kind.fields if viewer.runs else of_players(kind.fields, asks_first=False)
        not_asked = (*self.settings, *GIVEN)
        self.rest = tuple(f for f in own if f.name not in not_asked and known.get(f.name, True))
        for side in SIDES[kind.casting.sides if kind.casting.who == "sides" else 0:]:
            del self.fields[f"side_{side}"]
        self._seats = self._who(present, beside) if kind.casting.who == "one" else {}
        self.fields |= self._seats
        if kind.casting.who == "everyone":
            for number, character in enumerate(present):
                self.fields |= self._whether(number, character)
        elif not self._seats:
            self.fields |= self._rows(present)
        self.fields |= form_fields(self.rest, known)
        if filled:
            bank = bank_kind(viewer.campaign, filled.type)
            held = bank.filling(filled.name, spec_of(filled))
            for name, value in {**initial_of(self.rest, held), "title": held.get("title", kind.default_title)}.items():
                self.fields[name].initial = value
        # A link may have said some of it: whose contest, what stands in the way.
        for name in {"who", "title", *(f.name for f in self.rest)} & set(self.fields) & set(said or {}):
            self.fields[name].initial = (said or {})[name]
        for field in self.fields.values():
            speak(field)
        self._viewer, self._planning = viewer, planning
        self._name_things()

    def _name_things(self) -> None:
        """Asks how much players see of what is named of the library, unless that is for the night."""
        texts = [] if self._planning else ["title", *(f.name for f in self.rest if isinstance(f, Text))]
        self._texts = [name for name in texts if name in self.fields]
        held = self.data if self.is_bound else {name: self.fields[name].initial for name in self._texts}
        self._named = NamedThings(self._viewer, (str(held.get(name) or "") for name in self._texts))
        self.fields |= self._named.fields()

    def clean(self) -> dict[str, Any]:
        """What is named of the library is called as players know it from now on."""
        said: dict[str, Any] = super().clean() or self.cleaned_data
        return {**said, **{name: self._named.for_players(said[name], said) for name in self._texts if name in said}}

    def sees(self) -> dict[uuid.UUID, View]:
        """How much players see from now on of what is named of the library."""
        return self._named.views(self.cleaned_data)

    @property
    def seen_fields(self) -> list[forms.BoundField]:
        """What asks for that, for the template."""
        return [self[name] for name in self._named.fields()]

    def _asked(self) -> tuple[Field, ...]:
        """What the rules ask for of each contestant; what a setting has switched off is left out."""
        off = {"position": not self.settings.get("ranges"), "intent": True}
        return tuple(f for f in self.group.fields if f.name not in OWN and not off.get(f.name))

    def _whether(self, number: int, character: Character) -> dict[str, forms.Field]:
        """Where everybody is in it unless the GM says otherwise, there is a tick, and what one carries."""
        lines = (trait for trait in character.traits.all() if trait.kind in self.kind.casting.carrying)
        carried = ", ".join(f"{line.name} {self.system.sheet.notation(line.kind, line.value)}" for line in lines)
        return {f"c{number}_side": forms.BooleanField(
            label=character.name, required=False, initial=True, help_text=carried)}

    def _who(self, present: Sequence[Character], beside: Sequence[Character]) -> dict[str, forms.Field]:
        """Who is alone in it, and who may be in it beside them: first whoever can be."""
        casting, fit = self.kind.casting, [character for character in (*present, *beside) if not self._away(character)]
        who = next((character for character in fit if character in present), None)
        fields: dict[str, forms.Field] = {"who": forms.ChoiceField(
            label="Character", choices=[(str(character.pk), character.name) for character in present],
            initial=str(who.pk) if who else None)}
        if not casting.second_role:
            return fields
        others = [(str(character.pk), character.name) for character in beside]
        needed = casting.second_needed
        # An NPC faces a player's character first, and the other way round.
        second = min((character for character in fit if who and needed and character.pk != who.pk),
                     key=lambda character: who is not None and character.npc == who.npc, default=None)
        return {**fields, "beside": forms.ChoiceField(
            label=casting.second_role, help_text=casting.second_help, required=needed,
            choices=others if needed else [("", "Nobody"), *others], initial=str(second.pk) if second else None)}

    def _away(self, character: Character) -> str:
        """Why somebody can't be in it, or can't act, as things are; "" for whoever can."""
        sheet = character.sheet()
        return self.system.sheet.unable(sheet) or self.kind.unfit(sheet)

    def _rows(self, present: Sequence[Character]) -> dict[str, forms.Field]:
        """A row for each; as it opens, whoever the casting says is in it, on which side."""
        away = [self._away(character) or (HIDDEN if character.pk in self._hidden else "") for character in present]
        able = [number for number, why in enumerate(away) if not why]
        sides = dict(zip(able, self.kind.casting.opening([present[number].npc for number in able]), strict=True))
        rows: dict[str, forms.Field] = {}
        for number, character in enumerate(present):
            rows |= self._row(number, character, away[number], ("", *SIDES)[sides.get(number, 0)])
        first = next((number for number, side in sides.items() if side), None)
        if first is not None and self.kind.casting.first:
            rows[f"c{first}_{self.kind.casting.first}"].initial = True
        return rows

    def _row(self, number: int, character: Character, away: str, begins: str) -> dict[str, forms.Field]:
        notation = self.system.sheet.notation
        traits = [(str(t.pk), f"{t.name} · {notation(t.kind, t.value - t.damage)}") for t in character.traits.all()]
        options = {f.name: traits for f in self.group.fields if isinstance(f, Listing)}
        sides = [("", "Not taking part"), *((s, s) for s in SIDES[:self.kind.casting.sides])]
        if many := self.kind.casting.who == "many":
            # Where there are no sides, whoever is there is not in it for that.
            sides = [("", "Not taking part"), ("one", "In it")]
        side = forms.ChoiceField(
            label="Part" if many else "Side", choices=sides, required=False, help_text=away, initial=begins)
        return {f"c{number}_side": side} | {
            f"c{number}_{name}": field for name, field in form_fields(self._asked(), options).items()
        }

    @property
    def parts(self) -> list[Part]:
        """The contestants with their fields, for the template; a side is called what its field says by now."""
        if self.kind.casting.who == "one":
            return []
        taking_part = []
        for number, character in enumerate(self._present):
            side, *rest = (self[name] for name in self.fields if name.startswith(f"c{number}_"))
            if isinstance(side.field, forms.ChoiceField) and self.kind.casting.who == "sides":
                side.field.choices = [
                    (value, self._called(value) if value else words) for value, words in options_of(side.field)]
            taking_part.append(Part(character.name, side, tuple(rest)))
        return taking_part

    def _called(self, side: str) -> str:
        own = self[f"side_{side}"]
        return str(own.value() or own.label)

    @property
    def alone(self) -> list[forms.BoundField]:
        """Whoever is in it where it is about one: all that the form asks of that, for the template."""
        return [self[name] for name in self._seats]

    @property
    def anybody(self) -> bool:
        """Whether there is somebody who can be put into it."""
        return bool(self._present)

    @property
    def rest_fields(self) -> list[forms.BoundField]:
        """What the rules ask for besides, for the template."""
        return [self[name] for name in form_fields(self.rest)]

    def plan(self) -> dict[str, Value]:
        """What was sent, under names that hold on another night: what is asked of a character under its id."""
        return {kept: self[name].data or "" for name, kept in self._kept_as().items()}

    def fill(self, plan: Mapping[str, Value]) -> None:
        """Opens with what was planned; an NPC of whom the plan says nothing is not in it."""
        npcs = {f"{character.pk}:side" for character in self._present if character.npc}
        for name, kept in self._kept_as().items():
            if kept in plan or kept in npcs:
                self.fields[name].initial = plan.get(kept, "")
        self._name_things()

    def as_sent(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would send as it opens, with the operation of a button that was `sent`."""
        held = {name: self.get_initial_for_field(self.fields[name], name) for name in self._kept_as()}
        return {**held, "op_id": sent.get("op_id"), "client_seed": sent.get("client_seed", "")}

    def _kept_as(self) -> dict[str, str]:
        """What a plan calls each field."""
        ids = {f"c{number}": str(character.pk) for number, character in enumerate(self._present)}
        parts = {name: name.partition("_") for name in self.fields if name not in ("op_id", "client_seed")}
        return {name: f"{ids[at]}:{own}" if at in ids else name for name, (at, _, own) in parts.items()}

    def known(self) -> Cast:
        """Who is offered, as this request has read them."""
        return self._known

    def characters(self) -> list[uuid.UUID]:
        """Who is in it, the one who acts first."""
        return [uuid.UUID(str(contestant["sheet"])) for contestant in self._contestants()]

    def faces(self) -> list[uuid.UUID]:
        """Who is in it and hidden: players see their faces as it begins."""
        return [character for character in self.characters() if character in self._hidden]

    def setup(self) -> dict[str, Value]:
        """The setup, as the rules read it."""
        asked = {field.name for field in self.kind.fields}
        settings = self.kind.of_campaign(self.settings)
        title = {"title": self.cleaned_data["title"]} if "title" in asked else {}
        sides: dict[str, Value] = {} if "sides" not in asked else {
            "sides": [self.cleaned_data[f"side_{side}"] for side in SIDES[:self.kind.casting.sides]]}
        setup: dict[str, Value] = {**settings, **title, **sides, **values_of(self.rest, self.cleaned_data),
                                   "contestants": self._contestants()}
        limited = is_limited(runs=self._viewer.runs, scene=self._viewer.campaign.scene_id)
        return dict(self.kind.as_proposed(setup)) if limited else setup

    def _contestants(self) -> list[dict[str, Value]]:
        if self.kind.casting.who == "one":
            beside = self.cleaned_data.get("beside", "")
            return [self._alone(), *([{"sheet": beside}] if beside else [])]
        contestants: list[dict[str, Value]] = []
        for number, character in enumerate(self._present):
            start, data = f"c{number}_", self.cleaned_data
            own = {name.removeprefix(start): value for name, value in data.items() if name.startswith(start)}
            if own["side"]:
                contestants.append({
                    **values_of(self._asked(), own), **self._side(own["side"]), "sheet": str(character.pk),
                    "player": character.player_id is not None,
                })
        return contestants

    def _alone(self) -> dict[str, Value]:
        """The one who is in it; whether a player's character only where the rules ask for it."""
        who = next(character for character in self._present if str(character.pk) == self.cleaned_data["who"])
        asked = {"player": who.player_id is not None} if any(f.name == "player" for f in self.group.fields) else {}
        return {**asked, "sheet": str(who.pk)}

    def _side(self, side: str) -> dict[str, Value]:
        if self.kind.casting.who != "sides":
            return {}
        return {"side": self.cleaned_data[f"side_{side}"] or f"Side {side}"}


class OfferForm(ActionForm):
    """One legal move: its fields are the offer's. It may be one that the contest `waits` for, and what `is_next` of
    them, which stands open; `said_of` says whose it is where somebody acts for several. Where it is `fetched` a page
    holds no more than its name until somebody unfolds it."""

    of_contest = True  # so that it goes along up to which entry the page was
    is_next = waits = fetched = False
    said_of = ""
    told: Forecasts = ()  # what comes of it as it is filled in, where that was asked without a script
    sources: object = None  # where what it would roll comes from, as a page draws it

    def __init__(
        self, offer: Offer, of_whom: str = "", data: Any = None, *, seldom: Collection[str] = (),
        real_dice: bool = False,
    ) -> None:
        # Several offers stand on one page; each has its own ids, and none reads what was sent for another.
        super().__init__(data, auto_id=f"{offer.action}-{offer.by or 'gm'}-%s")
        self.offer, self.of_whom = offer, of_whom
        made = {field.name: form_fields([field], offer.options) for field in offer.fields}
        self.fields |= {name: field for fields in made.values() for name, field in fields.items()}
        if real_dice and offer.rolls:
            self.fields["typed"] = TypedFaces()
        grouped = [f for f in offer.fields if isinstance(f, Listing) and isinstance(f.of, Group)]
        # Of a roll what is rarely said stays folded: optional words, a strategy, rows of modifiers.
        rare = [f for f in offer.fields if f not in grouped and (
            f.name in seldom or (offer.rolls and isinstance(f, (Text, Choice)) and not f.default))]
        self._rows = tuple(name for f in grouped for name in made[f.name])
        self._folded = (*(name for f in rare for name in made[f.name]), *self._rows)
        for name, value in initial_of(offer.fields, offer.now or {}, offer.options).items():
            self.fields[name].initial = value
        hide_said(self.fields, offer.options, offer.title)

    @property
    def offer_id(self) -> str:
        """The id of its element."""
        return f"offer-{self.offer.action}-{self.offer.by or 'gm'}"

    @property
    def verb(self) -> str:
        """What it does, without what that leads to: the `Let it stand` of `Let it stand: defeat, rank 1`."""
        return self.offer.title.partition(": ")[0]

    @property
    def leads_to(self) -> str:
        """What it leads to, "" where its title does not say."""
        return self.offer.title.partition(": ")[2]

    @property
    def key(self) -> tuple[str, str]:
        """Which offer it is: the act, and whose."""
        return self.offer.action, self.offer.by

    def given(self) -> dict[str, Value]:
        """What the rules read."""
        return values_of(self.offer.fields, self.cleaned_data, self.offer.options)

    @property
    def asked(self) -> list[forms.BoundField]:
        """The fields, but for rows of modifiers."""
        apart = (*self._rows, "typed")
        return [field for field in self.visible_fields() if field.name not in apart and not self._idle(field)]

    @property
    def in_sight(self) -> list[forms.BoundField]:
        """The fields that are always in sight."""
        return [field for field in self.asked if field.name not in self._folded]

    @property
    def real_dice(self) -> forms.BoundField | None:
        """The field for one's own dice: it stands in the form's head, in whatever template the game has."""
        return self["typed"] if "typed" in self.fields else None

    @property
    def folded(self) -> list[forms.BoundField]:
        """What stays folded until somebody wants it."""
        return [self[name] for name in self._folded]

    @property
    def chips(self) -> list[tuple[str, str]]:
        """The answers of which one tap does the act, where it has such."""
        return list((self.offer.options or {}).get(self.offer.chips, ())) if self.offer.chips else []

    @property
    def beside_chips(self) -> list[forms.BoundField]:
        """What may be ticked before a chip is tapped."""
        return [field for field in self.asked if field.name != self.offer.chips]

    @property
    def folded_refused(self) -> bool:
        """Whether it was refused with one of those filled in: then they are unfolded."""
        return bool(self.errors) and any(field.errors or field.data for field in self.folded)

    @staticmethod
    def _idle(field: forms.BoundField) -> bool:
        """A list with nothing to tick."""
        return isinstance(field.field, forms.MultipleChoiceField) and not field.field.choices

    @property
    def plain(self) -> bool:
        """Whether it is a single button."""
        return not self.offer.fields
