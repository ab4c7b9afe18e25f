// Puts the page together: session, stream, fleet, map, and what people do with them.

import { addBackground } from "./background.js";
import { AreaSearch } from "./draw.js";
import { Card } from "./card.js";
import { Commands } from "./commands.js";
import { Days } from "./day.js";
import { OpenDeliveries } from "./deliveries.js";
import { find } from "./dom.js";
import { Fleet, RIDERS_MAX } from "./fleet.js";
import { kmh, age, number } from "./format.js";
import { toLat, toLon, toX, toY } from "./geo.js";
import { Grid } from "./grid.js";
import { Groups } from "./groups.js";
import { RidersLayer, radiusAt } from "./layer.js";
import { FleetList } from "./list.js";
import { createMap, isPlaced, showAll } from "./map.js";
import { mayHandlePhones, openPhones } from "./phones.js";
import { Search } from "./search.js";
import { askForKey, currentSession, endSession, may, seesRiders } from "./session.js";
import { Status } from "./status.js";
import { Stops } from "./stops.js";
import { Stream } from "./stream.js";
import { isDark, onTheme, switchTheme } from "./theme.js";
import { TrailsLayer } from "./trails.js";
import { currentLanguage, onLanguage, say, switchLanguage, translatePage } from "./words.js";

/** Farther from the origin than this (of the world's side), 32 bits would begin to show. */
const ORIGIN_REACH = 0.002;
const CLOCK_REACH = 10_000;
const PICK_PIXELS = 14;
const FIRST_SECONDS = 2;
const SKEW_STEP_MILLIS = 1_500;

const fleet = new Fleet();
const trails = new TrailsLayer(fleet);
const riders = new RidersLayer(fleet);
const wasPlaced = isPlaced();
const map = createMap();
const grid = new Grid(map);
const status = new Status((shown) => {
  riders.shown = list.shown = shown;
  list.refresh(true);
  map.triggerRepaint();
});
const deliveries = new OpenDeliveries(fleet, new Stops(map), showDelivery);
const commands = new Commands(fleet);
const days = new Days(map, showPast);
const card = new Card(fleet, () => choose(null), (isFollowed) => isFollowed && follow(), (id) => days.open(id), [deliveries, commands]);
const groups = new Groups(fleet);
const list = new FleetList(fleet, groups, (id) => choose(id, id !== null));
const search = new Search(fleet, (id) => choose(id, true), (position) => fleet.take(position));
const areas = new AreaSearch(map, fleet, (id) => choose(id, true), () => choose(null));
let session = null;
let stream = null;
let fitsUntil = wasPlaced ? 0 : Infinity;

function choose(id, fly = false) {
  riders.chosen = id;
  trails.choose(id);
  areas.chosen = list.chosen = id;
  card.show(id);
  areas.update();
  list.render();
  if (days.isOpen && id !== null) {
    days.turnTo(id);
  }
  const place = id === null || days.isOpen ? undefined : fleet.shownAt(id);
  fitsUntil = id === null ? fitsUntil : 0;
  if (fly && place) {
    const zoom = Math.max(map.getZoom(), 14.5);
    map.flyTo({ center: centreFor(place, zoom), zoom, speed: 1.6 });
  }
  map.triggerRepaint();
}

/** Days are shown in place of where everyone is now. */
function showPast(isPast) {
  document.body.classList.toggle("past", isPast);
  riders.isHidden = trails.isHidden = isPast;
  if (isPast && areas.kind) {
    areas.close();
  }
  if (isPast) {
    fitsUntil = 0;
    card.follow(false);
    pointAt(undefined);
  }
  map.triggerRepaint();
}

/** Brings a delivery's shop and door into sight, with the rider between them. */
function showDelivery({ pickup, dropoff, riderId }) {
  const place = fleet.shownAt(riderId);
  card.follow(false);
  showAll(map, [pickup, dropoff, ...(place ? [{ lon: toLon(place[0]), lat: toLat(place[1]) }] : [])]);
}

/** The map's centre that has a place in the middle of what no panel covers. */
function centreFor([x, y], zoom) {
  const [right, down] = innerWidth <= 760 ? [0, -0.2 * innerHeight] : [150, 0];
  const side = 512 * 2 ** zoom;
  return [toLon(x - right / side), toLat(y - down / side)];
}

