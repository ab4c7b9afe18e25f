// All about the chosen rider.

import { inWords } from "./attributes.js";
import { closeButton, find, make, makeSvg } from "./dom.js";
import { deliveryOf } from "./fleet.js";
import { age, isAhead, kmh, metres, number, place, span, wind } from "./format.js";
import { say } from "./words.js";

const SHOWN_ELSEWHERE = new Set(["riderId", "at", "millis", "lat", "lon", "speed", "bearing", "accuracy", "battery", "altitude", "provider", "deliveryId", "attributes", "id"]);

export class Card {
  /**
   * @param fleet whose riders these are
   * @param onClose is told when somebody closes the card
   * @param onFollow is told whether to keep the rider in the middle
   * @param onDay is told whose day somebody wants to see
   * @param parts what else is told of a rider: each has an element, show(id) and build()
   */
  constructor(fleet, onClose, onFollow, onDay, parts) {
    this.fleet = fleet;
    this.onClose = onClose;
    this.onFollow = onFollow;
    this.onDay = onDay;
    this.parts = parts;
    this.section = find("card");
    this.id = null;
    this.isFollowed = false;
  }

  show(id) {
    this.id = id;
    this.section.hidden = id === null;
    document.body.classList.toggle("sheet", id !== null);
    this.follow(false);
    this.parts.forEach((part) => part.show(id));
    this.build();
  }

  /** In another language. */
  say() {
    this.parts.forEach((part) => part.build());
    this.build();
  }

  follow(isFollowed) {
    this.isFollowed = isFollowed;
    this.followButton?.setAttribute("aria-pressed", String(isFollowed));
    this.onFollow(isFollowed);
  }

  /** Makes the card anew. */
  build() {
    if (this.id === null) {
      return;
    }
    this.state = make("p", { class: "state" });
    this.figures = make("dl", { class: "figures" });
    this.chart = makeSvg("svg", { class: "spark", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": say("speedChart") });
    this.more = make("dl", { class: "more" });
    this.others = make("dl", { class: "more" });
    this.rest = make("details", { class: "rest" }, make("summary", {}, say("other")), this.others);
    this.followButton = make("button", { type: "button", class: "button", "aria-pressed": String(this.isFollowed), onclick: () => this.follow(!this.isFollowed) }, say("follow"));
    const copy = make("button", { type: "button", class: "button", onclick: () => this.copy(copy) }, say("copyId"));
    const day = make("button", { type: "button", class: "button", id: "card-day", title: say("dayHint"), onclick: () => this.onDay(this.id) }, say("day"));
    this.section.replaceChildren(
      make("header", {}, make("h2", {}, this.id), closeButton(say("close"), this.onClose)),
      this.state,
      this.figures,
      this.chart,
      make("div", { class: "row" }, this.followButton, day, copy),
      ...this.parts.map((part) => part.element),
      this.more,
      this.rest,
    );
    this.update();
  }

  async copy(button) {
    try {
      await navigator.clipboard.writeText(this.id);
      button.textContent = say("copied");
    } catch {
      // No clipboard here: the id stands in the card.
    }
  }

  update() {
    const position = this.id === null ? undefined : this.fleet.position(this.id);
    if (!position) {
      return;
    }
    const state = this.fleet.state(this.id);
    const seconds = this.fleet.age(position);
    this.state.replaceChildren(make("i", { class: `dot ${state}` }), say(`${state}Long`));
    this.figures.replaceChildren(
      figure("speed", position.speed === undefined ? say("unknown") : kmh(position.speed), position.speed === undefined ? "" : "km/h"),
      figure("age", span(Math.abs(seconds)), say(isAhead(seconds) ? "aheadUnit" : "agoUnit"), age(seconds)),
      figure("battery", position.battery === undefined ? say("unknown") : number(position.battery * 100), position.battery === undefined ? "" : "%"),
    );
    this.draw(this.fleet.speeds(this.id));
    const lines = [
      ["heading", position.bearing === undefined ? undefined : wind(position.bearing)],
      ["accuracy", position.accuracy === undefined ? undefined : `± ${metres(position.accuracy)}`],
      ["altitude", position.altitude === undefined ? undefined : `${number(position.altitude)} m`],
      ["delivery", deliveryOf(position)],
      ["device", position.attributes?.device],
      ["provider", position.provider],
      ["place", place(position.lat, position.lon)],
    ].map(([name, value]) => [say(name), value]);
    const attributes = { ...position.attributes };
    for (const [name, value] of Object.entries(position)) {
      if (!SHOWN_ELSEWHERE.has(name)) {
        attributes[name] = value;
      }
    }
    // Told above.
    delete attributes.deliveryId;
    delete attributes.device;
    const { known, others } = inWords(attributes);
    fill(this.more, [...lines, ...known]);
    fill(this.others, others);
    this.rest.hidden = others.length === 0;
  }

  draw(speeds) {
    this.chart.classList.toggle("none", speeds.length < 2);
    const top = Math.max(8, ...speeds) * 1.08;
    const points = speeds.map((speed, i) => `${((i / Math.max(1, speeds.length - 1)) * 100).toFixed(2)} ${(40 - (speed / top) * 40).toFixed(2)}`);
    const line = points.length > 1 ? `M${points.join("L")}` : "";
    this.chart.replaceChildren(
      makeSvg("path", { class: "base", d: "M0 40H100" }),
      makeSvg("path", { class: "fillarea", d: line ? `${line}L100 40L0 40Z` : "" }),
      makeSvg("path", { class: "linepath", d: line }),
    );
  }
}

function figure(name, value, unit, title) {
  return make("div", { title }, make("dt", {}, say(name)), make("dd", {}, value, unit ? make("small", {}, unit) : null));
}

function fill(list, lines) {
  list.replaceChildren(...lines.filter(([, value]) => value !== undefined).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}
