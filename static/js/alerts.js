// "Your turn", heard or seen while one looks elsewhere: a sound and a notification of the browser. Each is off until it is
// switched on, and kept on this device alone.
(() => {
  "use strict";
  const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem(key, value); } catch { /* then it is forgotten */ } };
  const on = (name) => read(`alert:${name}`) === "1";
  const ALLOW = "Your browser does not allow it. Allow notifications of this site in the browser’s settings.";
  const NONE = "This browser shows no notifications of a page. Use the sound.";

  let audio = null;
  const sound = () => {
    audio ??= new AudioContext();
    audio.resume();
    const tone = audio.createOscillator(), volume = audio.createGain(), start = audio.currentTime;
    tone.frequency.setValueAtTime(660, start);
    tone.frequency.setValueAtTime(880, start + 0.12);
    volume.gain.setValueAtTime(0.15, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 0.4);
  };
  const notify = (title, body, leads) => {
    const shown = new Notification(title, { body, tag: leads });
    shown.onclick = () => { window.focus(); if (leads) location.assign(leads); shown.close(); };
  };

  // What is asked of one, as the Now bar has it: what was not there before has just come.
  const asked = () => new Map([...document.querySelectorAll("#now li:not(.ready, .meta)")].map((row) => {
    const leads = row.querySelector("a.button")?.href ?? "", text = row.querySelector("strong")?.textContent ?? "";
    return [leads + text, { leads, text }];
  }));
  let known = new Map(), speaks = false;
  const look = () => {
    const now = asked(), fresh = [...now.keys()].filter((key) => !known.has(key));
    known = now;
    if (!fresh.length || !speaks) return;
    const { leads, text } = now.get(fresh[0]);
    if (on("sound")) sound();
    if (on("notification") && window.Notification?.permission === "granted") try { notify(document.title, text, leads); } catch { /* the sound is left */ }
  };

  // Of several pages of a campaign one speaks, and its stream stays open while it is hidden.
  const listen = () => {
    const place = document.getElementById("now");
    if (!place || speaks || !(on("sound") || on("notification"))) return;
    const begin = () => {
      speaks = true;
      document.documentElement.dataset.listens = "";
      document.dispatchEvent(new Event("visibilitychange"));
      return new Promise(() => {});
    };
    if (navigator.locks) navigator.locks.request(`alerts:${place.dataset.live}`, begin);
    else begin();
  };

  // The switches, on the account's page.
  const allow = async () => {
    if (!window.Notification) return NONE;
    if (await Notification.requestPermission() !== "granted") return ALLOW;
    try { notify("Your turn", "It will be said like this.", ""); } catch { return NONE; }
    return "";
  };
  const turn = async (box) => {
    let refused = "";
    if (box.checked && box.dataset.alert === "sound") sound();
    if (box.checked && box.dataset.alert === "notification") refused = await allow();
    if (refused) box.checked = false;
    keep(`alert:${box.dataset.alert}`, box.checked ? "1" : "0");
    box.closest("[data-alerts]").querySelector("[role=status]").textContent = refused || "Saved on this device.";
  };

  document.addEventListener("DOMContentLoaded", () => {
    known = asked();
    listen();
    for (const part of document.querySelectorAll("[data-alerts]")) part.hidden = false;
    for (const box of document.querySelectorAll("[data-alert]")) box.checked = on(box.dataset.alert);
  });
  for (const drawn of ["htmx:oobAfterSwap", "htmx:afterSettle", "followed"]) document.addEventListener(drawn, look);
  document.addEventListener("change", (event) => { if (event.target.dataset?.alert) turn(event.target); });
})();
