// The roll tray while it is open. What comes to stand in it is fetched with what is chosen; an answer to what is no longer
// chosen is dropped, as the one to what is chosen now is on its way. What was pressed in it leaves it fresh.
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

  // A tray that shows what it opened with is set back here; else it came along.
  document.addEventListener("press:answered", ({ detail }) => {
    if (!("same" in detail) || tray()?.elements?.op_id.value !== detail.operation) return;
    if (detail.same) {
      tray().reset();
      delete tray().dataset.touched;
    }
    tray().elements.op_id.value = window.dice.operation();
    tray().elements.client_seed.value = "";
  });
})();
