"""Moments of play in each game, brought about by the pages' own forms without a browser: `Server.lay` asks for them.

Bob and Dana play the first two of a game's ready-made characters by name, against an NPC of Alice's.
"""
from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest import mock

Laid = dict[str, Any]
NAMES = ("Alice", "Bob", "Dana")
TYPED = {"opponents": "Captain Vey 17", "resistance": "17", "title": "Knives at the well"}
CHOSEN = {"set": {"difficulty": "master"}}  # in an act's form, so that something is left to decide after the dice
TABLES: dict[str, Any] = {}  # campaigns by address, with the clients of those who sit there


def table(system: str, settings: Mapping[str, Any] | None = None, obstacle: bool = True) -> Laid:
    """Alice's campaign of this game, with a scene that is on: its address and everyone's cookies."""
    from tests.laid import once

    campaign, clients = once(f"a table of {system} {settings} {obstacle}", lambda: _laid(system, settings, obstacle))
    address = f"/c/{campaign.slug}/"
    TABLES[address] = (campaign, clients)
    cookies = {name: client.cookies["sessionid"].value for name, client in clients.items()}
    return {"address": address, "cookies": cookies}


def _laid(system: str, settings: Mapping[str, Any] | None, obstacle: bool) -> tuple[Any, dict[str, Any]]:
    from campaigns.services.founding import found
    from characters.services import editing, npcs
    from play.services import obstacles, sessions
    from rules.registry import SYSTEMS
    from tests.conftest import join, logged_in, person

    rules, at_all = SYSTEMS[system], uuid.uuid4().hex[:6]
    people = {name: person(f"{name}-{at_all}") for name in NAMES}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"The well {at_all}", system=system,
                     settings=dict(settings or {}))
    by = {"campaign": campaign, "actor": campaign.members.get(user=people["Alice"])}
    seats = [join(campaign, people[name], "player") for name in NAMES[1:]]
    made = [editing.create_ready(**by, op_id=uuid.uuid4(), ready=ready, player=seat)
            for ready, seat in zip(sorted(rules.sheet.ready_made[:2], key=lambda ready: ready.name), seats,
                                   strict=False)]
    made.append(npcs.quick(**by, op_id=uuid.uuid4(), line=rules.sample.npc if rules.sample else "Voss"))
    here = [editing.id_from(campaign, entry.op_id) for entry in made]
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The lock gate, after dark", characters=here)
    campaign.refresh_from_db()
    if obstacle and rules.rolls.obstacle:
        chip = obstacles.named_chips(rules.rolls)[1][0]
        obstacles.put_chip(campaign=campaign, actor=by["actor"], op_id=uuid.uuid4(), chip=chip)
    return campaign, {name: logged_in(user) for name, user in people.items()}


def hurt(address: str, player: str, name: str, rank: int) -> None:
    """Something lasts for this player's character, which touches all that they would use."""
    from campaigns import trail
    from characters.models import Character, Trait

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="Something lasts") as entry:
        who = Character.objects.get(campaign=campaign, player__user__username__startswith=player)
        names = ", ".join(who.traits.values_list("name", flat=True))
        entry.create(Trait(campaign=entry.campaign, character=who, kind="consequence", name=name, value=rank,
                           note=names, place=90))


LONGER, MOST_LETTERS = "of the Donaudampfschifffahrtsgesellschaft, owed a song by the ferrymen of Halm", 80


def lengthen(address: str) -> None:
    """Every character and every line of a sheet gets a name of eighty letters that begins as it was."""
    from campaigns import trail
    from characters.models import Character, Trait

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="Long names") as entry:
        for model in (Character, Trait):
            for row in model.objects.filter(campaign=campaign):
                entry.change(row, name=f"{row.name} {LONGER}"[:MOST_LETTERS].strip())


def fill(address: str, pool: str, value: int) -> None:
    """So much of this pool has each player's character."""
    from campaigns import trail
    from characters.models import Pool

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="In play") as entry:
        for held in Pool.objects.filter(character__campaign=campaign, character__player__isnull=False, name=pool):
            entry.change(held, value=value)


