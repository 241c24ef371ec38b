"""What the rules tie to a scene: it lives on sheets, in notes that are `of_scene`, and is over with the scene.

Whatever rolls reads it there: a test, a conflict, the next conflict. Whoever has left the scene before it ended, and
whoever was hurt between two of them, comes into the next one without it too.
"""
from __future__ import annotations

import uuid
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from campaigns import trail
from campaigns.models import Campaign
from characters.cast import NOBODY, Cast, cast_where
from characters.models import Pool, Trait
from play.services.pools import apply
from rules.sheet import Effect, Spend


def notes(campaign: Campaign) -> tuple[str, ...]:
    """The names of the notes that last as long as a scene."""
    return tuple(kind.name for kind in campaign.rules.sheet.pools if kind.of_scene)


def out_of_it(campaign: Campaign) -> QuerySet[Pool]:
    """The notes that say that somebody is out of it until the scene ends, unless the GM lets them recover."""
    return _out_of_it(campaign.pk, says_out(campaign))


def says_out(campaign: Campaign) -> list[str]:
    """What these notes are called in the campaign's game."""
    return [kind.name for kind in campaign.rules.sheet.pools if kind.out]


def _out_of_it(campaign: uuid.UUID, names: list[str]) -> QuerySet[Pool]:
    held = Pool.objects.filter(campaign=campaign, name__in=names, value__gt=0)
    return held if names else held.none()


def hurt(campaign: Campaign) -> Q:
    """Who has damage, or is out of it until the scene ends."""
    return hurt_in(campaign.pk, says_out(campaign))


def hurt_in(campaign: uuid.UUID, out: list[str]) -> Q:
    """The same of a campaign by its id, and by the names of the notes that say that somebody is out of it."""
    damaged = Trait.objects.filter(campaign=campaign, damage__gt=0)
    return Q(pk__in=damaged.values("character_id")) | Q(pk__in=_out_of_it(campaign, out).values("character_id"))


def noted(campaign: Campaign) -> dict[uuid.UUID, bool]:
    """Of whom something of the scene is noted, so that they were in it, and whether they are hidden."""
    names = notes(campaign)
    held = Pool.objects.filter(campaign=campaign, name__in=names, value__gt=0)
    return dict(held.values_list("character_id", "character__hidden")) if names else {}


def touched(campaign: Campaign) -> Q | None:
    """For whom something is over with a scene; None in a game that ties nothing to one."""
    session, names = campaign.rules.session, notes(campaign)
    lines = Trait.objects.filter(campaign=campaign)
    who = []
    if names:
        held = Pool.objects.filter(campaign=campaign, name__in=names, value__gt=0)
        who.append(Q(pk__in=held.values("character_id")))
    if session.scene_lines:
        who.append(Q(pk__in=lines.filter(kind__in=session.scene_lines).values("character_id")))
    if session.scene_damage:
        who.append(Q(pk__in=lines.filter(damage__gt=0).values("character_id")))
    return reduce(or_, who) if who else None


def end(entry: trail.Draft, *, hidden: bool) -> None:
    """Ends what is tied to a scene for all who are `hidden`, or for all others, wherever they are."""
    cast, effects = _over(entry.campaign, hidden)
    apply(entry, effects, cast)


def is_over_unseen(campaign: Campaign) -> bool:
    """Whether something is over for somebody hidden, of which nobody but the GM may read."""
    return bool(_over(campaign, hidden=True)[1])


def _over(campaign: Campaign, hidden: bool) -> tuple[Cast, list[Effect]]:
    """Who is touched, and what is over for them."""
    who = touched(campaign)
    if who is None:
        return NOBODY, []
    cast, names = cast_where(campaign, who & Q(hidden=hidden)), notes(campaign)
    effects: list[Effect] = []
    for sheet in cast.sheets().values():
        effects += [Spend(sheet.id, name, -sheet.pool(name)) for name in names if sheet.pool(name)]
        effects += campaign.rules.session.scene_over(sheet)
    return cast, effects
