"""Tags of the site: its name, its pages, its forms, and what it draws. Loaded in every template."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms, template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.widgets import drawn_field
from campaigns import answers, drawing
from campaigns.prose import prose
from campaigns.web import NO_ID

register = template.Library()

PRODUCT = "Ledger & Lantern"


@register.filter("prose")
def with_links(text: str, known: Mapping[str, str] | None = None) -> SafeString:
    """A text as HTML; its `[[names]]` lead where `linking.links` says, others are plain words."""
    places = known or {}
    return prose(text, lambda name: places.get(name.casefold(), ""))


@register.filter
def only(forms_of_acts: Iterable[Any], actions: str | Collection[str]) -> list[Any]:
    """Of these acts those of the named actions: a list, or a text with spaces between them."""
    names = actions.split() if isinstance(actions, str) else actions
    return [form for form in forms_of_acts if form.offer.action in names]


@register.filter
def but(forms_of_acts: Iterable[Any], actions: str | Collection[str]) -> list[Any]:
    """The others."""
    names = actions.split() if isinstance(actions, str) else actions
    return [form for form in forms_of_acts if form.offer.action not in names]


@register.filter
def without(forms_of_acts: Iterable[Any], shown: Collection[Any]) -> list[Any]:
    """Of these acts those that are not shown elsewhere, which are told as acts or as their keys."""
    return [form for form in forms_of_acts if form not in shown and form.key not in shown]


@register.filter
def of_rules(steps: Iterable[Mapping[str, Any]], rules: str) -> list[Mapping[str, Any]]:
    """Of these steps of an entry those of the named rules: a text with spaces between them."""
    return [step for step in steps if step["rule"] in rules.split()]


@register.filter
def by(forms_of_acts: Iterable[Any], who: str) -> list[Any]:
    """Of these acts those of one sheet, by its id."""
    return [form for form in forms_of_acts if form.offer.by == who]


@register.filter("answers")
def plain_answers(forms_of_acts: Iterable[Any]) -> list[answers.Answer]:
    """What acts that ask for nothing are as answers of a decision."""
    return [answers.plain(form) for form in forms_of_acts]


@register.simple_tag(name="options")
def answers_of_options(
    form: Any, field: str, options: Iterable[tuple[str, str]], verb: str = ""
) -> list[answers.Answer]:
    """The options of an act as answers of a decision; none where there is no such act."""
    return answers.of_options(form, field, options, verb) if form else []


@register.simple_tag(name="ways")
def answers_of_ways(form: Any, field: str, ways: Iterable[Any]) -> list[answers.Answer]:
    """What can be added to dice as answers of a decision; none where there is no such act."""
    return answers.of_ways(form, field, ways) if form else []


@register.simple_tag(name="sends")
def answer_that_sends(form: Any, verb: str, follows: str = "", leads_to: str = "") -> list[answers.Answer]:
    """The answer that sends an act's form, which stands elsewhere with what is chosen in it."""
    return [answers.Answer(form, verb, leads_to, follows, of=form.offer_id)] if form else []


@register.filter
def plus(first: Sequence[Any], more: Sequence[Any]) -> list[Any]:
    """Both, one after the other."""
    return [*first, *more]


@register.simple_tag
def product() -> str:
    """What this site is called."""
    return PRODUCT


@register.simple_tag
def joined(name: str) -> SafeString:
    """What brings a page the files of `settings.JOINED_FILES`: one of them where they are joined, else each source."""
    names = [name] if getattr(staticfiles_storage, "joins", False) else settings.JOINED_FILES[name]
    return format_html_join("\n  ", "{}", ((_brought(name),) for name in names))


def _brought(name: str) -> SafeString:
    if name.endswith(".js"):
        return format_html('<script src="{}" defer></script>', static(name))
    media = mark_safe(' media="print"') if name == settings.FOR_PRINT else ""
    return format_html('<link rel="stylesheet" href="{}"{}>', static(name), media)


@register.simple_tag
def place(name: str, *args: Any) -> str:
    """The address of a place, or "" where there is none: `{% place 'ledger' viewer.campaign.slug as url %}`."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a campaign, as the rail shows it. `thumb` is its name in a phone's bar, "" where it has none."""

    label: str
    url: str
    current: str = ""
    thumb: str = ""
    apart: bool = False
    counts: bool = False  # whether it shows how many things wait for the viewer


