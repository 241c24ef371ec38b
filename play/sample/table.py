"""The table that the sample is played at: who sits there, and the few actions that an evening is made of."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from campaigns.models import Campaign, Entry, Member
from characters.models import Character, Trait
from characters.queries import sheets
from characters.services import editing, lifecycle, npcs, pools
from play.models import PendingAllocation
from play.sample.story import Person, Setting
from play.services import pending_allocations, pending_modifiers, sessions, tray
from rules.codec import read
from rules.modifiers import Modifier
from rules.sheet import Sheet
from rules.systems.pdq.chart import Rank, can_lose, capacity
from rules.values import Value

# Nobody looks on from a browser here, and the trail says so: these rolls are unwitnessed.
NO_SEED = ""


class Table:
    """A campaign with its two members and its people by their keys. Every action is done by whoever would do it."""

    def __init__(self, campaign: Campaign, gm: Member, player: Member) -> None:
        self.campaign, self.gm, self.player = campaign, gm, player
        self.people: dict[str, uuid.UUID] = {}
        self._hers: set[str] = set()  # the player's characters

    def submission(self, actor: Member | None = None) -> dict[str, Any]:
        """What every service asks for: the campaign, who does it (the GM, where nobody is named), its operation."""
        return {"campaign": self.campaign, "actor": actor or self.gm, "op_id": uuid.uuid4()}

    def plays(self, key: str) -> Member:
        """Who acts for this character."""
        return self.player if key in self._hers else self.gm

    def key_of(self, character_id: uuid.UUID | str) -> str:
        """The key of a character, by its id."""
        return next(key for key, pk in self.people.items() if str(pk) == str(character_id))

    def name_of(self, key: str) -> str:
        """A character's name."""
        return Character.objects.get(pk=self.people[key]).name

    def sheet(self, key: str) -> Sheet:
        """The sheet as it is now."""
        return sheets(self.campaign, [self.people[key]])[str(self.people[key])]

    def trait(self, key: str, name: str) -> str:
        """The id of a line of a sheet, as text."""
        return str(Trait.objects.values_list("pk", flat=True).get(character=self.people[key], name=name))

    def enter(self, person: Person, *, npc: bool) -> None:
        """Brings somebody into the story, with the GM's note. The player makes her own characters."""
        seat = {"player": self.player, "gm": self.gm}.get(person.seat)
        if person.seat == "player":
            self._hers.add(person.key)
        entry = editing.create(
            **self.submission(self.plays(person.key)), name=person.name, concept=person.concept, story=person.story,
            player=seat, npc=npc, hidden=person.hidden,
            lines=[
                editing.Line("strength" if quality.rank > 0 else "weakness", quality.name, quality.rank, quality.note)
                for quality in person.qualities
            ],
        )
        self.people[person.key] = editing.id_from(self.campaign, entry.op_id)
        if person.note:
            lifecycle.note(**self.submission(), character_id=self.people[person.key], words=person.note)

    def enter_quickly(self, key: str, line: str) -> None:
        """An NPC from one line."""
        entry = npcs.quick(**self.submission(), line=line)
        self.people[key] = editing.id_from(self.campaign, entry.op_id)

    def open_scene(self, setting: Setting, *, more: str = "") -> None:
        """Opens a scene with those who are there; `more` is a paragraph that the dice have written."""
        sessions.open_scene(
            **self.submission(), title=setting.title, text="\n\n".join(filter(None, (setting.text, more))),
            characters=[self.people[key] for key in setting.here],
        )

    def roll(
        self, key: str, what: str, *uses: str, difficulty: str = "", against: tuple[str, str] | None = None,
        helped: tuple[str, str] | None = None, lines: Iterable[Modifier] = (), hidden: bool = False,
        simple: bool = False, harm: bool = False,
    ) -> Entry:
        """A test, as the tray would send it: `against` and `helped` are somebody else's key and quality."""
        said: dict[str, Value] = {
            "traits": [self.trait(key, name) for name in uses], "help": [self.trait(*helped)] if helped else [],
            "difficulty": difficulty or "average", "against": self.trait(*against) if against else None,
            "lines": [{"kind": line.kind, "amount": line.amount, "reason": line.reason} for line in lines],
            "simple": simple, "harm": harm,
        }
        given = {name: value for name, value in said.items() if value}
        actor = self.gm if hidden else self.plays(key)

        now = Campaign.objects.get(pk=self.campaign.pk)

        def plan(campaign: Campaign) -> tray.Planned:
            character = Character.objects.prefetch_related("traits", "pools").get(pk=self.people[key])
            beside = replace(tray.beside(campaign, actor, character, ()), runs=True)
            return tray.plan(campaign, character, beside, what, given, secret=hidden)

        return tray.roll(**self.submission(actor), client_seed=NO_SEED, planned=plan(now), again=plan)

    def pending(self, key: str, reason: str) -> None:
        """An upshift from the GM for a good description."""
        pending_modifiers.give(**self.submission(), character_id=self.people[key], kind="badass", reason=reason)

    def award(self, key: str, amount: int, reason: str) -> Entry:
        """Experience, and what for."""
        return pools.award(
            **self.submission(), character_id=self.people[key], pool="xp", amount=amount, reason=reason
        )

    def settle(self) -> list[str]:
        """Places all that is pending, recovery rolls first; answers whose it was."""
        placed_for: list[str] = []
        waiting = PendingAllocation.objects.filter(campaign=self.campaign, settled=False).order_by("pk")
        while allocation := waiting.first():
            key = self.key_of(allocation.character_id)
            placed_for.append(key)
            if allocation.type == PendingAllocation.Type.ROLL:
                pending_allocations.roll_recovery(
                    **self.submission(self.plays(key)), client_seed=NO_SEED, allocation_id=allocation.pk)
                continue
            sheet = self.sheet(key)
            how = spread_gently if allocation.type == PendingAllocation.Type.DAMAGE else healed
            pending_allocations.place(
                **self.submission(self.plays(key)), allocation_id=allocation.pk,
                spread=how(sheet, allocation.amount))
        return placed_for


