// A rider's day, as the server tells it: positions page by page, then stays, trips and deliveries.

import { ask } from "./api.js";
import { beginOf, plusDays } from "./day-time.js";
import { distance } from "./geo.js";
import { say } from "./words.js";

/** Nobody knows the way between two positions further apart; the server's formats break there, too. */
export const GAP_MILLIS = 600_000;

/** More than twice of what a phone sends that sends each second. */
const POSITIONS_MAX = 200_000;
const PAGE = 10_000;
const DELIVERIES_PAGE = 100;
const DELIVERIES_MAX = 500;
const EVENTS_AT_ONCE = 4;
const RETRIES = 6;
const RETRY_SECONDS_MAX = 10;

/** Orders are looked for that were made so long before the day. */
const BEFORE_MILLIS = 86_400_000;

/** What the server has instead of an answer, in our words. */
const PROBLEMS = { 403: "dayForbidden", 404: "dayOff", 410: "dayGone" };
const STEPS = { "delivery.picked_up": "pickedUpAt", "delivery.completed": "completedAt", "delivery.failed": "failedAt" };

export class DayTrack {
  /** @param onChange is told when there is more of it */
  constructor(onChange) {
    this.onChange = onChange;
    this.clear("", "");
  }

  clear(rider, date) {
    this.rider = rider;
    this.date = date;
    this.size = 0;
    this.millis = new Float64Array(PAGE);
    this.lats = new Float64Array(PAGE);
    this.lons = new Float64Array(PAGE);
    this.speeds = new Float32Array(PAGE);
    this.stays = [];
    this.deliveries = [];
    /** {metres, movingMillis, idleMillis}; null while they are not known. */
    this.sums = null;
    this.isLoading = false;
    this.isCut = false;
    this.hasMoreDeliveries = false;
    this.problem = "";
    this.waiting = "";
  }

  get begin() {
    return this.beginMillis;
  }

  get isEmpty() {
    return this.size === 0;
  }

  /** Asks for a rider's day; what was asked before is let go. */
  async load(rider, date) {
    this.running?.abort();
    const { signal } = (this.running = new AbortController());
    this.clear(rider, date);
    this.beginMillis = beginOf(date);
    this.endMillis = beginOf(plusDays(date, 1));
    this.isLoading = true;
    this.onChange(this);
    try {
      await this.loadPositions(signal);
      if (!this.isEmpty) {
        await this.loadStays(signal);
        await this.loadTrips(signal);
      }
      await this.loadDeliveries(signal);
    } catch (failure) {
      if (!signal.aborted) {
        this.problem = PROBLEMS[failure.status] ? say(PROBLEMS[failure.status]) : failure.message;
      }
    }
    if (!signal.aborted) {
      this.isLoading = false;
      this.onChange(this);
    }
  }

  stop() {
    this.running?.abort();
  }

  async loadPositions(signal) {
    let cursor = null;
    do {
      const asked = cursor === null ? `date=${this.date}&limit=${PAGE}` : `limit=${PAGE}&cursor=${encodeURIComponent(cursor)}`;
      const page = await this.askPatiently(`${this.path}/trace?${asked}`, signal);
      this.take(page.items);
      cursor = page.next;
      this.onChange(this);
    } while (cursor !== null && this.size < POSITIONS_MAX);
    this.isCut = cursor !== null;
  }

  get path() {
    return `/v1/riders/${encodeURIComponent(this.rider)}`;
  }

  take(items) {
    const room = this.millis.length;
    if (this.size + items.length > room) {
      for (const name of ["millis", "lats", "lons", "speeds"]) {
        const grown = new this[name].constructor(Math.max(2 * room, this.size + items.length));
        grown.set(this[name]);
        this[name] = grown;
      }
    }
    for (const { at, lat, lon, speed } of items) {
      const i = this.size++;
      this.millis[i] = Date.parse(at);
      this.lats[i] = lat;
      this.lons[i] = lon;
      this.speeds[i] = speed ?? this.speedTo(i);
    }
  }

  /** Metres a second since the position before, of a phone that does not tell. */
  speedTo(i) {
    const took = i > 0 ? (this.millis[i] - this.millis[i - 1]) / 1000 : 0;
    return took > 0 && !this.isGap(i - 1) ? distance(this.lats[i - 1], this.lons[i - 1], this.lats[i], this.lons[i]) / took : 0;
  }

