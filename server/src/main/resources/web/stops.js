// The chosen rider's open deliveries on the map: a mark at each shop and door, and a line between
// the two. Clicks go through them to the riders below.

import { find, make, makeSvg } from "./dom.js";

export const SHOP = "M4.5 10.5V19h15v-8.5M3.5 10 5.5 5h13l2 5zM10 19v-4.5h4V19";
export const DOOR = "M4 11.5 12 5l8 6.5M6.5 10v9h11v-9M10.5 19v-5h3v5";

export class Stops {
  constructor(map) {
    this.map = map;
    this.deliveries = [];
    this.marks = [];
    this.box = find("stops");
    this.lines = find("stops-lines");
    for (const event of ["move", "resize"]) {
      map.on(event, () => this.draw());
    }
  }

  /** Draws these deliveries in place of those before. */
  show(deliveries) {
    this.deliveries = deliveries;
    this.marks = deliveries.flatMap((one) => [
      // Who has picked it up is not going to the shop any more.
      { place: one.pickup, element: mark(`shop${one.status === "PICKED_UP" ? " done" : ""}`, SHOP, one.shopId) },
      { place: one.dropoff, element: mark("door", DOOR, one.orderId) },
    ]);
    this.box.replaceChildren(...this.marks.map(({ element }) => element));
    this.draw();
  }

  draw() {
    const at = (place) => this.map.project([place.lon, place.lat]);
    for (const { place, element } of this.marks) {
      const { x, y } = at(place);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
    const lines = this.deliveries.map(({ pickup, dropoff }) => {
      const [a, b] = [at(pickup), at(dropoff)];
      return `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`;
    });
    this.lines.setAttribute("d", lines.join(""));
  }
}

function mark(kind, path, text) {
  return make("div", { class: `stop ${kind}` }, makeSvg("svg", { viewBox: "0 0 24 24" }, makeSvg("path", { d: path })), make("span", {}, text));
}
