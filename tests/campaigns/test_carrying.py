"""A campaign as one file: out, in elsewhere, the same chain; nothing of a bad file; people get their places back."""
from __future__ import annotations

import gzip
import io
import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import models, transaction
from django.urls import reverse

import verify
from accounts.models import User
from campaigns import trail
from campaigns.access import Viewer
from campaigns.carrying import lines, writing
from campaigns.carrying.lines import BadFile
from campaigns.carrying.pictures import PICTURES
from campaigns.carrying.placing import place
from campaigns.carrying.writing import file_of
from campaigns.models import Campaign, Commitment, Entry, Image, Invitation, Member, Role
from campaigns.pictures import Drawn
from campaigns.services import closing, inviting, pages, taking, undoing
from campaigns.services.founding import found
from campaigns.trail import rebuild, retiring
from campaigns.trail.dice import NotLaidOut
from campaigns.trail.export import export
from campaigns.trail.rebuild import differences
from campaigns.trail.tracked import TRACKED
from campaigns.trail.verifying import whole
from characters.models import Character
from characters.services import editing
from play.services import samples
from tests.campaigns.hostile_files import HOSTILE, changed, documents
from tests.conftest import join, logged_in, person, refusal
from tests.html_forms import Page
from tests.play.conftest import body
from tests.trail.test_fishing import SEED, thrown
from tests.verifier.conftest import exported

pytestmark = pytest.mark.django_db
PICTURE = Drawn(b"RIFF\x00\x00\x00\x00WEBPa picture")


def taken(campaign: Any) -> bytes:
    return b"".join(file_of(campaign))


class Undone(Exception):
    """Ends a block whose writes are to be gone."""


def elsewhere(make: Callable[[], Any]) -> bytes:
    """The file of a campaign that is made on a server which is then gone."""
    kept = b""
    try:
        with transaction.atomic():
            kept = taken(make())
            raise Undone
    except Undone:
        return kept


def brought(file: bytes, owner: User, **people: User) -> Campaign:
    return place(io.BytesIO(file), owner=owner, people=people, say=lambda said: None)


@pytest.fixture
def file(alice: Any, bob: Any) -> bytes:
    """Alice's campaign of another server, with a roll, a picture, a sealed entry that is shown, and an open link."""
    def make() -> Any:
        campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
        alices = campaign.members.get()
        bobs = join(campaign, bob, "player")
        thrown(campaign, bobs, SEED, 20, 20)
        by = {"campaign": campaign, "actor": bobs}
        note = pages.write(**by, op_id=uuid.uuid4(), title="Bob’s own", words="Nobody reads this", whose="mine")
        page = json.loads(note.payload.text)["changes"][0]["id"]
        pages.set_picture(**by, op_id=uuid.uuid4(), page_id=uuid.UUID(page), picture=PICTURE)
        editing.create(**by, op_id=uuid.uuid4(), name="Ilse", player=bobs)
        hidden = inviting.invite(campaign=campaign, actor=alices, op_id=uuid.uuid4(), role=Role.PLAYER,
                                 lasts=timedelta(days=1), most_uses=None, token="a token")
        undoing.reveal(campaign=campaign, actor=alices, op_id=uuid.uuid4(), seq=hidden.seq)
        campaign.refresh_from_db()
        return campaign

    return elsewhere(make)


def test_it_comes_in_as_it_went_out(file: bytes, alice: Any, bob: Any) -> None:
    campaign = brought(file, alice, Bob=bob)
    assert taken(campaign) == file
    assert not whole(campaign).fault and not list(differences(campaign.pk))
    bobs = campaign.members.get(user=bob)
    head = next(iter(documents(file)))["head"]["hash"]
    assert verify.verify(exported(campaign, bobs), kept=head).kept_found
    assert bytes(Image.objects.get().webp) == PICTURE.webp and Character.objects.get().player == bobs
    secrets = set(Commitment.objects.filter(campaign=campaign, used_by=None).values_list("secret", flat=True))
    assert secrets == {""}, "Whoever has the file must not know what will fall."
    assert b"a token" not in gzip.decompress(file) and Invitation.objects.get().token_hash.startswith("none-")
    with pytest.raises(NotLaidOut):
        thrown(campaign, bobs, SEED, 20)
    thrown(campaign, bobs, SEED, 20)
    assert Entry.objects.filter(kind=retiring.RETIRE).count() == 1 and not whole(campaign).fault


def test_a_campaign_that_is_here_is_not_put_beside_itself(file: bytes, alice: Any, bob: Any) -> None:
    campaign = brought(file, alice, Bob=bob)
    with pytest.raises(BadFile, match="is on this server already: The Salt Road"):
        brought(file, bob)
    assert taken(campaign) == file


