"""What a ruler says of a page: where its heading is, what is small, covered or off its middle, and its shapes."""
from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

HIGHEST_HEADING, MOST_SHIFT, OFF_CENTRE = 140, 0.05, 3

# A thumb needs 44 pixels, save in the middle of a sentence: in a paragraph that has other words than links.
RULER = """() => {
  const seen = (one) => one.checkVisibility({visibilityProperty: true, opacityProperty: true}) &&
    one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().height > 0;
  const high = (one) => (one.closest("label") ?? one).getBoundingClientRect().height >= 43.5;
  const called = (one) => `${one.tagName.toLowerCase()}.${one.className || one.parentElement.tagName}`;
  const heading = document.querySelector("main h1, main h2:not(.seen-by-ear), .at-table h1");
  const pressed = "a, button, summary, input:not([type=hidden], .unfold), select, textarea";
  const hasWords = (paragraph) => {
    const texts = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: of } = texts.currentNode;
      if (/[\\p{L}\\p{N}]/u.test(data) && !of.closest("a, button, summary, label, .seen-by-ear")) return true;
    }
    return false;
  };
  const inSentence = (one) => {
    const paragraph = one.closest("p:not(.actions), .prose");
    return one.closest(".seen-by-ear") || (paragraph && hasWords(paragraph));
  };
  const targets = [...document.querySelectorAll(pressed)].filter((one) => seen(one) && !inSentence(one));
  const small = targets.filter((one) => !high(one));
  const folds = [...document.querySelectorAll("main details:not([open]), aside details:not([open])")].filter((one) =>
    seen(one) && parseFloat(getComputedStyle(one).borderTopWidth));
  const middle = (box) => (box.top + box.bottom) / 2;
  return {
    top: heading ? Math.round(heading.getBoundingClientRect().top + scrollY) : -1,
    first: [...document.querySelectorAll("h1")].filter(seen).length,
    height: document.documentElement.scrollHeight,
    over: document.documentElement.scrollWidth - Math.min(innerWidth, screen.width),  // a phone zooms out
    old: [...document.querySelectorAll("body *")].filter((one) => seen(one) &&
      [...one.childNodes].some((part) => part.nodeType === 3 && /[0-9]/.test(part.data)) &&
      getComputedStyle(one).fontFamily.startsWith("Alegreya") &&
      !getComputedStyle(one).fontVariantNumeric.includes("lining-nums")).map(called),
    wide: [...document.querySelectorAll("body *")].filter((one) => seen(one) &&
      [...one.childNodes].some((part) => part.nodeType === 3 && /\\p{L}-\\p{L}/u.test(part.data)) &&
      getComputedStyle(one).fontVariantNumeric.includes("tabular-nums")).map(called),
    alike: [...document.querySelectorAll("figure.odds > svg")].filter((bar) => {
      const fills = [...bar.querySelectorAll("rect")].map((part) => getComputedStyle(part).fill);
      return seen(bar) && new Set(fills).size < fills.length;
    }).map((bar) => bar.getAttribute("aria-label")),
    small: small.length, which: [...new Set(small.map(called))].join(" "), targets: targets.length,
    offCentre: folds.filter((fold) => {
      const words = document.createRange();
      words.selectNodeContents(fold.querySelector("summary"));
      return Math.abs(middle(words.getBoundingClientRect()) - middle(fold.getBoundingClientRect())) > LIMIT;
    }).map((fold) => fold.querySelector("summary").textContent.trim()),
  };
}""".replace("LIMIT", str(OFF_CENTRE))

# Words that a narrow place cuts in two; of labels and buttons, of cells.
BROKEN = r"""() => {
  const broken = new Set(), word = document.createRange();
  const clipped = (at) => at && (getComputedStyle(at).clipPath !== "none" || clipped(at.parentElement));
  for (const one of document.querySelectorAll("summary, button, .button, label, legend, th, td, dt, .chip, .choice")) {
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement: of } = texts.currentNode;
      if (clipped(of)) continue;
      for (const { 0: letters, index } of data.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}.%]{2,16}(?![\p{L}\p{N}])/gu)) {
        word.setStart(texts.currentNode, index);
        word.setEnd(texts.currentNode, index + letters.length);
        const tops = [...word.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top));
        if (new Set(tops).size > 1) broken.add(letters);
      }
    }
  }
  return [...broken];
}"""

# The buttons that are filled with the accent, beside Now's own.
LOUD = """() => {
  const ink = document.createElement("i");
  ink.style.cssText = "background: var(--accent)";
  document.querySelector("main").append(ink);
  const { backgroundColor: accent } = { ...getComputedStyle(ink) };
  ink.remove();
  return [...document.querySelectorAll("main :is(button, .button)")].filter((one) => one.checkVisibility() &&
    !one.closest("#now, .segments, .views") && getComputedStyle(one).backgroundColor === accent)
    .map((one) => one.textContent.trim().slice(0, 30));
}"""

