"""What the GM rules: augments, modifiers, resistances, pairs, who joins, rests and ends (QW-21, QW-47, QW-59)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Listing
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long.aftermath import margin_of, suggested
from rules.systems.questworlds.long.counting import BUMP, KINDS, counts
from rules.systems.questworlds.long.offer_beside import ROLES
from rules.systems.questworlds.long.offer_bids import moving_gm
from rules.systems.questworlds.long.offer_rounds import pair_name
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older import giving, whole
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.traits import flaws, lasting

Sheets = Mapping[str, Sheet]


def rulings(state: State, sheets: Sheets) -> Iterator[Offer]:
    """All that the GM may say while it goes on."""
    found = [
        _answer(state), _modify(state), _resist(state), _hinder(state, sheets), _lasting(state, sheets),
        _pair(state), _join(state, sheets), _foe_follower(state), _threaten(state), _take_back(state),
        _part(state, "part", "Part a pair", "What was scored between them is gone."),
    ]
    if state.form == "extended":
        found += moving_gm(state)
    if state.form == "chained":
        found.append(_part(state, "part_ways", "Both leave", "Both of a pair wish to go: nobody wins it."))
    if state.form == "scored":
        found.append(Offer("assists_from", "", "Where assists begin", "", (Choice(
            name="rank", label="Assists begin", options=(("-1", "One rank under the base"), ("0", "At the base"),
                                                          ("1", "One rank over the base")), default="0"),)))
    yield from (each for each in found if each)
    gone = tuple((each.id, each.name) for each in state.contestants if each.status != "in" and each.id in sheets)
    if gone:
        yield _give(state, gone)
    yield Offer("pause", "", "Pause it", "It rests with its points, until you go on with it: in another scene, or at "
                                         "another time.")


def after(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What is left when a side has nobody in it any more."""
    here = tuple((each.id, each.name) for each in state.contestants if each.id in sheets)
    if counted := whole.offer(state):
        yield counted
    if here:
        yield _give(state, here)
    yield Offer("close", "", "Finish")


def _everybody(state: State) -> Options:
    return tuple((each.id, each.name) for each in state.contestants if each.status == "in")


def _answer(state: State) -> Offer | None:
    symbol = state.settings.symbol
    waiting = tuple((str(place), f"{each.name} {notation(each.score, symbol)} of {each.helper}, "
                                 f"for {state.name_of(each.whom)}")
                    for place, each in enumerate(state.proposals) if not each.verdict)
    if not waiting:
        return None
    plain, well = state.edition.modifiers.augment
    verdicts = ((str(plain), f"Yes: {signed(plain)}"), (str(well), f"Yes, and well told: {signed(well)}"),
                ("refused", "No"))
    return Offer("answer", "", "Answer an augment", "", (
        text("proposal", "Which one", needed=True), Choice(name="verdict", label="Your answer", options=verdicts)),
        {"proposal": waiting}, now={"proposal": waiting[0][0]})


def _modify(state: State) -> Offer:
    symbol, lines, steps = state.settings.symbol, [], state.edition.modifiers
    amounts = {"situation": steps.situation, "stretch": steps.stretch, "plot": steps.plot, "community": steps.community}
    for kind, label in KINDS:
        lines += [(f"{kind}:{each}", f"{label}, {signed(each, symbol)}") for each in amounts[kind]]
        lines += [(f"{kind}:{BUMP}", f"{label}, one bump down")] if kind == "stretch" and steps.stretch_bumps else []
    fields = (
        text("whom", "For whom", needed=True),
        Choice(name="line", label="What it is", options=tuple(lines), default=lines[0][0]),
        Choice(name="span", label="How long", default="round",
               options=(("round", "This round"), ("contest", "The whole contest"))),
        text("reason", "Reason", needed=True, most=200),
    )
    return Offer("modify", "", "Add a modifier", "", fields, {"whom": _everybody(state)})


def _resist(state: State) -> Offer | None:
    theirs = tuple((each.id, f"{each.name}, {notation(each.part.resistance, state.settings.symbol)}")
                   for each in state.contestants if each.status == "in" and each.part.resistance is not None)
    if not theirs:
        return None
    fields = (text("whom", "Whose", needed=True), text("resistance", "Resistance", "As 17, +6 or low.", needed=True),
              text("ability", "With what", most=120), text("reason", "Reason", most=200))
    return Offer("resist", "", "Change a resistance", "", fields, {"whom": theirs}, now={"whom": theirs[0][0]})


def _hinder(state: State, sheets: Sheets) -> Offer | None:
    used = {each.source for each in state.lines}
    found = tuple((trait.id, f"{each.name}: {trait.name}") for each in state.contestants if each.id in sheets
                  for trait in flaws(sheets[each.id]) if trait.id not in used)
    if not found:
        return None
    amounts = tuple((str(-each), signed(-each)) for each in state.edition.modifiers.hindrance)
    fields = (text("trait", "Which flaw", needed=True),
              Choice(name="amount", label="How much", options=amounts, default=amounts[0][0]),
              text("reason", "Reason", most=200))
    return Offer("hinder", "", "Apply a flaw", "", fields, {"trait": found})


