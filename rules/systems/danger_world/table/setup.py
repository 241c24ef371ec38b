"""How a check begins: what is tried, how hard it is, and what each height accomplishes (DW-05, DW-09, DW-16)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.fields import Choice, Field, Flag, Group, Listing, Text, Whole
from rules.moves import Step, take
from rules.systems.danger_world.challenge import RANKS
from rules.systems.danger_world.reading import THREAT, of_kind, rank_word
from rules.systems.danger_world.table.events import Began, Result
from rules.systems.danger_world.table.on_challenge import SETUP_THREAT
from rules.systems.danger_world.table.resolution import AID, HEIGHTS, MOVE_OPTIONS, OWN
from rules.systems.danger_world.table.state import Complication
from rules.values import BadMove

AGREE = Flag(name="agree", label="The GM agrees to each pool before it is rolled", default=True)
HINT = Flag(name="hint", label="Mark the dice that are best kept", default=True,
            help="With the exact chance beside them, during re-rolls.")
# What the setup of a check and a challenge in the bank have in common.
CHALLENGE: tuple[Field, ...] = (
    Choice(name="difficulty", label="Difficulty", default="3",
           options=tuple((str(rank), f"{rank}, {word}") for rank, word in RANKS.items())),
    Text(name="keywords", label="Keywords", most=300, help="What the challenge is like, in a few words each, with "
         "commas between them. Each may help or hinder an attempt."),
    Whole(name="threat", label="Threat dice", default=0, most=9,
          help="One for each complication that stands in the way. They only make botches."),
)
OWN_MOVE: tuple[Field, ...] = tuple(
    Text(name=f"height_{height}", label=f"Height {height}, {RANKS[height]}", most=200) for height in HEIGHTS
)
FIELDS: tuple[Field, ...] = (
    Text(name="title", label="What it is about", default="A check", most=120),
    *CHALLENGE,
    Choice(name="move", label="Move", default="", options=MOVE_OPTIONS,
           help="A table of what each difficulty accomplishes."),
    *OWN_MOVE, AGREE, HINT,
    Listing(name="contestants", label="Who", most=2, of=Group(name="one", label="One", fields=(
        Text(name="sheet", label="Who"),))),
)


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A check of the first one named, for the second where there is one; raises `BadMove`."""
    take(faces, 0)
    ids = [each["sheet"] for each in values["contestants"]]
    if not ids or any(each not in sheets for each in ids) or len(set(ids)) < len(ids):
        raise BadMove("Choose who makes the check, and somebody else where it is for another.", "who")
    sheet = sheets[ids[0]]
    own = tuple(values[f"height_{height}"] for height in HEIGHTS)
    if values["move"] == OWN and not any(own):
        raise BadMove("Say in words what your move accomplishes.", "height_2")
    waiting = tuple(Complication(f"A threat that waited: {each.name}", each.value, each.id)
                    for each in of_kind(sheet, THREAT) if each.name.casefold() == values["title"].casefold())
    first = (Complication(SETUP_THREAT, values["threat"]),) if values["threat"] else ()
    if values["move"] == AID and len(ids) < 2:
        raise BadMove("Choose who is helped.", "beside")
    began = Began(
        ids[0], ids[1] if len(ids) > 1 else "", values["title"], int(values["difficulty"]), values["move"], own,
        keywords_of(values["keywords"]), (*first, *waiting), values["agree"], values["hint"],
    )
    step = Step("DW-05", f"{sheet.name} faces a difficulty of {began.difficulty}, {rank_word(began.difficulty)}.")
    return Result((began,), (step,))


def keywords_of(text: str) -> tuple[str, ...]:
    """The keywords between commas, each once."""
    return tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
