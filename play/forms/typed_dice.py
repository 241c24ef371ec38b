"""The field for what one's own dice show."""
from __future__ import annotations

import re
from typing import Any

from django import forms

MOST = 200  # characters


class TypedFaces(forms.Field):
    """Faces in their order, with anything but digits between them; a minus before one is no separator."""

    def __init__(self) -> None:
        super().__init__(
            label="I rolled", required=False, widget=forms.TextInput(attrs={"maxlength": MOST, "autocomplete": "off"}),
            help_text="Your results, separated by spaces. Leave blank to let the site roll.")

    def to_python(self, value: Any) -> tuple[int, ...]:
        """The faces; nothing where it was left empty."""
        text = str(value or "")[:MOST]
        if re.search(r"[^\d\s,;.+/-]|(?<!\d)-", text) or any(len(number) > 3 for number in re.findall(r"\d+", text)):
            raise forms.ValidationError("Enter numbers with spaces between, such as 4 2.")
        return tuple(int(number) for number in re.findall(r"\d+", text))
