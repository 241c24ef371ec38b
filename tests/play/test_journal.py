"""What a player writes about an evening or a scene: in whose voice, who reads it, and what one can begin from."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.access import Viewer
from campaigns.models import Entry, Sight
from campaigns.models import Page as Note
from campaigns.services.undoing import may_undo
from campaigns.trail.rebuild import differences, rebuild
from campaigns.trail.visible import payload_of, readable
from play.models import Session
from tests import laid
from tests.conftest import join, logged_in, person
from tests.html_forms import Page
from tests.play.conftest import character

pytestmark = pytest.mark.django_db

SECRET = "I did not say so to Hester."
BUTTON = "Save your journal"


def chronicle(client: Client, campaign: Any) -> str:
    return client.get(f"/c/{campaign.slug}/chronicle/").content.decode().partition("<main")[2]


def door(client: Client, campaign: Any, label: str = "Write your journal") -> str:
    """Where the Chronicle leads when one presses this."""
    match = re.search(rf'href="([^"]+)">{label}<', chronicle(client, campaign))
    assert match, f"no “{label}” in the Chronicle"
    return match[1]


def rebuilt(campaign: Any) -> None:
    """The tables are what the trail adds up to, and are that again when the journals are lost from them."""
    assert not list(differences(campaign.pk))
    held = list(Note.objects.order_by("pk").values())
    Sight.objects.all().delete()
    Note.objects.all().delete()
    assert rebuild(campaign.pk) and list(Note.objects.order_by("pk").values()) == held


def write(client: Client, address: str, **said: Any) -> Any:
    answer = Page(client.get(address)).form(button=BUTTON).send(client, **said)
    assert answer.status_code == 302, answer.content.decode()
    return answer


@laid.fixture
def otto(campaign: Any) -> Any:
    """Another player."""
    return join(campaign, person("Otto"), "player")


@laid.fixture
def as_otto(otto: Any) -> Client:
    return logged_in(otto.user)


def test_a_journal_is_in_the_chronicle_in_the_voice_of_ones_character(
    as_alice: Client, as_bob: Client, as_otto: Client, as_charlie: Client, campaign: Any, scene: Any
) -> None:
    nobody = "Nobody has written a journal about it yet."
    assert nobody in chronicle(as_alice, campaign) and nobody not in chronicle(as_bob, campaign)
    address = door(as_bob, campaign)
    answer = write(as_bob, address, words="The rope **held**.")
    session = Session.objects.get()
    assert answer.url.endswith(f"#session-{session.number}") and "saved=" in answer.url
    shown = as_bob.get(answer.url.partition("#")[0]).content.decode()
    key = re.search(r'data-saved="([^"]+)"', shown)
    assert key and f'data-draft="{key[1]}"' in as_bob.get(address).content.decode(), "the browser forgets this draft"
    for client in (as_alice, as_otto):
        page = chronicle(client, campaign)
        assert "<strong>held</strong>" in page and "Ilse’s journal</a> · Bob" in page and nobody not in page
        assert "Only you" not in page
    assert as_charlie.get(address).status_code == 404
    write(as_bob, door(as_bob, campaign, "Change your journal"), words="It broke.")
    assert "It broke." in chronicle(as_otto, campaign) and "held" not in chronicle(as_otto, campaign)
    assert Note.objects.count() == 1
    rebuilt(campaign)


def test_it_is_its_writers_alone(as_alice: Client, as_bob: Client, campaign: Any, scene: Any, alices: Any) -> None:
    write(as_bob, door(as_bob, campaign), words="The rope held.")
    note = Note.objects.get()
    at = f"/c/{campaign.slug}/notes/{note.pk}/"
    page = as_alice.get(at).content.decode()
    assert "The rope held." in page and "Edit journal" not in page and "Remove journal" not in page
    assert "Write your journal" in chronicle(as_alice, campaign), "hers is another one"
    for path in ("edit/", "remove/", "view/", "picture/"):
        assert as_alice.post(f"{at}{path}", {"op_id": str(uuid.uuid4()), "sure": "1"}).status_code == 404
    entry = Entry.objects.select_related("payload").get(kind="journal.write")
    assert not may_undo(alices, entry)
    assert as_bob.get(f"{at}edit/").url == door(as_bob, campaign, "Change your journal")
    assert "The rope held." not in as_bob.get(f"/c/{campaign.slug}/notes/").content.decode()
    asked = Page(as_bob.get(at)).form(button="Remove journal").send(as_bob)
    Page(asked).form(button="Remove Ilse’s journal").send(as_bob)
    assert not Note.objects.exists() and Entry.objects.filter(kind="journal.remove").exists()


def test_what_only_some_may_read_is_in_nothing_that_others_get(
    as_alice: Client, as_bob: Client, as_otto: Client, campaign: Any, scene: Any, otto: Any
) -> None:
    piet = logged_in(join(campaign, person("Piet"), "player").user)
    readers = {"mine": [as_bob], "gm": [as_bob, as_alice], "some": [as_bob, as_alice, as_otto]}
    address = door(as_bob, campaign)
    for choice, may in readers.items():
        some = {"some": [str(otto.pk)]} if choice == "some" else {}
        write(as_bob, address, words=f"{SECRET} {choice}", readers=choice, **some)
        for client in (as_bob, as_alice, as_otto, piet):
            assert (SECRET in everything(client, campaign)) == (client in may), choice
        page = Page(as_bob.get(address)).form(button=BUTTON)
        assert next(control for control in page.shown if control.name == "readers").opens == [choice]
    assert "Not everyone reads this" in chronicle(as_bob, campaign)
    write(as_bob, address, words="Only this is for all.", readers="all")
    assert "Only this is for all." in chronicle(piet, campaign)
    assert SECRET not in everything(piet, campaign), "what it said before it was shown stays sealed"
    rebuilt(campaign)


def everything(client: Client, campaign: Any) -> str:
    """All that somebody can read of the campaign: pages, the search, and the Ledger's payloads."""
    member = campaign.members.get(user=client.session["_auth_user_id"])
    own = Viewer(campaign, member)
    at = f"/c/{campaign.slug}"
    pages = [f"{at}/chronicle/", f"{at}/", f"{at}/shown/", f"{at}/notes/", f"{at}/search/?q=Hester", f"{at}/ledger/",
             f"{at}/export/", "/"]
    texts = [b"".join(answer) if answer.streaming else answer.content for answer in map(client.get, pages)]
    said = [payload_of(entry) for entry in Entry.objects.filter(readable(own)).select_related("payload", "revelation")]
    return " ".join(text.decode("utf-8", "replace") for text in texts) + str(said)


