// A decision after the dice that one would let stand anyway: ticked, the page lets it stand after ten seconds in sight, unless
// one presses its button or begins to choose something else. It is offered where such a decision of one's own stands, and is kept for
// this campaign and kind of contest alone; the server marks none with which somebody would be harmed.
(() => {
  "use strict";
  const SECONDS = 10;
  let kind = "";
  const setting = () => `let-stand ${kind}`;
  const on = () => { try { return kind !== "" && localStorage.getItem(setting()) === "1"; } catch { return false; } };
  const keep = (value) => { try { localStorage.setItem(setting(), value ? "1" : "0"); } catch { /* then it is forgotten */ } };
  let mine = "", left = SECONDS, stopped = false, timer = null;

  // The Now bar names the decisions that are one's own; of those this is for the answer that lets stand.
  const offer = () => {
    for (const link of document.querySelectorAll("#now a.button[data-stands]")) {
      const found = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      if (!found) continue;
      kind = link.dataset.stands;
      return found;
    }
    kind = "";
    return null;
  };
  const decision = (place) => `${kind} ${place.id}`;
  const make = (name, attributes = {}, ...parts) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...parts);
    return made;
  };
  const box = () => document.getElementById("stands");
  const draw = () => {
    const count = box()?.querySelector("[role=timer]"), stop = box()?.querySelector("button");
    if (!count) return;
    const runs = on() && !stopped;
    count.textContent = runs ? `Accepting in ${left} s.` : on() ? "Stopped. Choose when you are ready." : "";
    stop.hidden = !runs;
    box().querySelector("input").checked = on();
  };
  const tick = () => {
    const place = offer();
    if (!place || mine !== decision(place) || stopped || !on()) { rest(); return look(); }
    if (document.hidden) return; // only what is in sight runs down
    left -= 1;
    draw();
    if (left > 0) return;
    rest();
    const button = place.matches("button") ? place : place.querySelector("button:not([type=button])");
    button.form.requestSubmit(button);
  };
  const rest = () => { clearInterval(timer); timer = null; draw(); };
  const begin = () => { if (on() && !stopped && !timer) timer = setInterval(tick, 1000); draw(); };

  const look = () => {
    const place = offer();
    if (!place) {
      mine = "";
      box()?.remove();
      return rest();
    }
    if (mine !== decision(place)) [mine, left, stopped] = [decision(place), SECONDS, false];
    if (!box()) {
      (place.closest(".decision, .dock.answers") ?? place.form ?? place).after(make("div", { id: "stands", class: "stands" },
        make("label", { class: "check" }, make("input", { type: "checkbox" }), make("span", {}, "Accept my results automatically after 10 seconds")),
        make("span", { role: "timer" }), make("button", { type: "button", class: "quiet" }, "Stop the timer")));
    }
    begin();
  };
  const halt = () => { stopped = true; rest(); };
  document.addEventListener("click", (event) => { if (event.target.closest("#stands button")) halt(); });
  document.addEventListener("change", (event) => {
    if (!event.target.closest("#stands")) return;
    keep(event.target.checked);
    [left, stopped] = [SECONDS, false];
    rest();
    begin();
  });
  // Whoever begins to choose something else has stopped it.
  for (const touch of ["input", "pointerdown", "keydown"]) document.addEventListener(touch, (event) => { if (timer && event.isTrusted && event.target.closest("main form, .side form")) halt(); });
  document.addEventListener("DOMContentLoaded", look);
  for (const drawn of ["htmx:oobAfterSwap", "htmx:afterSettle", "followed"]) document.addEventListener(drawn, look);
})();
