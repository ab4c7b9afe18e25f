// The panel "Phones": what to enter in each app. Its contents come from the server.

import { find, make } from "./dom.js";
import { say } from "./words.js";

/** Opens the panel; `session` says what the page may do. */
export function openPhones(session) {
  const dialog = find("phones-dialog");
  find("phones-close").onclick = () => dialog.close();
  fill(find("phones-panel"), session);
  dialog.showModal();
}

/** The place for the apps' tabs, their settings and QR codes. */
function fill(panel, _session) {
  panel.replaceChildren(make("p", {}, say("phonesText")), make("p", {}, say("phonesNone")));
}
