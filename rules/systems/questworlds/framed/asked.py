"""What each act of a framed contest asks for."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.contests import Offer
from rules.fields import REQUIRED, Choice, Field, Flag, Listing, Text, read_all
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.framed.events import Chosen, Modifier, Outcome
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.notation import notation, of_rank, signed
from rules.systems.questworlds.traits import (
    BONUSES,
    FLAWS,
    KEYWORD,
    SCORED,
    SIDEKICK_ABILITY,
    adds,
    family,
    flaws,
    lasting,
    score_of,
    usable,
)
from rules.values import BadMove, Value

Sheets = Mapping[str, Sheet]
Options = tuple[tuple[str, str], ...]

KINDS = (
    ("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
    ("community", "A community's resource"),
)
# What each kind may come to; a stretch may also be one bump down.
AMOUNTS: Mapping[str, tuple[int, ...]] = {
    "stretch": (-6, -3, -9), "situation": (3, 6, -3, -6), "plot": (3, 6, 9, 20),
    "community": (0, 3, 6, 9, 20, -3, -6, -9),
}
BUMP = "bump"
WORDS = {"augment": "Augment", "hindrance": "Hindrance", "lasting": "What lasts"}  # kinds whose label is a name
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
CONTACTS = "contacts"  # where a stretch is from that comes of asking the people of an occupation
OURS, THEIRS = "ours", "theirs"  # all of one side, in the place of one who contends


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
        for trait in sorted(sheets[each.id].traits, key=lambda one: one.kind not in FLAWS) if trait.kind in wanted
    )


def choose(state: State, sheet: Sheet) -> Offer:
    """The tactic and the ability; one that is made up now, while the sheet has room (QW-70)."""
    chosen = state.entrant(sheet.id).chosen
    title = "Say it differently" if chosen else "Say what you do"
    tactic = text("tactic", "How do you go about it?", needed=True)
    if state.lent:
        return Offer("choose", sheet.id, title, "The force’s number is rolled. Say what you do in it.", (tactic,), {},
                     now={"tactic": chosen.tactic} if chosen else None)
    fields: list[Field] = [
        tactic,
        text("ability", "With which ability?", "Leave it open where none fits: that counts as 6."),
    ]
    options: dict[str, Options] = {"ability": abilities(state, sheet)}
    own = [trait for trait in usable(sheet) if trait.kind != SIDEKICK_ABILITY]
    if len(own) < MOST_ABILITIES and not state.pair:
        fields.append(text("new", "Or one that you make up now", "It goes onto your sheet at 13.", most=120))
        if keywords := tuple((t.id, t.name) for t in sheet.traits if t.kind == KEYWORD):
            fields.append(text("within", "As one of the package" if state.settings.packages else "As a breakout of",
                               "" if state.settings.packages else "Then it starts at +1."))
            options["within"] = keywords
    fields.append(text("second", "And together with", "Both are needed: the average of the two counts."))
    options["second"] = options["ability"]
    if any(trait.kind == KEYWORD for trait in sheet.traits):
        fields.append(Flag(name="contacts", label="Through people that the keyword knows",
                           help="Without a contact of your own that is a stretch, −6."))
    now = _as_said(state, sheet, chosen) if chosen else None
    return Offer("choose", sheet.id, title, "", tuple(fields), options, now=now)


def _as_said(state: State, sheet: Sheet, chosen: Chosen) -> dict[str, Value]:
    """What stands in the form of whoever says it differently: what was made up before is on the sheet by now."""
    ids = {trait.name: trait.id for trait in usable(sheet)}
    said: dict[str, Value] = {"tactic": chosen.tactic, "ability": chosen.trait or ids.get(chosen.name, ""),
                              "second": ids.get(chosen.second, "")}
    if any(trait.kind == KEYWORD for trait in sheet.traits):
        said["contacts"] = any((each.who, each.source) == (sheet.id, CONTACTS) for each in state.modifiers)
    return said


def akin(state: State, main: Chosen, trait: Trait) -> str:
    """Why a line can't augment what is used: it is that, or stands in the same keyword; "" where it can (QW-22)."""
    used = ((main.trait, main.name, main.family), (main.second_trait, main.second, main.second_family))
    for id_, name, keyword in used:
        if name and (trait.id == id_ or (not id_ and trait.name == name)):
            return "An ability does not augment itself. Choose another one."
        # In a package each ability stands for itself; only the keyword that is the shorthand for it does not help it.
        near = trait.id == keyword or id_ == trait.parent != ""
        if keyword and family(trait) == keyword and (near or not state.settings.packages):
            return "What stands in the same keyword does not augment it. Choose from outside."
    return ""


def counts(line: Modifier, symbol: str) -> str:
    """What a modifier comes to, as people read it."""
    return "one bump down" if line.down else signed(line.amount, symbol)


def whose(state: State, line: Modifier) -> str:
    """What a modifier is called, with whose it is where somebody else helps: `Songs of Tam`."""
    of = next((each for each in state.proposals if (each.trait, each.whom) == (line.source, line.who)), None)
    helps = of is not None and line.kind == "augment" and of.by != line.who and of.helper
    return f"{line.label} of {of.helper}" if of and helps else line.label


