// The fleet as a list beside the map: one row a rider, sorted and filtered, read from the positions
// that the map has anyway. Only the rows in sight are elements.

import { closeButton, find, make, makeSvg, memory, put } from "./dom.js";
import { deliveryOf } from "./fleet.js";
import { age, number, span } from "./format.js";
import { say } from "./words.js";

const ROW_PIXELS = 34;
const OVERSCAN = 4;

/** How many rows stay in sight beside the card, where there are as many. */
const ROWS_LEAST = 3;

/** Sorting takes at most one part in so many of the page's time. */
const SORT_SHARE = 20;

/** From so many riders on, ids are compared by their characters: "r-10" comes before "r-9". */
const NATURAL_MAX = 20_000;
const WIDE_PIXELS = 1000;
const LOW_BATTERY = 0.2;
const STATES = { quiet: 0, standing: 1, moving: 2 };
const COLUMNS = ["state", "rider", "battery", "age"];
const natural = new Intl.Collator(undefined, { numeric: true });

export class FleetList {
  /**
   * @param fleet whose riders these are
   * @param groups which group each is in
   * @param onChosen is told who was chosen, or null when the choice was taken back
   */
  constructor(fleet, groups, onChosen) {
    this.fleet = fleet;
    this.groups = groups;
    this.onChosen = onChosen;
    this.shown = { moving: true, standing: true, quiet: true };
    this.chosen = null;
    this.active = null;
    this.order = [];
    this.sort = { by: "rider", down: false };
    this.rows = [];
    this.isOffered = false;
    this.isHovered = false;
    this.sorted = { at: 0, took: 0, changes: -1, ranks: new Float64Array(0) };
    const wanted = memory.get("list");
    this.isOpen = wanted === null ? innerWidth > WIDE_PIXELS : wanted === "open";
    this.bind();
  }

  bind() {
    this.section = find("list");
    this.text = find("list-text");
    this.group = find("list-group");
    this.grid = find("list-grid");
    this.head = find("list-head");
    this.scroller = find("list-rows");
    this.space = this.scroller.firstElementChild;
    this.toggle = find("list-toggle");
    this.toggle.addEventListener("click", () => this.open(!this.isOpen));
    this.text.addEventListener("input", () => this.refresh(true));
    this.text.addEventListener("keydown", (event) => this.textKey(event));
    this.group.addEventListener("change", () => this.refresh(true));
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focus", () => this.grid.matches(":focus-visible") && this.activate(this.active ?? this.chosen ?? this.order[0]));
    this.scroller.addEventListener("scroll", () => this.render(), { passive: true });
    this.scroller.addEventListener("pointerenter", () => (this.isHovered = true));
    this.scroller.addEventListener("pointerleave", () => (this.isHovered = false));
    this.scroller.addEventListener("click", (event) => this.click(event));
    addEventListener("resize", () => this.render());
    addEventListener("keydown", (event) => {
      if (event.code === "KeyL" && !event.ctrlKey && !event.metaKey && !event.altKey && this.isOffered && !event.target.closest("input, select, dialog")) {
        event.preventDefault();
        this.open(true);
        this.grid.focus();
      }
    });
  }

  /** Whether this page may list riders at all. */
  offer(isOffered) {
    this.isOffered = isOffered;
    this.toggle.hidden = !isOffered;
    this.refresh(true);
  }

  open(isOpen) {
    this.isOpen = isOpen;
    memory.set("list", isOpen ? "open" : "closed");
    this.refresh(true);
  }

  /** Makes what has words anew. */
  build() {
    this.head.replaceChildren(...COLUMNS.map((column) => this.header(column)));
    find("list-close").replaceChildren(closeButton(say("close"), () => this.open(false)));
    this.group.dataset.names = "";
    this.rows.forEach((row) => row.element.remove());
    this.rows = [];
    this.refresh(true);
  }

