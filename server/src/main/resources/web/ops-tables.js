// What panels show beside their charts: sinks, bounds, loops, what is waited for, events.

import { make, makeSvg } from "./dom.js";
import { span } from "./format.js";
import { lineName } from "./ops-panel.js";
import { format, timeOfDay } from "./ops-units.js";
import { say } from "./words.js";

const BOUNDS_SHOWN = 9;
const EVENTS_SHOWN = 12;
const SLOWEST_SHOWN = 10;
const CALLERS_SHOWN = 16;
/** Full is normal here: the oldest goes. */
export const FULL_IS_NORMAL = ["gilmok_dedup_entries", "gilmok_cache_bytes", "gilmok_receipts_bytes", "gilmok_run_sheets_planned_now", "gilmok_diagnose_in_flight", "gilmok_sink_in_flight_batches", "gilmok_missions_settling_writers"];
export const NEAR = 0.8;

const table = (heads, rows, name) =>
  make("table", { class: `ops-table ${name}` }, make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, ...rows));

const points = (history, metric) => history.latest?.values[metric] ?? [];

/** The value of a metric's point with that label. */
const of = (history, metric, label, wanted) => points(history, metric).find(({ labels }) => labels[label] === wanted)?.value ?? null;

/** A sink's state by its name. */
export const sinkStates = (history) =>
  points(history, "gilmok_sink_state")
    .filter(({ value }) => value === 1)
    .map(({ labels }) => labels);

export const sinkWaits = (history, sink) => ({
  lag: of(history, "gilmok_sink_lag_seconds", "sink", sink),
  waiting: of(history, "gilmok_sink_waiting_records", "sink", sink),
});

function sinks(history) {
  const states = sinkStates(history);
  if (states.length === 0) {
    return [make("p", { class: "none" }, say("opsSinkNone"))];
  }
  const rows = states.map(({ sink, state }) => {
    const { lag, waiting } = sinkWaits(history, sink);
    const reason = history.latest.missing.find(({ name }) => name === `sinks.${sink}`)?.reason;
    const isWell = state === "running";
    const cells = [
      lag === null ? "—" : span(lag),
      format("count", waiting),
      format("rate", history.newest(`sink.delivered:${sink}`) ?? 0),
      format("seconds", history.newest(`sink.send.p99:${sink}`)),
    ];
    return make(
      "tr",
      { class: isWell ? "" : "bad" },
      make("th", { scope: "row" }, sink),
      make("td", { class: "text" }, `${isWell ? "●" : "▲"} ${say(`opsState_${state}`)}`, reason ? make("small", { title: reason }, reason) : null),
      ...cells.map((text) => make("td", {}, text)),
    );
  });
  const residue = points(history, "gilmok_ledger_residue_records").reduce((sum, { value }) => sum + Math.abs(value), 0);
  const verdict = residue === 0 ? `✓ ${say("opsLedgerWell")}` : `▲ ${say("opsLedgerWrong", { count: format("count", residue) })}`;
  return [
    table([say("opsSink"), say("opsState"), say("opsSinkLag"), say("opsSinkWaiting"), say("opsSinkRate"), say("opsSinkSend")], rows, "sinks"),
    make("p", { class: `verdict ${residue === 0 ? "" : "bad"}` }, verdict),
  ];
}

/** What has a bound: the fullest first. */
export const fullest = (history) =>
  (history.latest?.bounds ?? [])
    .filter(({ max }) => max > 0)
    .map((bound) => ({ ...bound, part: bound.value / bound.max, name: boundName(bound) }))
    .sort((a, b) => b.part - a.part || (a.name < b.name ? -1 : 1));

function boundName({ metric, labels }) {
  const label = Object.values(labels).join(", ");
  return `${metric.replace(/^gilmok_/, "").replaceAll("_", " ")}${label ? ` (${label})` : ""}`;
}

