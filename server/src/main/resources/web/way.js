// What the customer's map shows: the shop, the door, the rider, the way they came and the straight line ahead.

import * as maplibregl from "./maplibre-gl.mjs";
import { make, makeSvg } from "./dom.js";

const MARGIN = 56;
const GAP = 12;
const CLOSEST = 16;
const CAME_MAX = 500;

export class Way {
  #map;
  #words;
  #markers = {};
  #came = [];
  #ahead = [];
  #places = [];
  #top = 0;
  #isMoved = false;
  #lines = { came: makeSvg("path", { class: "came" }), ahead: makeSvg("path", { class: "ahead" }) };

  /** Draws on a map; `words` names the shop, the door and the rider. */
  constructor(map, words) {
    this.#map = map;
    this.#words = words;
    // Lines of our own above the canvas: they stay whatever background the map's style has.
    const drawing = makeSvg("svg", { class: "way", "aria-hidden": "true" }, this.#lines.ahead, this.#lines.came);
    map.getCanvasContainer().append(drawing);
    map.on("move", () => this.#draw());
    map.on("resize", () => {
      this.#look();
      this.#draw();
    });
    for (const event of ["wheel", "touchmove", "keydown"]) {
      map.getCanvasContainer().addEventListener(event, () => (this.#isMoved = true), { passive: true });
    }
    map.on("dragstart", () => (this.#isMoved = true));
  }

  /** Shows where they are; `top` is how much of the map is covered from above, in pixels. */
  show({ shop, door, rider }, top) {
    const places = { shop, door, rider };
    for (const [name, place] of Object.entries(places)) {
      this.#place(name, place && [place.lon, place.lat]);
    }
    const now = rider && [rider.lon, rider.lat];
    const last = this.#came.at(-1);
    if (now && (!last || last[0] !== now[0] || last[1] !== now[1])) {
      this.#came = [...this.#came, now].slice(-CAME_MAX);
    }
    const from = rider ?? shop;
    this.#ahead = from && door ? [[from.lon, from.lat], [door.lon, door.lat]] : [];
    this.#places = Object.values(places).filter(Boolean);
    this.#top = top;
    this.#look();
    this.#draw();
  }

  #place(name, at) {
    if (!at) {
      this.#markers[name]?.remove();
      delete this.#markers[name];
    } else if (this.#markers[name]) {
      this.#markers[name].setLngLat(at);
    } else {
      const isRider = name === "rider";
      const element = isRider
        ? make("div", { class: name, role: "img", "aria-label": this.#words[name] })
        : make("div", { class: `place ${name}` }, this.#words[name]);
      this.#markers[name] = new maplibregl.Marker({ element, anchor: isRider ? "center" : "bottom" })
        .setLngLat(at)
        .addTo(this.#map);
    }
  }

  /** All of it in view, until somebody has moved the map. */
  #look() {
    if (this.#isMoved || this.#places.length === 0) {
      return;
    }
    const labels = Object.values(this.#markers).map((marker) => marker.getElement().offsetWidth / 2);
    const side = Math.max(MARGIN, ...labels.map((half) => half + GAP));
    const bounds = new maplibregl.LngLatBounds();
    this.#places.forEach(({ lon, lat }) => bounds.extend([lon, lat]));
    const height = this.#map.getContainer().clientHeight;
    const padding = { top: Math.min(this.#top, height / 2) + MARGIN, bottom: MARGIN / 2, left: side, right: side };
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#map.fitBounds(bounds, { padding, maxZoom: CLOSEST, duration: isStill ? 0 : 800, linear: true });
  }

  #draw() {
    for (const [name, line] of Object.entries({ came: this.#came, ahead: this.#ahead })) {
      const points = line.map((at) => this.#map.project(at)).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      this.#lines[name].setAttribute("d", points.length > 1 ? `M${points.join("L")}` : "");
    }
  }
}
