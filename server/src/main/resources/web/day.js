// The panel of days: a rider's day with a time slider, or two beside each other. The address keeps
// what is shown, so that it can be sent to somebody.

import { readDays, writeDays } from "./day-address.js";
import { DayAxis } from "./day-axis.js";
import { DayLane } from "./day-lane.js";
import { DayLayer } from "./day-layer.js";
import { DayMarks } from "./day-marks.js";
import { Playing, untilKnown } from "./day-play.js";
import { clock, dateOf, plusDays } from "./day-time.js";
import { closeButton, find, make, makeSvg, put } from "./dom.js";
import { distance } from "./geo.js";
import { showAll } from "./map.js";
import { say } from "./words.js";

const HOUR_MILLIS = 3_600_000;
const DAY_MILLIS = 24 * HOUR_MILLIS;
const TINTS = ["day-0", "day-1"];

/** How many seconds of a day a second shows. */
const RATES = [60, 300, 1200];
const STEP_MILLIS = 10_000;
const FINE_MILLIS = 1_000;
const PAGE_MILLIS = 600_000;

const PICK_PIXELS = 16;

/** Of so many places the map is fitted to. */
const FITTED_MAX = 500;
const PLAY = "M8 5.5v13l10.5-6.5z";
const PAUSE = "M7 5.5h3.4v13H7zM13.6 5.5H17v13h-3.4z";

export class Days {
  /**
   * @param map where the lines are drawn
   * @param onOpened is told whether days are shown, in place of what is now
   */
  constructor(map, onOpened) {
    this.map = map;
    this.onOpened = onOpened;
    this.section = find("day");
    this.layer = new DayLayer();
    this.marks = new DayMarks(map);
    this.lanes = [];
    this.isCoupled = true;
    this.playing = new Playing((millis) => this.advance(millis * this.rate));
    this.rate = RATES[1];
    /** The one rider that the key is bound to; null for any. */
    this.bound = null;
    this.make();
  }

