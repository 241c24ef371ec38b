"""What an act's form says of itself is named like no field: in a template `form.whose` would be the field."""
from __future__ import annotations

import re

from django import forms

from play.forms.contest import OfferForm
from tests.databases import ROOT

FIELD = re.compile(r'\b(?:Flag|Text|Choice|ChoiceOrWhole|Whole|Listing|Group|Allocation)\(\s*(?:name=)?"([a-z_]+)"')


def test_no_field_of_the_rules_hides_what_a_form_says_of_itself() -> None:
    fields = {name for file in (ROOT / "rules").rglob("*.py") for name in FIELD.findall(file.read_text())}
    own = {name for name in dir(OfferForm) if not name.startswith("_")} - set(dir(forms.Form))
    assert {"whose", "words"} <= fields and {"chips", "said_of"} <= own
    assert not own & fields, f"named like a field of a form: {sorted(own & fields)}"