  async loadStays(signal) {
    const { items } = await this.askPatiently(`${this.path}/stays?date=${this.date}`, signal);
    this.stays = items.map((stay) => ({ ...stay, fromMillis: Date.parse(stay.from), toMillis: Date.parse(stay.to) }));
    this.onChange(this);
  }

  async loadTrips(signal) {
    const { items } = await this.askPatiently(`${this.path}/trips?date=${this.date}`, signal);
    const sum = (name) => items.reduce((all, trip) => all + trip[name], 0);
    this.sums = { metres: sum("distance"), movingMillis: sum("moving") * 1000, idleMillis: sum("idle") * 1000 };
    this.onChange(this);
  }

  /** What the rider had in hand on that day. A key that sees no deliveries has none. */
  async loadDeliveries(signal) {
    const from = new Date(this.beginMillis - BEFORE_MILLIS).toISOString();
    const to = new Date(this.endMillis).toISOString();
    const asked = `riderId=${encodeURIComponent(this.rider)}&from=${from}&to=${to}&limit=${DELIVERIES_PAGE}`;
    const items = [];
    try {
      let cursor = null;
      do {
        const page = await this.askPatiently(`/v1/deliveries?${asked}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`, signal);
        items.push(...page.items);
        cursor = page.next;
      } while (cursor !== null && items.length < DELIVERIES_MAX);
      this.hasMoreDeliveries = cursor !== null;
    } catch (failure) {
      if (failure.status === 403 || failure.status === 404) {
        return;
      }
      throw failure;
    }
    const open = items.filter(({ updatedAt }) => Date.parse(updatedAt) >= this.beginMillis);
    for (let i = 0; i < open.length; i += EVENTS_AT_ONCE) {
      const some = await Promise.all(open.slice(i, i + EVENTS_AT_ONCE).map((one) => this.withSteps(one, signal)));
      this.deliveries.push(...some.filter((one) => one.steps.some((millis) => this.has(millis))));
    }
    this.deliveries.sort((a, b) => a.steps[0] - b.steps[0]);
  }

  async withSteps(delivery, signal) {
    const { items } = await this.askPatiently(`/v1/deliveries/${encodeURIComponent(delivery.id)}/events`, signal);
    const times = {};
    for (const { type, at } of items) {
      if (STEPS[type]) {
        times[STEPS[type]] = Date.parse(at);
      }
    }
    return { ...delivery, ...times, steps: Object.values(times).sort((a, b) => a - b) };
  }

  has(millis) {
    return millis >= this.beginMillis && millis < this.endMillis;
  }

  /** A server that is busy is asked again when it said, a few times. */
  async askPatiently(path, signal) {
    for (let tried = 1; ; tried++) {
      try {
        const answer = await ask("GET", path, undefined, signal);
        this.waiting = "";
        return answer;
      } catch (failure) {
        const isBusy = failure.status === 503 || failure.status === 429;
        if (signal.aborted || !isBusy || tried === RETRIES) {
          throw failure;
        }
        this.waiting = say("busy", { status: failure.status });
        this.onChange(this);
        await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(RETRY_SECONDS_MAX, failure.retrySeconds || 1)));
        signal.throwIfAborted();
      }
    }
  }

  // --- where the rider was -------------------------------------------------------------------------

  /** Whether nobody knows the way from a position to the next one. */
  isGap(i) {
    return this.millis[i + 1] - this.millis[i] > GAP_MILLIS;
  }

  /** The last position that is not after a time; -1 before the first. */
  indexAt(millis) {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.millis[middle] <= millis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Where the rider was: {lat, lon, speed, silentSince}. In a gap that is the last position, with its
   * time as `silentSince`. Undefined before the first position.
   */
  at(millis) {
    const i = this.indexAt(millis);
    if (i < 0) {
      return undefined;
    }
    const isLast = i === this.size - 1;
    const since = millis - this.millis[i];
    if (isLast || this.isGap(i)) {
      return { lat: this.lats[i], lon: this.lons[i], speed: this.speeds[i], silentSince: since > 0 && (!isLast || since > GAP_MILLIS) ? this.millis[i] : null };
    }
    const share = since / (this.millis[i + 1] - this.millis[i]);
    const between = (values) => values[i] + (values[i + 1] - values[i]) * share;
    return { lat: between(this.lats), lon: between(this.lons), speed: this.speeds[i], silentSince: null };
  }

  stayAt(millis) {
    return this.stays.find(({ fromMillis, toMillis }) => fromMillis <= millis && millis <= toMillis);
  }
}
