// The roll tray while it is open. What comes to stand in it is fetched with what is chosen; an answer to what is no longer
// chosen is dropped, as the one to what is chosen now is on its way. A roll changes no page: its answer is what is new at the
// table, the result, and the tray made fresh.
(() => {
  "use strict";
  const tray = () => document.getElementById("tray");
  const said = (data) => {
    const buttons = new Set(Array.from(tray().querySelectorAll("button[name]"), (button) => button.name));
    return JSON.stringify([...data].filter(([name]) => !buttons.has(name)));
  };
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { target, requestConfig } = detail;
    if (target !== tray() || requestConfig.elt !== target || target.localName !== "form") return;
    if (said(requestConfig.unfilteredFormData) !== said(new FormData(target))) detail.shouldSwap = false;
  });

  // A tray that shows what it opened with is set back here; else it came along. The result has the focus, and the address by which a page would show it: loaded again it is there still.
  const show = (sent) => {
    const result = document.getElementById("rolled"), address = result?.dataset.address;
    if (!address) return;
    delete result.dataset.address;
    if (tray().elements.op_id.value === sent) {
      tray().reset();
      tray().elements.op_id.value = window.dice.operation();
      tray().elements.client_seed.value = "";
    }
    delete tray().dataset.touched;
    history.replaceState(history.state, "", address);
    result.focus();
    result.scrollIntoView({ block: "nearest" });
  };
  const address = (form) => {
    const there = new URL(form.action), fields = document.querySelectorAll("#since, [name=unfolded]");
    for (const field of fields) there.searchParams.append(field.name, field.value);
    if (form.querySelector("#applies[data-opened]")) there.searchParams.append("opened", "");
    return there.pathname + there.search;
  };
  const roll = async (form, button) => {
    document.dispatchEvent(new Event("roll:sent"));
    htmx.trigger(form, "htmx:abort");
    const sent = form.elements.op_id.value;
    form.setAttribute("aria-busy", "true");
    try { await htmx.ajax("POST", address(form), { source: button, target: "#story .ledger", swap: "afterbegin" }); } catch { /* it is said */ }
    tray().removeAttribute("aria-busy");
    show(sent);
    tray().querySelector("[role=alert]")?.scrollIntoView({ block: "center" });
    document.dispatchEvent(new Event("roll:answered"));
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form !== tray() || !event.submitter?.matches("[data-rolls]")) return;
    event.preventDefault();
    if (!form.matches("[aria-busy]")) roll(form, event.submitter);
  });
  // The second click of two was meant for the tray as it was.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("#tray [data-rolls]")) event.preventDefault();
  }, true);
})();
