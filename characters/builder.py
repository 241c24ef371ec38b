"""The builder: a form for the person and one for each line of the sheet, made of what the game system says."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from accounts.wording import choice, options
from campaigns.access import Viewer
from campaigns.trail.visible import last_seq
from campaigns.web import ActionForm
from characters import queries
from characters.contexts import BudgetContext, SheetLink, budget_context
from characters.models import Character, Trait
from characters.provenance import BUILT, provenance
from characters.services.common import CONCEPT, NAME, NOTE, REASON, STORY
from characters.services.editing import MOST_TRAITS, Line, Stale
from rules.fields import REQUIRED, Written
from rules.sheet import TraitDraft
from rules.system import TraitKind
from rules.values import BadMove

BLANK_LINES = 2  # a new sheet offers so many empty lines of each kind that has degrees


class PersonForm(ActionForm):
    """Who it is. `seen` is the last entry that the form knew of, `lines` how many lines it has."""

    needed = ("reason",)  # over budget
    name = forms.CharField(
        label="Name", max_length=NAME, error_messages={"required": "Enter a name."},
    )
    concept = forms.CharField(
        label="Concept", max_length=CONCEPT, required=False, help_text="The character in a few words.",
    )
    story = forms.CharField(
        label="Story", max_length=STORY, required=False, widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Background and goals. Everyone who can see the full sheet can read it.",
    )
    part = forms.ChoiceField(label="Player")
    reason = forms.CharField(
        label="Reason", max_length=REASON, required=False,
        help_text="Required when you go over budget. Shown in the Ledger.",
    )
    seen = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    lines = forms.IntegerField(
        min_value=0, max_value=MOST_TRAITS, widget=forms.HiddenInput,
        error_messages={"max_value": f"A sheet has room for {MOST_TRAITS} traits."},
    )

    def __init__(self, *args: Any, viewer: Viewer, new: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not viewer.runs:
            del self.fields["reason"]
        if viewer.runs and new:
            choice(self, "part").choices = [
                ("hidden", "NPC, hidden from players"), ("npc", "NPC, visible to players"),
                ("nobody", "Player character without a player"),
                *((str(member.pk), str(member)) for member in queries.players(viewer)),
            ]
        else:
            del self.fields["part"]


class LineForm(forms.Form):
    """One line of the sheet. The kind is fixed by where it stands; the value is one that the game has."""

    id = forms.UUIDField(required=False, widget=forms.HiddenInput, error_messages={"invalid": "Reload the page."})
    kind = forms.CharField(max_length=40, widget=forms.HiddenInput)
    name = forms.CharField(label="Name", max_length=NAME, required=False)
    value = forms.TypedChoiceField(label="Rank", coerce=int, error_messages={
        "invalid_choice": "Choose one of the values that this game has.", "required": "Choose one.",
    })
    note = forms.CharField(label="Covers", max_length=NOTE, required=False)
    within = forms.CharField(label="Part of keyword", max_length=NAME, required=False)

    def __init__(self, *args: Any, kind: TraitKind, held: tuple[int, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.trait_kind = kind
        choices = [(str(value), words) for value, words in kind.values]
        if held is not None and held[0] not in dict(kind.values):
            choices.append((str(held[0]), held[1]))
        choice(self, "value").choices = choices
        if len(choices) == 1:
            self.fields["value"].widget = forms.HiddenInput()
        self.only_value = choices[0][1] if len(choices) == 1 else ""
        self.fields["note"].label = kind.note_label
        if kind.typed is not None and len(choices) > 1:
            self._type_value(kind.typed, dict(kind.values))
        self.fields["within"].label = kind.within_label
        if not kind.within:
            del self.fields["within"]
        elif self.fields["within"].widget.input_type == "text":
            self.fields["within"].widget.attrs["list"] = "within"
        for name in ("name", "value", "note") if kind.played else ("name", "note") if kind.fixed else ():
            self.fields[name].widget = forms.HiddenInput()

    def _type_value(self, typed: Written, words: dict[int, str]) -> None:
        """The value as text that the game reads, in place of a long list."""
        self.fields["value"] = forms.CharField(
            label=typed.label, max_length=12, required=typed.default is REQUIRED,
            error_messages={"required": "Enter an amount."},
            widget=forms.TextInput(attrs={"size": 6, "placeholder": words.get(0, "")}))
        started = str(self.initial.get("value", ""))
        if started.isdecimal():
            self.initial["value"] = words.get(int(started), started) if int(started) else ""

    @property
    def number(self) -> int | None:
        """The value as the rules count it; None for what makes no sense."""
        written = str(self["value"].value() or "")
        if self.trait_kind.typed is None or not isinstance(self.fields["value"], forms.CharField):
            return int(written) if written in dict(options(self.fields["value"])) else None
        return self._read(self.trait_kind.typed, written)

    @property
    def typed(self) -> bool:
        """Whether the value is typed, so that it may make no sense."""
        return self.trait_kind.typed is not None and not self.trait_kind.played

    @property
    def unread(self) -> str:
        """Why what was typed as a value can't be counted, while nobody has judged it; "" where it can."""
        written = str(self["value"].value() or "").strip()
        if self.is_bound or self.trait_kind.typed is None or not written or not self["name"].value():
            return ""
        try:
            self.trait_kind.typed.check(written)
        except BadMove as bad:
            return bad.sentence
        return ""

    @staticmethod
    def _read(typed: Written, written: str) -> int | None:
        if not written.strip():
            return None if typed.default is REQUIRED else int(typed.default)
        try:
            return int(typed.check(written))
        except BadMove:
            return None

    def clean_value(self) -> int:
        value: Any = self.cleaned_data["value"]
        if self.trait_kind.typed is None or isinstance(value, int):
            return int(value)
        typed = self.trait_kind.typed
        try:
            return int(typed.default if not value.strip() else typed.check(value))
        except BadMove as bad:
            raise forms.ValidationError(bad.sentence) from None

    def clean(self) -> dict[str, Any]:
        """A line on which nothing is written has no value that could be wrong."""
        if self.blank and "name" in self.cleaned_data:
            self.errors.pop("value", None)
        return self.cleaned_data

    @property
    def blank(self) -> bool:
        """Whether nothing was written here: such a line is passed over."""
        said = self.cleaned_data
        return not (said.get("name") or said.get("note") or said.get("id"))

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not name and (self["id"].value() or self["note"].value()):
            raise forms.ValidationError("Give this trait a name, or remove it.")
        return name


