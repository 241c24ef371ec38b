"""A table of QuestWorlds that the server's own commands lay: people need not sign up one by one in their browsers.

    server.manage("shell", "-c", "from tests.browser.staging import lay; print(lay())")
"""
from __future__ import annotations

import json
import uuid

NAMES = ("Alice", "Bob", "Dana", "Eve")
ABILITIES = {"Sefa": ("Dances on rigging", 22), "Otho": ("Strong as the ferry chain", 21), "Bram": ("Shouts", 20)}


def lay() -> str:
    """Alice's campaign with a scene in which the characters of all others are: its address and cookies, as JSON."""
    from django.conf import settings

    from campaigns.models import Member
    from campaigns.services.founding import found
    from play.services import sessions
    from tests.conftest import join, logged_in, person
    from tests.play.conftest import character

    settings.ALLOWED_HOSTS = ["testserver", *settings.ALLOWED_HOSTS]
    table = uuid.uuid4().hex[:6]
    people = {each: person(f"{each}-{table}") for each in NAMES}
    campaign = found(user=people["Alice"], op_id=uuid.uuid4(), name=f"Salt {table}", system="questworlds",
                     dials={"long": "all"})
    made = []
    for who, (sheet, (ability, score)) in zip(NAMES[1:], ABILITIES.items(), strict=True):
        seat = join(campaign, people[who], "player")
        made.append(character(campaign, seat, sheet, [("ability", ability, score)], player=seat).pk)
    gm = Member.objects.get(campaign=campaign, user=people["Alice"])
    sessions.open_session(campaign=campaign, actor=gm, op_id=uuid.uuid4())
    sessions.open_scene(campaign=campaign, actor=gm, op_id=uuid.uuid4(), title="The lamp bridge", characters=made)
    cookies = {each: logged_in(user).cookies["sessionid"].value for each, user in people.items()}
    return json.dumps({"address": f"/c/{campaign.slug}/", "cookies": cookies})
