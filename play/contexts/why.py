"""Why a roll of the tray, or of a contest, is what it is: each part with when it came, and what could be ticked."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from campaigns.access import Viewer
from campaigns.models import Change, Entry
from campaigns.trail.visible import readable
from play.forms.contest import OfferForm
from play.forms.rows import ticks
from play.models import Scene
from play.services.folds import contained
from play.services.position import Position
from rules.engine import check
from rules.fields import REQUIRED, Choice, Listing, Text
from rules.procedure import Offer
from rules.sheet import NotKnown, Withheld
from rules.values import BadMove, Value
from rules.why import Part, Why

ANY_WORDS = "…"
MOVED = ("value", "damage")  # the fields of a line that say how much it counts


@dataclass(frozen=True)
class When:
    """The last entry that made something what it is, and when that was in words: `session 3, The weir`."""

    seq: int
    words: str


@dataclass(frozen=True)
class Source:
    """A part as it is drawn. `tick` is the id of the control that counts it, "" where there is none."""

    part: Part
    when: When | None = None
    tick: str = ""


@dataclass(frozen=True)
class Sources:
    """The number that is asked about; what counts in it, then what could and does not."""

    number: str
    counted: tuple[Source, ...]
    idle: tuple[Source, ...]


def sources(viewer: Viewer, why: Why, controls: Mapping[str, str]) -> Sources:
    """The same as a page draws it; `controls` are those of what can be ticked, by what they choose."""
    return _drawn(why, controls, _when(viewer, _lasting(why)))


def explain(
    viewer: Viewer, position: Position, forms: Sequence[tuple[Offer, OfferForm]], faces: frozenset[str]
) -> None:
    """Says of each of a contest's forms, with the offer that it is of, where what it would roll comes from, as it is
    filled in, else as it opens. For all of them together that asks no more of the database than for one."""
    whys = [(form, why) for offer, form in forms if (why := _why(position, offer, form, faces))]
    came = _when(viewer, [line for _, why in whys for line in _lasting(why)])
    for form, why in whys:
        form.sources = _drawn(why, ticks(form, form.offer.fields), came)


def _nobody(position: Position, offer: Offer) -> dict[str, Value]:
    """Whom an act is against while nobody is chosen, where one’s own side is told without."""
    aims = [act.aim for act in position.procedure.acts if act.action == offer.action]
    return {field.name: () if isinstance(field, Listing) else "" for field in offer.fields if field.name in aims}


def _given(offer: Offer, form: OfferForm, unchosen: Collection[str]) -> Mapping[str, Value]:
    """What a form says, where nothing is wrong but what may be `unchosen`; as it opens the first of what has to be
    chosen and any words for what has to be put into some, as nothing of this hangs on that."""
    if form.is_bound and set(form.errors) <= set(unchosen):
        return form.given()
    given, missing = dict(offer.now or {}), [field for field in offer.fields if field.default is REQUIRED]
    for field in missing:
        if isinstance(field, Choice) and field.options:
            given.setdefault(field.name, field.options[0][0])
        elif isinstance(field, Text) and field.name not in (offer.options or {}):
            given[field.name] = given.get(field.name) or ANY_WORDS
    return given


def _why(position: Position, offer: Offer, form: OfferForm, faces: frozenset[str]) -> Why | None:
    """None where nothing is rolled yet, or what somebody whom the viewer knows by the face alone has counts in it."""
    nobody = _nobody(position, offer)
    given = {**nobody, **_given(offer, form, nobody)}

    def told() -> Why | None:
        try:
            values: Mapping[str, Any] = check(offer, given, unchosen=nobody)
            return position.procedure.why(position.state, Withheld(position.sheets, faces), offer, values)
        except (BadMove, NotKnown):
            return None

    return None if position.is_broken else contained(position.contest, told, None)


def _drawn(why: Why, controls: Mapping[str, str], came: Mapping[str, When]) -> Sources:
    return Sources(
        why.number, tuple(Source(part, came.get(part.line)) for part in why.parts),
        tuple(Source(part, came.get(part.line), controls.get(part.line, "")) for part in why.idle))


def _lasting(why: Why) -> list[str]:
    return [part.line for part in (*why.parts, *why.idle) if part.lasts and part.line]


def _when(viewer: Viewer, lines: Iterable[str]) -> dict[str, When]:
    """When each of these lines of sheets came to be what it is; without those of which this viewer may not read."""
    ids = [uuid.UUID(line) for line in lines]
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=ids, field__in=MOVED) if ids else None
    if marks is None:
        return {}
    last = dict(marks.values("object_id").annotate(last=Max("seq")).values_list("object_id", "last"))
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__in=last.values())
    scene_of = dict(entries.values_list("seq", "scene_id"))
    scenes = Scene.objects.filter(campaign=viewer.campaign, pk__in=filter(None, scene_of.values()))
    told: dict[uuid.UUID | None, str] = {scene.pk: f"session {scene.session.number}, {scene.title}"
                                         for scene in scenes.select_related("session")}
    return {str(line): When(seq, told.get(scene_of[seq], f"entry {seq}"))
            for line, seq in last.items() if seq in scene_of}