def begin(address: str, kind: str, without_first: bool = False, **typed: str) -> str:
    """Begins a contest of this kind, as its form opens for Alice, save what is `typed`, and with the first
    character by name, Bob's, left out; answers its id."""
    from play.models import Contest
    from tests.html_forms import Page

    campaign, clients = TABLES[address]
    at = f"{address}contests/start/{kind}/"
    form = Page(clients["Alice"].get(at)).form(action=at)
    words: dict[str, Any] = {name: TYPED.get(name, least) for name, least in form.as_it_opens().items()}
    if without_first:
        words |= _without_first(form)
    answer = form.send(clients["Alice"], **{**words, **typed})
    assert answer.status_code == 302, Page(answer).errors
    begun = Contest.objects.filter(campaign=campaign).values_list("pk", flat=True)
    return next(str(key) for key in begun if str(key) in answer.url)


def _without_first(form: Any) -> dict[str, str]:
    """What the form says where the first character has no part."""
    who = form.controls.get("who")
    return {"who": next(pk for pk in who.offered[1:] if pk)} if who else {"c0_side": ""}


def step(address: str, avoid: Sequence[str] = (), faces: Mapping[str, int] | None = None) -> Laid | None:
    """Does what is asked first, as its form opens, with words where they are needed; answers who did what.

    What `avoid` names is left to the browser; None where nothing else is asked. Dice show these `faces`, by how many
    sides they have, where they are given.
    """
    from play.now import asked_in

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    with _dice_show(faces or {}):
        for asked in asked_in([campaign])[campaign.pk]:
            action = _action(asked.url)
            if asked.duty and action not in avoid and _answered(address, asked, action):
                return {"who": asked.who, "action": action, "text": asked.text}
    return None


@contextmanager
def _dice_show(faces: Mapping[str, int]) -> Iterator[None]:
    from rules.dice import Stream

    falls = Stream.roll
    with mock.patch.object(
            Stream, "roll", lambda dice, sides: [faces.get(str(side), face)
                                                 for side, face in zip(sides, falls(dice, sides), strict=True)]):
        yield


def waiting(address: str) -> list[list[str]]:
    """What is asked now, as (who answers, act, the words)."""
    from play.now import asked_in

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    return [[ask.who, _action(ask.url), ask.text] for ask in asked_in([campaign])[campaign.pk] if ask.duty]


def _action(url: str) -> str:
    return url.partition("#offer-")[2].partition("-")[0] or url.rstrip("/").split("/")[-2]


def _answered(address: str, asked: Any, action: str) -> bool:
    """Sends the form that is asked for; whether it was taken."""
    from campaigns.models import Member
    from tests.html_forms import Page

    campaign, clients = TABLES[address]
    seat = Member.objects.filter(campaign=campaign, pk=asked.player).select_related("user").first()
    name = next((name for name in NAMES if seat and str(seat.user).startswith(name)), "Alice")
    by = asked.url.partition("#offer-")[2].partition("-")[2]
    page = Page(clients[name].get(asked.url.partition("#")[0]))
    forms = page.matching(action=f"/{action}/{by}/") if by else page.forms
    if by and not forms:  # a button of another form's
        pressed = [(form, button) for form in page.forms for button in form.buttons
                   if button.attributes.get("formaction", "").partition("?")[0].endswith(f"/{action}/{by}/")]
        return any(form.send(clients[name], button).status_code == 302 for form, button in pressed[:1])
    return any(_taken(clients[name], form, action, campaign.head_seq) for form in forms[:1])


def _taken(client: Any, form: Any, action: str, seed: int) -> bool:
    """Sends the form as it opens, then with words where they are needed, then with anything; whether it was taken."""
    from random import Random

    from tests.html_forms import Page

    chance, button = Random(f"{action}{seed}"), form.buttons[0] if form.buttons else None
    chosen = {field: value for field, value in CHOSEN.get(action, {}).items() if field in form.controls}
    opens, refused = form.as_it_opens(), form.send(client, button, **chosen)
    if refused.status_code == 302:
        return True
    missing = {control.name: control.at_random(chance) for back in Page(refused).matching(action=form.action)
               for control in back.shown if control.refused and control.name in form.controls}
    tried = (opens, {**missing, **opens}, *({**form.at_random(chance), **opens} for _ in range(12)))
    return any(form.send(client, button, **{**words, **chosen}).status_code == 302 for words in tried)


