// Server-sent events, taken in batches: one a frame, however many come.

/** A queue that grows past this is taken at once, also where no frames are drawn (a hidden tab). */
const QUEUE_MAX = 4096;
const SILENCE_MILLIS = 25_000;
const PATIENCE_MILLIS = 8_000;
const RETRY_MILLIS = [1_000, 2_000, 5_000, 10_000, 20_000];

export class Stream {
  /**
   * @param url where the events come from
   * @param isAlive asks the server something small; false when there is no session any more
   * @param handlers takes: onPosition, onLeft, onReset, onBatch (after each batch), onState
   */
  constructor(url, isAlive, handlers) {
    this.url = url;
    this.isAlive = isAlive;
    this.handlers = handlers;
    this.queue = [];
    this.scheduled = false;
    this.attempts = 0;
    this.heard = Date.now();
    this.state = "connecting";
    this.since = Date.now();
    this.watch = setInterval(() => this.listen(), 5_000);
    addEventListener("offline", () => this.lose());
    addEventListener("online", () => this.reopen());
    this.open();
  }

  open() {
    const source = new EventSource(this.url);
    this.source = source;
    source.onopen = () => {
      this.attempts = 0;
      this.heard = Date.now();
      this.become("live");
    };
    source.onmessage = (event) => this.put("position", event.data);
    for (const name of ["position", "left", "reset"]) {
      source.addEventListener(name, (event) => this.put(name, event.data));
    }
    source.onerror = () => {
      this.lose();
      if (source.readyState === EventSource.CLOSED) {
        this.ask();
      }
    };
  }

  close() {
    this.closed = true;
    clearInterval(this.watch);
    clearTimeout(this.retry);
    this.source.close();
  }

  /** Was refused for good, as far as the browser is concerned: finds out why, and tries again. */
  async ask() {
    const abort = new AbortController();
    let state = "lost";
    try {
      const answer = await fetch(this.url, { signal: abort.signal, headers: { Accept: "text/event-stream" } });
      state = { 200: "lost", 401: "denied", 403: "denied", 404: "off" }[answer.status] ?? "busy";
      this.status = answer.status;
    } catch {
      // Not reached: lost.
    }
    abort.abort();
    if (this.closed) {
      return;
    }
    this.become(state);
    if (state !== "denied") {
      const wait = RETRY_MILLIS[Math.min(this.attempts++, RETRY_MILLIS.length - 1)];
      this.retry = setTimeout(() => this.reopen(), wait * (0.75 + Math.random() / 2));
    }
  }

  reopen() {
    if (!this.closed) {
      clearTimeout(this.retry);
      this.source.close();
      this.open();
    }
  }

  /** A connection can die without a word: after a silence the server is asked. */
  async listen() {
    if (this.state !== "live" || Date.now() - this.heard < SILENCE_MILLIS || this.listening) {
      return;
    }
    this.listening = true;
    try {
      const alive = await this.isAlive(AbortSignal.timeout(PATIENCE_MILLIS));
      this.heard = Date.now();
      if (!alive) {
        this.become("denied");
      }
    } catch {
      this.lose();
      this.reopen();
    }
    this.listening = false;
  }

  lose() {
    if (this.state === "live") {
      this.become("lost");
      // What came last is how old the picture is.
      this.since = this.heard;
    } else if (this.state === "connecting") {
      this.become("lost");
    }
  }

  become(state) {
    if (state !== this.state) {
      const wasGone = this.state !== "live" && this.state !== "connecting";
      this.state = state;
      this.since = wasGone && state !== "live" ? this.since : Date.now();
      this.handlers.onState(state);
    }
  }

  put(name, data) {
    this.heard = Date.now();
    this.queue.push(name, data);
    if (this.queue.length > 2 * QUEUE_MAX) {
      this.flush();
    } else if (!this.scheduled) {
      this.scheduled = true;
      const flush = () => {
        this.scheduled = false;
        this.flush();
      };
      if (document.hidden) {
        setTimeout(flush, 1_000);
      } else {
        requestAnimationFrame(flush);
      }
    }
  }

  flush() {
    const queue = this.queue;
    this.queue = [];
    let positions = 0;
    for (let i = 0; i < queue.length; i += 2) {
      if (queue[i] === "reset") {
        this.handlers.onReset();
      } else if (queue[i] === "left") {
        this.handlers.onLeft(JSON.parse(queue[i + 1]).riderId);
      } else {
        this.handlers.onPosition(JSON.parse(queue[i + 1]));
        positions++;
      }
    }
    if (queue.length > 0) {
      this.handlers.onBatch(positions);
    }
  }
}
