// Numbers as people read them.

import { currentLanguage, say } from "./words.js";

const UNITS = { en: ["s", "min", "h", "d"], ko: ["초", "분", "시간", "일"] };
const WINDS = { en: ["N", "NE", "E", "SE", "S", "SW", "W", "NW"], ko: ["북", "북동", "동", "남동", "남", "남서", "서", "북서"] };

/** A span of seconds: "3 s", "2 min", "5 h", "4 d". */
export function span(seconds) {
  const units = UNITS[currentLanguage()];
  const gap = currentLanguage() === "ko" ? "" : " ";
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return whole + gap + units[0];
  }
  if (whole < 3600) {
    return Math.floor(whole / 60) + gap + units[1];
  }
  return whole < 86400 ? Math.floor(whole / 3600) + gap + units[2] : Math.floor(whole / 86400) + gap + units[3];
}

/** Whether a position is ahead of the server's clock by more than jitter. */
export const isAhead = (seconds) => seconds < -2;

/** "3 s ago"; what is ahead of the server's clock by more than jitter says so. */
export function age(seconds) {
  return isAhead(seconds) ? say("ahead", { time: span(-seconds) }) : say("ago", { time: span(seconds) });
}

export const number = (value, digits = 0) =>
  value.toLocaleString(currentLanguage(), { maximumFractionDigits: digits });

/** km/h without the unit, of metres a second. */
export const kmh = (speed) => number(Math.round(speed * 3.6));

/** "850 m", "2.4 km". */
export function metres(value) {
  if (value < 1000) {
    return `${number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value), 1)} m`;
  }
  return `${number(value / 1000, value < 10000 ? 1 : 0)} km`;
}

/** "NE 47°". */
export const wind = (degrees) =>
  `${WINDS[currentLanguage()][Math.round(degrees / 45) % 8]} ${Math.round(degrees) % 360}°`;

export const place = (lat, lon) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

/** A longer span of seconds to the minute: "12 min", "3 h", "3 h 5 min". */
export function hours(seconds) {
  const [, minute, hour] = UNITS[currentLanguage()];
  const gap = currentLanguage() === "ko" ? "" : " ";
  const minutes = Math.round(seconds / 60);
  const parts = [minutes >= 60 ? Math.floor(minutes / 60) + gap + hour : "", minutes < 60 || minutes % 60 > 0 ? (minutes % 60) + gap + minute : ""];
  return parts.filter(Boolean).join(" ");
}
