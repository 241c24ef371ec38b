// A connection that is lost is said before one presses. While it is, a press goes out only where the server answers; one that
// did not get through keeps its form as it was typed, and goes again, as the same operation, when one says so.
(() => {
  "use strict";
  const PATIENCE = 4000; // milliseconds until no answer counts as none
  const SENDS = "main form[method=post] button:not([type=button]), .side form[method=post] button:not([type=button])"; // off while it is lost
  const place = () => document.getElementById("now");
  const kept = Number(document.documentElement.dataset.kept); // when, on a page that this device kept
  const time = (at = new Date()) => at.toLocaleString([], {
    hour: "2-digit", minute: "2-digit", ...(at.toDateString() !== new Date().toDateString() && { weekday: "short", day: "numeric", month: "short" }),
  });
  let lost = false, seen = kept ? time(new Date(kept)) : time(), unsent = null, watching = null;

  const answers = () => fetch(place()?.dataset.head ?? document.body.dataset.worker, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(() => true, () => false);

  const show = () => {
    const bar = document.getElementById("offline");
    if (!bar) return;
    const name = unsent?.button?.textContent.trim();
    bar.hidden = !lost && !unsent;
    bar.querySelector("p").textContent = [
      lost ? `You’re offline. Last updated ${seen}.` : "Connected again.",
      unsent ? `“${name || "What you pressed"}” was not sent. What you typed is still here.` : "",
    ].join(" ").trim();
    bar.querySelector("button").hidden = !unsent;
    bar.querySelector("a").hidden = !kept;
    document.body.classList.toggle("offline", lost);
    for (const button of document.querySelectorAll(SENDS)) {
      if (lost) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
  };
  const turn = (now) => {
    if (kept && !now) location.reload(); // nothing is typed on it
    if (!now) seen = time();
    if (now === lost) return;
    lost = now;
    clearInterval(watching);
    watching = lost ? setInterval(look, 3000) : null;
    show();
  };
  const look = async () => turn(!(await answers()));

  const press = async (form, button) => {
    if (await answers()) {
      unsent = null;
      turn(false);
      form.dataset.through = "";
      form.requestSubmit(button?.isConnected ? button : null);
      delete form.dataset.through;
      show();
      return;
    }
    unsent = { form, button };
    form.dataset.touched = "";
    lost = false; // so that it is said anew
    turn(true);
  };
  // Before anything else looks at the press: no seed is made for one that stays here.
  window.addEventListener("submit", (event) => {
    const form = event.target;
    if (!lost && navigator.onLine) return;
    if ("through" in form.dataset || form.method !== "post" || !place() || !form.querySelector("input[name=op_id]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    press(form, event.submitter);
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest("#offline button") && unsent) press(unsent.form, unsent.button);
  });
  window.addEventListener("offline", () => turn(true));
  window.addEventListener("online", look);
  document.addEventListener("stream:lost", look);
  document.addEventListener("stream:open", () => turn(false));
  window.addEventListener("pageshow", () => { if (kept || !navigator.onLine) turn(true); });
})();
