"""Danger World as a game system: its parts, what is prepared, and what a campaign can set."""
from __future__ import annotations

from rules.fields import Choice, Whole
from rules.system import PrepItemKind, System
from rules.systems.danger_world.aspects import SESSION_POINTS
from rules.systems.danger_world.rolls import DangerWorldRolls
from rules.systems.danger_world.session import DangerWorldSession
from rules.systems.danger_world.sheet import DangerWorldSheet
from rules.systems.danger_world.table import CheckAtTable
from rules.systems.danger_world.table.setup import AGREE, CHALLENGE, HINT, OWN_MOVE


class DangerWorld(System):
    slug = "danger_world"
    name = "Danger World"
    edition = "danger world 1"
    pitch = "Handfuls of dice, sets and re-rolls, and a danger track that pays and hurts."
    procedures = (CheckAtTable(),)
    sheet = DangerWorldSheet()
    rolls = DangerWorldRolls()
    session = DangerWorldSession()
    prep_items = (
        PrepItemKind("challenge", "Challenge", "Challenges", "A guarded yard, a storm, a creature: its difficulty, and "
                 "keywords that may speak for or against an attempt.", CHALLENGE),
        PrepItemKind("move", "Move", "Moves", "A move of your own: what a set of each height accomplishes.", (
            Choice(name="move", label="Use it as", default="own", options=(("own", "A move in words"),)), *OWN_MOVE)),
    )
    dials = (
        Whole(name="points", label="Story points for each session", default=SESSION_POINTS, least=0, most=20),
        AGREE,
        HINT,
    )
