"""What may be done with style dice now: by each who holds some, and by the GM."""
from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Sheets
from rules.fields import REQUIRED, Choice, Flag, Listing, Text, Whole
from rules.procedure import Ask, Offer, Options
from rules.sheet import Sheet
from rules.systems.pdq_sharp.chart import AVERAGE, MASTER, notation_of
from rules.systems.pdq_sharp.kinds import FOIBLE, POISONED, SIDEKICK, SIDEKICK_FORTE
from rules.systems.pdq_sharp.reading import fortes, of_kind, zeroed
from rules.systems.pdq_sharp.recovery import needs_raising
from rules.systems.pdq_sharp.style_dice.state import GM, MAJOR, MINOR, SIGNIFICANT, State

MOST_AT_ONCE = 20
FOIBLE_MOST, MISFORTUNE_LEAST = 3, 3
RANKS = tuple((str(rank), notation_of(rank)) for rank in range(AVERAGE, MASTER + 1))
GEAR = (("fame", "Reputation or status"), ("gear", "Gear"), ("help", "A sidekick"), ("wealth", "Wealth"))
AWARDS = (("hosting", "Hosted"), ("snacks", "Brought snacks or drinks"), ("loans", "Lent pen, paper or dice"),
          ("outside", "Made something since the last session"))


def words(label: str, help: str = "", *, needed: bool = True) -> Text:
    """A sentence of a person's own."""
    return Text(name="words", label=label, help=help, most=300, default=REQUIRED if needed else "",
                missing="Say it in a few words." if needed else "")


def who(name: str, label: str) -> Text:
    """One of those who are named in the options."""
    return Text(name=name, label=label, default=REQUIRED, missing=f"Choose: {label.lower()}.")


def dice(most: int, least: int = 1, label: str = "Style dice", default: int | None = None) -> Whole:
    """How many style dice."""
    start = least if default is None else default
    return Whole(name="dice", label=label, least=least, most=max(least, most), default=start)


def rank_cost(rank: int) -> int:
    """What a forte of this rank costs: one die a rank, the first at Average (PS-44)."""
    return rank - AVERAGE + 1


def wind_cost(sheet: Sheet) -> int:
    """What a second wind costs: twice as much with a poison that weakens (PS-35, PS-49)."""
    return 2 if of_kind(sheet, POISONED) else 1


def offers(state: State, sheets: Sheets) -> tuple[Offer, ...]:
    """Every legal act now."""
    if state.over:
        return ()
    own = [offer for sheet in sheets.values() for offer in _own(state, sheets, sheet)]
    return (*own, *_gms(state, sheets))


def people(sheets: Sheets, but: str = "") -> Options:
    """Those who hold dice, the GM among them."""
    gm = ((GM, "The GM"),) if but != GM else ()
    return (*((id_, each.name) for id_, each in sheets.items() if id_ != but), *gm)


def raisable(sheets: Sheets) -> Options:
    """The zeroed fortes of those who are mostly dead, as `sheet/forte`."""
    return tuple((f"{sheet.id}/{each.id}", f"{sheet.name}: {each.name}") for sheet in sheets.values()
                 if needs_raising(sheet) and not sheet.dead for each in zeroed(sheet))


def _own(state: State, sheets: Sheets, sheet: Sheet) -> Iterator[Offer]:
    """What somebody may do with their dice; answering for a foible is nobody's but their player's."""
    me, held = sheet.id, state.dice_of(sheet)
    if offered := state.offered(me):
        leads = f"You have {held}, and then {held + offered.dice}. {offered.means}".strip()
        yield Offer("take", me, f"Take {offered.dice}", leads, personal=True)
        yield Offer("refuse", me, "Refuse", f"It costs nothing; you keep {held}.", personal=True)
    if held:
        yield Offer("gift", me, f"{state.phrase}: give of yours", "To anybody, at any time.", (
            who("to", "To whom"), dice(min(held, MOST_AT_ONCE)), words("What for", needed=False)),
            {"to": people(sheets, me)})
    yield from _winds(state, sheets, sheet, held)
    yield Offer("fact", me, "State a fact of the world", "0, 1 or 2 dice: by how much the story leans on it.", (
        Choice(name="weight", label="Weight", default=MINOR, options=(
            (MINOR, "Minor, 0 dice: local colour"), (SIGNIFICANT, "Significant, 1 die: it matters in play"),
            (MAJOR, "Major, 2 dice: it changes what goes on"))),
        words("The fact"),
        Flag(name="pool", label="Others pay a part", help="You pay one die now; it stands when the rest is there."),
    ))
    if held:
        yield from _creations(state, sheets, me, held)
    foibles = tuple((each.id, each.name) for each in of_kind(sheet, FOIBLE))
    if foibles and not any(each.who == me for each in state.foibles):
        yield Offer("claim", me, "A foible of yours came up", "The GM says what it is worth: 1 to 3 from the box.", (
            who("foible", "Which"), words("What came of it")), {"foible": foibles})


