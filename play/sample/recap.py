"""What is told of the first evening, as the dice had it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from play.sample.fight import Ending
from play.sample.words import OURS


@dataclass(frozen=True)
class Evening:
    """What the dice decided: who was hurt on the road, and which of the tests came off."""

    sank: tuple[str, ...]  # names
    found_way: bool
    delivered: bool
    counted: bool
    ending: Ending
    out: tuple[str, ...]  # names of those who were out of action at the end


def recap(evening: Evening) -> str:
    """The recap of the first session."""
    return "\n\n".join((_road(evening), _village(evening), _gatehouse(evening)))


def dawn(ending: Ending) -> str:
    """How the second day begins, after such a night."""
    if ending.winner == OURS:
        return ("The gates stood open all night. The river goes by under the village, where it belongs. There is "
                "grease on everything you touch.")
    if ending.winner:
        return ("The gates are shut. Ivo has done the sum on the back of the report, twice, and it does not say nine "
                "days any more. It says four. There is water standing in the wheel ruts of the chapel lane.")
    return ("One gate is down by the breadth of a hand and will not go up again. Creel’s lamp is still on the dam. It "
            "has not moved since midnight, and neither has whoever holds it.")


def _road(evening: Evening) -> str:
    lines = ["The lake was gone by six and there was bread to be smelled from the top of the road."]
    if evening.found_way:
        lines.append("Hester found the way that used to be the way to school, though she would not say how old she had "
                     "been the last time.")
    else:
        lines.append("Hester took them the way that used to be the way to school. It ended at a wall that was never "
                     "there before, so they climbed it.")
    if evening.sank:
        lines.append(f"The silt took {names(evening.sank)} all the same, up to the chest and a good deal colder than "
                     "it looked, and it took a rope and some language to get it to let go.")
    return " ".join(lines)


def _village(evening: Evening) -> str:
    lines = []
    if evening.delivered:
        lines.append("Nell delivered a letter. It was thirty years late, and Amos Tarn signed for it, because that is "
                     "what one does with a letter.")
    else:
        lines.append("Nell tried to deliver a letter. Amos Tarn heard her out on his good side and said that the post "
                     "came on Fridays. It was Thursday, he said. Look at the clock.")
    lines.append("At the bakery a young woman asked Hester in and gave her the heel of the loaf, with salt. Nobody at "
                 "the table has ever told anybody that Hester likes the heel.")
    if evening.counted:
        lines.append("Joss counted the people in her pictures, and then she counted them at their doors, and did not "
                     "like the difference.")
    return " ".join(lines)


def _gatehouse(evening: Evening) -> str:
    lines = ["At midnight there were lamps on the dam. Marten Creel had a sealed order and two men who had not read "
             "it."]
    ending = evening.ending
    if ending.winner == OURS:
        lines.append(f"It was settled on the walkway, in {_rounds(ending)}, with a bicycle. The wheel did not turn.")
    elif ending.winner:
        lines.append(f"It was settled on the walkway, in {_rounds(ending)}, and not by you. The wheel turned.")
    else:
        lines.append("It was never settled. In the middle of it the chapel bell began to ring, a mile off and "
                     "underneath, and both sides found that they had somewhere else to be.")
    if evening.out:
        verb = "was" if len(evening.out) == 1 else "were"
        lines.append(f"{names(evening.out)} {verb} carried down.")
    lines.append("On the way back Ivo asked who rings it. There is no rope, said Hester. There never was a rope.")
    return " ".join(lines)


def names(listed: Sequence[str]) -> str:
    """Names as a person lists them."""
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def _rounds(ending: Ending) -> str:
    return {1: "one round", 2: "two rounds", 3: "three rounds"}.get(ending.rounds, f"{ending.rounds} rounds")
