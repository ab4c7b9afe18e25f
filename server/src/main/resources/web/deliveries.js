// What the chosen rider has to pick up and to bring: a part of the card, and marks on the map.

import { ask } from "./api.js";
import { make } from "./dom.js";
import { span } from "./format.js";
import { say } from "./words.js";

/** Those that a rider has in hand; the server answers for one status at a time. */
const OPEN = ["PICKED_UP", "ASSIGNED"];
const ASK_MILLIS = 10_000;
const LISTED_MAX = 20;

/** The server's answers that say that this key sees no deliveries, or that there are none here. */
const NONE_HERE = new Set([403, 404]);

export class OpenDeliveries {
  /**
   * @param fleet whose clock times are by
   * @param stops where they are drawn
   * @param onChosen is told the delivery that was chosen in the list
   */
  constructor(fleet, stops, onChosen) {
    this.fleet = fleet;
    this.stops = stops;
    this.onChosen = onChosen;
    this.element = make("section", { class: "part deliveries", hidden: true });
    this.id = null;
    this.items = null;
    this.shown = "";
  }

  /** For another rider; null for none. */
  show(id) {
    this.id = id;
    this.items = null;
    this.build();
    if (id === null) {
      clearTimeout(this.timer);
    } else {
      this.ask();
    }
  }

  async ask() {
    clearTimeout(this.timer);
    const id = this.id;
    try {
      const pages = await Promise.all(
        OPEN.map((status) => ask("GET", `/v1/deliveries?riderId=${encodeURIComponent(id)}&status=${status}&limit=${LISTED_MAX}`)),
      );
      if (id !== this.id) {
        return;
      }
      // One that was picked up between the two answers is in both.
      const byId = new Map(pages.flatMap(({ items }) => items).reverse().map((one) => [one.id, one]));
      this.items = [...byId.values()].reverse().slice(0, LISTED_MAX);
    } catch (failure) {
      if (id !== this.id || NONE_HERE.has(failure.status)) {
        return;
      }
      // The server is away or busy: what was known stays.
    }
    this.update();
    this.timer = setTimeout(() => this.ask(), ASK_MILLIS);
  }

  /** Makes the list anew if there is something new in it. */
  update() {
    const now = JSON.stringify(this.items);
    if (now !== this.shown) {
      this.build();
    } else {
      this.times?.forEach((put) => put());
    }
  }

  build() {
    this.shown = JSON.stringify(this.items);
    this.element.hidden = this.items === null;
    const items = this.items ?? [];
    this.times = [];
    this.stops.show(items);
    this.element.replaceChildren(
      make("h3", {}, say("deliveries")),
      items.length === 0 ? make("p", { class: "none" }, say("deliveriesNone")) : make("ol", {}, ...items.map((one) => this.entry(one))),
    );
  }

  entry(one) {
    const due = make("span", { class: "due" });
    const put = () => {
      const left = one.dueBy === undefined ? null : (Date.parse(one.dueBy) - Date.now() - this.fleet.skewMillis) / 1000;
      due.textContent = left === null ? "" : say(left < 0 ? "dueLate" : "dueIn", { time: span(Math.abs(left)) });
      due.classList.toggle("late", left !== null && left < 0);
    };
    put();
    this.times.push(put);
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", title: say("deliveryShow"), onclick: () => this.onChosen(one) },
        make("b", {}, one.orderId),
        make("span", { class: `step ${one.status}` }, say(one.status)),
        due,
        make("span", { class: "where" }, `${one.shopId} · ${one.pickup.address}`),
        make("span", { class: "where to" }, one.dropoff.address),
      ),
    );
  }
}
