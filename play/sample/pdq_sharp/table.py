"""The table of the sample: who sits there, and the few things that an evening is made of."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from campaigns.models import Campaign, Invitation, Member, Role
from campaigns.services import founding, inviting
from characters.models import Trait
from characters.queries import sheets
from characters.services import editing, npcs
from play.models import Contest, PendingAllocation
from play.sample.pdq_sharp import story
from play.services import contests, pending_allocations, sessions
from play.services.position import Position, find_position
from rules.dice import new_token
from rules.sheet import ReadyMade
from rules.systems.pdq_sharp.duel.damage import easiest
from rules.systems.pdq_sharp.duel.state import Fencer
from rules.values import Value

NO_SEED = ""  # nobody looks on from a browser here: these rolls are unwitnessed, and the trail says so


class Table:
    """A campaign, its GM, and its people by their keys. Everything is done by whoever would do it."""

    def __init__(self, gm: Any, players: Iterable[Any]) -> None:
        self.campaign: Campaign = founding.found(
            user=gm, op_id=uuid.uuid4(), name=story.NAME, system=story.SYSTEM, pitch=story.PITCH,
            settings=story.SETTINGS)
        self.gm = self.campaign.members.get(user=gm)
        token = new_token()
        inviting.invite(campaign=self.campaign, actor=self.gm, op_id=uuid.uuid4(), role=Role.PLAYER,
                        lasts=timedelta(days=7), most_uses=9, token=token)
        for user in players:
            invitation = Invitation.objects.get(campaign=self.campaign)
            inviting.join(invitation=invitation, user=user, op_id=uuid.uuid4())
        self.players = [self.campaign.members.get(user=user) for user in players]
        self.people: dict[str, uuid.UUID] = {}
        self._players: dict[str, Member] = {}

    def submission(self, actor: Member | None = None) -> dict[str, Any]:
        """What every service asks for; the GM does what nobody else is named for."""
        return {"campaign": self.campaign, "actor": actor or self.gm, "op_id": uuid.uuid4()}

    def take(self, key: str, ready: ReadyMade, player: Member | None) -> None:
        """A ready-made character, taken by a player, or kept for one who may still come."""
        entry = editing.create_ready(**self.submission(player), ready=ready, player=player)
        self.people[key] = editing.id_from(self.campaign, entry.op_id)
        if player:
            self._players[key] = player

    def enter(self, key: str, line: str) -> None:
        """An NPC from one line."""
        self.people[key] = editing.id_from(self.campaign, npcs.quick(**self.submission(), line=line).op_id)

    def scene(self, setting: tuple[str, str], *here: str) -> None:
        """Opens a scene with those who are there."""
        title, text = setting
        sessions.open_scene(**self.submission(), title=title, text=text, characters=[self.people[key] for key in here])

    def line(self, key: str, name: str) -> str:
        """The id of a line of somebody's sheet."""
        return str(Trait.objects.values_list("pk", flat=True).get(character=self.people[key], name=name))

    def start(self, kind: str, title: str, *who: str, **setup: Value) -> uuid.UUID:
        """Starts a contest, by the first one's player."""
        actor, submission = self._players.get(who[0]), self.submission()
        lines: list[Value] = [{"sheet": str(self.people[key]), **self._side(kind, key)} for key in who]
        submission["actor"] = self.gm if kind.endswith("duel") else actor or self.gm
        contests.start(**submission, client_seed=NO_SEED, kind=kind, title=title,
                       characters=[self.people[key] for key in who], setup={"contestants": lines, **setup})
        return contests.id_from(self.campaign, submission["op_id"])

    def _side(self, kind: str, key: str) -> Mapping[str, Value]:
        if not kind.endswith("duel"):
            return {}
        played = key in self._players
        return {"side": "The party" if played else "The Margrave’s", "player": played}

    def style_dice(self) -> uuid.UUID:
        """The style dice of the session, which began with it."""
        return Contest.objects.get(campaign=self.campaign, kind="pdq_sharp.style_dice", over=False).pk

    def act(self, contest: uuid.UUID, action: str, by: str = "", **given: Value) -> None:
        """Does what is offered to somebody (by their key), or to the GM."""
        who = str(self.people[by]) if by in self.people else by
        contests.act(**self.submission(self._player_of(who)), client_seed=NO_SEED, contest_id=contest, by=who,
                     action=action, given=given)

    def _player_of(self, who: str) -> Member | None:
        return next((member for key, member in self._players.items() if str(self.people[key]) == who), None)

    def position(self, contest: uuid.UUID) -> Position:
        """A contest as it stands."""
        now = find_position(self.campaign, contest)
        assert now is not None  # noqa: S101 - it was started here
        return now

    def settle(self) -> None:
        """Places all that is pending, recovery rolls first."""
        waiting = PendingAllocation.objects.filter(campaign=self.campaign, settled=False).order_by("pk")
        while pending := waiting.first():
            actor = self._player_of(str(pending.character_id))
            if pending.type == PendingAllocation.Type.ROLL:
                pending_allocations.roll_recovery(
                    **self.submission(actor), client_seed=NO_SEED, allocation_id=pending.pk)
                continue
            sheet = sheets(self.campaign, [pending.character_id])[str(pending.character_id)]
            spread: dict[str, int] = {}
            if pending.type == PendingAllocation.Type.DAMAGE:
                spread = easiest(sheet, Fencer(sheet.id, "", ""), pending.amount)
            else:
                left = pending.amount
                for trait in sheet.traits:
                    spread[trait.id] = min(left, trait.damage)
                    left -= spread[trait.id]
            pending_allocations.place(**self.submission(actor), allocation_id=pending.pk, spread=spread)
