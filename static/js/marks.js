// Puts brackets round what is selected in a text, so that nobody has to type them, and counts the words.
(() => {
  const bar = document.querySelector("[data-mark-buttons]");
  const text = document.querySelector("[data-marks]");
  if (!bar || !text) return;
  bar.hidden = false;
  const count = document.querySelector("[data-words]");
  const tell = () => {
    const words = text.value.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    const over = words - Number(count.dataset.words);
    count.hidden = false;
    count.classList.toggle("over", over > 0);
    count.textContent = `${words} of about ${count.dataset.words} words` + (over > 0 ? `: ${over} over.` : ".");
  };
  if (count) {
    text.addEventListener("input", tell);
    tell();
  }
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-mark]");
    if (!button) return;
    const { selectionStart, selectionEnd, value } = text;
    const selected = value.slice(selectionStart, selectionEnd);
    const phrase = selected.trim();
    // Blanks at the ends stay where they are, outside of the brackets.
    const from = selectionStart + selected.length - selected.trimStart().length;
    const to = from + phrase.length;
    if (!phrase || /[[\]]/.test(phrase)) return;
    const many = Number(button.dataset.mark);
    text.setRangeText("[".repeat(many) + phrase + "]".repeat(many), from, to, "end");
    text.focus();
  });
})();
