// Numbers with their units, as short as they can be read.

import { number, span } from "./format.js";
import { say } from "./words.js";

const NONE = "—";
const BYTES = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Three digits: 0.0123, 1.23, 12.3, 123, 1,234. */
export function short(value) {
  const size = Math.abs(value);
  return number(value, size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 2 : 3);
}

function seconds(value) {
  if (value >= 120) {
    return span(value);
  }
  return value >= 1 ? `${short(value)} s` : `${short(value * 1000)} ms`;
}

function bytes(value) {
  let [rest, unit] = [value, 0];
  while (Math.abs(rest) >= 1000 && unit < BYTES.length - 1) {
    rest /= 1000;
    unit++;
  }
  return `${number(rest, rest < 10 && unit > 0 ? 1 : 0)} ${BYTES[unit]}`;
}

function share(value) {
  const percent = value * 100;
  return `${number(percent, percent === 0 || percent >= 10 ? 0 : percent >= 1 ? 1 : 2)}%`;
}

const UNITS = {
  seconds,
  bytes,
  share,
  count: (value) => short(value),
  rate: (value) => say("opsPerSecond", { count: short(value) }),
  bytesRate: (value) => say("opsPerSecond", { count: bytes(value) }),
  cores: (value) => short(value),
};

/** A number in its unit; a dash when there is none. */
export function format(unit, value) {
  return value === null || value === undefined || Number.isNaN(value) ? NONE : UNITS[unit](value);
}

const clocks = new Map();

/** A time of day: with seconds, or without. */
export function timeOfDay(millis, withSeconds = true) {
  if (!clocks.has(withSeconds)) {
    const second = withSeconds ? { second: "2-digit" } : {};
    clocks.set(withSeconds, new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", ...second }));
  }
  return clocks.get(withSeconds).format(millis);
}
