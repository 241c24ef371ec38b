// The live table. The server only says "the campaign is at entry N"; the page then fetches what this person may see.
// Parts that want it say hx-trigger="moved from:body". The stream is closed while the page is hidden.
(() => {
  "use strict";
  const place = () => document.getElementById("now");
  // A hidden page follows nothing, unless it is the one that says when it is one’s move.
  const asleep = () => document.hidden && !("listens" in document.documentElement.dataset);
  const SOON = 3000, LATE = 60000; // milliseconds until a stream that was refused is tried again: longer each time
  let source = null, timer = null, known = 0, wait = SOON, due = 0;

  // While a press is on its way, what it moves comes with its answer.
  let holds = false, later = 0;
  document.addEventListener("press:sent", () => { holds = true; });
  document.addEventListener("press:answered", () => { holds = false; moved(later); });
  const shown = () => Number(document.getElementById("since")?.value ?? place()?.dataset.seq ?? 0);

  const moved = (seq) => {
    if (holds) { later = Math.max(later, seq); return; }
    if (seq <= Math.max(known, shown())) return;
    known = seq;
    htmx.trigger(document.body, "moved");
    // What is asked of one comes with any part of the page that is fetched anew; where there is none, by itself.
    if (document.querySelector("[hx-trigger^='moved']")) return;
    if (document.querySelector("main[data-follow]")) follow();
    else htmx.trigger(place(), "alone");
  };
  // A page that shows numbers of play is fetched anew, and becomes the new one without losing the place, the focus, or what
  // is being typed.
  let following = null, again = false;
  const follow = async () => {
    again = Boolean(following);
    if (following) return;
    following = fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    const answer = await following;
    if (answer?.ok && !answer.redirected) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["main", "side", "now"]) {
        const here = document.getElementById(id), there = page.getElementById(id);
        if (!here || !there) continue;
        Idiomorph.morph(here, there, { morphStyle: "outerHTML", ignoreActiveValue: true });
        htmx.process(document.getElementById(id));
      }
      document.dispatchEvent(new Event("followed"));
    } else {
      known = 0;
      if (place()) setTimeout(ask, 3000);
    }
    following = null;
    if (again) follow();
  };
  const ask = async () => {
    const answer = await fetch(place().dataset.head, { headers: { Accept: "text/plain" } }).catch(() => null);
    if (answer?.ok) moved(Number(await answer.text()));
  };
  const stop = () => {
    source?.close();
    clearInterval(timer);
    source = timer = null;
    wait = SOON;
  };
  const open = () => {
    source = new EventSource(place().dataset.live);
    source.addEventListener("moved", (event) => moved(Number(event.data)));
    source.onopen = () => {
      clearInterval(timer);
      timer = null;
      wait = SOON;
      document.dispatchEvent(new Event("stream:open"));
    };
    source.onerror = () => {
      document.dispatchEvent(new Event("stream:lost"));
      // A stream that broke is opened again by the browser. One that was refused (the server just starts, a proxy holds
      // it back) is not: until it opens, asking now and then must do.
      if (source.readyState !== EventSource.CLOSED) return;
      due = Date.now() + wait;
      wait = Math.min(2 * wait, LATE);
      timer ??= setInterval(instead, SOON);
    };
  };
  const instead = () => {
    ask();
    if (source.readyState === EventSource.CLOSED && Date.now() >= due) open();
  };
  const start = () => {
    if (source || asleep() || !place()?.dataset.live) return; // at a trial table is nobody else to hear of
    open();
  };
  // A page of several campaigns has no stream: it is fetched anew now and then, and when one comes back to it.
  const NOW_AND_THEN = 60000;
  const alone = () => !place() && !document.hidden && document.querySelector("main[data-follow]");
  const look = () => { if (alone()) follow(); };
  // What could not be fetched is not known yet.
  const missed = (event) => {
    if (!event.target.closest("#story, #contest, #now")) return;
    known = 0;
    setTimeout(ask, 3000);
  };
  document.addEventListener("htmx:sendError", missed);
  document.addEventListener("htmx:responseError", missed);
  // What somebody is just filling in stays as it is when the page round it is drawn anew; what was fetched into the page
  // stands until it is fetched again, and the tray is fetched with what is chosen in it.
  document.addEventListener("input", (event) => { if (event.target.form) event.target.form.dataset.touched = ""; });
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (old) => (old.id === "tray" || !("touched" in (old.dataset ?? {}))) && old.id !== "unfold" && !(old.className === "because-place" && old.firstChild);
  // So does what somebody has unfolded.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => !(name === "open" && node.localName === "details");
  // What a part of the page has asked for goes with that part.
  Idiomorph.defaults.callbacks.beforeNodeRemoved = (gone) => {
    for (const asks of gone.querySelectorAll?.(".htmx-request") ?? []) htmx.trigger(asks, "htmx:abort");
  };

  document.addEventListener("DOMContentLoaded", () => {
    if (!place()) {
      setInterval(look, NOW_AND_THEN);
      return;
    }
    known = Number(place().dataset.seq);
    start();
  });
  document.addEventListener("visibilitychange", () => {
    look();
    (asleep() ? stop() : start());
  });
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", start); // a page that one comes back to
  // A stream that broke while the network was away may look as if it were open still.
  window.addEventListener("online", () => { stop(); start(); });
})();
