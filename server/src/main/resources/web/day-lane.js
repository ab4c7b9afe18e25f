// One rider's day in the panel of days: who and when, the strip with its slider, the sums, and what
// happened, in the order of time.

import { DayStrip } from "./day-strip.js";
import { clock, dateOf, isDate, plusDays } from "./day-time.js";
import { DayTrack } from "./day-track.js";
import { make, makeSvg, put } from "./dom.js";
import { hours, metres, number, span } from "./format.js";
import { DOOR, SHOP } from "./stops.js";
import { say } from "./words.js";

const STAY = "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M12 8v4.5l3 1.8";

export class DayLane {
  /**
   * @param tint the name of its colour
   * @param isBound whether the key sees one rider only
   * @param told is called back: onChange(lane), onMoved(lane, millis), onSettled(), onFound(lane, millis, place),
   *     onAsked() when another rider or date was chosen
   */
  constructor(tint, isBound, told) {
    this.tint = tint;
    this.told = told;
    this.time = 0;
    this.track = new DayTrack(() => told.onChange(this));
    this.strip = new DayStrip(tint, (millis) => told.onMoved(this, millis), told.onSettled);
    this.rider = make("input", { class: "day-name", type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", readonly: isBound, onchange: () => this.ask() });
    this.date = make("input", { class: "day-date", type: "date", required: true, onchange: () => this.ask() });
    this.before = arrow("m14 7-5 5 5 5", () => this.turn(-1));
    this.after = arrow("m10 7 5 5-5 5", () => this.turn(1));
    this.said = make("p", { class: "day-said", role: "status" });
    this.who = make("div", { class: `day-who ${tint}` }, make("i", {}), this.rider, make("span", { class: "day-dates" }, this.before, this.date, this.after));
    this.element = make("div", { class: "day-lane" }, this.who, make("div", { class: "day-strip-box" }, this.strip.element, this.said));
    this.sums = make("dl", { class: "day-sums" });
    this.list = make("ol", { class: "day-list" });
    this.column = make("div", { class: `day-column ${tint}` }, this.sums, this.list);
  }

  /** Shows that rider's day, from the server. */
  load(rider, date) {
    this.rider.value = rider;
    this.date.value = date;
    this.date.max = dateOf(Date.now());
    this.after.disabled = date >= this.date.max;
    this.track.load(rider, date);
  }

  /** What somebody has entered; nothing is asked before both are whole. */
  ask() {
    const rider = this.rider.value.trim();
    if (rider && isDate(this.date.value)) {
      this.load(rider, this.date.value);
      this.told.onAsked();
    }
  }

  turn(days) {
    this.date.value = plusDays(this.track.date, days);
    this.ask();
  }

  /** In another language. */
  build() {
    this.rider.setAttribute("aria-label", say("dayRider"));
    this.date.setAttribute("aria-label", say("dayDate"));
    for (const [button, key] of [[this.before, "dayBefore"], [this.after, "dayAfter"]]) {
      button.title = say(key);
      button.setAttribute("aria-label", say(key));
    }
  }

  /** Shows what is known of the day by now, on an axis of milliseconds since it began. */
  show(from, to) {
    const { track } = this;
    this.strip.slider.setAttribute("aria-label", say("dayTime", { rider: track.rider }));
    this.strip.element.classList.toggle("empty", track.isEmpty);
    this.strip.show(track, from, to);
    put(this.said, this.words());
    this.said.classList.toggle("bad", track.problem !== "");
    this.showSums();
    this.showList();
    this.at(this.time);
  }

  words() {
    const { track } = this;
    if (track.problem !== "") {
      return say(track.problem);
    }
    if (track.isLoading) {
      return track.waiting || (track.isEmpty ? say("dayLoading") : "");
    }
    return track.isEmpty ? say("dayEmpty") : track.isCut ? say("dayCut", { count: number(track.size) }) : "";
  }

  showSums() {
    const { sums, stays, deliveries, hasMoreDeliveries, isEmpty } = this.track;
    this.sums.hidden = isEmpty;
    const stayed = stays.reduce((all, { fromMillis, toMillis }) => all + toMillis - fromMillis, 0);
    const lines = [
      ["dayDistance", sums && metres(sums.metres)],
      ["dayMoving", sums && hours(sums.movingMillis / 1000)],
      ["dayIdle", sums && hours(sums.idleMillis / 1000), "dayIdleHint"],
      ["dayStays", sums && (stays.length === 0 ? "0" : `${stays.length} · ${hours(stayed / 1000)}`), "dayStaysHint"],
      ["dayDeliveries", sums && deliveries.length + (hasMoreDeliveries ? "+" : "")],
    ];
    this.sums.replaceChildren(
      ...lines.map(([name, value, hint]) => make("div", { title: hint && say(hint) }, make("dt", {}, say(name)), make("dd", {}, value ?? say("unknown")))),
    );
  }

  showList() {
    const { stays, deliveries } = this.track;
    const entries = [...stays.map((stay) => this.stay(stay)), ...deliveries.map((one) => this.delivery(one))];
    entries.sort((a, b) => a.millis - b.millis);
    this.list.replaceChildren(...entries.map(({ element }) => element));
  }

  stay({ fromMillis, toMillis, lat, lon }) {
    const times = `${clock(fromMillis, 5)}–${clock(toMillis, 5)}`;
    return this.entry("stay", STAY, fromMillis, { lat, lon }, times, say("dayStay", { time: span((toMillis - fromMillis) / 1000) }));
  }

  delivery({ pickedUpAt, completedAt, failedAt, steps, orderId, shopId, pickup, dropoff }) {
    const ended = completedAt ?? failedAt;
    const times = `${pickedUpAt ? clock(pickedUpAt, 5) : "…"}–${ended ? clock(ended, 5) : "…"}`;
    const words = [make("b", {}, orderId), ` ${shopId} → ${dropoff.address}`, failedAt ? make("em", {}, ` ${say("dayFailed")}`) : null];
    return this.entry("delivery", pickedUpAt ? SHOP : DOOR, steps[0], pickedUpAt ? pickup : dropoff, times, ...words);
  }

  entry(kind, path, millis, place, times, ...words) {
    const sign = makeSvg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeSvg("path", { d: path }));
    const button = make("button", { type: "button", class: kind, onclick: () => this.told.onFound(this, millis, place) }, sign, make("span", { class: "times" }, times), make("span", { class: "what" }, ...words));
    return { millis, element: make("li", {}, button) };
  }

  /** Where the rider was at the lane's time. */
  get place() {
    return this.track.at(this.time);
  }

  at(millis) {
    this.time = millis;
    if (this.track.begin !== undefined) {
      this.strip.at(millis, this.track, this.place);
    }
  }
}

function arrow(path, onclick) {
  return make("button", { type: "button", class: "day-turn", onclick }, makeSvg("svg", { viewBox: "0 0 24 24" }, makeSvg("path", { d: path })));
}
