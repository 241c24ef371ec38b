"""What each act of a simple contest asks for."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.fields import Choice, Field, Flag, Listing
from rules.procedure import Offer, Options
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.builder import abilities_made
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older import giving, outcome_points
from rules.systems.questworlds.older.options import BY_DEGREE
from rules.systems.questworlds.older.states import said, worth_of
from rules.systems.questworlds.simple_contest.events import Chosen, Modifier, Outcome
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.traits import (
    BONUSES,
    FLAWS,
    KEYWORD,
    SCORED,
    family,
    flaws,
    lasting,
    score_of,
    supports,
    touches,
    usable,
)
from rules.values import Value

Sheets = Mapping[str, Sheet]

KINDS = (
    ("situation", "The situation"), ("stretch", "A stretch"), ("plot", "A plot augment"),
    ("community", "A community's resource"),
)
BUMP = "bump"
# Kinds whose label is the name of a line of a sheet, as sentences call them.
OF_SHEETS = {"augment": "augment", "hindrance": "hindrance", "lasting": "lasting"}
ASSURED = (
    ("", "Roll for it"),
    ("won", "Victory without a roll"),
    ("rolled", "Victory; roll for what else comes of it"),
)
CONTACTS = "contacts"  # where a stretch is from that comes of asking the people of an occupation
OURS, THEIRS = "ours", "theirs"  # all of one side, in the place of one who contends


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
    title = "Change my approach" if chosen else "Say what you do"
    tactic = text("tactic", "How do you go about it?", needed=True)
    if state.lent:
        return Offer("choose", sheet.id, title, "The force’s number is rolled. Say what you do in it.", (tactic,), {},
                     now={"tactic": chosen.tactic} if chosen else None)
    fields: list[Field] = [
        tactic,
        text("ability", "With which ability?",
             f"Leave it open where none fits: that counts as {state.edition.resolution.no_ability}."),
    ]
    options: dict[str, Options] = {"ability": abilities(state, sheet)}
    rule = state.edition.creation
    if abilities_made(sheet.traits, rule) < rule.abilities:
        fields.append(text("new", "Or a new ability", f"It goes onto your sheet at {rule.other}.", most=120))
        if keywords := tuple((t.id, t.name) for t in sheet.traits if t.kind == KEYWORD):
            fields.append(text("within", "Part of keyword",
                               "" if state.settings.packages else f"Then it starts at {signed(rule.breakout)}."))
            options["within"] = keywords
    fields.append(text("second", "Combined with", "Both are needed: the average of the two counts."))
    options["second"] = options["ability"]
    if state.pair:
        fields.append(text("second_goal", "A second goal of yours",
                           "Both are won on a better result, one of the two on a better die."))
    if any(trait.kind == KEYWORD for trait in sheet.traits):
        fields.append(Flag(name="contacts", label="Through people that the keyword knows",
                           help="Without a contact of your own that is a stretch, "
                                f"{signed(state.edition.modifiers.default_stretch)}."))
    now = _as_said(state, sheet, chosen) if chosen else _likely(sheet)
    return Offer("choose", sheet.id, title, "", tuple(fields), options, now=now)


def _likely(sheet: Sheet) -> dict[str, Value] | None:
    """The best ability stands chosen: who chooses nothing would contend with what counts where none fits."""
    able = [trait for trait in usable(sheet) if trait.kind not in FLAWS]
    return {"ability": max(able, key=lambda each: score_of(each, sheet) or 0).id} if able else None


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
    return said(line.amount, line.down, symbol)


def whose(state: State, line: Modifier) -> str:
    """What a modifier is called, with whose it is where somebody else helps: `Songs of Tam`."""
    of = next((each for each in state.proposals if (each.trait, each.whom) == (line.source, line.who)), None)
    helps = of is not None and line.kind == "augment" and of.by != line.who and of.helper
    return f"{line.label} of {of.helper}" if of and helps else line.label


def modify(state: State) -> Offer:
    """A line with its kind and its reason (QW-21)."""
    symbol, lines, steps = state.settings.symbol, [], state.edition.modifiers
    amounts = {"stretch": steps.stretch, "situation": steps.situation, "plot": steps.plot, "community": steps.community}
    for kind, label in KINDS:
        lines += [(f"{kind}:{each}", f"{label}, {signed(each, symbol)}") for each in amounts[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" and steps.stretch_bumps else []
    fields = (
        text("whom", "For whom", needed=True),
        Choice(name="line", label="What it is", options=tuple(lines), default=lines[0][0]),
        text("reason", "Reason", needed=True, most=200),
    )
    return Offer("modify", "", "Add a modifier", "", fields, {"whom": entrants(state)})


def hinder(state: State, sheets: Sheets) -> Offer | None:
    """A flaw, or another line, that gets in the way (QW-23)."""
    found = of_entrants(state, sheets, (*FLAWS, *SCORED, *BONUSES))
    options = tuple((pk, label) for pk, label in found if pk not in state.overcome)
    if not options:
        return None
    amounts = tuple((str(-each), signed(-each)) for each in state.edition.modifiers.hindrance)
    fields = (
        text("trait", "Which flaw", needed=True),
        Choice(name="amount", label="How much", options=amounts, default=amounts[0][0]),
        Choice(name="how", label="Is it in doubt?", default="straight",
               options=(("straight", "It applies"), ("rolled", "Roll the flaw against the base"))),
        text("reason", "Reason", most=200),
    )
    return Offer("hinder", "", "Apply a flaw", "", fields, {"trait": options}, rolls=True)


def admit(state: State, sheet: Sheet) -> Offer | None:
    """One's own flaw, that one says oneself gets in the way (QW-23)."""
    used = {each.source for each in state.modifiers if each.kind == "hindrance"}
    options = tuple((trait.id, named(state, sheet, trait)) for trait in flaws(sheet) if trait.id not in used)
    if not options:
        return None
    fields = (text("trait", "Which flaw", needed=True), text("reason", "Reason", most=200))
    help = f"{signed(-state.edition.modifiers.hindrance[0])}, and it may be worth a point. The GM can remove it."
    return Offer("hinder", sheet.id, "Let a flaw hinder you", help, fields, {"trait": options})


