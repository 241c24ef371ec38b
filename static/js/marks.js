// Puts brackets round what is selected in a text, so that nobody has to type them.
(() => {
  const bar = document.querySelector("[data-mark-buttons]");
  const text = document.querySelector("[data-marks]");
  if (!bar || !text) return;
  bar.hidden = false;
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mark]");
    if (!button) return;
    const { selectionStart: from, selectionEnd: to, value } = text;
    const phrase = value.slice(from, to).trim();
    if (!phrase || /[[\]]/.test(phrase)) return;
    const many = Number(button.dataset.mark);
    text.setRangeText("[".repeat(many) + phrase + "]".repeat(many), from, to, "end");
    text.focus();
  });
})();
