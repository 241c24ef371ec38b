// For ears and hands: one sentence for what somebody else did, the focus on one's own result, and a few keys.
(() => {
  "use strict";
  const typing = (element) => element.closest?.("input, textarea, select, [contenteditable]");
  const say = (words, className = "") => {
    document.querySelector("#notice .seen-by-ear")?.remove();
    document.getElementById("notice")?.append(Object.assign(document.createElement("p"), { className, textContent: words }));
  };

  // What somebody else did is said once, when its card comes; several at once are counted.
  const cards = () => [...document.querySelectorAll("#story .ledger > .entry[data-seq]")];
  const newest = () => Math.max(0, ...cards().map((card) => Number(card.dataset.seq)));
  const told = (card) => [...card.querySelectorAll(".sentence, .outcome")].map((part) => part.textContent.trim()).join(", ");
  let heard = 0;
  const listen = () => {
    const fresh = cards().filter((card) => Number(card.dataset.seq) > heard && "theirs" in card.dataset);
    if (fresh.length === 1) say(`${fresh[0].dataset.theirs}: ${told(fresh[0])}`, "seen-by-ear");
    else if (fresh.length) say(`${fresh.length} new entries`, "seen-by-ear");
    heard = Math.max(heard, newest());
  };
  document.addEventListener("DOMContentLoaded", () => {
    heard = newest();
    document.getElementById("rolled")?.focus();
  });
  document.addEventListener("htmx:afterSettle", listen);

  const roll = () => document.querySelector("#tray input:not([type=hidden]):enabled, #tray select:enabled, .side form input:not([type=hidden]):enabled, .side form button:enabled");
  const keys = {
    r: () => roll()?.focus(),
    "/": () => {
      document.getElementById("search")?.focus();
    },
    "?": () => list(),
  };
  const list = () => {
    const keys = document.getElementById("keys");
    if (keys && !keys.open) keys.showModal();
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-keys]")) button.hidden = false;
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-keys]")) list(); });
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key.toLowerCase?.()] ?? keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]") || !document.getElementById("now")) return;
    event.preventDefault();
    act();
  });
})();
