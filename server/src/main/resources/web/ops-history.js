// The last hour as the server told it, and the asking for more: every five seconds while somebody
// looks, less often while nothing answers, and at once when it may be back.

const KEPT_MILLIS = 3_600_000;
const ASK_MILLIS = 5_000;
const PATIENCE_MILLIS = 10_000;
const PAUSE_MILLIS_MAX = 30_000;
/** A sample is there by then. */
const LATE_MILLIS = 400;

/** Samples with their times; a number that is not there is null. */
export class History {
  constructor() {
    this.clear();
  }

  clear() {
    this.node = null;
    this.started = 0;
    this.everyMillis = ASK_MILLIS;
    this.times = [];
    this.lines = new Map();
    this.marks = [];
    this.routes = new Map();
    this.bounds = [];
    this.latest = null;
    this.skewMillis = 0;
  }

  /** The newest sample's time; 0 when there is none. */
  get last() {
    return this.times.at(-1) ?? 0;
  }

  /** The server's time now, as far as it is known. */
  get now() {
    return Date.now() + this.skewMillis;
  }

  take(answer) {
    this.node = answer.node;
    this.started = answer.started;
    this.everyMillis = answer.everyMillis;
    this.skewMillis = answer.now - Date.now();
    this.latest = answer;
    this.takeSamples(answer);
    for (const mark of answer.marks) {
      if (!this.marks.some(({ at, what }) => at === mark.at && what === mark.what)) {
        this.marks.push(mark);
      }
    }
    this.bounds = answer.routes.bounds;
    for (const { method, route, minutes } of answer.routes.items) {
      const name = `${method} ${route}`;
      const known = this.routes.get(name) ?? { method, route, minutes: new Map() };
      this.routes.set(name, known);
      for (const [minute, faults, ...counts] of minutes) {
        known.minutes.set(minute, { faults, counts });
      }
    }
    this.forget(answer.now - KEPT_MILLIS - 60_000);
  }

  takeSamples({ times, lines }) {
    const fresh = times.findIndex((time) => time > this.last);
    if (fresh < 0) {
      return;
    }
    const before = this.times.length;
    this.times.push(...times.slice(fresh));
    for (const name of Object.keys(lines)) {
      if (!this.lines.has(name)) {
        this.lines.set(name, new Array(before).fill(null));
      }
    }
    for (const [name, values] of this.lines) {
      values.push(...(lines[name]?.slice(fresh) ?? new Array(this.times.length - before).fill(null)));
    }
  }

  forget(oldest) {
    const old = this.times.findIndex((time) => time >= oldest);
    if (old > 0) {
      this.times.splice(0, old);
      this.lines.forEach((values) => values.splice(0, old));
    }
    this.marks = this.marks.filter(({ at }) => at >= oldest).sort((a, b) => a.at - b.at);
    for (const { minutes } of this.routes.values()) {
      for (const minute of minutes.keys()) {
        if ((minute + 1) * 60_000 < oldest) {
          minutes.delete(minute);
        }
      }
    }
  }

  /** The names of the lines of one metric that are told apart by a label: their labels' values. */
  split(name) {
    return [...this.lines.keys()].filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1));
  }

  /** A line's values; undefined when the server has no such metric. */
  values(name) {
    return this.lines.get(name);
  }

  /** The index of the sample nearest to a time; -1 when there is none. */
  nearest(time) {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && time - this.times[low - 1] < this.times[low] - time ? low - 1 : Math.min(low, this.times.length - 1);
  }

  /** The mean of a line's values since then; null when there is none. */
  mean(name, sinceMillis) {
    let [sum, count] = [0, 0];
    const values = this.lines.get(name) ?? [];
    for (let i = values.length - 1; i >= 0 && this.times[i] > sinceMillis; i--) {
      if (values[i] !== null) {
        sum += values[i];
        count++;
      }
    }
    return count === 0 ? null : sum / count;
  }

  /** A line's newest value; null when the newest sample has none. */
  newest(name) {
    return this.lines.get(name)?.at(-1) ?? null;
  }
}

/** Asks the server for what is new. Its state is `connecting`, `live`, `lost`, `denied` or `bound`. */
export class Feed {
  /** @param onChange called after each answer, and after each failure */
  constructor(history, onChange) {
    this.history = history;
    this.onChange = onChange;
    this.state = "connecting";
    this.reason = "";
    this.answered = Date.now();
    this.failures = 0;
    this.otherNodes = 0;
    this.timer = null;
    this.isAsking = false;
    document.addEventListener("visibilitychange", () => this.again());
    addEventListener("online", () => this.again());
  }

  /** Asks at once, unless nobody looks, or a key is needed first. */
  again() {
    clearTimeout(this.timer);
    if (document.visibilityState === "visible" && this.state !== "denied" && this.state !== "bound" && !this.isAsking) {
      this.ask();
    }
  }

  /** There is a session now: goes on. */
  restart() {
    this.state = "connecting";
    this.again();
  }

  async ask() {
    this.isAsking = true;
    try {
      await this.askOnce();
    } catch {
      this.failed("");
    }
    this.isAsking = false;
    this.onChange();
    if (this.state === "live" || this.state === "lost") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.again(), this.pause());
    }
  }

  async askOnce() {
    const answer = await fetch(`/v1/ops?since=${this.history.last}`, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MILLIS),
    });
    if (answer.status === 401) {
      this.state = "denied";
    } else if (answer.status === 403) {
      this.state = "bound";
    } else if (!answer.ok) {
      this.failed(String(answer.status));
    } else {
      this.take(await answer.json());
    }
  }

  take(answer) {
    if (this.history.node !== null && this.history.node !== answer.node) {
      this.otherNodes++;
      this.history.clear();
    } else {
      this.history.take(answer);
    }
    this.state = "live";
    this.failures = 0;
    this.answered = Date.now();
  }

  failed(reason) {
    this.state = "lost";
    this.reason = reason;
    this.failures++;
  }

  /** Until the next sample is there; after failures longer and longer, not all pages at once. */
  pause() {
    if (this.failures > 0) {
      return Math.min(PAUSE_MILLIS_MAX, 1_000 * 2 ** this.failures) * (0.75 + Math.random() / 2);
    }
    const { last, now, everyMillis } = this.history;
    const due = last === 0 ? 0 : last + everyMillis + LATE_MILLIS - now;
    return Math.min(Math.max(due, 1_000), everyMillis);
  }
}
