"""The answers of a decision, as `shared/decision.html` draws them in all games."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: the act's form, what it does and leads to, and what `follows` from it: what it gives or costs.

    It sends `value` as the act's `field`, where it has one. It is a form of its own with the id `id`; or it sends the
    form with the id `of`, in which something else is chosen too.
    """

    form: Any
    verb: str
    leads_to: str = ""
    follows: str = ""
    id: str = ""
    field: str = ""
    value: str = ""
    of: str = ""
    label: str = ""


def plain(form: Any) -> Answer:
    """The answer that an act is which asks for nothing: its title says what it leads to."""
    offer = form.offer
    label = f"{offer.title}. {offer.help}" if offer.help else offer.title
    return Answer(form, form.verb, form.leads_to, offer.help, form.offer_id, label=label)


def of_options(form: Any, field: str, options: Iterable[tuple[str, str]], verb: str) -> list[Answer]:
    """An answer for each option of an act, whose words say after a colon what it gives or costs: `Height 3:
    accomplished`. What is before it is what the `verb` leads to, or what the answer does where there is none.

    Each is a form of its own; the first has the act's id.
    """
    made = []
    for place, (value, words) in enumerate(options):
        does, _, follows = words.partition(": ")
        leads_to = f"{does[:1].lower()}{does[1:]}" if verb else ""
        made.append(Answer(form, verb or does, leads_to, f"{follows[:1].upper()}{follows[1:]}",
                           "" if place else form.offer_id, field, value))
    return made


def of_ways(form: Any, field: str, ways: Iterable[Any]) -> list[Answer]:
    """An answer for each way to add to the dice (`id`, `label`, and what `follows`); the first is the act's form, which
    the others send."""
    return [Answer(form, way.label, "", way.follows, "" if place else form.offer_id, field, way.id,
                   form.offer_id if place else "") for place, way in enumerate(ways)]
