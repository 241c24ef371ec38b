"""What stands against those who contend: a resistance, a rival, what is at stake (QW-03, QW-20)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice, Field, Flag, text
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Trait
from rules.systems.questworlds.bank import situations
from rules.systems.questworlds.notation import ScoreField, notation, signed
from rules.systems.questworlds.older.states import heals, rousable, worth_of
from rules.systems.questworlds.origins import ON_THE_GMS_WORD, TO_THE_PLAYER
from rules.systems.questworlds.reckoning import stands_at
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.simple_contest.state import Phase, Result, State, entrants, named
from rules.systems.questworlds.simple_contest.values import Opposition
from rules.systems.questworlds.traits import flaws, lasting, score_of, usable
from rules.values import BadMove, Value
from rules.why import Part, Why
from rules.wording import join, sentence

HEALS, ROUSES = "heals", "rouses"  # the fields that name a line which victory mends
ASSURED = (
    ("", "Roll for it"),
    ("won", "Victory without a roll"),
    ("rolled", "Victory; roll for what else comes of it"),
)
THE_RESISTANCE = "The resistance"  # where nobody has said what it is


@dataclass(frozen=True)
class Opposed(Event[State]):
    """The GM says what stands against one, or all. What was accepted was the frame before it: it is accepted anew."""

    opposition: Opposition

    def after(self, state: State) -> State:
        whom = self.opposition.who
        kept = tuple(against for against in state.oppositions if against.who != whom)
        waiting = tuple(replace(entrant, accepted=entrant.accepted and whom not in ("", entrant.id))
                        for entrant in state.entrants)
        return replace(state, oppositions=(*kept, self.opposition), entrants=waiting)


def offer_resistance(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as the frame is open, unless two stand against each other."""
    if state.framing and not state.pair:
        yield resistance_form(state, sheets)


def resistance_form(state: State, sheets: Sheets) -> Offer:
    """Obstacle, and what is at stake."""
    symbol, base = state.settings.symbol, state.settings.base
    fields: tuple[Field, ...] = (
        text("name", "Opponent", "Leave blank to use the obstacle.", most=120),
        text("resistance", "Resistance", f"A score (17, 7{symbol}), a rank (+6, −{symbol}) or a name (low, high). "
             f"Leave blank for the base, {notation(base, symbol)}.", most=20),
        text("npc", "Or an NPC who is here", "The ability that they use is the resistance."),
        text("prepared", "Or from your bank"),
        text("rival", "Or another one of them", "The two roll against each other, on two sides."),
        text("stake", "At stake"),
        Flag(name="ending", label="A story may end here", help="Their player has to accept it before the dice."),
        Flag(name="tie_to_player", label="A tie goes to the player", default=state.settings.tie_to_player),
        Choice(name="assured", label="Is it in doubt?", options=ASSURED, default=""),
        Flag(name="announced", label="The players know before the roll", help="Where the victory is assured."),
        text("threshold", "It takes someone who is"),
        ScoreField(name="least", label="It takes a score of", may_lack=True, default=None, symbol=symbol),
        text("second_prize", "A second goal", "Both are won on a better result, one of the two on a better die."),
        text("heals", "It heals", "The resistance is then the base and its rank."),
        text("rouses", "A contest of wherewithal", "The resistance is the base; a victory allows one final action."),
        text("flaw", "It is against a flaw", "The flaw’s score is then the resistance."),
    )
    options = _options(state, sheets)
    if state.settings.mode == "group":
        fields = (text("whom", "Character", "Leave blank for everyone without one of their own."), *fields)
    fields = tuple(field for field in fields if options.get(field.name, True))
    title = "Change the resistance" if state.oppositions else "Set the resistance"
    return Offer("oppose", "", title, "", fields, {name: listed for name, listed in options.items() if listed},
                 now={name: value for name, value in _as_it_stands(state, sheets).items()
                      if name in {field.name for field in fields}}, previews=True)


def _options(state: State, sheets: Sheets) -> dict[str, Options]:
    symbol, group = state.settings.symbol, state.settings.mode == "group"
    hurt = tuple(
        (trait.id, f"{sheet.name}: {trait.name}, {worth_of(trait, symbol, state.edition)}")
        for sheet in sheets.values() for trait in lasting(sheet) if heals(trait)
    )
    own = tuple((trait.id, f"{sheets[entrant.id].name}: {named(state, sheets[entrant.id], trait)}")
                for entrant in state.entrants for trait in flaws(sheets[entrant.id]))
    takes = tuple((name, f"{name}: {notation(least, symbol)}") for name, least in state.settings.thresholds)
    npcs = tuple((key, words) for key, words, *_ in _npcs(state, sheets))
    bank = tuple((case.key, case.words) for case in _bank(state))
    members = entrants(state) if group else ()
    dying = tuple(trait for entrant in state.entrants if entrant.id in sheets for trait in rousable(sheets[entrant.id]))
    return {"npc": npcs, "prepared": bank, "heals": hurt, "rouses": dying, "flaw": own, "threshold": takes,
            "whom": members, "rival": members}


