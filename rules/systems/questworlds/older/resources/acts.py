"""What is done with a community with scores (QW-A9)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.sheet import Effect, Gain, Lose, Sheet
from rules.systems.questworlds.community.events import CommunityOptions
from rules.systems.questworlds.contest import Terms, roll_of
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.by_degree import AUGMENTS
from rules.systems.questworlds.older.degrees import degree_of, in_words, outcome_of
from rules.systems.questworlds.older.resources import tables
from rules.systems.questworlds.older.resources.events import Changed, Ended, Event, Founded, Result, Used
from rules.systems.questworlds.older.resources.state import State
from rules.systems.questworlds.older.resources.tables import Resource
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.roll import SIDES, Names
from rules.systems.questworlds.traits import CONSEQUENCE, SUPPORT
from rules.values import BadMove, Value
from rules.wording import join, sentence

Sheets = Mapping[str, Sheet]
Values = Mapping[str, Any]
RULE = "QW-A9"
THE_ONE = "It is the one augment of that contest."


def begin(values: Values, faces: Sequence[int]) -> Result:
    """The resources with their scores, the best first."""
    take(faces, 0)
    names = [" ".join(each.split()) for each in values["names"].split(",") if each.strip()]
    if len(names) != len(tables.SCORES) or len({each.casefold() for each in names}) != len(names):
        raise BadMove(f"Give {len(tables.SCORES)} resources, each with a name of its own and commas between.", "names")
    found = tuple(Resource(name[:60], score) for name, score in zip(names, tables.SCORES, strict=True))
    text = join([f"{each.name} {notation(each.score, values['symbol'])}" for each in found])
    settings = CommunityOptions(
        tie_to_player=values["tie"] == "player", by_value=values["stacking"] == "value",
        counts=values["growth"] == "xp",
        players=tuple(each["sheet"] for each in values["contestants"] if each["player"]))
    founded = Founded(values["title"], values["interval"], values["symbol"], values["base"], found, settings)
    return Result((founded,), (Step(RULE, f"{values['title']}: {text}."),))


def use(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A resource is rolled with in the place of an ability, and wears out with it."""
    return _used(state, sheets, values, faces, helps=False)


