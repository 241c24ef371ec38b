// Asks before a page is left with something typed that was not kept.
(() => {
  let typed = false;
  document.addEventListener("input", (event) => {
    if (event.target.closest("[data-builder]")) typed = true;
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-builder]")) typed = false;
  });
  window.addEventListener("beforeunload", (event) => {
    if (typed) event.preventDefault();
  });
})();
