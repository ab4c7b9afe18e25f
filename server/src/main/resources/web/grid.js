// What is below the riders where there are no tiles: meridians and parallels with their degrees,
// as many as fit the zoom; and the scale bar.

import { colour } from "./colours.js";
import { find } from "./dom.js";
import { metresPerWorld, toLat, toLon, toX, toY } from "./geo.js";
import { metres } from "./format.js";

const STEPS = [45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001];
const APART_MIN = 128;
const PARTS = 4;
const BAR_MAX = 110;

export class Grid {
  constructor(map) {
    this.map = map;
    this.canvas = find("grid");
    this.context = this.canvas.getContext("2d");
    /** Whether tiles lie above it. */
    this.hasTiles = false;
    for (const event of ["move", "resize", "load"]) {
      map.on(event, () => this.draw());
    }
    this.draw();
  }

  /** Tiles of a file end somewhere: lines around them would show that as an edge. */
  get isSeen() {
    const [west, south, east, north] = (this.hasTiles && this.map.getSource("tiles")?.bounds) || [-180, -90, 180, 90];
    const { lng, lat } = this.map.getCenter();
    return !this.hasTiles || lng < west || lng > east || lat < south || lat > north;
  }

  draw() {
    const { map, canvas, context } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const side = 512 * 2 ** map.getZoom();
    const centre = map.getCenter();
    const left = toX(centre.lng) - width / 2 / side;
    const top = toY(centre.lat) - height / 2 / side;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colour("ground");
    context.fillRect(0, 0, width, height);
    const step = STEPS.findLast((degrees) => (degrees / 360) * side >= APART_MIN) ?? STEPS[0];
    const view = {
      width,
      height,
      toPixelX: (lon) => (toX(lon) - left) * side,
      toPixelY: (lat) => (toY(lat) - top) * side,
      west: toLon(left),
      east: toLon(left + width / side),
      north: toLat(Math.max(0, top)),
      south: toLat(Math.min(1, top + height / side)),
    };
    if (this.isSeen) {
      this.lines(view, step / PARTS, colour("ground-line"));
      this.lines(view, step, colour("ground-line-strong"));
      this.labels(view, step);
    }
    this.bar(centre.lat, side);
  }

  lines(view, step, style) {
    const { context } = this;
    context.strokeStyle = style;
    context.lineWidth = 1;
    context.beginPath();
    eachStep(view.west, view.east, step, -180, 180, (lon) => {
      const x = Math.round(view.toPixelX(lon)) + 0.5;
      context.moveTo(x, 0);
      context.lineTo(x, view.height);
    });
    eachStep(view.south, view.north, step, -85, 85, (lat) => {
      const y = Math.round(view.toPixelY(lat)) + 0.5;
      context.moveTo(0, y);
      context.lineTo(view.width, y);
    });
    context.stroke();
  }

  labels(view, step) {
    const { context } = this;
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const text = (degrees, positive, negative) =>
      `${Math.abs(degrees).toFixed(digits)}°${degrees > 0 ? positive : degrees < 0 ? negative : ""}`;
    context.font = "11px Inter, system-ui, sans-serif";
    context.textBaseline = "middle";
    const put = (label, x, y, align) => {
      context.textAlign = align;
      context.lineWidth = 4;
      context.lineJoin = "round";
      context.strokeStyle = colour("ground");
      context.strokeText(label, x, y);
      context.fillStyle = colour("ground-text");
      context.fillText(label, x, y);
    };
    eachStep(view.west, view.east, step, -180, 180, (lon) =>
      put(text(lon, "E", "W"), view.toPixelX(lon), view.height - 10, "center"),
    );
    eachStep(view.south, view.north, step, -85, 85, (lat) =>
      put(text(lat, "N", "S"), 8, view.toPixelY(lat), "left"),
    );
  }

  bar(lat, side) {
    const perPixel = metresPerWorld(lat) / side;
    const most = BAR_MAX * perPixel;
    const power = 10 ** Math.floor(Math.log10(most));
    const length = power * [5, 2, 1].find((factor) => factor * power <= most);
    const bar = find("scale");
    bar.style.width = `${length / perPixel}px`;
    bar.firstElementChild.textContent = metres(length);
    bar.setAttribute("aria-label", metres(length));
  }
}

function eachStep(from, to, step, min, max, visit) {
  const last = Math.min(to, max);
  for (let n = Math.ceil(Math.max(from, min) / step); n * step <= last; n++) {
    visit(n * step);
  }
}
