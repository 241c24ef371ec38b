"""Challenges as things of a scene: how hard each is, what stands in the way, and the threat dice that wait on it.

A challenge is known by its name: checks of one scene that are about the same are tries at the same challenge. *Ruling*:
the threat dice on it fall with every try, until one accomplishes it or the GM takes them off (DW-05, DW-06, DW-09).
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import REQUIRED, Choice, Field, Flag, Group, Listing, Text, Whole, Word
from rules.moves import Step, take
from rules.procedure import CampaignContext, Offer, Suggestion
from rules.settings import asked
from rules.sheet import Sheet, Spend, SpendShared, Trait
from rules.systems.danger_world.challenge import HEIGHTS, RANKS
from rules.systems.danger_world.damage import out_of_it
from rules.systems.danger_world.moves import AID, MOVE_OPTIONS, OWN
from rules.systems.danger_world.reading import GENERAL, POINTS, THREAT, branches, dice, of_kind, rank_word
from rules.systems.danger_world.reckoning import Reason
from rules.systems.danger_world.settings import CheckSettings, Settings
from rules.systems.danger_world.table.state import Complication, Result, State, ThreatLeft
from rules.values import BadMove
from rules.wording import sentence

SETUP_THREAT = "Complications"  # the reason of the threat dice that a check starts with
# What the setup of a check and a challenge in the bank have in common: the GM's word.
CHALLENGE: tuple[Field, ...] = (
    Choice(name="difficulty", label="Difficulty", default="3", word=Word.GM,
           options=tuple((str(rank), f"{rank}, {word}") for rank, word in RANKS.items())),
    Text(name="keywords", label="Keywords", most=300, word=Word.GM, help="Features of the challenge, in a "
         "few words each, with commas between them. Each may help or hinder an attempt."),
    Whole(name="threat", label="Threat dice", default=0, most=9, word=Word.GM,
          help="One for each complication. They only make botches."),
)
OWN_MOVE: tuple[Field, ...] = tuple(
    Text(name=f"height_{height}", label=f"Height {height}, {RANKS[height]}", most=200) for height in HEIGHTS
)
# Whoever plays may propose how hard it is, as they begin a check: the GM agrees to it with the pool.
FIELDS: tuple[Field, ...] = (
    Text(name="title", label="Title (what is at stake)", default="A check", most=120),
    *(replace(field, word=Word.SAID) for field in CHALLENGE),
    Flag(name="said", label="On the player’s word", word=Word.GM),
    Choice(name="move", label="Move", default="", options=MOVE_OPTIONS,
           help="A table of what each difficulty accomplishes."),
    *OWN_MOVE, *asked(Settings, by=CheckSettings),
    Listing(name="contestants", label="Character", most=2, of=Group(name="one", label="One", fields=(
        Text(name="sheet", label="Character"),))),
)


@dataclass(frozen=True)
class Began(CheckSettings, Event[State]):
    """A check began: `who` tries, `beside` is whom it is for ("" for nobody), `own` are the rows of an own move; where
    it is `said`, how hard it is stands on the word of whoever plays."""

    who: str
    beside: str
    title: str
    difficulty: int
    move: str
    own: tuple[str, ...]
    keywords: tuple[str, ...]
    complications: tuple[Complication, ...]
    said: bool = False

    def after(self, state: State) -> State:
        return State(
            who=self.who, beside=self.beside, title=self.title, base=self.difficulty, move=self.move, own=self.own,
            keywords=self.keywords, complications=self.complications, settings=self, said=self.said,
        )


@dataclass(frozen=True)
class RatedAs(Event[State]):
    """The GM said how hard it is, and which keywords help or hinder (DW-09)."""

    difficulty: int
    helps: tuple[str, ...]
    hinders: tuple[str, ...]

    def after(self, state: State) -> State:
        return replace(state, base=self.difficulty, helps=self.helps, hinders=self.hinders,
                       said=state.said and state.undoing)


@dataclass(frozen=True)
class Complicated(Event[State]):
    """Threat dice were added to the roll."""

    complication: Complication

    def after(self, state: State) -> State:
        added = self.complication
        left = (ThreatLeft(state.title, added.dice, added.reason),) if added.stays else ()
        return replace(state, complications=(*state.complications, added), left=(*state.left, *left))


@dataclass(frozen=True)
class ThreatsRemoved(Event[State]):
    """The GM took threat dice off the challenge that had been left there."""

    dice: int

    def after(self, state: State) -> State:
        return replace(state, removed=state.removed + self.dice)


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A check of the first one named, for the second where there is one; raises `BadMove`."""
    take(faces, 0)
    ids = [line["sheet"] for line in values["contestants"]]
    if not ids or len(set(ids)) < len(ids):
        raise BadMove("Choose a character for the check, and a different one if it is for someone else.", "who")
    sheet = sheets[ids[0]]
    if why := out_of_it(sheet):
        raise BadMove(why, "who")
    own = tuple(values[f"height_{height}"] for height in HEIGHTS)
    if values["move"] == OWN and not any(own):
        raise BadMove("Describe what it accomplishes.", "height_2")
    if values["move"] == AID and len(ids) < 2:
        raise BadMove("Choose a character to help.", "beside")
    began = Began(
        ids[0], ids[1] if len(ids) > 1 else "", values["title"], int(values["difficulty"]), values["move"], own,
        keywords_of(values["keywords"]), first_threats(sheet, values["title"], values["threat"]),
        said=values["said"], **vars(values["settings"]),
    )
    faces_it = "says: against" if began.said else "faces"
    step = Step("DW-05", f"{sheet.name} {faces_it} a difficulty of {began.difficulty}, {rank_word(began.difficulty)}.")
    return Result((began,), (step,))