def resist(state: State, sheet: Sheet) -> Offer | None:
    """A flaw of one's own that one acts against: its score is then the resistance (QW-24)."""
    options = tuple((trait.id, named(state, sheet, trait)) for trait in flaws(sheet))
    if not options:
        return None
    now = {"flaw": options[0][0]} if len(options) == 1 else None
    return Offer("resist", sheet.id, "Act against a flaw", "It takes a contest against the flaw’s own score.",
                 (text("flaw", "Which flaw", needed=True),), {"flaw": options}, now=now)


def last(state: State, sheets: Sheets) -> Offer | None:
    """Consequences and benefits that count here (QW-60, QW-61)."""
    used = {source for each in state.modifiers for source in (each.source, *each.sources)}
    options = tuple(
        (trait.id, f"{sheets[each.id].name}: {trait.name}, {worth_of(trait, state.settings.symbol, state.edition)}"
         + (f" ({trait.note})" if trait.note else ""))
        for each in state.entrants for trait in lasting(sheets[each.id]) if trait.id not in used
    )
    if not options:
        return None
    field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
    return Offer("lasting", "", "Apply consequences", "", (field,), {"lines": options},
                 now={"lines": fitting(state, sheets)})


def fitting(state: State, sheets: Sheets) -> list[str]:
    """Of what lasts and does not count yet, what touches the ability that somebody uses (QW-60)."""
    used = {source for each in state.modifiers for source in (each.source, *each.sources)}
    return [
        line.id for each in state.entrants if each.chosen and (mine := sheets[each.id].trait(each.chosen.trait))
        for line in lasting(sheets[each.id]) if line.id not in used and touches(line, mine, sheets[each.id])
    ]


def support(state: State, sheet: Sheet) -> Offer | None:
    """What a community gave, for this contest: one tap (QW-93)."""
    used = {each.source for each in state.modifiers}
    options = tuple((each.id, f"{each.name} {worth_of(each, state.settings.symbol, state.edition)}"
                     + (f" ({each.note})" if each.note else ""))
                    for each in supports(sheet) if each.id not in used)
    if not options:
        return None
    return Offer("support", sheet.id, "Use what the community gave", "It is used up with this contest.",
                 (text("line", "Which", needed=True),), {"line": options}, chips="line")


def augment(state: State, sheet: Sheet) -> Offer:
    """Help from one's own sheet (QW-22)."""
    fields = (text("trait", "With which ability", needed=True), text("whom", "For whom", needed=True),
              text("words", "How it helps", needed=True, most=300))
    return Offer("augment", sheet.id, "Offer an augment", "One of your abilities helps. The GM accepts it, or not.",
                 fields, {"trait": abilities(state, sheet), "whom": entrants(state)})


