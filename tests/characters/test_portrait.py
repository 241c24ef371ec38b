"""A character's picture."""
from __future__ import annotations

import io
import struct
import uuid
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from campaigns import budgets
from characters.models import Picture, Portrait
from tests import laid
from tests.characters.conftest import at, body, last, make


def picture(form="PNG", size=(900, 600), **options):
    """A picture as a file holds it."""
    written = io.BytesIO()
    Image.new("RGB", size, (90, 60, 30)).save(written, form, **options)
    return written.getvalue()


def upload(data, name="me.png"):
    return body(picture=SimpleUploadedFile(name, data))


@laid.fixture
def portrayed(as_bob, ilse):
    as_bob.post(at("portrait", ilse), upload(picture()))
    return at("portrait_image", ilse, Portrait.objects.get().digest)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_drawn_anew(as_bob, ilse, campaign, form):
    # What it is called and what the browser says it is count for nothing.
    assert as_bob.post(at("portrait", ilse), upload(picture(form), "x.exe")).url == at("sheet", ilse)
    kept = Image.open(io.BytesIO(Picture.objects.get().webp))
    assert (kept.format, kept.size) == ("WEBP", (512, 341))
    assert last(campaign).kind == "portrait.put"
    assert at("portrait_image", ilse, Portrait.objects.get().digest) in as_bob.get(at("sheet", ilse)).content.decode()


def test_nothing_else_that_the_file_held_is_kept(as_bob, ilse):
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    exif[0x0112] = 6  # lies on its side
    as_bob.post(at("portrait", ilse), upload(picture("JPEG", exif=exif)))
    webp = bytes(Picture.objects.get().webp)
    assert b"taken at home" not in webp
    kept = Image.open(io.BytesIO(webp))
    assert not kept.getexif()
    assert kept.size == (341, 512)


def test_served_to_members_with_its_type_and_for_a_while(as_bob, as_dara, as_charlie, anonymous, portrayed):
    answer = as_dara.get(portrayed)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
    assert answer["Cache-Control"].startswith("private, max-age=")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert as_charlie.get(portrayed).status_code == 404
    assert anonymous.get(portrayed).status_code == 302


def test_the_picture_of_a_hidden_character_is_the_gms(as_alice, as_bob, ilse, guard):
    as_alice.post(at("portrait", guard), upload(picture()))
    url = at("portrait_image", guard, Portrait.objects.get().digest)
    assert as_alice.get(url).status_code == 200
    assert as_bob.get(url).status_code == 404
    assert as_bob.get(at("portrait_image", ilse, Portrait.objects.get().digest)).status_code == 404


def test_taken_down_is_gone(as_bob, ilse, portrayed, campaign):
    assert as_bob.post(at("portrait", ilse), body(down="1")).status_code == 302
    assert not Portrait.objects.exists()
    assert not Picture.objects.exists()
    assert as_bob.get(portrayed).status_code == 404
    assert last(campaign).kind == "portrait.remove"
    assert as_bob.post(at("portrait", ilse), body(down="1")).status_code == 422


def test_another_one_takes_its_place(as_bob, ilse, portrayed):
    as_bob.post(at("portrait", ilse), upload(picture(size=(200, 300))))
    assert Portrait.objects.count() == Picture.objects.count() == 1
    assert as_bob.get(portrayed).status_code == 404


def test_a_picture_that_two_share_stays_while_one_has_it(as_alice, guard):
    as_alice.post(at("portrait", guard), upload(picture()))
    as_alice.post(at("duplicate", guard), body())
    as_alice.post(at("portrait", guard), body(down="1"))
    assert Portrait.objects.count() == Picture.objects.count() == 1


def said_to_be(data, width, height):
    """A JPEG whose head says that it is as large as this."""
    at = data.index(b"\xff\xc0") + 5  # after the marker, its length, and the bits of a sample
    return data[:at] + struct.pack(">HH", height, width) + data[at + 4:]


def bomb():
    """A PNG of a few bytes that would unpack to 10 000 million pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This file is empty."),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "can’t be read"),
        (b"GIF89a" + b"\0" * 100, "can’t be read"),
        (picture("GIF"), "can’t be read"),
        (picture("BMP"), "can’t be read"),
        (picture()[:200], "can’t be read"),
        (b"\x89PNG\r\n\x1a\n" + b"junk" * 50, "can’t be read"),
        (b"x" * (4 * 1024 * 1024 + 1), "larger than 4 MB"),
        (bomb(), "too many pixels"),
        (picture(size=(2001, 2000)), "at most 4 million"),
        (said_to_be(picture("JPEG"), 15000, 15000), "at most 4 million"),
        (picture("JPEG", size=(2000, 2000), progressive=True, subsampling=0), "at most 4 million"),
        (picture("WEBP", size=(2000, 1001)), "at most 2 million"),
    ],
    ids=[
        "empty", "svg", "gif-ish", "gif", "bmp", "cut", "junk", "heavy", "bomb", "wide", "jpeg", "progressive", "webp",
    ],
)
def test_what_is_no_portrait_is_refused_with_a_sentence(as_bob, ilse, campaign, data, sentence):
    before = last(campaign).seq
    answer = as_bob.post(at("portrait", ilse), upload(data))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert last(campaign).seq == before
    assert not Picture.objects.exists()


def test_no_file_at_all(as_bob, ilse):
    answer = as_bob.post(at("portrait", ilse), body())
    assert answer.status_code == 422
    assert "Choose a picture." in answer.content.decode()


def test_pictures_are_its_players_and_the_gms(as_dara, as_charlie, as_bob, ilse, campaign, alices):
    hers = make(campaign, alices, "Tomas")
    for browser, character in ((as_dara, ilse), (as_charlie, ilse), (as_bob, hers)):
        assert browser.get(at("portrait", character)).status_code == 404
        assert browser.post(at("portrait", character), upload(picture())).status_code == 404


def test_an_address_that_was_made_up(as_bob, ilse):
    assert as_bob.get(at("portrait_image", ilse, "0" * 64)).status_code == 404
    assert as_bob.get(at("portrait_image", ilse, uuid.uuid4().hex)).status_code == 404


def test_pictures_take_no_more_than_their_room(as_bob, ilse, settings, monkeypatch):
    monkeypatch.setattr(budgets, "MB", 100)  # bytes
    settings.PICTURES_MB = 1
    refused = as_bob.post(at("portrait", ilse), upload(picture()))
    assert refused.status_code == 422 and "pictures take up all of its 1 MB" in refused.content.decode()
    assert not Picture.objects.exists()
