"""A long contest begins: who is in it on which side, and who faces whom (QW-43, QW-47, QW-58)."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rules.engine import Sheets, Values
from rules.fields import Choice, Field, Flag, Group, Listing, Text, Whole
from rules.moves import Step, take
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.traits import score_of, usable
from rules.values import BadMove
from rules.wording import join

OTHERS, MOST_NAMED = "The other side", 40
FORMS = (("scored", "Scored: to five points"), ("extended", "Extended: advantage points are bid"),
         ("chained", "Chained: each defeat hurts at once"),
         ("all", "Any of them, as the GM chooses"))

FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Contestants", default=(), of=Group(
        name="contestant", label="Contestant", fields=(
            Text(name="sheet", label="Who"), Text(name="side", label="Side"),
            Flag(name="player", label="Somebody plays them")))),
    Text(name="title", label="The prize", default="", most=200),
    Text(name="opponents", label="Who else is against them", default="", most=500,
         help="Names with resistances, between semicolons: Captain Vey 17; Two wardens low. Left without one it is the "
              "base. An NPC in the scene stands on the other side with the best score."),
    Text(name="obstacle", label="What stands in the way", default="", most=300),
    Text(name="symbol", label="Mastery", default="M"), Whole(name="base", label="Base resistance", default=14),
    Choice(name="stacking", label="Stacking", default="rank", options=(("rank", "By rank"), ("value", "By value"))),
    Choice(name="growth", label="Growth", default="xp", options=(("xp", "XP"), ("milestone", "Milestones"))),
    Choice(name="keywords", label="Keywords", default="umbrella",
           options=(("umbrella", "Umbrella"), ("package", "Package"))),
    Choice(name="long", label="Long contests", default="all", options=FORMS),
    Choice(name="tactics", label="Tactics", default="open", options=(("open", "Open"), ("secret", "Secret"))),
    Choice(name="edges", label="Edges and handicaps", default="no", options=(("no", "Not used"), ("yes", "Used"))),
)


def begin(form: str, values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> e.Result:
    """The first events; raises `BadMove` where two sides are not there, or the campaign uses another kind."""
    take(faces, 0)
    if values["long"] not in (form, "all"):
        raise BadMove(f"This campaign uses {values['long']} contests. The setting “Long contests” says which.", "title")
    parts, sides = _parts(values, sheets, edition)
    settings = e.Settings(
        values["base"], values["symbol"], values["stacking"] == "value", values["growth"] == "xp", values["title"],
        values["obstacle"], tuple(each["sheet"] for each in values["contestants"] if each["player"]), sides,
        values["tactics"] == "secret", values["keywords"] == "package", values["edges"] == "yes")
    pairs = _pairs(parts, sheets, edition)
    begun: list[e.Event] = [e.Begun(settings, parts), e.RoundBegan(1)]
    if form == "extended":
        begun += [e.Advantage(each.id, each.resistance, True) for each in parts if each.resistance is not None]
    begun += [e.Paired(number, ours, theirs) for number, (ours, theirs) in enumerate(pairs)]
    names = {each.id: each.name for each in parts}
    steps = [Step("QW-43", f"A {form} contest begins: {settings.prize or 'the prize'}.")]
    if settings.obstacle:
        steps.append(Step("QW-20", f"In the way: {settings.obstacle}"))
    for place in (0, 1):
        steps.append(Step("QW-47", f"{sides[place]}: {join([each.name for each in parts if each.side == place])}."))
    steps += [Step("QW-47", f"{names[ours]} faces {names[theirs]}.") for ours, theirs in pairs]
    steps += [Step("QW-03", f"{each.name} is at {notation(each.resistance, settings.symbol)}.")
              for each in parts if each.resistance is not None]
    return e.Result(tuple(begun), tuple(steps))


def _parts(values: Values, sheets: Sheets, edition: Edition) -> tuple[tuple[e.Part, ...], tuple[str, str]]:
    """Everybody with their side, those whom somebody plays first named; and what the sides are called."""
    who = values["contestants"]
    named = [each["side"] for each in sorted(who, key=lambda each: not each["player"])]
    order = list(dict.fromkeys(named))
    if len(order) > 2:
        raise BadMove("A long contest has two sides. Put each one on one of two.", "side_three")
    found = []
    for each in who:
        sheet = sheets[each["sheet"]]
        number, ability = (None, "") if each["player"] else _best(sheet.id, sheets, values["base"], edition)
        found.append(e.Part(sheet.id, sheet.name, order.index(each["side"]), number, ability))
    for number, (name, written) in enumerate(opponents(values["opponents"], values["symbol"], edition)):
        resistance, _ = resistance_of(written, values["base"], values["symbol"], edition)
        if resistance < edition.difficulty.assured_below:
            raise BadMove(f"{name} resists nothing at {written}: no long contest is needed.", "opponents")
        found.append(e.Part(f"~{number}", name, 1, resistance))
    if not all(any(each.side == place for each in found) for place in (0, 1)):
        raise BadMove("Say who is against them: an NPC on the other side, or a name with a resistance.", "opponents")
    others = join([each.name for each in found if each.side == 1])
    sides = [*order, others if len(others) <= MOST_NAMED else OTHERS]
    return tuple(found), (sides[0] or "One side", sides[1] or OTHERS)


def opponents(text: str, symbol: str, edition: Edition) -> list[tuple[str, str]]:
    """Names with what was written as their resistance, "" for the base.

    >>> from rules.systems.questworlds.edition import FIRST
    >>> opponents("Captain Vey 17; Two wardens very low; Clerk", "M", FIRST)
    [('Captain Vey', '17'), ('Two wardens', 'very low'), ('Clerk', '')]
    """
    found = []
    for part in filter(None, (" ".join(each.split()) for each in re.split(r"[;\n]", text))):
        words = part.split(" ")
        for many in (2, 1):
            name, written = " ".join(words[:-many]), " ".join(words[-many:])
            if name and _is_resistance(written, symbol, edition):
                found.append((name, written))
                break
        else:
            found.append((part, ""))
    return found


def _is_resistance(written: str, symbol: str, edition: Edition) -> bool:
    try:
        resistance_of(written, None, symbol, edition)
    except BadMove:
        return False
    return True


def _best(who: str, sheets: Sheets, base: int, edition: Edition) -> tuple[int, str]:
    """What somebody whom nobody plays resists with: their best score, else the base."""
    sheet = sheets[who]
    scores = [(score, each.name) for each in usable(sheet) if (score := score_of(each, sheet)) is not None]
    number, name = max(scores, default=(base, ""))
    return max(edition.difficulty.least, number), name


def _pairs(parts: Sequence[e.Part], sheets: Sheets, edition: Edition) -> list[tuple[str, str]]:
    """Who faces whom: in the order of their best scores, as far as there are two (QW-47)."""
    def order(place: int) -> list[str]:
        best: Mapping[str, int] = {
            each.id: each.resistance if each.resistance is not None else _best(each.id, sheets, 0, edition)[0]
            for each in parts if each.side == place}
        return sorted(best, key=lambda who: -best[who])

    return list(zip(order(0), order(1), strict=False))
