"""What views share: one context for page and fragment, and forms that lose nothing when refused."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.wording import OwnWords
from campaigns.models import Entry
from rules.values import BadMove


class DeedForm(OwnWords, forms.Form):
    """A form that does something: `op_id` makes a retry find its first answer, `share` is the browser's dice."""

    op_id = forms.UUIDField(widget=forms.HiddenInput, error_messages={"invalid": "Load the page again."})
    share = forms.RegexField(r"\A([0-9a-f]{64})?\Z", required=False, widget=forms.HiddenInput(attrs={"data-share": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"op_id": uuid.uuid4(), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    def deed(self) -> dict[str, Any]:
        """What every service takes from the form."""
        return {"op_id": self.cleaned_data["op_id"]}

    def refuse(self, bad: BadMove) -> None:
        """Puts a refusal at its field, or above the form where it belongs to none."""
        name = bad.field.split(".")[0]
        self.add_error(name if name in self.fields else None, bad.sentence)


def do(form: DeedForm, deed: Callable[[], Entry]) -> Entry | None:
    """Runs a service when the form is valid; None, with the reason in the form, when it is not done."""
    if not form.is_valid():
        return None
    try:
        return deed()
    except BadMove as bad:
        form.refuse(bad)
        return None


def show(
    request: HttpRequest, template: str | tuple[str, ...], context: dict[str, Any], *, form: forms.Form | None = None
) -> HttpResponse:
    """The page, or with htmx only its main block, from one context; 422 when `form` was refused.

    Templates say `{% extends frame %}`. Of several names the first that there is gets drawn.
    """
    refused = form is not None and form.is_bound and bool(form.errors)
    frame = "shared/fragment.html" if request.htmx and not request.htmx.boosted else "shared/page.html"
    both = {**context, "frame": frame, **({"form": form} if form is not None else {})}
    return render(request, template, both, status=422 if refused else 200)