def test_a_gm_who_looks_as_a_player_does_not_read_what_is_theirs_alone(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, bobs: Any
) -> None:
    address = door(as_bob, campaign)
    write(as_bob, address, words=SECRET, readers="mine")
    assert SECRET in chronicle(as_bob, campaign) and "Only you" in chronicle(as_bob, campaign)
    as_alice.post(f"/c/{campaign.slug}/people/{bobs.pk}/view-as/")
    assert SECRET not in chronicle(as_alice, campaign)
    page = as_alice.get(address).content.decode()
    assert SECRET not in page and 'data-draft=""' in page, "nothing is kept in the GM’s browser"


def test_nothing_typed_is_lost_and_a_refusal_is_at_its_field(
    as_bob: Client, campaign: Any, scene: Any, otto: Any
) -> None:
    form = Page(as_bob.get(door(as_bob, campaign))).form(button=BUTTON)
    answer = form.send(as_bob, words="The rope held.", readers="some")
    assert answer.status_code == 422 and "Choose at least one reader." in answer.content.decode()
    assert "The rope held." in answer.content.decode()
    answer = form.send(as_bob, words="   ")
    assert answer.status_code == 422 and "Write something first." in answer.content.decode()
    first = form.send(as_bob, words="Twice.")
    assert first.status_code == form.send(as_bob, words="Twice.").status_code == 302
    assert Note.objects.count() == 1


def test_what_is_so_already_is_no_change(as_alice: Client, as_bob: Client, campaign: Any, scene: Any) -> None:
    address = door(as_bob, campaign)
    write(as_bob, address, words="Twice.")
    answer = Page(as_bob.get(address)).form(button=BUTTON).send(as_bob, words="Twice.")
    assert answer.status_code == 422 and "Nothing here is different yet." in answer.content.decode()
    book = f"/c/{campaign.slug}/chronicle/"
    for opened in [Page(as_alice.get(book)).form(button="Leave out of the Chronicle") for _ in range(2)]:
        opened.send(as_alice, opened.buttons[0])
    assert "No change: it is already set this way." in as_alice.get(book).content.decode()
    assert Entry.objects.filter(kind__startswith="journal.").count() == 2


def test_below_it_is_what_ones_character_did_and_nothing_that_was_hidden(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any
) -> None:
    tray = Page(as_bob.get(f"/c/{campaign.slug}/")).form(action=f"/c/{campaign.slug}/roll/")
    assert tray.send(as_bob).status_code == 302
    page = Page(as_bob.get(door(as_bob, campaign)))
    (listed,) = page.of_class("beginnings")
    assert "Ilse" in listed.text and "The dry well" not in listed.text
    assert not Page(as_alice.get(door(as_alice, campaign))).of_class("beginnings")


def test_a_scene_has_a_journal_of_its_own(as_bob: Client, campaign: Any, scene: Any, bobs: Any, ilse: Any) -> None:
    page = as_bob.get(door(as_bob, campaign)).content.decode()
    match = re.search(r'href="([^"]+)">The dry well<', page)
    assert match
    character(campaign, bobs, "Tam", [("strength", "Songs", 1)], player=bobs)
    tam = str(campaign.characters.get(name="Tam").pk)
    write(as_bob, match[1], words="So dark.", character=tam)
    shown = chronicle(as_bob, campaign)
    assert "So dark." in shown.partition('class="scenes"')[2] and "Tam’s journal" in shown
    assert "Write your journal" in shown, "the session’s own is not written"
    assert str(scene.pk) in match[1]


