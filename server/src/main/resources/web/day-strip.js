// A day along its time: how fast the rider was, where they stayed, when they picked up and brought.
// The slider lies above it.

import { SPEED_STOPS } from "./day-layer.js";
import { clock } from "./day-time.js";
import { make, makeSvg } from "./dom.js";
import { kmh } from "./format.js";
import { say } from "./words.js";

/** So many parts have a speed of their own. */
const PARTS = 360;
const HEIGHT = 40;
const BASE = 1.5;
const TOP = 8;

/** Metres a second that have half of the height at least. */
const SPEED_LEAST = 8;

export class DayStrip {
  /**
   * @param tint whose colour it has
   * @param onMoved is told the time that was chosen, in milliseconds
   * @param onSettled is told when the choice is over
   */
  constructor(tint, onMoved, onSettled) {
    this.stays = makeSvg("g", {});
    this.area = makeSvg("path", { class: "day-area" });
    this.ridden = makeSvg("path", { class: "day-area ridden" });
    this.marks = makeSvg("path", { class: "day-steps" });
    const box = { viewBox: `0 0 ${PARTS} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    const ramp = `ramp-${tint}`;
    const stops = SPEED_STOPS.map((_, i) => makeSvg("stop", { class: `speed-${i}` }));
    this.gradient = makeSvg("linearGradient", { id: ramp, gradientUnits: "userSpaceOnUse", x1: 0, x2: 0, y1: HEIGHT - BASE }, ...stops);
    this.base = makeSvg("svg", box, makeSvg("defs", {}, this.gradient), this.stays, this.area, this.marks);
    this.top = makeSvg("svg", { ...box, class: "ridden-part" }, this.ridden);
    this.slider = make("input", { type: "range", step: 1, oninput: () => onMoved(Number(this.slider.value) * 1000 + this.begin), onchange: onSettled });
    this.element = make("div", { class: `day-strip ${tint}` }, this.base, this.top, this.slider);
  }

  /** Draws a track between two times; both in milliseconds since its day began. */
  show(track, from, to) {
    this.begin = track.begin;
    this.from = from;
    this.to = to;
    this.slider.min = from / 1000;
    this.slider.max = to / 1000;
    const x = (millis) => (((millis - track.begin - from) / (to - from)) * PARTS).toFixed(2);
    const line = this.outline(track);
    this.area.setAttribute("d", line);
    this.ridden.setAttribute("d", line);
    this.stays.replaceChildren(
      ...track.stays.map(({ fromMillis, toMillis }) =>
        makeSvg("rect", { class: "day-stayed", x: x(fromMillis), y: 0, width: Math.max(0.5, x(toMillis) - x(fromMillis)), height: HEIGHT, rx: 1 }),
      ),
    );
    this.marks.setAttribute("d", track.deliveries.flatMap(({ steps }) => steps.map((millis) => `M${x(millis)} 0v7`)).join(""));
  }

  /** The mean speeds of the parts as an area; nothing where nobody knows. */
  outline(track) {
    const sums = new Float64Array(PARTS);
    const counts = new Uint32Array(PARTS);
    for (let i = 0; i < track.size; i++) {
      const part = Math.min(PARTS - 1, Math.floor(((track.millis[i] - track.begin - this.from) / (this.to - this.from)) * PARTS));
      sums[part] += track.speeds[i];
      counts[part]++;
    }
    let before = 0;
    const means = Array.from(sums, (sum, i) => {
      before = counts[i] > 0 ? sum / counts[i] : this.isKnown(track, i) ? before : null;
      return before;
    });
    const most = Math.max(SPEED_LEAST, ...means);
    this.ramp(most);
    const path = [];
    means.forEach((mean, i) => {
      if (mean !== null) {
        const y = (HEIGHT - BASE - (mean / most) * (HEIGHT - BASE - TOP)).toFixed(1);
        path.push((means[i - 1] ?? null) === null ? `M${i} ${HEIGHT}V${y}` : "", `L${i + 0.5} ${y}`, (means[i + 1] ?? null) === null ? `H${i + 1}V${HEIGHT}Z` : "");
      }
    });
    return path.join("");
  }

  /** The colours that the line on the map has at the speeds which lie at those heights. */
  ramp(most) {
    const top = HEIGHT - BASE - (HEIGHT - BASE - TOP) * (SPEED_STOPS[2] / most);
    this.gradient.setAttribute("y2", top.toFixed(1));
    SPEED_STOPS.forEach((speed, i) => this.gradient.children[i].setAttribute("offset", (speed / SPEED_STOPS[2]).toFixed(3)));
  }

  /** Whether a part without a position lies between two that no gap parts. */
  isKnown(track, part) {
    const middle = track.begin + this.from + ((part + 0.5) / PARTS) * (this.to - this.from);
    const i = track.indexAt(middle);
    return i >= 0 && i + 1 < track.size && !track.isGap(i);
  }

  /** Puts the slider to a time. */
  at(millis, track, place) {
    const seconds = Math.round((millis - track.begin) / 1000);
    if (Number(this.slider.value) !== seconds) {
      this.slider.value = seconds;
    }
    const share = Math.max(0, Math.min(1, (millis - track.begin - this.from) / (this.to - this.from)));
    this.element.style.setProperty("--ridden", `${(share * 100).toFixed(2)}%`);
    const words = !place ? say("dayNotYet") : place.silentSince === null ? `${kmh(place.speed)} km/h` : say("daySilent", { time: clock(place.silentSince, 5) });
    this.slider.setAttribute("aria-valuetext", `${clock(millis)}, ${words}`);
  }
}
