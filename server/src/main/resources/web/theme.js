// Light or dark: as the system is, until somebody chooses.

import { memory } from "./dom.js";

const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];
let chosen = memory.get("theme");

export const isDark = () => (chosen ?? (system.matches ? "dark" : "light")) === "dark";

/** Calls back now and after each change. */
export function onTheme(listener) {
  listeners.push(listener);
  listener();
}

export function switchTheme() {
  chosen = isDark() ? "light" : "dark";
  memory.set("theme", chosen);
  apply();
}

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  listeners.forEach((listener) => listener());
}

system.addEventListener("change", apply);
apply();
