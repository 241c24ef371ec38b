// The browser's share of the dice: 32 random bytes in each form that rolls, made at the moment of sending. Together
// with the server's secret, committed to beforehand, they decide the faces; so neither side can choose them.
(() => {
  "use strict";
  const share = () => Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  document.addEventListener("submit", (event) => {
    for (const field of event.target.querySelectorAll("input[data-share]")) field.value ||= share();
  }, true);
})();
