"""What stands against those who contend: the offer and the act, and how many of it there are (QW-03, QW-20, QW-28)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.contests import Offer
from rules.fields import Choice, Field, Flag, Whole
from rules.moves import Step
from rules.systems.questworlds.bank import situations
from rules.systems.questworlds.crowds import BODIES, WORDS, Heads, heads
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import ASSURED, Options, Sheets, entrants, named, text
from rules.systems.questworlds.framed.done import Done, end
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.notation import ScoreField, notation, of_rank, signed
from rules.systems.questworlds.resistance import LEAST, resistance_of
from rules.systems.questworlds.traits import adds, flaws, lasting, score_of
from rules.values import BadMove, Value

WAYS = ((BODIES, "With bodies: six at most get at one"), (WORDS, "With words: two at most talk at one"))
MANY = 10**6


def oppose(state: State, sheets: Sheets) -> Offer:
    """What stands in the way, and what is at stake."""
    symbol, base = state.settings.symbol, state.settings.base
    fields: tuple[Field, ...] = (
        text("name", "Who or what stands against it", most=120),
        text("resistance", "Resistance", f"A score (17, 7{symbol}), a rank (+6, −{symbol}) or a name (low, high). "
             f"Left open it is the base, {notation(base, symbol)}.", most=20),
        text("prepared", "Or from your bank"),
        text("rival", "Or another one of them", "The two roll against each other, on two sides."),
        text("stake", "What is at stake"),
        Flag(name="ending", label="A story may end here", help="Their player has to accept it before the dice."),
        Flag(name="tie_to_player", label="A tie goes to the player", default=state.settings.tie_to_player),
        Choice(name="assured", label="Is it in doubt?", options=ASSURED, default=""),
        text("threshold", "It takes somebody who is"),
        ScoreField(name="least", label="It takes a score of", may_lack=True, default=None, symbol=symbol),
        text("second_prize", "A second goal", "Both are won on a better result, one of the two on a better die."),
        text("heals", "It heals", "The resistance is then the base and its rank."),
        text("flaw", "It is against a flaw", "The flaw's score is then the resistance."),
    )
    options = _options(state, sheets)
    if state.settings.mode == "group":
        fields = (text("whom", "For whom", "Left open: for all who have nothing of their own."), *fields)
    fields = tuple(each for each in fields if options.get(each.name, True))
    title = "Change what stands against it" if state.oppositions else "Say what stands against it"
    return Offer("oppose", "", title, "", fields, {name: each for name, each in options.items() if each},
                 now={name: value for name, value in _as_it_stands(state, sheets).items()
                      if name in {each.name for each in fields}})


def _options(state: State, sheets: Sheets) -> dict[str, Options]:
    symbol, group = state.settings.symbol, state.settings.mode == "group"
    hurt = tuple(
        (trait.id, f"{sheet.name}: {trait.name}, {signed(adds(trait), symbol)}")
        for sheet in sheets.values() for trait in lasting(sheet) if adds(trait) < 0
    )
    own = tuple((trait.id, f"{sheets[each.id].name}: {named(state, sheets[each.id], trait)}")
                for each in state.entrants for trait in flaws(sheets[each.id]))
    takes = tuple((name, f"{name}: {notation(least, symbol)}") for name, least in state.settings.thresholds)
    return {"prepared": tuple((key, words) for key, words, *_ in _bank(state)), "heals": hurt, "flaw": own,
            "threshold": takes, "whom": entrants(state) if group else (), "rival": entrants(state) if group else ()}


def _bank(state: State) -> list[tuple[str, str, str, str, str]]:
    """Each situation of what is prepared (QW-77): a key, words to choose by, then name, situation and resistance."""
    found = []
    for id_, name, spec in state.around.prepared:
        for place, each in enumerate(situations(spec)):
            told = f", {each.words[:1].lower()}{each.words[1:]}" if each.words else ""
            words = f"{name}{told}: {each.resistance or 'the base'}"
            found.append((f"{id_}.{place}", words, name, each.words, each.resistance))
    return found


def _as_it_stands(state: State, sheets: Sheets) -> dict[str, Value]:
    if not state.oppositions:
        return _meant(state, sheets)
    found = _of(state, "")
    if found is None:
        return {}
    now: dict[str, Value] = {
        "name": found.name, "resistance": notation(found.resistance - found.crowd, state.settings.symbol),
        "stake": found.stake, "ending": found.ending, "tie_to_player": found.tie_to_player, "assured": found.assured,
        "second_prize": found.second_prize, "heals": found.heals, "flaw": found.flaw,
    }
    return now if found.least is None else {**now, "least": notation(found.least, state.settings.symbol)}


def _meant(state: State, sheets: Sheets) -> dict[str, Value]:
    """What has the obstacle's name: a consequence that is to be healed (QW-62), or something prepared (QW-77)."""
    name = state.settings.obstacle.casefold()
    for sheet in sheets.values():
        for trait in lasting(sheet):
            if adds(trait) < 0 and trait.name.casefold() == name:
                return {"heals": trait.id}
    return next(({"prepared": key} for key, _, called, *_ in _bank(state) if called.casefold() == name), {})


