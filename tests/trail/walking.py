"""A table at which anything happens in any order: every service of PDQ, with whatever can be given to it now."""
from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from campaigns.models import Campaign, Entry, Member
from campaigns.pictures import Drawn
from campaigns.services import setting, undoing
from characters.models import Character
from characters.queries import sheets
from characters.services import editing, lifecycle, npcs, pools, portraits
from play.models import Contest, PendingAllocation, Session
from play.sample.table import healed, spread_gently
from play.services import contests, pending_allocations, pending_modifiers, scenes, sessions
from play.services.position import find_position
from rules.values import BadMove
from tests.play.rolled import rolled
from tests.rules.pdq.walking import any_given

SEED = "5a" * 32
NAMES = ("Ilse", "Ünal", "Zoë", "O’Hara", "Old Marrow", "Whisper 🜁", "Café\n", "d'Arc")
LINES = (("strength", 1), ("strength", 2), ("weakness", -1))


class Walk:
    """`step` does something, or is refused in words; anything else that goes wrong is a defect."""

    def __init__(self, campaign: Campaign, gm: Member, plays: Member, chance: Any) -> None:
        self.campaign, self.gm, self.plays, self.chance = campaign, gm, plays, chance
        self.sheet_actions = 0
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def everything(self) -> list[str]:
        """The names of all that can be done, in any order."""
        names = [name.removeprefix("do_") for name in dir(self) if name.startswith("do_")]
        self.chance.shuffle(names)
        return names

    def step(self, name: str) -> None:
        """Does this, once."""
        self.campaign.refresh_from_db()
        before = self.campaign.head_seq
        try:
            getattr(self, f"do_{name}")()
        except BadMove as bad:
            assert bad.sentence, f"{name} is refused without a word."
            self.refused[name] += 1
            self.campaign.refresh_from_db()
            assert self.campaign.head_seq == before, f"{name} was refused and wrote an entry all the same."
        else:
            self.done[name] += 1

    def submission(self, actor: Member | None = None) -> dict[str, Any]:
        """What every service takes."""
        self.sheet_actions += 1
        op_id = uuid.uuid5(self.campaign.pk, str(self.sheet_actions))
        return {"campaign": self.campaign, "actor": actor or self.gm, "op_id": op_id}

    def maybe(self) -> bool:
        """A coin."""
        return bool(self.chance.getrandbits(1))

    def one(self, rows: Any) -> Any:
        """One of these rows; where there is none, this can't be done now."""
        candidates = list(rows)
        if not candidates:
            raise BadMove("There is nothing of this kind.")
        return self.chance.choice(candidates)

    def character(self, **wanted: Any) -> Character:
        """Somebody."""
        return self.one(Character.objects.filter(campaign=self.campaign, **wanted).order_by("name", "pk"))

    def seed(self) -> str:
        """A browser's seed for the dice, or none."""
        return SEED if self.maybe() else ""

    def do_player_makes_one(self) -> None:
        lines = [editing.Line(kind, f"Line {n}", value) for n, (kind, value) in enumerate(LINES)]
        said = {"name": self.one(NAMES), "story": "So\r\nit was"}
        editing.create(**self.submission(self.plays), lines=lines, player=self.plays, **said)

    def do_npc(self) -> None:
        npcs.quick(**self.submission(), line=f"{self.one(NAMES)}, Fighting good, Slow poor", hidden=self.maybe())

    def do_edit(self) -> None:
        one = self.character()
        lines = [editing.Line(t.kind, t.name, t.value, self.one(("", "hills")), str(t.pk)) for t in one.traits.all()]
        if self.maybe():
            lines = [*lines[1:], editing.Line("weakness", "New", -1)]
        editing.edit(**self.submission(), character_id=one.pk, name=self.one(NAMES), lines=lines, reason="Allowed")

    def do_replace(self) -> None:
        one = self.character()
        line = self.one(one.traits.order_by("place"))
        editing.replace(**self.submission(), character_id=one.pk, trait_id=line.pk, name="Another", reason="Useless")

    def do_duplicate(self) -> None:
        npcs.duplicate(**self.submission(), character_id=self.character(npc=True).pk)

    def do_hide(self) -> None:
        lifecycle.hide(**self.submission(), character_id=self.character(npc=True).pk)

    def do_show(self) -> None:
        lifecycle.show(**self.submission(), character_id=self.character(hidden=True).pk)

    def do_retire(self) -> None:
        lifecycle.retire(**self.submission(), character_id=self.character().pk, retired=self.maybe())

    def do_assign(self) -> None:
        who = self.one((None, self.plays.pk))
        lifecycle.assign(**self.submission(), character_id=self.character().pk, player_id=who)

    def do_note(self) -> None:
        lifecycle.note(**self.submission(), character_id=self.character().pk, words=self.one(("", "A liar.", "Dying.")))

    def do_portrait(self) -> None:
        one = self.character()
        if hasattr(one, "portrait") and self.maybe():
            portraits.take_down(**self.submission(), character_id=one.pk)
            return
        portraits.put(**self.submission(), character_id=one.pk, picture=Drawn(bytes([self.chance.randrange(256)])))

    def do_award(self) -> None:
        pools.award(**self.submission(), character_id=self.character().pk, pool="xp", amount=4, reason="The bridge")

    def do_spend(self) -> None:
        pools.spend(**self.submission(), character_id=self.character().pk, pool="xp", amount=self.one((1, 3)))

    def do_grow(self) -> None:
        one = self.character()
        offer = self.one(self.campaign.rules.growth.purchases(one.sheet(), self.campaign.settings))
        name = "Learned" if offer.asks_name else ""
        pools.grow(**self.submission(), character_id=one.pk, choice=offer.choice, name=name)

    def do_settings(self) -> None:
        row = {"name": self.one(NAMES), "pitch": self.one(("", "Cafe\u0301")), "settings": {"weapons": self.maybe()}}
        setting.change_settings(**self.submission(), **row, base=setting.last_change(self.campaign))

    def do_open_session(self) -> None:
        sessions.open_session(**self.submission(), title=self.one(("", "The well")))

    def do_close_session(self) -> None:
        sessions.close_session(**self.submission(), title="Done", recap=self.one(("", "They went.")))

    def do_recap(self) -> None:
        one = self.one(Session.objects.filter(campaign=self.campaign).order_by("number"))
        seen = sessions.last_written(self.campaign, one.pk)
        sessions.write_recap(**self.submission(self.plays), session_id=one.pk, title="Told", recap="Anew", seen=seen)

    def do_open_scene(self) -> None:
        sessions.open_scene(**self.submission(), title="The dry well", text="Dust", characters=self.some())

    def do_presence(self) -> None:
        sessions.set_presence(**self.submission(), characters=self.some())

    def some(self) -> list[uuid.UUID]:
        """Some of all characters, hidden ones among them."""
        characters = Character.objects.filter(campaign=self.campaign).order_by("name", "pk")
        return [pk for pk in characters.values_list("pk", flat=True) if self.chance.random() < 0.7]

    def do_close_scene(self) -> None:
        scenes.close_scene(**self.submission(), values={"danger": self.one(("momentary", "continuing"))})

    def do_recover_again(self) -> None:
        values = {"danger": self.one(("momentary", "continuing"))}
        scenes.recover_again(**self.submission(), characters=self.some()[:2], values=values)

    def do_boon(self) -> None:
        pending_modifiers.give(**self.submission(), character_id=self.character().pk, kind="badass", reason="A leap")

    def do_roll(self) -> None:
        one = self.character()
        mine = one.player_id == self.plays.pk and self.maybe()
        traits = tuple(str(trait.pk) for trait in one.traits.order_by("place") if trait.damage == 0 and self.maybe())
        rain = [{"kind": "downshift", "amount": 1, "reason": "Rain"}] if self.maybe() else []
        rolled(
            **self.submission(self.plays if mine else self.gm), who=one, traits=traits, lines=rain, what="Climbs",
            difficulty=self.one((3, 9, 20, "good")), harm=self.maybe(), client_seed=self.seed(),
            hidden=not mine and self.maybe(),
        )

    def do_hurt(self) -> None:
        """A roll that fails and does damage."""
        rolled(**self.submission(), who=self.character(), what="Falls", difficulty=40, harm=True,
               client_seed=self.seed())

    def do_due(self) -> None:
        allocation = self.one(PendingAllocation.objects.filter(campaign=self.campaign, settled=False)
                              .order_by("type", "amount", "pk"))
        if allocation.type == PendingAllocation.Type.ROLL:
            pending_allocations.roll_recovery(**self.submission(), client_seed=self.seed(), allocation_id=allocation.pk)
            return
        sheet = sheets(self.campaign, [allocation.character_id])[str(allocation.character_id)]
        spread = spread_gently if allocation.type == PendingAllocation.Type.DAMAGE else healed
        pending_allocations.place(
            **self.submission(), allocation_id=allocation.pk, spread=spread(sheet, allocation.amount))

    def do_fight(self) -> None:
        """A contest between all who are there and can be seen."""
        here = Character.objects.filter(campaign=self.campaign, hidden=False, presences__scene=self.campaign.scene_id)
        row = [
            {"sheet": str(character.pk), "side": "ab"[n % 2], "player": not character.npc, "surprises": False,
             "unaware": False, "speed": []} for n, character in enumerate(here.order_by("name", "pk"))
        ]
        settings = {name: self.campaign.settings[name] for name in ("defence", "ties", "weapons", "killing", "ranges")}
        contests.start(
            **self.submission(), client_seed=self.seed(), kind="pdq.conflict", title="Knives",
            setup={**settings, "danger": "momentary", "harm": "damage", "contestants": row},
            characters=[uuid.UUID(str(contestant["sheet"])) for contestant in row],
        )

    def do_acts(self) -> None:
        """Some of what is offered in the contest that goes on, at times its end."""
        open_contests = Contest.objects.select_related("campaign").filter(campaign=self.campaign, over=False)
        contest = self.one(open_contests.order_by("pk"))
        for _ in range(4):
            self.campaign.refresh_from_db()
            position = find_position(self.campaign, contest.pk)
            assert position is not None
            state, there = position.state, position.sheets
            offers = [offer for offer in position.offers if offer.action != "end" or self.chance.random() < 0.2]
            if not offers:
                return
            offer = self.chance.choice(offers)
            table = SimpleNamespace(state=state, sheets=there, who=state.contestant)
            given = any_given(table, offer, _choosing(self.chance))  # type: ignore[arg-type]
            contests.act(
                **self.submission(), client_seed=self.seed(), contest_id=contest.pk, by=offer.by, action=offer.action,
                given=given,
            )

    def do_undo(self) -> None:
        entries = Entry.objects.filter(campaign=self.campaign).exclude(kind__startswith="dice.").order_by("-seq")
        undoing.undo(**self.submission(), seq=self.one(entries[:12]).seq, reason="A slip")

    def do_undo_the_last(self) -> None:
        entries = Entry.objects.filter(campaign=self.campaign).exclude(kind__startswith="dice.").order_by("-seq")
        undoing.undo(**self.submission(), seq=entries[0].seq)

    def do_reveal(self) -> None:
        sealed = Entry.objects.filter(campaign=self.campaign, audience="gm", revelation=None).order_by("seq")
        undoing.reveal(**self.submission(), seq=self.one(sealed).seq)


def _choosing(chance: Any) -> Callable[[Sequence[Any]], Any]:
    return lambda options: chance.choice(list(options))