def answer(state: State) -> Offer | None:
    """The GM's answer to an augment."""
    options = tuple(
        (str(place), f"{each.name}, {notation(each.score, state.settings.symbol)}: {each.words}")
        for place, each in enumerate(state.proposals) if not each.verdict
    )
    if not options:
        return None
    fields = (text("proposal", "Which one", needed=True),
              Choice(name="verdict", label="Your answer", options=_answers(state)))
    return Offer("answer", "", "Answer an augment", "", fields, {"proposal": options}, now={"proposal": options[0][0]})


def _answers(state: State) -> Options:
    """Accepted, rolled for, or refused; the bonus of a plain augment and that of one that is told well."""
    plain, well = state.edition.modifiers.augment
    if state.on(BY_DEGREE):
        return ((f"assured{plain}", f"Yes: {signed(plain)}"), (f"assured{well}", f"Yes, and well told: {signed(well)}"),
                (f"roll{plain}", "Roll: its degree says how much"), ("refused", "No"))
    return ((f"assured{plain}", f"Yes: {signed(plain)}"), (f"assured{well}", f"Yes, and well told: {signed(well)}"),
            (f"roll{plain}", f"Roll for {signed(plain)}"), (f"roll{well}", f"Roll for {signed(well)}"),
            ("refused", "No"))


def send_back(state: State) -> Offer | None:
    """The GM asks for another tactic."""
    said = tuple((each.id, each.name) for each in state.entrants if each.chosen)
    if not said or state.pair:
        return None
    fields = (text("whom", "Whom", needed=True), text("reason", "Reason", needed=True, most=200))
    return Offer("send_back", "", "Ask for another tactic", "It is not to be believed here, or it was tried before.",
                 fields, {"whom": said}, now={"whom": said[0][0]})


def take_back(state: State) -> Offer | None:
    """A modifier that does not count after all."""
    options = tuple((str(place), f"{each.label}, {counts(each, state.settings.symbol)}")
                    for place, each in enumerate(state.modifiers))
    if not options:
        return None
    return Offer("take_back", "", "Remove a modifier", "", (text("line", "Which one", needed=True),),
                 {"line": options})


def goal(state: State, who: str) -> Offer:
    """One of two goals (QW-27)."""
    options = (("first", state.settings.prize or "The prize"), ("second", state.second_goal(who)))
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
    fields = (
        text("whom", "Who", needed=True),
        Choice(name="kind", label="What lasts", options=giving.kinds(state.settings.older)),
        Choice(name="rank", label="Rank", options=giving.ranks(state.settings.older, state.edition, symbol),
               help="What a winner suffers or a loser gains: rank 2 on a better die, 1 on a better result."),
        text("name", "What it is called", needed=True, most=120),
        text("touches", "What it touches", "Abilities or situations.", most=300),
    )
    had = {each.who for each in state.gave}
    found = next((each for each in state.outcomes if each.who not in had), state.outcomes[0])
    kind = proposed(found)
    if outcome_points.used(state) and not state.gave:
        degree = outcome_points.group_degree(state)
        now = {"whom": OURS, "kind": "benefit" if degree > 0 else "consequence", "rank": str(abs(degree) or 1)}
        return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": _whom(state)}, now=now)
    return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": _whom(state)},
                 now={"whom": found.who, "kind": kind, "rank": str(suggested(state, found, kind))})


def proposed(came: Outcome) -> str:
    """What an outcome suggests: a consequence of a defeat, a benefit of a victory; assured, what the roll brings."""
    if came.outcome == "victory" and not came.rank and came.ours:
        return "consequence" if came.ours in ("failure", "fumble") else "benefit"
    return "benefit" if came.outcome == "victory" else "consequence"


def suggested(state: State, came: Outcome, kind: str) -> int:
    """The rank of what lasts (QW-60): the outcome's own; for what a winner suffers or a loser gains, the other way."""
    against_it = (came.outcome, kind) in (("victory", "consequence"), ("defeat", "benefit"))
    if against_it and came.rank:
        return 2 if came.rank == 1 else 1
    return min(state.edition.modifiers.highest_rank, max(1, abs(came.degree) or came.rank))
