"""The pool of a check, each die with its reason: a player puts it together, the GM agrees (DW-02, DW-08 to DW-14)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import Allocation, Field, Listing, Text, Whole
from rules.moves import Step, take
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import HEIGHTS
from rules.systems.danger_world.hint import pool_odds
from rules.systems.danger_world.moves import HEALING, HEALS
from rules.systems.danger_world.reading import (
    BONUS,
    MOVE,
    POINTS,
    SETBACK,
    STAT,
    branches,
    dice,
    filled,
    growable,
    level_of,
    of_kind,
    rank_at,
)
from rules.systems.danger_world.reckoning import Invoked, Proposal, Reason, Terms, terms
from rules.systems.danger_world.table.challenges import CHALLENGE, reasons_for, waiting
from rules.systems.danger_world.table.state import Result, State
from rules.tray import Around, TrayAct, TrayRoll, Treatment
from rules.values import BadMove, Value
from rules.why import LEFT_OUT, ON_THE_SHEET, Part, Why
from rules.wording import join

ORIGINS = {"DW-05": "won before", "DW-08": "taken by choice", "DW-10": "paid with story points",
           "DW-11": "how far down its track it is", "DW-14": "a filled box"}
MOST_POINTS = 12
# How hard it is is the GM's word: of a player's they agree to it with the pool, whatever the campaign's setting says.
ON_ONES_WORD: Mapping[str, Value] = {"agree": True, "said": True}
HEALING_MOVE = "healing"  # as the setup of a check names it
RATED = tuple(field.name for field in CHALLENGE)
ID = Text(name="id", label="Trait")


@dataclass(frozen=True)
class Proposed(Event[State]):
    """The player said which dice to throw. While they undo a setback, its height is the difficulty (DW-07); the
    challenge's own waits until they undo none. 0 is none, and what earlier trails hold: there the GM's word follows."""

    proposal: Proposal
    undoing: int = 0

    def after(self, state: State) -> State:
        own = state.own_difficulty
        return replace(state, proposal=self.proposal, agreed=False, base=self.undoing or own,
                       aside=own if self.undoing else 0)


@dataclass(frozen=True)
class Agreed(Event[State]):
    """The GM agreed to the pool."""

    def after(self, state: State) -> State:
        # What was agreed to of a setback's height says nothing of the challenge, which the player may turn back to.
        return replace(state, agreed=True, said=state.said and state.undoing)


def terms_of(state: State, sheet: Sheet, proposal: Proposal) -> Terms:
    """The terms of this check with such a pool; raises `BadMove`."""
    return terms(sheet, proposal, state.rated, reasons_for(state.title, state.complications, waiting(state)))


def offer_pool(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the one who tries, before the dice fall."""
    if state.may_pool(sheets):
        yield pool_offer(state, sheets[state.who])


def pool_offer(state: State, sheet: Sheet) -> Offer:
    """What a pool is made of: stats, bonus dice, story points, danger (DW-02)."""
    fields: list[Field] = [Listing(name="stats", label="Two stats", of=ID, most=2, missing="Choose two stats.",
                                   help="Agree on them with your GM. Each adds its dice.")]
    options: dict[str, Options] = {
        "stats": tuple((stat.id, f"{stat.name} · {stat.now}") for stat in of_kind(sheet, STAT)),
    }
    if held := of_kind(sheet, BONUS):
        fields.append(Listing(name="bonus", label="Bonus dice that you hold", of=ID, default=(),
                              help="Used up with this check."))
        options["bonus"] = tuple((bonus.id, f"{bonus.name} · {bonus.value}") for bonus in held)
    points = ""
    if sheet.pool(POINTS):
        aspects, more = _aspects(sheet)
        fields += aspects
        options |= more
        points = f"Story points left: {sheet.pool(POINTS)}. Each one spent on an aspect adds a die."
    rank = rank_at(level_of(sheet))
    fields.append(Whole(name="danger", label="Danger dice", default=0, most=rank,
                        help=f"Up to {rank} in this zone. Each one in your set raises the danger."))
    if setbacks := of_kind(sheet, SETBACK):
        fields.append(Text(name="undoes", label="This undoes a setback"))
        options["undoes"] = tuple((setback.id, f"{setback.name} · height {setback.value}") for setback in setbacks)
    return Offer("propose", sheet.id, "Change the pool" if state.proposal else "Choose your dice", points,
                 tuple(fields), options, rolls=True, now=_as_proposed(state, options))


