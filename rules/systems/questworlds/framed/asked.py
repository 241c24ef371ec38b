"""What each act of a framed contest asks for."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.contests import Offer
from rules.fields import REQUIRED, Choice, Field, Flag, Listing, Text, read_all
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.framed.state import Phase, State
from rules.systems.questworlds.notation import ScoreField, notation, of_rank, signed
from rules.systems.questworlds.traits import BONUSES, FLAW, KEYWORD, SCORED, adds, flaws, lasting, score_of, usable
from rules.values import BadMove, Value

Sheets = Mapping[str, Sheet]
Options = tuple[tuple[str, str], ...]

KINDS = (
    ("situation", "The situation"), ("stretch", "A stretch"), ("outnumbered", "Outnumbered"),
    ("ganging_up", "Ganging up"), ("plot", "A plot augment"), ("community", "A community's resource"),
)
# What each kind may come to; `bump` is one bump down.
AMOUNTS: Mapping[str, tuple[int, ...]] = {
    "stretch": (-6, -3, -9), "situation": (3, 6, -3, -6), "outnumbered": (-3, -6, -9), "ganging_up": (3, 6, 9),
    "plot": (3, 6, 9, 20), "community": (0, 3, 6, 9, 20, -3, -6, -9),
}
BUMP = "bump"
ANSWERS = (
    ("assured3", "Yes: +3"), ("assured6", "Yes, and well told: +6"), ("roll3", "Roll for +3"), ("roll6", "Roll for +6"),
    ("refused", "No"),
)
ASSURED = (
    ("", "Roll for it"),
    ("won", "Victory without a roll"),
    ("rolled", "Victory; roll for what else comes of it"),
)
MOST_ABILITIES = 12


def text(name: str, label: str, help: str = "", *, needed: bool = False, most: int = 300) -> Text:
    """Words, that may be left out unless they are needed."""
    return Text(name=name, label=label, help=help, most=most) if not needed else Needed(
        name=name, label=label, help=help, most=most, default=REQUIRED)


class Needed(Text):
    """Words that can't be left out."""

    def check(self, value: Value) -> str:
        words = super().check(value)
        if not words:
            raise BadMove(f"Say {self.label[:1].lower()}{self.label[1:].rstrip('?')}.")
        return words


def named(state: State, sheet: Sheet, trait: Trait) -> str:
    """A line as a list shows it: `Detective · 17`."""
    score = score_of(trait, sheet)
    return f"{trait.name} · {notation(score, state.settings.symbol)}" if score is not None else trait.name


def abilities(state: State, sheet: Sheet) -> Options:
    """What a contest can be framed with."""
    return tuple((trait.id, named(state, sheet, trait)) for trait in usable(sheet))


def entrants(state: State) -> Options:
    """Who contends."""
    return tuple((each.id, each.name) for each in state.entrants)


def of_entrants(state: State, sheets: Sheets, kinds: Iterable[str]) -> Options:
    """Lines of these kinds, of all who contend."""
    wanted = set(kinds)
    return tuple(
        (trait.id, f"{sheets[each.id].name}: {named(state, sheets[each.id], trait)}")
        for each in state.entrants if each.id in sheets
        for trait in sorted(sheets[each.id].traits, key=lambda one: one.kind != FLAW) if trait.kind in wanted
    )


def choose(state: State, sheet: Sheet) -> Offer:
    """The tactic and the ability; one that is made up now, while the sheet has room (QW-70)."""
    fields: list[Field] = [
        text("tactic", "How do you go about it?", needed=True),
        text("ability", "With which ability?", "Leave it open where none fits: that counts as 6."),
    ]
    options: dict[str, Options] = {"ability": abilities(state, sheet)}
    if len(usable(sheet)) < MOST_ABILITIES and not state.pair:
        fields.append(text("new", "Or one that you make up now", "It goes onto your sheet at 13.", most=120))
        if keywords := tuple((t.id, t.name) for t in sheet.traits if t.kind == KEYWORD):
            fields.append(text("within", "As a breakout of", "Then it starts at +1."))
            options["within"] = keywords
    fields.append(text("second", "And together with", "Both are needed: the average of the two counts."))
    options["second"] = options["ability"]
    chosen = state.entrant(sheet.id).chosen
    now = {"tactic": chosen.tactic, "ability": chosen.trait} if chosen else None
    title = "Say it differently" if chosen else "Say what you do"
    return Offer("choose", sheet.id, title, "", tuple(fields), options, now=now)


