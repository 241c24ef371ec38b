"""It rests, and goes on; it ends: what lasts, what was learned, how it came out (QW-43, QW-59, QW-60, QW-80, QW-A3).

*Ruling*: of a side that won only victories count towards its second best, of one that lost only defeats. In a chained
contest the worst state of whoever lost says the degree. NPCs' fates are the GM's to tell.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import Field, Listing, text
from rules.moves import Step
from rules.procedure import Ask, Offer, Options
from rules.sheet import Effect, Gain, SetDead, Sheet
from rules.systems.questworlds.after import Gave, Learned, used_up
from rules.systems.questworlds.experience import DEFEAT, FLAW
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.long.pairs import awaited, elsewhere, gms
from rules.systems.questworlds.long.parting import unanswered
from rules.systems.questworlds.long.state import NOBODY, Phase, Result, State
from rules.systems.questworlds.long.values import Bout, Contestant, Judged, Ruled
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import RULES, worth
from rules.systems.questworlds.older.worthy import check_state, check_worthy
from rules.systems.questworlds.traits import BENEFIT, CONSEQUENCE, score_of
from rules.values import BadMove, Value
from rules.wording import sentence, within

ARCS = (("rising", "Rising action"), ("climax", "Climax"))


@dataclass(frozen=True)
class Paused(Event[State]):
    """It rests, to be gone on with at another time (QW-59)."""

    def after(self, state: State) -> State:
        return replace(state, paused=True)


@dataclass(frozen=True)
class Resumed(Event[State]):
    """It goes on, in the scene of this id."""

    scene: str

    def after(self, state: State) -> State:
        return replace(state, paused=False, scene=self.scene)


@dataclass(frozen=True)
class OutcomesRuled(Ruled, Event[State]):
    """The outcomes were counted by the tables."""

    stored = "ruled"

    def after(self, state: State) -> State:
        return replace(state, ruled=self)


@dataclass(frozen=True)
class TookLesson(Learned, Event[State]):
    """What was learned in it, or was not."""

    stored = "learned"

    def after(self, state: State) -> State:
        return replace(state, learned=(*state.learned, self))


@dataclass(frozen=True)
class GaveLasting(Gave, Event[State]):
    """Something lasting goes onto a sheet."""

    stored = "gave"

    def after(self, state: State) -> State:
        return replace(state, gave=(*state.gave, self))


@dataclass(frozen=True)
class Ended(Event[State]):
    """The contest is over: `done` or `called off`."""

    how: str

    def after(self, state: State) -> State:
        return replace(state, ended=self.how)


def pause(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It goes on at another time, with its points (QW-59)."""
    return Result((Paused(),), (Step("QW-59", f"“{state.settings.prize}” is paused. Its points are kept."),))


