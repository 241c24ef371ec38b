"""What views share: one context for page and fragment, and forms that lose nothing when refused."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, Self

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails

from accounts.forms import seconds_to_wait
from accounts.wording import OwnWords
from campaigns.access import Viewer
from campaigns.contexts import viewer_context
from campaigns.models import Entry, Member
from campaigns.now import now
from campaigns.roles import alone
from campaigns.trail.not_written import NotWritten
from campaigns.trail.since import kept
from campaigns.trail.visible import head_of
from rules.values import BadMove

# Of what is hidden: nothing leads there, and several forms of one act may stand on a page, where an id is unique.
NO_ID: dict[str, str | bool] = {"id": False}


class _Seed(forms.HiddenInput):
    """The browser makes it at the moment of sending: a form that comes back never brings the old one."""

    def format_value(self, value: Any) -> None:
        return None


class ActionForm(OwnWords, forms.Form):
    """A form that does something: `op_id` makes a retry find its first answer, `client_seed` is what
    the browser adds to the dice."""

    op_id = forms.UUIDField(widget=forms.HiddenInput(attrs=NO_ID), error_messages={"invalid": "Reload the page."})
    client_seed = forms.RegexField(
        r"\A([0-9a-f]{64})?\Z", required=False, widget=_Seed(attrs={"data-client-seed": "", **NO_ID}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"op_id": uuid.uuid4(), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    def bound_to(self, data: Mapping[str, Any]) -> Self:
        """The same form, with the same fields, as if this had been sent."""
        sent = copy(self)
        sent.data, sent.is_bound, sent._errors, sent._bound_fields_cache = data, True, None, {}  # type: ignore[attr-defined]
        return sent

    def submission(self) -> dict[str, Any]:
        """What every service takes from the form."""
        return {"op_id": self.cleaned_data["op_id"]}

    def rolling(self) -> dict[str, Any]:
        """What every service takes that may roll dice."""
        typed = {"typed": self.cleaned_data["typed"]} if "typed" in self.fields else {}
        return {**self.submission(), "client_seed": self.cleaned_data["client_seed"], **typed}

    def refuse(self, bad: BadMove) -> None:
        """Puts a refusal at its field, or above the form where it belongs to none.

        An operation whose dice are used up is done with: what is sent next is another one.
        """
        if isinstance(bad, NotWritten):
            sent: Any = self.data
            self.data = sent = sent.copy()
            sent["op_id"] = str(uuid.uuid4())
        name = bad.field.split(".")[0]
        self.add_error(name if name in self.fields else None, bad.sentence)


def submit(form: ActionForm, action: Callable[[], Entry]) -> Entry | None:
    """Runs a service when the form is valid; None, with the reason in the form, when it is not done."""
    if not form.is_valid():
        return None
    try:
        return action()
    except BadMove as bad:
        form.refuse(bad)
        return None


def by(viewer: Viewer, form: ActionForm) -> dict[str, Any]:
    """What every service is called with: where, by whom, by which form."""
    return {"campaign": viewer.campaign, "actor": viewer.member, **form.submission()}


def by_htmx(request: HttpRequest) -> HtmxDetails:
    """What htmx says of its request; false for one that it did not make."""
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # the middleware puts it there
    return htmx


def render_page(
    request: HttpRequest, template: str | tuple[str, ...], context: dict[str, Any], *, form: forms.Form | None = None,
    page: str = "shared/page.html",
) -> HttpResponse:
    """The page, or with htmx only its main block, from one context; 422 when `form` was refused, 429 when
    something was tried too often.

    Templates say `{% extends frame %}`; `page` is the frame of a whole page. Of several names the first that there is
    gets drawn.
    """
    refused = form is not None and form.is_bound and bool(form.errors)
    asked = by_htmx(request)
    whole = not asked or asked.boosted
    frame = page if whole else "shared/fragment.html"
    if isinstance(viewer := context.get("viewer"), Viewer):
        context = {**context, "viewer": viewer_context(viewer), "now_bar": now(viewer), "head_seq": head_of(viewer).seq,
                   "now_form": lambda: ActionForm(auto_id=False)}
        if whole and not viewer.through:
            context["kept"] = kept(viewer)
            if viewer.campaign.sample and viewer.owns and Member.objects.filter(alone(), pk=viewer.member.pk).exists():
                context["throw_away"] = ActionForm(auto_id=False)
    both = {**context, "frame": frame, **({"form": form} if form is not None else {})}
    answer = render(request, template, both, status=422 if refused else 200)
    if form is not None and refused and (seconds := seconds_to_wait(form)):
        answer.status_code, answer["Retry-After"] = 429, str(seconds)
    return answer


def ask_once(request: HttpRequest, viewer: Viewer, *, question: str, button: str, back: str) -> HttpResponse | None:
    """A page that asks before what can't simply be taken back is done; None where `sure` says that it was answered.

    `question` says what will be, `button` what is pressed then, `back` is where Cancel leads.
    """
    if "sure" in request.POST:
        return None
    context = {"viewer": viewer, "question": question, "button": button, "back": back}
    return render_page(request, "shared/sure.html", context, form=ActionForm(auto_id=False))
