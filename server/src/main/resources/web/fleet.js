// Where everyone is: the newest position of each rider, and from where to where they glide.
// Places are kept relative to an origin, so that 32 bits show no jitter at any zoom.

import { distance, toX, toY } from "./geo.js";
import { InstanceBuffer } from "./program.js";

export const RIDERS_MAX = 100_000;

/** Metres a second from which a rider counts as moving. */
export const MOVING_FROM = 1;

/** Seconds after which nothing was heard. */
export const QUIET_AFTER = 60;

/** Seconds that a glide takes at most; who sends less often than this arrives and waits. */
const GLIDE_MAX = 6;

/** How many of a rider's latest speeds are kept, for the card. */
const RECENT_MAX = 60;
const JUMP_METRES = 250;
const JUMP_SPEED = 70;
const NO_HEADING = -1000;

// The floats of a rider, as the riders' layer reads them.
const FROM_X = 0, FROM_Y = 1, TO_X = 2, TO_Y = 3, BEGINS = 4, ENDS = 5, FROM_HEADING = 6, TO_HEADING = 7, SPEED = 8, SEEN = 9;

/** The delivery that a position names; apps whose format has no place for it send it as an attribute. */
export const deliveryOf = (position) => position.deliveryId ?? position.attributes?.deliveryId;

export class Fleet {
  constructor() {
    this.began = performance.now() / 1000;
    this.buffer = new InstanceBuffer([4, 2, 2, 2], 1024);
    this.origin = [0, 0];
    this.skewMillis = 0;
    this.slots = new Map();
    this.ids = [];
    this.latest = [];
    this.arrived = [];
    this.recent = [];
    this.refused = 0;
    /** How often somebody has come or gone. */
    this.changes = 0;
    this.stepped = () => {};
    this.glides = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stillUntil = 0;
  }

  get size() {
    return this.ids.length;
  }

  /** Seconds since a beginning that moves along now and then, as 32 bits hold only so many. */
  clock() {
    return performance.now() / 1000 - this.began;
  }

  /** The newest position of a rider, as the server sent it. */
  position(id) {
    return this.latest[this.slots.get(id)];
  }

  /** The latest speeds of a rider, the oldest first. */
  speeds(id) {
    return this.recent[this.slots.get(id)] ?? [];
  }

  /** Page seconds of a time in the server's milliseconds. */
  pageTime(atMillis) {
    return this.clock() - (Date.now() + this.skewMillis - atMillis) / 1000;
  }

  /** How old a position is, in seconds. */
  age(position) {
    return (Date.now() + this.skewMillis - position.millis) / 1000;
  }

  /** The server's clock less ours. */
  setSkew(millis) {
    this.skewMillis = millis;
    this.latest.forEach((position, slot) => {
      this.buffer.data[slot * this.buffer.stride + SEEN] = this.pageTime(position.millis);
    });
    this.buffer.touchAll();
  }

  /** "moving", "standing" or "quiet". */
  state(id) {
    const slot = this.slots.get(id);
    return slot === undefined ? "quiet" : this.stateOf(slot);
  }

  stateOf(slot) {
    if (this.age(this.latest[slot]) > QUIET_AFTER) {
      return "quiet";
    }
    return this.buffer.data[slot * this.buffer.stride + SPEED] >= MOVING_FROM ? "moving" : "standing";
  }

  counts() {
    const counts = { moving: 0, standing: 0, quiet: 0 };
    for (let slot = 0; slot < this.size; slot++) {
      counts[this.stateOf(slot)]++;
    }
    return counts;
  }

  /** Takes a position; what is older than what is known changes nothing. */
  take(position) {
    position.millis = Date.parse(position.at);
    let slot = this.slots.get(position.riderId);
    if (slot === undefined) {
      this.enter(position);
    } else if (position.millis >= this.latest[slot].millis) {
      this.move(slot, position);
    }
  }

  enter(position) {
    if (this.size >= RIDERS_MAX) {
      this.refused++;
      return;
    }
    this.changes++;
    const slot = this.size;
    if (slot === 0) {
      this.moveOrigin(toX(position.lon), toY(position.lat));
    }
    this.buffer.reserve(slot + 1);
    this.slots.set(position.riderId, slot);
    this.ids.push(position.riderId);
    this.latest.push(position);
    const now = this.clock();
    this.arrived.push(now);
    const x = toX(position.lon) - this.origin[0];
    const y = toY(position.lat) - this.origin[1];
    const heading = position.bearing ?? NO_HEADING;
    this.recent.push([position.speed ?? 0]);
    this.buffer.data.set(
      [x, y, x, y, now, now, heading, heading, position.speed ?? 0, this.pageTime(position.millis)],
      slot * this.buffer.stride,
    );
    this.buffer.touch(slot);
  }

