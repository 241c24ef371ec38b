// The time zone that this browser is in, for forms that ask for it: at sign-up, and once for whoever has not said theirs.
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  for (const input of document.querySelectorAll("input[data-zone]")) input.value = zone;
})();