def keywords_of(text: str) -> tuple[str, ...]:
    """The keywords between commas, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


@dataclass(frozen=True)
class Challenge:
    """A challenge of the scene: the latest try at it (None before the first), and the threat dice that wait there."""

    name: str
    latest: State | None = None
    threats: tuple[ThreatLeft, ...] = ()
    overcome: bool = False

    @property
    def dice(self) -> int:
        """How many threat dice wait."""
        return sum(threat.dice for threat in self.threats)


def challenges(context: CampaignContext) -> dict[str, Challenge]:
    """The challenges of the scene as other checks left them, by their key, in the order in which they came."""
    known: dict[str, Challenge] = {}
    for past in context.past:
        state: State = past.state
        if past.scene != context.scene or not state.who:
            continue
        for threat in state.left:
            was = known.get(key(threat.challenge), Challenge(threat.challenge))
            known[key(threat.challenge)] = replace(was, threats=(*was.threats, threat), overcome=False)
        was = known.get(key(state.title), Challenge(state.title))
        overcome = was.overcome if state.undoing else state.overcame
        threats = () if overcome else tuple(_without(was.threats, state.removed))
        known[key(state.title)] = replace(was, latest=state, threats=threats, overcome=overcome)
    return known


def threats_at(sheet: Sheet, title: str) -> tuple[Trait, ...]:
    """The threats on a sheet that wait for whoever it is at the challenge of this name."""
    return tuple(threat for threat in of_kind(sheet, THREAT) if key(threat.name) == key(title))


def waited(threat: Trait) -> Complication:
    """A threat on a sheet, as it counts in a check."""
    return Complication(f"A threat that waited: {threat.name}", threat.value, threat.id)


def left_at(context: CampaignContext, title: str) -> tuple[ThreatLeft, ...]:
    """The threat dice that checks of the scene left on the challenge of this name."""
    known = challenges(context).get(key(title))
    return known.threats if known else ()


def first_threats(sheet: Sheet, title: str, threat: int) -> tuple[Complication, ...]:
    """What a check at this challenge starts with: the GM's threat dice, and threats on the sheet that wait there."""
    setup = (Complication(SETUP_THREAT, threat),) if threat else ()
    return (*setup, *(waited(threat) for threat in threats_at(sheet, title)))