def result(entry: Entry) -> Mapping[str, Any]:
    """What came of a roll."""
    outcome: Mapping[str, Any] = read(entry.payload.text)["outcome"]["result"]
    return outcome


def succeeded(entry: Entry) -> bool:
    """Whether a test succeeded."""
    return bool(result(entry)["success"])


def spread_gently(sheet: Sheet, amount: int) -> dict[str, int]:
    """Damage one at a time where the rank is highest: nothing goes below Poor while there is anything above it."""
    left = {trait.id: can_lose(trait) for trait in sheet.traits}
    now = {trait.id: trait.now for trait in sheet.traits}
    spread: dict[str, int] = {}
    for _ in range(min(amount, capacity(sheet))):
        # Can it lose one at all; would it stay in use; then the highest, and of equals the first on the sheet.
        best = max((pk for pk in left if left[pk]), key=lambda pk: (now[pk] > Rank.POOR, now[pk]))
        left[best], now[best], spread[best] = left[best] - 1, now[best] - 1, spread.get(best, 0) + 1
    return spread


def spread_bluntly(sheet: Sheet, amount: int) -> dict[str, int]:
    """Damage all in one place while there is room: how a GM lets a man go down."""
    allocation, spread = min(amount, capacity(sheet)), {}
    for trait in sheet.traits:
        if ranks := min(allocation, can_lose(trait)):
            spread[trait.id], allocation = ranks, allocation - ranks
    return spread


def healed(sheet: Sheet, amount: int) -> dict[str, int]:
    """Recovered ranks, where the damage is worst first."""
    spread = {}
    for trait in sorted(sheet.traits, key=lambda trait: -trait.damage):
        if ranks := min(amount, trait.damage):
            spread[trait.id], amount = ranks, amount - ranks
    return spread
