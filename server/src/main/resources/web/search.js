// Finds a rider by id: suggestions from those on the map, and the server for who is not.

import { find, make } from "./dom.js";
import { age } from "./format.js";
import { say } from "./words.js";

const SHOWN_MAX = 8;

export class Search {
  /**
   * @param fleet who is known here
   * @param onChosen is told the id of who was chosen
   * @param onFound is told a position that only the server knew
   */
  constructor(fleet, onChosen, onFound) {
    this.fleet = fleet;
    this.onChosen = onChosen;
    this.onFound = onFound;
    this.input = find("search");
    this.list = find("suggestions");
    this.found = [];
    this.active = -1;
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("focus", () => this.suggest());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.key(event));
    find("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter();
    });
    addEventListener("keydown", (event) => {
      if (event.key === "/" && !event.target.closest("input, dialog")) {
        event.preventDefault();
        this.input.focus();
      }
    });
  }

  suggest() {
    const asked = this.input.value.trim().toLowerCase();
    this.found = asked ? matches(this.fleet.ids, asked) : [];
    this.active = -1;
    this.show(asked);
  }

  show(asked) {
    const options = this.found.map((id, index) => {
      const at = id.toLowerCase().indexOf(asked);
      const name = make("b", {}, id.slice(0, at), make("mark", {}, id.slice(at, at + asked.length)), id.slice(at + asked.length));
      const position = this.fleet.position(id);
      return make(
        "li",
        {
          id: `suggestion-${index}`,
          role: "option",
          "aria-selected": String(index === this.active),
          onpointerdown: (event) => {
            event.preventDefault();
            this.choose(id);
          },
        },
        make("i", { class: `dot ${this.fleet.state(id)}` }),
        name,
        make("span", {}, age(this.fleet.age(position))),
      );
    });
    this.list.replaceChildren(...options);
    this.open(options.length > 0);
  }

  open(isOpen) {
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
  }

  close() {
    this.open(false);
    this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length > 0) {
      event.preventDefault();
      this.active = (this.active + step + this.found.length) % this.found.length;
      [...this.list.children].forEach((option, index) =>
        option.setAttribute("aria-selected", String(index === this.active)),
      );
      this.input.setAttribute("aria-activedescendant", `suggestion-${this.active}`);
    } else if (event.key === "Escape") {
      if (this.list.hidden) {
        this.input.value = "";
      }
      this.close();
    }
  }

  async enter() {
    const asked = this.input.value.trim();
    const id = this.fleet.slots.has(asked) ? asked : this.found[Math.max(0, this.active)];
    if (id !== undefined) {
      this.choose(id);
    } else if (asked) {
      await this.ask(asked);
    }
  }

  async ask(id) {
    try {
      const answer = await fetch(`/v1/riders/${encodeURIComponent(id)}/position`);
      if (answer.ok) {
        this.onFound(await answer.json());
        this.choose(id);
        return;
      }
    } catch {
      // Said below, like an unknown id: the connection has its own place.
    }
    this.list.replaceChildren(make("li", { class: "none", role: "option", "aria-disabled": "true" }, say("noneFound")));
    this.open(true);
  }

  choose(id) {
    this.input.value = id;
    this.close();
    this.input.blur();
    this.onChosen(id);
  }
}

/** The ids that begin with it, then those that have it anywhere; in order. */
function matches(ids, asked) {
  const first = [];
  const later = [];
  for (const id of ids) {
    const at = id.toLowerCase().indexOf(asked);
    if (at === 0) {
      first.push(id);
    } else if (at > 0) {
      later.push(id);
    }
  }
  const inOrder = (a, b) => a.localeCompare(b, undefined, { numeric: true });
  return [...first.sort(inOrder), ...later.sort(inOrder)].slice(0, SHOWN_MAX);
}
