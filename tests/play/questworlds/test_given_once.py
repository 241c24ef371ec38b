"""What a community gave belongs to one contest: taken into one it is gone for others, until that lets go (QW-93)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from play.models import Contest
from tests import laid
from tests.html_forms import Form, Page
from tests.play.conftest import body
from tests.play.questworlds.conftest import begin, of
from tests.play.questworlds.longing import set_setting, start
from tests.play.tray_page import tray_in

pytestmark = pytest.mark.django_db
RAID = "Wealth of Low Quay"


@laid.fixture
def given(as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any) -> str:
    """The id of the one thing that the community gave Ilse."""
    set_setting(campaign, alices, long="all")
    answer = as_alice.post(f"/c/{campaign.slug}/contests/start/community/", body(title="Low Quay", c0_side="one"))
    assert answer.status_code == 302
    town = f"/c/{campaign.slug}/contests/{Contest.objects.get().pk}/"
    assert as_alice.post(f"{town}resources/gm/", body(names="Wealth\nFleet\nMorale\nMagic\nArms")).status_code == 302
    assert as_alice.post(
        f"{town}require/gm/", body(whom=ilse.pk, resource="0", words="The raid")).status_code == 302
    return of(ilse, RAID)


def opened(as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, kind: str) -> Contest:
    """A contest of this kind that Ilse is in, as far as what counts is asked for."""
    before = {*Contest.objects.values_list("pk", flat=True)}
    if kind in ("scored", "chained", "extended"):
        start(as_alice, campaign, kind)
    else:
        more = {"framed": {"who": str(ilse.pk)}}.get(kind, {"c0_side": "one", "c1_side": "one"})
        begin(as_alice, campaign, kind, obstacle="The guard", **more)
    made = Contest.objects.exclude(pk__in=before).get()
    if kind == "framed":
        for client, action, values in (
                (as_bob, f"choose/{ilse.pk}", {"tactic": "A forged pass", "ability": of(ilse, "Mapmaker")}),
                (as_alice, "oppose/gm", {"name": "The guard", "resistance": "1M"})):
            assert client.post(f"{at(made)}{action}/", body(**values)).status_code == 302
    if kind == "group":
        for who in made.campaign.characters.order_by("name"):
            line = who.traits.filter(kind="keyword").first()
            sent = body(tactic="By force", ability=line.pk)
            assert as_alice.post(f"{at(made)}choose/{who.pk}/", sent).status_code == 302
        assert as_alice.post(f"{at(made)}oppose/gm/", body(name="It", resistance="1M")).status_code == 302
    return made


def at(contest: Contest) -> str:
    return f"/c/{contest.campaign.slug}/contests/{contest.pk}/"


def taking(client: Client, contest: Contest, ilse: Any) -> list[Form]:
    """The forms in which what was given is offered to her."""
    return [form for form in Page(client.get(at(contest))).matching(action=f"support/{ilse.pk}/")
            if any(RAID in button.words for button in form.buttons)]


def take(client: Client, contest: Contest, ilse: Any) -> None:
    form = taking(client, contest, ilse)[0]
    assert form.send(client, next(button for button in form.buttons if RAID in button.words)).status_code == 302


KINDS = ("framed", "group", "scored", "chained", "extended")


@pytest.mark.parametrize(("first", "second"), [*zip(KINDS, (*KINDS[1:], KINDS[0]), strict=True), ("framed", "framed")])
def test_qw_93_what_one_contest_has_taken_no_other_is_offered(
    as_alice: Client, as_bob: Client, campaign: Any, given: str, ilse: Any, first: str, second: str
) -> None:
    one = opened(as_alice, as_bob, campaign, ilse, first)
    if {first, second} <= {"scored", "chained", "extended"}:  # nobody is in two of these at once: the first rests
        assert as_alice.post(f"{at(one)}pause/gm/", body()).status_code == 302
        other = opened(as_alice, as_bob, campaign, ilse, second)
        assert as_alice.post(f"{at(other)}pause/gm/", body()).status_code == 302
        assert as_alice.post(f"{at(one)}resume/gm/", body()).status_code == 302
        take(as_bob, one, ilse)
        assert as_alice.post(f"{at(one)}pause/gm/", body()).status_code == 302
        assert as_alice.post(f"{at(other)}resume/gm/", body()).status_code == 302
    else:
        other = opened(as_alice, as_bob, campaign, ilse, second)
        assert taking(as_bob, other, ilse)
        take(as_bob, one, ilse)
    assert not taking(as_bob, other, ilse) and not taking(as_bob, one, ilse)
    late = as_bob.post(f"{at(other)}support/{ilse.pk}/", body(line=given))
    assert late.status_code == 409, "a page from before"
    assert not list(differences(campaign.pk))


def undone(as_alice: Client, contest: Contest) -> None:
    taken = Entry.objects.get(kind="contest.support")
    form = Page(as_alice.get(f"/c/{contest.campaign.slug}/ledger/{taken.seq}/")).form(action="/undo/")
    assert form.send(as_alice).status_code == 302


def called_off(as_alice: Client, contest: Contest) -> None:
    assert as_alice.post(f"{at(contest)}call_off/gm/", body()).status_code == 302


def removed(as_alice: Client, contest: Contest) -> None:
    (form,) = Page(as_alice.get(at(contest))).matching(action="take_back/gm/")
    button = next(button for button in form.buttons if RAID in button.words)
    assert form.send(as_alice, button).status_code == 302


@pytest.mark.parametrize("letting_go", [undone, called_off, removed])
def test_qw_93_what_a_contest_lets_go_of_is_free_again(
    as_alice: Client, as_bob: Client, campaign: Any, given: str, ilse: Any, letting_go: Any
) -> None:
    one, other = (opened(as_alice, as_bob, campaign, ilse, "framed") for _ in range(2))
    take(as_bob, one, ilse)
    assert not taking(as_bob, other, ilse)
    letting_go(as_alice, one)
    take(as_bob, other, ilse)


def test_qw_93_the_tray_lists_no_more_what_a_contest_has_taken(
    as_alice: Client, as_bob: Client, campaign: Any, given: str, ilse: Any
) -> None:
    form = Page(as_alice.get(f"/c/{campaign.slug}/obstacles/put/")).form(action="obstacles/put/")
    assert form.send(as_alice, name="The wall", resistance="17").status_code == 302
    one = opened(as_alice, as_bob, campaign, ilse, "framed")
    table = f"/c/{campaign.slug}/"
    assert RAID in tray_in(as_bob.get(table).content.decode())
    take(as_bob, one, ilse)
    assert RAID not in tray_in(as_bob.get(table).content.decode())