@dataclass(frozen=True)
class Section:
    """The lines of one kind, as the template draws them; each line with its place in the whole."""

    kind: TraitKind
    lines: tuple[tuple[int, LineForm], ...]

    @property
    def folded(self) -> bool:
        """Whether it takes no room of its own: nothing stands in it, and a new sheet opens with none of it."""
        return not self.lines and (self.kind.condition or self.kind.lines == 0)


class Builder:
    """The forms together. Bound when something was posted to be saved; else they only hold what was typed."""

    def __init__(self, viewer: Viewer, character: Character | None, person: PersonForm, lines: list[LineForm]) -> None:
        self._viewer, self._character, self.person, self.lines = viewer, character, person, lines

    @property
    def character(self) -> SheetLink | None:
        """The character that is changed, None for a new one."""
        return SheetLink(self._character.pk, self._character.name) if self._character else None

    @classmethod
    def start(cls, viewer: Viewer, character: Character | None, part: str = "hidden") -> Builder:
        """As a person finds it: the sheet as it is, or a few empty lines; `part` is who a GM's new one is for."""
        if character is None:
            kinds = viewer.campaign.rules.sheet.trait_kinds
            rows = [row for kind in kinds for row in _first(viewer, kind)]
            person: dict[str, Any] = {"part": part}
        else:
            held = list(character.traits.all())
            names = {trait.pk: trait.name for trait in held}
            rows = [
                _row(trait, names) for trait in held
            ]
            person = {"name": character.name, "concept": character.concept, "story": character.story,
                      "seen": last_seq(viewer, character.pk)}
        return cls._holding(viewer, character, person, rows)

    @classmethod
    def written(cls, viewer: Viewer, story: str, drafts: Sequence[TraitDraft], **person: str) -> Builder:
        """A new sheet that opens with these lines, read from a text or ready-made; `person` is name and concept."""
        rows = [
            {**_blank(viewer.campaign.rules.sheet.trait_kind(draft.kind)), "name": draft.name,
             "value": str(draft.value), "note": draft.note, "within": draft.within}
            for draft in drafts
        ]
        part = "hidden" if viewer.runs else ""
        return cls._holding(viewer, None, {"part": part, "story": story, **person}, rows)

    @classmethod
    def typed(cls, viewer: Viewer, character: Character | None, post: QueryDict) -> Builder:
        """What was typed, unjudged, with a line more (`add`, a kind) or less (`drop`, its place)."""
        rows = [dict(row) for row in _rows(post)]
        drop = post.get("drop", "")[:4]
        if drop.isdecimal() and int(drop) < len(rows):
            del rows[int(drop)]
        kinds = {kind.name: kind for kind in viewer.campaign.rules.sheet.trait_kinds if not kind.played}
        added = post.get("add", "")
        if added in kinds and len(rows) < MOST_TRAITS:
            kind = kinds[added]
            rows.append({**_blank(kind, sum(row["kind"] == kind.name for row in rows)), "fresh": True})
        person = {name: post[name] for name in PersonForm.base_fields if name in post}
        return cls._holding(viewer, character, person, rows)

    @classmethod
    def posted(cls, viewer: Viewer, character: Character | None, post: QueryDict) -> Builder:
        """What is to be kept."""
        data = post.copy()
        person = PersonForm(data, viewer=viewer, new=character is None)
        lines = [
            LineForm(data, prefix=f"line-{place}", kind=_kind(viewer, row), held=_held(character, row))
            for place, row in enumerate(_rows(post))
        ]
        return cls(viewer, character, person, lines)

    @classmethod
    def _holding(
        cls, viewer: Viewer, character: Character | None, person: dict[str, Any], rows: Sequence[Mapping[str, Any]]
    ) -> Builder:
        form = PersonForm(initial={**person, "lines": len(rows)}, viewer=viewer, new=character is None)
        lines = []
        for place, row in enumerate(rows):
            kind = _kind(viewer, row)
            line = LineForm(prefix=f"line-{place}", initial=dict(row), kind=kind, held=_held(character, row))
            if row.get("fresh"):
                line.fields["name"].widget.attrs["autofocus"] = True
            lines.append(line)
        return cls(viewer, character, form, lines)

    @property
    def sections(self) -> tuple[Section, ...]:
        """The lines by kind, in the game's order."""
        numbered = tuple(enumerate(self.lines))
        return tuple(
            Section(kind, tuple((place, line) for place, line in numbered if line.trait_kind.name == kind.name))
            for kind in self._viewer.campaign.rules.sheet.trait_kinds
        )

    @property
    def brought(self) -> tuple[TraitKind, ...]:
        """The conditions that this sheet has none of, and that can be written down: they are folded away."""
        return tuple(section.kind for section in self.sections
                     if section.folded and section.kind.condition and not section.kind.played)

    @property
    def rarer(self) -> tuple[TraitKind, ...]:
        """The kinds that few sheets have, of which this one has none."""
        return tuple(section.kind for section in self.sections if section.folded and not section.kind.condition)

    @property
    def budget(self) -> BudgetContext:
        """The budget of what is written so far, lines that make no sense left out."""
        drafts = []
        known = provenance(self._viewer.campaign, self._character.pk) if self._character else {}
        for line in self.lines:
            name, note, value = str(line["name"].value() or ""), str(line["note"].value() or ""), line.number
            within = str(line["within"].value() or "") if line.trait_kind.within else ""
            if name.strip() and value is not None:
                draft = TraitDraft(line.trait_kind.name, name, value, note, within)
                drafts.append(known.get(str(line["id"].value()), BUILT).annotate(draft))
        campaign = self._viewer.campaign
        return budget_context(campaign.rules.sheet.budget(drafts, campaign.settings))

    @property
    def hosts(self) -> list[str]:
        """The names of lines that others may stand in."""
        kinds = {name for kind in self._viewer.campaign.rules.sheet.trait_kinds for name in kind.within}
        lines = [line for line in self.lines if line.trait_kind.name in kinds]
        return [str(line["name"].value()) for line in lines if line["name"].value()]

    def is_valid(self) -> bool:
        """Whether all that was posted can be kept, as far as forms can tell; every error is found at once."""
        return all([self.person.is_valid(), *(line.is_valid() for line in self.lines)])

    def said(self) -> dict[str, Any]:
        """What the services take."""
        person = self.person.cleaned_data
        self._written = [line for line in self.lines if not line.blank]
        # By kind, so that the order on the sheet is the order on the page.
        order = [kind.name for kind in self._viewer.campaign.rules.sheet.trait_kinds]
        self._written.sort(key=lambda line: order.index(line.trait_kind.name))
        lines = [
            Line(line.trait_kind.name, said["name"], said["value"], said["note"], str(said["id"] or ""),
                 said.get("within", ""))
            for line in self._written for said in [line.cleaned_data]
        ]
        return {
            "op_id": person["op_id"], "name": person["name"], "concept": person["concept"], "story": person["story"],
            "reason": person.get("reason", ""), "lines": lines,
        }

    def refuse(self, bad: BadMove) -> None:
        """Puts a refusal at its field; a form that was overtaken is told what it knows of now."""
        first, _, rest = bad.field.partition(".")
        place, _, field = rest.partition(".")
        if first == "lines" and place.isdecimal() and int(place) < len(self._written):
            line = self._written[int(place)]
            line.add_error(field if field in line.fields else None, bad.sentence)
        else:
            self.person.refuse(bad)
        if isinstance(bad, Stale) and self._character is not None:
            self._catch_up(self._character)

    def _catch_up(self, character: Character) -> None:
        """Knows of the last entry, and takes in the lines that came meanwhile: saving would remove them."""
        data: Any = self.person.data
        new = queries.traits_since(self._viewer, character, int(data.get("seen") or 0))
        for trait in new:
            place = len(self.lines)
            row = _row(trait, {trait.pk: trait.name for trait in character.traits.all()})
            data.update({f"line-{place}-{field}": str(value) for field, value in row.items()})
            self.lines.append(LineForm(data, prefix=f"line-{place}", kind=_kind(self._viewer, row),
                                       held=_held(character, row)))
        data["seen"], data["lines"] = str(last_seq(self._viewer, character.pk)), str(len(self.lines))