function follow() {
  const place = card.isFollowed && riders.chosen !== null ? fleet.shownAt(riders.chosen) : undefined;
  if (place && !map.isZooming()) {
    map.setCenter(centreFor(place, map.getZoom()));
  }
  if (place) {
    requestAnimationFrame(follow);
  }
}

function fitAll(animate = true) {
  showAll(map, fleet.latest, animate);
}

/** Shows everyone while the first of them come in, unless somebody has begun to look around. */
function fitFirst() {
  if (fleet.size > 0 && fleet.clock() < fitsUntil) {
    fitsUntil = Math.min(fitsUntil, fleet.clock() + FIRST_SECONDS);
    fitAll(false);
  }
}

// --- what comes in -------------------------------------------------------------------------------

async function enter(wasOpen) {
  let text = wasOpen ? "keyAgain" : "keyText";
  for (;;) {
    try {
      session = await currentSession();
      if (session && seesRiders(session)) {
        break;
      }
      if (session) {
        text = "keyBound";
        await endSession();
      }
      await askForKey(text);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }
  takeSkew(session);
  offer();
  listen();
  days.read(wasPlaced);
}

/** The page offers what its key may do, and nothing else. */
function offer() {
  const isOfOne = "rider" in session;
  find("area-tools").hidden = isOfOne;
  find("ops").hidden = !may(session, "read");
  find("phones").hidden = !mayHandlePhones(session);
  list.offer(!isOfOne);
  days.bound = session.rider ?? null;
  groups.restart(mayHandlePhones(session));
  commands.mayTell = mayHandlePhones(session);
}

function listen() {
  stream?.close();
  const query = session.rider ? `?rider=${encodeURIComponent(session.rider)}` : "";
  stream = new Stream(`/v1/stream/positions${query}`, isAlive, {
    onPosition: (position) => fleet.take(position),
    onLeft: (id) => fleet.remove(id),
    onReset: () => {
      fleet.clear();
      trails.clear();
    },
    onBatch: (positions) => {
      status.took(positions);
      fitFirst();
      card.update();
      map.triggerRepaint();
    },
    onState: (state) => {
      tick();
      if (state === "denied") {
        stream.close();
        enter(true);
      }
    },
  });
}

async function isAlive(signal) {
  const now = await currentSession(signal);
  if (now) {
    takeSkew(now);
  }
  return now !== null;
}

/** A difference that the trip itself may have made is not taken for one. */
function takeSkew({ skewMillis, tripMillis }) {
  const skew = Math.abs(skewMillis) <= Math.max(SKEW_STEP_MILLIS, tripMillis) ? 0 : skewMillis;
  if (Math.abs(skew - fleet.skewMillis) > SKEW_STEP_MILLIS) {
    fleet.setSkew(skew);
  }
}

function tick() {
  status.tick(fleet.counts(), stream, fleet.skewMillis);
  status.notice("tooMany", fleet.refused > 0 ? say("tooMany", { count: number(RIDERS_MAX) }) : null);
  card.update();
  commands.update();
  areas.update();
  list.refresh();
  map.triggerRepaint();
}

/** Before each frame: keeps the numbers small that the card gets. */
riders.beforeFrame = trails.beforeFrame = () => {
  const centre = map.getCenter();
  const [x, y] = [toX(centre.lng), toY(centre.lat)];
  if (Math.hypot(x - fleet.origin[0], y - fleet.origin[1]) > ORIGIN_REACH) {
    trails.shift(...fleet.moveOrigin(x, y), 0);
  }
  if (fleet.clock() > CLOCK_REACH) {
    trails.shift(0, 0, fleet.moveClock());
  }
};

// --- what people do ------------------------------------------------------------------------------

function riderAt(point) {
  const place = map.unproject(point);
  const pixels = Math.max(PICK_PIXELS, radiusAt(map.getZoom()) + 6);
  return fleet.nearest(toX(place.lng), toY(place.lat), pixels / (512 * 2 ** map.getZoom()), (slot) => riders.shown[fleet.stateOf(slot)]);
}

map.on("click", (event) => (days.isOpen ? days.pick(event.point) : choose(riderAt(event.point) ?? null)));
map.on("dragstart", () => card.follow(false));
for (const gesture of ["mousedown", "touchstart", "wheel"]) {
  map.on(gesture, () => (fitsUntil = 0));
}
addEventListener("hashchange", () => {
  fitsUntil = 0;
  if (session) {
    days.read(isPlaced());
  }
});
let pointed = false;
map.on("mousemove", (event) => {
  if (pointed || days.isOpen) {
    return;
  }
  pointed = true;
  requestAnimationFrame(() => {
    pointed = false;
    pointAt(riderAt(event.point), event.point);
  });
});
map.on("mouseout", () => pointAt(undefined));

function pointAt(id, point) {
  const tip = find("tip");
  find("map").classList.toggle("pointing", id !== undefined);
  tip.hidden = id === undefined;
  if (id !== undefined) {
    const position = fleet.position(id);
    const name = document.createElement("b");
    name.textContent = id;
    const words = document.createElement("span");
    words.textContent = `${position.speed === undefined ? "" : `${kmh(position.speed)} km/h · `}${age(fleet.age(position))}`;
    tip.replaceChildren(name, words);
    const x = Math.min(point.x + 14, innerWidth - tip.offsetWidth - 8);
    tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(point.y - 36)}px)`;
  }
}

const actions = {
  "zoom-in": () => map.zoomIn(),
  "zoom-out": () => map.zoomOut(),
  fit: () => fitAll(),
  theme: switchTheme,
  language: switchLanguage,
  phones: () => openPhones(riders.chosen),
  leave: async () => {
    stream?.close();
    await endSession();
    location.reload();
  },
};
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("search").focus();
});
for (const [id, action] of Object.entries(actions)) {
  find(id).addEventListener("click", action);
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !areas.kind && !event.target.closest("dialog, #search-form")) {
    if (days.isOpen) {
      days.close();
      (document.getElementById("card-day") ?? map.getCanvas()).focus();
    } else {
      choose(null);
    }
  }
  const isTyped = event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog");
  if (event.code === "KeyD" && !isTyped && riders.chosen !== null && !days.isOpen) {
    event.preventDefault();
    days.open(riders.chosen);
  }
});

onLanguage(() => {
  translatePage();
  find("language-name").textContent = say("languageName");
  find("language").lang = currentLanguage() === "ko" ? "en" : "ko";
  map.getCanvas().setAttribute("aria-label", say("map"));
  grid.draw();
  card.say();
  areas.build();
  list.build();
  days.build();
  tick();
});
onTheme(() => {
  grid.draw();
  map.triggerRepaint();
});

map.on("load", () => {
  map.addLayer(trails);
  map.addLayer(riders);
  map.addLayer(days.layer);
  addBackground(map, { isDark, onTheme }, "trails", (isUnreached) => {
    grid.hasTiles = !isUnreached;
    grid.draw();
    status.notice("tiles", isUnreached ? say("noTiles") : null);
  });
  setInterval(tick, 1_000);
  enter(false);
});

/**
 * For tests and for the curious: what the page shows, in numbers. `riders()` lists everyone with the
 * newest position and with the place where they are drawn at this moment.
 */
window.gilmok = {
  riders: () =>
    fleet.ids.map((id) => {
      const [x, y] = fleet.shownAt(id);
      const { lat, lon } = fleet.position(id);
      const { x: left, y: top } = map.project([toLon(x), toLat(y)]);
      return { id, lat, lon, state: fleet.state(id), shown: { lat: toLat(y), lon: toLon(x), left, top } };
    }),
  chosen: () => riders.chosen,
  days: () => days.lanes.map(({ track, time, place }) => ({ rider: track.rider, date: track.date, isLoading: track.isLoading, positions: track.size, time, place })),
  lines: () => days.layer.count,
  pixel: (lat, lon) => [map.project([lon, lat]).x, map.project([lon, lat]).y],
  trail: () => trails.chosenLength,
  connection: () => stream?.state ?? "none",
  camera: () => ({ lat: map.getCenter().lat, lon: map.getCenter().lng, zoom: map.getZoom(), isMoving: map.isMoving() }),
};
