"""What the Now bar says: what contests ask for, damage and recovery to place, modifiers that wait for a roll.

Reckoned once for each number of the trail, and kept: it is the same for all members until something moves.
"""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign, Change
from campaigns.now import AskRow, NowContext, tell
from characters.models import Character
from play.models import AskedRoll, Contest, PendingAllocation, PendingModifier
from play.services.obstacles import named_chips
from play.services.open_contests import OpenContest, open_contests
from play.services.typed_dice import allowed
from play.waiting import PENDING, waiting_in
from rules.codec import read
from rules.wording import join

MOST_SHOWN = 5
MOST_WAITING = 2  # things that others are waited for, in one sentence
MOST_OPEN = 200
MOST_KEPT = 500

PLACING = {"damage": ("place {} damage", "Place"), "recovery": ("say where {} of the damage heals", "Say"),
           "roll": ("roll for recovery", "Roll")}


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that somebody is asked for since an entry: `player` is the member who answers, None for the GM."""

    since: int
    player: uuid.UUID | None
    who: str  # the character of whoever answers, or "the GM": no account is named
    sheet: str  # the character's name, "" for the GM's own
    text: str
    button: str
    url: str
    about: str  # why
    contest: str = ""  # its title
    decision: bool = False
    duty: bool = True  # not so: it may wait for as long as one likes
    by_gm: bool = False  # whether it is a roll that the GM asks for
    post_url: str = ""  # the address that rolls at one press
    of: str = ""  # the id of the contest, or of what was asked for
    chips: tuple[tuple[str, str], ...] = ()  # the answers that one press gives, each with what it sends
    stands: str = ""  # for which campaign and kind one has let such dice lie, where a page may do it by itself
    lead: str = ""  # what stands before it in place of "Your turn"


KEPT: Bounded[tuple[uuid.UUID, int], tuple[Asked, ...]] = Bounded(MOST_KEPT)


def now_of_all(viewers: Sequence[Viewer]) -> list[NowContext]:
    """What each of these viewers is asked; `campaigns.now` shows it."""
    found = {each.campaign.pk: KEPT.get((each.campaign.pk, each.campaign.head_seq)) for each in viewers}
    missing = {each.campaign.pk: each.campaign for each in viewers if found[each.campaign.pk] is None}
    if missing:
        for pk, asked in asked_in(list(missing.values())).items():
            found[pk] = KEPT.put((pk, missing[pk].head_seq), asked)
    return [now_for(each, found[each.campaign.pk] or ()) for each in viewers]


tell(now_of_all)


def asked_in(campaigns: Sequence[Campaign]) -> dict[uuid.UUID, tuple[Asked, ...]]:
    """All that is asked of anybody in these campaigns, oldest first."""
    held = {each.pk: each for each in campaigns}
    found: dict[uuid.UUID, list[Asked]] = {pk: [] for pk in held}
    waits = waiting_in(held.values())
    for one in open_contests(held.values()) if Contest in waits else ():
        found[one.position.contest.campaign_id] += in_contest(one)
    for pending in _since(PENDING[PendingAllocation], held) if PendingAllocation in waits else ():
        text, button = PLACING[pending.type]
        url = reverse("place", args=[held[pending.campaign_id].slug, pending.pk])
        found[pending.campaign_id].append(_asked(
            pending.since, pending.character, text.format(pending.amount), button, url, pending.reason))
    for row in _asked_for(held) if AskedRoll in waits else ():
        found[row.campaign_id] += _roll(row, held[row.campaign_id])
    for given in _since(PENDING[PendingModifier], held) if PendingModifier in waits else ():
        url = f"{reverse('table', args=[held[given.campaign_id].slug])}#tray"
        found[given.campaign_id].append(_asked(
            given.since, given.character, given.reason, "Roll", url, duty=False, lead="For your next roll"))
    return {pk: tuple(sorted(asked, key=lambda each: each.since)) for pk, asked in found.items()}


def _since(rows: QuerySet[Any], campaigns: Iterable[uuid.UUID]) -> list[Any]:
    """These rows of the campaigns, each with the entry that made it."""
    made = Change.objects.filter(campaign=OuterRef("campaign"), object_id=OuterRef("pk"), field="").order_by("seq")
    found = rows.filter(campaign__in=list(campaigns), character__retired=False)
    with_entry = found.annotate(since=Subquery(made.values("seq")[:1])).select_related("character__player__user")
    return list(with_entry.order_by("since", "pk")[:MOST_OPEN])


def _asked_for(campaigns: Iterable[uuid.UUID]) -> list[AskedRoll]:
    """The rolls that the GM asks for in the scenes that are on."""
    found = AskedRoll.objects.filter(
        campaign__in=list(campaigns), scene_id=F("campaign__scene_id"), rolled=None, character__retired=False)
    rows = found.select_related("character__player__user").order_by("asked", "character__name", "pk")
    return list(rows[:MOST_OPEN])


def _roll(row: AskedRoll, campaign: Campaign) -> list[Asked]:
    """A roll that the GM asks for; or one that a player asks for: until the GM answers it can be withdrawn."""
    table = reverse("table", args=[campaign.slug])
    url = f"{table}?character={row.character_id}&asked={row.pk}#tray"
    if not row.choice:
        return [_asked(row.asked, row.character, row.what, "Roll", url, by_gm=True)]
    if row.spec:
        # What is sealed is said to nobody before the dice: everybody's page tells what is waited for.
        hard = "" if row.sealed else f", {campaign.rules.rolls.obstacle_words(read(row.spec)['fields'])}"
        text = f"roll {row.what}{hard}"
        post_url = "" if allowed(campaign) else reverse("roll_answered", args=[campaign.slug, row.pk])
        return [_asked(row.asked, row.character, text, "Roll", url, post_url=post_url, of=str(row.pk))]
    here, text = [campaign.slug, row.pk], f"say how hard it is for {row.character.name}: {row.what}"
    waits = _asked(row.asked, None, text, "Answer", f"{table}#request-{row.pk}", of=str(row.pk),
                   post_url=reverse("answer_request", args=here), chips=named_chips(campaign.rules.rolls))
    own = _asked(row.asked, row.character, text, "Withdraw", table, duty=False, lead="Waiting for the GM",
                 of=str(row.pk), post_url=reverse("withdraw_request", args=here))
    return [waits, replace(own, sheet="")] if own.player else [waits]


def in_contest(one: OpenContest) -> list[Asked]:
    """What one contest asks for."""
    position = one.position
    here = [position.contest.campaign.slug, position.contest.pk]
    routine = not allowed(position.contest.campaign)  # else one may want to roll one's own dice
    kind = f"{position.contest.campaign_id} {position.contest.kind}"
    page = f"{reverse('table', args=here[:1])}?contest={here[1]}" if one.is_here else reverse("contest", args=here)
    return [
        _asked(one.moved, position.characters.get(each.by), each.text, each.button,
               f"{page}#offer-{each.action}-{each.by or 'gm'}", contest=position.contest.title, decision=each.decision,
               stands=kind if each.stands and not each.hurts else "",
               post_url=(
                   reverse("act", args=[*here, each.action, each.by]) if routine and each.routine and each.by else ""),
               of=str(position.contest.pk))
        for each in position.asks
    ]


def _asked(
    since: int, who: Character | None, text: str, button: str, url: str, about: str = "", **more: Any
) -> Asked:
    player = who.player if who else None
    answers = player.pk if player and player.active else None
    name = who.name if who else ""
    return Asked(since, answers, name if answers else "the GM", name, text, button, url, about, **more)


def now_for(viewer: Viewer, asked: Sequence[Asked]) -> NowContext:
    """What one viewer gets of all that is asked: their own first; else, in a sentence, whom they wait for."""
    mine = [each for each in asked if _answers(viewer, each)]
    duties = [each for each in mine if each.duty]
    ready = [each for each in mine if not each.duty][:MOST_SHOWN]
    several = viewer.runs or len({each.sheet for each in mine if each.sheet}) > 1
    titled = len({each.contest for each in duties}) > 1
    told = {each.of for each in ready if each.of}  # one's own row says that already
    return NowContext(
        tuple(_row(each, several, titled=titled) for each in duties[:MOST_SHOWN]), max(len(duties) - MOST_SHOWN, 0),
        "" if duties else _waits([each for each in asked if each.duty and each.of not in told]),
        tuple(_row(each, several) for each in ready),
    )


def _answers(viewer: Viewer, asked: Asked) -> bool:
    """Whether it is the viewer who is asked: for their own character; the GM for whom nobody plays."""
    if asked.player is None:
        return viewer.runs
    return viewer.plays and asked.player == viewer.member.pk


def _row(asked: Asked, several: bool, *, titled: bool = False) -> AskRow:
    lead = asked.lead or ("Your decision" if asked.decision else "Your turn")
    whose = f" for {asked.sheet}" if asked.sheet and several else ""
    if asked.by_gm:
        lead, whose = f"The GM asks {asked.sheet} for" if several else "The GM asks for", ""
    about = asked.about or (asked.contest if titled else "")
    return AskRow(f"{lead}{whose}", asked.text, asked.button, asked.url, about, asked.post_url, asked.of, asked.chips,
                  asked.stands)


def _waits(asked: Sequence[Asked]) -> str:
    """`Waiting for Otto and Pia: roll; for the GM: set the resistance`; "" where nobody is asked."""
    by: dict[str, dict[str, None]] = {}
    for each in asked:
        by.setdefault(f"roll {each.text}" if each.by_gm else each.text, {})[each.who] = None
    waiting = [f"for {join(list(people))}: {text}" for text, people in by.items()]
    if not waiting:
        return ""
    return f"Waiting {'; '.join(waiting[:MOST_WAITING])}{' …' if len(waiting) > MOST_WAITING else ''}"