  make() {
    this.play = make("button", { type: "button", id: "day-play", class: "day-play", onclick: () => this.playOrPause() });
    this.clock = make("span", { id: "day-clock" });
    this.speed = make("select", { onchange: () => (this.rate = Number(this.speed.value)) });
    this.couple = make("button", { type: "button", id: "day-couple", class: "button", onclick: () => this.setCoupled(!this.isCoupled) });
    this.beside = make("button", { type: "button", id: "day-beside", class: "button", onclick: () => (this.lanes.length > 1 ? this.takeAway() : this.addBeside()) });
    this.end = make("span", {});
    this.rows = make("div", { class: "day-rows" });
    this.axis = new DayAxis();
    this.columns = make("div", { class: "day-columns" });
    const head = make("header", {}, this.play, this.clock, this.speed, make("span", { class: "day-gap" }), this.couple, this.beside, this.end);
    this.section.append(head, this.rows, this.axis.element, this.columns);
    this.section.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.showAxis()).observe(this.section);
  }

  get isOpen() {
    return this.lanes.length > 0;
  }

  /** Makes what has words anew. */
  build() {
    this.speed.replaceChildren(...RATES.map((rate) => make("option", { value: rate, selected: rate === this.rate }, say("dayRate", { minutes: rate / 60 }))));
    this.speed.setAttribute("aria-label", say("dayRateHint"));
    this.couple.title = say("dayCoupleHint");
    put(this.couple, say("dayCouple"));
    this.end.replaceChildren(closeButton(say("close"), () => this.close()));
    this.lanes.forEach((lane) => lane.build());
    this.showHead();
    this.show();
  }

  // --- which days ----------------------------------------------------------------------------------

  /** Opens the panel with a rider's day; today without a date. */
  open(rider, date = dateOf(Date.now())) {
    this.close();
    this.add(rider, date);
    this.follow();
    this.write();
    this.lanes[0].strip.slider.focus({ preventScroll: true });
  }

  /** Another rider in place of the first. */
  turnTo(rider) {
    const [lane] = this.lanes;
    if (lane.track.rider !== rider) {
      lane.load(rider, lane.track.date);
      this.follow();
      this.write();
    }
  }

  close() {
    this.pause();
    this.lanes.forEach((lane) => lane.track.stop());
    this.lanes = [];
    this.isCoupled = true;
    this.section.hidden = true;
    this.rows.replaceChildren();
    this.columns.replaceChildren();
    this.onOpened(false);
    this.show();
    this.write();
  }

  add(rider, date) {
    const lane = new DayLane(TINTS[this.lanes.length], this.bound !== null, {
      onChange: () => this.changed(),
      onMoved: (moved, millis) => this.moveTo(moved, millis),
      onSettled: () => this.write(),
      onFound: (found, millis, place) => this.find(found, millis, place),
      onAsked: () => {
        this.follow();
        this.write();
      },
    });
    lane.build();
    this.lanes.push(lane);
    this.rows.append(lane.element);
    this.columns.append(lane.column);
    this.section.hidden = false;
    this.onOpened(true);
    this.showHead();
    lane.load(rider, date);
  }

  /** The day before, as a beginning: who and when can be changed. */
  addBeside() {
    const { rider, date } = this.lanes[0].track;
    this.add(rider, plusDays(date, -1));
    this.follow();
    this.write();
    this.lanes[1].rider.focus();
  }

  takeAway() {
    const gone = this.lanes.pop();
    gone.track.stop();
    gone.element.remove();
    gone.column.remove();
    this.isCoupled = true;
    this.showHead();
    this.changed();
    this.write();
    this.beside.focus();
  }

  /** Until somebody chooses a time, all of a day is shown as ridden; the map is fitted once it is there. */
  follow() {
    this.isFollowing = true;
    this.isUnfitted = true;
  }

  changed() {
    if (this.isFollowing) {
      this.moveAll(this.until());
    }
    this.show();
    if (this.isUnfitted && this.lanes.every(({ track }) => !track.isLoading)) {
      this.isUnfitted = false;
      this.fit();
    }
  }

  fit() {
    const places = this.lanes.flatMap(({ track }) => {
      const step = Math.max(1, Math.floor(track.size / FITTED_MAX));
      return Array.from({ length: Math.ceil(track.size / step) }, (_, i) => ({ lat: track.lats[i * step], lon: track.lons[i * step] }));
    });
    showAll(this.map, places, true, this.section.offsetHeight);
  }

  // --- which time ----------------------------------------------------------------------------------

  /** The axis, in milliseconds since midnight: the hours in which anything is. */
  span() {
    const known = this.lanes.filter(({ track }) => !track.isEmpty);
    if (known.length === 0) {
      return [0, DAY_MILLIS];
    }
    const first = Math.min(...known.map(({ track }) => track.millis[0] - track.begin));
    const last = Math.max(...known.map(({ track }) => track.millis[track.size - 1] - track.begin));
    return [Math.floor(first / HOUR_MILLIS) * HOUR_MILLIS, Math.max(Math.ceil(last / HOUR_MILLIS), Math.floor(first / HOUR_MILLIS) + 1) * HOUR_MILLIS];
  }

  /** When the last of the days ends, in milliseconds since midnight. */
  until() {
    return Math.max(0, ...this.lanes.filter(({ track }) => !track.isEmpty).map(({ track }) => track.millis[track.size - 1] - track.begin));
  }

  /** Somebody moves a lane's slider; the other one goes along. */
  moveTo(lane, millis) {
    this.isFollowing = false;
    const since = millis - lane.track.begin;
    if (this.isCoupled) {
      this.moveAll(since);
    } else {
      lane.at(millis);
    }
    this.showTime();
  }

  moveAll(since) {
    this.lanes.forEach((lane) => lane.at(lane.track.begin + since));
  }

  setCoupled(isCoupled) {
    this.isCoupled = isCoupled;
    if (isCoupled) {
      const [first] = this.lanes;
      this.moveTo(first, first.time);
    }
    this.showHead();
    this.write();
  }

  find(lane, millis, place) {
    this.moveTo(lane, millis);
    this.write();
    const { x, y } = this.map.project([place.lon, place.lat]);
    const { clientWidth, clientHeight } = this.map.getCanvas();
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight - this.section.offsetHeight) {
      this.map.panTo([place.lon, place.lat], { offset: [0, -this.section.offsetHeight / 2] });
    }
  }

  /** Somebody points at the map: to when the rider was nearest to there. */
  pick(point) {
    const { lng, lat } = this.map.unproject(point);
    const edge = this.map.unproject([point.x + PICK_PIXELS, point.y]);
    let near = distance(lat, lng, edge.lat, edge.lng);
    let found = null;
    for (const lane of this.lanes) {
      const { lats, lons, millis, size } = lane.track;
      for (let i = 0; i < size; i++) {
        const far = distance(lat, lng, lats[i], lons[i]);
        if (far < near) {
          [near, found] = [far, { lane, millis: millis[i] }];
        }
      }
    }
    if (found) {
      this.moveTo(found.lane, found.millis);
      this.write();
    }
  }

  key(event) {
    const lane = this.lanes.find(({ strip }) => strip.slider === event.target);
    if (!lane || lane.track.isEmpty || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { track } = lane;
    const step = event.shiftKey ? FINE_MILLIS : STEP_MILLIS;
    const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: PAGE_MILLIS, PageDown: -PAGE_MILLIS }[event.key];
    const to = { Home: track.millis[0], End: track.millis[track.size - 1] }[event.key] ?? (by && lane.time + by);
    if (event.key === " ") {
      event.preventDefault();
      this.playOrPause();
    } else if (to !== undefined) {
      event.preventDefault();
      const [from, until] = this.span();
      this.moveTo(lane, Math.max(track.begin + from, Math.min(track.begin + until, to)));
      this.write();
    }
  }

  // --- playing -------------------------------------------------------------------------------------

  playOrPause() {
    if (this.playing.isOn) {
      this.pause();
      this.write();
    } else if (this.lanes.some(({ track }) => !track.isEmpty)) {
      if (this.isOver) {
        this.moveAll(this.span()[0]);
      }
      this.isFollowing = false;
      this.playing.begin();
      this.showHead();
    }
  }

  pause() {
    this.playing.end();
    this.showHead();
  }

  get isOver() {
    return this.lanes.every((lane) => lane.time - lane.track.begin >= this.until());
  }

  /** Goes on, over what nobody knows to the next position. */
  advance(millis) {
    const ahead = Math.min(...this.lanes.map((lane) => untilKnown(lane)));
    const by = Number.isFinite(ahead) ? Math.max(millis, ahead) : millis;
    const last = this.until();
    this.lanes.forEach((lane) => lane.at(Math.min(lane.time + by, lane.track.begin + last)));
    if (this.isOver) {
      this.pause();
      this.write();
    }
    this.showTime();
  }

  // --- what is seen --------------------------------------------------------------------------------

  show() {
    const [from, to] = this.span();
    const isAlone = this.lanes.length === 1;
    this.section.classList.toggle("alone", isAlone);
    this.lanes.forEach((lane) => lane.show(from, to));
    this.layer.show(this.lanes.map(({ track, tint, time }) => ({ track, colour: isAlone ? "speed" : tint, time })));
    this.marks.show(this.lanes);
    this.showAxis();
    this.showTime();
  }

  showHead() {
    const path = makeSvg("path", { class: "fill", d: this.playing.isOn ? PAUSE : PLAY });
    this.play.replaceChildren(makeSvg("svg", { viewBox: "0 0 24 24" }, path));
    this.play.title = say(this.playing.isOn ? "dayPause" : "dayPlay");
    this.play.setAttribute("aria-label", this.play.title);
    this.couple.hidden = this.lanes.length < 2;
    this.couple.setAttribute("aria-pressed", String(this.isCoupled));
    put(this.beside, say(this.lanes.length > 1 ? "dayAlone" : "dayBeside"));
  }

  showAxis() {
    if (this.isOpen) {
      const [from, to] = this.span();
      this.axis.show(this.lanes[0].track.begin, from, to);
    }
  }

  showTime() {
    const times = this.lanes.map(({ time }) => clock(time));
    put(this.clock, this.isCoupled ? (times[0] ?? "") : times.join(" · "));
    this.layer.at(this.lanes.map(({ time }) => time));
    this.marks.at(this.lanes.map(({ time, place }) => ({ time, place })));
  }

  // --- the address ---------------------------------------------------------------------------------

  /** Writes what is shown into the address. */
  write() {
    const said = this.isCoupled ? this.lanes.slice(0, 1) : this.lanes;
    writeDays(this.lanes.map(({ track }) => track), this.isFollowing ? [] : said.map(({ time }) => clock(time)));
  }

  /** Shows what the address says, if it says other days than are shown. */
  read(isPlaced) {
    const { days, times } = readDays();
    const names = (all) => all.map(({ date, rider }) => `${date}.${rider}`).join("\n");
    if (names(days) === names(this.lanes.map(({ track }) => track))) {
      this.goTo(times);
      return;
    }
    this.close();
    days.forEach(({ date, rider }) => this.add(rider, date));
    if (this.isOpen) {
      this.follow();
      this.isUnfitted = !isPlaced;
      this.goTo(times);
      this.write();
    }
  }

  /** To times of day, one for all or one for each. */
  goTo(times) {
    if (times.length > 0) {
      this.isFollowing = false;
      this.isCoupled = times.length < this.lanes.length || this.lanes.length === 1;
      this.lanes.forEach((lane, i) => {
        const [hour, minute, second] = (times[i] ?? times[0]).split(":").map(Number);
        lane.at(lane.track.begin + ((hour * 60 + minute) * 60 + second) * 1000);
      });
      this.showHead();
      this.show();
    }
  }
}
