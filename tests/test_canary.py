"""A word that stands only in what GMs read is in nothing that anybody else gets, in any game.

The site is filled with that word wherever a GM can write in secret, then everything is opened as a player, as an
observer and as another campaign's GM. Outside the Ledger and the export a player's pages do not change by a byte.
"""
from __future__ import annotations

import asyncio
import itertools
import uuid
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import models, transaction
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.access import Viewer
from campaigns.models import Member, Role, View
from campaigns.services import pages, sharing
from campaigns.services.founding import found
from campaigns.trail.export import export
from campaigns.trail.tracked import TRACKED
from campaigns.trail.visible import head_of
from characters.models import Character
from characters.services import lifecycle, sight
from config.live import Hub, Live, place_for
from config.visits import Visits
from play import matrix
from play.models import AskedRoll, PlanScene, PrepItem
from play.services import asked_rolls, library, plan, sessions
from rules import quick_lines
from rules.codec import VERSION, canonical
from rules.tray import named_field, named_words
from tests.conftest import join, logged_in, person
from tests.doors import ROWS, UP
from tests.effort import some, tries
from tests.games import ROLLED
from tests.html_forms import Page
from tests.play.conftest import character
from tests.play.test_behind_the_screen import put_in_the_way, roll_unseen
from tests.play.test_sealed_stays_quiet import ONCE
from tests.test_every_url import ONLY, ROUTES
from tests.upgrade.opening import things

pytestmark = pytest.mark.django_db

WORD, NUMBER, PRIVATE = "Zwirnfaden", 707171, "Quittenmus"
MOST = tries(2, 8)  # addresses of a route
LEDGER = {"ledger", "entry", "export", "since", "verify", "receipts"}  # where sealed entries have their envelopes
# Fields of what GMs alone read that hold no words: a choice of a list, or data as the rules write it.
NO_WORDS = {"type", "kind", "view", "digest", "spec", "lines"}
SEALED = models.Q(pk=None)


def by(campaign: Any, actor: Any, **more: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4(), **more}


def line_kind(campaign: Any) -> str:
    """A kind of line with a value, as most sheets of the game have it."""
    return next(trait_kind.name for trait_kind in campaign.rules.sheet.trait_kinds if trait_kind.values)


def begun(campaign: Any, gm: Any, player: Any) -> None:
    """What everybody knows: a player's character, an NPC's face, a note, and a scene with both in it."""
    kind = line_kind(campaign)
    ilse = character(campaign, player, "Ilse", [(kind, "Maps", 2)], player=player)
    ferryman = character(campaign, gm, "The Ferryman", [], npc=True, hidden=True)
    sight.look(**by(campaign, gm, character_id=ferryman.pk, looks="A lantern, no voice"))
    sight.face(**by(campaign, gm, character_id=ferryman.pk))
    written = pages.write(**by(campaign, gm, title="The Abbey", words="Old", looks="A ruin", whose="gm"))
    pages.see(**by(campaign, gm, page_id=pages.id_from(campaign, written.op_id), view=View.FACE))
    pages.write(**by(campaign, player, title="The road", words="To [[The Abbey]] with [[The Ferryman]]"))
    pages.write(**by(campaign, player, title=PRIVATE, words=PRIVATE, whose="mine", about_id=ferryman.pk))
    sessions.open_session(**by(campaign, gm))
    sessions.open_scene(**by(campaign, gm, title="The dry well", characters=[ilse.pk, ferryman.pk]))
    asked_rolls.ask(**by(campaign, gm, characters=[ilse.pk], what="Cross", values=difficulty(campaign, 0), sealed=True))
    campaign.refresh_from_db()


def difficulty(campaign: Any, number: int) -> dict[str, Any]:
    """One of the named difficulties of the game, as an obstacle has it."""
    fields = campaign.rules.rolls.obstacle
    return {named_field(fields): [word for word, _ in named_words(fields) if word][number]}


def row_of(kind: Any, campaign: Any, entry: Any, known: Mapping[str, Any]) -> models.Model:
    """A row of a table that only GMs read, the word in every text of it."""
    held: dict[str, Any] = {kind.campaign: campaign.pk}
    for name in kind.fields:
        field = kind._named(name)
        if isinstance(field, (models.CharField, models.TextField)) and field.name not in NO_WORDS:
            held[name] = WORD
        elif name.endswith("_id") and not field.null:
            held[name] = known[name]
        elif name in ("spec", "lines"):
            held[name] = canonical({"v": VERSION, "fields": {"text": WORD}})
        elif name in ("type", "kind"):
            held[name] = "note"
        elif not field.null and not field.has_default():
            held[name] = 1
    return entry.create(kind.model(**held))  # type: ignore[no-any-return]