def reasons_for(
    title: str, complications: Iterable[Complication], left: Iterable[ThreatLeft]
) -> tuple[Reason, ...]:
    """The threat dice of a check at this challenge, each with its reason."""
    return (
        *(Reason(added.dice, "threat", added.reason, "DW-02") for added in complications),
        *(Reason(threat.dice, "threat", f"Left on {title}{f', {threat.why}' if threat.why else ''}", "DW-06")
          for threat in left))


def waiting(state: State) -> tuple[ThreatLeft, ...]:
    """The threat dice that other checks left on the challenge of this one, and that the GM has not taken off."""
    return tuple(_without(left_at(state.context, state.title), state.removed))


def suggestions(context: CampaignContext) -> tuple[Suggestion, ...]:
    """The challenges of the scene that are not overcome, each as a check at it starts."""
    return tuple(_suggestion(challenge) for challenge in challenges(context).values() if not challenge.overcome)


def try_again(state: State) -> tuple[tuple[str, str], ...]:
    """What a further check at the challenge of this one starts with."""
    threat = sum(added.dice for added in state.complications if added.reason == SETUP_THREAT and not added.trait)
    rows = zip(HEIGHTS, state.own, strict=False)
    return (
        ("title", state.title), ("difficulty", str(state.own_difficulty)), ("keywords", ", ".join(state.keywords)),
        ("threat", str(threat)), ("move", state.move), *((f"height_{height}", row) for height, row in rows if row),
    )


def key(name: str) -> str:
    """What tells challenges apart: their names in small letters, with single blanks."""
    return " ".join(name.split()).casefold()


def _suggestion(challenge: Challenge) -> Suggestion:
    words = [f"difficulty {challenge.latest.own_difficulty}"] if challenge.latest else []
    if challenge.dice:
        words.append(f"{dice(challenge.dice, 'threat')} on it")
    values = try_again(challenge.latest) if challenge.latest else (("title", challenge.name),)
    return Suggestion(challenge.name, ", ".join(words), values)


def _without(threats: Iterable[ThreatLeft], number: int) -> Iterator[ThreatLeft]:
    """The threats less so many dice, the oldest first."""
    for threat in threats:
        gone = min(number, threat.dice)
        number -= gone
        if threat.dice > gone:
            yield replace(threat, dice=threat.dice - gone)


