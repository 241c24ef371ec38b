"""Resources with scores: lobbying for one, rolling with it, what that wears out and whom it counts against (QW-A9)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import text
from rules.moves import Die, Need, Roll, Step, take
from rules.odds import chances
from rules.procedure import Offer, Options
from rules.sheet import Effect, Gain, Sheet
from rules.systems.questworlds.community import tables
from rules.systems.questworlds.community.lobbying import (
    TONES,
    going_on,
    odds_of_request,
    offer_request,
    request,
    why_request,
)
from rules.systems.questworlds.community.state import LOBBY, CommunityOptions, Request, Result, ScoredState
from rules.systems.questworlds.community.tables import ScoredResource
from rules.systems.questworlds.community.why import why_use
from rules.systems.questworlds.contest import Terms, roll_of
from rules.systems.questworlds.learning import players_in
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.by_degree import AUGMENTS
from rules.systems.questworlds.older.degrees import degree_of, in_words, outcome_of
from rules.systems.questworlds.reckoning import Modifier, Party, settle, terms
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.roll import SIDES, Names
from rules.systems.questworlds.traits import CONSEQUENCE, SUPPORT
from rules.tables import OddsAnswer
from rules.values import BadMove
from rules.wording import join, percent, sentence

RULE = "QW-A9"
THE_ONE = "It is the one augment of that contest."
WHICH = text("resource", "Resource", needed=True)


@dataclass(frozen=True)
class Founded(Event[ScoredState]):
    """It is there from now on. `settings` are the campaign's settings, as lobbying takes them."""

    name: str
    interval: str
    symbol: str
    base: int
    resources: tuple[ScoredResource, ...]
    settings: CommunityOptions = field(default_factory=CommunityOptions)

    def after(self, state: ScoredState) -> ScoredState:
        settings = replace(self.settings, name=self.name, base=self.base, symbol=self.symbol)
        return ScoredState(settings, interval=self.interval, resources=self.resources, edition=state.edition)


@dataclass(frozen=True)
class Changed(Event[ScoredState]):
    """Resources stand so from now on; `how` is what did it, `background` or `interval` among others."""

    how: str
    resources: tuple[ScoredResource, ...]

    def after(self, state: ScoredState) -> ScoredState:
        ends = self.how == "interval"
        return replace(state, resources=self.resources, number=state.number + ends,
                       tested=(state.tested or self.how == "background") and not ends,
                       granted=() if ends else state.granted)


@dataclass(frozen=True)
class Used(Event[ScoredState]):
    """What somebody was granted is used with that."""

    who: str
    resource: str

    def after(self, state: ScoredState) -> ScoredState:
        return state.without_grant(self.who, self.resource)


def begin(values: Values, faces: Sequence[int]) -> Result:
    """The resources with their scores, the best first."""
    take(faces, 0)
    names = [" ".join(name.split()) for name in values["names"].split(",") if name.strip()]
    if len(names) != len(tables.SCORES) or len({name.casefold() for name in names}) != len(names):
        raise BadMove(f"Enter {len(tables.SCORES)} resources, each with a name of its own and commas between.", "names")
    resources = tuple(ScoredResource(name[:60], score) for name, score in zip(names, tables.SCORES, strict=True))
    text = join([f"{resource.name} {notation(resource.score, values['symbol'])}" for resource in resources])
    settings = replace(values["settings"], players=players_in(values))
    founded = Founded(values["title"], values["interval"], values["symbol"], values["base"], resources, settings)
    return Result((founded,), (Step(RULE, f"{values['title']}: {text}."),))


def known(state: ScoredState) -> Options:
    """The resources, as one chooses among them."""
    return tuple((str(place), f"{resource.name} {notation(resource.score, state.symbol)}"
                              f"{f', {signed(resource.total, state.symbol)}' if resource.total else ''}")
                 for place, resource in enumerate(state.resources))


def stands(state: ScoredState, resource: ScoredResource) -> str:
    """Where a resource is: `Arms 12 at −9`."""
    return f"{resource.name} {notation(resource.score, state.symbol)} at {signed(resource.total, state.symbol)}"


def changed(state: ScoredState, how: str, after: ScoredResource) -> Changed:
    """One resource stands so from now on."""
    return Changed(how, tuple(after if resource.name == after.name else resource for resource in state.resources))


