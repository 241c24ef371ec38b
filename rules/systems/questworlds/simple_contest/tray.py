"""A contest from the tray: an ability, and what the GM has put on the scene; without that the GM is asked (QW-20)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.fields import Field, Listing, Text, Word
from rules.procedure import Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import Score, notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.reckoning import told
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.traits import BONUSES, lasting, score_of, supports, touches, usable
from rules.tray import HOUSE_RULE, ON_THE_SHEET, Obstacle, Part, TrayAct, TrayRoll, Why
from rules.values import Value


def tray(sheet: Sheet, setup: Mapping[str, Value], obstacles: Options, edition: Edition) -> Offer:
    """The ability; what lasts and counts here; a tactic in a few words, where somebody wants to say one."""
    symbol = str(setup.get("symbol", "M"))
    known = tuple((trait.id, f"{trait.name} · {notation(score_of(trait, sheet) or 0, symbol)}")
                  for trait in usable(sheet))
    named: dict[str, Options] = {"ability": known}
    fields: list[Field] = [text("ability", "What you use", needed=True)]
    if obstacles:
        fields.insert(0, text("obstacle", "Against"))
        named["obstacle"] = obstacles
    counting = tuple(
        (line.id, f"{line.name} {worth_of(line, symbol, edition)}{f' ({line.note})' if line.note else ''}")
        for line in (*lasting(sheet), *supports(sheet))
    )
    if counting and obstacles:
        fields.append(Listing(name="lines", label="Counts on this roll", of=text("line", "Line"), default=(),
                              word=Word.SAID, help="Lasting effects on the ability always count."))
        named["lines"] = counting
    fits, binds = ({used.id: tuple(line.id for line in lines if touches(line, used, sheet)) for used in usable(sheet)}
                   for lines in ((*lasting(sheet), *supports(sheet)), lasting(sheet)))
    fields.append(Text(name="tactic", label="How you go about it", most=300))
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


def why(state: State, sheet: Sheet) -> Why:
    """The ability with its keyword and its masteries, what lasts and counts, what stands against it, the house rules
    that bear on it; and what could count and does not (QW-02, QW-21, QW-60)."""
    roll, symbol, chosen = state.terms(sheet.id), state.settings.symbol, state.entrant(sheet.id).chosen
    parts = [_rating(sheet, trait, symbol)] if chosen and (trait := sheet.trait(chosen.trait)) else []
    parts += [Part(told(line, symbol), line.label, line.reason, line.source, lasts=True)
              for line in state.lines(sheet.id)]
    if many := Score(roll.score).masteries:
        parts.append(Part(notation(roll.score, symbol), f"is {roll.score}", _bumps(many)))
    if against := state.against(sheet.id):
        parts.append(Part(notation(against.resistance, symbol), f"Against {against.name}", "on the GM’s word"))
    return Why(notation(roll.score, symbol), (*parts, *_house_rules(state, sheet)), tuple(_idle(state, sheet)))


def _house_rules(state: State, sheet: Sheet) -> Iterator[Part]:
    """What this campaign has otherwise than the rules, where it bears on this roll."""
    against = state.against(sheet.id)
    if state.settings.by_value and len(state.lines(sheet.id)) > 1:
        yield Part("", "Lasting effects add up by value", HOUSE_RULE)
    if against.tie_to_player if against else state.settings.tie_to_player:
        yield Part("", "A tie goes to the player", HOUSE_RULE)


def _idle(state: State, sheet: Sheet) -> Iterator[Part]:
    """What lasts, or was given, and does not count: it touches something else, or was left out (QW-60, QW-93)."""
    counted = state.counted(sheet.id)
    for line in (*lasting(sheet), *supports(sheet)):
        if line.id not in counted:
            reason = f"it touches {line.note}" if line.note else "left out"
            yield Part(worth_of(line, state.settings.symbol, state.edition), line.name, f"not counted: {reason}",
                       line.id, lasts=True)


def _rating(sheet: Sheet, trait: Trait, symbol: str) -> Part:
    """A line as it is used: a breakout with its keyword, and what that comes to."""
    within = sheet.trait(trait.parent)
    score = notation(score_of(trait, sheet) or 0, symbol)
    if within is None or trait.kind not in BONUSES:
        return Part(score, trait.name, ON_THE_SHEET, trait.id)
    both = f"{within.name} {notation(within.value, symbol)} with {trait.name} {signed(trait.value, symbol)}"
    return Part(score, both, ON_THE_SHEET, trait.id)


def _bumps(masteries: int) -> str:
    return "a mastery, which bumps the result up" if masteries == 1 else f"{masteries} masteries, a bump up each"
