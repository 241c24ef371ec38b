"""What came of a conflict, for the Chronicle: who beat whom, who was taken out, what it took."""
from __future__ import annotations

from rules.systems.pdq.conflict.state import State
from rules.wording import beat, by_side, join


def story(state: State) -> tuple[str, ...]:
    """The outcome in a sentence, then who was killed, who went out, and who was hurt and stayed in."""
    if not state.over:
        return ()
    sides = by_side((contestant.side, contestant.name) for contestant in state.contestants)
    won = beat(state.winner, sides) if state.winner else "It ended without a winner"
    many = f"after {state.round} round{'' if state.round == 1 else 's'}"
    rounds = many if state.round > 0 else "before the first round"
    killed = [contestant.name for contestant in state.contestants if contestant.killed]
    out = [contestant.name for contestant in state.contestants if contestant.out and not contestant.killed]
    hurt = [contestant.name for contestant in state.contestants if contestant.hurt and not contestant.out]
    told = ((killed, "killed"), (out, "taken out"), (hurt, "hurt"))
    return (f"{won} {rounds}.", *(f"{join(names)} {'was' if len(names) == 1 else 'were'} {what}."
                                  for names, what in told if names))