def terms_of(resource: ScoredResource, resistance: int, *, counts: bool) -> Terms:
    """What a resource is rolled with; `counts` whether what it has gained or lost for now is in it."""
    lines = (Modifier("", "community", resource.name, resource.total),) if counts else ()
    return terms(Party(resource.score, counts=lines), Party(resistance), degrees=True)


def rolled(
    state: ScoredState, resource: ScoredResource, resistance: int, dice: tuple[int, int], *, counts: bool
) -> tuple[int, tuple[Step, ...], Roll]:
    """The degree of a resource's own contest, what it is made of, and the roll."""
    asked = terms_of(resource, resistance, counts=counts)
    clash = settle(asked, dice)
    names = Names(resource.name, "the resistance", state.symbol)
    return degree_of(clash), (*asked.steps(names), *clash.steps(names=names)), roll_of(asked, dice)


def odds_of(asked: Terms, action: str = "", symbol: str = "M") -> OddsAnswer:
    """The chances of a resource's own contest; with an act, what each degree takes and adds."""
    counts: Counter[int] = Counter()
    for ours, theirs, ways in settle(asked, (1, 1)).throws():
        counts[degree_of(settle(asked, (ours, theirs)))] += ways
    chance_of = chances(counts)
    table: list[tuple[str, ...]] = []
    if action:
        table.append(("", "Chance", "It loses", *(["Adds"] if action == "augment" else [])))
    for degree in sorted(chance_of, reverse=True) if action else ():
        adds = [signed(AUGMENTS[degree], symbol) if AUGMENTS[degree] else "0"] if action == "augment" else []
        table.append((in_words(degree).capitalize(), percent(chance_of[degree]), str(-tables.DEPLETION[degree]), *adds))
    return OddsAnswer(tuple(
        (label, sum((likely for degree, likely in chance_of.items() if outcome_of(degree) == word), Fraction(0)), tone)
        for word, label, tone in TONES), (), tuple(table))


def offer_lobby(state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To each player."""
    for sheet in sheets.values():
        if not sheet.npc:
            yield from offer_request(state, sheet, LOBBY, known(state))


def brings(state: ScoredState, asked: Request) -> Result:
    """What comes of a request that was heard: it is granted, and that it was heard says so."""
    return Result(())


def _use(state: ScoredState, sheets: Sheets) -> Offer:
    """A resource in the place of an ability, or to help one; what was granted first stands in the form."""
    played = tuple((sheet.id, sheet.name) for sheet in sheets.values() if not sheet.npc)
    fields = (WHICH, text("resistance", "Resistance", "Leave blank for the base.", most=20),
              text("words", "Reason", needed=True, most=200))
    options, now = {"resource": known(state)}, {"resource": "0"}
    if state.granted:
        grant = state.granted[0]
        names = [resource.name for resource in state.resources]
        now = {"resource": str(names.index(grant.resource)), "words": grant.words}
    use = Offer("use", "", "Use a resource", "It is rolled with, and wears out. A defeat counts against the "
                "character who used it.", fields, options, now=now, rolls=True, previews=True)
    if not played:
        return use
    now["whom"] = state.granted[0].who if state.granted else played[0][0]
    return replace(use, fields=(text("whom", "Character", needed=True), *fields), options={**options, "whom": played})


def offer_use(granted: bool, state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where something was granted or nothing was."""
    if granted == bool(state.granted):
        yield _use(state, sheets)


def offer_augment(granted: bool, state: ScoredState, sheets: Sheets) -> Iterator[Offer]:
    """The same, where there is somebody to help."""
    use = _use(state, sheets)
    if granted == bool(state.granted) and "whom" in (use.options or {}):
        yield replace(use, action="augment", title="Augment with a resource",
                      help="Its own roll says what it adds to one contest. Where nobody lobbied for it, it was "
                           "required.")


def use(
    state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int], *, helps: bool = False
) -> Result | Need:
    """A resource is rolled with in the place of an ability, or helps in a contest to come, and wears out with it."""
    resource, user = state.chosen(values["resource"]), sheets.get(values.get("whom", ""))
    if helps and user and _lobbied(state, user, resource):
        raise BadMove(f"{resource.name} helps {user.name} already, and what was lobbied for is the one augment of its "
                      "contest. Finish that first.", "resource")
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    degree, why, roll = rolled(state, resource, _resisted(state, values), (faces[0], faces[1]), counts=True)
    after = tables.depleted(resource, degree)
    used = Step(RULE, f"{resource.name} is used: a {in_words(degree)}. {sentence(values['words'])}")
    takes = Step(RULE, f"That takes {signed(tables.DEPLETION[degree])}: {stands(state, after)}.")
    came = _for_user(state, user, resource, degree, values["words"], helps=helps) if user else Result(())
    return Result(
        (changed(state, "augment" if helps else "use", after), *came.events), (used, *why, takes, *came.steps),
        {"degree": degree, "outcome": outcome_of(degree)},
        (Die(SIDES, faces[0], resource.name), Die(SIDES, faces[1], "the resistance")), came.effects, (roll,))


