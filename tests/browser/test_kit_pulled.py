"""A pull of one rule of the kit is seen on every page, in all five games; what does the work of a component, or looks
like it, is one."""
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.deciding import AFTER_DICE, TURNS, Waiting, after_dice, on_a_turn
from tests.browser.sampling import Sample
from tests.browser.serving import Server
from tests.browser.test_looks import more_of, pages_of, table_of
from tests.effort import some
from tests.gate import seldom
from tests.pictures import GAMES, SCREENS
from tests.test_kit_pulled import LACKS

# How the one rule of each component begins in the style sheets.
RULES = {
    "decision": ".decision button {", "act": ".tray, .gms {", "fold": "summary {", "filter": ".filters {",
    "chip": ".chip {", "choice": ":is(.choice, .lines .chip-tick,", "segment": ":is(.segments :is(button, label),",
    "trait row": ".trait, .lines > div > div {", "order row": ".order > li {", "pool": ".pool {",
    "destructive act": ".danger:is(button, .button) {",
}
# Where each lies: by what it does, not by its class.
WORKS = {
    "act": "#contest-acts form[action*='/contests/']:not(.answer, .composer)",  # those are of a decision
    "fold": "main summary",
    "filter": "main form[method=get]:not(.search, .numbers, .one-line, .actions, .tray, .try)",
    "trait row": "main li:has(> .called), fieldset.lines > div > div",
    "pool": "main svg:has(circle.full, circle.spent)",
    "destructive act": "main :is(button:not(.bare), a.button)", "chip": "main :is(span, b, i):not(.initial)",
    "decision": "main [role=group][aria-label='Your decision'] form button",
    "choice": "#contest-acts form fieldset label:has([type=checkbox]), main nav[aria-label=Character] a, "
              "main button[name=chip], main [aria-label='What you prepare'] ~ form label:has([name=type])",
    "segment": "main form[aria-label='What players see'] button, main button[name=see], main label:has([name=assumed])",
    "order row": "main ol > li:has(> [aria-current=step])",
}
DESTROYS = r"^(Delete|Remove|Erase|Retire|Mark as dead|Leave the campaign|Hand over)\b"
# What is pulled, and what should be: the component itself, or what it lies in.
FOUND = """([works, destroys]) => {
  const pulled = (one, name) => getComputedStyle(one).getPropertyValue(`--pulled-${name}`).trim() === "yes";
  const within = (one, name) => { for (let at = one; at; at = at.parentElement) if (pulled(at, name)) return true; };
  const shown = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const ink = document.createElement("i");
  ink.style.cssText = "color: var(--bad); background: var(--shade)";
  document.body.append(ink);
  const { color: bad, backgroundColor: shade } = { ...getComputedStyle(ink) };
  ink.remove();
  const seen = new Set(), wrong = [];
  const called = (one) => `<${one.localName} class="${one.className}"> ${one.textContent.trim().slice(0, 30)}`;
  for (const one of document.querySelectorAll("body *"))
    for (const name of NAMES) if (shown(one) && pulled(one, name)) seen.add(name);
  for (const [name, choice] of Object.entries(works)) for (const one of document.querySelectorAll(choice)) {
    if (!shown(one)) continue;
    const { color, backgroundColor, borderTopLeftRadius: corner } = getComputedStyle(one);
    const is = { "destructive-act": new RegExp(destroys).test(one.textContent.trim()) || color === bad,
      "chip": backgroundColor === shade && corner !== "0px" && one.textContent.trim() }[name] ?? true;
    if (is && !within(one, name)) wrong.push(`${name}: ${called(one)}`);
  }
  return [[...seen], wrong];
}"""


def slug(name: str) -> str:
    """The name as a part of a property's."""
    return name.replace(" ", "-")


def pulls(page: Page) -> dict[str, int]:
    """From now on each of these rules says one thing more; answers how often each was met in the style sheets."""
    met = dict.fromkeys(RULES, 0)

    def change(route: Route) -> None:
        answer = route.fetch()
        text = answer.text()
        for name, begins in RULES.items():
            at = [rule.start() for rule in re.finditer(f"(?m)^{re.escape(begins)}", text)]
            met[name] += len(at)
            for start in reversed(at):
                brace = text.index("{", start) + 1
                text = f"{text[:brace]} --pulled-{slug(name)}: yes; {text[brace:]}"
        own = "".join(f'@property --pulled-{slug(name)} {{ syntax: "*"; inherits: false; }}\n' for name in RULES)
        route.fulfill(response=answer, body=own + text)

    page.route(re.compile(r"/css/[^/]+\.css"), change)
    return met


def waiting(server: Server, game: str) -> Iterator[Waiting]:
    """Tables of the game that wait for a player, on a turn and after the dice of each kind."""
    for lay, kinds in ((on_a_turn, TURNS), (after_dice, AFTER_DICE)):
        yield from (lay(server, game, kind) for of, kind in kinds if of == game)


@seldom
@pytest.mark.parametrize("game", some(GAMES, "questworlds"))
def test_a_pull_of_one_rule_is_seen_on_every_page(browser: Browser, server: Server, sample: Sample, game: str) -> None:
    context = browser.new_context(
        base_url=server.url, storage_state=sample.cookies, service_workers="block", **SCREENS[1280])
    page = context.new_page()
    table = table_of(page, game, sample)
    more = more_of(page, table)
    met = pulls(page)
    asks: Any = FOUND.replace("NAMES", str([slug(name) for name in RULES]))
    works = {slug(name): choice for name, choice in WORKS.items()}
    known: set[str] = set()
    wrong: list[str] = []
    page.goto(f"/styleguide/?game={game}")
    kit, _ = page.evaluate(asks, [works, DESTROYS])
    assert {*kit} == {slug(name) for name in RULES}, "the kit has each of them"
    assert all(met.values()), f"no such rule: {met}"
    page.goto(f"{table}characters/")
    sheet = page.locator("main .cards a, main .shelf a, main li a").first.get_attribute("href") or ""
    for at in (*(f"{table}{place}" for place in pages_of(game)), sheet, *more, "/"):
        page.goto(at)
        seen, odd = page.evaluate(asks, [works, DESTROYS])
        known |= {*seen}
        wrong += [f"{at}: {fault}" for fault in odd]
    context.close()
    here = {slug(name) for name in RULES.keys() - LACKS.get(game, set())}
    for table_waits in waiting(server, game):
        if known >= here:
            break
        for cookie in table_waits.players:
            context = browser.new_context(base_url=server.url, service_workers="block", **SCREENS[1280])
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.url}])
            page = context.new_page()
            pulls(page)
            page.goto(table_waits.address)
            seen, odd = page.evaluate(asks, [works, DESTROYS])
            known |= {*seen}
            wrong += [f"{table_waits.address}: {fault}" for fault in odd]
            context.close()
    assert not wrong, "\n".join(wrong)
    assert known >= here, f"no page of the game has {here - known}"
