"""A frame in the rules alone: Ilse, what she has, and a few steps that each test begins with."""
from __future__ import annotations

from functools import reduce
from typing import Any

from rules.moves import Need
from rules.procedure import CampaignContext
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.simple_contest import GroupContest, SimpleContest
from rules.systems.questworlds.simple_contest.state import State
from rules.systems.questworlds.system import QuestWorlds

KIND, GROUP = SimpleContest(), GroupContest()
ILSE = Sheet("i", "Ilse", (
    Trait("k", "keyword", "Mapmaker", 19), Trait("b", "breakout", "Forgery", 4, parent="k"),
    Trait("a", "ability", "Knife", 14), Trait("f", "flaw", "In debt", 19), Trait("d", "dependent", "Her brother", 17),
    Trait("p", "sidekick", "Pip", 0), Trait("p1", "sidekick_ability", "Nimble", 16, parent="p"),
    Trait("p2", "sidekick_ability", "Lies well", 13, parent="p"),
), (("xp", 10),))
TAM = Sheet("t", "Tam", (Trait("s", "keyword", "Sailor", 27), Trait("g", "ability", "Songs", 15)))
SHEETS = {"i": ILSE, "t": TAM}
SETTINGS = QuestWorlds().read_settings({})
FULL = CampaignContext(pools=(("story_points", 2),))


def begun(context: CampaignContext = FULL, **settings: Any) -> State:
    return _begun(SimpleContest(symbol=settings.get("symbol", "M")), ("i",), context, settings)


def group(context: CampaignContext = FULL, **settings: Any) -> State:
    """Ilse with her knife and Tam with songs; nothing stands against them yet."""
    state = _begun(GROUP, ("i", "t"), context, settings)
    state, _ = act(state, "choose", "i", tactic="Politely", ability="a")
    return act(state, "choose", "t", tactic="With a song", ability="g")[0]


def _begun(kind: SimpleContest, who: tuple[str, ...], context: CampaignContext, settings: dict[str, Any]) -> State:
    contestants = [{"sheet": person, "player": True} for person in who]
    setup = {"contestants": contestants, "title": "The ledger", "obstacle": "The clerk", **settings}
    turn = kind.start(setup, SHEETS)
    assert not isinstance(turn, Need)
    return kind.with_context(reduce(kind.evolve, turn.events, kind.blank()), context)


def act(state: State, action: str, by: str = "", *, dice: tuple[int, ...] = (), **given: Any) -> tuple[State, Any]:
    kind = GROUP if state.settings.mode == "group" else KIND
    turn = kind.act(state, SHEETS, by, action, given, dice)
    assert not isinstance(turn, Need), turn
    for event in turn.events:
        assert kind.read(kind.write(event)) == event
    return reduce(kind.evolve, turn.events, state), turn


def framed(state: State | None = None, ability: str = "a", **opposed: Any) -> State:
    state, _ = act(state or begun(), "choose", "i", tactic="Politely", ability=ability)
    return act(state, "oppose", name="The clerk", **opposed)[0]


def rolled(state: State, *dice: int) -> tuple[State, Any]:
    state, _ = act(state, "set")
    return act(state, "roll", "i", dice=dice)


def rolled_by_both(state: State, ilse: int, tam: int) -> tuple[State, Any]:
    """Ilse and Tam each roll their own die."""
    state, _ = act(state, "roll", "i", dice=(ilse,))
    return act(state, "roll", "t", dice=(tam,))


def text(turn: Any, rule: str) -> str:
    return " ".join(step.text for step in turn.outcome.steps if step.rule == rule)