def _lasting(state: State, sheets: Sheets) -> Offer | None:
    used = {each.source for each in state.lines}
    own = {name for each in state.contestants for _, name in each.hurts}
    found = tuple(
        (trait.id, f"{each.name}: {trait.name}, {worth_of(trait, state.settings.symbol, state.edition)}")
        for each in state.contestants if each.id in sheets
        for trait in lasting(sheets[each.id]) if trait.id not in used and trait.name not in own)
    if not found:
        return None
    field = Listing(name="lines", label="What counts here", of=text("line", "Line"))
    return Offer("lasting", "", "Apply consequences", "Those of this contest count already.", (field,),
                 {"lines": found})


def _pair(state: State) -> Offer | None:
    ours, theirs = (tuple((each.id, each.name) for each in state.fighters
                          if bool(each.part.side) == other and not state.busy(each.id)) for other in (False, True))
    facing = {(each.ours, each.theirs) for each in state.open_bouts}
    if all((one, other) in facing for one, _ in ours for other, _ in theirs):
        return None
    fields = (text("ours", state.settings.sides[0] or "One side", needed=True),
              text("theirs", state.settings.sides[1] or "The other", needed=True))
    return Offer("pair", "", "Set two against each other", "A new pair, from 0 to 0.", fields,
                 {"ours": ours, "theirs": theirs})


def _join(state: State, sheets: Sheets) -> Offer:
    here = tuple((each.id, each.name) for each in sheets.values()
                 if each.npc and state.contestant(each.id) is None)
    sides = tuple((str(place), name or str(place + 1)) for place, name in enumerate(state.settings.sides))
    fields = [text("name", "Who", most=120), text("resistance", "Resistance", "Left open it is the base.")]
    fields += [text("npc", "Or an NPC who is here")] if here else []
    side = Choice(name="side", label="On which side", options=sides, default="1")
    return Offer("join", "", "Bring somebody in", "", (*fields, side), {"npc": here} if here else None)


def _foe_follower(state: State) -> Offer | None:
    leaders = tuple((each.id, each.name) for each in state.contestants
                    if each.fights and not each.part.leader and each.part.resistance is not None)
    if not leaders or state.form != "scored":
        return None
    fields = (text("leader", "Of whom", needed=True), text("name", "Who", needed=True, most=120),
              text("resistance", "Resistance", "Left open it is the base."),
              Choice(name="role", label="As", options=ROLES, default="contestant"))
    return Offer("foe_follower", "", "Add a follower", "", fields, {"leader": leaders}, now={"leader": leaders[0][0]})


def _threaten(state: State) -> Offer | None:
    """One of the GM's who is free goes for a follower of a player's."""
    free = tuple((each.id, each.name) for each in state.contestants
                 if state.free(each.id) and each.part.resistance is not None and not each.part.leader)
    theirs = tuple((each.id, each.name) for each in state.contestants
                   if each.status == "in" and each.part.leader and state.keeper(each.id)
                   and not state.busy(state.keeper(each.id)) and not state.busy(each.id))
    sides = {state.entrant(who).part.side for who, _ in free}
    theirs = tuple(each for each in theirs if sides - {state.entrant(each[0]).part.side})
    if not free or not theirs:
        return None
    fields = (text("who", "Who", needed=True), text("whom", "Whom", needed=True))
    return Offer("threaten", "", "Go for a follower", "Any defeat takes the follower out.", fields,
                 {"who": free, "whom": theirs}, rolls=True, now={"who": free[0][0], "whom": theirs[0][0]})


def _take_back(state: State) -> Offer | None:
    lines = tuple((str(place), f"{state.name_of(each.who)}: {each.label}, {counts(each, state)}")
                  for place, each in enumerate(state.lines))
    if not lines:
        return None
    return Offer("take_back", "", "Remove a modifier", "", (text("line", "Which one", needed=True),), {"line": lines})


def _part(state: State, action: str, title: str, help: str) -> Offer | None:
    pairs = tuple((str(each.number), pair_name(state, each)) for each in state.open_bouts
                  if not state.busy(each.ours) and not state.busy(each.theirs))
    if not pairs:
        return None
    return Offer(action, "", title, help, (text("bout", "Which pair", needed=True),), {"bout": pairs},
                 now={"bout": pairs[0][0]})


def _give(state: State, who: Options) -> Offer:
    """What lasts: suggested from the points, decided by the GM (QW-43, QW-60)."""
    older = state.settings.older
    fields = (
        text("whom", "Who", needed=True), Choice(name="kind", label="What lasts", options=giving.kinds(older)),
        Choice(name="rank", label="Rank", options=giving.ranks(older, state.edition, state.settings.symbol)),
        text("name", "What it is called", needed=True, most=120),
        text("touches", "What it touches", "Abilities or situations.", most=300),
    )
    had = {each.who for each in state.gave}
    first = next((state.entrant(id_) for id_, _ in who if id_ not in had), state.entrant(who[0][0]))
    margin = margin_of(state, first)
    kind = "benefit" if first.status == "in" and state.won_by == first.part.side else "consequence"
    rank = suggested(*margin) if margin else 1
    return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": who},
                 now={"whom": first.id, "kind": kind, "rank": str(rank)})
