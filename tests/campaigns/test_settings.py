"""Changing a campaign's settings."""
from __future__ import annotations

import pytest

from campaigns.models import Payload
from campaigns.services.setting import last_change
from campaigns.setting_fields import in_words
from rules.codec import read

URL = "/c/the-salt-road/settings/"


@pytest.fixture
def filled(campaign, body):
    """What the page sends when one changes nothing."""
    settings = {f"setting-{name}": value for name, value in campaign.settings.items() if value is not False}

    def tell(**changes):
        return {
            **body(base=last_change(campaign), name=campaign.name, pitch=campaign.pitch), **settings, **changes
        }

    return tell


def test_changes_and_says_what_was(as_alice, campaign, filled, last):
    answer = as_alice.post(URL, filled(name="The Pepper Road", **{"setting-strength_ranks": "9"}))
    assert answer["location"] == URL
    campaign.refresh_from_db()
    assert (campaign.name, campaign.slug) == ("The Pepper Road", "the-salt-road")
    assert campaign.settings["strength_ranks"] == 9
    assert last() == ("campaign.settings", "The settings change", "all")
    change = read(Payload.objects.order_by("-entry__seq").first().text)["changes"][0]
    assert (change["was"]["name"], change["became"]["name"]) == ("The Salt Road", "The Pepper Road")
    assert "Settings saved" in as_alice.get(URL).content.decode()


def test_a_gm_may_too(as_dora, doras, filled):
    assert as_dora.post(URL, filled(pitch="Salt")).status_code == 302


def test_a_player_reads_and_writes_nothing(as_bob, bobs, filled, entries):
    before = entries()
    page = as_bob.get(URL).content.decode()
    assert "The Salt Road" in page
    assert "<textarea" not in page
    assert as_bob.post(URL, filled(name="Mine")).status_code == 404
    assert entries() == before


def test_outsiders_find_nothing(as_charlie, anonymous, campaign, filled):
    assert as_charlie.get(URL).status_code == 404
    assert as_charlie.post(URL, filled(name="Mine")).status_code == 404
    assert anonymous.get(URL)["location"] == f"/log-in/?next={URL}"
    assert anonymous.post(URL, filled(name="Mine"))["location"] == "/log-in/?next=/c/the-salt-road/"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "Fill this in."),
        ({"name": "a\0b"}, "can’t be stored"),
        ({"pitch": "x" * 4001}, "4000 characters at most"),
        ({"setting-strength_ranks": "0"}, "Enter 1 or more."),
        ({"setting-defence": "flee"}, "Choose one of these."),
        ({"base": "x"}, "Reload the page."),
        ({}, "Nothing is different"),
    ],
)
def test_refused(as_alice, campaign, filled, entries, changes, sentence):
    before = entries()
    answer = as_alice.post(URL, filled(**changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert entries() == before


def test_a_stale_form_overwrites_nothing(as_alice, as_dora, doras, campaign, filled, entries):
    late = filled(name="Alice’s Road")
    as_dora.post(URL, filled(name="Dora’s Road"))
    before = entries()
    answer = as_alice.post(URL, late)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone else changed the settings" in page
    assert "Dora’s Road" in page
    assert 'value="Alice’s Road"' in page
    assert entries() == before
    # Having seen both, Alice may keep hers.
    base = page.split('name="base" value="')[1].split('"')[0]
    assert as_alice.post(URL, {**late, "base": base}).status_code == 302
    campaign.refresh_from_db()
    assert campaign.name == "Alice’s Road"


def test_a_second_click_finds_the_first(as_alice, campaign, filled, entries):
    twice = filled(name="The Pepper Road")
    before = entries()
    assert as_alice.post(URL, twice).status_code == as_alice.post(URL, twice).status_code == 302
    assert entries() == before + 1


def test_settings_in_words(campaign):
    assert ("Weapons add 2 damage", "no") in in_words(campaign.rules, campaign.settings)
    assert ("Defence", "The defender rolls") in in_words(campaign.rules, campaign.settings)