# The name of the address, its label, its name in the phone's bar, and whether it is the GM's.
PLACES = (
    ("table", "Table", "Table", False),
    ("my_sheet", "My sheet", "Sheet", False),
    ("characters", "Characters", "", False),
    ("chronicle", "Chronicle", "Chronicle", False),
    ("dates", "Dates", "", False),
    ("pages", "Notes", "", False),
    ("shown", "Handouts", "", False),
    ("ledger", "Ledger", "", False),
    ("odds", "Odds", "", False),
    ("safety", "Safety", "", False),
    ("people", "Members", "", False),
    ("prepare", "Prepare", "", True),
    ("campaign_settings", "Settings", "", False),
)


AFTER = 3  # of them, before those that a game adds

# Addresses that belong to a place without standing under its own.
WITHIN = (("experience", "chronicle"), ("facts", "chronicle"))
NOWHERE = ("search",)  # and to none


@register.simple_tag(takes_context=True)
def places(context: template.Context) -> list[Place]:
    """The places of the campaign that exist for this viewer, the current one marked."""
    viewer, request = context["viewer"], context.get("request")
    path = request.path if request else ""
    listed = [
        (place(name, viewer.campaign.slug), label, thumb, gm)
        for name, label, thumb, gm in PLACES
        if viewer.runs or not gm
    ]
    added = [
        (place(name, viewer.campaign.slug, of), label, "", gm)
        for name, of, label, gm in viewer.campaign.game.own_places if viewer.runs or not gm
    ]
    # Those of the GM stand together, after the first of them.
    gms = next((at for at, row in enumerate(listed, 1) if row[3]), len(listed))
    listed = [*listed[:AFTER], *(row for row in added if not row[3]), *listed[AFTER:gms],
             *(row for row in added if row[3]), *listed[gms:]]
    listed = [row for row in listed if row[0]]
    for name, of in WITHIN:
        if (own := place(name, viewer.campaign.slug)) and path.startswith(own):
            path = f"{place(of, viewer.campaign.slug)}{name}/"
    here = _here(context, path, [url for url, *_ in listed])
    return [
        Place(label, url, ("page" if url == path else "true") if url == here else "", thumb,
              gm and not listed[at - 1][3], counts=label == PLACES[0][1])
        for at, (url, label, thumb, gm) in enumerate(listed)
    ]


def _here(context: template.Context, path: str, urls: Sequence[str]) -> str:
    """Which of the places one is in; "" where it is none of them."""
    slug = context["viewer"].campaign.slug
    if any(path == place(name, slug) for name in NOWHERE):
        return ""
    if getattr(context.get("sheet"), "mine", False):
        return place("my_sheet", slug)
    # The table's address is how every other one begins, so the longest that fits is where one is.
    return max((url for url in urls if path.startswith(url)), key=len, default="")


@register.simple_tag
def field(bound: forms.BoundField, *, label: Any = None, help: Any = None, quiet: bool = False) -> SafeString:
    """One field with its label, help and errors: `{% field form.name %}`.

    `label=` and `help=` say it otherwise; `quiet=True` leaves the label to those who listen.
    """
    return drawn_field(
        bound, bound.label if label is None else label, bound.help_text if help is None else help, quiet)


@register.simple_tag(takes_context=True)
def form_head(context: template.Context, form: forms.Form) -> SafeString:
    """What every form that does something starts with: the hidden fields, and a refusal that belongs to no field."""
    token, refused = context.get("csrf_token"), list(form.non_field_errors())
    parts = [f'<input type="hidden" name="csrfmiddlewaretoken" value="{conditional_escape(token)}">'] if token else []
    for hidden in form.hidden_fields():
        parts.append(hidden.as_widget(attrs=NO_ID))
        refused += hidden.errors
    parts += [format_html('<p class="error" role="alert">{}</p>', sentence) for sentence in refused]
    if typed := getattr(form, "real_dice", None):
        parts.append(render_to_string("shared/real_dice.html", {"typed": typed}))
    of_contest = getattr(form, "of_contest", False)
    if of_contest:  # its acts change no page, where a script sends them
        at = "table" if context.get("at_table") else "contest"
        parts.append(f'<input type="hidden" name="at" value="{at}" data-stays>')
    elif context.get("at_table"):
        parts.append('<input type="hidden" name="at" value="table">')
    if of_contest and (seq := context.get("head_seq")):
        parts.append(f'<input type="hidden" name="seen" value="{int(seq)}">')
    return SafeString("".join(parts))  # each part was escaped above


