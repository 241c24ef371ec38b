"""What a round asks for: ability, tactic, aim; the dice; a story point after them (QW-12, QW-44, QW-46)."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Field
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.long.rounds import each_chooses, mover
from rules.systems.questworlds.long.state import Bout, Contestant, State, Throw
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.scored import points as points_of
from rules.systems.questworlds.traits import score_of, usable
from rules.values import Value

Sheets = Mapping[str, Sheet]
TACTICS = (("normal", "Normal"), ("risky", "Risky gambit"), ("defensive", "Defensive response"))
AIMS = (("", "The prize"), ("else", "Something else"), ("augment", "An augment for one of us"),
        ("leave", "To get away"))


def abilities(state: State, sheet: Sheet) -> Options:
    """What a round can be rolled with, best first; in a chained contest only what is not below 0 (QW-57)."""
    found = [(score, trait) for trait in usable(sheet) if (score := score_of(trait, sheet)) is not None]
    if state.form == "chained":
        less = sum(state.modifiers(sheet.id))
        found = [(score, trait) for score, trait in found if score + less >= 0]
    found.sort(key=lambda each: -each[0])
    return tuple((trait.id, f"{trait.name} · {notation(score, state.settings.symbol)}") for score, trait in found)


def last_ability(state: State, sheet: Sheet) -> str:
    """What a round opens with: the ability of the round before, else the best."""
    options = abilities(state, sheet)
    found = state.contestant(sheet.id)
    used = found.using.trait if found and found.using else None
    return used if used in dict(options) else options[0][0] if options else ""


def pair_name(state: State, bout: Bout) -> str:
    """`Sefa against the captain`."""
    return f"{state.name_of(bout.ours)} against {state.name_of(bout.theirs)}"


def open_now(state: State) -> Iterator[Bout]:
    """The pairs that have yet to have this round, and whose dice do not wait for anything."""
    for bout in state.open_bouts:
        deciders = {bout.ours, bout.theirs, state.keeper(bout.ours), state.keeper(bout.theirs)} - {""}
        if bout.played < state.round and not any(state.busy(who) for who in deciders):
            yield bout


def rounds(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The rounds of everybody whom somebody plays, and those of the GM's side."""
    bouts = tuple(open_now(state))
    for by in state.settings.players:
        mine = [each for each in bouts if by in (state.keeper(each.ours), state.keeper(each.theirs))]
        at_once = [each for each in mine if state.keeper(mover(state, each)) == by and not each_chooses(state, each)]
        if at_once and by in sheets:
            yield _asked(state, sheets[by], at_once, "round", "Roll the round", rolls=True)
        silent = [each for each in mine if each_chooses(state, each) and not _mine(state, each, by)]
        if silent and by in sheets:
            yield _asked(state, sheets[by], silent, "choose", "Choose for this round")
        ready = [each for each in mine if each_chooses(state, each) and _both(each) and _may_roll(state, each, by)]
        if ready:
            yield _roll(state, ready, by)
    yield from _gms(state, bouts)


def _mine(state: State, bout: Bout, by: str) -> bool:
    return any(state.keeper(who) == by and bout.choice(who) for who in (bout.ours, bout.theirs))


def _both(bout: Bout) -> bool:
    return bool(bout.choice(bout.ours) and bout.choice(bout.theirs))


def _may_roll(state: State, bout: Bout, by: str) -> bool:
    """Whether one's own die has not fallen; against the GM's side both are the player's to roll."""
    return not any(state.keeper(who) == by for who, _ in bout.faces)


def _roll(state: State, bouts: list[Bout], by: str) -> Offer:
    field = text("bout", "Which pair", needed=True)
    options = tuple((str(each.number), pair_name(state, each)) for each in bouts)
    return Offer("roll", by, "Roll", "Both have chosen.", (field,), {"bout": options}, rolls=True,
                 now={"bout": options[0][0]})


