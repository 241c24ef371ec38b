"""What is so in a check at one moment: what its character is and holds stays on the sheet."""
from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from rules.engine import Event, Sheets
from rules.procedure import ActResult, CampaignContext
from rules.systems.danger_world.challenge import HEIGHTS, Modifier, Rated, rate
from rules.systems.danger_world.damage import out_of_it
from rules.systems.danger_world.moves import AID_ANOTHER, MOVE_OF, OWN
from rules.systems.danger_world.pool import ROUNDS, Pool
from rules.systems.danger_world.reading import GENERAL, KEPT
from rules.systems.danger_world.reckoning import Proposal, Reason, Settled, settle
from rules.systems.danger_world.settings import CheckSettings


class Phase(Enum):
    """What the check is waiting for."""

    BLANK = "blank"
    POOL = "pool"  # the pool is being put together
    REROLL = "reroll"  # the dice lie; some may be rolled again
    CHOOSE = "choose"  # a set is to be chosen
    HEAL = "heal"  # the healer says which box opens
    WONDER = "wonder"  # the GM says whether a wonder opens the last box
    BENEFIT = "benefit"  # the GM says what the excess is good for
    COSTS = "costs"  # the GM spends botches, or takes some that were kept
    OVER = "over"


@dataclass(frozen=True)
class Complication:
    """Threat dice with their reason; `trait` is the line of a sheet that they come from, "" for none.

    Those that `stay` are the challenge's, for the next character who tries it, too; the others are for this roll alone.
    """

    reason: str
    dice: int
    trait: str = ""
    stays: bool = False


@dataclass(frozen=True)
class ThreatLeft:
    """Threat dice that a check left on a challenge, which is known by its name (DW-06)."""

    challenge: str
    dice: int
    why: str


@dataclass(frozen=True)
class State:
    """A check at one moment. What its character is and holds stays on the sheet."""

    who: str = ""
    beside: str = ""
    title: str = ""
    base: int = 0
    aside: int = 0  # the challenge's own difficulty while a setback's height stands in its place, 0 where none does
    move: str = ""
    own: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    said: bool = False  # whether whoever plays says how hard it is, and nobody has agreed
    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()
    complications: tuple[Complication, ...] = ()
    settings: CheckSettings = field(default_factory=lambda: CheckSettings(agree=False, hint=True))
    proposal: Proposal | None = None
    agreed: bool = False
    pool: Pool | None = None
    reasons: tuple[Reason, ...] = ()  # of the pool, as they were when the dice fell
    difficulty: int = 0  # as it was then
    faces: tuple[int, ...] = ()  # as they lie
    thrown: tuple[int, ...] = ()  # as they fell, one round after the other
    again: tuple[tuple[int, ...], ...] = ()  # which dice were rolled again, round by round
    stood: bool = False
    height: int | None = None  # of the set that was used, 0 for none
    heals: bool = False
    healed_row: int = 0  # the row of the healing that goes on, 0 for that of the difficulty
    benefit: bool = False  # whether the GM has yet to say what the excess is good for
    wonder: bool = False  # whether the GM has yet to say if the last box opens
    botches: int = 0  # that the GM has left
    draws: bool = False  # whether there were botches from earlier checks that may be spent in this one
    left: tuple[ThreatLeft, ...] = ()
    removed: int = 0  # threat dice that the GM took off the challenge
    over: bool = False
    ending: str = ""
    context: CampaignContext = field(default_factory=CampaignContext)

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if self.over:
            return Phase.OVER
        if not self.who:
            return Phase.BLANK
        if self.pool is None:
            return Phase.POOL
        if self.height is None:
            return Phase.CHOOSE if self.stood or self.rounds == ROUNDS else Phase.REROLL
        if self.heals:
            return Phase.HEAL
        if self.wonder:
            return Phase.WONDER
        if self.benefit:
            return Phase.BENEFIT
        return Phase.COSTS if self.botches or self.draws else Phase.OVER

    @property
    def rounds(self) -> int:
        """How many rounds of re-rolls there were."""
        return len(self.again)

    @property
    def ready(self) -> bool:
        """Whether the dice may fall."""
        return self.phase is Phase.POOL and self.proposal is not None and (self.agreed or not self.settings.agree)

    @property
    def waits_for_agreement(self) -> bool:
        """Whether the GM has to agree to the pool before it is rolled."""
        return self.phase is Phase.POOL and self.proposal is not None and not self.ready

    @property
    def undoing(self) -> bool:
        """Whether this undoes a setback: a check of its own, which is no try at the challenge (DW-07)."""
        return self.aside > 0

    @property
    def own_difficulty(self) -> int:
        """How hard the challenge itself is, without its keywords, whatever is tried now."""
        return self.aside or self.base

    @property
    def rated(self) -> Rated:
        """The difficulty as it is now, with its keywords (DW-09)."""
        modifiers = (*(Modifier(word, True) for word in self.helps), *(Modifier(word, False) for word in self.hinders))
        return rate(self.base, modifiers)

    @property
    def own_faces(self) -> tuple[int, ...]:
        """The faces of the action and danger dice."""
        return self.faces[: self.pool.own] if self.pool else ()

    @property
    def sets(self) -> tuple[int, ...]:
        """The heights of the sets that lie there."""
        return self.settled(0).sets

    def settled(self, height: int) -> Settled:
        """What the dice as they lie come to with the set of this height, 0 for none."""
        return settle(self.pool or Pool(0), self.faces, height, self.difficulty)

    @property
    def accomplished(self) -> bool:
        """Whether the set that was used reached the difficulty."""
        return self.height is not None and self.height >= self.difficulty > 0

    @property
    def overcame(self) -> bool:
        """Whether the challenge itself was accomplished, and not a setback undone while it stood there."""
        return self.accomplished and not self.undoing

    @property
    def kept(self) -> int:
        """The botches of earlier checks that the GM kept."""
        return self.context.pool(KEPT)

    @property
    def general(self) -> int:
        """The story points that the GM can pay from."""
        return self.context.pool(GENERAL)

    @property
    def is_aid(self) -> bool:
        """Whether the set's height itself goes to somebody else as bonus dice, so that no excess is left (DW-16)."""
        return MOVE_OF.get(self.move) is AID_ANOTHER

    def row_words(self, row: int) -> str:
        """What a row of the move accomplishes; "" where no move says it."""
        table = self.own if self.move == OWN else MOVE_OF[self.move].by_height if self.move in MOVE_OF else ()
        return table[row - HEIGHTS[0]] if table and row in HEIGHTS else ""

    def pools(self, sheets: Sheets) -> bool:
        """Whether the pool is being put together, by somebody whose sheet is there."""
        return self.phase is Phase.POOL and self.who in sheets

    def may_pool(self, sheets: Sheets) -> bool:
        """Whether the one who tries may put it together: whoever is knocked out or dead can't act (DW-14)."""
        return self.pools(sheets) and not out_of_it(sheets[self.who])

    def lies(self, sheets: Sheets) -> bool:
        """Whether the dice of somebody whose sheet is there lie, and may be kept as they do."""
        return self.phase is Phase.REROLL and self.who in sheets

    def rerolls(self, sheets: Sheets) -> bool:
        """Whether dice may be rolled again: whoever is knocked out or dead can only keep what lies (DW-14)."""
        return self.lies(sheets) and not out_of_it(sheets[self.who])


Result = ActResult[Event[State]]
