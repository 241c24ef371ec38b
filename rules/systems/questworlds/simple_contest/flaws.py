"""Flaws in a contest: one that hinders, and one that has its way (QW-23, QW-24)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.engine import Act, Sheets, Values
from rules.fields import Choice, text
from rules.moves import Need, Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.experience import FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.reckoning import Modifier
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest.modifiers import Modified
from rules.systems.questworlds.simple_contest.opposition import Opposed
from rules.systems.questworlds.simple_contest.own_contests import hindered, roll_own
from rules.systems.questworlds.simple_contest.resolution import Ended, TookLesson
from rules.systems.questworlds.simple_contest.state import Phase, Result, State, named, of_entrants
from rules.systems.questworlds.simple_contest.values import Opposition, OwnRoll
from rules.systems.questworlds.traits import BONUSES, FLAWS, SCORED, flaws, score_of
from rules.values import BadMove


def offer_to_hinder(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM any line that gets in the way, to each who contends a flaw of their own (QW-23)."""
    if state.phase is Phase.MODIFY:
        if to_gm := hinder_form(state, sheets):
            yield to_gm
        yield from (offer for entrant in state.entrants if (offer := admit(state, sheets[entrant.id])))


def hinder_form(state: State, sheets: Sheets) -> Offer | None:
    """A flaw, or another line, that gets in the way (QW-23)."""
    choices = of_entrants(state, sheets, (*FLAWS, *SCORED, *BONUSES))
    options = tuple((pk, label) for pk, label in choices if pk not in state.overcome)
    if not options:
        return None
    amounts = tuple((str(-line), signed(-line)) for line in state.edition.modifiers.hindrance)
    fields = (
        text("trait", "Flaw", needed=True),
        Choice(name="amount", label="How much", options=amounts, default=amounts[0][0]),
        Choice(name="how", label="Is it in doubt?", default="straight",
               options=(("straight", "It applies"), ("rolled", "Roll the flaw against the base"))),
        text("reason", "Reason", most=200),
    )
    return Offer("hinder", "", "Apply a flaw", "", fields, {"trait": options}, rolls=True)


def admit(state: State, sheet: Sheet) -> Offer | None:
    """One's own flaw, that one says oneself gets in the way (QW-23)."""
    used = {line.source for line in state.modifiers if line.kind == "hindrance"}
    options = tuple((trait.id, named(state, sheet, trait)) for trait in flaws(sheet) if trait.id not in used)
    if not options:
        return None
    fields = (text("trait", "Flaw", needed=True), text("reason", "Reason", most=200))
    help = f"{signed(-state.edition.modifiers.hindrance[0])}, and it may be worth a point. The GM can remove it."
    return Offer("hinder", sheet.id, "Let a flaw hinder you", help, fields, {"trait": options})


def hinder(
    state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]
) -> Result | Need:
    """A flaw straight away, or after its own contest (QW-23); a penalty earns experience (QW-80)."""
    who, trait = _whose(state, sheets, values["trait"])
    if any((line.kind, line.source) == ("hindrance", trait.id) for line in state.lines(who)):
        raise BadMove(f"{trait.name} hinders {sheets[who].name} already.", "trait")
    amount = int(values.get("amount") or -state.edition.modifiers.hindrance[0])
    if values.get("how") == "rolled":
        if take(faces, 2) is None:
            return Need((SIDES,) * (2 - len(faces)))
        score = score_of(trait, sheets[who])
        return roll_own(state, sheets, OwnRoll(
            "hindrance", who, who, trait.id, trait.name, score, amount, values["reason"], -1, faces[0], faces[1]))
    take(faces, 0)
    reason = values["reason"] or (f"{sheets[by].name} says so" if by else "")
    made = Modifier(who, "hindrance", trait.name, amount, reason, trait.id, said_by=by)
    return Result((Modified(made),), hindered(state, sheets, made))


def offer_to_compel(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where a flaw has come up, and as long as the frame is open (QW-24)."""
    if not state.flaw_waits and (state.pair or not state.framing):
        return
    if lines := of_entrants(state, sheets, FLAWS):
        now = {"trait": lines[0][0]} if len(lines) == 1 else None
        yield Offer("compel", "", "Compel a flaw", "They act as it dictates: no dice, and 1 experience.",
                    (text("trait", "Flaw", needed=True),), {"trait": lines}, now=now)


def _owners(state: State, sheets: Sheets) -> list[str]:
    return [entrant.id for entrant in state.entrants if entrant.id in sheets and flaws(sheets[entrant.id])]


def ask_to_compel(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, where a flaw has come up; where there is none any more, that it is called off."""
    if state.flaw_waits:
        yield Ask("", "compel" if _owners(state, sheets) else "call_off", "compel the flaw", "Compel")


def compel(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A compelled act earns a point, and there is no contest (QW-24)."""
    who, trait = _whose(state, sheets, values["trait"])
    lesson, why, effects = learned(state, sheets[who], FLAW, trait.name, "compelled")
    text = Step("QW-24", f"{sheets[who].name} acts as {trait.name} dictates: no die falls.")
    lessons = [TookLesson.of(taught) for taught in lesson]
    return Result((*lessons, Ended("submitted")), (text, *why), effects=effects)


def offer_to_resist(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A flaw of one's own that one acts against: its score is then the resistance (QW-24)."""
    if not state.flaw_waits:
        return
    for entrant in state.entrants:
        sheet = sheets[entrant.id]
        if options := tuple((trait.id, named(state, sheet, trait)) for trait in flaws(sheet)):
            now = {"flaw": options[0][0]} if len(options) == 1 else None
            yield Offer("resist", sheet.id, "Act against a flaw",
                        "It takes a contest against the flaw’s own score.",
                        (text("flaw", "Flaw", needed=True),), {"flaw": options}, now=now)


def ask_to_resist(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Its owner, who may answer as well as the GM."""
    if state.flaw_waits:
        text = "act against the flaw, or wait until it is compelled"
        yield from (Ask(who, "resist", text, "Act", decision=True) for who in _owners(state, sheets))


def resist(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody acts against a flaw: it resists with its own score (QW-24)."""
    _, trait = _whose(state, sheets, values["flaw"])
    number = score_of(trait, sheets[by]) or state.settings.base
    opposition = Opposition(by, trait.name, number, f"the score of {trait.name}", flaw=trait.id, flaw_name=trait.name,
                         tie_to_player=state.settings.tie_to_player)
    text = (f"{sheets[by].name} acts against {trait.name}, which resists with "
            f"{notation(number, state.settings.symbol)}.")
    return Result((Opposed(opposition),), (Step("QW-24", text),))


def _whose(state: State, sheets: Sheets, trait_id: str) -> tuple[str, Trait]:
    """Whose line it is, among those who contend, and the line."""
    return next((entrant.id, trait) for entrant in state.entrants
                if (trait := sheets[entrant.id].trait(trait_id)) is not None)


HINDER = Act("hinder", offer_to_hinder, hinder)
RESIST = Act("resist", offer_to_resist, resist, ask_to_resist)
COMPEL = Act("compel", offer_to_compel, compel, ask_to_compel)