def hide_the_word(campaign: Any, gm: Any) -> None:
    """Writes the word wherever a GM can write in secret."""
    kind = line_kind(campaign)
    spy = character(campaign, gm, f"Spy {WORD}", [(kind, f"Knives {WORD}", NUMBER)], npc=True, hidden=True,
                    concept=WORD, story=WORD, looks=WORD)
    lifecycle.note(**by(campaign, gm, character_id=spy.pk, words=WORD))
    ferryman = Character.objects.get(campaign=campaign, name="The Ferryman")
    with trail.entry(**by(campaign, gm), kind="character.edit", title=WORD, audience=trail.GM) as entry:
        entry.change(ferryman, concept=WORD, story=WORD)
        entry.create(TRACKED["trait"].model(
            campaign=campaign, character=ferryman, kind=kind, name=WORD, value=NUMBER, note=WORD))
        entry.extra["reason"] = WORD
        entry.move({"text": f"{WORD} {WORD}"})
    lifecycle.note(**by(campaign, gm, character_id=ferryman.pk, words=WORD))
    pages.write(**by(campaign, gm, title=WORD, words=WORD, looks=WORD, whose="gm", about_id=ferryman.pk))
    abbey = campaign.pages.get(title="The Abbey")
    pages.write(**by(campaign, gm, title="The Abbey", words=f"{WORD} below", looks="A ruin", page_id=abbey.pk))
    known: dict[str, Any] = {"thing_id": spy.pk, "object_id": spy.pk, "member_id": gm.pk, "character_id": spy.pk}
    with trail.entry(**by(campaign, gm), kind="bank.write", title=WORD, audience=trail.GM) as entry:
        for table in TRACKED.values():
            if table.players_see == SEALED and table.campaign and table.name != "sight":
                known[f"{table.name}_id"] = known[table.name.removeprefix("session_") + "_id"] = row_of(
                    table, campaign, entry, known).pk
    prepare(campaign, gm)
    with trail.entry(**by(campaign, gm), kind="bank.write", title=WORD, audience=trail.GM) as entry:
        asked = entry.locked(AskedRoll, campaign=campaign)
        entry.change(asked, spec=canonical({"v": VERSION, "fields": difficulty(campaign, 1)}))
    sessions.set_presence(**by(campaign, gm, characters=[
        *Character.objects.filter(campaign=campaign).values_list("pk", flat=True)]))
    campaign.refresh_from_db()


def prepare(campaign: Any, gm: Any) -> None:
    """The word in every field of the desk: the library by its quick lines, the plan, the matrix."""
    lines = [quick_lines.read(f"{WORD} {starter.line}, #{WORD}", campaign.rules, starter.kind, text=WORD)
             for starter in campaign.rules.starters]
    library.add(**by(campaign, gm, lines=[line for line in lines if line.ready]))
    plan.write_plan(**by(campaign, gm, title=f"{WORD} plan", notes=WORD))
    plan.write_scene(**by(campaign, gm, title=f"{WORD} scene", words=WORD, notes=WORD))
    scene = PlanScene.objects.get(title=f"{WORD} scene")
    for type_ in plan.TYPED:
        plan.add_line(**by(campaign, gm, words=f"{WORD} {type_}", type=type_, plan_scene_id=scene.pk))
    kind = next(procedure for procedure in campaign.rules.procedures if procedure.casting.who != "everyone")
    plan.write_contest(**by(
        campaign, gm, kind=kind.name, title=f"{WORD} contest", said={"title": WORD}, plan_scene_id=scene.pk))
    for item in PrepItem.objects.filter(campaign=campaign, name__contains=WORD).exclude(name=WORD)[:3]:
        plan.add_line(**by(campaign, gm, thing_id=item.pk, plan_scene_id=scene.pk))


def shared_links(campaign: Any, gm: Any) -> list[str]:
    """The addresses of links to each sheet that everybody knows, and to the Chronicle."""
    known = Character.objects.filter(campaign=campaign, hidden=False)
    shown = [("chronicle", None), *(("sheet", character.pk) for character in known)]
    for number, (of, pk) in enumerate(shown):
        sharing.share(**by(campaign, gm, of=of, object_id=pk, token=f"{campaign.slug}-{number}"))
    campaign.refresh_from_db()
    return [reverse("shared", args=[f"{campaign.slug}-{number}"]) for number in range(len(shown))]


