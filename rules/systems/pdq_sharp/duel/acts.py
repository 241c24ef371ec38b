"""What each act of a duel leads to: the function that answers it, and all that goes on from there."""
from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Handler
from rules.systems.pdq_sharp.duel import damage, ellipsis, engaging, lull, poison, stances, tweaks, withstand
from rules.systems.pdq_sharp.duel.flow import going_on
from rules.systems.pdq_sharp.duel.state import State

HANDLERS: Mapping[str, Handler[State]] = {name: going_on(handler) for name, handler in {
    "engage": engaging.engage, "engage_npcs": engaging.engage_npcs, "back_up": engaging.back_up,
    "hold_back": engaging.hold_back, "break_off": engaging.break_off, "cede": engaging.cede,
    "stance": stances.stance, "stances": stances.stances, "throw": stances.throw, "impasse": lull.call,
    "impasse_add": lull.add, "impasse_stand": lull.stand, "withstand": withstand.roll,
    "poison_add": withstand.add, "poison_stand": withstand.stand, "envenom": poison.envenom,
    "surrender": tweaks.surrender, "accept": tweaks.accept, "refuse": tweaks.refuse,
    "add": ellipsis.add, "place_die": ellipsis.place_die, "stand": ellipsis.stand,
    "stand_npcs": ellipsis.stand_npcs, "place": damage.place, "place_npcs": damage.place_npcs,
    "kill": damage.kill, "confirm_kill": damage.confirm_kill, "spare": damage.spare, "end_here": damage.end,
    "take_out": damage.take_out, "bring_back": damage.bring_back, "rearm": damage.rearm,
    "rule_harm": damage.rule_harm, "end": damage.end,
}.items()}
