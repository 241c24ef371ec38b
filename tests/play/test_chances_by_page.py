"""The chance that a page shows, read from its HTML while something is ticked by chance, against every throw of what
that press then rolls."""
from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from html import unescape
from itertools import combinations, product
from typing import Any

import pytest

from campaigns.models import Entry
from campaigns.services.undoing import undo
from rules.odds import by_brute_force
from rules.registry import kind_of
from rules.wording import percent
from tests.effort import tries
from tests.html_forms import Form, Page
from tests.play.test_words_by_page import Table, laid

pytestmark = pytest.mark.django_db

ROLLS, PRESSES = tries(4, 300), 8  # presses for each roll at most: some are refused, some ask the GM
SHARE = r"((?:over |under )?[\d.]+%)"
BAR = r'(?:aria-label|title|alt)="[^"]*{} ' + SHARE
READ = {**dict.fromkeys(("pdq", "pdq_sharp", "pnc"), BAR.format("Success")), "questworlds": BAR.format("Victory"),
        "danger_world": f"{SHARE} to accomplish it with the best re-rolls"}
OLDER = {"by_degree": True, "states": True, "fortune": True, "tie": "player"}
MOST_OWN = 7  # of more dice every choice takes too long to try


def of_move(field: str, wins: Any) -> Callable[[str, Mapping[str, Any]], Fraction]:
    def chance(move: str, given: Mapping[str, Any]) -> Fraction:
        kind: Any = kind_of(move)
        return by_brute_force(kind, kind.read(given), field).get(wins, Fraction(0))
    return chance


def of_pnc(move: str, given: Mapping[str, Any]) -> Fraction:
    """A d20 over the three that count; 20 always succeeds, 1 never (PN-02, PN-05)."""
    net = given["bonus"] - given["penalty"]
    more = min(3, abs(net))
    sums = Counter(sum(sorted(faces)[:3] if net > 0 else sorted(faces)[-3:])
                   for faces in product(range(1, 7), repeat=3 + more))
    over = sum(ways for sum_, ways in sums.items() for d20 in range(1, 21) if d20 == 20 or (d20 > 1 and d20 > sum_))
    return Fraction(over, 20 * sums.total())


def of_danger_world(move: str, given: Mapping[str, Any]) -> Fraction:
    """The best of every choice of dice to roll again, two times; threat dice are in no set (DW-02, DW-04)."""
    pool, high = given["pool"], given["difficulty"]
    own = int(pool["action"] + pool["danger"])
    falls = [Counter(tuple(sorted(throw)) for throw in product(range(1, 7), repeat=many)) for many in range(own + 1)]

    @cache
    def best(lie: tuple[int, ...], left: int) -> int:
        """Of 6 to the power of `own * left` ways."""
        if not left:
            return int(any(lie.count(face) >= face for face in range(high, 7)))
        return max(rolled(keep, left) for many in range(own + 1) for keep in {*combinations(lie, many)})

    @cache
    def rolled(keep: tuple[int, ...], left: int) -> int:
        there = sum(ways * best(tuple(sorted(keep + more)), left - 1) for more, ways in falls[own - len(keep)].items())
        return there * int(6 ** len(keep))

    return Fraction(rolled((), 3), 6 ** (3 * own))


BRUTE: dict[str, Callable[[str, Mapping[str, Any]], Fraction]] = {
    "pdq": of_move("success", True), "pdq_sharp": of_move("success", True), "pnc": of_pnc,
    "danger_world": of_danger_world, "questworlds": of_move("outcome", "victory")}


def filled(table: Table, form: Form) -> dict[str, Any]:
    """Something ticked by chance; the rest as it opens."""
    entered = {name: value for name, value in form.at_random(table.chance).items() if table.chance.random() < 0.6}
    if "stats" in form.controls:
        entered["stats"] = table.chance.sample(form.controls["stats"].offered, 2)
    return {**form.as_it_opens(), **entered, **{name: "Words" for name in form.controls if name.endswith("reason")}}


def shown(table: Table, form: Form, values: Mapping[str, Any]) -> str:
    """The chance that the page says of it, as it stands there; "" where it says none."""
    answer = table.clients["Bob"].post(f"{table.address}tray/", form.filled(**values), headers={"HX-Request": "true"})
    said = re.search(READ[table.system], unescape(answer.content.decode()))
    return said[1] if said else ""


@pytest.mark.parametrize(("system", "settings"), [*((system, {}) for system in sorted(READ)), ("questworlds", OLDER)],
                         ids=[*sorted(READ), "questworlds-older"])
def test_what_the_page_says_is_what_every_throw_of_that_press_comes_to(system: str, settings: dict[str, Any]) -> None:
    table, seen = laid(system, settings), Counter[str]()
    gm = table.campaign.members.get(role="owner")
    for _ in range(ROLLS * PRESSES):
        if seen.total() >= ROLLS:
            break
        form = Page(table.clients["Bob"].get(table.address)).form(action="/roll/")
        values = filled(table, form)
        said, head = shown(table, form, values), Entry.objects.latest("seq").seq
        if form.send(table.clients["Bob"], **values).status_code != 302:
            continue
        entry = Entry.objects.filter(seq__gt=head, kind="contest.tray").first()
        if entry is None:
            continue  # the GM is asked first
        outcome = json.loads(entry.payload.text)["outcome"]
        for roll in outcome.get("rolls") or ():
            pool = roll["given"].get("pool", {})
            if pool.get("action", 0) + pool.get("danger", 0) > MOST_OWN:
                continue
            assert said == percent(BRUTE[system](roll["move"], roll["given"])), (values, roll)
            seen[said] += 1
        undo(campaign=table.campaign, actor=gm, op_id=uuid.uuid4(), seq=entry.seq)
    assert seen.total() >= ROLLS and len(seen) > 1, "several chances were seen"
