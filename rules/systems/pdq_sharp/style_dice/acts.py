"""What each act with style dice leads to: the function that answers it."""
from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Handler
from rules.systems.pdq_sharp.style_dice import giving, spending
from rules.systems.pdq_sharp.style_dice.state import State

HANDLERS: Mapping[str, Handler[State]] = {
    "award": giving.award, "no_awards": giving.no_awards, "good_form": giving.good_form,
    "plot": giving.plot, "gift": giving.gift,
    "gm_gift": giving.gm_gift, "answer": giving.answer, "set_dice": giving.set_dice,
    "misfortune": giving.misfortune, "offer": giving.offer, "raise_offer": giving.raise_offer,
    "withdraw": giving.withdraw, "take": giving.accept, "refuse": giving.refuse, "claim": giving.claim,
    "grant": giving.grant, "last_call": giving.last_call, "finish": giving.finish,
    "second_wind": spending.second_wind, "raise": spending.raise_somebody, "fact": spending.fact,
    "chip_in": spending.chip_in, "named_npc": spending.named_npc, "npc_forte": spending.npc_forte,
    "npc_technique": spending.npc_technique, "temporary": spending.temporary,
    "sidekick_rank": spending.sidekick_rank, "sidekick_forte": spending.sidekick_forte,
    "sidekick_technique": spending.sidekick_technique,
}
