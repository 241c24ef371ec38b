// The site's own small conveniences: light or dark, what was unfolded, and a menu that closes. No page needs them.
(() => {
  "use strict";
  const themes = { auto: "as your device", light: "light", dark: "dark" };
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

  // <details data-keep="name"> stays as it was left, on this device.
  const unfold = (root) => {
    for (const details of root.querySelectorAll("details[data-keep]")) {
      const kept = read(`open:${details.dataset.keep}`);
      if (kept) details.open = kept === "1";
    }
    // What is wrong is in sight, however deep it is folded.
    for (const error of root.querySelectorAll("details .error")) {
      for (let each = error.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
    }
  };
  document.addEventListener("DOMContentLoaded", () => unfold(document));
  document.addEventListener("htmx:load", (event) => unfold(event.target));
  document.addEventListener("toggle", (event) => {
    const name = event.target.dataset?.keep;
    if (name) keep(`open:${name}`, event.target.open ? "1" : "0");
  }, true);

  // What is to be sent to others is copied by a press.
  const copies = (root) => { for (const button of root.querySelectorAll?.("[data-copy]") ?? []) button.hidden = false; };
  document.addEventListener("DOMContentLoaded", () => copies(document));
  document.addEventListener("htmx:load", (event) => copies(event.target));
  const copy = async (button) => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.textContent = "Copied";
  };

  document.addEventListener("click", (event) => {
    const copied = event.target.closest("[data-copy]");
    if (copied) copy(copied);
    if (event.target.closest("[data-theme-next]")) {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      keep("theme", theme);
      wear();
    }
    for (const menu of document.querySelectorAll(".bar details[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  // What htmx sent and got no answer to, or one that can't be shown.
  const missed = () => {
    const said = Object.assign(document.createElement("p"), { className: "error", textContent: "That did not get through. Try it again, or load the page anew." });
    document.getElementById("notice")?.replaceChildren(said);
  };
  document.addEventListener("htmx:sendError", missed);
  document.addEventListener("htmx:responseError", missed);

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".bar details[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
  });
})();