def _aspects(sheet: Sheet) -> tuple[list[Field], dict[str, Options]]:
    """Story points on aspects that are known, and on one that is declared now."""
    fields: list[Field] = [Allocation(name="points", label="Story points", default={}, most=MOST_POINTS)]
    options: dict[str, Options] = {"points": tuple(
        (branch.trait.id, f"Story points on {branch.trait.name}{f', {branch.depth} more' if branch.depth else ''}")
        for branch in branches(sheet)
    )}
    if places := growable(sheet):
        fields += [
            Text(name="name", label="A new aspect", most=120, help="Declared at the moment in which you need it."),
            Text(name="under", label="Belongs to"),
            Whole(name="new_points", label="Story points on it", default=0, most=MOST_POINTS),
        ]
        options["under"] = places
    return fields, options


def _as_proposed(state: State, options: dict[str, Options]) -> dict[str, Value]:
    """The pool as it was put together, so that its form opens with it."""
    was = state.proposal
    if was is None:
        return {}
    now: dict[str, Value] = {"stats": list(was.stats), "danger": was.danger}
    if "bonus" in options:
        now["bonus"] = list(was.bonus)
    if "undoes" in options:
        now["undoes"] = was.undoes
    places = [id_ for id_, _ in options.get("points", ())]
    for invoked in was.invoked:
        if invoked.aspect in places:
            now[f"points_{places.index(invoked.aspect)}"] = invoked.points
        elif not invoked.aspect and "under" in options:
            now |= {"name": invoked.name, "under": invoked.under, "new_points": invoked.points}
    return now


def proposal_from(values: Mapping[str, Any]) -> Proposal:
    """What the form of the pool says; raises `BadMove`."""
    if len(values["stats"]) != 2:
        raise BadMove("Choose two stats.", "stats")
    invoked = [Invoked(id_, number) for id_, number in values.get("points", {}).items()]
    name, under, number = values.get("name", ""), values.get("under", ""), values.get("new_points", 0)
    if name or number:
        if not name:
            raise BadMove("Enter a name for the aspect.", "name")
        if not under:
            raise BadMove("Choose where the aspect belongs.", "under")
        if not number:
            raise BadMove("A new aspect takes at least one story point. Put one on it.", "new_points")
        invoked.append(Invoked("", number, name, under))
    return Proposal(values["stats"], values.get("bonus", ()), tuple(invoked), values["danger"],
                    values.get("undoes", ""))