def _for_user(
    state: ScoredState, user: Sheet, resource: ScoredResource, degree: int, words: str, *, helps: bool
) -> Result:
    """What a use is to the one who used it: what was granted is gone, and it helps, or counts against them."""
    granted = state.grant(user.id, resource.name)
    steps: list[Step] = []
    effects: list[Effect] = []
    if helps and tables.HELPS[degree]:
        effects.append(_help(state, user, resource, degree, words, required=not granted))
        steps.append(Step(RULE, f"It adds {signed(AUGMENTS[degree], state.symbol)} to a contest of {user.name}."))
    if degree < 0:
        effects.append(_blame(state, user, resource, degree))
        steps.append(Step(RULE, f"The same counts against {user.name} in dealings with the community, until the "
                                "interval ends."))
    return Result((Used(user.id, resource.name),) if granted else (), tuple(steps), effects=tuple(effects))


def _help(
    state: ScoredState, user: Sheet, resource: ScoredResource, degree: int, words: str, *, required: bool
) -> Gain:
    """The augment, as it waits for its contest. *Ruling*: a use that nobody lobbied for is one that was required."""
    beside = "Required: another augment may count too." if required else THE_ONE
    return Gain(user.id, SUPPORT, _called(state, resource), tables.HELPS[degree], f"{sentence(words)} {beside}")


def _called(state: ScoredState, resource: ScoredResource) -> str:
    """What the line of an augment is called."""
    return f"{resource.name} of {state.settings.name}"[:120]


def _lobbied(state: ScoredState, user: Sheet, resource: ScoredResource) -> bool:
    """Whether an augment that was lobbied for waits on the sheet already."""
    return any(trait.kind == SUPPORT and trait.name == _called(state, resource) and trait.note.endswith(THE_ONE)
               for trait in user.traits)


def _blame(state: ScoredState, user: Sheet, resource: ScoredResource, degree: int) -> Gain:
    """What a failure counts for among the community's people."""
    return Gain(user.id, CONSEQUENCE, blame(state), -tables.DEPLETION[degree] // tables.A_STEP,
                f"Social and community abilities, among its people: {resource.name} was spent for nothing.")


def blame(state: ScoredState) -> str:
    """What the lines are called that end with the interval."""
    return f"Displeasure of {state.settings.name}"[:120]


def _resisted(state: ScoredState, values: Values) -> int:
    """What a use is rolled against; raises `BadMove`."""
    return resistance_of(values["resistance"], state.settings.base, state.symbol)[0]


def odds_of_use(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """Of a use, with what each degree takes."""
    resource, number = state.chosen(values["resource"]), _resisted(state, values)
    against = f"{resource.name} against {notation(number, state.symbol)}"
    return ((against, odds_of(terms_of(resource, number, counts=True), offer.action, state.symbol)),)


def uses(*, granted: bool) -> tuple[Act[ScoredState], ...]:
    """Using a resource, which comes before all else of the GM's where something was `granted`, and after it if not."""
    return (Act("use", partial(offer_use, granted), use, odds=odds_of_use, why=why_use),
            Act("augment", partial(offer_augment, granted), partial(use, helps=True), odds=odds_of_use,
                why=why_use))


EVENTS = (Founded, Changed, Used)
OWN = (*going_on(brings), Act("lobby", offer_lobby, partial(request, LOBBY), odds=odds_of_request, why=why_request))