@dataclass(frozen=True, slots=True)
class _Case:
    """A situation of what is prepared (QW-77): a key, words to choose by, the GM's name of it, what players call it."""

    key: str
    words: str
    name: str
    called: str
    resistance: str


def _bank(state: State) -> list[_Case]:
    """Each situation of what is prepared. What players don't know of it, they don't read by its resistance."""
    cases = []
    for item in state.context.prepared:
        for place, case in enumerate(situations(item.fields)):
            words = f"{item.name}{case.behind}: {case.resistance or 'the base'}"
            called = f"{item.called}{case.behind if item.known else ''}"
            cases.append(_Case(f"{item.id}.{place}", words, item.name, called, case.resistance))
    return cases


def _as_it_stands(state: State, sheets: Sheets) -> dict[str, Value]:
    if not state.oppositions:
        return _meant(state, sheets)
    now = _of(state, "")
    if now is None:
        return {}
    values: dict[str, Value] = {
        "name": now.name, "resistance": _alone(now, state.settings.symbol),
        "stake": now.stake, "ending": now.ending, "tie_to_player": now.tie_to_player, "assured": now.assured,
        "second_prize": now.second_prize, "heals": now.heals, "flaw": now.flaw, "announced": now.announced,
        "rouses": now.rouses,
    }
    return values if now.least is None else {**values, "least": notation(now.least, state.settings.symbol)}


def _meant(state: State, sheets: Sheets) -> dict[str, Value]:
    """What has the obstacle's name: a consequence that is to be healed (QW-62), or something prepared (QW-77)."""
    if mended := to_mend(state, sheets):
        return {mended[0].field: mended[0].line}
    name = state.settings.obstacle.casefold()
    return next(({"prepared": case.key} for case in _bank(state) if case.name.casefold() == name), {})


@dataclass(frozen=True)
class Mending:
    """A line that a contest would mend: `HEALS` or `ROUSES`, its id, whose it is and its name, what resists that."""

    field: str
    line: str
    words: str
    resistance: int


def to_mend(state: State, sheets: Sheets) -> tuple[Mending, ...]:
    """The lines that have the obstacle's name, and that a victory would mend (QW-62, QW-A6)."""
    name, contending = state.settings.obstacle.casefold(), {entrant.id for entrant in state.entrants}
    lines, base = [], state.settings.base
    for sheet in sheets.values():
        for trait in lasting(sheet):
            if trait.name.casefold() != name:
                continue
            if sheet.id in contending and trait.id in dict(rousable(sheet)):
                lines.append(Mending(ROUSES, trait.id, f"{sheet.name}: {trait.name}", base))
            elif heals(trait):
                lines.append(Mending(HEALS, trait.id, f"{sheet.name}: {trait.name}", base + _resists(state, trait)))
    return tuple(lines)


def _resists(state: State, trait: Trait) -> int:
    """What a line adds to the base where it is to be healed (QW-62)."""
    return state.policy.resists(trait, state.edition)