def augment(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """A resource helps in a contest that is to come, for what its own roll comes to, and wears out with it."""
    return _used(state, sheets, values, faces, helps=True)


def _used(state: State, sheets: Sheets, values: Values, faces: Sequence[int], *, helps: bool) -> Result | Need:
    found, user = _chosen(state, values), sheets.get(values.get("whom", ""))
    if helps and user and _lobbied(state, user, found):
        raise BadMove(f"{found.name} helps {user.name} already, and what was lobbied for is the one augment of its "
                      "contest. Finish that first.", "resource")
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    degree, steps, roll = _rolled(state, found, resisted(state, values), (faces[0], faces[1]), counts=True)
    after = tables.depleted(found, degree)
    steps.insert(0, Step(RULE, f"{found.name} is used: a {in_words(degree)}. {sentence(values['words'])}"))
    steps.append(Step(RULE, f"That takes {signed(tables.DEPLETION[degree])}: {_stands(state, after)}."))
    events: list[Event] = [_changed(state, "augment" if helps else "use", after)]
    effects: list[Effect] = []
    if user:
        granted = state.grant(user.id, found.name)
        events += [Used(user.id, found.name)] if granted else []
        if helps and tables.HELPS[degree]:
            effects.append(_help(state, user, found, degree, values["words"], required=not granted))
            steps.append(Step(RULE, f"It adds {signed(AUGMENTS[degree], state.symbol)} to a contest of {user.name}."))
        if degree < 0:
            effects.append(_blame(state, user, found, degree))
            steps.append(Step(RULE, f"The same counts against {user.name} in dealings with the community, until the "
                                    "interval ends."))
    return Result(tuple(events), tuple(steps), {"degree": degree, "outcome": outcome_of(degree)},
                  _dice(faces, found.name), tuple(effects), (roll,))


def _help(state: State, user: Sheet, found: Resource, degree: int, words: str, *, required: bool) -> Gain:
    """The augment, as it waits for its contest. *Ruling*: a use that nobody lobbied for is one that was required."""
    beside = "Required: another augment may count too." if required else THE_ONE
    return Gain(user.id, SUPPORT, _called(state, found), tables.HELPS[degree], f"{sentence(words)} {beside}")


def _called(state: State, found: Resource) -> str:
    """What the line of an augment is called."""
    return f"{found.name} of {state.name}"[:120]


def _lobbied(state: State, user: Sheet, found: Resource) -> bool:
    """Whether an augment that was lobbied for waits on the sheet already."""
    return any(each.kind == SUPPORT and each.name == _called(state, found) and each.note.endswith(THE_ONE)
               for each in user.traits)


def _blame(state: State, user: Sheet, found: Resource, degree: int) -> Gain:
    """What a failure counts for among the community's people."""
    return Gain(user.id, CONSEQUENCE, blame(state), -tables.DEPLETION[degree] // tables.A_STEP,
                f"Social and community abilities, among its people: {found.name} was spent for nothing.")


def blame(state: State) -> str:
    """What the lines are called that end with the interval."""
    return f"Displeasure of {state.name}"[:120]


def resisted(state: State, values: Values) -> int:
    """What a use is rolled against; raises `BadMove`."""
    return resistance_of(values["resistance"], state.base, state.symbol)[0]


def worn(state: State) -> list[Resource]:
    """Those with a penalty, which a crisis may come of."""
    return [each for each in state.resources if each.total < 0]


def background(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Each resource against the average of all, out of anybody's hands."""
    return _all(state, faces, state.resources, "background", tables.fluctuated, counts=False)


def crisis(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Each resource with a penalty against the average; a defeat shows."""
    return _all(state, faces, worn(state), "crisis", None, counts=True)


def _all(
    state: State, faces: Sequence[int], tested: Sequence[Resource], how: str,
    change: Callable[[Resource, int], Resource] | None, *, counts: bool
) -> Result | Need:
    if take(faces, 2 * len(tested)) is None:
        return Need((SIDES,) * (2 * len(tested) - len(faces)))
    after, steps, rolls = {each.name: each for each in state.resources}, list[Step](), list[Roll]()
    degrees: dict[str, int] = {}
    for place, each in enumerate(tested):
        dice = (faces[2 * place], faces[2 * place + 1])
        degree, why, roll = _rolled(state, each, state.average, dice, counts=counts)
        degrees[each.name] = degree
        after[each.name] = change(each, degree) if change else each
        text = f"{each.name}: a {in_words(degree)}"
        text += f", {_stands(state, after[each.name])}." if change else (
            ". It starts to show: there is a crisis." if degree < 0 else ". It holds.")
        steps += [Step(RULE, text), *why]
        rolls.append(roll)
    title = {"background": "Background events", "crisis": "Crisis tests"}[how]
    first = Step(RULE, f"{title} against the average, {notation(state.average, state.symbol)}.")
    dice_ = tuple(Die(SIDES, face, "the average" if place % 2 else tested[place // 2].name)
                  for place, face in enumerate(faces))
    crises = sum(degree < 0 for degree in degrees.values())
    changed = Changed(how, tuple(after.values()))
    result: dict[str, Value] = {"defeats": crises, "outcomes": [outcome_of(each) for each in degrees.values()]}
    return Result((changed,), (first, *steps), result, dice_, rolls=tuple(rolls))


def bolster(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A benefit of victory goes to a resource."""
    found, degree = _chosen(state, values), int(values["degree"])
    after = tables.bolstered(found, degree)
    text = f"{found.name} is bolstered by a {in_words(degree)}: {_stands(state, after)}."
    return Result((_changed(state, "bolster", after),), (Step(RULE, text),))


def cement(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What the background brought is the group's own from now on."""
    after = tables.cemented(_chosen(state, values))
    text = f"The benefit of {after.name} is cemented: {signed(after.pc, state.symbol)} counts when the interval ends."
    return Result((_changed(state, "cement", after),), (Step(RULE, text),))


def concede(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A contest that the group gave up wears out as a major defeat."""
    after = tables.depleted(_chosen(state, values), -3)
    text = f"The group withdrew, as costly as a major defeat: {_stands(state, after)}."
    return Result((_changed(state, "concede", after),), (Step(RULE, text),))


def interval(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Scores change by what was brought and what is left of penalties; all else is gone."""
    after = tuple(tables.after_interval(each) for each in state.resources)
    moved = [Step(RULE, f"{now.name}: {notation(was.score, state.symbol)} becomes {notation(now.score, state.symbol)}.")
             for was, now in zip(state.resources, after, strict=True) if was.score != now.score]
    first = Step(RULE, f"{state.interval} {state.number} is over. What counted for now is gone.")
    over = [(each, line) for each in sheets.values() for line in each.traits
            if (line.kind, line.name) == (CONSEQUENCE, blame(state))]
    ended = [Step(RULE, f"{line.name} no longer counts against {each.name}.") for each, line in over]
    return Result((Changed("interval", after),), (first, *moved, *ended),
                  effects=tuple(Lose(line.id) for _, line in over))


def plot(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A score changes by the story alone."""
    found = _chosen(state, values)
    after = replace(found, score=max(1, found.score + values["by"]))
    text = f"{found.name} is at {notation(after.score, state.symbol)}. {sentence(values['words'])}"
    return Result((_changed(state, "plot", after),), (Step(RULE, text),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The group leaves it."""
    return Result((Ended(),), (Step(RULE, f"{state.name} is no longer the community of the group."),))


def _chosen(state: State, values: Values) -> Resource:
    return state.resources[int(values["resource"])]


def _changed(state: State, how: str, after: Resource) -> Changed:
    return Changed(how, tuple(after if each.name == after.name else each for each in state.resources))


def _stands(state: State, found: Resource) -> str:
    return f"{found.name} {notation(found.score, state.symbol)} at {signed(found.total, state.symbol)}"


def terms_of(found: Resource, resistance: int, *, counts: bool) -> Terms:
    """What a resource is rolled with; `counts` whether what it has gained or lost for now is in it."""
    return Terms(found.score, (found.total,) if counts and found.total else (), resistance, degrees=True)


def _rolled(
    state: State, found: Resource, resistance: int, dice: tuple[int, int], *, counts: bool
) -> tuple[int, list[Step], Roll]:
    """The degree of a resource's own contest."""
    terms = terms_of(found, resistance, counts=counts)
    clash = terms.clash(dice)
    names = Names(found.name, "the resistance", state.symbol)
    return degree_of(clash), [*terms.steps(names), *clash.steps(names=names)], roll_of(terms, dice)


def _dice(faces: Sequence[int], name: str) -> tuple[Die, ...]:
    return (Die(SIDES, faces[0], name), Die(SIDES, faces[1], "the resistance"))