  header(column) {
    const isSorted = this.sort.by === column;
    const arrow = isSorted ? makeSvg("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, makeSvg("path", { d: this.sort.down ? "M2 3.5 5 7l3-3.5" : "M2 6.5 5 3l3 3.5" })) : null;
    const button = make("button", { type: "button", title: say(`sort_${column}`), onclick: () => this.sortBy(column) }, say(`list_${column}`), arrow);
    return make("span", { role: "columnheader", class: `by-${column}`, "aria-sort": isSorted ? (this.sort.down ? "descending" : "ascending") : "none" }, button);
  }

  /** What somebody looks for comes first: the quiet, the empty batteries, the longest silence. */
  sortBy(column) {
    const isAgain = this.sort.by === column;
    this.sort = { by: column, down: isAgain ? !this.sort.down : column === "age" };
    this.head.replaceChildren(...COLUMNS.map((name) => this.header(name)));
    this.head.children[COLUMNS.indexOf(column)].firstElementChild.focus();
    this.scroller.scrollTop = 0;
    this.refresh(true);
  }

  // --- the order -----------------------------------------------------------------------------------

  /** Once a second, and when somebody asked for another order. */
  refresh(isAsked = false) {
    const isShown = this.isOffered && this.isOpen && this.fleet.size > 0;
    this.section.hidden = !isShown;
    this.toggle.setAttribute("aria-pressed", String(this.isOpen));
    document.body.classList.toggle("listed", isShown);
    if (!isShown || this.section.offsetParent === null) {
      return;
    }
    this.groups.refresh().then(() => this.offerGroups());
    const now = performance.now();
    if (isAsked || (!this.isHovered && now - this.sorted.at >= SORT_SHARE * this.sorted.took)) {
      this.sortAll();
      this.sorted.at = performance.now();
      this.sorted.took = this.sorted.at - now;
    } else {
      this.order = this.order.filter((id) => this.fleet.slots.has(id));
    }
    this.render();
  }

  offerGroups() {
    const names = this.groups.names();
    const all = names.join("\n");
    if (all === this.group.dataset.names) {
      return;
    }
    const chosen = this.group.value;
    const option = (value, text) => make("option", { value, selected: value === chosen }, text);
    this.group.dataset.names = all;
    this.group.hidden = names.length === 0;
    this.group.replaceChildren(option("", say("allGroups")), ...names.map((name) => option(name, name)));
  }

  sortAll() {
    const { fleet, sort } = this;
    const asked = this.text.value.trim().toLowerCase();
    const group = this.group.value;
    const slots = [];
    const keys = new Float64Array(fleet.size);
    const sign = sort.down ? -1 : 1;
    for (let slot = 0; slot < fleet.size; slot++) {
      const id = fleet.ids[slot];
      const state = fleet.stateOf(slot);
      if (this.shown[state] && (!asked || id.toLowerCase().includes(asked)) && (!group || this.groups.of(id) === group)) {
        slots.push(slot);
        keys[slot] = this.keyOf(fleet.latest[slot], state, sign);
      }
    }
    const ranks = this.ranks();
    const turn = sort.by === "rider" ? sign : 1;
    slots.sort((a, b) => (keys[a] === keys[b] ? turn * (ranks[a] - ranks[b]) : keys[a] - keys[b]));
    this.order = slots.map((slot) => fleet.ids[slot]);
  }

  keyOf(position, state, sign) {
    switch (this.sort.by) {
      case "state":
        return sign * STATES[state];
      case "battery":
        return position.battery === undefined ? Infinity : sign * position.battery;
      case "age":
        return -sign * position.millis;
      default:
        return 0;
    }
  }

  /** The place of each slot's rider among all ids in order; made anew when riders came or went. */
  ranks() {
    const { fleet, sorted } = this;
    if (sorted.changes !== fleet.changes) {
      const compare = fleet.size > NATURAL_MAX ? (a, b) => (a < b ? -1 : 1) : natural.compare;
      sorted.ranks = new Float64Array(fleet.size);
      [...fleet.ids].sort(compare).forEach((id, rank) => (sorted.ranks[fleet.slots.get(id)] = rank));
      sorted.changes = fleet.changes;
    }
    return sorted.ranks;
  }

  // --- the rows in sight ---------------------------------------------------------------------------

  render() {
    if (this.section.hidden || this.section.offsetParent === null) {
      return;
    }
    const { order, scroller, rows } = this;
    this.space.style.height = `${order.length * ROW_PIXELS}px`;
    this.section.style.setProperty("--rows", Math.min(order.length, ROWS_LEAST));
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW_PIXELS) - OVERSCAN);
    const count = Math.min(order.length - first, Math.ceil(scroller.clientHeight / ROW_PIXELS) + 2 * OVERSCAN);
    while (rows.length < count) {
      rows.push(new Row());
      this.space.append(rows.at(-1).element);
    }
    rows.forEach((row, i) => row.show(this, i < count ? first + i : null));
    this.grid.setAttribute("aria-rowcount", String(order.length + 1));
    const at = this.active === null ? -1 : order.indexOf(this.active);
    if (at >= first && at < first + count) {
      this.grid.setAttribute("aria-activedescendant", `list-row-${at}`);
    } else {
      this.grid.removeAttribute("aria-activedescendant");
    }
    const total = this.fleet.size;
    put(find("list-count"), counted(order.length, total));
  }

  click(event) {
    const row = event.target.closest("[role=row]");
    if (row) {
      this.active = row.dataset.id;
      this.onChosen(this.active);
    }
  }

  /** Makes a rider's row the one that the keys move from, and brings it into sight. */
  activate(id) {
    this.active = id ?? null;
    const at = this.order.indexOf(this.active);
    if (at >= 0) {
      const top = at * ROW_PIXELS;
      const { scrollTop, clientHeight } = this.scroller;
      if (top < scrollTop || top + ROW_PIXELS > scrollTop + clientHeight) {
        this.scroller.scrollTop = top < scrollTop ? top : top + ROW_PIXELS - clientHeight;
      }
    }
    this.render();
  }

  textKey(event) {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      this.activate(this.order[0]);
      this.grid.focus();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.text.value === "") {
        this.text.blur();
      }
      this.text.value = "";
      this.refresh(true);
    }
  }

  key(event) {
    if (event.target !== this.grid) {
      return;
    }
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW_PIXELS) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const at = this.order.indexOf(this.active);
      const to = at < 0 ? 0 : Math.max(0, Math.min(this.order.length - 1, at + step));
      this.activate(this.order[to]);
    } else if ((event.key === "Enter" || event.key === " ") && this.active !== null) {
      event.preventDefault();
      this.onChosen(this.active);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (this.chosen !== null) {
        this.onChosen(null);
      } else {
        this.open(false);
        this.toggle.focus();
      }
    }
  }
}

