"""The GM's bank: prepared, changed, doubled, shown, used, taken away; sealed from the players until it is shown."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.models import Entry
from campaigns.services.founding import found
from campaigns.trail.rebuild import differences
from play.models import PrepItem
from play.services import bank, sessions
from rules.codec import VERSION, canonical
from rules.fields import Choice, Text, Whole
from rules.prep import PrepItemKind
from rules.systems.pdq import Pdq
from rules.systems.pdq.scene import DANGER
from rules.systems.questworlds.bank import situations
from tests import laid
from tests.conftest import join
from tests.play.conftest import body, character

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def traps(monkeypatch: pytest.MonkeyPatch) -> PrepItemKind:
    """A game in which one prepares traps; the danger is a field of its conflicts too."""
    fields = (
        Whole(name="depth", label="Depth", least=1, most=9), Text(name="teeth", label="Teeth"),
        Choice(name="danger", label="The danger", default="momentary", options=DANGER.options),
    )
    kind = PrepItemKind("trap", "Trap", "Traps", "A trap waits until someone steps on it.", fields)
    monkeypatch.setattr(Pdq, "prep_items", (kind,))
    return kind


def thing(as_alice: Client, campaign: Any, one: Any) -> str:
    """The page of something in the library."""
    return as_alice.get(f"/c/{campaign.slug}/prepare/things/{one.pk}/").content.decode()


def prepare(as_alice: Client, campaign: Any, **more: Any) -> PrepItem:
    sent = {"name": "The pit", "depth": "3", "danger": "continuing", "text": "Under the leaves.", **more}
    answer = as_alice.post(f"/c/{campaign.slug}/prepare/new/trap/", body(**sent))
    assert answer.status_code == 302, answer.content.decode()
    return PrepItem.objects.latest("pk")


def test_an_empty_bank_teaches(as_alice: Client, campaign: Any) -> None:
    page = as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    assert "Nothing is prepared yet." in page and "Start with one of these" in page
    assert "A trap waits until someone steps on it." in as_alice.get(
        f"/c/{campaign.slug}/prepare/new/trap/").content.decode()


def test_what_is_prepared_is_sealed(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    pit = prepare(as_alice, campaign)
    assert bank.spec_of(pit) == {"depth": 3, "danger": "continuing"}
    assert "Depth: 3" in as_alice.get(f"/c/{campaign.slug}/prepare/").content.decode()
    assert Entry.objects.get(kind="bank.write").audience == "gm"
    assert "The pit" not in as_bob.get(reverse("ledger", args=[campaign.slug])).content.decode()
    assert as_bob.get(f"/c/{campaign.slug}/prepare/").status_code in (403, 404)
    assert not list(differences(campaign.pk))


def test_a_refusal_keeps_what_was_typed(as_alice: Client, campaign: Any) -> None:
    answer = as_alice.post(f"/c/{campaign.slug}/prepare/new/trap/", body(name="The pit", depth="12", text="Kept words"))
    assert answer.status_code == 422
    assert "Kept words" in answer.content.decode()
    assert not PrepItem.objects.exists()


def test_it_is_changed_doubled_shown_and_taken_away(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any
) -> None:
    pit = prepare(as_alice, campaign)
    at = f"/c/{campaign.slug}/prepare"
    page = as_alice.get(f"{at}/trap/{pit.pk}/").content.decode()
    assert 'value="3"' in page and "Under the leaves." in page
    sent = body(name="The deep pit", depth="5", danger="momentary", text="Under the leaves.")
    assert as_alice.post(f"{at}/trap/{pit.pk}/", sent).status_code == 302
    assert as_alice.post(f"{at}/{pit.pk}/change/", body(again="1")).status_code == 302
    assert sorted(PrepItem.objects.values_list("name", flat=True)) == ["The deep pit", "The deep pit 2"]
    assert as_alice.post(f"{at}/{pit.pk}/change/", body(show="1")).status_code == 302
    seen = as_bob.get(f"/c/{campaign.slug}/").content.decode()
    assert "Trap: The deep pit" in seen and "Under the leaves." in seen
    assert as_alice.post(f"{at}/{pit.pk}/change/", body(remove="1")).status_code == 302
    assert PrepItem.objects.get().name == "The deep pit 2"
    assert as_alice.post(f"{at}/{pit.pk}/change/", body(remove="1")).status_code == 422
    assert not list(differences(campaign.pk))


def test_nobody_else_presses(as_alice: Client, as_bob: Client, campaign: Any, bobs: Any) -> None:
    pit = prepare(as_alice, campaign)
    assert as_bob.post(f"/c/{campaign.slug}/prepare/{pit.pk}/change/", body(show="1")).status_code in (403, 404)
    assert not PrepItem.objects.get().shown


def test_what_is_prepared_fills_the_setup_of_a_contest(as_alice: Client, campaign: Any, scene: Any) -> None:
    pit = prepare(as_alice, campaign)
    at = f"/c/{campaign.slug}/contests/start/conflict/?prepared={pit.pk}"
    assert at in thing(as_alice, campaign, pit)
    page = as_alice.get(at).content.decode()
    assert 'value="The pit"' in page and '<option value="continuing" selected>' in page
    assert "Under the leaves." in page


@laid.fixture
def quay(alice: Any) -> Any:
    """Another campaign of Alice's, in which one prepares resistances."""
    return found(user=alice, op_id=uuid.uuid4(), name="The quay", system="questworlds", settings={"base": 17})


