// Who is in an area: a box or a circle, drawn on the map; the list follows the positions as they
// come in, nearest first.

import { closeButton, find, make, put } from "./dom.js";
import { distance, metresPerWorld } from "./geo.js";
import { age, metres, number } from "./format.js";
import { say } from "./words.js";

const LISTED_MAX = 100;

/** A drag shorter than this was none. */
const PIXELS_MIN = 6;

export class AreaSearch {
  /**
   * @param map where it is drawn
   * @param fleet who is anywhere
   * @param onChosen is told who was chosen in the list
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
    this.rows = new Map();
    this.line = make("p", { role: "status" });
    this.list = make("ol", {});
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
        this.build();
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
    this.build();
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

  /** Everyone in the area, by the newest positions: [id, metres to its middle], the nearest first. */
  inside() {
    const { radius, west, east, south, north } = this.area;
    const lat = radius === undefined ? (south + north) / 2 : this.area.lat;
    const lon = radius === undefined ? (west + east) / 2 : this.area.lon;
    const found = [];
    for (let slot = 0; slot < this.fleet.size; slot++) {
      const at = this.fleet.latest[slot];
      if (radius !== undefined || (at.lat >= south && at.lat <= north && at.lon >= west && at.lon <= east)) {
        const far = distance(lat, lon, at.lat, at.lon);
        if (radius === undefined || far <= radius) {
          found.push([this.fleet.ids[slot], far]);
        }
      }
    }
    return found.sort((a, b) => a[1] - b[1]);
  }

  /** Makes the panel anew: for another area, or in another language. */
  build() {
    if (!this.kind) {
      return;
    }
    document.body.classList.add("sheet");
    this.section.hidden = false;
    this.rows.clear();
    this.list.replaceChildren();
    const title = say(this.kind === "box" ? "boxTitle" : "circleTitle");
    const radius = this.area?.radius ? make("p", {}, say("radius", { distance: metres(this.area.radius) })) : null;
    this.section.replaceChildren(
      make("header", {}, make("h2", {}, title), closeButton(say("close"), () => this.close())),
      ...[radius, this.line, this.area ? this.list : null].filter(Boolean),
      ...(this.area ? [] : [make("div", { class: "row" }, make("button", { type: "button", class: "button", onclick: () => this.useView() }, say("useView")))]),
    );
    this.update();
  }

  /** Who has come, gone or moved. Rows stay the elements that they are, and keep the focus. */
  update() {
    if (!this.kind) {
      return;
    }
    const found = this.area ? this.inside() : [];
    put(this.line, this.area ? summary(found.length) : say(this.kind === "box" ? "drawABox" : "drawACircle"));
    const focused = document.activeElement;
    const listed = found.slice(0, LISTED_MAX);
    const ids = new Set(listed.map(([id]) => id));
    for (const [id, row] of this.rows) {
      if (!ids.has(id)) {
        row.element.remove();
        this.rows.delete(id);
      }
    }
    listed.forEach(([id, far], place) => {
      const row = this.rows.get(id) ?? this.enter(id);
      this.fill(row, id, far);
      if (this.list.children[place] !== row.element) {
        this.list.insertBefore(row.element, this.list.children[place] ?? null);
      }
    });
    if (focused !== document.activeElement && this.list.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }

  enter(id) {
    const row = { dot: make("i", {}), age: make("span", {}), far: make("span", { class: "far" }) };
    row.element = make("li", {}, make("button", { type: "button", onclick: () => this.onChosen(id) }, row.dot, make("b", {}, id), row.age, row.far));
    this.rows.set(id, row);
    return row;
  }

  fill(row, id, far) {
    row.dot.className = `dot ${this.fleet.state(id)}`;
    put(row.age, age(this.fleet.age(this.fleet.position(id))));
    put(row.far, metres(far));
    if (id === this.chosen) {
      row.element.setAttribute("aria-current", "true");
    } else {
      row.element.removeAttribute("aria-current");
    }
  }
}

function summary(count) {
  const key = count === 0 ? "foundNone" : count === 1 ? "foundOne" : count > LISTED_MAX ? "foundMany" : "foundCount";
  return say(key, { count: number(count), shown: number(LISTED_MAX) });
}
