"""An act lies in two files at most: its functions, and the events that its own module makes."""
from __future__ import annotations

from bench.acts import acts, files_of

MOST_FILES = 2


def test_an_act_lies_in_two_files_at_most() -> None:
    spread = {f"{procedure.name} {act.action}": files for procedure, act in acts()
              if len(files := files_of(act)) > MOST_FILES}
    assert not spread


def test_the_files_of_an_act_are_those_of_its_odds_and_of_its_events_too() -> None:
    files = {(procedure.name, act.action): files_of(act) for procedure, act in acts()}
    folder = "rules.systems.questworlds.long"
    assert files["questworlds.extended", "answer_bid"] == [f"{folder}.bids", f"{folder}.exchanges"], "its odds"
    assert files["questworlds.extended", "rejoin"] == [f"{folder}.exchanges", f"{folder}.pairs"], "what it makes"
    assert files["questworlds.extended", "gm_bid"] == [f"{folder}.bids"], "what made its offer is no part of it"
