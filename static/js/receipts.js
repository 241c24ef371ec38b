// The page of one's own receipts: what this browser keeps of its rolls, and saving it as a file that verify.py reads.
document.addEventListener("DOMContentLoaded", () => {
  "use strict";
  const { campaign, member, entry } = document.querySelector("[data-dice]").dataset;
  const root = document.querySelector("[data-my-receipts]");
  const made = (name, fields = {}) => Object.assign(document.createElement(name), fields);
  const leads = (seq) => made("a", { href: entry.replace(/1\/$/, `${seq}/`), textContent: `Entry ${seq}` });

  const lines = ({ head, receipts }) => [
    { v: 1, export: "campaign-receipts", campaign, member, head },
    ...receipts.map(({ number, commitment, seed, operations, at }) => ({ number, commitment, client_seed: seed, operations, at })),
  ].map((line) => `${JSON.stringify(line)}\n`);

  const save = (name, parts) => {
    const url = URL.createObjectURL(new Blob(parts, { type: "application/jsonl" }));
    made("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };

  const warning = (told) => {
    const box = made("div", { className: "error" });
    const more = made("details");
    more.append(made("summary", { textContent: "The evidence" }), made("pre", { textContent: JSON.stringify(told.evidence, null, 1) }));
    box.append(made("p", { textContent: told.words }), more);
    return box;
  };

  const draw = () => {
    const kept = window.dice.load();
    const warnings = root.querySelector("[data-warnings]");
    warnings.replaceChildren(...kept.warnings.map(warning));
    if (kept.warnings.length) {
      const button = made("button", { type: "button", className: "danger", textContent: "Save the evidence and remove the warning" });
      button.addEventListener("click", () => {
        save("evidence.json", [JSON.stringify(kept, null, 1)]);
        window.dice.save({ ...window.dice.load(), warnings: [] });
        window.dice.banner();
        draw();
      });
      warnings.append(button);
    }
    if (kept.elsewhere.length) {
      const told = made("p", { textContent: "Rolls in your name that this browser did not send, from another device of yours if all is well: " });
      kept.elsewhere.slice(-20).forEach((seq, place) => told.append(...(place ? [", "] : []), leads(seq)));
      warnings.append(told);
    }
    const rows = kept.receipts.toReversed().map((receipt) => {
      const row = made("tr"), where = made("td");
      if (receipt.entry) where.append(leads(receipt.entry.seq));
      else where.textContent = "none yet";
      const state = receipt.entry ? (kept.warnings.some((one) => one.evidence.receipt?.number === receipt.number) ? "differs" : "agrees") : "waits";
      row.append(made("td", { textContent: receipt.number }), made("td", { textContent: new Date(receipt.at).toLocaleString() }), where, made("td", { textContent: state }));
      return row;
    });
    root.querySelector("tbody").replaceChildren(...rows);
    root.querySelector("[data-table]").hidden = !rows.length;
    root.querySelector("[data-none]").hidden = Boolean(rows.length);
    root.querySelector("[data-save]").hidden = !rows.length;
  };
  root.querySelector("[data-save]").addEventListener("click", () => save("receipts.jsonl", lines(window.dice.load())));
  draw();
});