  move(slot, position) {
    const data = this.buffer.data;
    const at = slot * this.buffer.stride;
    const now = this.clock();
    const before = this.latest[slot];
    const walked = distance(before.lat, before.lon, position.lat, position.lon);
    const took = (position.millis - before.millis) / 1000;
    const gap = now - this.arrived[slot];
    const speed = position.speed ?? (took > 0.5 && took < 60 ? walked / took : 0);
    const jumps = !this.glides || walked > Math.max(JUMP_METRES, JUMP_SPEED * took);
    const toRelX = toX(position.lon) - this.origin[0];
    const toRelY = toY(position.lat) - this.origin[1];
    const [x, y] = jumps ? [toRelX, toRelY] : this.relativeAt(slot, now);
    const heading = this.headingAt(slot, now);
    data[at + FROM_X] = x;
    data[at + FROM_Y] = y;
    data[at + TO_X] = toRelX;
    data[at + TO_Y] = toRelY;
    data[at + BEGINS] = now;
    data[at + ENDS] = jumps ? now : now + Math.min(GLIDE_MAX, Math.max(0.25, gap > 2 * GLIDE_MAX ? 1.5 : gap * 1.05));
    data[at + FROM_HEADING] = heading;
    data[at + TO_HEADING] = turned(heading, headingOf(before, position, walked, speed));
    if (heading === NO_HEADING) {
      data[at + FROM_HEADING] = data[at + TO_HEADING];
    }
    data[at + SPEED] = speed;
    data[at + SEEN] = this.pageTime(position.millis);
    this.latest[slot] = position;
    this.arrived[slot] = now;
    this.recent[slot].push(speed);
    if (this.recent[slot].length > RECENT_MAX) {
      this.recent[slot].shift();
    }
    this.buffer.touch(slot);
    this.stillUntil = Math.max(this.stillUntil, data[at + ENDS]);
    if (walked > 1.5 && !jumps) {
      this.stepped(position.riderId, x, y, toRelX, toRelY, now, data[at + ENDS]);
    }
  }

  remove(id) {
    const slot = this.slots.get(id);
    if (slot === undefined) {
      return;
    }
    this.changes++;
    const last = this.size - 1;
    const stride = this.buffer.stride;
    this.buffer.data.copyWithin(slot * stride, last * stride, (last + 1) * stride);
    this.buffer.touch(slot);
    for (const list of [this.ids, this.latest, this.arrived, this.recent]) {
      list[slot] = list[last];
      list.pop();
    }
    this.slots.delete(id);
    if (slot < last) {
      this.slots.set(this.ids[slot], slot);
    }
  }

  clear() {
    this.changes++;
    this.slots.clear();
    this.ids.length = 0;
    this.latest.length = 0;
    this.arrived.length = 0;
    this.recent.length = 0;
    this.refused = 0;
  }

  /** Places the origin there; far from it, 32 bits would be too few. */
  moveOrigin(x, y) {
    const shiftX = this.origin[0] - x;
    const shiftY = this.origin[1] - y;
    this.origin = [x, y];
    const { data, stride } = this.buffer;
    for (let slot = 0; slot < this.size; slot++) {
      const position = this.latest[slot];
      const at = slot * stride;
      data[at + TO_X] = toX(position.lon) - x;
      data[at + TO_Y] = toY(position.lat) - y;
      data[at + FROM_X] += shiftX;
      data[at + FROM_Y] += shiftY;
    }
    this.buffer.touchAll();
    return [shiftX, shiftY];
  }

  /** Lets the clock begin anew; returns how many seconds that is. */
  moveClock() {
    const shift = this.clock();
    this.began += shift;
    this.stillUntil -= shift;
    const { data, stride } = this.buffer;
    for (let slot = 0; slot < this.size; slot++) {
      for (const time of [BEGINS, ENDS, SEEN]) {
        data[slot * stride + time] -= shift;
      }
      this.arrived[slot] -= shift;
    }
    this.buffer.touchAll();
    return shift;
  }

  /** Where a rider is shown at that time, relative to the origin. */
  relativeAt(slot, time) {
    const data = this.buffer.data;
    const at = slot * this.buffer.stride;
    const share = shareAt(data[at + BEGINS], data[at + ENDS], time);
    return [
      data[at + FROM_X] + (data[at + TO_X] - data[at + FROM_X]) * share,
      data[at + FROM_Y] + (data[at + TO_Y] - data[at + FROM_Y]) * share,
    ];
  }

  /** Where a rider is shown now, in the world's square; undefined when unknown. */
  shownAt(id) {
    const slot = this.slots.get(id);
    if (slot === undefined) {
      return undefined;
    }
    const [x, y] = this.relativeAt(slot, this.clock());
    return [x + this.origin[0], y + this.origin[1]];
  }

  headingAt(slot, time) {
    const data = this.buffer.data;
    const at = slot * this.buffer.stride;
    const from = data[at + FROM_HEADING];
    const to = data[at + TO_HEADING];
    if (from === NO_HEADING || to === NO_HEADING) {
      return to;
    }
    return from + (to - from) * shareAt(data[at + BEGINS], data[at + ENDS], time);
  }

  /** Who is shown nearest to a place of the world's square, not farther than `reach`. */
  nearest(x, y, reach, isShown) {
    const time = this.clock();
    let best = reach * reach;
    let found;
    for (let slot = 0; slot < this.size; slot++) {
      const [riderX, riderY] = this.relativeAt(slot, time);
      const dx = riderX + this.origin[0] - x;
      const dy = riderY + this.origin[1] - y;
      const square = dx * dx + dy * dy;
      if (square < best && isShown(slot)) {
        best = square;
        found = this.ids[slot];
      }
    }
    return found;
  }
}

function shareAt(begins, ends, time) {
  return ends > begins ? Math.max(0, Math.min(1, (time - begins) / (ends - begins))) : 1;
}

function headingOf(before, position, walked, speed) {
  if (position.bearing !== undefined) {
    return position.bearing;
  }
  if (speed < MOVING_FROM || walked < 4) {
    return NO_HEADING;
  }
  const dx = toX(position.lon) - toX(before.lon);
  const dy = toY(before.lat) - toY(position.lat);
  return ((Math.atan2(dx, dy) * 180) / Math.PI + 360) % 360;
}

/** The heading to turn to, written so that the way there is the short one. */
function turned(from, to) {
  if (from === NO_HEADING || to === NO_HEADING) {
    return to;
  }
  const difference = ((((to - from) % 360) + 540) % 360) - 180;
  return from + difference;
}
