"""A field of a table may be renamed: the trail calls it as its first entries do, and the two still agree."""
from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from campaigns.errors import Refused
from campaigns.models import Change, Page
from campaigns.services import pages
from campaigns.services.undoing import undo
from campaigns.trail.rebuild import by_trail, differences, rebuild
from campaigns.trail.tracked import TRACKED
from tests import laid
from tests.trail.test_changes import changes
from tests.trail.test_rebuild import checked

pytestmark = pytest.mark.django_db

RENAMED = {name: {"type": "sort"} for name in ("page", "prepared", "plan_line", "due")}
RENAMED["campaign"] = {"settings_json": "dials"}


def test_each_renamed_field_is_one_of_its_table_and_its_first_name_is_not() -> None:
    assert {name: dict(kind.stored) for name, kind in TRACKED.items() if kind.stored} == RENAMED
    for name, names in RENAMED.items():
        kind = TRACKED[name]
        assert set(names) <= set(kind.fields) and not set(names.values()) & set(kind.fields)
        assert [kind.field_name(stored) for stored in names.values()] == list(names)


@laid.fixture
def mill(campaign: Any, bobs: Any) -> Any:
    """A note whose type was changed, and the two entries of it."""
    known = {"campaign": campaign, "actor": bobs, "title": "The mill"}
    first = pages.write(**known, op_id=uuid.uuid4(), type="place")
    page = Page.objects.get(pk=pages.id_from(campaign, first.op_id))
    return page, first, pages.write(**known, op_id=uuid.uuid4(), type="thing", page_id=page.pk)


def test_entries_keep_the_first_name_and_tables_are_built_of_it(campaign: Any, mill: Any) -> None:
    page, first, second = mill
    (written,), (changed,) = (json.loads(entry.payload.text)["changes"] for entry in (first, second))
    assert written["became"]["sort"] == "place" and "type" not in written["became"]
    assert (changed["was"], changed["became"]) == ({"sort": "place"}, {"sort": "thing"})
    assert set(Change.objects.filter(entry=second).exclude(field="").values_list("field", flat=True)) == {"sort"}
    assert by_trail(campaign.pk)["page", str(page.pk)]["sort"] == "thing"
    assert not list(differences(campaign.pk)) and not checked(campaign, 100).fault

    Page.objects.filter(pk=page.pk).update(type="person")
    assert [str(difference) for difference in rebuild(campaign.pk)] == [
        f"page {page.pk} differs in sort: 'person', by the trail 'thing'"]
    Page.objects.filter(pk=page.pk).delete()
    assert rebuild(campaign.pk) and Page.objects.get(pk=page.pk).type == "thing"


def test_what_is_undone_comes_back_under_the_new_name(campaign: Any, bobs: Any, mill: Any) -> None:
    page, first, second = mill
    with pytest.raises(Refused, match=f"Entry {second.seq} depends on this one"):
        undo(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), seq=first.seq)
    undo(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), seq=second.seq)
    page.refresh_from_db()
    assert page.type == "place"
    gone = pages.remove(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), page_id=page.pk)
    undo(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), seq=gone.seq)
    assert Page.objects.get(pk=page.pk).type == "place" and not list(differences(campaign.pk))


def test_an_entrys_page_says_the_name_of_today(as_bob: Client, mill: Any) -> None:
    assert changes(as_bob, mill[2])[0].lines == (("type", "place", "thing"),)