function bounds(history) {
  const rows = fullest(history).slice(0, BOUNDS_SHOWN).map(({ metric, name, value, max, part }) => {
    const isNear = part >= NEAR && !FULL_IS_NORMAL.includes(metric);
    const unit = metric.includes("bytes") ? "bytes" : "count";
    const whole = say("opsOf", { value: format(unit, value), max: format(unit, max) });
    const bar = makeSvg(
      "svg",
      { class: `bar-of ${isNear ? "near" : ""}`, viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      makeSvg("rect", { class: "all", width: 100, height: 6 }),
      makeSvg("rect", { class: "used", width: Math.min(part, 1) * 100, height: 6 }),
    );
    return make("tr", { class: isNear ? "bad" : "" }, make("th", { scope: "row", title: whole }, name), make("td", { class: "bar-cell" }, bar), make("td", {}, format("share", part)));
  });
  return [table([say("opsWhat"), "", say("opsUsed")], rows, "bounds")];
}

function background(history) {
  const loops = points(history, "gilmok_loop_up")
    .map(({ labels: { loop }, value }) => ({
      loop,
      isUp: value === 1,
      age: of(history, "gilmok_loop_age_seconds", "loop", loop),
      failures: of(history, "gilmok_loop_failures_total", "loop", loop),
    }))
    .sort((a, b) => a.isUp - b.isUp || (a.loop < b.loop ? -1 : 1));
  const rows = loops.map(({ loop, isUp, age, failures }) =>
    make("tr", { class: isUp ? "" : "bad" }, make("th", { scope: "row" }, `${isUp ? "●" : "▲"} ${loop}`), make("td", {}, age === null ? "—" : span(age)), make("td", {}, format("count", failures))),
  );
  return [table([say("opsLoop"), say("opsLoopAge"), say("opsLoopFailures")], rows, "loops")];
}

function waits(history) {
  const now = points(history, "gilmok_waiting").filter(({ value }) => value > 0);
  return now.length === 0
    ? []
    : [make("dl", { class: "figure-list" }, ...now.map(({ labels, value }) => make("div", {}, make("dt", {}, `${lineName("waiting")}: ${labels.on}`), make("dd", {}, format("count", value)))))];
}

function machine(history) {
  const folders = [["disk", "gilmok_disk_free_bytes"], ["data", "gilmok_disk_bytes"]].flatMap(([label, metric]) =>
    points(history, metric).map(({ labels: { folder }, value }) => make("div", {}, make("dt", {}, lineName(label, { folder })), make("dd", {}, format("bytes", value)))),
  );
  return folders.length === 0 ? [] : [make("dl", { class: "figure-list" }, ...folders)];
}

function events(history) {
  const rows = history.marks.slice(-EVENTS_SHOWN).reverse().map(({ at, what }) =>
    make("tr", {}, make("td", { class: "text" }, timeOfDay(at)), make("td", { class: "text" }, say(`opsEvent_${what}`))),
  );
  return rows.length === 0 ? [make("p", { class: "none" }, "—")] : [table([say("opsWhen"), say("opsWhat")], rows, "events")];
}

/** Where most of a request's time went, and all parts as a title; what no part explains comes first. */
function whereItWent({ seconds, parts, unexplainedSeconds, isUnexplained }) {
  const shown = ({ name, seconds: took }) => `${name} ${format("seconds", took)}`;
  const unexplained = { name: say("opsUnexplained"), seconds: unexplainedSeconds };
  const most = parts.toSorted((a, b) => b.seconds - a.seconds)[0] ?? unexplained;
  const title = [...parts, unexplained].map(shown).join("\n");
  const text = isUnexplained ? `▲ ${shown(unexplained)}` : `${most.name} ${format("share", most.seconds / seconds)}`;
  return make("td", { class: "text part", title }, text);
}

function slowest(history) {
  const rows = (history.latest?.slowest ?? []).slice(0, SLOWEST_SHOWN).map((request) => {
    const { at, route, status, key, seconds, bytes, isUnexplained } = request;
    const [method, path] = route.split(" ");
    const cells = [status === 0 ? "—" : status, format("seconds", seconds), bytes === 0 ? "—" : format("bytes", bytes)];
    return make(
      "tr",
      { class: isUnexplained ? "bad" : "" },
      make("td", { class: "text" }, timeOfDay(at)),
      make("th", { scope: "row" }, make("span", { class: "method" }, method), make("span", { class: "path" }, path)),
      make("td", { class: "text key" }, key),
      ...cells.map((text) => make("td", {}, text)),
      whereItWent(request),
    );
  });
  return rows.length === 0
    ? [make("p", { class: "none" }, say("opsSlowestNone"))]
    : [table([say("opsWhen"), say("opsRoute"), say("opsKey"), say("opsStatus"), say("opsTook"), say("opsBytes"), say("opsWhere")], rows, "slowest")];
}

/** Each caller's newest numbers; who costs the most processor first. */
function callers(history) {
  const all = history.split("caller.requests").map((caller) => ({
    caller,
    requests: history.newest(`caller.requests:${caller}`) ?? 0,
    refusals: history.newest(`caller.refusals:${caller}`) ?? 0,
    received: history.newest(`caller.received:${caller}`) ?? 0,
    sent: history.newest(`caller.sent:${caller}`) ?? 0,
    cores: history.newest(`caller.processor:${caller}`) ?? 0,
  }));
  all.sort((a, b) => b.cores - a.cores || b.requests - a.requests || (a.caller < b.caller ? -1 : 1));
  const rows = all.slice(0, CALLERS_SHOWN).map(({ caller, requests, refusals, received, sent, cores }) => {
    const cells = [format("rate", requests), format("rate", refusals), format("share", cores), format("bytesRate", received), format("bytesRate", sent)];
    return make("tr", {}, make("th", { scope: "row" }, caller), ...cells.map((text) => make("td", {}, text)));
  });
  return rows.length === 0
    ? [make("p", { class: "none" }, say("opsRouteNone"))]
    : [table([say("opsCaller"), say("opsCallerRate"), say("opsCallerRefused"), say("opsCallerWork"), say("opsCallerReceived"), say("opsCallerSent")], rows, "callers")];
}

/** What the panels of these names show. */
export const CONTENTS = { slowest, callers, sinks, bounds, background, waits, machine, events };