def test_what_was_deleted_here_does_not_come_back(file: bytes, alice: Any, bob: Any) -> None:
    campaign = brought(file, alice, Bob=bob)
    owner: dict[str, Any] = {"campaign": campaign, "actor": campaign.members.get(user=alice)}
    closing.archive(**owner, op_id=uuid.uuid4())
    with pytest.raises(BadFile, match="is on this server already: The Salt Road"):
        brought(file, alice)
    closing.delete(**owner, op_id=uuid.uuid4(), name="The Salt Road")
    with pytest.raises(BadFile, match="This campaign was deleted here"):
        brought(file, alice)


def test_who_is_not_known_here_gets_the_place_back_once_they_joined(file: bytes, alice: Any, as_alice: Any) -> None:
    campaign = brought(file, alice)
    seat = campaign.members.get(user__username="Bob.unmatched")
    address = reverse("match_member", args=[campaign.slug, seat.pk])
    people = as_alice.get(reverse("people", args=[campaign.slug])).content.decode()
    assert "Bob.unmatched" in people and address in people
    assert "Invite by link" in as_alice.get(address).content.decode()
    bobby = person("Bobby")
    assert not User.objects.get(username="Bob.unmatched").is_active
    campaign.refresh_from_db()
    joined = join(campaign, bobby, "player")
    assert logged_in(bobby).get(address).status_code == 404
    assert as_alice.post(address, body(member="")).status_code == 422
    assert as_alice.post(address, body(member=str(joined.pk))).status_code == 302
    seat.refresh_from_db()
    joined.refresh_from_db()
    assert (seat.user, joined.active, str(joined)) == (bobby, False, "someone who left")
    assert "Bob’s own" in logged_in(bobby).get(reverse("pages", args=[campaign.slug])).content.decode()
    campaign.refresh_from_db()
    assert not list(differences(campaign.pk)) and not whole(campaign).fault
    assert not User.objects.filter(username="Bob.unmatched").exists()


def test_a_place_is_given_back_once_and_to_who_has_not_played_here(
    file: bytes, alice: Any, as_alice: Any
) -> None:
    campaign = brought(file, alice)
    seat, owner = campaign.members.get(user__username="Bob.unmatched"), campaign.members.get(user=alice)
    played, bobby = join(campaign, person("Piet"), "player"), join(campaign, person("Bobby"), "player")
    pages.write(campaign=campaign, actor=played, op_id=uuid.uuid4(), title="The well", words="Dry")
    campaign.refresh_from_db()
    given: dict[str, Any] = {"campaign": campaign, "actor": owner, "seat_id": seat.pk}
    form = Page(as_alice.get(reverse("match_member", args=[campaign.slug, seat.pk]))).form(button="Match Bob.unmatched")
    assert "They have played here already. Keep them as a new member." in form.send(
        as_alice, member=str(played.pk)).content.decode()
    assert refusal(taking.match, **given, member_id=owner.pk) == (
        "member", "Choose someone who joined this campaign and doesn’t own it.")
    assert form.send(as_alice, member=str(bobby.pk)).status_code == 302
    assert refusal(taking.match, **given, member_id=played.pk) == ("", "This place is taken. Reload the page.")


def test_the_owner_downloads_it_and_everybody_hears_of_it(
    campaign: Any, bobs: Any, as_alice: Any, as_bob: Any
) -> None:
    address = reverse("campaign_take_along", args=[campaign.slug])
    assert address in as_alice.get(reverse("campaign_settings", args=[campaign.slug])).content.decode()
    assert address not in as_bob.get(reverse("campaign_settings", args=[campaign.slug])).content.decode()
    assert as_bob.post(address, body(sure="1")).status_code == 404
    assert "tells everyone" in as_alice.post(address, body()).content.decode()
    answer = as_alice.post(address, body(sure="1"))
    assert answer["Content-Type"] == "application/gzip"
    campaign.refresh_from_db()
    assert b"".join(answer.streaming_content) == taken(campaign)
    assert "downloads the whole campaign" in as_bob.get(reverse("ledger", args=[campaign.slug])).content.decode()


