"""What the table lets one begin or change: a button or two, and the GM's menu at the scene's title."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from campaigns.access import Viewer
from rules.engine import Procedure


@dataclass(frozen=True)
class Link:
    """A page that one goes to, by the words of its link."""

    label: str
    url: str


class Press(Link):
    """What is done at once where one presses its words."""

    posts = True


@dataclass(frozen=True)
class SceneMenu:
    """The buttons under the title, the likeliest first, and what is folded into the menu."""

    title: str
    buttons: tuple[Link, ...]
    items: tuple[Link, ...] = ()
    begins: tuple[Link, ...] = ()


def scene_menu(
    viewer: Viewer, startable: Sequence[Procedure[Any]], *, scene: bool, session: bool, hurt: bool
) -> SceneMenu:
    """`scene`, `session`: whether one is on; `hurt`: whether anybody could recover once more."""

    def link(label: str, name: str, *args: str) -> Link:
        return Link(label, reverse(name, args=[viewer.campaign.slug, *args]))

    title = "Scene" if scene else "Session"
    begin = [link(procedure.start_label, "start_contest", procedure.slug) for procedure in startable]
    rules, buttons, items = viewer.campaign.rules, list[Link](), list[Link]()
    safety = link("Lines and veils", "safety")
    if not viewer.runs:
        # A player rolls from the tray; what else one may begin is folded.
        folded, first = (tuple(begin), ()) if rules.has_tray else ((), tuple(begin))
        return SceneMenu("Other actions", first, (safety,), folded)
    if scene:
        buttons, begin = begin[:1], begin[1:]
        buttons += [link("Ask for a roll", "ask_roll")] if rules.has_tray else []
        items = [link("Show a handout", "handout"), link("Edit who is here", "presence"),
                 link("End the scene", "close_scene"), link("End the session", "close_session")]
    elif session:
        buttons = [link("Open a scene", "open_scene"), link("End the session", "close_session")]
    else:
        buttons = [link("Open a session", "chronicle")]
    items += [link("Recover again", "recover")] if hurt else []
    items += [link("Give a modifier", "give_modifier")] if rules.modifiers else []
    return SceneMenu(title, tuple(buttons), (*items, safety), tuple(begin))