SERAI = "In a fight: high\nTalking her round: 1M\nWhat she hides: +9"


def keep(as_alice: Client, quay: Any, **more: Any) -> Any:
    sent = {"name": "Serai the toll-keeper", "situations": SERAI, "stake": "The night’s toll", "text": "Tall.", **more}
    return as_alice.post(f"/c/{quay.slug}/prepare/new/resistance/", body(**sent))


def test_qw_77_somebody_without_a_sheet_is_as_hard_as_the_situation(
    as_alice: Client, as_bob: Client, quay: Any, bob: Any
) -> None:
    join(quay, bob, "player")
    at = f"/c/{quay.slug}/prepare/"
    assert keep(as_alice, quay).status_code == 302
    one = PrepItem.objects.get()
    page = thing(as_alice, quay, one)
    for what, said, note in (("In a fight", "3M", "high, the base +6"), ("Talking her round", "1M", ""),
                             ("What she hides", "6M", "the base +9")):
        shown = f'<span class="name">{what}</span> </div> <span class="notation">{said}</span>'
        assert shown in " ".join(page.split()) and note in page
    assert [situation.resistance for situation in situations(bank.spec_of(one))] == ["high", "1M", "+9"]
    form = as_alice.get(f"{at}resistance/{one.pk}/").content.decode()
    assert "<textarea" in form and "Talking her round: 1M" in form
    assert as_alice.post(f"{at}{one.pk}/change/", body(again="1")).status_code == 302
    assert PrepItem.objects.filter(spec=one.spec).count() == 2
    assert as_alice.post(f"{at}{one.pk}/change/", body(show="1")).status_code == 302
    entry = Entry.objects.get(kind="bank.show")
    seen = as_bob.get(f"/c/{quay.slug}/ledger/{entry.seq}/").content.decode()
    seen = seen.split("<main")[1].split("</main>")[0]  # a token of a form may have any letters in it
    assert "Serai" in seen and "Tall." in seen and "What she hides" not in seen and "3M" not in seen
    assert not list(differences(quay.pk))


def test_qw_77_a_bad_line_is_named_and_nothing_is_lost(as_alice: Client, quay: Any) -> None:
    answer = keep(as_alice, quay, situations="In a fight: high\nTalking: rather hard")
    page = answer.content.decode()
    assert answer.status_code == 422 and "Line 2, “Talking: rather hard”" in page
    assert "In a fight: high" in page and "Tall." in page and not PrepItem.objects.exists()
    assert keep(as_alice, quay, situations="x" * 3000).status_code == 422
    assert keep(as_alice, quay, situations="In a fight: high\x00").status_code == 422


def test_qw_77_what_was_kept_with_one_resistance_is_read_on(as_alice: Client, quay: Any) -> None:
    with trail.entry(
        campaign=quay, actor=quay.members.get(), op_id=uuid.uuid4(), kind="bank.write", title="Old", audience="gm"
    ) as entry:
        old = canonical({"v": VERSION, "fields": {"resistance": "high", "obstacle": "A wet wall", "stake": "An arm"}})
        one = entry.create(PrepItem(campaign=entry.campaign, type="resistance", name="The wall", text="", spec=old))
    quay.refresh_from_db()
    at = f"/c/{quay.slug}/prepare/"
    page = thing(as_alice, quay, one)
    assert "A wet wall" in page and "3M" in page and "high, the base +6" in page and "An arm" in page
    assert "A wet wall: high" in as_alice.get(f"{at}resistance/{one.pk}/").content.decode()
    sent = body(name="The wall", situations="A wet wall: high\nDry: low", stake="An arm", text="")
    assert as_alice.post(f"{at}resistance/{one.pk}/", sent).status_code == 302
    one.refresh_from_db()
    assert set(bank.spec_of(one)) == {"situations", "stake"}


def test_qw_77_it_fills_what_stands_in_the_way_of_a_contest(as_alice: Client, quay: Any) -> None:
    owner = quay.members.get()
    ilse = character(quay, owner, "Ilse", [("keyword", "Mapmaker", 17)])
    sessions.open_session(campaign=quay, actor=owner, op_id=uuid.uuid4())
    quay.refresh_from_db()
    sessions.open_scene(campaign=quay, actor=owner, op_id=uuid.uuid4(), title="The gate", characters=[ilse.pk])
    keep(as_alice, quay)
    one = PrepItem.objects.get()
    at = f"/c/{quay.slug}/contests/start/framed/?prepared={one.pk}"
    listed = thing(as_alice, quay, one)
    assert at in listed and "start/walk/" not in listed and "start/downtime/" not in listed
    page = as_alice.get(at).content.decode()
    field = re.search(r'<input[^>]*name="obstacle"[^>]*>', page)
    assert field and 'value="Serai the toll-keeper"' in field[0]
    prize = re.search(r'<input[^>]*name="title"[^>]*>', page)
    assert prize and "value=" not in prize[0], "whoever stands in the way is not the prize"