def oppose(state: State, sheets: Sheets) -> Offer:
    """What stands in the way, and what is at stake."""
    symbol, base = state.settings.symbol, state.settings.base
    hurt = tuple(
        (trait.id, f"{sheet.name}: {trait.name}, {signed(adds(trait), symbol)}")
        for sheet in sheets.values() for trait in lasting(sheet) if adds(trait) < 0
    )
    own = tuple((trait.id, f"{sheets[each.id].name}: {named(state, sheets[each.id], trait)}")
                for each in state.entrants for trait in flaws(sheets[each.id]))
    bank = tuple((id_, f"{name}: {_prepared(spec)}") for id_, name, spec in state.around.prepared)
    fields: tuple[Field, ...] = (
        text("name", "Who or what stands against it", most=120),
        text("resistance", "Resistance", f"A score (17, 7{symbol}), a rank (+6, −{symbol}) or a name (low, high). "
             f"Left open it is the base, {notation(base, symbol)}.", most=20),
        text("prepared", "Or from your bank"),
        text("stake", "What is at stake"),
        Flag(name="ending", label="A story may end here", help="Their player has to accept it before the dice."),
        Flag(name="tie_to_player", label="A tie goes to the player", default=state.settings.tie_to_player),
        Choice(name="assured", label="Is it in doubt?", options=ASSURED, default=""),
        ScoreField(name="least", label="It takes a score of", may_lack=True, default=None, symbol=symbol),
        text("second_prize", "A second goal", "Both are won on a better result, one of the two on a better die."),
        text("heals", "It heals", "The resistance is then the base and its rank."),
        text("flaw", "It is against a flaw", "The flaw's score is then the resistance."),
    )
    options: dict[str, Options] = {"prepared": bank, "heals": hurt, "flaw": own}
    if state.settings.mode == "group":
        fields = (text("whom", "For whom", "Left open: for all who have nothing of their own."), *fields)
        options["whom"] = entrants(state)
    fields = tuple(each for each in fields if options.get(each.name, True))
    title = "Change what stands against it" if state.oppositions else "Say what stands against it"
    now: dict[str, Value] = {}
    if state.oppositions and state.settings.mode == "one":
        found = state.oppositions[-1]
        now = {"name": found.name, "resistance": notation(found.resistance, symbol), "stake": found.stake,
               "ending": found.ending, "tie_to_player": found.tie_to_player, "assured": found.assured,
               "second_prize": found.second_prize}
        now |= {} if found.least is None else {"least": notation(found.least, symbol)}
    return Offer("oppose", "", title, "", fields, options, now=now)


def _prepared(spec: Mapping[str, object]) -> str:
    return str(spec.get("resistance", "")) or "the base"


def modify(state: State) -> Offer:
    """A line with its kind and its reason (QW-21)."""
    amounts = tuple((str(each), signed(each, state.settings.symbol)) for each in (-6, -3, -9, 3, 6, 9, 20, 0))
    fields = (
        text("whom", "For whom", needed=True),
        Choice(name="kind", label="What it is", options=KINDS, default="situation"),
        Choice(name="amount", label="How much", options=(*amounts, (BUMP, "One bump down")), default="-6"),
        text("reason", "Because", needed=True, most=200),
    )
    return Offer("modify", "", "Add a modifier", "", fields, {"whom": entrants(state)})


def hinder(state: State, sheets: Sheets) -> Offer | None:
    """A flaw, or another line, that gets in the way (QW-23)."""
    options = of_entrants(state, sheets, (FLAW, *SCORED, *BONUSES))
    if not options:
        return None
    fields = (
        text("trait", "Which flaw", needed=True),
        Choice(name="amount", label="How much", options=(("-3", "−3"), ("-6", "−6")), default="-3"),
        Choice(name="how", label="Is it in doubt?", default="straight",
               options=(("straight", "It applies"), ("rolled", "Roll the flaw against the base"))),
        text("reason", "Because", most=200),
    )
    return Offer("hinder", "", "Bring a flaw in", "", fields, {"trait": options}, rolls=True)


def last(state: State, sheets: Sheets) -> Offer | None:
    """Consequences and benefits that count here (QW-60, QW-61)."""
    used = {each.source for each in state.modifiers}
    options = tuple(
        (trait.id, f"{sheets[each.id].name}: {trait.name}, {signed(adds(trait), state.settings.symbol)}"
         + (f" ({trait.note})" if trait.note else ""))
        for each in state.entrants for trait in lasting(sheets[each.id]) if each.id not in used
    )
    if not options:
        return None
    field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
    return Offer("lasting", "", "Count what lasts", "", (field,), {"lines": options})


def augment(state: State, sheet: Sheet) -> Offer:
    """Help from one's own sheet (QW-22)."""
    fields = (text("trait", "With which ability", needed=True), text("whom", "For whom", needed=True),
              text("words", "How it helps", needed=True, most=300))
    return Offer("augment", sheet.id, "Offer an augment", "One of your abilities helps. The GM accepts it, or not.",
                 fields, {"trait": abilities(state, sheet), "whom": entrants(state)})