def _first(viewer: Viewer, kind: TraitKind) -> list[dict[str, Any]]:
    """The lines of a kind on a new sheet: those that the game starts with, else some empty ones."""
    given = [line for line in viewer.campaign.rules.sheet.starting_lines() if line.kind == kind.name]
    if given or kind.fixed or kind.played or kind.condition:
        return [{**_blank(kind), "name": draft.name, "value": str(draft.value), "note": draft.note} for draft in given]
    usual = BLANK_LINES if len(kind.values) > 1 else 1
    return [_blank(kind, number) for number in range(usual if kind.lines is None else kind.lines)]


def _row(trait: Trait, names: Mapping[uuid.UUID, str]) -> dict[str, Any]:
    return {"id": trait.pk, "kind": trait.kind, "name": trait.name, "value": str(trait.value), "note": trait.note,
            "within": names.get(trait.parent_id, "") if trait.parent_id else ""}


def _blank(kind: TraitKind, number: int = 0) -> dict[str, Any]:
    """An empty line; `number` is how many of its kind there are before it."""
    value = kind.default if number or kind.first is None else kind.first
    return {"id": "", "kind": kind.name, "name": "", "value": str(value), "note": ""}


def _rows(post: QueryDict) -> list[dict[str, Any]]:
    """The lines as typed. Their number is posted too, so that one can't be lost on the way unnoticed."""
    count = post.get("lines", "0")
    most = min(int(count[:4]), MOST_TRAITS) if count.isdecimal() else 0
    return [
        {name: post.get(f"line-{place}-{name}", "") for name in LineForm.base_fields} for place in range(most)
    ]


def _kind(viewer: Viewer, row: Mapping[str, Any]) -> TraitKind:
    kinds = viewer.campaign.rules.sheet.trait_kinds
    return next((kind for kind in kinds if kind.name == row["kind"]), kinds[0])


def _held(character: Character | None, row: Mapping[str, Any]) -> tuple[int, str] | None:
    """The value that a line has on the sheet, which growth may have brought past what a new one can have."""
    if character is None or not row["id"]:
        return None
    for trait in character.traits.all():
        if str(trait.pk) == str(row["id"]):
            return trait.value, character.campaign.rules.sheet.notation(trait.kind, trait.value)
    return None
