"""Tables that lie ready: people need not sign up one by one in their browsers. `Server.lay` asks for them.

As a program: each line it reads names a function here and what it is given, as JSON; it answers with a line of JSON.
"""
from __future__ import annotations

import json
import shutil
import sys
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from tests.browser import company, moments, moving, preparing

NAMES = ("Alice", "Bob", "Dana", "Eve")
ABILITIES = {"Sefa": ("Dances on rigging", 22), "Otho": ("Strong as the ferry chain", 21), "Bram": ("Shouts", 20)}


Laid = dict[str, Any]


def lay() -> Laid:
    """Alice's campaign with a scene in which the characters of all others are: its address and cookies."""
    from campaigns.models import Member
    from campaigns.services.founding import found
    from play.services import sessions
    from tests.conftest import join, person
    from tests.play.conftest import character

    table = uuid.uuid4().hex[:6]
    people = {name: person(f"{name}-{table}") for name in NAMES}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"Salt {table}", system="questworlds",
                     settings={"long": "all"})
    made = []
    for who, (sheet, (ability, score)) in zip(NAMES[1:], ABILITIES.items(), strict=True):
        seat = join(campaign, people[who], "player")
        made.append(character(campaign, seat, sheet, [("ability", ability, score)], player=seat).pk)
    gm = Member.objects.get(campaign=campaign, user=people["Alice"])
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The lamp bridge", characters=made)
    return _entrance(campaign, people)


Line = tuple[str, str, int]  # what kind of line a sheet has, its name, its value
OF_GAMES: dict[str, Sequence[Line]] = {
    "pdq": (("strength", "Knife", 2),), "pdq_sharp": (("forte", "Knife", 2),), "pnc": (("feature", "Knife", 1),),
    "danger_world": (("stat", "Agility", 4), ("stat", "Speed", 3)), "questworlds": (("ability", "Knife", 17),),
}


def scene(system: str, ilse: Sequence[Line] = (), marrow: Sequence[Line] = ()) -> Laid:
    """Alice's campaign of this game, in a scene Bob's Ilse and the NPC Old Marrow: its address and cookies."""
    from campaigns.models import Member
    from campaigns.services.founding import found
    from play.services import sessions
    from tests.conftest import join, person
    from tests.play.conftest import character

    table = uuid.uuid4().hex[:6]
    people = {name: person(f"{name}-{table}") for name in ("Alice", "Bob")}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"The well {table}", system=system)
    seat, gm = join(campaign, people["Bob"], "player"), Member.objects.get(campaign=campaign, user=people["Alice"])
    usual = OF_GAMES[system]
    made = [character(campaign, seat, "Ilse", list(ilse or usual), player=seat),
            character(campaign, gm, "Old Marrow", list(marrow or usual), npc=True)]
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    sessions.open_scene(
        campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The dry well", characters=[row.pk for row in made])
    return _entrance(campaign, people)


NAMED = ("Rope-dancer of the Salt Fair", "Child of the smugglers’ coast", "Never looks down", "Talks while she fights",
         "Knows a rope by its smell", "Vanishes in a crowd of five or more")
MAIN_LINES, BREAKOUTS = 12, 2  # in each line that others can stand in


def hero(system: str) -> Laid:
    """A campaign of this game with Bob's hero of twelve lines with breakouts: the same, and the sheet's address."""
    from campaigns import trail
    from campaigns.services.founding import found
    from characters.models import Character, Trait
    from tests.conftest import join, person

    table = uuid.uuid4().hex[:6]
    people = {name: person(f"{name}-{table}") for name in ("Alice", "Bob")}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"The Salt Parliament {table}", system=system)
    seat, rules = join(campaign, people["Bob"], "player"), campaign.rules.sheet
    own = [kind for kind in rules.trait_kinds if not (kind.played or kind.fixed or kind.condition)]
    alone = [kind for kind in own if not kind.within and kind.lines != 0]
    with trail.entry(campaign=campaign, actor=seat, op_id=uuid.uuid4(), kind="character.create", title="Sefa") as entry:
        sefa = entry.create(Character(campaign=entry.campaign, name="Sefa Marrow", player=seat, story="Cut the chain.",
                                      concept="Rope-dancing smuggler’s daughter, owed a song by the ferrymen"))
        lines = [(line.kind, line.name, line.value) for line in rules.starting_lines() if line.name]
        fixed = [trait_kind.name for trait_kind in rules.trait_kinds if trait_kind.played]
        more = MAIN_LINES - len([kind for kind, *_ in lines if kind not in fixed])
        lines += [(kind.name, NAMED[place % len(NAMED)], kind.default)
                  for place, kind in zip(range(more), alone * MAIN_LINES, strict=False)]
        made = [entry.create(Trait(campaign=entry.campaign, character=sefa, kind=kind, name=name, value=value, place=at,
                                   note="In the rain" if at % 3 == 0 and kind not in fixed else ""))
                for at, (kind, name, value) in enumerate(lines)]
        for parent in made:
            kinds = [trait_kind for trait_kind in rules.trait_kinds if parent.kind in trait_kind.within]
            for within in (kinds * BREAKOUTS)[:BREAKOUTS]:
                entry.create(Trait(campaign=entry.campaign, character=sefa, kind=within.name, name="Dances on rigging",
                                   value=within.default, place=99, parent=parent))
    campaign.refresh_from_db()
    laid = _entrance(campaign, people)
    return {**laid, "sheet": f"{laid['address']}characters/{sefa.pk}/"}


def _entrance(campaign: Any, people: dict[str, Any]) -> Laid:
    from tests.conftest import logged_in

    address, clients = f"/c/{campaign.slug}/", {name: logged_in(user) for name, user in people.items()}
    moments.TABLES[address] = (campaign, clients)
    return {"address": address, "cookies": {
        name: client.cookies["sessionid"].value for name, client in clients.items()}}


def trials() -> None:
    """The empty database that trial tables are copied from; `manage.py trials` would migrate one."""
    from config.trials import files
    from tests.databases import migrated_file

    files.folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copy(migrated_file(), files.empty())


KNOWN: dict[str, Callable[..., Any]] = {
    "lay": lay, "scene": scene, "hero": hero, "table": moments.table, "begin": moments.begin, "step": moments.step,
    "waiting": moments.waiting, "act": moments.act, "hurt": moments.hurt, "fill": moments.fill,
    "lengthen": moments.lengthen, "owe": moments.owe, "put_out": moments.put_out, "stop": moments.stop,
    "used_two": moments.used_two, "trials": trials,
    "move": moving.move, "desk": preparing.desk,
    "duelists": company.duelists, "won": company.won, "play_on": company.play_on,
}


def main() -> None:
    """Lays what is asked for, until nothing more is."""
    import django
    from django.conf import settings

    django.setup()
    settings.ALLOWED_HOSTS = ["testserver", *settings.ALLOWED_HOSTS]
    for line in sys.stdin:
        name, *given = json.loads(line)
        laid = KNOWN[name](*given)
        print(json.dumps(laid), flush=True)


if __name__ == "__main__":
    main()
