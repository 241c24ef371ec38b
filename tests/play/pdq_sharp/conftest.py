"""A campaign of PDQ#: Perpetua is Bob's, Corvin Alice's villain, the guards a squad of hers; dice as a test says."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.trail import dice as trail_dice
from characters.models import Character
from play.models import Contest
from tests import laid
from tests.play.conftest import body, state_of
from tests.play.pressing import read

PERPETUA = ("Perpetua Vane, lieutenant, Fencing expert, Repartee good, Acrobatics good, Gambler good, "
            "Motivation: Clear her name good, Past: Ropewalker good, Foible: Must have the last word, "
            "Idiom: Mocking, Weapon: Rapier, Location: Rooftops, Maneuver: Feint, Foe: Duke’s men")


@laid.fixture
def campaign(alice: Any) -> Any:
    """Alice's campaign."""
    from campaigns.services.founding import found

    return found(user=alice, op_id=uuid.uuid4(), name="The Gilded Compass", system="pdq_sharp")


def from_line(campaign: Any, actor: Any, line: str, **fields: Any) -> Character:
    """A character from one line; the threat level is left out for a player character."""
    from characters.services import editing

    name, drafts = campaign.rules.sheet.from_line(line)
    lines = [editing.Line(draft.kind, draft.name, draft.value, draft.note, within=draft.within) for draft in drafts
             if draft.kind != "threat" or fields.get("npc")]
    entry = editing.create(campaign=campaign, actor=actor, op_id=uuid.uuid4(), name=name, lines=lines, **fields)
    campaign.refresh_from_db()
    return Character.objects.get(pk=editing.id_from(campaign, entry.op_id))


@laid.fixture
def perpetua(campaign: Any, bobs: Any) -> Character:
    """Bob's duellist."""
    return from_line(campaign, bobs, PERPETUA, player=bobs)


@laid.fixture
def corvin(campaign: Any, alices: Any) -> Character:
    """Alice's villain."""
    return from_line(campaign, alices, "Corvin Ashgrove, villain", npc=True)


@laid.fixture
def guards(campaign: Any, alices: Any) -> Character:
    """A squad."""
    return from_line(campaign, alices, "squad of 5 guards, good", npc=True)


@laid.fixture
def session(as_alice: Client, campaign: Any, perpetua: Character, corvin: Character) -> None:
    assert as_alice.post(f"/c/{campaign.slug}/chronicle/open/", body(title="")).status_code == 302
    here = body(title="The bridge", characters=[str(perpetua.pk), str(corvin.pk)])
    assert as_alice.post(f"/c/{campaign.slug}/scene/open/", here).status_code == 302
    campaign.refresh_from_db()


def suffers(campaign: Any, *effects: Any) -> None:
    """Effects on sheets, by an entry of the trail."""
    from campaigns import trail
    from play.services import pools

    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="a.test", title="A test") as entry:
        pools.apply(entry, effects)
    campaign.refresh_from_db()


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Faces that fall next, one after the other."""
    coming: list[int] = []
    monkeypatch.setattr(trail_dice.Roll, "roll", lambda self, sides: [coming.pop(0) for _ in sides])
    return coming


class Duelling:
    """A duel between characters that are here, with dice as a test says; forms are sent as they stand on the page."""

    def __init__(self, campaign: Any, alice: Client, dice: list[int], ours: list[Character], *theirs: Character,
                 **setup: Any) -> None:
        self.campaign, self.alice, self.dice = campaign, alice, dice
        page = alice.get(f"/c/{campaign.slug}/contests/start/duel/")
        sides = {character.name: "one" for character in ours} | {character.name: "two" for character in theirs}
        sent = body(title="On the bridge", side_one="The party", side_two="The others",
                    **{"conflict": "physical", "harm": "wound", **setup})
        for part in page.context["form"].parts:
            sent[part.side.html_name] = sides.get(part.name, "")
        answer = alice.post(f"/c/{campaign.slug}/contests/start/duel/", sent)
        assert answer.status_code == 302, answer.content.decode()
        self.at = f"/c/{campaign.slug}/contests/{Contest.objects.get(kind='pdq_sharp.duel', over=False).pk}/"

    @property
    def state(self) -> Any:
        """The duel as its events tell it."""
        kept = Contest.objects.select_related("campaign").prefetch_related("log")
        return state_of(kept.get(pk=self.at.rstrip("/").rpartition("/")[2]))

    def page(self, client: Client) -> str:
        """What the page says to this person."""
        return str(read(client, self.at).content.decode())

    def offers(self, client: Client) -> list[str]:
        """What this person may do now."""
        context = read(client, self.at).context
        return [form.offer.action for form in (*context["acts"], *context["rulings"])]

    def press(self, client: Client, action: str, by: Any = "gm", *faces: int, expect: int = 302, **sent: Any) -> str:
        """Presses a button with what stands in its form, and with these dice; answers the page then."""
        context, who = read(client, self.at).context, str(getattr(by, "pk", by))
        form = next((drawn for drawn in (*context["acts"], *context["rulings"])
                     if (drawn.offer.action, drawn.offer.by or "gm") == (action, who)), None)
        assert form is not None, f"{action} is not offered: {self.offers(client)}"
        filled = {field.html_name: field.value() for field in form if not field.is_hidden and field.value() is not None}
        self.dice += faces
        answer = client.post(f"{self.at}{action}/{who}/", body(**{**filled, **sent}))
        assert answer.status_code == expect, answer.content.decode()
        assert expect != 302 or not self.dice, f"dice are left: {self.dice}"
        return self.page(client) if expect == 302 else str(answer.content.decode())

    def let_stand(self, *clients: Client) -> None:
        """Everybody lets the dice stand as they lie."""
        while self.state.phase.value == "ellipsis":
            client = next(client for client in clients if {"stand", "stand_npcs"} & set(self.offers(client)))
            context = read(client, self.at).context
            form = next(drawn for drawn in (*context["rulings"], *context["acts"])
                        if drawn.offer.action in ("stand", "stand_npcs"))
            self.press(client, form.offer.action, form.offer.by or "gm")

    def text(self) -> str:
        """The steps of all entries so far, in one text."""
        from campaigns.models import Entry

        entries = Entry.objects.filter(campaign=self.campaign, kind__startswith="contest.").order_by("seq")
        return " ".join(entry.payload.text for entry in entries.select_related("payload"))
