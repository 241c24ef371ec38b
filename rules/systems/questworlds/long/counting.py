"""What counts for and against somebody: augments, lines with reasons, resistances (QW-21 to QW-23, QW-50)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.groups import resistance
from rules.systems.questworlds.long.nesting import elsewhere
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.traits import adds, bumps_down, family, score_of, together
from rules.values import BadMove
from rules.wording import join, sentence

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]
BUMP = "bump"
KINDS = (("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
         ("community", "A community’s resource"))


def augment(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """An offer of help, which the GM answers (QW-22)."""
    whom, sheet = values["whom"], sheets[by]
    trait = next(each for each in sheet.traits if each.id == values["trait"])
    using = state.entrant(whom).using
    if by == whom and using and akin(using, trait, packages=state.settings.packages):
        raise BadMove("What is used, or stands in the same keyword, does not augment itself. Choose another one.",
                      "trait")
    if any((each.by, each.whom) == (by, whom) and each.verdict != "refused" for each in state.proposals):
        raise BadMove("Each augments with one ability, once in a contest. One is offered already.", "trait")
    score = score_of(trait, sheet) or 0
    made = e.Proposed(by, sheet.name, whom, trait.id, trait.name, score, values["words"])
    text = f"{sheet.name} offers {trait.name} {notation(score, state.settings.symbol)} as an augment"
    words = f": {sentence(values['words'])}" if values["words"] else "."
    return e.Result((made,), (Step("QW-22", f"{text}{words}"),))


def akin(using: e.Choice, trait: Trait, *, packages: bool) -> bool:
    """Whether a line is what is used, or stands in the same keyword, so that it is no augment (QW-22)."""
    if trait.id == using.trait:
        return True
    return not packages and bool(using.family) and family(trait) == using.family


def answer(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM accepts an augment, for how much, or does not."""
    place = int(values["proposal"])
    offered, verdict = state.proposals[place], values["verdict"]
    if verdict == "refused":
        return e.Result((e.Answered(place, "refused", 0),), (Step("QW-22", f"{offered.name} does not help here."),))
    bonus = int(verdict)
    line = e.Line(offered.whom, "augment", offered.name, bonus, offered.words, offered.trait)
    text = f"{offered.name} of {offered.helper} helps {state.name_of(offered.whom)}: {signed(bonus)}."
    return e.Result((e.Answered(place, "assured", bonus), e.Added(line)), (Step("QW-22", text),))


def modify(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A modifier with its kind and its reason, for a round or for the whole contest (QW-21)."""
    who, (kind, _, written) = values["whom"], values["line"].partition(":")
    label, down = dict(KINDS)[kind], written == BUMP
    line = e.Line(who, kind, label, 0 if down else int(written), values["reason"], down=int(down),
                  once=values["span"] == "round")
    span = "for this round" if line.once else "for the whole contest"
    text = f"{state.name_of(who)}, {counts(line, state)} {span}. {label}: {sentence(line.reason)}"
    return e.Result((e.Added(line),), (Step("QW-21", text),))


def counts(line: e.Line, state: State) -> str:
    """What a line comes to, as people read it."""
    return said(line.amount, line.down, state.settings.symbol)


def take_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A line goes."""
    place = int(values["line"])
    gone = state.lines[place]
    text = f"{gone.label} of {state.name_of(gone.who)}, {counts(gone, state)}, no longer counts."
    return e.Result((e.Removed(place),), (Step("QW-21", text),))


def hinder(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """A flaw gets in its owner's way (QW-23)."""
    whom, trait = next((sheet, trait) for sheet in sheets.values()
                       if state.contestant(sheet.id) and (trait := sheet.trait(values["trait"])))
    if any(each.source == trait.id for each in state.lines):
        raise BadMove(f"{trait.name} hinders {whom.name} already.", "trait")
    line = e.Line(whom.id, "hindrance", trait.name, int(values["amount"]), values["reason"], trait.id)
    text = f"{trait.name} hinders {whom.name}: {counts(line, state)}."
    return e.Result((e.Added(line),), (Step("QW-23", text),))


def lasting(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Consequences and benefits that stand on the sheets count here (QW-60, QW-61)."""
    events: list[e.Event] = []
    steps = []
    for who in state.contestants:
        sheet = sheets.get(who.id)
        lines = [trait for id_ in values["lines"] if sheet and (trait := sheet.trait(id_))]
        if not lines:
            continue
        amount = together(lines, state.settings.by_value, state.edition)
        names = join([f"{each.name} {worth_of(each, state.settings.symbol, state.edition)}" for each in lines])
        line = e.Line(who.id, "lasting", names, amount, "", lines[0].id, sum(bumps_down(each) for each in lines))
        events.append(e.Added(line))
        steps.append(Step("QW-61" if len(lines) > 1 else "QW-60",
                          f"{who.name}: {names} comes to {counts(line, state)}."))
    if not events:
        raise BadMove("Choose what counts.", "lines")
    return e.Result(tuple(events), tuple(steps))


def support(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """What a community gave counts in the whole of it, and leaves the sheet with its end (QW-93)."""
    trait = next(each for each in sheets[by].traits if each.id == values["line"])
    line = e.Line(by, "community", trait.name, adds(trait, state.edition), trait.note, trait.id)
    text = f"{trait.name} counts for {sheets[by].name}: {counts(line, state)}."
    return e.Result((e.Added(line),), (Step("QW-93", text),))


def resist(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """The GM changes a resistance: another approach meets another one (QW-50)."""
    who = values["whom"]
    number = resistance(values["resistance"], state.settings.base, state.settings.symbol, state)
    why = f": {sentence(values['reason'])}" if values["reason"] else "."
    text = f"{state.name_of(who)} is at {notation(number, state.settings.symbol)} from now on{why}"
    return e.Result((e.Resisted(who, number, values["ability"]),), (Step("QW-50", text),))


def assists_from(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """Where assists begin (QW-48)."""
    words = {-1: "one rank under the base", 0: "at the base", 1: "one rank over the base"}[int(values["rank"])]
    return e.Result((e.AssistsFrom(int(values["rank"])),), (Step("QW-48", f"Assists begin {words}."),))


def pause(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """It goes on at another time, with its points (QW-59)."""
    return e.Result((e.Paused(),), (Step("QW-59", f"“{state.settings.prize}” rests. Its points stay as they are."),))


def resume(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> e.Result:
    """It goes on, in the scene that is on now (QW-58, QW-59)."""
    for each in state.contestants:
        if each.status == "in" and (title := elsewhere(state.context, each.id)):
            raise BadMove(f"{each.name} is in “{title}” just now, and no long contest stands inside another. End or "
                          "pause that one first.")
    scene = state.context.open_scene or ""
    return e.Result((e.Resumed(scene),), (Step("QW-59", f"“{state.settings.prize}” goes on, as it stood."),))
