// The site's own small conveniences: light or dark, what was unfolded, and a menu that closes. No page needs them.
(() => {
  "use strict";
  const OPEN_MENU = ".bar details[open], details.menu[open]";
  const themes = { auto: "System", light: "light", dark: "dark" };
  const order = Object.keys(themes);
  const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* then it is forgotten */ } };

  let theme = order.includes(read("theme")) ? read("theme") : "auto";
  const wear = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const button of document.querySelectorAll("[data-theme-next]")) {
      button.hidden = false;
      button.querySelector("span").textContent = themes[theme];
    }
  };
  wear();
  document.addEventListener("DOMContentLoaded", wear);

  // A refusal is loaded again where it was sent from: its own address only takes what is sent.
  document.addEventListener("DOMContentLoaded", () => {
    const { here } = document.body.dataset;
    if (here) history.replaceState(history.state, "", here + location.hash);
  });

  // <details data-keep="name"> stays as it was left, on this device.
  const unfold = (root) => {
    for (const details of root.querySelectorAll("details[data-keep]")) {
      const kept = read(`open:${details.dataset.keep}`);
      if (kept) details.open = kept === "1";
    }
    // What is wrong is in sight, however deep it is folded.
    for (const error of root.querySelectorAll("details .error")) {
      for (let fold = error.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    }
  };
  let unfolded = false; // what the page itself opens while it is read tells nothing of how it was left
  document.addEventListener("DOMContentLoaded", () => { unfold(document); unfolded = true; });
  document.addEventListener("htmx:load", (event) => unfold(event.target));
  document.addEventListener("toggle", (event) => {
    const name = event.target.dataset?.keep;
    if (name && unfolded) keep(`open:${name}`, event.target.open ? "1" : "0");
  }, true);

  // What is to be sent to others is copied by a press; what is to be held in hands is printed by one.
  const PRESSED = "[data-copy], [data-print]";
  const copies = (root) => { for (const button of root.querySelectorAll?.(PRESSED) ?? []) button.hidden = false; };
  document.addEventListener("DOMContentLoaded", () => copies(document));
  document.addEventListener("htmx:load", (event) => copies(event.target));
  const copy = async (button) => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.textContent = "Copied";
  };

  // A number has steps and chips beside it: <div data-number> with data-step="-1", data-set="8".
  const steps = (root) => { for (const button of root.querySelectorAll?.("[data-step], [data-set]") ?? []) button.hidden = false; };
  document.addEventListener("DOMContentLoaded", () => steps(document));
  document.addEventListener("htmx:load", (event) => steps(event.target));
  document.addEventListener("htmx:afterSettle", () => steps(document));
  const count = (button) => {
    const input = button.closest("[data-number]").querySelector("input[type=number]");
    if (button.dataset.set) input.value = button.dataset.set;
    else input[button.dataset.step > 0 ? "stepUp" : "stepDown"]();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const counted = event.target.closest("[data-step], [data-set]");
    if (counted) count(counted);
    const copied = event.target.closest("[data-copy]");
    if (copied) copy(copied);
    const printed = event.target.closest("[data-print]");
    if (printed) {
      // Of several on a page one alone: print.css leaves out those that are not the target.
      if (printed.dataset.print) location.hash = printed.dataset.print;
      print();
    }
    if (event.target.closest("[data-theme-next]")) {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      keep("theme", theme);
      wear();
    }
    for (const menu of document.querySelectorAll(OPEN_MENU)) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  // What htmx sent and got no answer to, or one that can't be shown; a server that can't do it now says why in one sentence.
  // Where nobody pressed anything, as odds follow what one ticks, nothing was lost: the line above says so if it is the network.
  const missed = ({ type, detail: { xhr, requestConfig } }) => {
    if (type === "htmx:sendError" && !["submit", "click"].includes(requestConfig?.triggeringEvent?.type)) return document.dispatchEvent(new Event("stream:lost"));
    const why = xhr?.status === 503 && xhr.getResponseHeader("Content-Type")?.startsWith("text/plain") ? xhr.responseText : "";
    const said = Object.assign(document.createElement("p"), { className: "error", textContent: why || "That didn’t go through. Try again, or reload the page." });
    document.getElementById("notice")?.replaceChildren(said);
  };
  // An address is kept in histories and logs: what only a POST needs stays out of it.
  document.addEventListener("htmx:configRequest", ({ detail: { verb, parameters } }) => {
    if (verb === "get") for (const name of ["csrfmiddlewaretoken", "op_id", "client_seed"]) delete parameters[name];
  });
  document.addEventListener("htmx:sendError", missed);
  document.addEventListener("htmx:responseError", missed);

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(OPEN_MENU);
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
  });
})();