def everything(campaign: Any) -> dict[str, list[Any]]:
    """What stands in addresses, a few of each; of the entries the first, and the last."""
    seqs = [1, *range(max(1, campaign.head_seq - 2), campaign.head_seq + 1)]
    return {**{name: thing[-4:] for name, thing in things(campaign).items()}, "seq": sorted(set(seqs))}


def addresses(have: Mapping[str, list[Any]]) -> Iterator[tuple[str, str]]:
    """Every address that takes a GET."""
    for route, needed in ROUTES:
        got = ROWS[route][0] if route in ROWS else UP
        if got is not UP and got.status != 405 and "slug" in needed and not route.startswith("old_"):
            named = {**have, **{name: [value] for name, value in ONLY.get(route, {}).items()}}
            for chosen in itertools.islice(itertools.product(*(named.get(kind, []) for kind in needed)), MOST):
                yield route, reverse(route, kwargs=dict(zip(needed, chosen, strict=True)))
    slug = have["slug"][0]
    for route in ("search", "characters", "ledger", "pages", "prepare"):
        yield "ledger", reverse(route, args=[slug]) + f"?q={WORD[:5]}&kind=sheets&shelf=found&type=place"


def read(browser: Client, address: str) -> str:
    """An answer, whole, without what every form brings anew."""
    answer = browser.get(address)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return ONCE.sub("", content.decode(errors="replace"))


