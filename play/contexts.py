"""What the table's templates may see, built for one viewer."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from campaigns.errors import Refused
from play.forms.tray import TrayForm
from play.models import Boon
from play.services.rolling import prepare
from rules.system import Line, System
from rules.values import BadMove


@dataclass(frozen=True)
class Forecast:
    """What a roll would be: what the button says, and the exact chances; or why it can't be made yet."""

    button: str = ""
    odds: tuple[tuple[str, Fraction, str], ...] = ()  # label, share, tone
    lines: tuple[str, ...] = ()
    problem: str = ""


def forecast(form: TrayForm, boons: list[Boon]) -> Forecast:
    """The chances of what is chosen in the tray. Never raises: what is not ready is said in words."""
    if not form.is_bound:
        form = form.as_it_opens()
    if not form.is_valid():
        return Forecast(problem="Finish what is open above to see the odds.")
    try:
        intent = form.intent()
        mine = [boon for boon in boons if boon.character_id == intent.character_id]
        prepared = prepare(form.viewer.campaign, intent, boons=mine, hidden=form.viewer.runs)
        chances = prepared.kind.odds(prepared.kind.read(prepared.given), form.system.headline(intent.move))
    except (BadMove, Refused) as bad:
        return Forecast(problem=bad.sentence)
    shares = form.system.shares(intent.move)
    told = tuple((label, chances.get(value, Fraction(0)), tone) for value, label, tone in shares)
    lines = tuple(_said(form.system, line) for line in prepared.lines)
    return Forecast(button=form.system.describe(intent.move, prepared.given), odds=told, lines=lines)


def _said(system: System, line: Line) -> str:
    """A modifier as a person reads it: `2 × Upshift: the rope trick`."""
    label = next((kind.label for kind in system.modifiers if kind.name == line.kind), line.kind)
    many = f"{line.amount} × " if line.amount > 1 else ""
    return f"{many}{label}: {line.reason}" if line.reason else f"{many}{label}"
