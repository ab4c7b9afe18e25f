// Charts over time, drawn as SVG: lines or stacked areas above one time axis, and below them, if
// wished, a strip of bars on the same axis. All charts share one cursor. Colours: style.css.

import { makeSvg } from "./dom.js";
import { format, timeOfDay } from "./ops-units.js";

const AXIS = 18;
const STRIP = 26;
const STRIP_GAP = 6;
const TOP = 8;
/** Without a sample for so many times their distance, a line is broken off. */
const GAP = 3.5;
/** Bars: a pause of 1 ms is a tenth of the strip, one of a second all of it. */
const BAR_DECADES = 3;
const LONG_PAUSE = 0.05;
const SIGN = 11;
const TIME_STEPS = [60, 120, 300, 600, 900, 1800].map((seconds) => seconds * 1000);
const MARK_SIGNS = { start: "▲", serving: "●", warming: "○", leaving: "▽", draining: "▼", "reload-ok": "↻", "reload-refused": "✕" };

/** A round number that is at least that: 1, 2 or 5 times a power of ten. */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((round) => round >= value * 0.9999);
}

export class TimeChart {
  /** @param plan {unit, scale: "linear" or "log", least, isStacked, height, strip} */
  constructor(plan) {
    this.plan = plan;
    this.plotHeight = plan.height ?? 118;
    this.height = TOP + this.plotHeight + AXIS + (plan.strip ? STRIP + STRIP_GAP : 0);
    this.body = makeSvg("g");
    this.cursorLine = makeSvg("path", { class: "cursor" });
    this.dots = makeSvg("g", { class: "dots" });
    this.element = makeSvg("svg", { class: "chart", height: this.height, role: "img", tabindex: 0 }, this.body, this.cursorLine, this.dots);
    this.width = 0;
  }

  /** What it shows in words, for who cannot see it. */
  describe(text) {
    this.element.setAttribute("aria-label", text);
  }

  /**
   * Draws everything.
   *
   * @param view {times, everyMillis, from, to, marks}
   * @param lines [{values, style, isFilled}]; null where there is nothing
   * @param bars the strip's values, in seconds of pause a second
   */
  draw(view, lines, bars) {
    this.width = this.element.clientWidth || this.element.parentElement?.clientWidth || 0;
    if (this.width === 0) {
      return;
    }
    this.view = view;
    this.lines = this.plan.isStacked ? stack(lines) : lines;
    this.element.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.fit();
    const parts = [...this.grid(), ...this.timeAxis()];
    for (const line of [...this.lines].reverse()) {
      parts.push(...this.line(line));
    }
    if (this.plan.strip) {
      parts.push(...this.strip(bars));
    }
    parts.push(...this.valueTicks(), ...this.marks());
    this.body.replaceChildren(...parts);
  }

  x(time) {
    return ((time - this.view.from) / (this.view.to - this.view.from)) * this.width;
  }

  y(value) {
    const part = this.isLog
      ? Math.log(Math.max(value, this.low) / this.low) / Math.log(this.high / this.low)
      : value / this.high;
    return TOP + this.plotHeight * (1 - Math.min(Math.max(part, 0), 1));
  }

  /** Chooses the range of values. */
  fit() {
    this.isLog = this.plan.scale === "log";
    let [least, most] = [Infinity, 0];
    const { times, from } = this.view;
    for (const { values } of this.lines) {
      for (let i = times.length - 1; i >= 0 && times[i] >= from; i--) {
        const value = values[i];
        if (value !== null && value > 0) {
          least = Math.min(least, value);
          most = Math.max(most, value);
        }
      }
    }
    if (this.isLog) {
      this.high = 10 ** Math.ceil(Math.log10(Math.max(most, 0.01)) - 1e-9);
      this.low = Math.min(10 ** Math.floor(Math.log10(least === Infinity ? 0.001 : least)), this.high / 100);
    } else {
      this.high = roundUp(Math.max(most, this.plan.least ?? 1e-9));
    }
  }

  ticks() {
    if (!this.isLog) {
      return [0, this.high / 2, this.high];
    }
    const ticks = [];
    for (let tick = this.low; tick <= this.high * 1.001; tick *= 10) {
      ticks.push(tick);
    }
    return ticks;
  }

  grid() {
    return this.ticks().map((tick) => makeSvg("path", { class: tick === 0 || tick === this.low ? "base" : "rule", d: `M0 ${this.tickY(tick)}H${this.width}` }));
  }

  tickY(tick) {
    return Math.round(this.y(tick)) + 0.5;
  }

  /** Above the lines, so that they can be read. */
  valueTicks() {
    return this.ticks()
      .filter((tick) => tick > 0 && !(this.isLog && tick === this.low))
      .map((tick) => makeSvg("text", { class: "value-tick", x: 0, y: this.tickY(tick) + 11 }, format(this.plan.unit, tick)));
  }

