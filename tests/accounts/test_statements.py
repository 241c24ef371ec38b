"""Statements whose SQL is made once answer what the ORM answers, and write what it writes."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.test.utils import CaptureQueriesContext

from accounts.statements import Size, compiled_once, insert, save
from campaigns.models import Campaign, Member, Role

pytestmark = pytest.mark.django_db


def test_a_query_is_composed_once_and_filled_in_each_time(campaign: Any, alices: Any, bobs: Any) -> None:
    composed = []

    @compiled_once
    def members(campaign: uuid.UUID, pk: uuid.UUID, role: str) -> QuerySet[Any]:
        composed.append(1)
        others = Member.objects.filter(campaign=campaign, joined__lt=OuterRef("joined"))
        rows = Member.objects.filter(campaign=campaign, pk=pk, role=role).annotate(late=Exists(others))
        return rows.select_related("user").annotate(slug=F("campaign__slug"))

    [owner], [player] = members(campaign.pk, alices.pk, Role.OWNER.value), members(campaign.pk, bobs.pk, "player")
    assert (owner, owner.user.username, owner.slug) == (alices, alices.user.username, campaign.slug)
    assert (player, player.late, owner.late) == (bobs, True, False)
    assert members(uuid.uuid4(), bobs.pk, "player") == members(campaign.pk, bobs.pk, "gm") == []
    assert len(composed) == 1


def test_none_lists_and_sizes_shape_a_query(campaign: Any, alices: Any, bobs: Any) -> None:
    @compiled_once
    def campaigns(scene: uuid.UUID | None) -> QuerySet[Any, Any]:
        return Campaign.objects.filter(scene_id=scene).values_list("pk", flat=True)

    @compiled_once
    def named(pks: list[uuid.UUID]) -> QuerySet[Any, Any]:
        return Member.objects.filter(pk__in=pks).values_list("pk", flat=True)

    @compiled_once
    def roles(most: Size) -> QuerySet[Any, Any]:
        return Member.objects.filter(campaign=campaign).order_by("joined").values("role")[:most]

    assert roles(Size(1)) == [{"role": "owner"}] and len(roles(Size(2))) == 2
    assert campaigns(None) == [campaign.pk] and campaigns(uuid.uuid4()) == []
    with CaptureQueriesContext(connection) as asked:
        assert named([]) == []
    assert not asked.captured_queries
    nobody = [uuid.uuid4() for _ in range(9)]
    for wanted in ([bobs.pk], [alices.pk, bobs.pk], [*nobody, bobs.pk], nobody):
        assert set(named(pks=wanted)) == {alices.pk, bobs.pk} & set(wanted)


def test_rows_are_written_as_by_the_orm(campaign: Any, alices: Any, bobs: Any) -> None:
    made = Campaign(slug="new", name="Made “so” at 100%", system=campaign.system, edition=campaign.edition)
    insert([made])
    read = Campaign.objects.get(slug="new")
    assert vars(read) | {"_state": None} == vars(made) | {"_state": None} and made.created
    alices.role, bobs.role, bobs.seen_seq = "gm", "observer", 7
    save([alices, bobs], ["role"])
    assert list(Member.objects.order_by("role").values_list("role", "seen_seq")) == [("gm", 0), ("observer", 0)]
    with pytest.raises(DatabaseError):
        save([alices, Member(campaign=campaign)], ["role"])
