// What the page's address says of days: whose, which, and what time. The map keeps its place in the
// same part of the address.

import { isDate } from "./day-time.js";

const NAMES = ["day", "beside", "at"];

/** Says it; `days` are of {rider, date}, `times` as "14:05:09": one for all, one for each, or none. */
export function writeDays(days, times) {
  const [day, beside] = days.map(({ rider, date }) => `${date}.${packed(rider)}`);
  const said = { day, beside, at: times.length > 0 ? times.join(",") : undefined };
  const others = location.hash.slice(1).split("&").filter((part) => part && !NAMES.includes(part.split("=")[0]));
  const ours = NAMES.filter((name) => said[name] !== undefined).map((name) => `${name}=${said[name]}`);
  const hash = [...others, ...ours].join("&");
  if (hash !== location.hash.slice(1)) {
    history.replaceState(history.state, "", location.pathname + location.search + (hash ? `#${hash}` : ""));
  }
}

/** What it says, as written; a day that makes no sense is none. */
export function readDays() {
  const said = new URLSearchParams(location.hash.slice(1));
  const days = ["day", "beside"].map((name) => unpacked(said.get(name) ?? "")).filter(Boolean);
  const times = (said.get("at") ?? "").split(",").filter((time) => /^[01]\d:[0-5]\d:[0-5]\d$|^2[0-3]:[0-5]\d:[0-5]\d$/.test(time));
  return { days, times };
}

/** An id without a character that has a meaning in an address, which the map writes anew. */
const packed = (id) => encodeURIComponent(id).replaceAll("~", "%7E").replaceAll("%", "~");

function unpacked(text) {
  const date = text.slice(0, 10);
  try {
    const rider = decodeURIComponent(text.slice(11).replaceAll("~", "%"));
    return rider && isDate(date) ? { rider, date } : null;
  } catch {
    return null;
  }
}
