"""The page of odds: the game's tables, and calculators for any combination."""
from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from campaigns import queries
from campaigns.access import Viewer, member_only
from campaigns.web import render_page
from play.forms.odds import CalculatorForm
from rules.values import BadMove


@member_only()
def odds(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything is in the address, so that a setting can be kept or shown to a friend."""
    system, settings = viewer.campaign.rules, viewer.campaign.settings
    wanted = request.GET.get("of", "")
    calculators = []
    for calculator in system.rolls.calculators(settings):
        asked = wanted == calculator.name
        form = CalculatorForm(calculator, request.GET if asked else None)
        calculators.append({"calculator": calculator, "form": form, "asked": asked, "answer": _answer(form)})
    context = {
        "viewer": viewer, "tables": system.rolls.tables(settings), "calculators": calculators,
        "moved": queries.setting_changes(viewer),
    }
    return render_page(request, "play/odds.html", context)


def _answer(form: CalculatorForm) -> Any:
    if not form.is_bound or not form.is_valid():
        return None
    try:
        return form.calculator.answer(form.values())
    except BadMove as bad:
        form.add_error(None, bad.sentence)
        return None