# Each control brought to the middle of the window: something else may not lie over it.
COVERED = """() => {
  const covered = [], pressed = "main :is(a, button, summary, input:not([type=hidden]), select, textarea)";
  for (const one of document.querySelectorAll(pressed)) {
    const seen = one.checkVisibility({visibilityProperty: true, opacityProperty: true});
    if (!seen || one.closest(".seen-by-ear")) continue;
    one.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
    const [box] = one.getClientRects();
    if (!box || box.width < 2 || box.height < 2) continue;
    const there = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const label = one.closest("label") ?? one;
    if (there && !label.contains(there) && !there.contains(one)) {
      covered.push(`${one.tagName.toLowerCase()} “${(one.textContent || one.name).trim().slice(0, 30)}” under ` +
        `${there.tagName.toLowerCase()}.${there.className}`);
    }
  }
  scrollTo(0, 0);
  return covered;
}"""

# The buttons that are usual now: of what is asked where it is answered on this page, else of the tray.
USUAL = """() => {
  const shown = (button) => button.checkVisibility();
  const asked = [...document.querySelectorAll("#now li[data-of] a.button")].filter((link) =>
    link.hash && document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const engaged = document.querySelector(".card-here.engages");
  const choice = asked.length ? ".next button:not(.quiet, [type=button]), .decision button, .split > button"
    : engaged ? "" : "#forecast > button";
  const usual = choice ? [...document.querySelectorAll(choice)].filter(shown) : [];
  const boxes = usual.map((button) => button.getBoundingClientRect());
  return {
    asked: usual.length, seen: boxes.some(({top, bottom}) => top >= 0 && bottom <= innerHeight),
    which: usual.map((button, place) => `${button.textContent.trim().slice(0, 40)} ${Math.round(boxes[place].bottom)}`),
  };
}"""

SHIFT = """() => new Promise((answer) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; })
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => answer(sum), 30);
})"""

KIT = {
    "decision": ".decision .answer > button", "act": "details.tray.offer", "tray": ".tray:not(details)",
    "fold": "main summary:not(.button, .handout > summary, .menu > summary, .more-chips > summary, .odds summary)",
    "filter": ".filters", "chip": ".chip",
    "choice": ":is(.choice:not(.part), .lines .chip-tick, .ticked .choices label, .strip button, .held-chip, "
              ".chip-button)",
    "segment": ":is(.segments :is(button, label), .views .view, .readers .choices label)",
    "trait row": ":is(.trait:not(.within), .lines > div > div:not(:has(input:disabled))):not(:has(:checked))",
    "order row": ".order > li", "pool": ".pool", "destructive act": ":is(button, .button).danger",
    "GM's block": ".gms",
}

# What makes a shape: the padding at the sides (above and below a box grows with its content), corners, edge, letters.
SHAPES = """(kit) => Object.fromEntries(Object.entries(kit).map(([name, choice]) => {
  const shapes = new Set();
  for (const one of document.querySelectorAll(choice)) {
    const style = getComputedStyle(one), words = one.querySelector(".name") ?? one;
    if (!one.checkVisibility() || style.display === "contents") continue;
    shapes.add([style.paddingLeft, style.paddingRight, style.borderTopLeftRadius, style.borderBottomRightRadius,
      style.borderTopWidth, style.borderBottomWidth,
      name === "trait row" ? getComputedStyle(words).fontSize : style.fontSize].join(" "));
  }
  return [name, [...shapes]];
}))"""


def measured(page: Page) -> dict[str, Any]:
    """What the ruler says of the page as it stands."""
    answer: dict[str, Any] = page.evaluate(RULER)
    return answer


def faults(page: Page, *, phone: bool) -> list[str]:
    """What is wrong with how the page looks, each in words; empty where all is well."""
    said, where = measured(page), page.url.partition("/c/")[2] or page.url
    wrong = [f"lies covered: {covered}" for covered in page.evaluate(COVERED)]
    wrong += [f"words off the middle of their fold: {fold}" for fold in said["offCentre"]]
    wrong += [f"figures that hang: {figure}" for figure in sorted(set(said["old"]))]
    wrong += [f"a wide hyphen: {word}" for word in sorted(set(said["wide"]))]
    wrong += [f"two of these chances look alike: {bar}" for bar in said["alike"]]
    if said["first"] > 1:
        wrong.append(f"has {said['first']} first headings")
    if said["over"] > 0:
        wrong.append(f"sticks out by {said['over']}")
    wrong += [f"a word is broken: {word}" for word in page.evaluate(BROKEN)]
    if page.locator("body.at-table").count() and len(loud := page.evaluate(LOUD)) > 1:
        wrong.append(f"more than one button is loud: {loud}")
    if phone and said["small"]:
        wrong.append(f"too small for a thumb: {said['which']}")
    if phone and not page.locator("body.at-table").count() and said["top"] > HIGHEST_HEADING:
        wrong.append(f"its first heading is at {said['top']}")
    if (shift := page.evaluate(SHIFT)) > MOST_SHIFT:
        wrong.append(f"shifts by {shift:.3f}")
    return [f"{where}: {fault}" for fault in wrong]


def shapes(page: Page) -> dict[str, list[str]]:
    """Each component that the page has, with its distinct shapes."""
    answer: dict[str, list[str]] = page.evaluate(SHAPES, KIT)
    return {name: seen for name, seen in answer.items() if seen}
