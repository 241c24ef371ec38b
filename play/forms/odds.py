"""The calculators of the odds page."""
from __future__ import annotations

from typing import Any

from django import forms

from campaigns.rulefields import form_fields, values_of
from rules.fields import read_all
from rules.tables import Calculator


class CalculatorForm(forms.Form):
    """What a calculator of the odds page asks for."""

    def __init__(self, calculator: Calculator, data: Any = None) -> None:
        super().__init__(data, label_suffix="", prefix=None)
        self.calculator = calculator
        self.fields |= form_fields(calculator.fields)
        self.auto_id = f"{calculator.name}_%s"

    def values(self) -> dict[str, Any]:
        """The answers, as the rules read them."""
        return read_all(self.calculator.fields, values_of(self.calculator.fields, self.cleaned_data))