def modify(state: State) -> Offer:
    """A line with its kind and its reason (QW-21)."""
    symbol, lines = state.settings.symbol, []
    for kind, label in KINDS:
        lines += [(f"{kind}:{each}", f"{label}, {signed(each, symbol)}") for each in AMOUNTS[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" else []
    fields = (
        text("whom", "For whom", needed=True),
        Choice(name="line", label="What it is", options=tuple(lines), default=lines[0][0]),
        text("reason", "Because", needed=True, most=200),
    )
    return Offer("modify", "", "Add a modifier", "", fields, {"whom": entrants(state)})


def hinder(state: State, sheets: Sheets) -> Offer | None:
    """A flaw, or another line, that gets in the way (QW-23)."""
    options = of_entrants(state, sheets, (*FLAWS, *SCORED, *BONUSES))
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


def admit(state: State, sheet: Sheet) -> Offer | None:
    """One's own flaw, that one says oneself gets in the way (QW-23)."""
    used = {each.source for each in state.modifiers if each.kind == "hindrance"}
    options = tuple((trait.id, named(state, sheet, trait)) for trait in flaws(sheet) if trait.id not in used)
    if not options:
        return None
    fields = (text("trait", "Which flaw", needed=True), text("reason", "Because", most=200))
    help = "−3, and it may be worth a point. The GM can take it off."
    return Offer("hinder", sheet.id, "Let a flaw hinder you", help, fields, {"trait": options})


def last(state: State, sheets: Sheets) -> Offer | None:
    """Consequences and benefits that count here (QW-60, QW-61)."""
    used = {source for each in state.modifiers for source in (each.source, *each.sources)}
    options = tuple(
        (trait.id, f"{sheets[each.id].name}: {trait.name}, {signed(adds(trait), state.settings.symbol)}"
         + (f" ({trait.note})" if trait.note else ""))
        for each in state.entrants for trait in lasting(sheets[each.id]) if trait.id not in used
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


def send_back(state: State) -> Offer | None:
    """The GM asks for another tactic."""
    said = tuple((each.id, each.name) for each in state.entrants if each.chosen)
    if not said or state.pair:
        return None
    fields = (text("whom", "Whom", needed=True), text("reason", "Because", needed=True, most=200))
    return Offer("send_back", "", "Ask for another tactic", "It is not to be believed here, or it was tried before.",
                 fields, {"whom": said}, now={"whom": said[0][0]})


def take_back(state: State) -> Offer | None:
    """A modifier that does not count after all."""
    options = tuple((str(place), f"{each.label}, {counts(each, state.settings.symbol)}")
                    for place, each in enumerate(state.modifiers))
    if not options:
        return None
    return Offer("take_back", "", "Take a modifier off", "", (text("line", "Which one", needed=True),),
                 {"line": options})


def goal(state: State, who: str) -> Offer:
    """One of two goals (QW-27)."""
    against = state.against(who)
    options = (("first", state.settings.prize or "The prize"), ("second", against.second_prize if against else ""))
    return Offer("choose_goal", who, "Choose what you win", "The die alone was better: one of the two is yours.",
                 (Choice(name="goal", label="You win", options=options),))


def side(state: State, whom: str) -> tuple[str, ...]:
    """Who is meant: all of a side, or the one of this id."""
    if whom not in (OURS, THEIRS):
        return (whom,)
    return tuple(each.id for each in state.entrants if state.others_side(each.id) == (whom == THEIRS))


def _whom(state: State) -> Options:
    """Who something may last for: each, and, where several contend, all of a side (QW-42)."""
    if state.settings.mode != "group":
        return entrants(state)
    rivals = side(state, THEIRS)
    names = " and ".join(state.entrant(each).name for each in rivals)
    others = ((THEIRS, f"All on the other side: {names}"),) if rivals else ()
    return ((OURS, "All of the group"), *others, *entrants(state))


def give(state: State) -> Offer:
    """What lasts: proposed from the outcome's rank, decided by the GM (QW-60)."""
    symbol = state.settings.symbol
    ranks = tuple((str(rank), f"Rank {rank}: {signed(of_rank(rank), symbol)[1:]}") for rank in range(1, 6))
    fields = (
        text("whom", "Who", needed=True),
        Choice(name="sort", label="What lasts", options=(("consequence", "A consequence"), ("benefit", "A benefit"))),
        Choice(name="rank", label="Rank", options=ranks,
               help="What a winner suffers or a loser gains: rank 2 on a better die, 1 on a better result."),
        text("name", "What it is called", needed=True, most=120),
        text("touches", "What it touches", "Abilities or situations.", most=300),
    )
    had = {each.who for each in state.gave}
    found = next((each for each in state.outcomes if each.who not in had), state.outcomes[0])
    sort = proposed(found)
    return Offer("give", "", "Let something last", "", fields, {"whom": _whom(state)},
                 now={"whom": found.who, "sort": sort, "rank": str(suggested(found, sort))})


def proposed(came: Outcome) -> str:
    """What an outcome suggests: a consequence of a defeat, a benefit of a victory; assured, what the roll brings."""
    if came.outcome == "victory" and not came.rank and came.ours:
        return "consequence" if came.ours in ("failure", "fumble") else "benefit"
    return "benefit" if came.outcome == "victory" else "consequence"


def suggested(came: Outcome, sort: str) -> int:
    """The rank of what lasts (QW-60): the outcome's own; for what a winner suffers or a loser gains, the other way."""
    against_it = (came.outcome, sort) in (("victory", "consequence"), ("defeat", "benefit"))
    if against_it and came.rank:
        return 2 if came.rank == 1 else 1
    return min(5, max(1, came.rank))


def check_offer(offer: Offer, given: Mapping[str, Value]) -> dict[str, Any]:
    """What an act was given, with ids that were offered; raises `BadMove`."""
    values = read_all(offer.fields, given)
    for name, options in (offer.options or {}).items():
        named = values.get(name) or ()
        for each in (named,) if isinstance(named, str) else named:
            if each not in dict(options):
                raise BadMove("Choose one of those that are shown.", name)
    return values