def _asked(
    state: State, sheet: Sheet, bouts: list[Bout], action: str, title: str, *, rolls: bool = False
) -> Offer:
    """Which pair, with which ability, with which tactic, for what."""
    friends = tuple((each.id, each.name) for each in state.contestants
                    if each.fights and each.part.side == state.entrant(sheet.id).part.side)
    fields: list[Field] = [text("bout", "Which pair", needed=True), text("ability", "With which ability")]
    if state.form == "scored":
        fields.append(Choice(name="tactic", label="Tactic", options=TACTICS, default="normal"))
    fields += [
        Choice(name="aim", label="What you are after", options=AIMS, default="",
               help="Winning for something else moves no points; losing costs as ever."),
        text("words", "In your words", most=200), text("whom", "An augment for whom"),
    ]
    pairs = tuple((str(each.number), pair_name(state, each)) for each in bouts)
    now: dict[str, Value] = {"bout": pairs[0][0], "ability": last_ability(state, sheet)}
    return Offer(action, sheet.id, title, "", tuple(fields),
                 {"bout": pairs, "ability": abilities(state, sheet), "whom": friends}, rolls=rolls, now=now)


def _gms(state: State, bouts: tuple[Bout, ...]) -> Iterator[Offer]:
    """What the GM says for those whom nobody plays: a tactic, or a whole round between two of them."""
    facing = [each for each in bouts if state.keeper(mover(state, each))
              and not state.keeper(each.other(mover(state, each)))]
    # What was chosen in secret stands; what was said openly may be said otherwise.
    facing = [each for each in facing
              if not each_chooses(state, each) or not each.choice(each.other(mover(state, each)))]
    if facing and state.form == "scored":
        fields = (text("bout", "Which pair", needed=True),
                  Choice(name="tactic", label="Tactic", options=TACTICS, default="normal"))
        options = tuple((str(each.number), pair_name(state, each)) for each in facing)
        yield Offer("stance", "", "Choose a tactic", "It is shown to the players unless all choose in secret.", fields,
                    {"bout": options}, now={"bout": options[0][0]})
    elif facing and state.settings.secret:
        options = tuple((str(each.number), pair_name(state, each)) for each in facing)
        yield Offer("stance", "", "Ready", "", (text("bout", "Which pair", needed=True),), {"bout": options},
                    now={"bout": options[0][0]})
    unplayed = [each for each in bouts if not state.keeper(mover(state, each))]
    if unplayed:
        options = tuple((str(each.number), pair_name(state, each)) for each in unplayed)
        yield Offer("gm_round", "", "Roll a round of yours", "Nobody plays either of the two.",
                    (text("bout", "Which pair", needed=True),), {"bout": options}, rolls=True,
                    now={"bout": options[0][0]})


def points(state: State) -> Iterator[Offer]:
    """Whether a story point is spent, with what each answer leads to: of each the first roll that waits for them."""
    asked = {""}
    for throw in state.throws:
        for place, who in enumerate(throw.thrown.deciders):
            if who in asked or who in dict(throw.decided):
                continue
            asked.add(who)
            other = throw.thrown.deciders[1 - place]
            if_so = f" if {state.name_of(other)} lets it stand" if other else ""
            yield Offer("stand", who, f"Let it stand: {came(state, throw)}{if_so}")
            if state.may_spend(throw, place):
                yield Offer("spend", who, f"Spend a story point: {came(state, throw, who)}{if_so}",
                            "One bump up, and the point is gone.")


def came(state: State, throw: Throw, spends: str = "") -> str:
    """What dice lead to, in a few words for whoever decides: `defeat, rank 2, they score 2`."""
    lies = throw.thrown
    if spends:
        throw = Throw(lies, (*throw.decided, (spends, True)))
    clash = state.clash(throw)
    said = f"{clash.outcome}, rank {clash.rank}" if clash.rank else clash.outcome
    if lies.kind != "round" or not clash.lead or state.form != "scored":
        return said
    hers, his = (lies.choice, lies.other) if clash.lead > 0 else (lies.other, lies.choice)
    if hers.aim:
        return said
    gets = points_of(clash.rank, hers.tactic, his.tactic, state.edition.scored)
    who: Contestant = state.entrant(lies.first if clash.lead > 0 else lies.second)
    return f"{said}: {who.name} +{gets}"
