"""The builder's tally, which stands above the lines, at a desk beside them, and lies over nothing."""
from __future__ import annotations

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.gate import seldom
from tests.pictures import GAMES

SCREENS = ((390, 844), (768, 1024), (1280, 900))
UNCOUNTED = {"pnc"}  # a game that counts nothing has no tally
# What meets the tally's box by more than an edge.
UNDER = """() => {
  const tally = document.querySelector("#budget"), {left, right, top, bottom} = tally.getBoundingClientRect();
  const fields = [...document.querySelectorAll("main :is(label, input:not([type=hidden]), select, textarea)")];
  const meets = fields.filter((field) => !tally.contains(field) && field.checkVisibility()).filter((field) => {
    const box = field.getBoundingClientRect();
    return box.width > 2 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
  });
  const lines = document.querySelector(".builder-line, .figures").getBoundingClientRect();
  return {
    shown: tally.checkVisibility(), meets: meets.map((field) => field.name || field.textContent.trim()),
    above: bottom <= lines.top, beside: left >= lines.right,
  };
}"""


@seldom
def test_the_tally_lies_over_no_field(server: Server, guest: MakeGuest) -> None:
    desk = guest()
    for game in GAMES:
        laid = server.lay("scene", game)
        page = logged_in(desk, server, laid["cookies"]["Alice"])
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{server.url}{laid['address']}characters/new/")
            tally = page.evaluate(UNDER)
            said = f"{game} at {width}: {tally}"
            assert tally["shown"] == (game not in UNCOUNTED) and not tally["meets"], said
            assert tally["beside" if width >= 1024 else "above"] or not tally["shown"], said
