// A roll that the GM has to answer first is asked for and rolled in one press: this tab remembers which roll it asked for,
// and presses it once it is offered, on whatever page of the campaign it is by then. Where something else is asked instead,
// or the page was closed meanwhile, the roll waits to be pressed by hand.
(() => {
  "use strict";
  const CHOICE = "roll-when-answered", ASKING = "rolls:asking";
  const read = (store, key) => { try { return window[store].getItem(key); } catch { return null; } };
  const keep = (store, key, value) => {
    try { if (value === null) window[store].removeItem(key); else window[store].setItem(key, value); } catch { /* then it is pressed by hand */ }
  };
  const mark = (id) => `rolls:${id}`;

  // A box that was just fetched is not filled in yet.
  const boxes = () => {
    for (const box of document.querySelectorAll("[data-when-answered]:disabled")) {
      box.disabled = false;
      box.checked = read("localStorage", CHOICE) !== "0";
      box.closest("label").hidden = false;
    }
  };
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-when-answered]")) keep("localStorage", CHOICE, event.target.checked ? "1" : "0");
  });
  document.addEventListener("submit", (event) => {
    boxes(); // the press may come before what was fetched has settled
    if (event.submitter?.matches("[data-asks]") && event.target.querySelector("[data-when-answered]:checked")) keep("sessionStorage", ASKING, "1");
  }, true); // before the form is read and sent
  // What was asked for is named in the address that the answer leads to, and counts only where this tab asked.
  const asked = () => {
    const address = new URL(location.href), id = address.searchParams.get("awaits");
    if (!id) return;
    if (read("sessionStorage", ASKING)) keep("sessionStorage", mark(id), window.dice.operation());
    keep("sessionStorage", ASKING, null);
    address.searchParams.delete("awaits");
    history.replaceState(history.state, "", address);
  };

  const TYPED = "textarea, input:not([type=hidden], [type=checkbox], [type=radio])";
  const typing = () => [...document.querySelectorAll("form :is(" + TYPED + ")")].some((field) => field.value !== field.defaultValue);
  let pressed = false;
  const press = () => {
    boxes();
    if (pressed || document.querySelector(".viewing") || typing()) return; // what is typed would be lost
    const rows = [...document.querySelectorAll("#now [data-of]")];
    for (const row of rows) {
      const made = read("sessionStorage", mark(row.dataset.of));
      if (!made) continue;
      keep("sessionStorage", mark(row.dataset.of), null);
      const form = row.querySelector("form");
      if (!form || rows.filter((other) => other.dataset.of === row.dataset.of).length > 1) continue;
      form.elements.op_id.value = made;
      pressed = true;
      form.requestSubmit();
      return;
    }
  };
  document.addEventListener("DOMContentLoaded", () => { asked(); press(); });
  document.addEventListener("press:answered", () => { pressed = false; asked(); press(); });
  for (const moment of ["htmx:afterSettle", "htmx:oobAfterSwap", "followed"]) document.addEventListener(moment, press);
})();
