// The style sheet's colours, as the map's programs and canvases need them.

import { onTheme } from "./theme.js";

const texts = new Map();
const numbers = new Map();

/** The text of a colour of the style sheet. */
export function colour(name) {
  let text = texts.get(name);
  if (text === undefined) {
    text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    texts.set(name, text);
  }
  return text;
}

/** Red, green, blue from 0 to 1. */
export function rgb(name) {
  let known = numbers.get(name);
  if (known === undefined) {
    const number = parseInt(colour(name).slice(1, 7), 16);
    known = [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
    numbers.set(name, known);
  }
  return known;
}

onTheme(() => {
  texts.clear();
  numbers.clear();
});
