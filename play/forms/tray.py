"""The roll tray."""
from __future__ import annotations

import uuid
from typing import Any

from django import forms

from accounts.wording import Pairs, choice, options, speak
from campaigns.access import Viewer
from campaigns.rulefields import form_fields, values_of
from characters.cast import Cast
from characters.models import Character
from play.forms.any_tray import AnyTray
from play.forms.rows import Row, rows
from play.forms.typed_dice import TypedFaces
from play.services.obstacles import InTheWay
from play.services.requests import Intended
from play.services.rolling import Intent, prepare
from play.services.tray import as_options
from play.services.typed_dice import allowed
from play.word import of_a_move
from rules.common_settings import ASK_FIRST
from rules.fields import ChoiceOrWhole
from rules.registry import kind_of
from rules.system import Modifier, Opposes
from rules.values import Value

LINES = 3  # rows for modifiers in the tray


class TrayForm(AnyTray):
    """The roll tray: whose roll, what it is for, which lines of the sheet apply, modifiers with reasons."""

    of_sheet, of_others = ("traits",), ("help", "against")
    what = forms.CharField(label="What do you try?", max_length=200, required=False)
    traits = forms.MultipleChoiceField(label="What applies", required=False, widget=forms.CheckboxSelectMultiple)
    help = forms.MultipleChoiceField(label="With help from", required=False, widget=forms.CheckboxSelectMultiple)
    against = forms.ChoiceField(label="Opposed by", required=False)
    hidden = forms.BooleanField(label="Roll in secret (behind the screen)", required=False)

    def __init__(
        self, viewer: Viewer, roller: Character | None, rollable: list[Character], present: list[Character],
        obstacles: list[InTheWay], data: Any = None, **kwargs: Any,
    ) -> None:
        self._present = present
        super().__init__(viewer, roller, rollable, obstacles, data, present=present, **kwargs)
        self.kind = kind_of(self.system.rolls.tray[0])
        can = {trait.id for trait in roller.sheet().traits if self.system.rolls.counts(trait)} if roller else set()
        choice(self, "traits").choices = Pairs(trait for trait in self._traits(roller) if trait[0] in can)
        theirs = [named_trait for other in present if other != roller for named_trait in self._named_traits(other)]
        choice(self, "help").choices = Pairs(theirs)
        self.asked = of_a_move(viewer.campaign, tuple(
            field for field in self.kind.fields if field.name in self.kind.asks), runs=viewer.runs)
        self.fields |= form_fields(self.asked)
        for field in self.asked:
            # A tray opens ready to roll: where a word has to be chosen, the one in the middle of a ladder's lower half.
            if isinstance(field, ChoiceOrWhole):
                self.fields[field.name].initial = field.options[1][0]
        self.lines = 0 if self.limited and viewer.campaign.settings[ASK_FIRST] else LINES
        for number in range(self.lines):
            self.fields |= self._line(number)
        self.fields |= self._where_there_are(viewer)
        if theirs and isinstance(self.system.rolls, Opposes) and not self.limited:
            choice(self, "against").choices = Pairs([("", "Nobody: use the difficulty above"), *theirs])
        else:
            del self.fields["against"]
        if not viewer.runs:
            del self.fields["hidden"]
        for each_field in self.fields.values():
            speak(each_field)
        self._without_what_is_gone()

    def as_it_opens(self) -> TrayForm:
        """The same form as if it were sent untouched, so that the tray can show odds before anything is chosen."""
        data = {name: self.get_initial_for_field(field, name) for name, field in self.fields.items()}
        known = {pk for pk, _ in options(self.fields["traits"])}
        data["traits"] = [trait for trait in data["traits"] or () if trait in known]
        sent = {name: value for name, value in data.items() if value not in (None, False, "")}
        return self.bound_to(sent)

    def _traits(self, character: Character | None) -> list[tuple[str, str]]:
        return [] if character is None else [
            (str(trait.pk), f"{trait.name} · {self.system.sheet.notation(trait.kind, trait.value - trait.damage)}")
            for trait in character.traits.all()
        ]

    def _named_traits(self, character: Character) -> list[tuple[str, str]]:
        return [(pk, f"{character.name}: {label}") for pk, label in self._traits(character)]

    def _line(self, number: int) -> dict[str, forms.Field]:
        kinds = Pairs([("", "No modifier"), *((kind.name, kind.label) for kind in self.system.modifiers)])
        return {
            f"line{number}_kind": forms.ChoiceField(label="Modifier", choices=kinds, required=False),
            f"line{number}_amount": forms.IntegerField(
                label="How many", min_value=1, max_value=10, initial=1, required=False
            ),
            f"line{number}_reason": forms.CharField(label="Reason", max_length=120, required=False),
        }

    def _where_there_are(self, viewer: Viewer) -> dict[str, forms.Field]:
        """What only some trays have: real dice, and what is in the way."""
        typed: dict[str, forms.Field] = {"typed": TypedFaces()} if allowed(viewer.campaign) else {}
        return {**typed, **({"obstacle": self._obstacle(viewer)} if self._obstacles else {})}

    def _obstacle(self, viewer: Viewer) -> forms.Field:
        """What the GM has put on the scene; the newest is chosen."""
        below = [] if self.limited else [("", "The difficulty below")]
        known = [*below, *as_options(viewer.campaign, self._obstacles)]
        return forms.ChoiceField(
            label="Against", choices=known, required=False, initial=known[-1][0])

    def _values(self) -> dict[str, Value]:
        """What the move asks for; of what is in the way, as the GM put it there."""
        chosen = self.in_the_way()
        return {**values_of(self.asked, self.cleaned_data), **(chosen.values if chosen else {})}

    @property
    def rows(self) -> list[Row]:
        """The lines of the sheet that apply, for the template; each with its number as it was before damage."""
        notation = self.system.sheet.notation
        hurt = [trait for trait in (self._roller.traits.all() if self._roller else ()) if trait.damage]
        return rows(self["traits"], {str(trait.pk): notation(trait.kind, trait.value) for trait in hurt})

    @property
    def line_rows(self) -> list[list[forms.BoundField]]:
        """The modifier rows, for the template."""
        return [[self[f"line{n}_{part}"] for part in ("kind", "amount", "reason")] for n in range(self.lines)]

    @property
    def asked_fields(self) -> list[forms.BoundField]:
        """The move's own fields, for the template."""
        return [self[name] for name in form_fields(self.asked)]

    def known(self) -> Cast:
        """Who may have a part in the roll, as this request has read them."""
        return Cast.of([*self._rollable, *self._present], self.viewer.campaign.head_seq)

    def intent(self) -> Intent:
        """What the form says, for the service; only when it is valid."""
        data, against = self.cleaned_data, self.in_the_way()
        return Intent(
            move=self.kind.name,
            character_id=uuid.UUID(data["character"]),
            traits=tuple(data["traits"]) + tuple(data["help"]),
            lines=self._lines(data),
            values=self._values(),
            what=data["what"] or (against.name if against else ""),
            against=data.get("against", ""),
            in_the_way=against,
            said_by="" if self.viewer.runs or against else self._roller.name if self._roller else "",
        )

    def chosen(self) -> Intended:
        """What is chosen, for a request to the GM; raises `BadMove` for what can't be rolled."""
        intent = self.intent()
        prepare(self.viewer.campaign, intent, self.known(), pending_modifiers=self.pending_modifiers)
        return Intended(intent.values or {}, intent.traits, intent.lines)

    def _lines(self, data: dict[str, Any]) -> tuple[Modifier, ...]:
        said_by = "" if self.viewer.runs or self._roller is None else self._roller.name
        rows = ((data[f"line{n}_kind"], data[f"line{n}_amount"], data[f"line{n}_reason"]) for n in range(self.lines))
        return tuple(Modifier(kind, amount or 1, reason, said_by) for kind, amount, reason in rows if kind)
