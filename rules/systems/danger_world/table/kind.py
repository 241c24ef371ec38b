"""A check as a contest that one character has with a challenge (DW-02 to DW-11, DW-16, DW-17)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.contests import Board, ContestKind, Offer, Seat, Turn
from rules.fields import Choice, Field, Flag, Group, Listing, Shares, Text, Whole, read_all
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import RANKS
from rules.systems.danger_world.reading import THREAT, of_kind, rank_word
from rules.systems.danger_world.table import acts
from rules.systems.danger_world.table.accomplished import HEIGHTS, MOVE_OPTIONS
from rules.systems.danger_world.table.offers import offers
from rules.systems.danger_world.table.picture import Drawn, picture, reckon
from rules.systems.danger_world.table.pooling import pool_from, reasons
from rules.systems.danger_world.table.state import EVENTS, Began, Complication, Event, Phase, State, evolve
from rules.tables import Reckoned
from rules.values import BadMove, Value

AGREE = Flag(name="agree", label="The GM agrees to each pool before it is rolled", default=True)
HINT = Flag(name="hint", label="Mark the dice that best play keeps", default=True,
            help="With the exact chance beside them, during re-rolls.")
# What the setup of a check and a challenge in the bank have in common.
CHALLENGE: tuple[Field, ...] = (
    Choice(name="difficulty", label="Difficulty", default="3",
           options=tuple((str(rank), f"{rank}, {word}") for rank, word in RANKS.items())),
    Text(name="keywords", label="Keywords", most=300, help="A few words each, with commas between them. Each may speak "
         "for or against an attempt."),
    Whole(name="threat", label="Threat dice", default=0, most=9, help="While complications stand in the way."),
)
OWN_MOVE: tuple[Field, ...] = tuple(
    Text(name=f"height_{height}", label=f"Height {height}, {RANKS[height]}", most=200) for height in HEIGHTS
)
FIELDS: tuple[Field, ...] = (
    Text(name="title", label="What it is about", default="A check", most=120),
    *CHALLENGE,
    Choice(name="move", label="Move", default="", options=MOVE_OPTIONS, help="It says what each height accomplishes."),
    *OWN_MOVE, AGREE, HINT,
    Listing(name="contestants", label="Who", most=2, of=Group(name="one", label="One", fields=(
        Text(name="sheet", label="Who"),))),
)
Handler = Callable[[State, acts.Scene, Mapping[str, Any], Sequence[int]], "acts.Done | Need"]
HANDLERS: dict[str, Handler] = {
    name: getattr(acts, name) for name in (
        "propose", "agree", "rate", "complicate", "threaten", "dark_side", "roll", "reroll", "stand", "use", "heal",
        "pay", "let_go", "keep", "draw", "end",
    )
}
ROLLING = ("roll", "reroll", "pay")


class CheckAtTable(ContestKind[State, Event]):
    """One character's check, in three moments: the pool, the re-rolls, the set; then what its botches cost."""

    name = "danger_world.check_at_table"
    title = "Check"
    fields = FIELDS
    seats = "one"
    open_to_players = True
    exclusive = False
    needs_scene = False
    beside = "Whom it is for"

    @property
    def slug(self) -> str:
        return "check"

    @property
    def deed(self) -> str:
        return "Make a check"

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        take(faces, 0)
        said = read_all(FIELDS, setup)
        ids = [each["sheet"] for each in said["contestants"]]
        if not ids or any(each not in sheets for each in ids) or len(set(ids)) < len(ids):
            raise BadMove("Choose who makes the check, and somebody else where it is for another.", "who")
        sheet = sheets[ids[0]]
        if said["move"] == "own" and not any(said[f"height_{height}"] for height in HEIGHTS):
            raise BadMove("Say in words what your move accomplishes.", "height_2")
        waiting = tuple(Complication(f"A threat that waited: {each.name}", each.value, each.id)
                        for each in of_kind(sheet, THREAT) if each.name.casefold() == said["title"].casefold())
        own = (Complication("Complications", said["threat"]),) if said["threat"] else ()
        began = Began(
            ids[0], ids[1] if len(ids) > 1 else "", said["title"], int(said["difficulty"]), said["move"],
            tuple(said[f"height_{height}"] for height in HEIGHTS), keywords_of(said["keywords"]), (*own, *waiting),
            said["agree"], said["hint"],
        )
        first = Step("DW-05", f"{sheet.name} faces a difficulty of {began.difficulty}, {rank_word(began.difficulty)}.")
        return Turn((began,), Outcome({"phase": Phase.POOL.value}, (first,)))

    def offers(self, state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        return offers(state, sheets[state.who], sheets.get(state.beside)) if state.who in sheets else ()

    def act(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[Event] | Need:
        offer = self._offer(state, sheets, by, action)
        if action not in ROLLING:
            take(faces, 0)
        values = _checked(offer, given)
        scene = acts.Scene(sheets[state.who], sheets.get(state.beside))
        done = HANDLERS[action](state, scene, values, faces)
        if isinstance(done, Need):
            return done
        after = state
        for event in done.events:
            after = evolve(after, event)
        result = {"action": action, "by": by, "phase": after.phase.value, "height": after.height,
                  "difficulty": after.difficulty or after.rated.difficulty, "botches": after.botches}
        return Turn(done.events, Outcome(result, done.steps, done.dice, done.rolls), done.effects)

    def _offer(self, state: State, sheets: Mapping[str, Sheet], by: str, action: str) -> Offer:
        for each in self.offers(state, sheets):
            if (each.action, each.by) == (action, by):
                return each
        raise BadMove("This is not open now. Look at what is.", "action")

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def write(self, event: Event) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> Event:
        return EVENTS.read(stored)

    def is_over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def forecast(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> tuple[tuple[str, Reckoned], ...]:
        if action != "propose":
            return ()
        sheet = sheets[state.who]
        values = _checked(self._offer(state, sheets, by, action), given)
        pool = pool_from(reasons(state, sheet, acts.proposal_from(sheet, values)))
        return ((f"{acts.pool_words(pool)} against {state.rated.difficulty}", reckon(pool, state.rated.difficulty)),)

    def picture(self, state: State, sheets: Mapping[str, Sheet]) -> Drawn | None:
        return picture(state, sheets[state.who]) if state.who in sheets else None

    def board(self, state: State, sheets: Mapping[str, Sheet]) -> Board:
        name = sheets[state.who].name if state.who in sheets else ""
        waits = {
            Phase.BLANK: "It has not begun.",
            Phase.POOL: f"{name} may roll." if state.ready else
            "Your GM looks at the pool." if state.proposal else f"{name} puts a pool together.",
            Phase.REROLL: f"{name} may roll dice again.",
            Phase.CHOOSE: f"{name} chooses a set.",
            Phase.HEAL: f"{name} heals.",
            Phase.COSTS: "Your GM spends the botches.",
            Phase.OVER: "The check is over.",
        }[state.phase]
        rated = state.difficulty or state.rated.difficulty
        seats = tuple(Seat(each, sheets[each].name, "") for each in (state.who, state.beside) if each in sheets)
        return Board(f"Difficulty {rated}, {rank_word(rated)}", waits, (seats,))


def keywords_of(text: str) -> tuple[str, ...]:
    """The keywords between commas, each once."""
    return tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))


def _checked(offer: Offer, given: Mapping[str, Value]) -> dict[str, Any]:
    """The values of an offer's fields, every id one that it names; raises `BadMove`."""
    values = read_all(offer.fields, given)
    for name, options in (offer.options or {}).items():
        known, value = {pk for pk, _ in options}, values.get(name)
        field = next((each for each in offer.fields if each.name == name), None)
        chosen = [value] if isinstance(field, Text) else list(value or ())
        if isinstance(field, Shares):
            values[name] = dict(value or {})
        if any(each and each not in known for each in chosen):
            raise BadMove("Choose among what is there.", name)
        if isinstance(field, Text) and not value and offer.action in ("heal", "pay", "dark_side", "threaten", "use"):
            raise BadMove("Choose one.", name)
    return values