def offer_rating(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, before the dice fall: the difficulty, and which keywords help or hinder."""
    if not state.pools(sheets):
        return
    fields: list[Field] = [Whole(name="difficulty", label="Difficulty", least=1, most=9)]
    if not state.keywords:
        yield Offer("rate", "", "Set the difficulty", "", tuple(fields), now={"difficulty": state.base})
        return
    of = Text(name="id", label="Trait")
    fields += [
        Listing(name="helps", label="What helps", of=of, default=(), help="One lower each."),
        Listing(name="hinders", label="What hinders", of=of, default=(), help="One higher each."),
    ]
    keywords = tuple((keyword, keyword) for keyword in state.keywords)
    yield Offer("rate", "", "Set the difficulty", "", tuple(fields), {"helps": keywords, "hinders": keywords},
                now={"difficulty": state.base, "helps": list(state.helps), "hinders": list(state.hinders)})


def rate(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The difficulty, and which keywords help or hinder."""
    helps, hinders = tuple(values.get("helps", ())), tuple(values.get("hinders", ()))
    if both := set(helps) & set(hinders):
        raise BadMove(f"{min(both)} can’t help and hinder at once. Choose one.", "hinders")
    event = RatedAs(values["difficulty"], helps, hinders)
    rated = event.after(state).rated
    steps = [Step("DW-05", f"The difficulty is {rated.difficulty}, {rank_word(rated.difficulty)}."), *rated.steps]
    if rated.warning:
        steps.append(Step("DW-09", rated.warning))
    return Result((event,), tuple(steps))


def offer_complicating(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, before the dice fall."""
    if state.pools(sheets):
        yield Offer("complicate", "", "Add threat dice", "They stay on the challenge until it is overcome.", (
            Whole(name="dice", label="Threat dice", least=1, most=9, default=1),
            Text(name="why", label="Reason", default=REQUIRED, most=120, missing="Enter a reason."),
        ))


def complicate(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Threat dice for a complication."""
    number, why = values["dice"], values["why"]
    added = Complication(why, number, stays=True)
    return Result((Complicated(added),), (Step("DW-02", f"{dice(number, 'threat')}: {sentence(why)}"),))


def offer_threatening(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: threats that stand on the sheet and do not count yet."""
    if not state.pools(sheets):
        return
    counted = {complication.trait for complication in state.complications}
    threats = tuple((threat.id, f"{threat.name} · {threat.value}") for threat in of_kind(sheets[state.who], THREAT)
                    if threat.id not in counted)
    if threats:
        which = Text(name="threat", label="Threat", default=REQUIRED, missing="Choose a threat.")
        yield Offer("threaten", "", "Count a threat that waits", "", (which,), {"threat": threats})


def threaten(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A threat that stands on the sheet counts in this check."""
    trait = next(threat for threat in of_kind(sheets[state.who], THREAT) if threat.id == values["threat"])
    return Result((Complicated(waited(trait)),), (Step("DW-06", f"{dice(trait.value, 'threat')}: {trait.name}."),))


def offer_clearing(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: what earlier checks left on this challenge."""
    if state.pools(sheets) and (there := sum(threat.dice for threat in waiting(state))):
        number = Whole(name="number", label="How many", least=1, most=there, default=there)
        yield Offer("clear_threats", "", "Remove threat dice",
                    f"Earlier checks left {dice(there, 'threat')} on this challenge.", (number,))


def clear_threats(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Threat dice that were left on the challenge are gone."""
    number = values["number"]
    step = Step("DW-06", f"The GM takes {dice(number, 'threat')} off {state.title}.")
    return Result((ThreatsRemoved(number),), (step,))


def offer_dark_side(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM: an aspect that stands in the way, as far as the general pool goes (DW-10)."""
    if not (state.pools(sheets) and state.general):
        return
    if aspects := tuple((branch.trait.id, branch.trait.name) for branch in branches(sheets[state.who])):
        yield Offer(
            "dark_side", "", "Pay for an aspect’s dark side", f"The points come from the general pool "
            f"({state.general} left) and go to the player. Each adds a threat die.",
            (Text(name="aspect", label="Aspect", default=REQUIRED, missing="Choose an aspect."),
             Whole(name="number", label="Story points", least=1, most=state.general, default=1)),
            {"aspect": aspects},
        )


def dark_side(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM pays the player for an aspect that stands in the way (DW-10)."""
    sheet, number = sheets[state.who], values["number"]
    trait = next(branch.trait for branch in branches(sheet) if branch.trait.id == values["aspect"])
    added = Complication(f"The dark side of {trait.name}", number)
    points = "a story point" if number == 1 else f"{number} story points"
    step = Step("DW-10", f"The GM pays {sheet.name} {points} for the dark side of {trait.name}: "
                         f"{dice(number, 'threat')}.")
    return Result((Complicated(added),), (step,),
                  effects=(SpendShared(GENERAL, -number), Spend(sheet.id, POINTS, number)))


ACTS = (
    Act("rate", offer_rating, rate), Act("complicate", offer_complicating, complicate),
    Act("threaten", offer_threatening, threaten), Act("clear_threats", offer_clearing, clear_threats),
    Act("dark_side", offer_dark_side, dark_side),
)
EVENTS = (Began, RatedAs, Complicated, ThreatsRemoved)
