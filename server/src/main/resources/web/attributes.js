// What apps send beside a position, in words. What is not known here keeps the name that it came with.

import { say } from "./words.js";

const POWER = { 1: "unplugged", 2: "charging", 3: "full", unplugged: "unplugged", charging: "charging", full: "full", true: "charging", false: "unplugged" };

/** By the names of OwnTracks (bs, conn, t), of Overland, of Traccar (charge) and of the demo (vehicle). */
const KNOWN = {
  vehicle: ["vehicle", { motorbike: "motorbike", bicycle: "bicycle", foot: "foot", car: "car" }],
  motion: ["motion", { stationary: "stationary", walking: "walking", running: "running", cycling: "cycling", driving: "driving" }],
  bs: ["power", POWER],
  battery_state: ["power", POWER],
  charge: ["power", POWER],
  conn: ["network", { w: "wifi", m: "mobile", o: "offline" }],
  t: ["trigger", { t: "timer", u: "manual", r: "asked", p: "timer", c: "region", C: "region" }],
};
const OTHERS_MAX = 12;

/** Two lists of [name, value]: those in words, in a fixed order, and the others. */
export function inWords(attributes) {
  const known = [];
  for (const [name, [word, values]] of Object.entries(KNOWN)) {
    const shown = [attributes[name] ?? []].flat().map((value) => values[value]);
    if (shown.length > 0 && shown.every((value) => value !== undefined)) {
      known.push([name, say(word), shown.map((value) => say(`${word}_${value}`)).join(", ")]);
    }
  }
  const isTold = new Set(known.map(([name]) => name));
  const others = Object.entries(attributes)
    .filter(([name, value]) => !isTold.has(name) && value !== "")
    .slice(0, OTHERS_MAX)
    .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  return { known: known.map(([, ...line]) => line), others };
}