def propose(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The player says which dice to throw; the difficulty is that of a setback while one is to be undone."""
    take(faces, 0)
    sheet = sheets[state.who]
    proposal = proposal_from(values)
    known = terms_of(state, sheet, proposal)
    stats = join([trait.name for id_ in proposal.stats if (trait := sheet.trait(id_))])
    steps = [Step("DW-02", f"{sheet.name} rolls {stats}: {known.words}."), *known.steps]
    setback = sheet.trait(proposal.undoes)
    if setback and not (state.undoing and state.base == setback.value):
        steps.append(Step("DW-07", f"Undoing {setback.name} takes a height of {setback.value}."))
    elif not setback and state.undoing:
        steps.append(Step("DW-07", f"No setback is undone: {state.title} has its difficulty of {state.aside} again."))
    return Result((Proposed(proposal, setback.value if setback else 0),), tuple(steps))


def ask_pool(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The player, while there is no pool."""
    if state.may_pool(sheets) and state.proposal is None:
        yield Ask(state.who, "propose", "choose your dice", "Choose")


def odds(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The exact odds of a pool, as its form says or as it was put together."""
    proposal = proposal_from(values) if offer.action == "propose" else state.proposal
    if proposal is None:
        return ()
    known = terms_of(state, sheets[offer.by], proposal)
    return ((f"{known.words} against {known.difficulty}", pool_odds(known)),)


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """Each die of the pool with its reason, and what is to be reached, before it is agreed to or rolled (DW-02)."""
    sheet, proposal = sheets[offer.by], proposal_from(values) if offer.action == "propose" else state.proposal
    known = terms_of(state, sheet, proposal) if proposal else None
    if known is None or proposal is None:
        return None
    pool = [_as_part(reason, sheet, proposal) for reason in known.reasons]
    rated = Part(str(known.difficulty), "Difficulty", _sayer(state, sheet))
    keywords = [Part("", step.text.rstrip("."), "a keyword") for step in known.rated.steps]
    idle = [Part(f"+{dice(bonus.value)}", bonus.name, f"{LEFT_OUT}: bonus dice", bonus.id)
            for bonus in of_kind(sheet, BONUS) if bonus.id not in proposal.bonus]
    return Why(f"{dice(known.pool.all)} against {known.difficulty}", (*pool, rated, *keywords), tuple(idle))


def _as_part(reason: Reason, sheet: Sheet, proposal: Proposal) -> Part:
    """Dice and why they are thrown: a stat as it is hurt now, a box, an aspect, or the GM's word."""
    stat = next((line for line in sheet.traits if line.id in proposal.stats and line.name == reason.why), None)
    if stat and reason.rule == "DW-02":
        hurt = f", {stat.value} less {stat.damage} damage" if stat.damage else ""
        return Part(reason.counts, stat.name, f"{ON_THE_SHEET}{hurt}", stat.id, lasts=bool(stat.damage))
    return Part(reason.counts, reason.why, ORIGINS.get(reason.rule, "the GM says so"))


def _sayer(state: State, sheet: Sheet) -> str:
    """Where how hard it is comes from."""
    return "what undoing the setback takes" if state.undoing else f"{sheet.name if state.said else 'the GM'} says so"


def said_by(state: State, sheet: Sheet) -> str:
    """That how hard it is stands on the word of whoever plays, as a sentence; "" where somebody else says it."""
    return f"{sheet.name} says: against a difficulty of {state.rated.difficulty}." if (
        state.said and not state.undoing) else ""


def offer_agreeing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where they agree to each pool."""
    if state.pools(sheets) and state.waits_for_agreement:
        yield Offer("agree", "", "Agree to the pool")


def agree(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The pool may be rolled as it is."""
    return Result((Agreed(),), (Step("DW-02", f"The GM agrees to {sheets[state.who].name}’s pool."),))


def ask_agreeing(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM."""
    if state.waits_for_agreement:
        yield Ask("", "agree", "agree to the pool", "Agree")


def tray(sheet: Sheet, obstacles: Options) -> Offer:
    """The difficulty, then what the pool is made of."""
    pool = pool_offer(State(who=sheet.id), sheet)
    against: tuple[Field, ...] = CHALLENGE[:1]
    named = dict(pool.options or {})
    now: dict[str, Value] = {}
    if obstacles:
        against = (Text(name="obstacle", label="Against"), *against)
        named["obstacle"], now["obstacle"] = obstacles, obstacles[-1][0]
    if len(stats := named["stats"]) == 2:
        now["stats"] = [pk for pk, _ in stats]
    fields = (*against[:1], *pool.fields, *against[1:])
    return Offer("propose", sheet.id, "Roll", pool.help, fields, named, rolls=True, now=now)


def from_tray(
    sheet: Sheet, setup: Mapping[str, Value], given: Mapping[str, Value], around: Around
) -> TrayRoll:
    """The check, the pool, and the dice, unless the GM agrees to each pool first. How hard it is is the GM's word, or
    where none is there to be asked that of whoever plays, marked as theirs, or what undoing a setback takes; raises
    `BadMove` where nobody said it."""
    obstacle = around.against
    if obstacle and given.get("undoes"):
        raise BadMove("Undoing a setback is a check of its own. Make a check for it, or choose no setback.", "undoes")
    setback = sheet.trait(str(given.get("undoes", "")))
    if not obstacle and "difficulty" not in given and setback is None:
        raise BadMove("Ask the GM for the difficulty.", "difficulty")
    rated = {name: given[name] for name in RATED if name in given}
    if not obstacle and "difficulty" not in given and setback:
        # What it takes is known: the check is of that height, and is agreed to as any that a player begins.
        setup = {**setup, "difficulty": str(max(setback.value, HEIGHTS[0])), **ON_ONES_WORD}
    if obstacle:
        rated = {"title": obstacle.name, **{name: obstacle.values[name] for name in RATED if name in obstacle.values}}
    if obstacle and obstacle.patient:
        rated |= {"move": HEALING_MOVE, "contestants": [{"sheet": sheet.id}, {"sheet": obstacle.patient}]}
    pool = {name: value for name, value in given.items() if name not in (*RATED, "obstacle")}
    acts = [TrayAct("propose", sheet.id, pool)]
    # Where the GM has said how hard it is, nobody has to agree to anything more.
    if obstacle or not setup.get("agree", True):
        acts.append(TrayAct("roll", sheet.id, {}))
    stats = given.get("stats", ())
    uses = tuple(map(str, stats)) if isinstance(stats, Sequence) else ()
    said: dict[str, Value] = {"agree": False} if obstacle else {} if around.runs else {"said": True}
    return TrayRoll({**setup, **rated, **said}, tuple(acts), uses)


def treatments(healer: Sheet, patient: Sheet) -> tuple[Treatment, ...]:
    """A healing for each zone in which the patient has a filled box, the gravest first (DW-14, DW-16).

    *Ruling*: the table of healing says how hard it is, as an obstacle of the GM’s would; so nobody agrees to the pool.
    """
    if not any(HEALING.name.casefold() in move.name.casefold() for move in of_kind(healer, MOVE)):
        return ()
    return tuple(
        Treatment(zone.name, f"Heal {patient.name}: {zone.name}", {"difficulty": str(row), "keywords": "", "threat": 0})
        for row, zones in sorted(HEALS.items(), reverse=True) for zone in reversed(zones) if filled(patient, zone))


PROPOSE = Act("propose", offer_pool, propose, ask_pool, odds, why)
AGREE = Act("agree", offer_agreeing, agree, ask_agreeing)
EVENTS = (Proposed, Agreed)