  timeAxis() {
    const { from, to } = this.view;
    const step = TIME_STEPS.find((millis) => ((to - from) / millis) * 58 <= this.width) ?? TIME_STEPS.at(-1);
    const offset = new Date(from).getTimezoneOffset() * 60_000;
    const parts = [];
    for (let time = Math.ceil((from - offset) / step) * step + offset; time <= to; time += step) {
      const x = this.x(time);
      parts.push(makeSvg("path", { class: "rule", d: `M${x.toFixed(1)} ${TOP}V${this.bottom}` }));
      if (x > 14 && x < this.width - 14) {
        parts.push(makeSvg("text", { class: "time-tick", x: x.toFixed(1), y: this.height - 4 }, timeOfDay(time, false)));
      }
    }
    return parts;
  }

  get bottom() {
    return this.height - AXIS;
  }

  /** A line's paths: of several samples in one pixel the highest is drawn, so that no peak is lost. */
  line({ values, floor, style, isFilled }) {
    const { times, from, everyMillis } = this.view;
    const runs = [];
    let run = null;
    let before = -Infinity;
    for (let i = 0; i < times.length; i++) {
      const value = values[i];
      if (times[i] < from || value === null) {
        run = value === null ? null : run;
        continue;
      }
      const x = this.x(times[i]);
      if (run === null || times[i] - before > GAP * everyMillis) {
        run = [];
        runs.push(run);
      }
      const low = floor ? this.y(floor[i] ?? 0) : TOP + this.plotHeight;
      const last = run.at(-1);
      if (last && Math.floor(last[0]) === Math.floor(x)) {
        last[1] = Math.min(last[1], this.y(value));
      } else {
        run.push([x, this.y(value), low]);
      }
      before = times[i];
    }
    const path = (points) => points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const parts = [];
    if (isFilled || floor) {
      const area = runs.map((points) => `${path(points)}${[...points].reverse().map(([x, , low]) => `L${x.toFixed(1)} ${low.toFixed(1)}`).join("")}Z`);
      parts.push(makeSvg("path", { class: `area-${floor ? "stacked" : "soft"} s${style}`, d: area.join("") }));
    }
    parts.push(makeSvg("path", { class: `series s${style}`, d: runs.map((points) => (points.length === 1 ? `${path(points)}h0` : path(points))).join("") }));
    return parts;
  }

  /** Bars of how long everything stood still, and through the plot a line for each that was long. */
  strip(bars) {
    const { times, from, everyMillis } = this.view;
    const base = this.bottom;
    const parts = [makeSvg("path", { class: "base", d: `M0 ${base + 0.5}H${this.width}` })];
    let [bar, line] = ["", ""];
    for (let i = 0; bars && i < times.length; i++) {
      const pause = (bars[i] ?? 0) * (everyMillis / 1000);
      if (times[i] >= from && pause > 0) {
        const x = this.x(times[i]).toFixed(1);
        const size = Math.min(Math.max((Math.log10(pause) + BAR_DECADES) / BAR_DECADES, 0.1), 1);
        bar += `M${x} ${base}v${(-size * STRIP).toFixed(1)}`;
        line += pause >= LONG_PAUSE ? `M${x} ${TOP}V${base - STRIP}` : "";
      }
    }
    parts.push(makeSvg("path", { class: "pause", d: bar }), makeSvg("path", { class: "pause-line", d: line }));
    parts.push(makeSvg("text", { class: "value-tick", x: 0, y: base - STRIP + 9 }, this.plan.strip));
    return parts;
  }

  /** A line for each event; its sign only where it has room. */
  marks() {
    let free = -Infinity;
    return this.view.marks
      .filter(({ at }) => at >= this.view.from && at <= this.view.to)
      .flatMap(({ at, what }) => {
        const x = this.x(at);
        const parts = [makeSvg("path", { class: `mark ${what}`, d: `M${x.toFixed(1)} ${TOP}V${this.bottom}` })];
        if (x > free) {
          free = x + SIGN;
          parts.push(makeSvg("text", { class: "mark-sign", x: x.toFixed(1), y: TOP + 1 }, MARK_SIGNS[what] ?? "◆"));
        }
        return parts;
      });
  }

  /** Shows the cursor at a sample; null: nowhere. */
  point(index) {
    const time = index === null ? null : this.view?.times[index];
    if (time === null || time === undefined || time < this.view.from) {
      this.cursorLine.setAttribute("d", "");
      this.dots.replaceChildren();
      return;
    }
    const x = this.x(time).toFixed(1);
    this.cursorLine.setAttribute("d", `M${x} ${TOP}V${this.bottom}`);
    const dots = this.lines.filter(({ values }) => values[index] !== null && values[index] !== undefined);
    this.dots.replaceChildren(
      ...dots.map(({ values, style }) => makeSvg("circle", { class: `s${style}`, cx: x, cy: this.y(values[index]).toFixed(1), r: 2.6 })),
    );
  }

  /** The time below a place of the screen. */
  timeAt(clientX) {
    const { left, width } = this.element.getBoundingClientRect();
    return this.view.from + ((clientX - left) / width) * (this.view.to - this.view.from);
  }
}

/** Lines on top of each other: the last at the bottom, as the legend lists them. */
function stack(lines) {
  let floor = null;
  return [...lines]
    .reverse()
    .map((line) => {
      const below = floor ?? line.values.map(() => 0);
      floor = line.values.map((value, i) => (value ?? 0) + below[i]);
      return { ...line, values: line.values.map((value, i) => (value === null ? null : floor[i])), floor: below };
    })
    .reverse();
}
