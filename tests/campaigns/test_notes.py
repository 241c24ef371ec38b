"""Notes: written, linked, shown, kept to oneself, with their history."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Entry, Page, Role, View
from campaigns.pictures import Drawn
from campaigns.search import search
from campaigns.services import pages, undoing
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from tests.conftest import join, logged_in, refusal
from tests.play.conftest import body, character
from tests.play.test_sealed_stays_quiet import pages as fed
from tests.test_every_url import PICTURE

pytestmark = pytest.mark.django_db
FACE = Drawn(b"RIFF\x00\x00\x00\x00WEBPa face")


def wrote(campaign: Any, actor: Any, title: str, words: str = "", **more: Any) -> Page:
    entry = pages.write(campaign=campaign, actor=actor, op_id=uuid.uuid4(), title=title, words=words, **more)
    return Page.objects.get(pk=pages.id_from(campaign, entry.op_id))


def by(campaign: Any, actor: Any, page: Page, **more: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4(), "page_id": page.pk, **more}


def at(name: str, campaign: Any, page: Page) -> str:
    return reverse(name, args=[campaign.slug, page.pk])


def test_a_page_links_and_is_linked_and_names_that_mean_nothing_lead_to_a_new_one(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    ilse = character(campaign, bobs, "Ilse", [], player=bobs)
    character(campaign, alices, "The Captain", [], npc=True, hidden=True)
    mill = wrote(campaign, bobs, "The Mill", "Burnt.", type="place")
    well = wrote(campaign, bobs, "The dry well", "By [[the mill]], **[[Ilse|she]]** fell. [[The Captain]] <b>saw</b>.")
    page = as_bob.get(at("page", campaign, well)).content.decode()
    assert f'<a href="{at("page", campaign, mill)}" rel="nofollow noopener">the mill</a>' in page
    assert f'<a href="{reverse("sheet", args=[campaign.slug, ilse.pk])}" rel="nofollow noopener">she</a>' in page
    assert "/notes/new/?title=The%20Captain" in page and "&lt;b&gt;" in page  # nobody knows of him
    assert "/notes/new/" not in as_alice.get(at("page", campaign, well)).content.decode().split("<article")[1].split(
        "</article")[0]
    assert "Mentioned in" in as_bob.get(at("page", campaign, mill)).content.decode()
    assert "Mentioned in" in as_bob.get(reverse("sheet", args=[campaign.slug, ilse.pk])).content.decode()
    held = as_bob.get(reverse("page_new", args=[campaign.slug]) + "?title=The%20Captain").content.decode()
    assert 'value="The Captain"' in held
    assert as_bob.get(reverse("page_new", args=[campaign.slug]) + "?about=nobody").status_code == 404
    refused = as_bob.post(reverse("page_new", args=[campaign.slug]), body(title=" ", text="Kept", whose="all"))
    assert refused.status_code == 422 and "Kept" in refused.content.decode()
    assert not list(differences(campaign.pk))


def test_a_private_note_is_nobody_elses_not_even_the_gms(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any, charlie: Any
) -> None:
    join(campaign, charlie, Role.PLAYER)
    marrow = character(campaign, alices, "Old Marrow", [], npc=True)
    sheet = reverse("sheet", args=[campaign.slug, marrow.pk])
    others = [as_alice, logged_in(charlie)]
    before = [fed(other, campaign) and fed(other, campaign) for other in others]  # the first look is no news after it
    sent = as_bob.post(f"{reverse('page_new', args=[campaign.slug])}?about={marrow.pk}",
                       body(title="Zwirn", text="I think Zwirn is a spy", whose="mine"))
    assert sent.status_code == 302 and sent["Location"] == sheet
    note = Page.objects.get()
    assert "Zwirn is a spy" in as_bob.get(sheet).content.decode()
    entry = Entry.objects.latest("seq")
    assert (entry.audience, entry.kind) == (str(bobs.pk), "page.own")
    assert [fed(other, campaign) for other in others] == before
    as_alice.post(reverse("view_as", args=[campaign.slug, bobs.pk]))  # looking as Bob does is not being Bob
    addresses = [sheet, reverse("pages", args=[campaign.slug]), reverse("ledger", args=[campaign.slug]),
                 reverse("entry", args=[campaign.slug, entry.seq]), at("page", campaign, note),
                 at("page_history", campaign, note), reverse("search", args=[campaign.slug]) + "?q=spy"]
    for _ in range(2):
        for browser in others:
            assert not [address for address in addresses if "Zwirn" in browser.get(address).content.decode()]
        as_alice.post(reverse("own_view", args=[campaign.slug]))
    assert "Zwirn" not in "".join(export(Viewer(campaign, alices)))
    for service in (undoing.undo, undoing.reveal):
        with pytest.raises(Refused):
            service(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=entry.seq)
    with pytest.raises(Refused):
        pages.write(**by(campaign, alices, note, title="Mine"))
    assert search(Viewer(campaign, bobs), "spy").rows
    # Whoever keeps it can give it to all; what it said before that stays sealed.
    assert as_bob.post(at("page_view", campaign, note), body(view="all")).status_code == 302
    assert "Zwirn is a spy" in as_alice.get(sheet).content.decode()
    assert not list(differences(campaign.pk))


def test_a_gms_page_shows_its_face_then_all_and_its_past_stays_sealed(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    abbey = wrote(campaign, alices, "The Abbey", "Zwirn sleeps below", whose="gm", looks="A *ruin*")
    pages.write(**by(campaign, alices, abbey, title="The Abbey", words="Zwirn wakes", looks="A *ruin*"))
    assert as_bob.get(at("page", campaign, abbey)).status_code == 404
    tapped = as_alice.post(at("page_view", campaign, abbey), body(view="face", place="list"), HTTP_HX_REQUEST="true")
    assert 'value="face" aria-pressed="true"' in tapped.content.decode()
    face = as_bob.get(at("page", campaign, abbey)).content.decode()
    assert "<em>ruin</em>" in face and "Zwirn" not in face
    assert as_bob.get(at("page_history", campaign, abbey)).status_code == 404
    assert as_bob.get(at("page_edit", campaign, abbey)).status_code == 404
    assert "<em>ruin</em>" in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert "Zwirn" not in "".join(export(Viewer(campaign, bobs)))
    pages.tell(**by(campaign, alices, abbey, views={bobs.pk: View.ALL}))
    assert "Zwirn wakes" in as_bob.get(at("page", campaign, abbey)).content.decode()
    history = as_bob.get(at("page_history", campaign, abbey)).content.decode()
    assert "Zwirn wakes" in history and "sleeps" not in history
    mine = as_alice.get(at("page_history", campaign, abbey)).content.decode()
    assert "</span>Zwirn sleeps below</del>" in mine and "</span>Zwirn wakes</ins>" in mine
    pages.tell(**by(campaign, alices, abbey, views={}))
    assert "Zwirn" not in as_bob.get(at("page", campaign, abbey)).content.decode()
    assert not list(differences(campaign.pk))


def test_a_picture_is_seen_by_who_knows_the_page_and_taken_down_for_good(
    campaign: Any, alices: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    abbey = wrote(campaign, alices, "The Abbey", whose="gm")
    pages.set_picture(**by(campaign, alices, abbey, picture=PICTURE))
    abbey.refresh_from_db()
    image = reverse("page_image", args=[campaign.slug, abbey.pk, abbey.digest])
    assert as_alice.get(image)["Content-Type"] == "image/webp" and as_bob.get(image).status_code == 404
    pages.see(**by(campaign, alices, abbey, view=View.FACE))
    assert as_bob.get(image).status_code == 200
    assert image in as_bob.get(reverse("shown", args=[campaign.slug])).content.decode()
    assert as_alice.post(at("page_picture", campaign, abbey), body(down="1")).status_code == 302
    assert as_bob.get(image).status_code == 404
    assert as_alice.post(at("page_remove", campaign, abbey), body(sure="1")).status_code == 302
    assert not Page.objects.exists() and not list(differences(campaign.pk))


def test_a_page_that_says_the_same_once_more_is_no_change(campaign: Any, alices: Any) -> None:
    now: dict[str, Any] = {"campaign": campaign, "actor": alices}
    pages.write(**now, op_id=uuid.uuid4(), title="The well", words="Dry")
    page = Page.objects.get(campaign=campaign, title="The well")
    assert refusal(pages.write, **now, page_id=page.pk, title="The well", words="Dry") == (
        "", "Nothing here is different yet.")
    assert refusal(undoing.undo, **now, seq=9999) == ("", "There is no entry of this number.")
    assert refusal(pages.see, **now, page_id=page.pk, view=page.view) == (
        "", "No change: it is already set this way.")
    for picture, sentence in ((None, "No change: it has no picture."),
                              (FACE, "No change: it already has this picture.")):
        if picture:
            pages.set_picture(**now, op_id=uuid.uuid4(), page_id=page.pk, picture=picture)
        assert refusal(pages.set_picture, **now, page_id=page.pk, picture=picture) == ("picture", sentence)


def test_a_private_note_opens_whole_or_not_at_all(campaign: Any, bobs: Any, as_bob: Any) -> None:
    own = wrote(campaign, bobs, "Mine", whose="mine")
    answer = as_bob.post(at("page_view", campaign, own), body(view=View.FACE.value), follow=True)
    assert "A private note can only be shown to everyone." in answer.content.decode()
    own.refresh_from_db()
    assert own.private


def test_what_was_written_and_is_gone_is_not_undone(campaign: Any, alices: Any) -> None:
    well = wrote(campaign, alices, "The well")
    written = Entry.objects.get(campaign=campaign, kind="page.write")
    removed = pages.remove(**by(campaign, alices, well))
    assert refusal(undoing.undo, campaign=campaign, actor=alices, seq=written.seq) == (
        "", f"Entry {removed.seq} depends on this one. Undo that one first.")
