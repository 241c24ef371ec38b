"""What each act of a long contest leads to: the function that answers it."""
from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Handler
from rules.systems.questworlds.long import advantage, aftermath, beside, counting, exchanges, groups, rounds
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.older import whole

HANDLERS: Mapping[str, Handler[State]] = {
    "bid": exchanges.bid, "exchange": exchanges.exchange, "answer_bid": exchanges.answer_bid,
    "gm_bid": exchanges.gm_bid, "gm_exchange": exchanges.gm_exchange, "defer": exchanges.defer,
    "ask": exchanges.ask, "reinforce": advantage.reinforce, "edge": advantage.edge, "lend": advantage.lend,
    "gift": advantage.gift, "second_chance": advantage.second_chance, "rejoin": advantage.rejoin,
    "restore": advantage.restore, "last_bid": advantage.last_bid,
    "round": rounds.round_, "choose": rounds.choose, "stance": rounds.stance,
    "roll": rounds.roll,
    "gm_round": rounds.round_, "spend": rounds.spend, "stand": rounds.stand, "assist": beside.assist,
    "unrelated": beside.unrelated, "parting": beside.parting, "remove": beside.remove,
    "threaten": beside.threaten, "engage": groups.engage, "pair": groups.pair, "part": groups.part,
    "part_ways": groups.part_ways, "enter": groups.enter, "join": groups.join, "follower": groups.follower,
    "foe_follower": groups.foe_follower, "shift": groups.shift, "pass_on": groups.pass_on,
    "concede": groups.concede, "augment": counting.augment, "answer": counting.answer, "modify": counting.modify,
    "take_back": counting.take_back, "hinder": counting.hinder, "lasting": counting.lasting,
    "support": counting.support,
    "resist": counting.resist, "assists_from": counting.assists_from, "pause": counting.pause,
    "resume": counting.resume, "give": aftermath.give, "outcomes": whole.outcomes,
    "close": aftermath.close, "call_off": aftermath.call_off,
}
