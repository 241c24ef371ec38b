"""Steps of long contests at their pages, that several test files begin with."""
from __future__ import annotations

import json
import uuid
from typing import Any

from django.test import Client

from campaigns.models import Entry
from campaigns.services.setting import change_settings, last_change
from tests.play.conftest import body
from tests.play.pressing import press
from tests.play.questworlds.conftest import act, begin, latest, page, state
from tests.play.questworlds.conftest import press as press_act


def start(
    client: Client, campaign: Any, kind: str = "scored", opponents: str = "Captain Vey 17", who: Any = 1, **more: Any
) -> Any:
    """A contest of the first so many in the scene against these opponents: an NPC of the scene stands against them."""
    parts = {f"c{number}_side": "one" for number in range(who)}
    return begin(client, campaign, kind, side_one="The crew", side_two="The toll", opponents=opponents,
                 obstacle="The toll", **parts, **more)


def roll(client: Client, who: Any, **values: Any) -> Any:
    """A round of one's own pair, as the form opens."""
    values = {"bout": "0", "tactic": "normal", "aim": "", **values}
    answer = act(client, who, "round", **values)
    assert answer.status_code == 302, answer.content.decode()
    if state().throws:
        assert act(client, who, "stand").status_code == 302
    return state().bout(int(values["bout"]))


def shoot(as_gm: Client, client: Client, who: Any, **values: Any) -> None:
    """A parting shot by its pages: asked for; with the GM's tap it is agreed to, and the dice fall."""
    assert press(client, page(client), "Parting shot", **values).status_code == 302
    answer = press_act(as_gm, None, "answer_shot", answer=f"{who.pk}:yes")
    assert answer.status_code == 302, answer.content.decode()


def set_setting(campaign: Any, actor: Any, **settings: str | bool) -> None:
    """Sets settings of the campaign, through their service."""
    base = last_change(campaign)
    change_settings(campaign=campaign, actor=actor, op_id=uuid.uuid4(), base=base, name=campaign.name,
                    pitch=campaign.pitch, settings={**json.loads(campaign.settings_json), **settings})
    campaign.refresh_from_db()


def gm_bids(client: Client, who: str, whom: Any, points: int) -> None:
    """The GM bids for an NPC."""
    one = latest()
    answer = client.post(f"/c/{one.campaign.slug}/contests/{one.pk}/gm_bid/gm/",
                         body(who=who, whom=str(whom.pk), bid=str(points)))
    assert answer.status_code == 302, answer.content.decode()


def story(kind: str) -> str:
    """All that an entry of this kind tells, as it is stored."""
    entry = Entry.objects.filter(kind=kind).order_by("-seq").first()
    assert entry is not None
    return str(entry.payload.text)