@register.inclusion_tag("shared/die.html")
def die(sides: int, face: int, role: str = "", kept: bool = True) -> dict[str, Any]:
    """One die: `{% die 6 5 "danger" False %}`."""
    return {"die": drawing.a_die(sides, face, role, kept)}


@register.inclusion_tag("shared/dice.html")
def dice(thrown: Iterable[Any]) -> dict[str, Any]:
    """Dice side by side, in groups of one role: `{% dice outcome.dice %}`, objects or mappings."""
    return {"groups": drawing.by_role(thrown)}


@register.inclusion_tag("shared/odds_bar.html")
def odds_bar(odds: Iterable[tuple[Any, ...]], label: str = "", small: bool = False) -> dict[str, Any]:
    """A bar of shares: `{% odds_bar forecast.odds %}`; `small=True label="with +1"` is one line, for a what-if."""
    return {"segments": drawing.segments(odds), "label": label, "small": small}


@register.inclusion_tag("shared/marks.html")
def marks(count: int, of: str = "damage") -> dict[str, Any]:
    """Tally marks, as a trait's damage is drawn: `{% marks trait.damage %}`."""
    count = int(count or 0)
    return {
        "count": count, "of": of, "lines": drawing.tally(count) if count <= 2 * drawing.MOST_PIPS else [],
        "width": drawing.tally_width(count),
    }


@register.inclusion_tag("shared/pool.html")
def pool(name: str, now: int | None, of: int | None = None) -> dict[str, Any]:
    """A pool as pips, as a number where there are many: `{% pool "Fortune" 3 5 %}`; None on a blank sheet."""
    if now is None:
        return {"name": name}
    now, whole = int(now), max(int(of or 0), int(now))
    pips = [(12 + 24 * index, index < now) for index in range(whole)] if 0 < whole <= drawing.MOST_PIPS else []
    return {"name": name, "now": now, "of": of, "pips": pips, "width": 24 * whole}


@register.inclusion_tag("shared/track.html")
def track(name: str, value: int, low: int, high: int, labels: Mapping[int, str] | None = None) -> dict[str, Any]:
    """A ruled scale of boxes: `{% track "Scandal" 3 0 10 %}`; `labels` names some of its numbers."""
    drawn = drawing.boxes(int(value), int(low), int(high), labels or {})
    return {
        "name": name, "value": drawing.minus(value), "low": drawing.minus(low), "high": drawing.minus(high),
        "boxes": drawn, "width": 32 * len(drawn),
        "words": [(box.number, box.label) for box in drawn if box.label],
    }


@register.inclusion_tag("shared/scoreboard.html")
def scoreboard(left: str, left_score: int, right: str, right_score: int, goal: int) -> dict[str, Any]:
    """Two scores that face each other: `{% scoreboard "Ana" 3 "The Duke" 1 5 %}`."""
    goal = max(int(goal), 1)
    widths = [min(100, max(0, 100 * int(score) / goal)) for score in (left_score, right_score)]
    return {
        "left": left, "left_score": left_score, "right": right, "right_score": right_score, "goal": goal,
        "left_wide": widths[0], "left_at": 100 - widths[0], "right_wide": widths[1], "notches": [
            100 * step / goal for step in range(1, goal)
        ] if goal <= 2 * drawing.MOST_PIPS else [],
    }


@register.inclusion_tag("shared/ring.html")
def ring(pairs: Iterable[tuple[Any, Any]], alone: Iterable[Any] = ()) -> dict[str, Any]:
    """Who duels whom: `{% ring pairs alone %}`, pairs of names, and those whom nobody faces."""
    return {"pairs": list(pairs or ()), "alone": list(alone or ())}
