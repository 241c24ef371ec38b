"""Who sees what of an NPC: all, its face, or nothing; everyone, or single players."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Entry, Role, Sight, View
from campaigns.services.undoing import undo
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from characters.models import Character
from characters.services import sight
from tests import laid
from tests.conftest import join
from tests.play.conftest import body, character
from tests.play.test_sealed_stays_quiet import ONCE

pytestmark = pytest.mark.django_db


@laid.fixture
def captain(campaign: Any, alices: Any) -> Character:
    """An NPC whom nobody knows of yet."""
    return character(campaign, alices, "The Captain", [("strength", "Sabre", 707171)], npc=True, hidden=True,
                     concept="Paid by the enemy", story="Afraid of frogs")


def by(campaign: Any, actor: Any, captain: Character, **more: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4(), "character_id": captain.pk, **more}


def read(browser: Any, campaign: Any, captain: Character) -> str:
    """All that a browser gets of the pages that name somebody."""
    slug = campaign.slug
    last = Entry.objects.filter(campaign=campaign).latest("seq").seq
    pages = [reverse(name, args=[slug]) for name in ("characters", "table", "ledger", "shown", "feed", "chronicle")]
    pages += [reverse("sheet", args=[slug, captain.pk]), reverse("sheet_as_of", args=[slug, captain.pk, last]),
              *(reverse("entry", args=[slug, seq]) for seq in range(1, last + 1))]
    text = "".join(browser.get(page).content.decode() for page in pages)
    return text + b"".join(browser.get(reverse("export", args=[slug])).streaming_content).decode()


def feed(browser: Any, campaign: Any) -> str:
    return ONCE.sub("", browser.get(reverse("feed", args=[campaign.slug])).content.decode())


SECRETS = ("Sabre", "707171", "Paid by", "frogs")


def test_a_face_has_a_name_and_looks_and_no_number_anywhere(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any, captain: Character
) -> None:
    assert "Captain" not in read(as_bob, campaign, captain)
    sight.look(**by(campaign, alices, captain, looks="A scar, a **red** coat"))
    assert "**red**" not in read(as_bob, campaign, captain)
    address = reverse("hide", args=[campaign.slug, captain.pk])
    tapped = as_alice.post(address, body(view="face", place="list"), HTTP_HX_REQUEST="true").content.decode()
    assert 'value="face" aria-pressed="true"' in tapped and "<html" not in tapped
    seen = read(as_bob, campaign, captain)
    assert "The Captain is seen" in seen and "<strong>red</strong> coat" in seen
    assert not [secret for secret in SECRETS if secret in seen]
    assert all(secret in read(as_alice, campaign, captain) for secret in SECRETS)
    # What becomes of it later stays sealed, and its numbers are in nobody's contest.
    assert "A scar" in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    sight.see(**by(campaign, alices, captain, view=View.ALL))
    assert "Sabre" in as_bob.get(reverse("sheet", args=[campaign.slug, captain.pk])).content.decode()
    sight.see(**by(campaign, alices, captain, view=View.FACE))
    narrowed = as_bob.get(reverse("sheet", args=[campaign.slug, captain.pk])).content.decode()
    assert "The Captain" in narrowed and "Sabre" not in narrowed and "707171" not in narrowed
    assert Entry.objects.latest("seq").audience == "gm" and not list(differences(campaign.pk))


def test_single_players_see_more_and_nobody_else_a_byte(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any, as_charlie: Any, charlie: Any,
    captain: Character,
) -> None:
    charlies = join(campaign, charlie, Role.PLAYER)
    before = feed(as_charlie, campaign)
    page = reverse("who_sees", args=[campaign.slug, captain.pk])
    assert "Bob" in as_alice.get(page).content.decode()
    assert as_alice.post(page, body(**{f"member-{bobs.pk}": "all"})).status_code == 302
    bob, other = read(as_bob, campaign, captain), read(as_charlie, campaign, captain)
    assert all(secret in bob for secret in SECRETS)
    assert "Captain" not in other and not [secret for secret in SECRETS if secret in other]
    assert feed(as_charlie, campaign) == before
    assert "Some see more" in as_alice.get(reverse("characters", args=[campaign.slug])).content.decode()
    # "View as" proves it.
    as_alice.post(reverse("view_as", args=[campaign.slug, charlies.pk]))
    sheet = reverse("sheet", args=[campaign.slug, captain.pk])
    assert as_alice.get(sheet).status_code == 404
    as_alice.post(reverse("own_view", args=[campaign.slug]))
    as_alice.post(reverse("view_as", args=[campaign.slug, bobs.pk]))
    assert as_alice.get(sheet).status_code == 200
    as_alice.post(reverse("own_view", args=[campaign.slug]))
    assert as_alice.post(page, body(**{f"member-{bobs.pk}": "nothing"})).status_code == 302
    assert not Sight.objects.exists() and as_bob.get(sheet).status_code == 404
    assert as_alice.post(page, body()).status_code == 422
    assert not list(differences(campaign.pk))


def test_what_was_shown_by_mistake_is_hidden_again_by_undoing(
    campaign: Any, alices: Any, bobs: Any, as_bob: Any, captain: Character
) -> None:
    entry = sight.face(**by(campaign, alices, captain))
    undo(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    assert Character.objects.get(pk=captain.pk).view is View.NOTHING
    assert as_bob.get(reverse("sheet", args=[campaign.slug, captain.pk])).status_code == 404
    assert "Captain" not in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()


def test_a_player_is_no_npc_and_strangers_are_told_nothing(
    campaign: Any, alices: Any, bobs: Any, charlie: Any, captain: Character
) -> None:
    ilse = character(campaign, bobs, "Ilse", [("strength", "Maps", 2)], player=bobs)
    with pytest.raises(Refused, match="Only of an NPC"):
        sight.face(**by(campaign, alices, ilse))
    with pytest.raises(Refused, match="players of this campaign"):
        sight.tell(**by(campaign, alices, captain, views={alices.pk: View.FACE}))
    sight.tell(**by(campaign, alices, captain, views={bobs.pk: View.FACE}))
    assert "Sabre" not in "".join(export(Viewer(campaign, bobs)))
