// Days of the fleet's zone, and the time of day in them.

const DAY_MILLIS = 86_400_000;

let parts;

function partsAt(millis) {
  // Made when first needed: a zone that a browser does not know takes no other part of the page along.
  parts ??= new Intl.DateTimeFormat("en-GB", {
    timeZone: document.documentElement.dataset.zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return Object.fromEntries(parts.formatToParts(millis).map(({ type, value }) => [type, value]));
}

/** The date on which a time is: "2026-03-01". */
export function dateOf(millis) {
  const { year, month, day } = partsAt(millis);
  return `${year}-${month}-${day}`;
}

/** When a date begins, in milliseconds. */
export function beginOf(date) {
  const wanted = Date.parse(`${date}T00:00:00Z`);
  let millis = wanted;
  // Twice, as the zone's distance may be another one at the first guess.
  for (let i = 0; i < 2; i++) {
    const { year, month, day, hour, minute, second } = partsAt(millis);
    millis += wanted - Date.UTC(year, month - 1, day, hour, minute, second);
  }
  return millis;
}

/** The date so many days later. */
export function plusDays(date, days) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MILLIS).toISOString().slice(0, 10);
}

/** Whether it is a date, as in "2026-03-01". */
export function isDate(text) {
  const millis = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(millis) && plusDays(text, 0) === text;
}

/** "14:05:09", or "14:05" of a text without seconds. */
export function clock(millis, digits = 8) {
  const { hour, minute, second } = partsAt(millis);
  return `${hour}:${minute}:${second}`.slice(0, digits);
}
