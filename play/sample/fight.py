"""The conflict, played by intentions: whatever the dice leave possible is done, and it always ends."""
from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from play.models import Contest
from play.sample.table import NO_SEED, Table, spread_bluntly, spread_gently
from play.sample.words import (
    CALLED,
    CHIN,
    ENOUGH,
    LAST_ROUND,
    OURS,
    OVER,
    PLANS,
    REACTIONS,
    THEIRS,
    TITLE,
    WOUNDS,
    Plan,
    Saying,
)
from play.services import contests
from play.services.position import find_position
from rules.procedure import Offer
from rules.systems.pdq.conflict.state import HOLDING, Phase, Wound
from rules.values import Value

KIND = "pdq.conflict"
SIDES = {OURS: ("nell", "hester", "ivo", "joss"), THEIRS: ("creel", "dunn", "harold")}
MOST_DEEDS = 300  # far more than four rounds take
WORTH_THE_CHIN = 2


@dataclass(frozen=True)
class Ending:
    """What came of it: the side that stood alone ("" where the GM ended it), who is out, how long it took."""

    winner: str
    out: tuple[str, ...]
    rounds: int


@dataclass(frozen=True)
class Deed:
    """One act: by whose character ("" for the GM), which of what is offered, with what."""

    by: str
    action: str
    given: dict[str, Value]


def fight(table: Table) -> Ending:
    """Starts the conflict in the scene that is on and plays it to its end."""
    contests.start(
        **table.submission(), client_seed=NO_SEED, kind=KIND, title=TITLE, setup=_setup(table),
        characters=[table.people[key] for side in SIDES.values() for key in side],
    )
    driver = Driver(table, Contest.objects.get(campaign=table.campaign, over=False).pk)
    for _ in range(MOST_DEEDS):
        if driver.step():
            break
    return driver.ending()


def _setup(table: Table) -> dict[str, Value]:
    """Nell comes out of the dark; nobody has told Dunn that there is a road there."""
    contestants: list[Value] = []
    for side, keys in SIDES.items():
        for key in keys:
            contestants.append({
                "sheet": str(table.people[key]), "side": side, "player": side == OURS, "surprises": key == "nell",
                "unaware": key == "dunn", "speed": [table.trait("joss", "Quick on her feet")] if key == "joss" else [],
            })
    kind = next(kind for kind in table.campaign.rules.procedures if kind.name == KIND)
    settings = kind.of_campaign(table.campaign.settings)
    return {**settings, "contestants": contestants, "danger": "momentary", "harm": "damage"}


