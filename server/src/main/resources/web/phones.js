// The panel "Phones": for one rider, what to enter in each app, with a QR code. The server makes a
// key that can only collect for that rider; it is shown here and kept nowhere.

import { ask } from "./api.js";
import { find, make } from "./dom.js";
import { may } from "./session.js";
import { currentLanguage, say } from "./words.js";

/** How long a phone's key is valid, as of the command `gilmok phones`. */
const KEY_SECONDS = 90 * 24 * 60 * 60;

const LOOPBACK = /^https?:\/\/(localhost|127\.|\[::1\])/;

const NONE = { rider: null, key: null, expiresAt: null };

/** The key made last, so that another look at the same rider does not make another. */
let made = NONE;

/** Whether the page's key may make keys for phones, and tie and command them. */
export const mayHandlePhones = (session) => may(session, "operate");

/** Opens the panel; `rider` is who is chosen. */
export function openPhones(rider = null) {
  const dialog = find("phones-dialog");
  find("phones-close").onclick = () => dialog.close();
  dialog.onclose = () => {
    made = NONE;
    find("phones-panel").replaceChildren();
  };
  fill(find("phones-panel"), rider ?? "");
  dialog.showModal();
}

function fill(panel, rider) {
  const riderInput = make("input", { id: "phones-rider", maxlength: "128", autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: true, value: rider });
  const urlInput = make("input", { id: "phones-url", type: "url", maxlength: "256", autocomplete: "off", spellcheck: "false", required: true, value: location.origin });
  const problem = make("p", { class: "problem", role: "alert" });
  const button = make("button", { type: "submit", class: "primary" }, say("phonesShow"));
  const guides = make("div", { class: "guides" });
  const hint = make("p", { class: "hint", id: "phones-hint" }, say("phonesLoopback"));
  urlInput.oninput = () => (hint.hidden = !LOOPBACK.test(urlInput.value));
  urlInput.oninput();
  const form = make(
    "form",
    { novalidate: true },
    make("p", {}, say("phonesText")),
    make("label", { for: "phones-rider" }, say("phonesRider")),
    riderInput,
    make("label", { for: "phones-url" }, say("phonesUrl")),
    urlInput,
    hint,
    problem,
    button,
  );
  // What is shown is of what stands above it, or nothing.
  let asked = 0;
  form.oninput = () => {
    asked++;
    guides.replaceChildren();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    guides.replaceChildren();
    const mine = ++asked;
    button.disabled = true;
    problem.textContent = "";
    try {
      const items = await load(riderInput.value.trim(), urlInput.value.trim());
      if (mine === asked) {
        guides.replaceChildren(...tabs(items), expiry());
        guides.scrollIntoView({ block: "start" });
      }
    } catch (failure) {
      problem.textContent = failure.message;
    }
    button.disabled = false;
  };
  panel.replaceChildren(form, guides);
}

/** Makes a key where there is none yet, and asks for the guides. Throws what to tell. */
async function load(rider, url) {
  // The URL and the rider are looked at before a key is made for them.
  const trial = "to-be-made-afterwards";
  await post("/v1/phones", { url, riderId: rider, key: trial, app: "osmand" });
  if (made.rider !== rider) {
    const { key, expiresAt } = await post("/v1/keys", { name: `phone ${rider}`.slice(0, 128), scopes: ["collect"], rider, expiresIn: KEY_SECONDS });
    made = { rider, key, expiresAt };
  }
  const { items } = await post("/v1/phones", { url, riderId: rider, key: made.key });
  for (const device of new Set(items.map((item) => item.device))) {
    if (device !== rider) {
      await tie(device, rider);
    }
  }
  return items;
}

/** Says whose a phone is that does not call itself what the rider is called. */
async function tie(device, rider) {
  const path = `/v1/devices/${encodeURIComponent(device)}`;
  const known = await fetch(path, { cache: "no-store" });
  // One that is tied already keeps its group.
  if (!known.ok || (await known.json()).riderId !== rider) {
    await ask("PUT", path, { riderId: rider });
  }
}

const post = (path, body) => ask("POST", path, body);

// --- the guides ----------------------------------------------------------------------------------

function tabs(items) {
  const panels = items.map((item) => guide(item));
  const buttons = items.map((item, i) =>
    make("button", {
      type: "button",
      role: "tab",
      id: `phones-tab-${item.app}`,
      "aria-controls": `phones-app-${item.app}`,
      onclick: () => show(i),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) {
          const next = (i + step + items.length) % items.length;
          show(next);
          buttons[next].focus();
        }
      },
    }, item.title),
  );
  const show = (chosen) => {
    panels.forEach((panel, i) => (panel.hidden = i !== chosen));
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
    });
  };
  show(0);
  return [make("div", { class: "tabs", role: "tablist", "aria-label": say("phonesApps") }, ...buttons), ...panels];
}

function expiry() {
  const date = new Date(made.expiresAt).toLocaleDateString(currentLanguage(), { dateStyle: "long" });
  return make("p", { class: "expires" }, say("phonesExpires", { date }));
}

function guide(item) {
  const rows = item.settings.flatMap(({ name, value }) => [
    make("dt", {}, name),
    make("dd", {}, make("code", {}, value), copyButton(value)),
  ]);
  const code = make("div", { class: "qr", role: "img", "aria-label": say(item.link ? "phonesScanLink" : "phonesScanUrl") }, drawing(item.qr));
  return make(
    "section",
    { role: "tabpanel", id: `phones-app-${item.app}`, "aria-labelledby": `phones-tab-${item.app}` },
    make("p", { class: "menu" }, `${item.platforms.join(", ")} · ${item.menu}`),
    make("div", { class: "guide" },
      make("div", { class: "scan" },
        code,
        make("p", {}, say(item.link ? "phonesScanLink" : "phonesScanUrl")),
        item.link ? make("a", { class: "open", href: item.link }, say("phonesOpen")) : null),
      make("dl", { class: "settings" }, ...rows)),
  );
}

/** The server's SVG, parsed as such: nothing in it can run or load. */
function drawing(svg) {
  return document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);
}

function copyButton(value) {
  const button = make("button", { type: "button", class: "copy", onclick: async () => {
    try {
      await navigator.clipboard.writeText(value);
      button.textContent = say("copied");
    } catch {
      // No clipboard here: the value stands beside it.
    }
  } }, say("phonesCopy"));
  return button;
}
