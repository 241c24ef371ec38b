"""What the GM may do with a community with scores, what an interval begins with first (QW-A9)."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Sheets
from rules.fields import Choice, Whole
from rules.procedure import Ask, Offer, Options
from rules.systems.questworlds.community import offers as lobbying
from rules.systems.questworlds.community.state import LOBBY
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.resources.state import State
from rules.systems.questworlds.older.resources.tables import BOLSTER

WHICH = text("resource", "Which resource", needed=True)
WON = Choice(name="degree", label="How it was won", default="2",
             options=tuple((str(each), in_words(each).capitalize()) for each in sorted(BOLSTER)))


def asks(state: State) -> tuple[Ask, ...]:
    """The GM, and those who asked for something."""
    return () if state.over else tuple(lobbying.of_requests(state.lobby))


def offers(state: State, sheets: Sheets) -> Iterator[Offer]:
    """Every legal act now."""
    if state.over or not state.resources:
        return
    known = _known(state)
    if waiting := lobbying.face(state.lobby):
        yield waiting
    played = [each for each in sheets.values() if not each.npc]
    for each in played:
        if asked := state.lobby.request(each.id):
            yield from lobbying.going_on(state.lobby, asked)
        elif asks_for := lobbying.request(state.lobby, each, LOBBY, known):
            yield asks_for
    uses = tuple(_uses(state, known, tuple((each.id, each.name) for each in played)))
    yield from uses if state.granted else ()
    yield from _tests(state)
    yield from () if state.granted else uses
    yield from _of_the_gm(state, known)


def _known(state: State) -> Options:
    symbol = state.symbol
    return tuple((str(place), f"{each.name} {notation(each.score, symbol)}"
                               f"{f', {signed(each.total, symbol)}' if each.total else ''}")
                  for place, each in enumerate(state.resources))


def _uses(state: State, known: Options, played: Options) -> Iterator[Offer]:
    """A resource in the place of an ability, or to help one."""
    fields = (WHICH, text("resistance", "Resistance", "Left open it is the base.", most=20),
              text("words", "What for", needed=True, most=200))
    options, now = {"resource": known}, {"resource": known[0][0]}
    if state.granted:
        now["resource"] = next(id_ for (id_, _), each in zip(known, state.resources, strict=True)
                               if each.name == state.granted[0].resource)
        now["words"] = state.granted[0].words
    use = Offer("use", "", "Use a resource", "It is rolled with, and wears out. A defeat counts against whoever used "
                "it.", fields, options, now=now, rolls=True, previews=True)
    if not played:
        yield use
        return
    now["whom"] = state.granted[0].who if state.granted else played[0][0]
    use = replace(use, fields=(text("whom", "For whom", needed=True), *fields), options={**options, "whom": played})
    yield use
    yield replace(use, action="augment", title="Augment with a resource",
                  help="Its own roll says what it adds to one contest. Where nobody lobbied for it, it was required.")


def _tests(state: State) -> Iterator[Offer]:
    if not state.tested:
        yield Offer("background", "", "Roll for background events",
                    "Each resource against the average of all, once an interval.", rolls=True)
    if any(each.total < 0 for each in state.resources):
        yield Offer("crisis", "", "Roll for crises", "Each resource with a penalty, against the average.", rolls=True)


def _of_the_gm(state: State, known: Options) -> Iterator[Offer]:
    yield Offer("bolster", "", "Bolster a resource", "An obstacle was overcome for its sake.", (WHICH, WON),
                {"resource": known})
    if gained := tuple(each for each in known if state.resources[int(each[0])].background):
        yield Offer("cement", "", "Cement a benefit", "A major obstacle was overcome: it counts for good.", (WHICH,),
                    {"resource": gained})
    yield Offer("concede", "", "The group withdrew", "A contest that is given up wears out as a major defeat does.",
                (WHICH,), {"resource": known})
    yield Offer("interval", "", "End the interval", "Scores rise and fall, and all that counts for now is gone.")
    yield Offer("plot", "", "Change a score", "A triumph or a catastrophe of the story.",
                (WHICH, Whole(name="by", label="By", least=-20, most=20), text("words", "Why", needed=True, most=200)),
                {"resource": known})
    yield Offer("end", "", "Leave this community")
