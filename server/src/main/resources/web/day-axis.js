// The hours below the strips of days.

import { clock } from "./day-time.js";
import { make } from "./dom.js";

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;
const TICKS_MAX = 12;
const TICK_PIXELS = 64;
const TICK_HOURS = [1, 2, 3, 4, 6, 12];

export class DayAxis {
  constructor() {
    this.element = make("div", { class: "day-axis", "aria-hidden": "true" });
  }

  /** Shows the hours between two times, in milliseconds since a day began; as many as have room. */
  show(begin, from, to) {
    const most = Math.max(2, Math.min(TICKS_MAX, Math.floor(this.element.clientWidth / TICK_PIXELS)));
    const step = TICK_HOURS.find((hours) => (to - from) / (hours * HOUR_MILLIS) <= most) * HOUR_MILLIS;
    const ticks = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const edge = at === from ? "first" : at === to ? "last" : null;
      const tick = make("span", { class: edge }, at === DAY_MILLIS ? "24:00" : clock(begin + at, 5));
      tick.style.left = `${(((at - from) / (to - from)) * 100).toFixed(2)}%`;
      ticks.push(tick);
    }
    this.element.replaceChildren(...ticks);
  }
}