def _winds(state: State, sheets: Sheets, sheet: Sheet, held: int) -> Iterator[Offer]:
    cost = wind_cost(sheet)
    if held >= cost and not needs_raising(sheet) and any(each.damage for each in fortes(sheet)):
        yield Offer("second_wind", sheet.id, f"Second wind, {cost}", "Roll a die: so many ranks come back.", rolls=True)
    if held and (low := raisable(sheets)):
        yield Offer("raise", sheet.id, "Raise somebody, 1 for each forte", "Back to Poor, from mostly dead.", (
            Listing(name="fortes", label="Fortes", of=Text(name="forte", label="Forte"), most=MOST_AT_ONCE,
                    default=REQUIRED, missing="Choose the fortes."),), {"fortes": low})


def _creations(state: State, sheets: Sheets, me: str, held: int) -> Iterator[Offer]:
    ranks = tuple(each for each in RANKS if rank_cost(int(each[0])) <= held)
    inner = tuple((rank, f"{words}, {rank_cost(int(rank))}") for rank, words in ranks)
    rank = Choice(name="rank", label="Rank, and dice for it", options=inner, default=inner[0][0])
    called = Text(name="name", label="Name", most=100, default=REQUIRED, missing="Give it a name.")
    yield Offer("named_npc", me, "Bring in a named NPC, 1", "Somebody who stays in the story.", (
        called, words("Who this is", needed=False)))
    if npcs := tuple((each.id, each.name) for each in sheets.values() if each.npc):
        yield Offer("npc_forte", me, "Give a named NPC a forte, 1 a rank", "", (who("npc", "Who"), called, rank),
                    {"npc": npcs})
        yield Offer("npc_technique", me, "Give a named NPC a technique, 1", "", (who("npc", "Who"), called),
                    {"npc": npcs})
    yield Offer("temporary", me, "A temporary forte, 1 a rank", "It takes no damage, and goes when the session ends.", (
        Choice(name="type", label="What it is", options=GEAR, default="gear"), called, rank))
    yield from _sidekicks(sheets[me], called, rank)
    if facts := tuple((str(each.number), f"{each.words} ({each.left} to pay)") for each in state.unpaid):
        yield Offer("chip_in", me, "Add dice to a fact", "", (who("fact", "Which fact"), dice(held)), {"fact": facts})


def _sidekicks(sheet: Sheet, called: Text, rank: Choice) -> Iterator[Offer]:
    """What dice make of one's sidekicks, for good: a rank, a forte, a technique (PS-05)."""
    mine = {each.id: each.name for each in of_kind(sheet, SIDEKICK)}
    if not mine:
        return
    named = tuple(mine.items())
    inner = [each for each in of_kind(sheet, SIDEKICK_FORTE) if each.parent in mine]
    if low := tuple((each.id, f"{mine[each.parent]}: {each.name}, {notation_of(each.value)}")
                    for each in inner if each.value < MASTER):
        yield Offer("sidekick_rank", sheet.id, "Raise a sidekick’s forte, 1", "By a rank, for good.", (
            who("forte", "Which forte"),), {"forte": low})
    yield Offer("sidekick_forte", sheet.id, "Give a sidekick a forte, 1 a rank", "For good.", (
        who("sidekick", "Who"), called, rank), {"sidekick": named}, now={"sidekick": named[0][0]})
    if hosts := tuple((each.id, f"{mine[each.parent]}: {each.name}") for each in inner):
        yield Offer("sidekick_technique", sheet.id, "Give a sidekick a technique, 1", "With one of their fortes.", (
            who("forte", "Chained to"), called), {"forte": hosts})