class Driver:
    """Looks at what is offered, and does what comes nearest to somebody's intention."""

    def __init__(self, table: Table, contest_id: uuid.UUID) -> None:
        self._table, self._contest_id = table, contest_id
        self._said: dict[str, int] = {}  # how many of somebody's sayings have been used
        self._tried: set[tuple[int, str, str]] = set()  # what comes once a turn: round, who, which
        self._chin = False
        self._look()

    def step(self) -> bool:
        """Does one thing; answers whether it is over."""
        step = self._next()
        who = self._table.gm if not step.by else self._table.plays(self._table.key_of(step.by))
        contests.act(
            **self._table.submission(who), client_seed=NO_SEED, contest_id=self._contest_id, by=step.by,
            action=step.action,
            given=step.given,
        )
        self._look()
        return self._contest.over

    def ending(self) -> Ending:
        """What came of it."""
        out = tuple(self._table.key_of(contestant.id) for contestant in self._state.contestants if contestant.out)
        return Ending(self._state.winner, out, self._state.round)

    def _look(self) -> None:
        position = find_position(self._table.campaign, self._contest_id)
        assert position is not None  # noqa: S101 - it was started here
        self._contest, self._state, self._sheets = position.contest, position.state, position.sheets
        self._offers = {(offer.by, offer.action): offer for offer in position.offers}

    def _next(self) -> Deed:
        state = self._state
        if ("", "rule_weakness") in self._offers:
            return Deed("", "rule_weakness", {"answer": "no"})
        match state.phase:
            case Phase.DEFEND:
                return self._answer()
            case Phase.DAMAGE:
                return self._suffer(state.wounds[0])
            case Phase.LAST_CALL:
                return self._act(state.holders[0].id)
            case Phase.TURN if state.round <= LAST_ROUND + (not self._chin):
                return self._act(state.acting[0])
            case _:
                return self._enough()

    def _act(self, who: str) -> Deed:
        """A turn: the intention of this round, help and the GM's word before it; where nothing fits, it goes by."""
        plans = PLANS[self._table.key_of(who)]
        plan = plans[min(self._state.round, len(plans)) - 1]
        holding = self._state.contestant(who).turn == HOLDING
        if plan.action == "hold" and not holding:
            return Deed(who, "hold", {})
        offer = self._offers.get((who, "act" if plan.action == "act" else "attack"))
        if offer is None:
            return Deed(who, "let_go" if holding else "pass", {})
        return self._before(who, plan) or self._carry_out(who, plan, offer)

    def _before(self, who: str, plan: Plan) -> Deed | None:
        """What comes before the intention: an upshift from the GM, a hand from a friend."""
        if plan.grant and self._once(who, "grant"):
            return Deed("", "grant", {"who": who, "reason": plan.grant})
        for helper, uses in plan.helpers:
            by = str(self._table.people[helper])
            offer = self._offers.get((by, "help"))
            if offer and who in _ids(offer, "to") and (picked := self._picked(by, uses, offer)):
                return Deed(by, "help", {"to": who, "qualities": picked}) if self._once(who, "help") else None
        return None

    def _carry_out(self, who: str, plan: Plan, offer: Offer) -> Deed:
        standing = _ids(offer, "targets")
        wished = [pk for key in plan.targets if (pk := str(self._table.people[key])) in standing]
        targets = (wished or standing)[: plan.most]
        first = CALLED[self._table.key_of(targets[0])] if targets else ""
        given: dict[str, Value] = {
            "qualities": self._picked(who, plan.uses, offer), "helpers": _ids(offer, "helpers"),
            "strategy": plan.strategy, "words": plan.words.format(target=first),
        }
        if plan.action == "act":
            return Deed(who, "act", {**given, "difficulty": plan.difficulty or None})
        return Deed(who, "attack", {**given, "targets": targets})

    def _answer(self) -> Deed:
        attack = self._state.attack
        assert attack is not None  # noqa: S101  (the phase says that there is one)
        who, by = attack.unanswered[0], self._table.key_of(attack.by)
        weak = self._offers.get(("", "call_weakness"))
        plan = PLANS[by][min(self._state.round, len(PLANS[by])) - 1]
        if plan.weakness and weak and who in _ids(weak, "who") and self._once(attack.by, "weakness"):
            return Deed("", "call_weakness", {"who": who})
        saying = self._saying("reaction", who, REACTIONS[self._table.key_of(who)])
        picked = self._picked(who, saying.uses, self._offers[who, "defend"])
        return Deed(who, "defend", {"qualities": picked, "words": saying.words})

    def _suffer(self, wound: Wound) -> Deed:
        key, sheet = self._table.key_of(wound.who), self._sheets[wound.who]
        chin, offer = CHIN.get(key), self._offers.get((wound.who, "take_on_the_chin"))
        # Somebody should take it on the chin, so the longer nobody has, the less it takes (and there is a round more).
        if chin and offer and (wound.amount >= WORTH_THE_CHIN or (not self._chin and self._state.round > 1)):
            self._chin = True
            fitting = [pk for pk in map(self._named(wound.who), chin.uses) if pk in _ids(offer, "trait")]
            trait = (fitting or _ids(offer, "trait"))[0]
            return Deed(wound.who, "take_on_the_chin", {"trait": trait, "words": chin.words})
        spread = spread_gently if key in SIDES[OURS] or key == "creel" else spread_bluntly
        saying = self._saying("wound", wound.who, tuple(Saying(words) for words in WOUNDS[key]))
        losses: dict[str, Value] = dict(spread(sheet, wound.amount))
        return Deed(wound.who, "take_damage", {"spread": losses, "words": saying.words})

    def _enough(self) -> Deed:
        """The GM ends it; where nobody went down, one of the Board's men has had enough first."""
        out = any(contestant.out for contestant in self._state.contestants)
        theirs = [combatant.id for combatant in self._state.standing if combatant.side == THEIRS]
        if not out and ("", "take_out") in self._offers and theirs:
            return Deed("", "take_out", {"who": theirs[-1], "words": ENOUGH})
        return Deed("", "end", {"words": OVER})

    def _picked(self, who: str, names: tuple[str, ...], offer: Offer) -> list[Value]:
        """Those of the named qualities that can be used; what is below Poor by now is left out."""
        usable = _ids(offer, "qualities")
        return [pk for pk in map(self._named(who), names) if pk in usable]

    def _named(self, who: str) -> Any:
        traits = {trait.name: trait.id for trait in self._sheets[who].traits}
        return lambda name: traits.get(name, "")

    def _saying(self, kind: str, who: str, sayings: tuple[Saying, ...]) -> Saying:
        """The next thing that somebody says; nobody says the same thing twice."""
        said = self._said.get(kind + who, 0)
        self._said[kind + who] = said + 1
        return sayings[said] if said < len(sayings) else Saying("", sayings[0].uses)

    def _once(self, who: str, what: str) -> bool:
        if (self._state.round, who, what) in self._tried:
            return False
        self._tried.add((self._state.round, who, what))
        return True


def _ids(offer: Offer, field: str) -> list[Any]:
    return [pk for pk, _ in (offer.options or {}).get(field, ())]
