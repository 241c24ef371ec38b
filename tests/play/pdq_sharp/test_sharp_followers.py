"""Somebody of the library becomes a forte that stands for people: minions, or a sidekick (PS-05)."""
from __future__ import annotations

import uuid

import pytest

from characters.models import Character
from characters.services import npcs
from tests.browser import moments
from tests.html_forms import Page
from tests.play.test_story_cards import seated

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("line", "kind"), [
    ("8 dock guards, good", "minions"), ("Old Tam, sidekick, Locks good", "sidekick")])
def test_ps_05_an_npc_of_the_library_follows_a_character_as_a_forte_of_theirs(line: str, kind: str) -> None:
    laid = moments.table("pdq_sharp")
    campaign, clients = seated(laid)
    gm = campaign.members.get(user__username__startswith="Alice")
    npcs.quick(campaign=campaign, actor=gm, op_id=uuid.uuid4(), line=line)
    npc = next(character for character in Character.objects.filter(campaign=campaign, npc=True)
               if character.name.casefold() in line.casefold())
    page = clients["Alice"].get(f"{laid['address']}prepare/things/{npc.pk}/").content.decode()
    at = page.partition(f"Make {npc.name} a follower of")[2].partition('href="')[2].partition('"')[0]
    form = Page(clients["Alice"].get(at)).form(action="/followers/")
    assert form.controls["name"].opens == [npc.name] and form.controls["kind"].opens == [kind]
    hero = Character.objects.get(pk=at.partition("sheet-actions/")[2].partition("/")[0])
    answer = form.send(clients["Alice"])
    assert answer.status_code == 302, Page(answer).errors
    forte = hero.traits.get(kind=kind, name=npc.name)
    best = "".join(form.controls["good_at"].opens)
    assert best and forte.note == (best if kind == "minions" else "")
    assert hero.name in clients["Bob"].get(f"{laid['address']}ledger/").content.decode()
