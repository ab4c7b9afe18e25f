// What needs a look now, the worst first: what is missing, fails, is full or slow.

import { make } from "./dom.js";
import { span } from "./format.js";
import { latestFigures, slowNow } from "./ops-routes.js";
import { FULL_IS_NORMAL, fullest, NEAR, sinkStates, sinkWaits } from "./ops-tables.js";
import { format } from "./ops-units.js";
import { say } from "./words.js";

const MINUTE = 60_000;
const HANGS_SECONDS = 60;
const LAG_SECONDS = 0.1;
const FSYNC_SECONDS = 0.02;
const THROTTLED = 0.05;
const CERTIFICATE_DAYS = 14;
const DAY_SECONDS = 86_400;
/** So few samples over a limit are not a state. */
const HIGH_SAMPLES = 3;

const points = (history, metric) => history.latest?.values[metric] ?? [];
const bad = (title, text) => ({ isBad: true, title, text });
const warn = (title, text) => ({ isBad: false, title, text });

/** The last minute's values of a line, or of all that are told apart by a label. */
function lastMinute(history, name) {
  const names = history.values(name) ? [name] : history.split(name).map((label) => `${name}:${label}`);
  const from = history.nearest(history.last - MINUTE);
  return names.map((one) => history.values(one).slice(from).filter((value) => value !== null));
}

/** The highest of those lines that were over the limit several times in the last minute. */
function high(history, name, limit) {
  const lines = lastMinute(history, name).filter((values) => values.filter((value) => value > limit).length >= HIGH_SAMPLES);
  return lines.length === 0 ? null : Math.max(...lines.flat());
}

function parts(history) {
  return history.latest.missing
    .filter(({ name }) => !name.startsWith("sinks.") && !name.startsWith("loop-"))
    .map(({ name, reason, optional }) => (optional ? warn(say("opsMissing", { part: name }), reason) : bad(say("opsMissingNeeded", { part: name }), reason)));
}

function loops(history) {
  const value = (metric, loop) => points(history, metric).find(({ labels }) => labels.loop === loop)?.value ?? 0;
  return points(history, "gilmok_loop_up").flatMap(({ labels: { loop }, value: isUp }) => {
    const age = value("gilmok_loop_age_seconds", loop);
    if (isUp !== 1) {
      const values = { time: span(age), count: format("count", value("gilmok_loop_failures_total", loop)) };
      return [bad(say("opsLoopDown", { loop }), say("opsLoopDownText", values))];
    }
    return age > HANGS_SECONDS ? [bad(say("opsLoopHangs", { loop }), say("opsLoopHangsText", { time: span(age) }))] : [];
  });
}

function sinks(history) {
  return sinkStates(history)
    .filter(({ state }) => state !== "running")
    .map(({ sink, state }) => {
      const { lag, waiting } = sinkWaits(history, sink);
      const text = say("opsSinkText", { count: format("count", waiting), time: span(lag ?? 0) });
      const reason = history.latest.missing.find(({ name }) => name === `sinks.${sink}`)?.reason;
      const isBad = state === "broken" || state === "detached" || state === "unconfigured";
      const item = { sink, state: say(`opsState_${state}`) };
      return { isBad, title: say("opsSinkState", item), text: reason ? `${text} ${reason}` : text };
    });
}

function ledger(history) {
  return points(history, "gilmok_ledger_residue_records")
    .filter(({ value }) => value !== 0)
    .map(({ labels, value }) => bad(say("opsResidue", labels), say("opsResidueText", { count: format("count", value) })));
}

function full(history) {
  return fullest(history)
    .filter(({ metric, part }) => part >= NEAR && !FULL_IS_NORMAL.includes(metric))
    .map(({ metric, name, value, max, part }) => {
      const unit = metric.includes("bytes") ? "bytes" : "count";
      return warn(say("opsFull", { what: name, share: format("share", part) }), say("opsFullText", { value: format(unit, value), max: format(unit, max) }));
    });
}

function requests(history) {
  const since = history.last - MINUTE;
  const found = [];
  const faults = history.mean("http.faults", since);
  if (faults > 0) {
    found.push(bad(say("opsFaults"), say("opsFaultsText", { rate: format("rate", faults) })));
  }
  const unavailable = history.mean("http.unavailable", since);
  if (unavailable > 0) {
    found.push(warn(say("opsUnavailable"), say("opsUnavailableText", { rate: format("rate", unavailable) })));
  }
  const { slow, all } = slowNow(history);
  if (slow.length > 0) {
    const isAll = slow.length === all && all > 1;
    const text = isAll ? say("opsSlowAllText") : say("opsSlowSomeText", { routes: slow.slice(0, 3).join(" · ") });
    const share = latestFigures(history).slow;
    found.push({ isBad: isAll && share > 0.05, title: say(isAll ? "opsSlowAll" : "opsSlowSome", { slow: slow.length, all }), text });
  }
  return found;
}

function resources(history) {
  const found = [];
  const lag = high(history, "loop.lag.p99", LAG_SECONDS);
  if (lag !== null) {
    found.push(warn(say("opsLag"), say("opsLagText", { time: format("seconds", lag) })));
  }
  const fsync = high(history, "log.fsync.p99", FSYNC_SECONDS);
  if (fsync !== null) {
    found.push(warn(say("opsFsync"), say("opsFsyncText", { time: format("seconds", fsync) })));
  }
  const throttled = history.mean("processor.throttled", history.last - MINUTE);
  if (throttled > THROTTLED) {
    found.push(warn(say("opsThrottled"), say("opsThrottledText", { share: format("share", throttled) })));
  }
  const open = history.newest("relay.breakers:open");
  if (open > 0) {
    found.push(warn(say("opsBreakers", { count: format("count", open) }), say("opsBreakersText")));
  }
  return found;
}

function files(history) {
  const found = [];
  const errors = history.mean("lines:error", history.last - 5 * MINUTE);
  if (errors > 0) {
    const seconds = Math.min(300, (history.last - history.times[0]) / 1000);
    found.push(warn(say("opsErrors"), say("opsErrorsText", { count: format("count", Math.round(errors * seconds)) })));
  }
  for (const { value } of points(history, "gilmok_http_certificate_expiry_timestamp_seconds")) {
    const left = value - history.now / 1000;
    if (value > 0 && left < CERTIFICATE_DAYS * DAY_SECONDS) {
      found.push({ isBad: left < DAY_SECONDS, title: say("opsCertificate", { time: span(left) }), text: say("opsCertificateText") });
    }
  }
  return found;
}

/** Everything that needs a look. */
export function whatNeedsALook(history) {
  if (!history.latest) {
    return [];
  }
  const all = [parts, ledger, loops, sinks, requests, resources, full, files].flatMap((find) => find(history));
  return all.sort((a, b) => b.isBad - a.isBad);
}

/** The same as elements. */
export function drawLook(history) {
  if (!history.latest) {
    return [make("p", { class: "look-item none" }, make("span", {}, say("opsNoSamples")))];
  }
  const found = whatNeedsALook(history);
  if (found.length === 0) {
    return [make("p", { class: "look-item well" }, make("i", { "aria-hidden": "true" }, "✓"), make("b", {}, say("opsWell")), make("span", {}, say("opsWellText")))];
  }
  return found.map(({ isBad, title, text }) =>
    make(
      "p",
      { class: `look-item ${isBad ? "bad" : "warn"}` },
      make("i", { role: "img", "aria-label": say(isBad ? "opsWrong" : "opsWarn") }, isBad ? "▲" : "◆"),
      make("b", {}, title),
      make("span", { title: text }, text),
    ),
  );
}
