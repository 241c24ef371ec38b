// What is pressed at a table that stands open changes no page: a roll of the tray, an act of a contest, what the Now bar asks. Its
// answer is what is new there, and what came of it; a refusal is the form where it stands, with what was typed. So it is on a
// contest's own page: its answer is the contest as it stands then.
(() => {
  "use strict";
  const tray = () => document.getElementById("tray"), ofTray = (form) => form === tray();
  const ofContest = (form) => form.elements.at?.value === "contest";
  const stays = (form) => (document.getElementById("since") ? ofTray(form) || form.querySelector("input[data-stays]")
    : ofContest(form) && document.querySelector("#contest[hx-get]"));
  const STORY = { target: "#story .ledger", swap: "afterbegin" };
  const CONTEST = {
    target: "#view", select: "#view", swap: "morph:outerHTML",
    selectOOB: "#acts:morph:outerHTML,#below:morph:outerHTML,#not-done:morph:outerHTML",
  };
  // The answer begins where this page is, and keeps unfolded what is unfolded here.
  const address = (form, button) => {
    const there = new URL(button?.hasAttribute("formaction") ? button.formAction : form.action);
    const kept = form.elements.at?.value === "table" ? "#since, [name=unfolded], #open-contest" : "#since, [name=unfolded]";
    for (const field of document.querySelectorAll(kept)) there.searchParams.append(field.name, field.value);
    if (ofTray(form) && form.querySelector("#applies[data-opened]")) there.searchParams.append("opened", "");
    return there.pathname + there.search;
  };
  const values = (form, button) => {
    const sent = new FormData(form);
    if (button?.name) sent.append(button.name, button.value);
    return sent;
  };

  // What is left to decide after one's roll has the focus, and the dice that it is about are in sight above it.
  const decide = () => {
    const decision = document.querySelector(":is(#contests, #contest-acts) .decision");
    if (!decision) return;
    decision.tabIndex = -1;
    decision.focus({ preventScroll: true });
    document.getElementById("contest")?.scrollIntoView({ block: "nearest" });
  };
  // Loaded again, a page shows the same: its address is the one to which a press leads without a script.
  const show = () => {
    const result = document.getElementById("result"), leads = result?.dataset.address;
    if (!leads) return null;
    const same = "same" in result.dataset;
    for (const said of ["address", "same"]) delete result.dataset[said];
    history.replaceState(history.state, "", leads);
    const large = document.getElementById("rolled");
    large?.focus();
    large?.scrollIntoView({ block: "nearest" });
    if (!large && location.hash === "#contest") decide();
    return { same };
  };
  // The focus is at what is wrong, or where it was; where that is gone, at the contest.
  const refuse = () => {
    const wrong = document.querySelector(":is(#contests, #contest-acts, #acts, #view, #present) [aria-invalid=true]");
    wrong?.focus({ preventScroll: true });
    (wrong ?? document.querySelector("#tray [role=alert], .not-done"))?.scrollIntoView({ block: "center" });
  };
  const settle = () => {
    if (document.activeElement !== document.body) return;
    const place = document.getElementById("contest") ?? document.getElementById("now");
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
  };
  const send = async (form, button) => {
    document.dispatchEvent(new Event("press:sent"));
    // As long as it has the focus, htmx would send the next chances that are asked for to its address too.
    if (button?.hasAttribute("formaction")) button.blur();
    htmx.trigger(form, "htmx:abort");
    form.setAttribute("aria-busy", "true");
    delete form.dataset.touched; // what comes back has what was typed
    const operation = form.elements.op_id.value;
    try {
      await htmx.ajax("POST", address(form, button), {
        source: document.body, values: values(form, button), ...(ofContest(form) ? CONTEST : STORY),
      });
    } catch { /* it is said */ }
    form.removeAttribute("aria-busy");
    const done = show();
    document.dispatchEvent(new CustomEvent("press:answered", { detail: { ...done, operation } }));
    if (!done) refuse();
    settle();
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !stays(form)) return;
    event.preventDefault();
    if (!form.matches("[aria-busy]")) send(form, event.submitter);
  });
  // The second click of two was meant for the page as it was.
  document.addEventListener("click", (event) => {
    const button = event.detail > 1 && event.target.closest("button, input[type=submit]");
    if (button?.form && button.type === "submit" && stays(button.form)) event.preventDefault();
  }, true);
})();