def _gms(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What the GM gives, offers and takes."""
    everybody = people(sheets)
    played = tuple((each.id, each.name) for each in sheets.values() if not each.npc)
    if not state.awarded and everybody:
        yield _awards(everybody, played)
        yield Offer("no_awards", "", "No awards today")
    if state.bowl and everybody:
        yield Offer("good_form", "", f"{state.phrase}: give from the bowl", "For flair, courage and good play.", (
            who("to", "To whom"), dice(min(state.bowl, MOST_AT_ONCE)), words("What for", needed=False)),
            {"to": everybody})
        yield Offer("plot", "", "Feeding the plot, 1 from the bowl", "For what moves the story on.", (
            who("to", "To whom"), words("What it was")), {"to": everybody})
    if state.gifts:
        yield Offer("answer", "", f"“{state.reply}”: one more into the bowl", "From the box, after a gift.", (
            Flag(name="direct", label="And one to whoever was given the last gift", help="In rare cases."),))
    yield from _foibles(state, sheets)
    if played:
        sure = Flag(name="sure", label=f"Even after {state.warn_after} in this session")
        yield Offer("misfortune", "", "Vexing misfortune, 3 or more", "What they can’t resist: a trapdoor, a theft.", (
            who("to", "Whom it befalls"), dice(MOST_AT_ONCE, MISFORTUNE_LEAST), words("What happens"), sure),
            {"to": played})
    if state.gm_dice:
        yield Offer("gm_gift", "", "Give of your own", "", (
            who("to", "To whom"), dice(min(state.gm_dice, MOST_AT_ONCE)), words("What for")),
            {"to": people(sheets, GM)})
    if npcs := tuple((each.id, each.name) for each in sheets.values() if each.npc):
        yield Offer("set_dice", "", "Give an NPC their set dice", "An archvillain has 3, beside yours.", (
            who("to", "Which NPC"), dice(MOST_AT_ONCE, default=3)), {"to": npcs})
    if not state.last_call:
        yield Offer("last_call", "", "Warn that the session ends soon", "Whoever holds dice is asked to use them.")
    yield Offer("finish", "", "Finish with style dice", "They go when the session closes.")


def _awards(everybody: Options, played: Options) -> Offer:
    def some(name: str, label: str) -> Listing:
        return Listing(name=name, label=label, of=Text(name="one", label="Who"), most=200, default=())

    names = {name: everybody for name, _ in AWARDS}
    return Offer("award", "", "Give the session’s awards", "One from the box for each tick.", (
        some("here", "Is here"), *(some(name, label) for name, label in AWARDS)), {"here": played, **names},
        now={"here": [id_ for id_, _ in played]})


def _foibles(state: State, sheets: Sheets) -> Iterator[Offer]:
    free = tuple((f"{sheet.id}/{each.id}", f"{sheet.name}: {each.name}") for sheet in sheets.values()
                 if not any(other.who == sheet.id for other in state.foibles) for each in of_kind(sheet, FOIBLE))
    if free:
        yield Offer("offer", "", "Offer dice for a foible", "The player takes or refuses; you may raise it.", (
            who("foible", "Which"), dice(FOIBLE_MOST), words("What taking them means")), {"foible": free})
    if low := tuple((str(each.number), f"{sheets[each.who].name}: {each.foible}, {each.dice} now") for each in
                    state.foibles if not each.claimed and each.dice < FOIBLE_MOST and each.who in sheets):
        yield Offer("raise_offer", "", "Raise an offer", "", (
            who("number", "Which"), dice(FOIBLE_MOST, 2, "Offer")), {"number": low})
    if offered := tuple((str(each.number), f"{sheets[each.who].name}: {each.foible}") for each in state.foibles
                        if not each.claimed and each.who in sheets):
        yield Offer("withdraw", "", "Withdraw an offer", "", (who("number", "Which"),), {"number": offered})
    if claims := tuple((str(each.number), f"{sheets[each.who].name}, {each.foible}: {each.means}") for each in
                       state.foibles if each.claimed and each.who in sheets):
        yield Offer("grant", "", "Say what a foible was worth", "0 is nothing; 1 as a rule, more where it was a joy.", (
            who("number", "Which"), dice(FOIBLE_MOST, 0, default=1)), {"number": claims})


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """Who is waited for: an offered foible, a claim, the awards; and at the last call whoever still holds dice."""
    if state.over:
        return ()
    found = [Ask("", "award", "give the session’s awards", "Give")] if state.fresh and sheets else []
    here = [each for each in state.foibles if each.who in sheets]
    if claims := [f"{each.foible}, {sheets[each.who].name}" for each in here if each.claimed]:
        found.append(Ask("", "grant", f"say what a foible was worth: {claims[0]}", "Say"))
    for each in here:
        if not each.claimed:
            worth = f"{each.dice} style {'die' if each.dice == 1 else 'dice'}"
            found.append(Ask(each.who, "take", f"take or refuse {worth} for {each.foible}", decision=True))
    if state.last_call:
        found += [Ask(sheet.id, "gift", f"use {_many(held)} before the session ends", "Use")
                  for sheet in sheets.values() if not sheet.npc and (held := state.dice_of(sheet))]
    return tuple(found)


def _many(held: int) -> str:
    return f"the last {held} style dice" if held > 1 else "the last style die"

