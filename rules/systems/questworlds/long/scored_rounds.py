"""What a round of a scored contest comes to: points, tactics, who is out (QW-43, QW-44, QW-46, QW-49)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.moves import Step
from rules.sheet import Effect, Sheet
from rules.systems.questworlds.edition import ScoredRule
from rules.systems.questworlds.long import events as e
from rules.systems.questworlds.long.state import State, Throw
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.scored import points
from rules.wording import sentence

Came = tuple[tuple[e.Event, ...], tuple[Step, ...], str, tuple[Effect, ...]]
FOLLOWER_FALLS = 3  # points in one round that put a follower out, and as many that it may carry for its leader (QW-49)


def scored_round(state: State, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Came:
    """The winner scores the rank, as tactics have it; at five the loser is out."""
    lies, rule = throw.thrown, state.edition.scored
    if not clash.lead:
        return (), (Step("QW-43", "A tie changes nothing."),), "Nothing changes.", ()
    won = clash.lead > 0
    winner, loser = (lies.first, lies.second) if won else (lies.second, lies.first)
    hers, his = (lies.choice, lies.other) if won else (lies.other, lies.choice)
    if hers.aim:
        aims, because, words = aimed(state, winner, hers)
        return tuple(aims), because, words, ()
    gets = points(clash.rank, hers.tactic, his.tactic, rule)
    bout = state.bout(lies.bout)
    place = bout.place(winner)
    total = bout.points[place] + gets
    score = [*bout.points]
    score[place] = total
    events: list[e.Event] = [e.Scored(bout.number, *((gets, 0) if not place else (0, gets)))] if gets else []
    text = f"{state.name_of(winner)} +{gets}, {score[0]} to {score[1]}."
    steps = (*tactics(hers.tactic, his.tactic, rule), Step("QW-43", f"{state.name_of(winner)} scores {gets}: the "
                                                                    f"score is {score[0]} to {score[1]}."))
    if total >= rule.to_win or _follower_falls(state, loser, gets):
        events.append(e.Out(loser, "beaten", bout.number, gets))
    return tuple(events), steps, text, ()


def _follower_falls(state: State, who: str, gets: int) -> bool:
    return bool(state.entrant(who).part.leader) and gets >= FOLLOWER_FALLS


def aimed(state: State, who: str, choice: e.Choice) -> tuple[list[e.Event], tuple[Step, ...], str]:
    """A round that was won for something else than the prize (QW-46)."""
    name, words = state.name_of(who), sentence(choice.words) if choice.words else ""
    if choice.aim == "leave":
        return [e.Out(who, "left")], (Step("QW-46", f"{name} gets away, without further harm."),), f"{name} gets away."
    if choice.aim == "augment":
        whom, bonus = choice.whom or who, state.edition.modifiers.augment[0]
        line = e.Line(whom, "augment", choice.name or "An opening", bonus, choice.words, choice.trait)
        text = f"{state.name_of(whom)} has +{bonus} from now on."
        return [e.Added(line)], (Step("QW-46", f"{text} No points: the round was for that."),), text
    text = f"{name} gets what the round was about{f': {words}' if words else '.'}"
    return [], (Step("QW-46", f"{text} No points."),), text


def tactics(winner: str, loser: str, rule: ScoredRule) -> tuple[Step, ...]:
    """What both tactics add or take (QW-44)."""
    parts = []
    if winner == loser == "risky":
        parts.append(f"both gambled, which adds {rule.both_gambits} for the winner")
    elif winner == "risky":
        parts.append(f"the winner’s gambit adds {rule.gambit_won}")
    elif loser == "risky":
        parts.append(f"the loser’s gambit adds {rule.gambit_lost}")
    if winner == "defensive":
        parts.append(f"the winner’s defence takes {rule.defence_won} off")
    if loser == "defensive":
        parts.append(f"the loser’s defence takes {rule.defence_lost} off")
    if not parts:
        return ()
    text = "; ".join(parts)
    return (Step("QW-44", f"{text[0].upper()}{text[1:]}."),)
