"""The script: a campaign is founded, the player joins by a link, one evening is played, the next has begun."""
from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from campaigns.models import Campaign, Invitation, Role, View
from campaigns.services import founding, inviting, undoing
from characters.services import lifecycle, pools
from play.sample import story
from play.sample.fight import fight
from play.sample.recap import Evening, dawn, recap
from play.sample.story import Setting
from play.sample.table import Table, succeeded
from play.services import obstacles, scenes, sessions
from rules.dice import new_token
from rules.modifiers import Modifier

PRICE = 4  # what a rank costs


def play(*, gm: Any, player: Any) -> Campaign:
    """Makes the campaign between two accounts, as people would; answers it as it stands at the end."""
    table = _sit_down(gm, player)
    _people(table)
    evening = _first_session(table)
    _second_evening(table, evening)
    table.campaign.refresh_from_db()
    return table.campaign


def _sit_down(gm: Any, player: Any) -> Table:
    campaign = founding.found(
        user=gm, op_id=uuid4(), name=story.NAME, system=story.SYSTEM, pitch=story.PITCH, settings=story.SETTINGS
    )
    owner = campaign.members.get(user=gm)
    token = new_token()
    inviting.invite(
        campaign=campaign, actor=owner, op_id=uuid4(), role=Role.PLAYER, lasts=timedelta(days=7), most_uses=1,
        token=token,
    )
    inviting.join(invitation=Invitation.objects.get(campaign=campaign), user=player, op_id=uuid4())
    return Table(campaign, owner, campaign.members.get(user=player))


def _people(table: Table) -> None:
    for person in story.PLAYED:
        table.enter(person, npc=False)
    for person in story.NPCS:
        table.enter(person, npc=True)
    for key, line in story.QUICK.items():
        table.enter_quickly(key, line)


def _first_session(table: Table) -> Evening:
    sessions.open_session(**table.submission(), title="Day one: smoke")
    sank, found_way, delivered, counted, watched = _dry_road(table)
    lifecycle.show(**table.submission(), character_id=table.people["creel"])
    table.open_scene(story.GATEHOUSE)
    undoing.reveal(**table.submission(), seq=watched)
    ending = fight(table)
    scenes.close_scene(**table.submission(), values={"danger": "momentary"})
    evening = Evening(
        tuple(map(table.name_of, sank)), found_way, delivered, counted, ending, tuple(map(table.name_of, ending.out))
    )
    _rewards(table)
    sessions.close_session(**table.submission(), title="Day one: smoke", recap=recap(evening))
    return evening


def _dry_road(table: Table) -> tuple[list[str], bool, bool, bool, int]:
    """The first scene; answers who sank, which tests came off, and which entry was rolled behind the screen."""
    table.open_scene(story.DRY_ROAD)
    table.roll("ivo", "Say whether the silt will carry a person", "Dams and what breaks them", difficulty="good",
               simple=True)
    table.roll("nell", "Ride the church road before it goes soft", "Bicycle and bad roads", difficulty="average",
               lines=[Modifier("downshift", 1, "Two full mail sacks")])
    way = table.roll("hester", "Find the way that was the way to school", "Born in Halm", difficulty="master",
                     helped=("nell", "Knows every door"))
    sank = _silt(table)
    watched = table.roll("creel", "Counts the lamps on the road, from the dam", "Watches the road", hidden=True,
                         difficulty="good")
    table.pending("nell", "She reads the address out loud to the closed door until it opens")
    letter = table.roll("nell", "Hand over a letter that is thirty years late", "Won’t be told",
                        against=("amos", "Stubborn as the church"))
    plates = table.roll("joss", "Count them in the plates, and at their doors", "The one good picture",
                        difficulty="expert")
    table.roll("ringer", "Does it notice that somebody is counting?", "Knows who is counted", hidden=True,
               difficulty="good")
    wrong = table.award("joss", 1, "For the letter")
    undoing.undo(**table.submission(), seq=wrong.seq, reason="The letter was Nell’s")
    table.award("nell", 1, "For the letter")
    scenes.close_scene(**table.submission(), values={"danger": "continuing"})
    table.settle()
    return sank, succeeded(way), succeeded(letter), succeeded(plates), watched.seq


def _silt(table: Table) -> list[str]:
    """Crossing the soft ground, until it has hurt somebody; answers who that was."""
    crossings = (
        ("ivo", "Cross the soft ground at the mill race", ("Cannot swim",), "good"),
        ("joss", "Follow, with the camera over her head", (), "good"),
        ("hester", "Go back for the tripod", (), "expert"),
        # Nobody can do this one; by now it takes some luck to have come so far.
        ("ivo", "Go back for the telephone drum", ("Cannot swim",), "master"),
    )
    for key, what, uses, difficulty in crossings:
        table.roll(key, what, *uses, difficulty=difficulty, harm=True)
        if sank := table.settle():
            return sank
    return []


def _rewards(table: Table) -> None:
    """Experience for the evening; Nell has enough for a rank, and the player buys it."""
    for key, amount, reason in (
        ("nell", PRICE - 1, "For the round, in both directions"),
        ("hester", 3, "For eating the bread"),
        ("ivo", 2, "For standing between his own Board and his own wheel"),
        ("joss", 2, "For counting twice"),
    ):
        table.award(key, amount, reason)
    pools.grow(
        **table.submission(table.player), character_id=table.people["nell"],
        choice=f"raise:{table.trait('nell', 'Bicycle and bad roads')}",
    )


def _second_evening(table: Table, evening: Evening) -> None:
    """Open, with a scene that is on: whoever comes in can roll."""
    sessions.open_session(**table.submission(), title="Day two: bread")
    table.open_scene(
        Setting(
            "The bakery, before light",
            """\
Four in the morning by Amos Tarn's clock, which is right. The bakery is warm and the window runs with wet. Liddy has \
put out six cups without counting. Outside the people of Halm are coming to their doors, as they do on a Thursday.

On the counter lies a piece of paper that was not there last night. It is a list of names, in order, in a hand like \
something that learned it from gravestones. The last four names are yours.""",
            ("nell", "hester", "ivo", "joss", "amos", "liddy", "ringer"),
        ),
        more=dawn(evening.ending),
    )
    table.roll("hester", "Take a cup from her without saying the word", "Born in Halm",
               against=("liddy", "Sees what people need"))
    table.roll("joss", "Hold the list against the light", "The one good picture", difficulty="good")
    table.roll("ivo", "Read the water at the chapel step", "Dams and what breaks them", difficulty="master")
    table.roll("nell", "Ask Amos whom he has written down for today", "Knows every door",
               against=("amos", "Keeps the parish book"), helped=("joss", "Talks faster than you"),
               lines=[Modifier("downshift", 1, "On his left side")])
    table.pending("hester", "She reads her own name off the list, aloud, in the voice of a child of eleven")
    obstacles.put(
        **table.submission(), name="The hand that wrote the list", values={"difficulty": "average"}, view=View.ALL
    )
