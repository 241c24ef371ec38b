"""A check played through its pages."""
from __future__ import annotations

import re
from typing import Any

from django.test import Client

from characters.models import Character
from play.models import Contest
from tests.play.conftest import body, own_page, state_of


class Check:
    """A check that Bob started."""

    def __init__(self, client: Client, mara: Character, **more: Any) -> None:
        self.mara, slug = mara, mara.campaign.slug
        sent = {"title": "Over the fish hall", "who": str(mara.pk), "difficulty": "3", "threat": "0", "move": ""}
        answer = client.post(f"/c/{slug}/contests/start/check/", body(**{**sent, **more}))
        assert answer.status_code == 302, answer.content.decode()
        self.at = own_page(answer)

    def act(self, client: Client, action: str, by: Any = None, expect: int = 302, **values: Any) -> str:
        who = self.mara.pk if by is None else by
        answer = client.post(f"{self.at}{action}/{who}/", body(client_seed="ab" * 32, **values))
        assert answer.status_code == expect, answer.content.decode()
        return str(answer.content.decode())

    @property
    def state(self) -> Any:
        contests = Contest.objects.select_related("campaign").prefetch_related("log")
        return state_of(contests.get(pk=self.at.rstrip("/").rpartition("/")[2]))

    @property
    def over(self) -> bool:
        return Contest.objects.get(pk=self.at.rstrip("/").rpartition("/")[2]).over

    def stats(self, *names: str) -> list[str]:
        return [str(self.mara.traits.get(name=name).pk) for name in names]


def thrown(check: Check, client: Client, dice: list[int], faces: list[int], height: int, gm: Client) -> str:
    """The check with these faces and the set of this height; what its page says afterwards."""
    check.act(client, "propose", stats=check.stats("Agility", "Speed"), danger="0")
    check.act(gm, "agree", "gm")
    dice[:] = faces
    check.act(client, "roll")
    check.act(client, "stand")
    check.act(client, "use", height=str(height))
    return client.get(check.at).content.decode()


def words(page: str) -> str:
    """A page's words with single blanks, without its marks."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())
