// A journal survives a lost connection: what is typed is kept in this browser until it is saved, by person, campaign and
// subject. Drafts of anybody else are thrown away, and all of them when one logs out. A tap begins with a sentence.
(() => {
  "use strict";
  const KEY = "draft:";
  const guarded = (action) => { try { return action(); } catch { return null; } };
  const read = (key) => guarded(() => JSON.parse(localStorage.getItem(key)));
  const keep = (key, draft) => guarded(() => { localStorage.setItem(key, JSON.stringify(draft)); return true; });
  const forget = (wanted) => guarded(() => Object.keys(localStorage).filter((key) => key.startsWith(KEY) && wanted(key)).forEach((key) => localStorage.removeItem(key)));
  const time = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const words = (text) => text.split(/\s+/).filter(Boolean).length;

  const write = (form) => {
    const field = form.querySelector("textarea"), status = form.querySelector(".drafted"), key = KEY + form.dataset.draft;
    const initial = field.defaultValue, [label, discard] = status.children;
    const show = (text, canDiscard) => { label.textContent = text; discard.hidden = !canDiscard; status.hidden = false; };
    const draft = form.dataset.draft ? read(key) : null;
    if (draft && draft.text !== field.value && !form.querySelector(".error")) {
      field.value = draft.text;
      show(`Your draft from this device, ${time(draft.at)}, isn’t saved yet.`, true);
    }
    const changed = () => {
      const many = words(field.value), count = `${many} ${many === 1 ? "word" : "words"}`;
      const kept = form.dataset.draft && keep(key, { text: field.value, at: Date.now() });
      show(kept ? `Draft kept on this device, ${time(Date.now())} · ${count}` : count, kept);
    };
    field.addEventListener("input", changed);
    discard.addEventListener("click", () => {
      forget((name) => name === key);
      field.value = initial;
      status.hidden = true;
      field.focus();
    });
    for (const row of document.querySelectorAll(".beginnings li")) {
      const button = row.querySelector("button");
      button.hidden = false;
      button.addEventListener("click", () => {
        const before = field.value.trimEnd();
        field.value = `${before}${before && "\n\n"}${row.querySelector("span").textContent} `;
        changed();
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
      });
    }
  };

  document.addEventListener("DOMContentLoaded", () => {
    const person = document.body.dataset.person, saved = document.querySelector("[data-saved]")?.dataset.saved;
    if (person) forget((key) => !key.startsWith(`${KEY}${person}:`));
    if (saved) forget((key) => key === KEY + saved);
    const form = document.querySelector("form.write-journal");
    if (form) write(form);
  });
  document.addEventListener("submit", (event) => { if (event.target.matches("[data-log-out]")) forget(() => true); });
})();