def resume(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It goes on, in the scene that is on now (QW-58, QW-59)."""
    if why := inside_another(state):
        raise BadMove(why)
    scene = state.context.open_scene or ""
    return Result((Resumed(scene),), (Step("QW-59", f"“{state.settings.prize}” resumes where it was paused."),))


def inside_another(state: State) -> str:
    """That somebody in it is in another long contest that runs now, in a sentence; "" where nobody is (QW-58)."""
    for contestant in state.contestants:
        if contestant.status == "in" and (title := elsewhere(state.context, contestant.id)):
            return (f"{contestant.name} is in “{title}” now. A long contest can’t run inside another. Finish or pause "
                    "that one first.")
    return ""


def give(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A consequence or a benefit goes onto a sheet, and knows where it is from (QW-60)."""
    who, kind, rank, name = values["whom"], values["kind"], int(values["rank"]), values["name"]
    touches, prize = values["touches"].rstrip("."), state.settings.prize
    note = f"{touches}. From: {prize}" if touches else f"From: {prize}"
    kind = state.policy.kind_of(kind)
    check_state(kind, rank)
    check_worthy(kind, sheets[who].name, *compared(state, sheets, who), state.settings.symbol)
    amount = worth(kind, rank, state.settings.symbol, state.edition)
    on = f", on {touches}" if touches else ""
    steps = [Step(RULES.get(kind, "QW-60"), f"{sheets[who].name}: {name}, {amount}{on}.")]
    if margin := margin_of(state, state.entrant(who)):
        text = f"The points were {margin[0]} to {margin[1]}: rank {suggested(*margin)} was suggested."
        steps.append(Step("QW-43", text))
    return Result((GaveLasting(who, kind, name, rank),), tuple(steps), effects=(Gain(who, kind, name, rank, note),))


def margin_of(state: State, who: Contestant) -> tuple[int, int] | None:
    """Somebody's points and those against them, in their last bout; None for who had none."""
    bouts = state.bouts_had(who.id)
    if not bouts:
        return None
    place = bouts[-1].place(who.id)
    return bouts[-1].points[place], bouts[-1].points[1 - place]


def suggested(ours: int, theirs: int) -> int:
    """The rank that a difference in points suggests: one for each two. *Ruling*: the source names no numbers."""
    return max(1, min(5, (abs(ours - theirs) + 1) // 2))


def _asks_what_lasts(state: State, who: Options) -> Offer:
    """What lasts: suggested from the points, decided by the GM (QW-43, QW-60)."""
    policy = state.policy
    fields = (
        text("whom", "Character", needed=True), ChoiceField(name="kind", label="Type", options=policy.kinds()),
        ChoiceField(name="rank", label="Rank", options=policy.ranks(state.edition, state.settings.symbol)),
        text("name", "Name", needed=True, most=120),
        text("touches", "Applies to", "Abilities or situations.", most=300),
    )
    had = {given.who for given in state.gave}
    first = next((state.entrant(id_) for id_, _ in who if id_ not in had), state.entrant(who[0][0]))
    margin = margin_of(state, first)
    kind = "benefit" if first.status == "in" and state.won_by == first.part.side else "consequence"
    rank = suggested(*margin) if margin else 1
    return Offer("give", "", "Add a consequence or benefit", "", fields, {"whom": who},
                 now={"whom": first.id, "kind": kind, "rank": str(rank)})


def can_give(state: State, sheets: Sheets) -> Iterator[Offer]:
    """What lasts: for who is out already, and in the end for everybody."""
    if state.phase is Phase.ROUNDS or (state.phase is Phase.AFTER and not state.throws):
        who = tuple((contestant.id, contestant.name) for contestant in state.contestants
                    if contestant.id in sheets and (state.phase is Phase.AFTER or contestant.status != "in"))
        if who:
            yield _asks_what_lasts(state, who)


def close(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The contest is done: who has the prize, and what was learned (QW-43, QW-47, QW-80)."""
    words = {NOBODY: "Nobody is left to have the prize", None: "It is left undecided"}
    words |= {place: f"The prize goes to {within(side)}" for place, side in enumerate(state.settings.sides)}
    steps = [Step("QW-47", f"{words[state.won_by]}: {sentence(state.settings.prize)}")]
    events: list[Event[Any]] = []
    effects: list[Effect] = []
    for contestant in state.contestants:
        for kind, trait, contest in lessons(state, contestant) if contestant.id in sheets else ():
            lessons_of, why, earned = learned(state, sheets[contestant.id], kind, trait, contest)
            took_lessons = tuple(TookLesson(**vars(lesson)) for lesson in lessons_of)
            state = replace(state, learned=(*state.learned, *took_lessons))
            events += took_lessons
            steps += why
            effects += earned
    used, why_used = used_up(state.lines, sheets)
    return Result((*events, Ended("done")), (*steps, *why_used), {"won_by": state.won_by},
                    effects=(*effects, *used))


def lessons(state: State, who: Contestant) -> list[tuple[str, str, str]]:
    """What may be worth a point: flaws that met the dice, and a defeat (QW-23, QW-80)."""
    rolled = bool(state.bouts_had(who.id))
    learned = [(FLAW, line.label, "hindrance") for line in state.lines
             if line.kind == "hindrance" and line.who == who.id and rolled]
    if who.status in ("beaten", "conceded") and rolled:
        learned.append((DEFEAT, who.using.name if who.using else "", state.form))
    return learned


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM lets it go."""
    return Result((Ended("called off"),), (Step("QW-20", "The contest is called off."),))


@dataclass(frozen=True, slots=True)
class Told:
    """How it came out for one who had a round."""

    who: Contestant
    judged: Judged

    @property
    def degree(self) -> int:
        """The degree."""
        return self.judged.degree


def can_count_outcomes(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The outcomes by the tables, once, when a side has nobody left."""
    if state.phase is Phase.AFTER and not state.throws and (offer := _asks_outcomes(state)):
        yield offer


def _asks_outcomes(state: State) -> Offer | None:
    """The outcomes by the tables, once, when a side has nobody left."""
    if state.ruled or not (state.by_tables or state.policy.second_best):
        return None
    fields: list[Field] = []
    who = tuple((player.id, player.name) for player in _players(state))
    if state.by_tables:
        if state.tactics:
            fields.append(ChoiceField(name="arc", label="Where the story is", options=ARCS))
        fields.append(
            Listing(name="whom", label="Characters", of=text("who", "Character"), default=()))
    now: dict[str, Value] = {"whom": [id_ for id_, _ in who]}
    return Offer("outcomes", "", "Count the outcomes", "By the tables, for each and for the group.", tuple(fields),
                 {"whom": who} if fields else {}, now=now if fields else None)


def outcomes(
    state: State, sheets: Mapping[str, Sheet], by: str, values: Mapping[str, Any], faces: Sequence[int]
) -> Result:
    """The degree of each and of the group, and the states that go onto sheets."""
    arc, whom = values.get("arc", ""), values.get("whom", ())
    judgements = [Told(player, state.judged(player, arc)) for player in _players(state)]
    steps = [Step(state.tables_rule, f"{judgement.who.name}: {judgement.judged.why}") for judgement in judgements]
    events: list[Event[Any]] = []
    effects: list[Effect] = []
    for judgement in judgements:
        if judgement.who.id in whom:
            for what in judgement.judged.states:
                given, why, effect = _gives(state, sheets, judgement.who, what)
                events, steps, effects = [*events, *given], [*steps, why], [*effects, *effect]
    group = group_degree(state, judgements)
    if state.policy.second_best and group is not None:
        steps.insert(0, Step("QW-A4", f"For the group it is a {in_words(group)}."))
        steps.append(Step("QW-A4", _how(judgements, group)))
    degree = group if group is not None and state.policy.second_best else 0
    ruled = OutcomesRuled(arc, degree, tuple((judgement.who.id, judgement.degree) for judgement in judgements))
    return Result((ruled, *events), tuple(steps), {"group": degree}, effects=tuple(effects))


def _players(state: State) -> list[Contestant]:
    """The players' characters who had a round."""
    return [contestant for contestant in state.contestants
            if contestant.id in state.settings.players and state.bouts_had(contestant.id)]


def _gives(
    state: State, sheets: Mapping[str, Sheet], who: Contestant, what: int
) -> tuple[tuple[Event[Any], ...], Step, tuple[Effect, ...]]:
    """One state, as the campaign has them, for whose sheet."""
    prize, symbol = state.settings.prize or "The contest", state.settings.symbol
    if what <= -tables.DEAD:
        return (), Step("QW-A6", f"{who.name} is dead, in body or otherwise."), (SetDead(who.id),)
    kind = state.policy.kind_of(CONSEQUENCE if what < 0 else BENEFIT)
    rule = RULES.get(kind, "QW-60")
    try:
        check_worthy(kind, who.name, *compared(state, sheets, who.id), symbol)
    except BadMove as bad:
        return (), Step(rule, bad.sentence), ()
    rank, name = abs(what), prize[:120]
    step = Step(rule, f"{who.name}: {worth(kind, rank, symbol, state.edition)}.")
    return (GaveLasting(who.id, kind, name, rank),), step, (Gain(who.id, kind, name, rank, f"From: {prize}"),)


def compared(state: State, sheets: Mapping[str, Sheet], who: str) -> tuple[int | None, int | None]:
    """The best that somebody used, and the least that was used against them (QW-A7)."""
    bouts = state.bouts_had(who)
    mine = [score for bout in bouts for score in _scores(state, sheets, bout, who)]
    foes = [score for bout in bouts for score in _scores(state, sheets, bout, bout.other(who))]
    return max(mine, default=None), min(foes, default=None)


def _scores(state: State, sheets: Mapping[str, Sheet], bout: Bout, who: str) -> Iterator[int]:
    """What one used in a pair: abilities of their sheet, else what they resist with."""
    usable, sheet = state.entrant(who), sheets.get(who)
    if usable.part.resistance is not None or sheet is None:
        yield usable.part.resistance if usable.part.resistance is not None else state.edition.resolution.no_ability
        return
    used = {came.abilities[came.second == who] for came in bout.rounds}
    yield from (score for trait in sheet.traits if trait.name in used and (score := score_of(trait, sheet)) is not None)


def group_degree(state: State, judgements: Sequence[Told]) -> int | None:
    """The second best of the winners, the second worst of the losers (QW-A4); None where no player's side is told."""
    sides = {judgement.who.part.side for judgement in judgements}
    if state.won_by not in (0, 1) or len(sides) != 1:
        return None
    won = sides == {state.won_by}
    degrees = [judgement.degree for judgement in judgements]
    ordered = sorted((degree for degree in degrees if degree * (1 if won else -1) > 0), reverse=won)
    if not ordered:
        return 1 if won else -1
    return ordered[min(1, len(ordered) - 1)]


def _how(judgements: Sequence[Told], group: int) -> str:
    listed = "; ".join(f"{judgement.who.name} a {in_words(judgement.degree)}" for judgement in judgements)
    if len(judgements) < 2:
        return f"One character stood for the group: {listed}."
    return f"The second {'best of the winners' if group > 0 else 'worst of the losers'} counts: {listed}."


def can_close(state: State, sheets: Sheets) -> Iterator[Offer]:
    """The end, when a side has nobody left, and no further prize waits for an answer."""
    if state.phase is Phase.AFTER and not state.throws and not unanswered(state):
        yield Offer("close", "", "Finish the contest")


def can_pause(state: State, sheets: Sheets) -> Offer:
    """It rests."""
    return Offer("pause", "", "Pause the contest",
                 "It keeps its points until you resume it: in another scene, or at another time.")


def can_resume(state: State, sheets: Sheets) -> Iterator[Offer]:
    """It goes on."""
    if state.phase is Phase.RESTS:
        yield Offer("resume", "", "Resume the contest", "Its points are as they were.")


def ask_to_resume(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, at any time."""
    for offer in can_resume(state, sheets):
        yield Ask(offer.by, offer.action, "resume it when you are ready", "Resume", idle=True)


def can_call_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """It comes to nothing."""
    if state.phase in (Phase.ROUNDS, Phase.AFTER, Phase.RESTS):
        yield Offer("call_off", "", "Call off the contest", "Nobody wins, and nothing is learned.")


EVENTS = (Paused, Resumed, OutcomesRuled, Ended, GaveLasting, TookLesson)
ACTS: tuple[Act[Any], ...] = (
    Act("outcomes", can_count_outcomes, outcomes), Act("give", can_give, give), Act("pause", gms(can_pause), pause),
    awaited(Act("close", can_close, close), "add what lasts, and finish", "Finish"),
    Act("resume", can_resume, resume, ask_to_resume), Act("call_off", can_call_off, call_off),
)
