"""The roll tray as a person has it: what its page shows, filled in and sent, and nothing else."""
from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.test import Client


def tray_in(page: str) -> str:
    """The tray of a page, as HTML."""
    return page.partition('<form id="tray"')[2].partition("</form>")[0]


def sent_by(page: str) -> dict[str, Any]:
    """What a browser would send of the tray as it is: each name with all its values."""
    tray = tray_in(page)
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", tray):
        said = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if said.get("type") not in ("radio", "checkbox") or re.search(r"\schecked", tag):
            sent.setdefault(said["name"], []).append(unescape(said.get("value", "")))
    for name, inner in re.findall(r'<select name="([^"]*)"[^>]*>(.*?)</select>', tray, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)"[^>]*selected', inner) or re.search(r'value="([^"]*)"', inner)
        sent[name] = [unescape(chosen[1])] if chosen else []
    return sent


def label_of(page: str, name: str, value: str) -> str:
    """The words beside a choice of the tray; fails where it is not there to be chosen."""
    tray = tray_in(page)
    tag = re.search(rf'<input[^>]*name="{name}"[^>]*value="{value}"[^>]*>(.*?)</label>', tray, re.DOTALL)
    option = re.search(rf'<option value="{value}"[^>]*>([^<]*)', tray.partition(f'<select name="{name}"')[2])
    assert tag or option, f"{name} has no {value}"
    return " ".join(unescape(re.sub("<[^>]*>", "", (tag or option)[1])).split())  # type: ignore[index]


def shown(client: Client, campaign: Any, who: Any) -> str:
    """What goes along with a press of what this tray shows now."""
    page = client.get(f"/c/{campaign.slug}/", {"character": str(who.pk)}).content.decode()
    return str(sent_by(page).get("shown", [""])[0])


def who_rolls(client: Client, campaign: Any) -> str:
    """What stands chosen in the tray as it opens."""
    page = client.get(f"/c/{campaign.slug}/").content.decode()
    return str(sent_by(page)["character"][0])