function counted(count, total) {
  const values = { count: number(count), total: number(total) };
  return say(count === total ? (total === 1 ? "listOne" : "listAll") : total === 1 ? "listSomeOfOne" : "listSome", values);
}

/** An element that shows one rider after another. */
class Row {
  constructor() {
    this.dot = make("i", { class: "dot" });
    this.state = make("span", { role: "gridcell", class: "state" }, this.dot);
    this.name = make("b", {});
    this.group = make("small", {});
    this.why = makeSvg("title");
    this.parcel = makeSvg("svg", { viewBox: "0 0 24 24", class: "parcel", role: "img" }, this.why, makeSvg("path", { d: "M4 8.5 12 4l8 4.5v7L12 20l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v7" }));
    this.rider = make("span", { role: "gridcell", class: "rider" }, this.name, this.parcel, this.group);
    this.battery = make("span", { role: "gridcell", class: "battery-cell" });
    this.age = make("span", { role: "gridcell", class: "age" });
    this.element = make("div", { role: "row", class: "list-row" }, this.state, this.rider, this.battery, this.age);
  }

  show(list, index) {
    const { element } = this;
    const id = index === null ? undefined : list.order[index];
    const position = id === undefined ? undefined : list.fleet.position(id);
    element.hidden = position === undefined;
    if (position === undefined) {
      element.removeAttribute("id");
      return;
    }
    const state = list.fleet.state(id);
    const seconds = list.fleet.age(position);
    element.id = `list-row-${index}`;
    element.dataset.id = id;
    element.setAttribute("aria-rowindex", String(index + 2));
    element.setAttribute("aria-selected", String(id === list.chosen));
    element.classList.toggle("active", id === list.active);
    element.style.transform = `translateY(${index * ROW_PIXELS}px)`;
    this.dot.className = `dot ${state}`;
    this.state.title = say(`${state}Long`);
    this.state.setAttribute("aria-label", say(`${state}Long`));
    put(this.name, id);
    put(this.group, list.groups.of(id) ?? "");
    this.parcel.classList.toggle("none", deliveryOf(position) === undefined);
    this.parcel.setAttribute("aria-label", say("listDelivery"));
    put(this.why, say("listDelivery"));
    put(this.battery, position.battery === undefined ? say("unknown") : `${number(position.battery * 100)}%`);
    this.battery.classList.toggle("low", position.battery < LOW_BATTERY);
    put(this.age, span(Math.abs(seconds)));
    this.age.title = age(seconds);
  }
}
