"""QuestWorlds: a framed contest says of each one what the dice told, and two on two sides never both win."""
from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from rules.procedure import ActResult, Offer, View
from rules.sheet import Sheet
from rules.systems.questworlds.simple_contest import SimpleContest
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.simple_contest.view import Detail
from tests.rules.at_any_table import AnyTable
from tests.rules.promises import Promises

ON = ("resist", "choose", "oppose", "accept", "set", "roll", "spend", "stand")
ENDING = ("call_off", "no_conflict", "back_out", "compel")
MIRROR = {"victory": "defeat", "defeat": "victory", "tie": "tie"}


class OwnPromises(Promises):
    """Of long contests, communities and what lasts there are none beyond those of all games."""

    rules = "QW-"
    walks = 30
    untold = frozenset({"outcomes"})

    def sheet(self, sheet: Sheet, chance: Random) -> Sheet:
        """The last one is the GM's."""
        return replace(sheet, npc=sheet.id == "dee")

    def setup(self, setup: dict[str, Any], chance: Random) -> dict[str, Any]:
        """Now and then with thresholds of its own."""
        return {**setup, "thresholds": "adept 15"} if "thresholds" in setup and chance.random() < 0.5 else setup

    def finds(self, offer: Offer) -> bool:
        """What asks for nothing is taken; a resistance may first have to be given."""
        return not offer.fields and offer.action != "set"

    def waits(self, offer: Offer) -> int:
        """What leads on comes first."""
        return 1 if offer.action in ON else 2

    def hold(self, table: AnyTable, result: ActResult[Any]) -> None:
        """It can go on, and what it says came of the dice is what they tell."""
        if not isinstance(table.kind, SimpleContest):
            return
        assert table.kind.is_over(table.plain) or any(offer.action not in ENDING for offer in table.offers())
        came_of_dice(table.plain, result)
        if table.plain.phase is Phase.AFTER and not any(opposition.assured for opposition in table.plain.oppositions):
            for entrant in table.plain.entrants:
                if rival := table.plain.rival(entrant.id):
                    outcomes = {table.plain.outcome(who.id).outcome for who in (entrant, rival)}
                    assert outcomes in ({"victory", "defeat"}, {"tie"})

    def seen(self, view: View) -> None:
        """All chances of a row add up."""
        if isinstance(view.detail, Detail):
            for row in view.detail.rows:
                for odds in (row.odds, row.results, *(odds for _, odds in (*row.ifs, *row.others))):
                    assert not odds or sum(chance for _, chance, _ in odds) == 1


def came_of_dice(state: State, result: ActResult[Any]) -> None:
    """Each outcome is one of those rolled, seen from one side or the other; or a victory that was assured."""
    if result.result["action"] not in ("roll", "spend", "stand"):
        return
    told: list[Any] = [roll.result for roll in result.rolls]
    rolled = {(roll["outcome"], roll["rank"], roll["player"]["result"]) for roll in told}
    for outcome in state.outcomes:
        if state.assured(outcome.who):
            assert outcome.outcome == "victory" and outcome.ours in {ours for _, _, ours in rolled}
            continue
        assert (outcome.outcome, outcome.rank, outcome.ours) in rolled or (
            state.rival(outcome.who) and (MIRROR[outcome.outcome], outcome.rank, outcome.theirs) in rolled)
