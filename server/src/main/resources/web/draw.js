// Searches an area: a box or a circle, drawn on the map; the answer is a list, nearest first.

import { closeButton, find, make } from "./dom.js";
import { distance, metresPerWorld, toX, toY } from "./geo.js";
import { age, metres, number } from "./format.js";
import { say } from "./words.js";

const LIMIT = 100;

/** A drag shorter than this was none. */
const PIXELS_MIN = 6;

export class AreaSearch {
  /**
   * @param map where it is drawn
   * @param fleet whose clock ages are by
   * @param onChosen is told the position of who was chosen in the list
   * @param onOpen is told when the list opens
   */
  constructor(map, fleet, onChosen, onOpen) {
    this.map = map;
    this.fleet = fleet;
    this.onChosen = onChosen;
    this.onOpen = onOpen;
    this.section = find("results");
    this.shape = find("area-shape");
    this.kind = null;
    this.area = null;
    this.items = null;
    this.chosen = null;
    this.overlay = find("draw");
    for (const kind of ["box", "circle"]) {
      find(`draw-${kind}`).addEventListener("click", () => (this.kind === kind ? this.close() : this.begin(kind)));
    }
    this.overlay.addEventListener("pointerdown", (event) => this.drag(event));
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.kind && !event.target.closest("dialog, #search-form")) {
        this.close();
      }
    });
    map.on("move", () => this.outline());
    map.on("resize", () => this.outline());
  }

  begin(kind) {
    this.close();
    this.kind = kind;
    find(`draw-${kind}`).setAttribute("aria-pressed", "true");
    this.overlay.hidden = false;
    this.onOpen();
    this.build();
  }

  close() {
    this.kind = null;
    this.area = null;
    this.items = null;
    this.problem = null;
    this.overlay.hidden = true;
    this.section.hidden = true;
    find("draw-box").setAttribute("aria-pressed", "false");
    find("draw-circle").setAttribute("aria-pressed", "false");
    document.body.classList.remove("sheet");
    this.outline();
  }

  drag(event) {
    this.overlay.setPointerCapture(event.pointerId);
    const start = [event.clientX, event.clientY];
    let end = start;
    this.overlay.onpointermove = (move) => {
      end = [move.clientX, move.clientY];
      this.area = this.areaOf(start, end);
      this.outline();
    };
    this.overlay.onpointerup = () => {
      this.overlay.onpointermove = this.overlay.onpointerup = null;
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) >= PIXELS_MIN) {
        this.overlay.hidden = true;
        this.ask();
      }
    };
  }

  areaOf(start, end) {
    const a = this.map.unproject(start);
    const b = this.map.unproject(end);
    return this.kind === "circle"
      ? { lat: a.lat, lon: a.lng, radius: Math.max(1, distance(a.lat, a.lng, b.lat, b.lng)) }
      : { west: Math.min(a.lng, b.lng), east: Math.max(a.lng, b.lng), south: Math.min(a.lat, b.lat), north: Math.max(a.lat, b.lat) };
  }

  /** The keyboard's way: what is on screen, or a circle that fits into it. */
  useView() {
    const { clientWidth: width, clientHeight: height } = this.map.getCanvas();
    this.area =
      this.kind === "circle"
        ? this.areaOf([width / 2, height / 2], [width / 2, height / 2 - Math.min(width, height) * 0.4])
        : this.areaOf([0, 0], [width, height]);
    this.overlay.hidden = true;
    this.outline();
    this.ask();
  }

  outline() {
    this.shape.setAttribute("d", this.area ? this.path() : "");
  }

  path() {
    const area = this.area;
    if (area.radius === undefined) {
      const a = this.map.project([area.west, area.north]);
      const b = this.map.project([area.east, area.south]);
      return `M${a.x} ${a.y}H${b.x}V${b.y}H${a.x}Z`;
    }
    const centre = this.map.project([area.lon, area.lat]);
    const radius = (area.radius / metresPerWorld(area.lat)) * 512 * 2 ** this.map.getZoom();
    return `M${centre.x - radius} ${centre.y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  }

  async ask() {
    const area = this.area;
    const query =
      area.radius === undefined
        ? `bbox=${[area.west, area.south, area.east, area.north].map((degrees) => degrees.toFixed(6))}`
        : `near=${area.lat.toFixed(6)},${area.lon.toFixed(6)}&radius=${Math.ceil(area.radius)}`;
    this.items = null;
    this.problem = null;
    this.build();
    try {
      const answer = await fetch(`/v1/riders?${query}&limit=${LIMIT}`);
      const body = await answer.json();
      if (area !== this.area) {
        return;
      }
      if (answer.ok) {
        this.items = body.items;
        this.items.forEach((item) => (item.position.millis = Date.parse(item.position.at)));
      } else {
        this.problem = body.reason ?? body.detail ?? String(answer.status);
      }
    } catch (failure) {
      this.problem = failure.message;
    }
    this.build();
  }

  /** Makes the list anew: for another answer, or in another language. */
  build() {
    if (!this.kind) {
      return;
    }
    document.body.classList.add("sheet");
    this.section.hidden = false;
    const title = say(this.kind === "box" ? "boxTitle" : "circleTitle");
    const radius = this.area?.radius ? make("p", {}, say("radius", { distance: metres(this.area.radius) })) : null;
    this.section.replaceChildren(
      make("header", {}, make("h2", {}, title), closeButton(say("close"), () => this.close())),
      ...[radius, make("p", { role: "status" }, this.line())].filter(Boolean),
      ...(this.items?.length ? [make("ol", {}, ...this.items.map((item) => this.entry(item)))] : []),
      make(
        "div",
        { class: "row" },
        this.area
          ? make("button", { type: "button", class: "button", onclick: () => this.ask() }, say("again"))
          : make("button", { type: "button", class: "button", onclick: () => this.useView() }, say("useView")),
      ),
    );
  }

  line() {
    if (!this.area) {
      return say(this.kind === "box" ? "drawABox" : "drawACircle");
    }
    if (this.problem) {
      return say("searchFailed", { reason: this.problem });
    }
    if (!this.items) {
      return say("searching");
    }
    const count = this.items.length;
    const key = count === 0 ? "foundNone" : count === 1 ? "foundOne" : count >= LIMIT ? "foundMany" : "foundCount";
    return say(key, { count: number(count) });
  }

  entry({ riderId, distance: far, position }) {
    return make(
      "li",
      { "aria-current": riderId === this.chosen ? "true" : false },
      make(
        "button",
        { type: "button", onclick: () => this.onChosen(position) },
        make("i", { class: `dot ${this.fleet.state(riderId)}` }),
        make("b", {}, riderId),
        make("span", {}, age(this.fleet.age(position))),
        make("span", { class: "far" }, far === undefined ? "" : metres(far)),
      ),
    );
  }
}
