// The six numbers that are looked at first, each with its course.

import { make, makeSvg } from "./dom.js";
import { span } from "./format.js";
import { latestFigures } from "./ops-routes.js";
import { sinkStates, sinkWaits } from "./ops-tables.js";
import { format } from "./ops-units.js";
import { say } from "./words.js";

const MINUTE = 60_000;
const [WIDTH, HEIGHT] = [120, 26];

/** A line without axes: of several samples in one place the highest. */
function spark(history, view, name) {
  const values = history.values(name) ?? [];
  const places = new Map();
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    if (history.times[i] >= view.from && values[i] !== null) {
      const x = Math.round(((history.times[i] - view.from) / (view.to - view.from)) * WIDTH);
      places.set(x, Math.max(places.get(x) ?? 0, values[i]));
      most = Math.max(most, values[i]);
    }
  }
  const svg = makeSvg("svg", { class: "tile-spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const xs = [...places.keys()];
  if (xs.length > 1) {
    const path = xs.map((x, i) => `${i === 0 ? "M" : "L"}${x} ${(HEIGHT - 1 - (most > 0 ? (places.get(x) / most) * (HEIGHT - 3) : 0)).toFixed(1)}`).join("");
    svg.append(makeSvg("path", { class: "tile-area", d: `${path}L${xs.at(-1)} ${HEIGHT}L${xs[0]} ${HEIGHT}Z` }), makeSvg("path", { class: "tile-line", d: path }));
  }
  return svg;
}

/** The sink whose oldest record is the oldest. */
function oldest(history) {
  const sinks = sinkStates(history).map(({ sink }) => ({ sink, ...sinkWaits(history, sink) }));
  return sinks.sort((a, b) => (b.lag ?? 0) - (a.lag ?? 0))[0];
}

function plan(history) {
  const since = history.last - MINUTE;
  const now = latestFigures(history);
  const sink = oldest(history);
  const faults = history.mean("http.faults", since);
  return [
    { label: "opsTileRequests", value: format("rate", history.mean("http.requests", since)), more: say("opsTileInFlight", { count: format("count", history.newest("http.open")) }), line: "http.requests" },
    { label: "opsTileLatency", value: format("seconds", now.p99), more: `p50 ${format("seconds", now.p50)}`, line: "http.p99" },
    { label: "opsTileSlow", value: format("share", now.slow), more: say("opsTileStuck", { share: format("share", now.stuck) }), line: "http.slow", isBad: now.slow > 0.05 },
    { label: "opsTileErrors", value: format("rate", faults), more: say("opsTileUnavailable", { rate: format("rate", history.mean("http.unavailable", since)) }), line: "http.faults", isBad: faults > 0 },
    { label: "opsTileProcessor", value: format("share", history.mean("processor.used", since)), more: say("opsTileStopped", { share: format("share", history.mean("gc.pause", since)) }), line: "processor.used" },
    { label: "opsTileSinks", value: sink?.lag == null ? "—" : span(sink.lag), more: sink ? `${sink.sink}: ${say("opsTileWaiting", { count: format("count", sink.waiting) })}` : "", line: sink ? `sink.lag:${sink.sink}` : "" },
  ];
}

/** The tiles' elements. */
export function drawTiles(history, view) {
  return plan(history).map(({ label, value, more, line, isBad }) =>
    make("div", { class: `tile ${isBad ? "bad" : ""}`, "data-tile": label }, make("h2", {}, say(label)), make("b", {}, isBad ? `▲ ${value}` : value), make("span", {}, more), spark(history, view, line)),
  );
}
