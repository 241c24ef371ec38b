"""What the Now bar says: what contests ask for, damage and recovery to place, modifiers that wait for a roll.

Reckoned once for each number of the trail, and kept: it is the same for all members until something moves.
"""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign, Change
from campaigns.now import AskRow, NowContext, tell
from characters.models import Character
from play.models import AskedRecovery, AskedRoll, Contest, PendingAllocation, PendingModifier
from play.services.follows import as_they_stand
from play.services.obstacles import named_chips
from play.services.open_contests import OpenContest, open_contests
from play.services.pending_modifiers import given_words
from play.services.requests import spoken_in
from play.waiting import PENDING, waiting_in
from rules.codec import read
from rules.waiting import of_whom
from schedule.models import Evening, Series
from schedule.queries import Unanswered, unanswered

MOST_SHOWN = 5
MOST_WAITING = 2  # things that others are waited for, in one sentence
MOST_OPEN = 200
MOST_KEPT = 500

PLACING = {"damage": ("assign {} damage", "Assign"), "recovery": ("assign {} recovery", "Assign"),
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
    duty: bool = True  # not so: it may wait for as long as one likes
    by_gm: bool = False  # whether it is a roll that the GM asks for
    post_url: str = ""  # the address that rolls at one press
    of: str = ""  # the id of the contest, or of what was asked for
    chips: tuple[tuple[str, str], ...] = ()  # the answers that one press gives, each with what it sends
    stands: str = ""  # for which campaign and kind one has let such dice lie, where a page may do it by itself
    lead: str = ""  # what stands before it in place of "Your turn"
    request: bool = False  # whether a player asks it of the GM
    shown: tuple[datetime, datetime] | None = None  # of an answer to a date: from when to when it is asked for


KEPT: Bounded[tuple[uuid.UUID, int], tuple[Asked, ...]] = Bounded(MOST_KEPT)


def now_of_all(viewers: Sequence[Viewer]) -> list[NowContext]:
    """What each of these viewers is asked; `campaigns.now` shows it."""
    questions = {viewer.campaign.pk: KEPT.get((viewer.campaign.pk, viewer.campaign.head_seq)) for viewer in viewers}
    missing = {viewer.campaign.pk: viewer.campaign for viewer in viewers if questions[viewer.campaign.pk] is None}
    if missing:
        for pk, asked in asked_in(list(missing.values())).items():
            questions[pk] = KEPT.put((pk, missing[pk].head_seq), asked)
    return [now_for(viewer, questions[viewer.campaign.pk] or ()) for viewer in viewers]


tell(now_of_all)


def asked_in(campaigns: Sequence[Campaign]) -> dict[uuid.UUID, tuple[Asked, ...]]:
    """All that is asked of anybody in these campaigns, oldest first."""
    held = {campaign.pk: campaign for campaign in campaigns}
    questions: dict[uuid.UUID, list[Asked]] = {pk: [] for pk in held}
    waits = waiting_in(held.values())
    for waiting in open_contests(held.values()) if Contest in waits else ():
        questions[waiting.position.contest.campaign_id] += in_contest(waiting)
    for pending in _since(PENDING[PendingAllocation], held) if PendingAllocation in waits else ():
        text, button = PLACING[pending.type]
        url = reverse("place", args=[held[pending.campaign_id].slug, pending.pk])
        questions[pending.campaign_id].append(_asked(
            pending.since, pending.character, text.format(pending.amount), button, url, pending.reason))
    for row in _asked_for(held) if AskedRoll in waits else ():
        questions[row.campaign_id] += _roll(row, held[row.campaign_id])
    for wanted in _since(PENDING[AskedRecovery], held) if AskedRecovery in waits else ():
        questions[wanted.campaign_id] += _recovery(wanted, held[wanted.campaign_id])
    if {Evening, Series} & waits:
        for open_answer in unanswered(list(held), timezone.now()):
            questions[open_answer.campaign].append(_date(open_answer, held[open_answer.campaign]))
    for given in _since(PENDING[PendingModifier], held) if PendingModifier in waits else ():
        url = f"{reverse('table', args=[held[given.campaign_id].slug])}#tray"
        questions[given.campaign_id].append(_asked(
            given.since, given.character, f"{given_words(held[given.campaign_id], given.kind)} ({given.reason})",
            "Roll", url, duty=False, lead="On your next roll"))
    return {pk: tuple(sorted(asked, key=lambda question: question.since)) for pk, asked in questions.items()}


def _since(rows: QuerySet[Any], campaigns: Iterable[uuid.UUID]) -> list[Any]:
    """These rows of the campaigns, each with the entry that made it."""
    made = Change.objects.filter(campaign=OuterRef("campaign"), object_id=OuterRef("pk"), field="").order_by("seq")
    waiting = rows.filter(campaign__in=list(campaigns), character__retired=False, character__dead=False)
    with_entry = waiting.annotate(since=Subquery(made.values("seq")[:1])).select_related("character__player__user")
    return list(with_entry.order_by("since", "pk")[:MOST_OPEN])


def _asked_for(campaigns: Iterable[uuid.UUID]) -> list[AskedRoll]:
    """The rolls that the GM asks for in the scenes that are on."""
    requests = AskedRoll.objects.filter(
        campaign__in=list(campaigns), scene_id=F("campaign__scene_id"), rolled=None, character__retired=False,
        character__dead=False)
    rows = requests.select_related("character__player__user").order_by("asked", "character__name", "pk")
    return list(rows[:MOST_OPEN])


def _roll(row: AskedRoll, campaign: Campaign) -> list[Asked]:
    """A roll that the GM asks for; or one that a player asks for: until the GM answers it can be withdrawn."""
    table = reverse("table", args=[campaign.slug])
    url = f"{table}?character={row.character_id}&asked={row.pk}#tray"
    if not row.choice:
        return [_asked(row.asked, row.character, row.what, "Roll", url, by_gm=True)]
    if row.spec:
        as_they_stand(campaign, [row])
        # What is sealed is said to nobody before the dice: everybody's page tells what is waited for.
        hard = "" if row.sealed else f", {campaign.rules.rolls.obstacle_words(read(row.spec)['fields'])}"
        text = f"roll {row.what}{hard}"
        post_url = "" if campaign.types_dice else reverse("roll_answered", args=[campaign.slug, row.pk])
        return [_asked(row.asked, row.character, text, "Roll", url, post_url=post_url, of=str(row.pk))]
    says = spoken_in(campaign, row.choice, row.character.name)
    here, text = [campaign.slug, row.pk], "; ".join([
        f"set the difficulty for {row.character.name}: {row.what}", *(words.rstrip(".") for _, words in says)])
    waits = _asked(row.asked, None, text, "Answer", f"{table}#request-{row.pk}", of=str(row.pk),
                   post_url=reverse("answer_request", args=here), chips=named_chips(campaign.rules.rolls), request=True)
    own = _asked(row.asked, row.character, text, "Cancel request", table, duty=False, lead="Waiting for the GM",
                 of=str(row.pk), post_url=reverse("withdraw_request", args=here))
    return [waits, replace(own, sheet="")] if own.player else [waits]


def _recovery(row: Any, campaign: Campaign) -> list[Asked]:
    """What a player asks of the GM for who is hurt: a press grants it, and until then it can be taken back."""
    here, text = [campaign.slug, row.pk], f"let {row.character.name} recover"
    chips = [(str(number), label) for number, (label, _) in enumerate(campaign.rules.session.recoveries())]
    waits = _asked(row.since, None, text, "Answer", reverse("recover", args=here[:1]), of=str(row.pk), request=True,
                   post_url=reverse("answer_recovery", args=here), chips=(*chips, ("no", "Not now")))
    own = _asked(row.since, row.character, text, "Cancel request", reverse("table", args=here[:1]), duty=False,
                 lead="Waiting for the GM", of=str(row.pk), post_url=reverse("withdraw_recovery", args=here))
    return [waits, replace(own, sheet="")] if own.player else [waits]


def _date(asked: Unanswered, campaign: Campaign) -> Asked:
    """An answer to a date, or to those that are proposed. Which dates they are, its page says in the reader's time."""
    many, url = len(asked.evenings), reverse("dates", args=[campaign.slug])
    text = "say whether you can come"
    if asked.proposed:
        text = f"say when you can play ({many} dates)" if many > 1 else "say whether you can play on the proposed date"
    return Asked(campaign.head_seq, asked.member.pk, who="", sheet="", text=text, button="Answer", about="",
                 url=f"{url}#date-{asked.evenings[0].pk}", lead="The next session", shown=asked.shown)


def in_contest(one: OpenContest) -> list[Asked]:
    """What one contest asks for."""
    position = one.position
    here = [position.contest.campaign.slug, position.contest.pk]
    routine = not position.contest.campaign.types_dice  # else one may want to roll one's own dice
    kind = f"{position.contest.campaign_id} {position.contest.kind}"
    page = f"{reverse('table', args=here[:1])}?contest={here[1]}" if position.is_here else reverse("contest", args=here)
    return [
        _asked(one.moved, position.characters.get(ask.by), ask.text, ask.button,
               f"{page}#offer-{ask.action}-{ask.by or 'gm'}", contest=position.contest.title,
               stands=kind if ask.stands and not ask.hurts else "",
               post_url=(
                   reverse("act", args=[*here, ask.action, ask.by]) if routine and ask.routine and ask.by else ""),
               of=str(position.contest.pk), duty=not ask.idle, lead="Paused" if ask.idle else "")
        for ask in position.asks
    ]


def _asked(
    since: int, who: Character | None, text: str, button: str, url: str, about: str = "", **more: Any
) -> Asked:
    player = who.player if who and not who.retired else None
    answers = player.pk if player and player.active else None
    name = who.name if who else ""
    return Asked(since, answers, name if answers else "the GM", name, text, button, url, about, **more)


def now_for(viewer: Viewer, asked: Sequence[Asked]) -> NowContext:
    """What one viewer gets of all that is asked: their own first; else, in a sentence, whom they wait for."""
    now = timezone.now()
    mine = [question for question in asked if _answers(viewer, question) and _is_due(question, now)]
    duties = [question for question in mine if question.duty]
    ready = [question for question in mine if not question.duty][:MOST_SHOWN]
    several = viewer.runs or len({question.sheet for question in mine if question.sheet}) > 1
    titled = len({duty.contest for duty in duties}) > 1
    told = {question.of for question in ready if question.of}  # one's own row says that already
    return NowContext(
        tuple(_row(duty, several, titled=titled) for duty in duties[:MOST_SHOWN]), max(len(duties) - MOST_SHOWN, 0),
        "" if duties else _waits([ask for ask in asked if ask.duty and not ask.shown and ask.of not in told]),
        tuple(_row(question, several) for question in ready),
    )


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that waits for one viewer since an entry; a `request` is what a player asks of the GM."""

    since: int
    row: AskRow
    request: bool


def duties(viewer: Viewer) -> list[Duty]:
    """All that waits for the viewer, oldest first, however much it is. Answers to dates have their own mail."""
    campaign = viewer.campaign
    key = (campaign.pk, campaign.head_seq)
    if (asked := KEPT.get(key)) is None:
        asked = KEPT.put(key, asked_in([campaign])[campaign.pk])
    mine = [question for question in asked if question.duty and not question.shown and _answers(viewer, question)]
    several = viewer.runs or len({question.sheet for question in mine if question.sheet}) > 1
    return [Duty(question.since, _row(question, several, titled=True), question.request) for question in mine]


def _is_due(asked: Asked, now: datetime) -> bool:
    """Whether it is asked for by now; what is no date always is."""
    return asked.shown is None or asked.shown[0] <= now < asked.shown[1]


def _answers(viewer: Viewer, asked: Asked) -> bool:
    """Whether it is the viewer who is asked: for their own character; the GM for an NPC."""
    if asked.player is None:
        return viewer.runs
    return viewer.plays and asked.player == viewer.member.pk


def _row(asked: Asked, several: bool, *, titled: bool = False) -> AskRow:
    lead = asked.lead or "Your turn"
    whose = f" for {asked.sheet}" if asked.sheet and several else ""
    if asked.by_gm:
        lead, whose = f"The GM asks {asked.sheet} for" if several else "The GM asks for", ""
    about = asked.about or (asked.contest if titled else "")
    return AskRow(f"{lead}{whose}", asked.text, asked.button, asked.url, about, asked.post_url, asked.of, asked.chips,
                  asked.stands, asked.duty)


def _waits(asked: Sequence[Asked]) -> str:
    """`Waiting for Otto and Pia: roll; for the GM: set the resistance`; "" where nobody is asked."""
    waiting = of_whom((question.who, f"roll {question.text}" if question.by_gm else question.text)
                      for question in asked)
    if not waiting:
        return ""
    return f"Waiting {'; '.join(waiting[:MOST_WAITING])}{' …' if len(waiting) > MOST_WAITING else ''}"


