// A GM's table stays where it was after an act: the page that comes of it is scrolled as the one before. What was refused
// is in view instead.
(() => {
  "use strict";
  const KEPT = "place", FRESH = 15_000;
  const runs = () => document.body.matches(".at-table.runs");
  document.addEventListener("submit", (event) => {
    if (!runs() || !/\/contests\/[^/]+\/[^/]+\//.test(event.submitter?.formAction ?? event.target.action)) return;
    try { sessionStorage.setItem(KEPT, JSON.stringify([location.pathname, scrollY, Date.now()])); } catch { /* then it begins on top */ }
  });
  // After the browser itself has gone to the fragment.
  window.addEventListener("load", () => setTimeout(() => {
    let kept;
    try { kept = JSON.parse(sessionStorage.getItem(KEPT)); sessionStorage.removeItem(KEPT); } catch { return; }
    const refused = document.querySelector("#main .not-done");
    if (refused) refused.scrollIntoView({ block: "center" });
    else if (kept && runs() && kept[0] === location.pathname && Date.now() - kept[2] < FRESH) window.scrollTo(0, kept[1]);
  }));
})();
