// Elements of the page, found and made. Text only ever goes in as text.

export const find = (id) => document.getElementById(id);

/** An element with properties (`class`, `on…`, attributes) and children (elements or texts). */
export function make(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** The same for SVG. */
export function makeSvg(name, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), properties, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== false && value != null) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Gives an element another text, where it is another: what does not change is not drawn again. */
export function put(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** The cross that closes a panel. */
export function closeButton(label, onclick) {
  const cross = makeSvg("svg", { viewBox: "0 0 24 24" }, makeSvg("path", { d: "m7 7 10 10M17 7 7 17" }));
  return make("button", { type: "button", class: "close", title: label, "aria-label": label, onclick }, cross);
}

/** What the page remembers in this browser; never a key. */
export const memory = {
  get(name) {
    try {
      return localStorage.getItem(`gilmok.${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`gilmok.${name}`, value);
    } catch {
      // A browser that keeps nothing: the page works, and forgets.
    }
  },
};
