"""Longer set-ups, done without a browser: `Server.lay` asks for them."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from tests.browser import moments

MOST_ROUNDS = 40
AFTER_A_WON_PAIR = {"Parting shot", "Assist someone"}


def duelists(ready: Sequence[int], lines: Sequence[str], here: Sequence[str]) -> moments.Laid:
    """Alice's campaign of swashbucklers: a player for each of these ready-made characters, NPCs of these lines, and a
    scene with `here`. Its address, everyone's cookies, and the players' names."""
    from campaigns.services.founding import found
    from characters.models import Character
    from characters.services import editing, npcs
    from play.services import sessions
    from tests.conftest import join, logged_in, person

    at_all, players = uuid.uuid4().hex[:6], ("Bob", "Dana", "Eve")[:len(ready)]
    people = {name: person(f"{name}-{at_all}") for name in ("Alice", *players)}
    campaign = found(
        user=people["Alice"], op_id=uuid.uuid4(), name=f"The Gilded Compass {at_all}", system="pdq_sharp")
    by = {"campaign": campaign, "actor": campaign.members.get(user=people["Alice"])}
    for name, number in zip(players, ready, strict=True):
        editing.create_ready(**by, op_id=uuid.uuid4(), ready=campaign.rules.sheet.ready_made[number],
                             player=join(campaign, people[name], "player"))
    for line in lines:
        npcs.quick(**by, op_id=uuid.uuid4(), line=line)
    known = dict(Character.objects.filter(campaign=campaign).values_list("name", "pk"))
    sessions.open_session(**by, op_id=uuid.uuid4())
    sessions.open_scene(
        **by, op_id=uuid.uuid4(), title="The water stairs", characters=[known[name] for name in here])
    address, clients = f"/c/{campaign.slug}/", {name: logged_in(user) for name, user in people.items()}
    moments.TABLES[address] = (campaign, clients)
    cookies = {name: client.cookies["sessionid"].value for name, client in clients.items()}
    return {"address": address, "cookies": cookies, "players": players}


def won(address: str, opponents: str) -> moments.Laid | None:
    """Plays a scored contest until a player has won a pair while another pair goes on: whose page it is, and where.
    None where it came otherwise: nobody has a round to play any more."""
    at = f"{address}contests/{moments.begin(address, 'scored', opponents=opponents)}/"
    players = [name for name in moments.TABLES[address][1] if name != "Alice"]
    while True:
        if who := next((name for name in players if _has_won(name, at)), ""):
            return {"who": who, "contest": at}
        clients = [moments.TABLES[address][1][name] for name in players]
        if not sum(_pressed(client, at, ("Roll ", "Let it stand")) for client in clients):
            return None


def _has_won(name: str, at: str) -> bool:
    """Whether this player has won their pair, and another goes on."""
    from tests.html_forms import Page

    client = moments.TABLES[at.partition("contests/")[0]][1][name]
    return {title.text for title in Page(client.get(at)).of_class("meanwhile", "b")} >= AFTER_A_WON_PAIR


def _pressed(client: Any, at: str, titles: Sequence[str]) -> int:
    """Presses each of these buttons that the contest's page has; answers how many there were."""
    from tests.html_forms import Page

    presses = 0
    for title in titles:
        pressed = next(((form, button) for form in Page(client.get(at)).forms for button in form.buttons
                        if form.action.startswith(at) and button.words.startswith(title)), None)
        if pressed:
            assert pressed[0].send(client, pressed[1]).status_code == 302, title
            presses += 1
    return presses


def play_on(address: str, at: str, titles: Sequence[str]) -> int:
    """All players press these buttons wherever they have one, until the contest is over; answers how many rounds."""
    clients = moments.TABLES[address][1]
    for number in range(10 * MOST_ROUNDS):
        if "The prize goes to" in clients["Alice"].get(at).content.decode():
            return number
        presses = sum(_pressed(client, at, titles) for name, client in clients.items() if name != "Alice")
        assert presses, "it goes on, and nobody has a button"
    raise AssertionError("It never ends.")
