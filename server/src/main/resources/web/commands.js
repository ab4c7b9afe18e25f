// The chosen rider's phones: what their apps can be told, and what became of it. A part of the card.

import { ask } from "./api.js";
import { make, put } from "./dom.js";
import { span } from "./format.js";
import { currentLanguage, say } from "./words.js";

const PHONES_MAX = 4;
const LISTED_MAX = 4;

/** How often the phones are asked about: while a command waits, and otherwise. */
const WAITING_MILLIS = 2_000;
const ASK_MILLIS = 15_000;

const APPS = { osmand: "OsmAnd, Traccar", gpslogger: "GPSLogger", geolocation: "background-geolocation", owntracks: "OwnTracks", overland: "Overland" };

/** A choice in seconds or minutes ("10 s", "5m") as a span. */
function every(choice) {
  return span(parseInt(choice, 10) * (choice.endsWith("m") ? 60 : 1));
}

/** What each app understands, by its own names: docs/phones.md. */
const UNDERSTOOD = {
  owntracks: {
    report: true,
    name: "commandEvery",
    choices: ["5 s", "10 s", "30 s", "60 s", "300 s"],
    shown: every,
    settings: (choice) => ({ monitoring: 2, locatorInterval: parseInt(choice, 10), moveModeLocatorInterval: parseInt(choice, 10) }),
  },
  overland: {
    name: "commandEvery",
    choices: ["1s", "5s", "10s", "30s", "1m", "5m"],
    shown: every,
    settings: (choice) => ({ send_interval: choice }),
  },
  geolocation: {
    name: "commandDistance",
    choices: ["5 m", "10 m", "25 m", "50 m", "100 m"],
    shown: (choice) => (currentLanguage() === "ko" ? choice.replace(" ", "") : choice),
    settings: (choice) => ({ geolocation: { distanceFilter: parseInt(choice, 10) } }),
  },
};

/** An app that was not heard yet may understand the question where it is; the server finds out. */
const UNHEARD = { report: true };

export class Commands {
  /** @param fleet whose clock times are by */
  constructor(fleet) {
    this.fleet = fleet;
    this.element = make("section", { class: "part commands", hidden: true });
    this.mayTell = false;
    this.id = null;
    this.phones = [];
  }

  /** For another rider; null for none. */
  show(id) {
    this.id = id;
    this.phones = [];
    clearTimeout(this.timer);
    this.build();
    if (id !== null && this.mayTell) {
      this.ask();
    }
  }

  async ask() {
    clearTimeout(this.timer);
    const id = this.id;
    try {
      const { items } = await ask("GET", `/v1/devices?riderId=${encodeURIComponent(id)}&limit=${PHONES_MAX}`);
      if (id !== this.id) {
        return;
      }
      this.take(items);
    } catch {
      if (id !== this.id) {
        return;
      }
      // The server is away or busy: what was known stays.
    }
    this.timer = setTimeout(() => this.ask(), this.phones.some(({ device }) => device.commands.length > 0) ? WAITING_MILLIS : ASK_MILLIS);
  }

  /** Keeps the elements of phones that stay what they were, as somebody may be choosing there. */
  take(devices) {
    const kind = (device) => `${device.id}\n${device.dialect}`;
    if (devices.map(kind).join("\n\n") === this.phones.map(({ device }) => kind(device)).join("\n\n")) {
      this.phones.forEach((phone, i) => (phone.device = devices[i]));
      this.update();
    } else {
      this.phones = devices.map((device) => ({ device }));
      this.build();
    }
  }

  /** Makes all of it anew: for other phones, or in another language. */
  build() {
    this.element.hidden = this.phones.length === 0;
    this.element.replaceChildren(make("h3", {}, say("commands")), ...this.phones.map((phone) => this.phone(phone)));
    this.update();
  }

  phone(phone) {
    const { id, dialect } = phone.device;
    const can = dialect === undefined ? UNHEARD : (UNDERSTOOD[dialect] ?? {});
    phone.heard = make("span", {});
    phone.problem = make("p", { class: "problem", role: "alert" });
    phone.list = make("ul", { class: "told", role: "status" });
    const tell = (command) => this.tell(phone, command);
    const line = make("div", { class: "row" });
    if (can.report) {
      line.append(make("button", { type: "button", class: "button report", onclick: () => tell({ type: "report" }) }, say("commandReport")));
    }
    if (can.settings) {
      const select = make("select", { "aria-label": say(can.name) }, ...can.choices.map((choice) => make("option", { value: choice, selected: choice.startsWith("10") && !choice.startsWith("100") }, say(can.name, { value: can.shown(choice) }))));
      line.append(
        make(
          "form",
          {
            class: "configure",
            onsubmit: (event) => {
              event.preventDefault();
              tell({ type: "configure", settings: can.settings(select.value) });
            },
          },
          select,
          make("button", { type: "submit", class: "button" }, say("commandSet")),
        ),
      );
    }
    return make(
      "div",
      { class: "phone" },
      make("p", { class: "who" }, make("b", {}, id), phone.heard),
      line.childElementCount > 0 ? line : make("p", { class: "none" }, say("commandNone")),
      phone.problem,
      phone.list,
    );
  }

  async tell(phone, command) {
    phone.problem.textContent = "";
    try {
      phone.device = await ask("POST", `/v1/devices/${encodeURIComponent(phone.device.id)}/commands`, command);
      this.update();
    } catch (failure) {
      phone.problem.textContent = failure.message;
    }
    if (this.id !== null) {
      this.ask();
    }
  }

  /** What is said of the phones as time goes by. */
  update() {
    const ago = (at) => span(Math.max(0, (Date.now() + this.fleet.skewMillis - Date.parse(at)) / 1000));
    for (const { device, heard, list } of this.phones) {
      const app = device.dialect === undefined ? say("phoneUnheard") : `${APPS[device.dialect] ?? device.dialect} · ${say("ago", { time: ago(device.heardAt) })}`;
      put(heard, [app, device.group].filter(Boolean).join(" · "));
      const lines = [
        ...(device.ended ?? []).map((one) => [one.type, one.end, say(one.end, { time: ago(one.at) })]),
        ...device.commands.map((one) => [one.type, "waiting", say("waiting", { time: ago(one.since) })]),
      ];
      const shown = lines.slice(-LISTED_MAX).reverse();
      while (list.childElementCount > shown.length) {
        list.lastElementChild.remove();
      }
      shown.forEach(([type, state, text], i) => {
        const entry = list.children[i] ?? list.appendChild(make("li", {}, make("b", {}), make("span", {})));
        entry.className = state;
        put(entry.firstElementChild, say(`command_${type}`));
        put(entry.lastElementChild, text);
      });
    }
  }
}
