// What the page says about itself: connection, counts, rate, notices, and the hint where nobody is.

import { closeButton, find, make } from "./dom.js";
import { number, span } from "./format.js";
import { say } from "./words.js";

/** A clock that is off by less is not worth a word. */
const SKEW_MILLIS = 5_000;
const STATES = ["moving", "standing", "quiet"];

export class Status {
  /** @param onShown is told {moving, standing, quiet} when somebody hides or shows one */
  constructor(onShown) {
    this.notices = new Map();
    this.dismissed = new Set();
    this.received = 0;
    this.rate = 0;
    this.shown = { moving: true, standing: true, quiet: true };
    for (const state of STATES) {
      const button = find(`show-${state}`);
      button.addEventListener("click", () => {
        this.shown[state] = !this.shown[state];
        button.setAttribute("aria-pressed", String(this.shown[state]));
        onShown(this.shown);
      });
    }
  }

  /** Counts what came, for the rate. */
  took(positions) {
    this.received += positions;
  }

  /** Once a second. */
  tick(counts, stream, skewMillis) {
    const total = counts.moving + counts.standing + counts.quiet;
    for (const state of STATES) {
      const button = find(`show-${state}`);
      button.querySelector("b").textContent = number(counts[state]);
      const label = say("hideState", { state: say(`${state}Long`) });
      button.title = label;
      button.setAttribute("aria-label", `${number(counts[state])} ${say(state)}. ${label}`);
    }
    this.rate = this.rate * 0.6 + this.received * 0.4;
    this.received = 0;
    find("rate").textContent = this.rate < 0.05 ? "" : say("rate", { count: number(this.rate, this.rate < 10 ? 1 : 0) });
    this.connection(stream);
    find("empty").hidden = total > 0 || stream?.state !== "live" || Date.now() - stream.since < 1_500;
    const off = Math.abs(skewMillis) >= SKEW_MILLIS;
    const time = span(Math.abs(skewMillis) / 1000);
    this.notice("skew", off ? say(skewMillis > 0 ? "skewBehind" : "skewAhead", { time }) : null);
  }

  connection(stream) {
    const state = stream?.state ?? "connecting";
    const gone = stream && state !== "live" && state !== "connecting";
    const time = gone ? span((Date.now() - stream.since) / 1000) : "";
    const line = find("status");
    line.className = `status ${state === "live" ? "live" : gone ? "lost" : ""}`;
    const text = gone ? say("lost", { time }) : say(state);
    if (find("status-text").textContent !== text) {
      find("status-text").textContent = text;
    }
    this.notice("lost", gone && state === "lost" && Date.now() - stream.since > 3_000 ? say("lostText", { time }) : null, true);
    this.notice("off", state === "off" ? say("liveOff") : null, true);
    this.notice("busy", state === "busy" ? say("busy", { status: stream.status }) : null, true);
  }

  /** Shows, changes or (null) takes away a notice. One that was closed stays away until it ends. */
  notice(name, text, isBad = false) {
    const known = this.notices.get(name);
    if (!text) {
      known?.remove();
      this.notices.delete(name);
      this.dismissed.delete(name);
    } else if (known) {
      known.firstElementChild.textContent = text;
    } else if (!this.dismissed.has(name)) {
      const notice = make("div", { class: `notice panel ${isBad ? "bad" : ""}`, role: "status" }, make("p", {}, text));
      notice.append(
        closeButton(say("close"), () => {
          notice.remove();
          this.notices.delete(name);
          this.dismissed.add(name);
        }),
      );
      this.notices.set(name, notice);
      find("notices").append(notice);
    }
  }
}
