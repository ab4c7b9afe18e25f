// What lies on the map beside a day's line: stays, shops, doors, and where the riders were at the
// chosen time. A label is shown where it covers none that counts more.

import { find, make, makeSvg, put } from "./dom.js";
import { clock } from "./day-time.js";
import { kmh, span } from "./format.js";
import { DOOR, SHOP } from "./stops.js";
import { say } from "./words.js";

const LABEL_GAP = 3;
const LEAST_RADIUS = 7;
const MOST_RADIUS = 17;

/** Minutes from which a stay has the largest circle. */
const LONG_STAY = 90;

export class DayMarks {
  constructor(map) {
    this.map = map;
    this.box = find("day-marks");
    this.marks = [];
    this.riders = [];
    for (const event of ["move", "resize"]) {
      map.on(event, () => this.draw());
    }
  }

  /** Shows these days: each {track, colour}. */
  show(lanes) {
    this.marks = lanes.flatMap(({ track, tint }) => [...track.stays.map((stay) => stayMark(stay, tint)), ...track.deliveries.flatMap(stops)]);
    // Those that take longer have their labels first, and lie above the others.
    this.marks.sort((a, b) => a.weight - b.weight);
    this.riders = lanes.map(({ tint }) => {
      const label = make("span", {});
      return { label, element: make("div", { class: `day-rider ${tint}` }, make("i", {}), label), place: null };
    });
    this.box.replaceChildren(...this.marks.map(({ element }) => element), ...this.riders.map(({ element }) => element));
    this.marks.forEach((mark) => (mark.size = [mark.label.offsetWidth, mark.label.offsetHeight]));
    this.draw();
  }

  /** Puts the riders where they were: each {time, place}, the place as a track tells it. */
  at(moments) {
    moments.forEach(({ time, place }, i) => {
      const rider = this.riders[i];
      if (!rider) {
        return;
      }
      rider.place = place;
      rider.element.hidden = place === undefined;
      if (place) {
        rider.element.classList.toggle("silent", place.silentSince !== null);
        put(rider.label, `${clock(time, 5)} · ${place.silentSince === null ? `${kmh(place.speed)} km/h` : say("daySilent", { time: clock(place.silentSince, 5) })}`);
      }
    });
    this.drawRiders();
  }

  draw() {
    const taken = [];
    for (let i = this.marks.length - 1; i >= 0; i--) {
      const { element, label, place, size, radius } = this.marks[i];
      const { x, y } = this.map.project([place.lon, place.lat]);
      element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      const left = x + radius + LABEL_GAP;
      const box = [left, y - size[1] / 2, left + size[0], y + size[1] / 2];
      const isFree = taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
      label.classList.toggle("covered", !isFree);
      if (isFree) {
        taken.push(box);
      }
      taken.push([x - radius, y - radius, x + radius, y + radius]);
    }
    this.drawRiders();
  }

  drawRiders() {
    for (const { element, place } of this.riders) {
      if (place) {
        const { x, y } = this.map.project([place.lon, place.lat]);
        element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
    }
  }
}

function stayMark({ fromMillis, toMillis, lat, lon }, tint) {
  const minutes = (toMillis - fromMillis) / 60_000;
  const radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt(Math.min(1, minutes / LONG_STAY));
  const label = make("span", {}, `${clock(fromMillis, 5)}–${clock(toMillis, 5)} · ${span(minutes * 60)}`);
  const circle = makeSvg("svg", { viewBox: "-20 -20 40 40" }, makeSvg("circle", { r: radius.toFixed(1) }));
  label.style.left = `${radius + LABEL_GAP}px`;
  return { element: make("div", { class: `day-stay ${tint}` }, circle, label), label, place: { lat, lon }, radius, weight: minutes };
}

/** Where a delivery was picked up and brought: the time in front of its shop's or its own id. */
function stops(delivery) {
  const { pickedUpAt, completedAt, failedAt, pickup, dropoff, shopId, orderId } = delivery;
  const ended = completedAt ?? failedAt;
  return [
    pickedUpAt && stopMark("shop", SHOP, pickup, `${clock(pickedUpAt, 5)} ${shopId}`),
    ended && stopMark(failedAt ? "door failed" : "door", DOOR, dropoff, `${clock(ended, 5)} ${orderId}`),
  ].filter(Boolean);
}

function stopMark(kind, path, place, text) {
  const label = make("span", {}, text);
  const element = make("div", { class: `stop ${kind}` }, makeSvg("svg", { viewBox: "0 0 24 24" }, makeSvg("path", { d: path })), label);
  return { element, label, place, radius: 12, weight: 1000 };
}