def answer(state: State) -> Offer | None:
    """The GM's word on an augment."""
    options = tuple(
        (str(place), f"{each.name}, {notation(each.score, state.settings.symbol)}: {each.words}")
        for place, each in enumerate(state.proposals) if not each.verdict
    )
    if not options:
        return None
    fields = (text("proposal", "Which one", needed=True), Choice(name="verdict", label="Your word", options=ANSWERS))
    return Offer("answer", "", "Answer an augment", "", fields, {"proposal": options}, now={"proposal": options[0][0]})


def give(state: State) -> Offer:
    """What lasts: proposed from the outcome's rank, decided by the GM (QW-60)."""
    symbol = state.settings.symbol
    ranks = tuple((str(rank), f"Rank {rank}: {signed(of_rank(rank), symbol)[1:]}") for rank in range(1, 6))
    fields = (
        text("whom", "Who", needed=True),
        Choice(name="sort", label="What lasts", options=(("consequence", "A consequence"), ("benefit", "A benefit"))),
        Choice(name="rank", label="Rank", options=ranks), text("name", "What it is called", needed=True, most=120),
        text("touches", "What it touches", "Abilities or situations.", most=300),
    )
    found = state.outcomes[0]
    sort, rank = proposed(found.outcome, found.rank)
    return Offer("give", "", "Let something last", "", fields, {"whom": entrants(state)},
                 now={"whom": found.who, "sort": sort, "rank": str(rank)})


def proposed(outcome: str, rank: int) -> tuple[str, int]:
    """What an outcome suggests: a consequence of a defeat, a benefit of a victory, of its rank."""
    return ("consequence" if outcome == "defeat" else "benefit"), min(5, max(1, rank))


def plain(action: str, by: str, title: str, help: str = "", *, rolls: bool = False) -> Offer:
    """A single button."""
    return Offer(action, by, title, help, rolls=rolls)


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    match state.phase:
        case Phase.FRAME:
            found = [choose(state, sheets[each.id]) for each in state.entrants
                     if each.id in sheets and not (state.pair and each.chosen)]
            found += [] if state.pair else [oppose(state, sheets)]
            return (*found, *_compel(state, sheets), plain("call_off", "", "Call it off"))
        case Phase.MODIFY:
            return tuple(_modifying(state, sheets))
        case Phase.ROLL | Phase.POINT:
            return tuple(_rolling(state))
        case Phase.AFTER:
            return (give(state), plain("close", "", "Leave it at that"))
        case Phase.BLANK | Phase.OVER:
            return ()


def _modifying(state: State, sheets: Sheets) -> list[Offer]:
    found: list[Offer | None] = []
    waiting = [each for each in state.proposals if each.open]
    for each in state.entrants:
        against = state.against(each.id)
        if against and against.ending and not each.accepted:
            found.append(plain("accept", each.id, "Accept that the story may end here"))
    found += [plain("roll_augment", each.by, f"Roll for the augment: {each.name}", rolls=True)
              for each in waiting if each.verdict == "roll"][:1]
    found += [answer(state)]
    found += [] if waiting else [plain("set", "", "The frame stands")]
    found += [modify(state), hinder(state, sheets), last(state, sheets)]
    found += [augment(state, sheet) for sheet in sheets.values() if usable(sheet)]
    for each in state.entrants:
        found += [] if state.pair else [choose(state, sheets[each.id])]
        found.append(plain("back_out", each.id, "Back out", "No dice fall, and nothing is won."))
    found += [] if state.pair else [oppose(state, sheets)]
    if state.modifiers:
        options = tuple(
            (str(place), f"{each.label}, {signed(each.amount)}") for place, each in enumerate(state.modifiers))
        found.append(Offer("take_back", "", "Take a modifier off", "",
                           (text("line", "Which one", needed=True),), {"line": options}))
    found += [*_compel(state, sheets), plain("call_off", "", "Call it off")]
    return [each for each in found if each]


def _compel(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    options = of_entrants(state, sheets, (FLAW,))
    if state.pair or not options:
        return ()
    field = text("trait", "Which flaw", needed=True)
    return (Offer("compel", "", "Compel a flaw", "They act as it dictates: no dice, and 1 experience.", (field,),
                  {"trait": options}),)


def _rolling(state: State) -> list[Offer]:
    found = []
    for each in state.entrants:
        if each.dice is None:
            found.append(plain("roll", each.id, "Roll", rolls=True))
        elif state.may_spend(each.id):
            found.append(plain("spend", each.id, "Spend a story point", "One bump up, and the point is gone."))
            found.append(plain("stand", each.id, "Let it stand"))
    if all(each.dice is None for each in state.entrants):
        found.append(plain("reopen", "", "Take the frame up again"))
    return found


def check_offer(offer: Offer, given: Mapping[str, Value]) -> dict[str, Any]:
    """What an act was given, with ids that were offered; raises `BadMove`."""
    values = read_all(offer.fields, given)
    for name, options in (offer.options or {}).items():
        named = values.get(name) or ()
        for each in (named,) if isinstance(named, str) else named:
            if each not in dict(options):
                raise BadMove("Choose one of those that are shown.", name)
    return values
