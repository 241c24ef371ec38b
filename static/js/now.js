// What is asked of one: counted in the tab's title and in the places of the campaign, and led to where it is answered.
(() => {
  "use strict";
  const count = () => {
    const number = Number(document.getElementById("now")?.dataset.count ?? 0);
    const plain = document.title.replace(/^\(\d+\) /, "");
    document.title = number ? `(${number}) ${plain}` : plain;
    for (const badge of document.querySelectorAll("[data-now-count]")) {
      badge.textContent = number;
      badge.hidden = !number;
    }
  };
  // The form that a link leads to is unfolded, and the first thing to choose in it has the focus.
  const lead = () => {
    const form = location.hash.startsWith("#offer-") && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!form) return;
    for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    form.scrollIntoView({ block: "center" });
    const first = form.querySelector("input:not([type=hidden]):enabled, select:enabled, textarea:enabled, button:enabled:not([data-step])");
    if (first) first.focus({ preventScroll: true });
    else if (form.matches("[hx-get]")) document.addEventListener("htmx:afterSettle", lead, { once: true }); // it is being fetched
  };
  // A GM who looks as a player sees the player's forms, and can't fill them.
  const still = () => {
    for (const form of document.querySelectorAll(".viewing .desk form[method=post], .viewing .desk form[hx-post]")) form.inert = true;
  };
  document.addEventListener("DOMContentLoaded", () => { count(); still(); });
  document.addEventListener("htmx:afterSettle", still);
  document.addEventListener("followed", still);
  window.addEventListener("load", () => setTimeout(lead)); // after the browser itself went to the fragment, and dropped the focus
  document.addEventListener("htmx:oobAfterSwap", count);
  document.addEventListener("htmx:afterSettle", count);
  document.addEventListener("followed", count);
  window.addEventListener("hashchange", () => setTimeout(lead));
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#now a[href*='#offer-']");
    if (!link || event.ctrlKey || event.metaKey || !document.getElementById(decodeURIComponent(link.hash.slice(1)))) return;
    // What is asked for stands on this page, as a contest does at the table: nobody changes pages for it.
    event.preventDefault();
    if (location.hash !== link.hash) location.hash = link.hash; // which leads there
    else lead();
  });
})();