def test_a_hostile_file_leaves_nothing_and_is_refused_in_words(file: bytes, alice: Any, monkeypatch: Any) -> None:
    def refused(sent: bytes, words: str, what: str) -> None:
        try:
            brought(sent, alice)
            raise AssertionError(f"{what} is taken.")
        except BadFile as error:
            said = error.sentence
        assert words in said, f"{what}: {said}"
        left = (Campaign, Entry, Commitment, Member, Image)
        assert not any(model.objects.exists() for model in left), what
        assert not User.objects.filter(is_active=False).exists(), what

    for what, (change, words) in HOSTILE.items():
        refused(changed(file, change), words, what)
    refused(b"", "not a campaign’s file", "nothing")
    for length in (5, 30, len(file) // 2, len(file) - 9, len(file) - 1):
        refused(file[:length], "ends too early", f"cut at {length}")
    refused(b"not packed at all", "not a campaign’s file", "text")
    refused(gzip.compress(b"[" * 100_000 + b"\n"), "not a campaign’s file", "nested")
    refused(gzip.compress(b"[]\n"), "not a campaign’s file", "a list")
    refused(gzip.compress(b'{"is":"campaign"'), "ends too early", "a line without its end")
    refused(file + file, "too early", "twice")
    refused(gzip.compress(b" " * 50_000_000), "larger inside", "a bomb of one line")
    monkeypatch.setattr(lines, "MOST_BYTES", 20_000)
    refused(file, "larger inside", "a bomb of many lines")


def test_a_campaign_that_nobody_owns_is_not_taken(alice: Any) -> None:
    def ownerless() -> Any:
        campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
        owner = campaign.members.get()
        with trail.entry(campaign=campaign, actor=owner, op_id=uuid.uuid4(), kind="member.role", title="None") as entry:
            entry.change(owner, role=Role.PLAYER)
        return campaign

    with pytest.raises(BadFile, match="Nobody owns the campaign in this file"):
        brought(elsewhere(ownerless), alice)
    assert not Campaign.objects.exists()


def test_all_that_a_campaign_has_goes_along_or_is_known_to_stay() -> None:
    """A table that is new here goes along when its rows come from the trail; else say where it goes."""
    from django.apps import apps

    goes = {kind.model._meta.label for kind in TRACKED.values()} | {model._meta.label for model in PICTURES.values()}
    goes |= {f"campaigns.{name}" for name in ("Entry", "Payload", "Change", "Revelation", "Erasure", "Commitment")}
    stays = {"campaigns.Found", "characters.Snapshot"}  # laid out anew
    stays |= {"news.Subscription", "news.Told"}  # what people have chosen to be mailed, on the server that mails
    having = {model._meta.label for model in apps.get_models()
              if any(isinstance(concrete_field, models.ForeignKey) and concrete_field.related_model is Campaign
                     for concrete_field in model._meta.concrete_fields)}
    assert having - goes <= stays, "Tables with a campaign that no file carries."


@pytest.mark.parametrize("game", ["pdq", "questworlds", "danger_world", "pnc", "pdq_sharp"])
def test_each_sample_comes_in_as_it_went_out(game: str, alice: Any) -> None:
    file = elsewhere(lambda: samples.begin(user=alice, game=game, op_id=uuid.uuid4()))
    assert not Campaign.objects.exists()
    campaign = brought(file, alice)
    assert taken(campaign) == file
    assert not list(differences(campaign.pk))
    for member in campaign.members.all():
        verify.verify([line.encode() for line in export(Viewer(campaign, member))])


def test_how_far_an_export_is_stands_there_and_it_can_be_stopped(
    campaign: Any, alices: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "BATCH", 1)
    monkeypatch.setattr(writing, "SAID", 1)
    said = StringIO()
    call_command("export_campaign", campaign.slug, str(tmp_path / "whole.gz"), stdout=said)
    assert f"1 of {campaign.head_seq} entries written …" in said.getvalue()

    def stop(said: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "_secrets", lambda *given: stop(""))
    with pytest.raises(CommandError, match="No file was written"):
        call_command("export_campaign", campaign.slug, str(tmp_path / "stopped.gz"), stdout=StringIO())
    assert [path.name for path in tmp_path.iterdir()] == ["whole.gz"]


def test_who_stops_an_import_while_the_search_is_laid_out_is_told_that_the_campaign_is_there(
    file: bytes, alice: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*given: Any) -> None:
        raise KeyboardInterrupt

    (tmp_path / "whole.gz").write_bytes(file)
    monkeypatch.setattr(rebuild, "FOLLOW", [stop])
    said = StringIO()
    call_command("import_campaign", str(tmp_path / "whole.gz"), owner="Alice", stdout=said)
    assert "Stopped. The campaign is there" in said.getvalue() and "manage.py search_index" in said.getvalue()
    assert taken(Campaign.objects.get()) == file


def test_who_is_a_player_in_it_is_not_its_owner_too(file: bytes, bob: Any, tmp_path: Path) -> None:
    path = tmp_path / "the-salt-road.campaign.gz"
    path.write_bytes(file)
    with pytest.raises(CommandError, match="You are named as someone else in this campaign than its owner"):
        call_command("import_campaign", str(path), owner="Bob", person=["Bob=Bob"], stdout=StringIO())
    assert not Campaign.objects.exists()


def test_of_what_was_erased_there_is_no_file(campaign: Any, alices: Any, tmp_path: Path) -> None:
    closing.archive(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    closing.delete(campaign=campaign, actor=alices, op_id=uuid.uuid4(), name=campaign.name)
    campaign.refresh_from_db()
    with pytest.raises(CommandError, match="The texts of this campaign’s entries were erased"):
        call_command("export_campaign", campaign.slug, str(tmp_path / "gone.gz"), stdout=StringIO())
    assert not list(tmp_path.iterdir())
