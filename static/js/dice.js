// What the browser adds to the dice, and what it keeps of them. The server has committed to a numbered secret; at the moment
// of sending, the browser makes 32 random bytes of its own, and both decide the faces. It keeps a receipt, and holds every
// entry that it made against it, and every end of the Ledger against the newest that it saw.
(() => {
  "use strict";
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => new Uint8Array((text.match(/../g) ?? []).map((two) => parseInt(two, 16)));
  const seed = () => hex(crypto.getRandomValues(new Uint8Array(32)));
  const place = () => document.querySelector("[data-dice]")?.dataset;
  const MOST = 5000; // receipts that are kept

  // Where things are kept: one text for each campaign and member, on this device.
  const key = () => `dice:${place().campaign}:${place().member}`;
  const load = () => {
    const nothing = { head: null, receipts: [], warnings: [], elsewhere: [] };
    try { return { ...nothing, ...JSON.parse(localStorage.getItem(key()) ?? "{}") }; } catch { return nothing; }
  };
  const save = (kept) => {
    kept.receipts = kept.receipts.slice(-MOST);
    try { localStorage.setItem(key(), JSON.stringify(kept)); } catch { /* then this roll has no receipt */ }
  };

  // The secret that the next roll uses, as a page or an answer showed it last.
  let next = null;
  const shown = () => next ?? (place()?.number ? { number: Number(place().number), commitment: place().commitment } : null);

  // One receipt for each secret: what is sent again before an entry used it goes with the same seed, so that neither side
  // can try several.
  const receipt = (operation) => {
    const kept = load();
    let { number, commitment } = shown();
    const used = Math.max(0, ...kept.receipts.filter((receipt) => receipt.entry).map((receipt) => receipt.entry.number));
    if (used >= number) [number, commitment] = [used + 1, null];
    let found = kept.receipts.find((receipt) => receipt.number === number && !receipt.entry);
    if (!found) kept.receipts.push(found = { number, commitment, seed: seed(), operations: [], at: new Date().toISOString() });
    found.operations = [...found.operations.filter((sent) => sent !== operation), operation].slice(-50);
    save(kept);
    return found.seed;
  };

  document.addEventListener("submit", (event) => {
    const fields = event.target.querySelectorAll("input[data-client-seed]");
    if (!fields.length || !place()) return;
    if (event.target.querySelector("input[name=typed]")?.value.trim()) return; // these dice fell at the table
    const operation = event.target.querySelector("input[name=op_id]")?.value;
    const made = operation && shown() ? receipt(operation) : seed();
    for (const field of fields) field.value = made;
  }, true);

  // Holding what the server tells against what is kept. Hashes can be worked out where the browser lets a page do so.
  const subtle = crypto.subtle;
  const text = (words) => new TextEncoder().encode(words);
  const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
  const sha = async (data) => hex(new Uint8Array(await subtle.digest("SHA-256", data)));

  const faces = async (dice, campaign) => {
    const parts = [text("campaign-dice-v2"), text(campaign), text(String(dice.number)), bytes(dice.client_seed)];
    const message = joined(...parts.flatMap((part) => [[part.length >> 8, part.length & 255], part]));
    const secret = await subtle.importKey("raw", bytes(dice.secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const found = [];
    let block = [], counter = 0;
    for (const sides of dice.sides) {
      for (;;) {
        if (!block.length) {
          const count = [counter >>> 24, counter >>> 16, counter >>> 8, counter].map((part) => part & 255);
          block = [...new Uint8Array(await subtle.sign("HMAC", secret, joined(message, count)))];
          counter += 1;
        }
        const byte = block.shift();
        if (byte < 256 - (256 % sides)) { found.push((byte % sides) + 1); break; }
      }
    }
    return found;
  };

  const chained = async (row, envelope, before) => {
    if (before && (envelope.prev !== before.hash || envelope.seq !== before.seq + 1)) return "it does not follow from the entry before";
    if (subtle && (await sha(text(`campaign-trail-envelope-v1\n${row.envelope}`))) !== row.hash) return "its hash is not that of what it says";
    return "";
  };

  const rolled = async (kept, row, envelope) => {
    const mine = kept.receipts.find((receipt) => receipt.operations.includes(envelope.op_id));
    const record = row.payload ? JSON.parse(row.payload).dice : null;
    if (!mine) {
      kept.elsewhere = [...new Set([...kept.elsewhere, envelope.seq])].slice(-500);
      return "";
    }
    const entry = { seq: envelope.seq, hash: row.hash, number: record?.number ?? mine.number };
    mine.entry = entry;
    if (record && record.client_seed !== mine.seed) return "its dice came from another seed than this browser sent";
    if (entry.number < mine.number) return `its dice came from secret ${entry.number}; before it sent, this browser was shown ${mine.number}`;
    if (entry.number === mine.number && mine.commitment && envelope.dice !== mine.commitment) return "the secret of its dice is not the one that this browser was shown before it sent";
    if (!subtle || !record) return "";
    if ((await sha(joined(text("campaign-trail-payload-v1\n"), bytes(row.salt), text(row.payload)))) !== envelope.payload_commit) return "its text is not what its place in the chain was made with";
    if ((await sha(bytes(record.secret))) !== envelope.dice) return "the secret of its dice is not the one that was committed to";
    if (String(await faces(record, envelope.campaign)) !== String(record.faces)) return "its faces do not follow from the secret and the seed";
    return "";
  };

  const warn = (kept, words, evidence) => {
    if (!kept.warnings.some((warning) => warning.words === words)) kept.warnings.push({ words, evidence, at: new Date().toISOString() });
  };

  // Goes from the newest entry that was seen to the end.
  const compare = async () => {
    for (let more = true; more;) {
      const start = load().head;
      const answer = await fetch(place().since.replace(/1\/$/, `${start.seq}/`), { headers: { Accept: "application/json" } }).catch(() => null);
      if (!answer?.ok) return;
      const found = await answer.json();
      const kept = load(); // as it is now: another tab may have sent something meanwhile
      next = found.next;
      let before = null;
      if (found.head.seq < start.seq) warn(kept, `The Ledger ends at entry ${found.head.seq}. This browser has seen entry ${start.seq}.`, { seen: start, now: found.head });
      for (const row of found.entries) {
        const envelope = JSON.parse(row.envelope);
        if (!before && (envelope.seq !== start.seq || row.hash !== start.hash)) { warn(kept, `Entry ${start.seq} is another one than this browser has seen.`, { seen: start, now: row }); break; }
        let wrong = await chained(row, envelope, before);
        if (!wrong && before && envelope.dice && envelope.actor === place().member) wrong = await rolled(kept, row, envelope);
        if (wrong) warn(kept, `Entry ${envelope.seq}: ${wrong}.`, { receipt: kept.receipts.find((receipt) => receipt.operations.includes(envelope.op_id)) ?? null, now: row });
        before = { seq: envelope.seq, hash: row.hash };
      }
      if (before && before.seq >= (kept.head?.seq ?? 0)) kept.head = before;
      save(kept);
      more = found.more && Boolean(before);
    }
    banner();
  };

  // What differs stays on top of every page, until its evidence was saved.
  const banner = () => {
    const { warnings } = load();
    document.getElementById("dice-warning")?.remove();
    if (!warnings.length) return;
    const box = Object.assign(document.createElement("div"), { id: "dice-warning", className: "error" });
    box.setAttribute("role", "alert");
    const link = Object.assign(document.createElement("a"), { href: place().receipts, textContent: "See the evidence and save it" });
    box.append(Object.assign(document.createElement("strong"), { textContent: "The server does not say what this browser has seen. " }), `${warnings.at(-1).words} `, link);
    document.getElementById("notice")?.before(box);
  };

  let waits = null;
  const soon = () => { waits ??= setTimeout(() => { waits = null; start(); }, 300); };
  const start = () => {
    if (!place()) return;
    const kept = load(), { head, hash } = place();
    if (!kept.head) save({ ...kept, head: { seq: Number(head), hash } });
    compare();
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (!place()) return;
    banner();
    const kept = load(), { head, hash } = place();
    if (!kept.head || kept.head.seq !== Number(head) || kept.head.hash !== hash) start();
  });
  document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.requestConfig?.verb === "post" && event.detail.requestConfig.elt.id !== "tray" && place()) soon(); });

  // What a form is sent as: made once, it is the same operation in whichever tab it is sent.
  const operation = () => {
    const made = crypto.getRandomValues(new Uint8Array(16));
    made[6] = (made[6] & 15) | 64;
    made[8] = (made[8] & 63) | 128;
    return Array.from(made, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  window.dice = { load, save, banner, operation };
})();
