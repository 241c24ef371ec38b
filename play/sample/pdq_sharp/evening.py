"""The script: a campaign is founded, two players join, one evening is played, the next has begun."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from campaigns.models import Campaign
from play.sample.pdq_sharp import story
from play.sample.pdq_sharp.duel import duel
from play.sample.pdq_sharp.table import Table
from play.services import scenes, sessions
from rules.systems.pdq_sharp.cast import MATTEO, ODILE, PERPETUA


def play(*, gm: Any, players: Sequence[Any]) -> Campaign:
    """Makes the campaign between these accounts, as people would; answers it as it stands at the end."""
    table = Table(gm, players)
    table.take("perpetua", PERPETUA, table.players[0])
    table.take("matteo", MATTEO, table.players[1])
    table.take("odile", ODILE, None)
    for key, line in story.NPCS.items():
        table.enter(key, line)
    sessions.open_session(**table.submission(), title="Forty steps")
    dice = table.style_dice()
    _customs_house(table, dice)
    table.scene(story.WATER_STAIRS, "perpetua", "matteo", "corvin", "guards", "pell")
    _before_the_duel(table, dice)
    duel(table)
    scenes.close_scene(**table.submission(), values={})
    table.settle()
    table.act(dice, "last_call")
    table.act(dice, "fact", "matteo", weight="minor", words="Everybody on the Long Canal owes Tib a drink.")
    sessions.close_session(**table.submission(), title="Forty steps", recap=story.RECAP)
    sessions.open_session(**table.submission(), title="What the chart leaves out")
    table.scene(story.MORNING, "perpetua", "matteo")
    table.act(table.style_dice(), "award", here=[str(table.people[key]) for key in ("perpetua", "matteo")])
    table.campaign.refresh_from_db()
    return table.campaign


def _customs_house(table: Table, dice: uuid.UUID) -> None:
    """Awards, a foible that is taken, a challenge with help, good form, a gift."""
    people = {key: str(pk) for key, pk in table.people.items()}
    table.act(dice, "award", here=[people["perpetua"], people["matteo"]], snacks=[people["matteo"]], hosting=["gm"])
    table.scene(story.CUSTOMS_HOUSE, "perpetua", "matteo")
    task = table.start("pdq_sharp.challenge_at_table", "Read what the compass points at", "perpetua",
                       difficulty="expert", harm="none")
    table.act(task, "help", "matteo", fortes=[table.line("matteo", "Reads the tide")])
    table.act(task, "roll", "perpetua", fortes=[table.line("perpetua", "Shipwright’s daughter")], style=0)
    while not (position := table.position(task)).contest.over:
        table.act(task, position.asks[0].action, position.asks[0].by)
    table.act(dice, "offer", foible=f"{people['perpetua']}/{table.line('perpetua', 'Must have the last word')}", dice=1,
              words="You answer the night watch, aloud, by name.")
    table.act(dice, "raise_offer", number="1", dice=2)
    table.act(dice, "take", "perpetua")
    table.act(dice, "good_form", to=people["matteo"], dice=1, words="For bribing the watch with its own lamp oil.")
    table.act(dice, "gift", "perpetua", to=people["matteo"], dice=1, words="“After you. I insist. There are forty.”")
    table.act(dice, "answer")
    scenes.close_scene(**table.submission(), values={})
    table.settle()


def _before_the_duel(table: Table, dice: uuid.UUID) -> None:
    """A flashy challenge for the audience, the villain's own dice, and a fact that two pay for."""
    show = table.start("pdq_sharp.flashy_at_table", "Whose hat falls first", "perpetua", "corvin")
    table.act(dice, "set_dice", to=str(table.people["corvin"]), dice=2)
    for key, forte in (("perpetua", "School of Saint Orme"), ("corvin", "Blade of the Margrave")):
        table.act(show, "roll", key, fortes=[table.line(key, forte)], style=0)
    while not (position := table.position(show)).contest.over:
        table.act(show, position.asks[0].action, position.asks[0].by)
    table.act(dice, "fact", "matteo", weight="major", pool=True,
              words="The boats under the stairs are mine, and they are full of lamp oil.")
    table.act(dice, "chip_in", "perpetua", fact="2", dice=1)