def test_the_chronicle_asks_no_more_for_many_journals(
    as_alice: Client, as_bob: Client, as_otto: Client, campaign: Any, scene: Any
) -> None:
    reader = logged_in(join(campaign, person("Ole"), "observer").user)

    def queries() -> int:
        chronicle(reader, campaign)
        with CaptureQueriesContext(connection) as asked:
            chronicle(reader, campaign)
        return len(asked)

    write(as_bob, door(as_bob, campaign), words="One.")
    before = queries()
    write(as_otto, door(as_otto, campaign), words="Two.")
    write(as_alice, door(as_alice, campaign), words="Three.")
    assert queries() == before


def test_a_shared_link_shows_the_journals_whose_writers_say_so_and_no_account(
    as_alice: Client, as_bob: Client, as_otto: Client, anonymous: Client, campaign: Any, scene: Any
) -> None:
    made = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/share/")).form(button="Create link").send(as_alice)
    match = re.search(r'value="http://testserver(/shared/[\w-]{22}/)"', made.content.decode())
    assert match

    def link() -> str:
        return anonymous.get(match[1]).content.decode()

    address = door(as_bob, campaign)
    write(as_bob, address, words="The rope held.")
    write(as_otto, door(as_otto, campaign), words="It was my rope.")
    assert "rope" not in link(), "nobody said so"
    write(as_bob, address, shared="on")
    assert "The rope held." in link() and "Ilse’s journal" in link()
    assert not [secret for secret in ("Bob", "Otto", "my rope", "/c/") if secret in link()]
    assert "Also in shared links" in chronicle(as_bob, campaign)
    for readers in ("gm", "mine"):
        write(as_bob, address, words=f"{SECRET} {readers}", readers=readers, shared="on")
        assert SECRET not in link() and "Ilse’s journal" not in link()
        assert Page(as_bob.get(address)).form(button=BUTTON).controls["shared"].opens == []
    rebuilt(campaign)


def test_a_gm_leaves_a_journal_out_of_the_book_and_changes_nothing_in_it(
    as_alice: Client, as_bob: Client, as_otto: Client, anonymous: Client, campaign: Any, scene: Any
) -> None:
    made = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/share/")).form(button="Create link").send(as_alice)
    match = re.search(r'value="http://testserver(/shared/[\w-]{22}/)"', made.content.decode())
    assert match
    write(as_bob, door(as_bob, campaign), words="The rope held.", shared="on")
    out, back = "Leave out of the Chronicle", "Put back into the Chronicle"
    for client in (as_bob, as_otto):
        assert out not in chronicle(client, campaign)
    for _ in range(2):
        form = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/")).form(button=out)
        assert form.send(as_alice, form.buttons[0]).status_code == 302
        assert form.send(as_alice, form.buttons[0]).status_code == 302, "the same press again"
        for text in (chronicle(as_otto, campaign), anonymous.get(match[1]).content.decode()):
            assert "The rope held." not in text
        for client in (as_bob, as_alice):
            assert "The rope held." in chronicle(client, campaign)
            assert "Left out of the Chronicle" in chronicle(client, campaign)
        alone = as_otto.get(f"/c/{campaign.slug}/notes/{Note.objects.get().pk}/").content.decode()
        assert "The rope held." in alone, "it is hidden from nobody"
        write(as_bob, door(as_bob, campaign, "Change your journal"), words=f"The rope held. {uuid.uuid4()}")
        assert "The rope held." not in chronicle(as_otto, campaign), "writing on does not put it back"
        form = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/")).form(button=back)
        assert form.send(as_alice, form.buttons[0]).status_code == 302
        for text in (chronicle(as_otto, campaign), anonymous.get(match[1]).content.decode()):
            assert "The rope held." in text
    kinds = Entry.objects.filter(kind__in=("journal.leave_out", "journal.put_back")).order_by("seq")
    assert [entry.kind for entry in kinds] == ["journal.leave_out", "journal.put_back"] * 2
    rebuilt(campaign)


def test_one_that_not_everyone_reads_is_in_no_book_to_begin_with(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any
) -> None:
    write(as_bob, door(as_bob, campaign), words="For your eyes.", readers="gm")
    page = Page(as_alice.get(f"/c/{campaign.slug}/chronicle/"))
    assert [journal.has("off-paper") for journal in page.of_class("journal")] == [True]
    assert not page.matching(button="Leave out of the Chronicle")
    at = f"/c/{campaign.slug}/chronicle/{Note.objects.get().pk}/leave-out/"
    answer = as_alice.post(at, {"op_id": str(uuid.uuid4())}, follow=True)
    assert "Only a journal that everyone reads can be left out of the Chronicle." in answer.content.decode()
    assert not Note.objects.get().left_out
