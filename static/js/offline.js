// What may be read without a network is kept on this device by a worker (worker.js), for whoever is logged in and nobody else. A page
// that was kept says so (lost.js says since when), sends nothing, and lists what else is kept.
(() => {
  "use strict";
  const OFF = "offline:off", KEPT = "kept ", root = document.documentElement;
  const guarded = (action) => { try { return action(); } catch { return null; } };
  const off = () => guarded(() => localStorage.getItem(OFF)) === "1";
  const turn = (on) => guarded(() => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1")));
  // Without a secure connection there are neither workers nor caches.
  if (!navigator.serviceWorker || !window.caches) return;

  const forget = async (keeper = null) => {
    for (const name of await caches.keys()) if (name.startsWith(KEPT) && !(keeper && name.endsWith(` ${keeper}`))) await caches.delete(name);
  };
  const make = (tag, text = "", more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });

  const fill = () => navigator.serviceWorker.ready.then((here) => here.active.postMessage({ now: location.pathname === "/", keeper: document.body.dataset.keeper }));
  const begin = async () => {
    await navigator.serviceWorker.register(document.body.dataset.worker, { scope: "/", updateViaCache: "none" });
    navigator.serviceWorker.addEventListener("controllerchange", fill); // another release has kept nothing yet
    fill();
  };
  // What the worker is just fetching, it keeps no more.
  const stop = (worker) => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    setTimeout(done, 2000);
    worker.postMessage({ forget: true }, [port2]);
  });
  const forgetDevice = async () => {
    turn(false);
    if (navigator.serviceWorker.controller) await stop(navigator.serviceWorker.controller);
    await forget();
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
    for (const name of await caches.keys()) await caches.delete(name);
  };

  const still = (kept) => {
    for (const form of document.forms) for (const control of form.elements) control.disabled = true;
    for (const link of document.querySelectorAll("main a.button")) {
      if (kept.has(link.href.split("#")[0])) continue;
      link.removeAttribute("href");
      link.ariaDisabled = "true";
    }
    for (const fold of document.querySelectorAll("details.confirm > summary")) Object.assign(fold, { inert: true, ariaDisabled: "true" });
    for (const link of document.querySelectorAll("#now a.button")) link.replaceWith(make("span", "That needs the network.", { className: "meta" }));
    document.getElementById("notice")?.replaceChildren();
  };
  const known = async () => {
    const name = (await caches.keys()).find((cache) => cache.startsWith(KEPT));
    const list = name && await (await caches.open(name)).match(document.body.dataset.list);
    return list ? (await list.json()).pages : [];
  };
  const shelf = (pages) => {
    const section = make("section"), rows = make("ul", "", { className: "rows kept-here" }), note = make("p", "", { className: "meta" });
    for (const page of pages.filter((kept) => kept.name)) {
      const row = make("li");
      row.append(make("a", page.name, { href: page.at }));
      rows.append(row);
    }
    const button = make("button", "Forget this device", { type: "button", className: "bare" });
    button.addEventListener("click", async () => {
      await forgetDevice();
      section.replaceChildren(make("p", "Nothing is kept on this device any longer.", { role: "status" }));
    });
    note.append("Only what you may see, for you alone. Logging out removes it too. ", button);
    section.append(make("h2", "Kept on this device"), rows, note);
    document.getElementById("main").append(section);
  };

  // The switch, on the account’s page.
  const offer = () => {
    const part = document.querySelector("[data-offline]");
    if (!part) return;
    const [leave, keep] = part.querySelectorAll("button"), said = part.querySelector("[role=status]");
    const show = (words = "") => { part.hidden = false; leave.hidden = off(); keep.hidden = !off(); said.textContent = words; };
    leave.addEventListener("click", async () => { await forgetDevice(); show("Nothing is kept on this device any longer."); });
    keep.addEventListener("click", () => { turn(true); begin(); show("Your pages are kept on this device from now on."); });
    show();
  };

  document.addEventListener("DOMContentLoaded", async () => {
    const keeper = document.body.dataset.keeper;
    if ("kept" in root.dataset || "away" in root.dataset) {
      const pages = await known();
      if ("kept" in root.dataset) still(new Set(pages.map((page) => page.at)));
      if (pages.length) shelf(pages);
      return;
    }
    await forget(off() ? null : keeper);
    if (keeper) offer();
    if (keeper && !off()) begin();
  });
})();
