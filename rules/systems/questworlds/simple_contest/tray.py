"""A contest from the tray: an ability, and what the GM has put on the scene; without that the GM is asked (QW-20)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.fields import Field, Listing, Text, Word, text
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.after import free_supports
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.traits import lasting, score_of, supports, touches, usable
from rules.tray import Around, Obstacle, TrayAct, TrayRoll
from rules.values import Value


def tray(sheet: Sheet, setup: Mapping[str, Value], around: Around, edition: Edition) -> Offer:
    """The ability; what lasts and counts here; a tactic in a few words, where somebody wants to say one."""
    symbol, obstacles = str(setup.get("symbol", "M")), around.obstacles
    known = tuple((trait.id, f"{trait.name} · {notation(score_of(trait, sheet) or 0, symbol)}")
                  for trait in usable(sheet))
    named: dict[str, Options] = {"ability": known}
    fields: list[Field] = [replace(text("ability", "Ability", needed=True), missing="Choose an ability.")]
    if obstacles:
        fields.insert(0, text("obstacle", "Against"))
        named["obstacle"] = obstacles
    lines = (*lasting(sheet), *free_supports(sheet, around.context))
    counting = tuple(
        (line.id, f"{line.name} {worth_of(line, symbol, edition)}{f' ({line.note})' if line.note else ''}")
        for line in lines
    )
    if counting and obstacles:
        fields.append(Listing(name="lines", label="Counts on this roll", of=text("line", "Line"), default=(),
                              word=Word.SAID, help="Lasting effects on the ability always count."))
        named["lines"] = counting
    fits, binds = ({used.id: tuple(line.id for line in those if touches(line, used, sheet)) for used in usable(sheet)}
                   for those in (lines, lasting(sheet)))
    fields.append(Text(name="tactic", label="Tactic", most=300))
    now = {"obstacle": obstacles[-1][0]} if obstacles else None
    return Offer("choose", sheet.id, "Roll", "", tuple(fields), named, rolls=True, now=now,
                 fits=fits if "lines" in named else None, binds=binds if "lines" in named else None)


def from_tray(
    sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], obstacle: Obstacle | None
) -> TrayRoll:
    """With an obstacle the whole contest down to the dice; without one what the GM is asked."""
    (used,) = (trait for trait in usable(sheet) if trait.id == given["ability"])
    chosen = TrayAct("choose", sheet.id, {"tactic": given.get("tactic") or "", "ability": used.id})
    if obstacle is None:
        return TrayRoll(setup, (chosen,))
    against: dict[str, Value] = {"name": obstacle.name, "resistance": obstacle.values.get("resistance", "")}
    acts = [chosen, TrayAct("oppose", "", against)]
    lines, given_ = _listed(given.get("lines")), {line.id for line in supports(sheet)}
    # What touches what is used counts by itself, whatever is ticked; what else applies is the player's word.
    bound = {line.id for line in lasting(sheet) if touches(line, used, sheet)}
    if said := [line for line in lines if line not in given_ | bound]:
        acts.append(TrayAct("lasting", sheet.id, {"lines": said}))
    acts += [TrayAct("support", sheet.id, {"line": line}) for line in lines if line in given_]
    return TrayRoll(setup, (*acts, TrayAct("set", "", {}), TrayAct("roll", sheet.id, {})), (used.id,))


def _listed(lines: Value) -> list[str]:
    return [str(line) for line in lines] if isinstance(lines, (list, tuple)) else []