def act(address: str, name: str, action: str, faces: Mapping[str, int] | None = None) -> str:
    """Somebody does this act where a contest's own page has it; answers that page's address, "" where none has it.
    Dice show these `faces`, as in a `step`."""
    from play.models import Contest
    from tests.html_forms import Page

    campaign, clients = TABLES[address]
    campaign.refresh_from_db()
    for contest in Contest.objects.filter(campaign=campaign, over=False):
        at = f"{address}contests/{contest.pk}/"
        forms = [form for form in Page(clients[name].get(at)).forms if form.action.startswith(f"{at}{action}/")]
        with _dice_show(faces or {}):
            if any(_taken(clients[name], form, action, campaign.head_seq) for form in forms[:1]):
                return at
    return ""


def owe(address: str, times: int) -> None:
    """An NPC has damage that the GM has to assign, so many times."""
    from campaigns import trail
    from characters.models import Character
    from play.models import PendingAllocation

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    for number in range(times):
        with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="Hurt") as entry:
            npc = Character.objects.get(campaign=campaign, player=None)
            entry.create(PendingAllocation(
                campaign=entry.campaign, character=npc, type="damage", amount=number + 1, reason="the falling beam"))


OUT: dict[str, tuple[str, str, int]] = {
    "pdq_sharp": ("fallen", "Mostly dead", 1), "questworlds": ("adversity", "Bleeding", 4),
}
BEATEN = ("strength", "forte", "boxes")  # kinds of line that damage fills


def put_out(address: str, player: str) -> str:
    """This player's character can't act; answers why, as their tray says it."""
    from campaigns import trail
    from characters.models import Character, Pool, Trait

    campaign, _ = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    who = Character.objects.get(campaign=campaign, player__user__username__startswith=player)
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="Out") as entry:
        if line := OUT.get(campaign.system):
            kind, name, value = line
            entry.create(Trait(campaign=entry.campaign, character=who, kind=kind, name=name, value=value, place=90))
        for trait in who.traits.filter(kind__in=BEATEN).exclude(name__iexact="dead"):
            entry.change(trait, damage=trait.value + 2)
        if campaign.system == "pnc":
            entry.create(Pool(campaign=entry.campaign, character=who, name="unconscious", value=1))
    return str(campaign.rules.sheet.unable(Character.objects.get(pk=who.pk).sheet()))


def used_two(address: str, player: str) -> bool:
    """This player's character has used two abilities in the session, has what an advance takes, and three flaws."""
    from campaigns import trail
    from characters.models import Character, Pool, Trait
    from tests.html_forms import Page

    campaign, clients = TABLES[address]
    campaign.refresh_from_db()
    actor = campaign.members.get(user__username__startswith="Alice")
    who = Character.objects.get(campaign=campaign, player__user__username__startswith=player)
    flaws = [("flaw", f"Flaw {number}", 13) for number in range(3)]
    lines = [("ability", "Ropes", 10), ("ability", "Nets", 10), *flaws]
    with trail.entry(campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind="test", title="In play") as entry:
        for kind, name, value in lines:
            entry.create(Trait(campaign=entry.campaign, character=who, kind=kind, name=name, value=value, place=90))
        held = Pool.objects.filter(character=who, name="xp").first()
        price = campaign.settings["advance"]
        if held:
            entry.change(held, value=price)
        else:
            entry.create(Pool(campaign=entry.campaign, character=who, name="xp", value=price))
    for line in who.traits.filter(name__in=("Ropes", "Nets")):
        form = Page(clients[player].get(address)).form(action="/roll/")
        assert form.send(clients[player], ability=str(line.pk)).status_code == 302
    return True


def stop(address: str, player: str) -> bool:
    """This player presses the X-card."""
    answer = TABLES[address][1][player].post(f"{address}safety/x-card/", {"op_id": str(uuid.uuid4())})
    return bool(answer.status_code == 302)
