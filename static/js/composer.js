// After the dice of a duel: what one has are chips; a tap takes one up, a tap on a tray puts it there, a tap on it there takes it
// back. Each chip stands for a list of the form, which holds what is chosen: without this the lists are there themselves.
(() => {
  "use strict";
  const FLAT = "flat", DIE = "die";
  const make = (name, attributes = {}, ...parts) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== false) made.setAttribute(key, value === true ? "" : value);
    made.append(...parts);
    return made;
  };
  const has = (list, value) => [...list.options].some((option) => option.value === value);

  const compose = (form) => {
    const whole = form.closest(".ellipsis"), lists = [...form.querySelectorAll("select")];
    if (!lists.length || form.querySelector(".chips-held")) return;
    let held = null, how = FLAT;
    const isStyle = (list) => list.name.startsWith("use_style");
    // Style dice are all alike: each is called as the first, in one chip, which says how many are left.
    const labelled = (list) => form.querySelector(`label[for="${list.id}"]`)?.firstChild.textContent.trim() ?? list.name;
    const named = (list) => labelled(isStyle(list) ? lists.find(isStyle) : list);
    const hung = (list) => document.getElementById(`${list.id}_helptext`)?.textContent ?? "";
    const chips = make("p", { class: "chips-held" });
    const kinds = make("span", { class: "as-what", role: "group", "aria-label": "As what" });
    for (const [value, words] of [[FLAT, "as +1"], [DIE, "as a die"]]) {
      const box = make("input", { type: "radio", name: "as-what", value, form: "none", checked: value === FLAT });
      box.addEventListener("change", () => { how = value; draw(); });
      kinds.append(make("label", {}, box, words));
    }
    const chosen = (list, value) => {
      list.value = value;
      list.dispatchEvent(new Event("input", { bubbles: true }));
      held = null;
      draw();
    };
    const draw = () => {
      const left = lists.filter((list) => !list.value), dice = left.filter(isStyle);
      chips.replaceChildren(...left.filter((list) => !isStyle(list) || list === dice[0]).map((list) => {
        const beside = isStyle(list) && lists.filter(isStyle).length > 1 ? `${dice.length} left` : hung(list);
        const chip = make("button", { type: "button", class: "quiet held-chip", "aria-pressed": String(held === list) }, make("span", {}, named(list), make("span", { class: "meta" }, beside && ` ${beside}`)));
        chip.addEventListener("click", () => { held = held === list ? null : list; draw(); });
        return chip;
      }), kinds);
      for (const tray of whole.querySelectorAll("[data-tray]")) {
        const to = tray.dataset.tray, here = lists.filter((list) => list.value.endsWith(`|${to}`));
        const back = here.map((list) => {
          const chip = make("button", { type: "button", class: "quiet held-chip" }, `× ${named(list)} ${list.value.startsWith(FLAT) ? "+1" : "a die"}`);
          chip.addEventListener("click", () => chosen(list, ""));
          return chip;
        });
        const name = tray.querySelector(".sum .name").textContent;
        const put = make("button", { type: "button", class: "quiet put", disabled: !held || !has(held, `${how}|${to}`) }, "Put it here", make("span", { class: "seen-by-ear" }, `: ${name}`));
        put.addEventListener("click", () => held && chosen(held, `${how}|${to}`));
        tray.querySelector(".placed").replaceChildren(...back, put);
      }
      const added = lists.filter((list) => list.value), [stand, send] = whole.querySelectorAll(".decision > .answer");
      if (!send) return;
      stand.hidden = added.length > 0;
      send.hidden = !added.length;
      send.querySelector("b").textContent = `Send ${added.map(named).join(", ")}`;
      for (const before of send.querySelectorAll(".leads-to, .follows")) before.remove();  // told anew by the server
    };
    for (const list of lists) list.closest(".field").hidden = true;
    for (const part of form.querySelectorAll("[data-plain], [data-composed]")) part.hidden = "plain" in part.dataset;
    form.querySelector(".come-to").before(chips);
    draw();
  };
  const look = () => { for (const form of document.querySelectorAll(".ellipsis form.composer")) compose(form); };
  document.addEventListener("DOMContentLoaded", look);
  for (const drawn of ["htmx:afterSettle", "htmx:oobAfterSwap", "followed"]) document.addEventListener(drawn, look);
})();