def posted(browser: Client, have: Mapping[str, list[Any]], secrets: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a player is answered who sends the ids of hidden things."""
    for route, needed in ROUTES:
        door = ROWS[route][1]
        if "slug" in needed and door.least in ("player", "observer") and door.status == 422:
            named = {**have, **{name: [value] for name, value in ONLY.get(route, {}).items()}}
            if all(named.get(kind) for kind in needed):
                address = reverse(route, kwargs={kind: named[kind][0] for kind in needed})
                with transaction.atomic():
                    answer = browser.post(address, {"op_id": str(uuid.uuid4()), **secrets})
                    transaction.set_rollback(True)
                yield address, answer.content.decode(errors="replace")


class HereHub(Hub):
    """A hub that was told beforehand where its listener is: the test's own transaction is in no other thread."""

    place: Any = None

    async def in_thread(self, work: Callable[..., Any], *arguments: Any) -> Any:
        assert work is place_for
        return self.place


def streamed(browser: Client, campaign: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """All that the live stream says to whoever opens it, until it has said how far the campaign is."""
    monkeypatch.setattr("config.live.connection", SimpleNamespace(close=lambda: None))
    cookie = f"sessionid={browser.cookies['sessionid'].value}"
    place, said = place_for(cookie, campaign.slug), list[bytes]()

    async def listen() -> None:
        heard, stream = asyncio.Event(), Live(Visits(most=10, most_each=10, most_bytes=0))
        stream._hub = HereHub(stream._thread)
        stream._hub.place = place

        async def found(*arguments: Any) -> Any:
            return place

        monkeypatch.setattr(stream, "_place", found)

        async def send(message: Any) -> None:
            said.append(message.get("body", b""))
            if b"data" in said[-1]:
                heard.set()

        async def receive() -> Any:
            await heard.wait()
            return {"type": "http.disconnect"}

        scope = {"headers": [(b"cookie", cookie.encode())], "client": ("192.0.2.1", 5000)}
        await stream(scope, receive, send, campaign.slug)

    asyncio.run(listen())
    return b"".join(said).decode()


def wrong(text: str, *words: str) -> bool:
    return any(word.casefold() in text.casefold() for word in words)


@pytest.mark.parametrize("system", some(ROLLED, "questworlds"))
def test_what_gms_alone_read_is_in_nothing_that_others_get(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system=system)
    gm = campaign.members.get()
    elsewhere = found(user=person("Gunnar"), op_id=uuid.uuid4(), name="Elsewhere", system=system)
    player, observer = join(campaign, person("Bob"), Role.PLAYER), join(campaign, person("Otto"), Role.OBSERVER)
    begun(campaign, gm, player)
    bob, otto, gunnar = (logged_in(member.user) for member in (player, observer, elsewhere.members.get()))
    public = [address for address in addresses(everything(campaign)) if address[0] not in LEDGER]
    outside, nobody = shared_links(campaign, gm), Client()
    told = {address: read(nobody, address) for address in outside}
    read(bob, reverse("table", args=[campaign.slug]))  # the first look at the table is no news after it
    before, head = {address: read(bob, address) for _, address in public}, head_of(Viewer(campaign, player))
    stream = streamed(bob, campaign, monkeypatch)
    assert f"data: {head.seq}" in stream

    hide_the_word(campaign, gm)
    Member.objects.filter(pk=player.pk).update(seen_seq=head.seq)
    changed = [address for address, was in before.items() if read(bob, address) != was]
    assert not changed
    # Who opens a link, a GM who is logged in or nobody, gets the same, and no secret.
    for browser in (nobody, logged_in(gm.user)):
        assert told == {address: read(browser, address) for address in outside}
    assert not [address for address, text in told.items() if wrong(text, WORD, str(NUMBER), PRIVATE)]
    assert head_of(Viewer(campaign, observer)).seq == head.seq
    assert streamed(bob, campaign, monkeypatch) == stream

    have = everything(campaign)
    heard = [("otto", address, read(otto, address)) for _, address in addresses(have)]
    heard += [("gunnar", address, read(gunnar, address)) for address in dict(addresses(have)).values()]
    heard += [("bob", address, read(bob, address)) for route, address in addresses(have)
              if route in LEDGER or address not in before]
    spy = Character.objects.get(campaign=campaign, name__startswith="Spy")
    ids = {"character": spy.pk, "who": spy.pk, "characters": spy.pk, "roller": spy.pk,
           "traits": spy.traits.get().pk, "against": spy.traits.get().pk, "target": spy.pk}
    heard += [("bob posts", *answer) for answer in posted(bob, have, {name: str(pk) for name, pk in ids.items()})]
    leaks = [f"{name} {address}" for name, address, text in heard if wrong(text, WORD, str(NUMBER))]
    assert not leaks
    assert not [f"{name} {address}" for name, address, text in heard if "bob" not in name and wrong(text, PRIVATE)]


def played(campaign: Any, gm: Any, alice: Client) -> None:
    """The night runs as it was prepared: a planned scene opens with what is hidden, each percentage of the matrix is
    pressed, and somebody rolls behind the screen."""
    plan.write_scene(**by(campaign, gm, title="The ferry", words="Fog."))
    scene = PlanScene.objects.get(campaign=campaign, title="The ferry")
    hidden = PrepItem.objects.filter(campaign=campaign, name__contains=WORD).exclude(name=WORD)
    spies = Character.objects.filter(campaign=campaign, npc=True, hidden=True, face=False)
    for thing in (*hidden.values_list("pk", flat=True)[:6], *spies.values_list("pk", flat=True)[:2]):
        plan.add_line(**by(campaign, gm, thing_id=thing, plan_scene_id=scene.pk))
    opening = Page(alice.get(reverse("plan_open", args=[campaign.slug, scene.pk])))
    assert opening.form(button="Open this scene").send(alice).status_code == 302
    campaign.refresh_from_db()
    viewer, pressed = Viewer(campaign, gm), 0
    for row, who in itertools.product(matrix.prepared(viewer)[0][:12], matrix.people(viewer)):
        cell = Page(alice.get(reverse("matrix_fit", args=[campaign.slug, row.thing, row.place, who.id])))
        for form in cell.matching(action="/matrix/ask/"):
            assert form.send(alice).status_code == 302
            pressed += 1
    assert pressed
    put_in_the_way(campaign, gm)
    assert roll_unseen(alice, campaign, gm, f"Lurker {WORD}").audience == trail.GM
    campaign.refresh_from_db()


@pytest.mark.parametrize("system", some(ROLLED, "pnc"))
def test_when_the_night_runs_players_learn_that_something_is_there_and_no_more(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = found(user=person("Alice"), op_id=uuid.uuid4(), name="The Salt Road", system=system)
    gm = campaign.members.get()
    player, observer = join(campaign, person("Bob"), Role.PLAYER), join(campaign, person("Otto"), Role.OBSERVER)
    begun(campaign, gm, player)
    hide_the_word(campaign, gm)
    played(campaign, gm, logged_in(gm.user))
    browsers = {name: logged_in(member.user) for name, member in (("bob", player), ("otto", observer))}
    table = read(browsers["bob"], reverse("table", args=[campaign.slug]))
    assert "The ferry" in table and "Something unknown" in table
    have = everything(campaign)
    heard = [(name, address, read(browser, address)) for name, browser in browsers.items()
             for _, address in addresses(have)]
    heard.append(("bob", "stream", streamed(browsers["bob"], campaign, monkeypatch)))
    heard += [(name, "export", "".join(export(Viewer(campaign, member))))
              for name, member in (("bob", player), ("otto", observer))]
    leaks = [f"{name} {address}" for name, address, text in heard if wrong(text, WORD, str(NUMBER))]
    assert not leaks