def ask_for_resistance(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, once all have said what they do."""
    silent = any(not entrant.chosen and entrant.id in sheets for entrant in state.entrants)
    if state.phase is Phase.FRAME and not state.flaw_waits and not silent:
        yield Ask("", "oppose", "set the resistance", "Set")


def set_against(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What stands against it (QW-03, QW-04, QW-20)."""
    if values.get("rival"):
        return _rival(state, values)
    symbol = state.settings.symbol
    name, number, why = _number(state, sheets, values)
    name = name or state.settings.obstacle[:120] or THE_RESISTANCE
    flaw = next((trait for sheet in sheets.values() if (trait := sheet.trait(values.get("flaw", "")))), None)
    assured = values["assured"] or ("rolled" if number < state.edition.difficulty.assured_below else "")
    key = values.get("npc", "")
    npc = _whose(sheets, key)
    opposition = Opposition(
        values.get("whom", ""), name, number, why, values["stake"], values["ending"], values["tie_to_player"],
        assured, _least(state, values), values["second_prize"], values.get("heals", ""), values.get("flaw", ""),
        flaw.name if flaw else "", announced=values["announced"], rouses=values.get("rouses", ""),
        npc=npc, line="" if key == npc else key)
    if (before := _of(state, opposition.who)) and before.crowd and before.name == name:
        opposition = with_crowd(state, opposition, before.crowd, before.heads)
    if opposition.crowd:
        why = f"{why or notation(number, symbol)}, and {signed(opposition.crowd, symbol)} for the heads"
    score = notation(opposition.resistance, symbol)
    steps = [Step("QW-03", f"Against it: {name} at {score}{f', {why}' if why else ''}."),
             *_besides(state, opposition)]
    return Result((Opposed(opposition),), tuple(steps))


def why_against(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The resistance as it is filled in, and how the number came (QW-03, QW-28, QW-62)."""
    if values.get("rival"):
        return None
    symbol, (name, number, how) = state.settings.symbol, _number(state, sheets, values)
    before = _of(state, values.get("whom", ""))
    name = name or state.settings.obstacle[:120] or THE_RESISTANCE
    parts = [Part(notation(number, symbol), name, how or ON_THE_GMS_WORD)]
    if before and before.crowd and before.name == name:
        number = with_crowd(state, replace(before, resistance=number, crowd=0), before.crowd, before.heads).resistance
        parts.append(Part(signed(before.crowd, symbol), "For the heads", before.heads))
    house = (TO_THE_PLAYER,) if values["tie_to_player"] and state.settings.tie_to_player else ()
    return Why(notation(number, symbol), (*parts, *house))


def _whose(sheets: Sheets, key: str) -> str:
    """The id of the NPC that a key of `_npcs` names: the sheet itself, or one of its lines."""
    return next((id_ for id_, sheet in sheets.items() if sheet.npc and key and (key == id_ or sheet.trait(key))), "")


def _rival(state: State, values: Values) -> Result:
    """Two of a group on two sides (QW-42): neither has a resistance."""
    who, rival = values["whom"], values["rival"]
    if not who or who == rival:
        raise BadMove("Choose two different characters to oppose each other.", "whom")
    if any(against.rival and against.who != who and {against.who, against.rival} & {who, rival}
           for against in state.oppositions):
        raise BadMove("One of the two already opposes someone else. Change that first.", "rival")
    names = state.entrant(who).name, state.entrant(rival).name
    opposition = Opposition(who, names[1], 0, "", values["stake"], values["ending"], least=_least(state, values),
                         second_prize=values["second_prize"], rival=rival)
    against = Step("QW-42", f"{names[0]} and {names[1]} oppose each other. {names[1]} is on the other side.")
    return Result((Opposed(opposition),), (against, *_besides(state, opposition)))


def _least(state: State, values: Values) -> int | None:
    least: int | None = values["least"]
    return least if least is not None else dict(state.settings.thresholds).get(values.get("threshold", ""))


def _number(state: State, sheets: Sheets, values: Values) -> tuple[str, int, str]:
    """The name of what stands against it, its resistance, and how the number came."""
    symbol, base, before = state.settings.symbol, state.settings.base, _of(state, values.get("whom", ""))
    name, written = values["name"], values["resistance"]
    bank = next((case for case in _bank(state) if case.key == values.get("prepared")), None)
    npc = next((sheet for sheet in _npcs(state, sheets) if sheet[0] == values.get("npc")), None)
    if before and (npc or bank):
        # What stood in the form already gives way to what is chosen now.
        name = "" if name == before.name else name
        written = "" if written == _alone(before, symbol) else written
    if npc:
        _, _, called, number, why = npc
        return name or called, number, why
    if bank:
        name, written = name or bank.called, written or bank.resistance
    number, why = resistance_of(written, base, symbol, state.edition)
    if number < state.edition.difficulty.assured_below and not values["announced"]:
        why = f"below {state.edition.difficulty.assured_below}"  # what is assured is the GM's to tell (QW-40)
    if before and written == _alone(before, symbol):
        why = before.told or why
    every = {trait.id: (trait, sheet) for sheet in sheets.values() for trait in sheet.traits}
    if healed := every.get(values.get("heals", "")):
        amount = _resists(state, healed[0])
        number, why = base + amount, f"the base, and {signed(amount, symbol)} for {healed[0].name}"
        name = name or healed[0].name
    if rousing := every.get(values.get("rouses", "")):
        number, why, name = base, "the base", name or rousing[0].name
    if flaw := every.get(values.get("flaw", "")):
        number, why = score_of(*flaw) or base, f"the score of {flaw[0].name}"
        name = name or flaw[0].name
    return name, number, why


def _alone(against: Opposition, symbol: str) -> str:
    """The resistance as it was given, without what the heads make of it (QW-28)."""
    return notation(against.resistance - against.crowd, symbol)


def _npcs(state: State, sheets: Sheets) -> list[tuple[str, str, str, int, str]]:
    """Each NPC in the scene with each ability: a key, words to choose by, the name, the resistance, how it came."""
    cases, symbol, base = [], state.settings.symbol, state.settings.base
    contending = {entrant.id for entrant in state.entrants}
    for sheet in sheets.values():
        if not sheet.npc or sheet.dead or sheet.id in contending:
            continue
        for trait in usable(sheet):
            number, how = stands_at(sheet, trait, base, state.settings.by_value, state.edition)
            words = f"{sheet.name}: {trait.name} · {notation(number, symbol)}"
            cases.append((trait.id, words, sheet.name, number, how))
        cases.append((sheet.id, f"{sheet.name}: {notation(base, symbol)}, the base", sheet.name, base, "the base"))
    return cases


def stand_now(state: State, sheets: Sheets) -> Result:
    """NPCs who are met with a line of theirs stand at what their sheets say by now (QW-03, QW-60)."""
    events: list[Opposed] = []
    steps = []
    for against in state.oppositions:
        sheet = sheets.get(against.npc)
        if sheet is None or (trait := sheet.trait(against.line)) is None:
            continue
        number, how = stands_at(sheet, trait, state.settings.base, state.settings.by_value, state.edition)
        if number != against.resistance - against.crowd:
            now = replace(against, resistance=number, told=how, crowd=0)
            now = with_crowd(state, now, against.crowd, against.heads) if against.crowd else now
            events.append(Opposed(now))
            score = notation(now.resistance, state.settings.symbol)
            steps.append(Step("QW-03", f"{against.name} is at {score} by now, {how}."))
    return Result(tuple(events), tuple(steps))


def _besides(state: State, against: Opposition) -> list[Step]:
    steps = []
    if against.stake:
        steps.append(Step("QW-20", f"At stake: {sentence(against.stake)}"))
    if against.ending:
        steps.append(Step("QW-63", "A story may end here. No die falls before its player accepts it."))
    if against.assured and against.announced:
        steps.append(Step("QW-40", "The victory is assured."))
    if against.least is not None:
        steps.append(Step("QW-30", f"It takes a score of {notation(against.least, state.settings.symbol)}."))
    if against.second_prize:
        steps.append(Step("QW-27", f"A second goal: {sentence(against.second_prize)}"))
    return steps


def _of(state: State, who: str) -> Opposition | None:
    return next((against for against in state.oppositions if against.who == who), None)


def with_crowd(state: State, against: Opposition, amount: int, division: str) -> Opposition:
    """With what the heads make of it; a resistance that was 6 or more does not fall under 6 by it (QW-03)."""
    alone = against.resistance - against.crowd
    number = max(alone + amount, min(alone, state.edition.difficulty.least))
    return replace(against, resistance=number, crowd=number - alone, heads=division)


def offer_stakes(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What is at stake between two, or for one of them (QW-20, QW-63)."""
    if not state.framing or not state.pair:
        return
    fields = (
        text("whom", "Character", "Leave blank for both."), text("stake", "At stake", needed=True),
        Flag(name="ending", label="A story may end here", help="Their player has to accept it before the dice."),
    )
    yield Offer("stakes", "", "Set the stakes", "", fields, {"whom": entrants(state)})


def set_stakes(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Two stand against each other: there is no resistance to set, only what each may lose."""
    whom = values["whom"]
    oppositions = [Opposition(entrant.id, "", 0, "", values["stake"], values["ending"])
             for entrant in state.entrants if whom in ("", entrant.id)]
    names = join([state.entrant(against.who).name for against in oppositions])
    first = Step("QW-20", f"At stake for {names}: {sentence(values['stake'])}")
    ending = Step("QW-63", "A story may end here. No die falls before its player accepts it.")
    return Result(tuple(Opposed(against) for against in oppositions), (first, *([ending] if values["ending"] else [])))


OPPOSE = Act("oppose", offer_resistance, set_against, ask_for_resistance, why=why_against)
STAKES = Act("stakes", offer_stakes, set_stakes)
EVENTS = (Opposed,)
