// The routes: how each one's p99 went, minute by minute, and whether one is slow, or all.

import { make, makeSvg } from "./dom.js";
import { format, timeOfDay } from "./ops-units.js";
import { say } from "./words.js";

const SHOWN = 8;
const MINUTE = 60_000;
const SLOW = 0.1;
const STUCK = 1;
/** A route is slow when more than this share of its requests take over 100 ms. */
const SLOW_SHARE = 0.01;
/** Fewer requests say nothing about a share. */
const REQUESTS_LEAST = 20;
const LEVELS = [0.025, 0.1, 0.25, 1];
const BAR_HEIGHTS = [4, 7, 11, 15, 18];
const HEIGHT = 18;

/** Counts of several minutes, added up. */
function sumOf(minutes, buckets) {
  const sum = { counts: new Array(buckets).fill(0), faults: 0 };
  for (const { counts, faults } of minutes) {
    sum.faults += faults;
    counts.forEach((count, i) => (sum.counts[i] += count));
  }
  return sum;
}

/** A quantile of counts in buckets, spread evenly within each. */
export function quantile(bounds, counts, share) {
  const total = counts.reduce((all, count) => all + count, 0);
  if (total === 0) {
    return null;
  }
  let below = 0;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] > 0 && below + counts[i] >= share * total) {
      const from = i === 0 ? 0 : bounds[i - 1];
      return i < bounds.length ? from + ((bounds[i] - from) * (share * total - below)) / counts[i] : from;
    }
    below += counts[i];
  }
  return bounds.at(-1);
}

function above(bounds, counts, limit) {
  const total = counts.reduce((all, count) => all + count, 0);
  const over = counts.reduce((all, count, i) => all + (i >= bounds.length || bounds[i] > limit * 1.000001 ? count : 0), 0);
  return total === 0 ? null : over / total;
}

/** What a route, or all together, did since then: {count, faults, p50, p99, slow, stuck}. */
function figuresOf(history, routes, since) {
  const first = Math.floor(since / MINUTE);
  const { bounds } = history;
  const minutes = routes.flatMap((route) => [...route.minutes].filter(([minute]) => minute >= first).map(([, counted]) => counted));
  const { counts, faults } = sumOf(minutes, bounds.length + 1);
  const count = counts.reduce((all, one) => all + one, 0);
  return {
    count,
    faults,
    p50: quantile(bounds, counts, 0.5),
    p99: quantile(bounds, counts, 0.99),
    slow: above(bounds, counts, SLOW),
    stuck: above(bounds, counts, STUCK),
  };
}

/** All routes together, of the present minute and the one before. */
export const latestFigures = (history) => figuresOf(history, [...history.routes.values()], history.last - MINUTE);

/** Which routes are slow now, of those that are asked enough to say: {slow: [names], all}. */
export function slowNow(history) {
  const asked = [...history.routes.values()]
    .map((route) => ({ name: `${route.method} ${route.route}`, ...figuresOf(history, [route], history.last - MINUTE) }))
    .filter(({ count }) => count >= REQUESTS_LEAST);
  const slow = asked.filter((one) => one.slow > SLOW_SHARE).sort((a, b) => b.slow * b.count - a.slow * a.count);
  return { slow: slow.map(({ name }) => name), all: asked.length };
}

const level = (p99) => LEVELS.filter((limit) => p99 > limit).length;

function trend(history, route, view) {
  const first = Math.floor(view.from / MINUTE) + 1;
  const last = Math.floor(history.last / MINUTE);
  const svg = makeSvg("svg", { class: "trend", viewBox: `0 0 ${last - first + 1} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  svg.setAttribute("aria-label", say("opsRouteTrend"));
  for (let minute = first; minute <= last; minute++) {
    const counted = route.minutes.get(minute);
    const p99 = counted ? quantile(history.bounds, counted.counts, 0.99) : null;
    if (p99 !== null) {
      const size = level(p99);
      const bar = makeSvg("rect", { class: `level-${size}`, x: minute - first + 0.08, width: 0.84, y: HEIGHT - BAR_HEIGHTS[size], height: BAR_HEIGHTS[size] });
      const count = counted.counts.reduce((all, one) => all + one, 0);
      const values = { time: timeOfDay(minute * MINUTE, false), count: format("count", count), p99: format("seconds", p99), faults: counted.faults };
      bar.append(makeSvg("title", {}, say("opsRouteMinute", values)));
      svg.append(bar);
    }
  }
  return svg;
}

export class RoutesTable {
  constructor() {
    this.isWhole = false;
  }

  /** The table's elements. */
  draw(history, view) {
    const rows = [...history.routes.values()]
      .map((route) => ({ route, ...figuresOf(history, [route], view.from + MINUTE) }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
    if (rows.length === 0) {
      return [make("p", { class: "none" }, say("opsRouteNone"))];
    }
    const { slow, all } = slowNow(history);
    const verdict = slow.length === 0 ? say("opsRouteVerdictNone") : say("opsRouteVerdict", { slow: slow.length, all });
    const shown = this.isWhole ? rows : rows.slice(0, SHOWN);
    const seconds = Math.max(1, (history.last - Math.max(view.from, history.times[0] ?? 0)) / 1000);
    const body = make("tbody", {}, ...shown.map((row) => this.row(history, view, row, seconds, slow)));
    const heads = ["opsRoute", "opsRouteTrend", "opsRouteRate"].map((word) => say(word));
    const head = make("tr", {}, ...[...heads, "p50", "p99", say("opsRouteSlow"), say("opsRouteStuck"), "5xx"].map((text) => make("th", { scope: "col" }, text)));
    const parts = [
      make("p", { class: `verdict ${slow.length > 0 ? "bad" : ""}` }, `${slow.length > 0 ? "▲ " : "✓ "}${verdict}`),
      make("table", { class: "ops-table routes" }, make("thead", {}, head), body),
    ];
    if (rows.length > SHOWN) {
      const text = this.isWhole ? say("opsFewer") : say("opsAll", { count: rows.length });
      parts.push(make("button", { type: "button", class: "all", onclick: () => this.toggle() }, text));
    }
    return parts;
  }

  toggle() {
    this.isWhole = !this.isWhole;
    this.onToggle?.();
  }

  row(history, view, { route, count, faults, p50, p99, slow, stuck }, seconds, slowNames) {
    const isSlow = slowNames.includes(`${route.method} ${route.route}`);
    const cells = [
      format("count", count / seconds),
      format("seconds", p50),
      format("seconds", p99),
      format("share", slow),
      format("share", stuck),
      faults === 0 ? "0" : format("count", faults),
    ];
    return make(
      "tr",
      { class: isSlow ? "bad" : "" },
      make("th", { scope: "row" }, make("span", { class: "method" }, route.method), make("span", { class: "path" }, route.route)),
      make("td", { class: "trend-cell" }, trend(history, route, view)),
      ...cells.map((text) => make("td", {}, text)),
    );
  }
}