def set_against(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """What stands against it (QW-03, QW-04, QW-20)."""
    if values.get("rival"):
        return _rival(state, values)
    symbol = state.settings.symbol
    name, number, told = _number(state, sheets, values)
    flaw = next((trait for sheet in sheets.values() if (trait := sheet.trait(values.get("flaw", "")))), None)
    if not name:
        raise BadMove("Say who or what stands against it.", "name")
    found = e.Opposition(
        values.get("whom", ""), name, number, told, values["stake"], values["ending"], values["tie_to_player"],
        values["assured"] or ("rolled" if number < 1 else ""), _least(state, values), values["second_prize"],
        values.get("heals", ""), values.get("flaw", ""), flaw.name if flaw else "")
    if (before := _of(state, found.who)) and before.crowd and before.name == name:
        found = _crowded(found, before.crowd, before.heads)
    if found.crowd:
        told = f"{told or notation(number, symbol)}, and {signed(found.crowd, symbol)} for the heads"
    steps = [Step("QW-03", f"Against it: {name} at {notation(found.resistance, symbol)}{f', {told}' if told else ''}."),
             *_besides(state, found)]
    return Done((e.Opposed(found),), tuple(steps))


def _rival(state: State, values: Mapping[str, Any]) -> Done:
    """Two of a group on two sides (QW-42): neither has a resistance."""
    who, rival = values["whom"], values["rival"]
    if not who or who == rival:
        raise BadMove("Say for whom: two different ones stand against each other.", "whom")
    if any(each.rival and each.who != who and {each.who, each.rival} & {who, rival} for each in state.oppositions):
        raise BadMove("One of the two stands against somebody else already. Change that first.", "rival")
    names = state.entrant(who).name, state.entrant(rival).name
    found = e.Opposition(who, names[1], 0, "", values["stake"], values["ending"], least=_least(state, values),
                         second_prize=values["second_prize"], rival=rival)
    told = Step("QW-42", f"{names[0]} and {names[1]} stand against each other. {names[1]} is on the other side.")
    return Done((e.Opposed(found),), (told, *_besides(state, found)))


def _least(state: State, values: Mapping[str, Any]) -> int | None:
    least: int | None = values["least"]
    return least if least is not None else dict(state.settings.thresholds).get(values.get("threshold", ""))


def _number(state: State, sheets: Sheets, values: Mapping[str, Any]) -> tuple[str, int, str]:
    """The name of what stands against it, its resistance, and how the number came."""
    symbol, base = state.settings.symbol, state.settings.base
    name, written = values["name"], values["resistance"]
    if prepared := next((each for each in _bank(state) if each[0] == values.get("prepared")), None):
        _, _, called, words, resistance = prepared
        name = name or (f"{called}, {words[:1].lower()}{words[1:]}" if words else called)
        written = written or resistance
    number, told = resistance_of(written, base, symbol)
    before = _of(state, values.get("whom", ""))
    if before and written == notation(before.resistance - before.crowd, symbol):
        told = before.told or told
    every = {trait.id: (trait, sheet) for sheet in sheets.values() for trait in sheet.traits}
    if healed := every.get(values.get("heals", "")):
        number, told = base - adds(healed[0]), f"the base, and {signed(-adds(healed[0]), symbol)} for {healed[0].name}"
        name = name or healed[0].name
    if flaw := every.get(values.get("flaw", "")):
        number, told = score_of(*flaw) or base, f"the score of {flaw[0].name}"
        name = name or flaw[0].name
    return name, number, told


def _besides(state: State, found: e.Opposition) -> list[Step]:
    steps = []
    if found.stake:
        steps.append(Step("QW-20", f"At stake: {end(found.stake)}"))
    if found.ending:
        steps.append(Step("QW-63", "A story may end here. No die falls before its player accepts it."))
    if found.assured:
        steps.append(Step("QW-40", "The victory is assured."))
    if found.least is not None:
        steps.append(Step("QW-30", f"It takes a score of {notation(found.least, state.settings.symbol)}."))
    if found.second_prize:
        steps.append(Step("QW-27", f"A second goal: {end(found.second_prize)}"))
    return steps


def _of(state: State, who: str) -> e.Opposition | None:
    return next((each for each in state.oppositions if each.who == who), None)


def stakes(state: State) -> Offer:
    """What is at stake between two, or for one of them (QW-20, QW-63)."""
    fields = (
        text("whom", "For whom", "Left open: for both."), text("stake", "What is at stake", needed=True),
        Flag(name="ending", label="A story may end here", help="Their player has to accept it before the dice."),
    )
    return Offer("stakes", "", "Say what is at stake", "", fields, {"whom": entrants(state)})


def set_stakes(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """Two stand against each other: there is no resistance to set, only what each may lose."""
    whom = values["whom"]
    found = [e.Opposition(each.id, "", 0, "", values["stake"], values["ending"])
             for each in state.entrants if whom in ("", each.id)]
    names = " and ".join(state.entrant(each.who).name for each in found)
    first = Step("QW-20", f"At stake for {names}: {end(values['stake'])}")
    ending = Step("QW-63", "A story may end here. No die falls before its player accepts it.")
    return Done(tuple(e.Opposed(each) for each in found), (first, *([ending] if values["ending"] else [])))


def crowd(state: State) -> Offer | None:
    """Heads against heads, once there is a resistance for them to change (QW-28)."""
    counted = [each for each in state.oppositions if not each.rival]
    if state.pair or not counted:
        return None
    fields: list[Field] = [
        Whole(name="them", label="How many of them", default=1, least=1, most=MANY),
        Whole(name="us", label="How many of us", default=len(state.entrants), least=1, most=MANY,
              help="Followers count too."),
        Choice(name="way", label="How they contend", options=WAYS, default=BODIES),
        Choice(name="amount", label="What it makes of the resistance", default="", options=(
            ("", "What the heads say"), *((str(each), signed(each)) for each in (9, 6, 3, 0, -3, -6, -9)))),
    ]
    options: dict[str, Options] = {}
    if len(counted) > 1:
        fields.insert(0, text("whom", "For what stands against", "Left open: for all."))
        options["whom"] = tuple((each.who, state.entrant(each.who).name) for each in counted if each.who)
    return Offer("crowd", "", "Count heads", "Many against few: two on one are +3, three or four +6, more +9.",
                 tuple(fields), options)


def count_heads(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """The larger side divides among the smaller, which makes a resistance harder, or easier (QW-28)."""
    counted = heads(values["them"], values["us"], values["way"])
    by_rank = of_rank(counted.rank)
    amount = int(values["amount"]) if values["amount"] else by_rank
    told, symbol = _heads(values["them"], values["us"], counted), state.settings.symbol
    found, steps = [], [Step("QW-28", f"{values['them']} of them against {values['us']} of us: {told}.")]
    if amount != by_rank:
        steps.append(Step("QW-28", f"The GM makes it {signed(amount)}; the heads say {signed(by_rank)}."))
    for each in state.oppositions:
        if not each.rival and values.get("whom", "") in ("", each.who):
            changed = _crowded(each, amount, told)
            found.append(e.Opposed(changed))
            before = notation(each.resistance - each.crowd, symbol)
            floor = "" if changed.crowd == amount else f"; {LEAST} is the least"
            steps.append(Step("QW-28", f"{each.name}: {before}, {signed(amount, symbol)} for the heads, comes to "
                                       f"{notation(changed.resistance, symbol)}{floor}."))
    return Done(tuple(found), tuple(steps))


def _heads(them: int, us: int, counted: Heads) -> str:
    if counted.each == 1:
        return "one on one"
    more, whose = ("of them", "of us") if them > us else ("of us", "of them")
    told = f"{counted.each} {more} on {'one' if min(them, us) == 1 else 'each'} {whose}"
    return told if counted.engaged == counted.each else f"{told}, {counted.engaged} at a time"


def _crowded(found: e.Opposition, amount: int, told: str) -> e.Opposition:
    """With what the heads make of it; a resistance that was 6 or more does not fall under 6 by it (QW-03)."""
    alone = found.resistance - found.crowd
    number = max(alone + amount, min(alone, LEAST))
    return replace(found, resistance=number, crowd=number - alone, heads=told)
