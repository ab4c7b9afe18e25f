// Puts the page /ops together: the session, what the server tells, the panels and their one cursor.

import { find, put } from "./dom.js";
import { span } from "./format.js";
import { Feed, History } from "./ops-history.js";
import { drawLook, whatNeedsALook } from "./ops-look.js";
import { PANELS } from "./ops-panels.js";
import { Panel } from "./ops-panel.js";
import { RoutesTable } from "./ops-routes.js";
import { CONTENTS } from "./ops-tables.js";
import { drawTiles } from "./ops-tiles.js";
import { timeOfDay } from "./ops-units.js";
import "./ops-words.js";
import { askForKey, endSession } from "./session.js";
import { switchTheme } from "./theme.js";
import { currentLanguage, onLanguage, say, switchLanguage, translatePage } from "./words.js";

const MINUTE = 60_000;
/** Nothing newer for so many times the distance of samples: they stand still. */
const STALE = 4;
const NODES_MAX = 2;

const history = new History();
const feed = new Feed(history, heard);
const routes = new RoutesTable();
const contents = { ...CONTENTS, routes: (...now) => routes.draw(...now) };
let panels = [];
let minutes = 60;
let isHeld = false;
let isAsking = false;
let wasOpen = false;

const cursor = {
  moveTo(time) {
    isHeld = time !== null;
    point(time === null ? null : history.nearest(time));
  },
  step(by, words) {
    const last = history.times.length - 1;
    const at = Math.min(Math.max((isHeld ? this.index : last) + by, history.nearest(view().from)), last);
    isHeld = true;
    point(at);
    put(find("readout"), `${timeOfDay(history.times[at])}: ${words()}`);
  },
  index: null,
};
routes.onToggle = draw;

/** What the charts show: until now, also while nothing comes. */
function view() {
  const to = feed.state === "lost" ? Math.max(history.now, history.last) : history.last || history.now;
  return { times: history.times, everyMillis: history.everyMillis, marks: history.marks, from: to - minutes * MINUTE, to };
}

function point(index) {
  cursor.index = index;
  panels.forEach((panel) => panel.point(index));
  const text = find("cursor-time");
  text.hidden = index === null || index < 0;
  if (!text.hidden) {
    put(text, timeOfDay(history.times[index]));
  }
}

function build() {
  panels = PANELS.map((spec) => new Panel(spec, contents[spec.content], cursor));
  // What waits for a part that this server does not have yet has no panel.
  panels = panels.filter(({ spec }) => !spec.content || contents[spec.content]);
  find("panels").replaceChildren(...panels.map(({ element }) => element));
  for (const button of document.querySelectorAll(".ranges button")) {
    const count = Number(button.dataset.minutes);
    button.textContent = count === 60 ? say("opsHour") : say("opsMinutes", { count });
  }
}

function draw() {
  find("look").replaceChildren(...drawLook(history));
  const now = view();
  find("tiles").replaceChildren(...drawTiles(history, now));
  panels.forEach((panel) => panel.draw(history, now));
  if (isHeld && cursor.index !== null) {
    point(Math.min(cursor.index, history.times.length - 1));
  }
  tick();
}

// --- what comes in -------------------------------------------------------------------------------

function heard() {
  if (feed.state === "denied" || feed.state === "bound") {
    enter(feed.state === "bound" ? "opsKeyBound" : wasOpen ? "keyAgain" : "opsKeyText");
    return;
  }
  wasOpen ||= feed.state === "live";
  draw();
}

async function enter(text) {
  if (isAsking) {
    return;
  }
  isAsking = true;
  await askForKey(text);
  isAsking = false;
  feed.restart();
}

/** Once a second: whether what is shown is of now. */
function tick() {
  const age = history.last === 0 ? 0 : history.now - history.last;
  const isStale = feed.state === "live" && age > STALE * history.everyMillis;
  const state = isStale ? "stale" : feed.state;
  const since = history.last === 0 ? say("opsEver") : timeOfDay(history.last);
  const texts = {
    live: say(history.last === 0 ? "opsNoSamples" : "opsLive"),
    stale: say("opsStale", { time: since }),
    lost: say("opsLost", { time: span((Date.now() - feed.answered) / 1000) }),
  };
  find("status").className = `status ${state === "live" ? "live" : state === "connecting" ? "" : "lost"}`;
  put(find("status-text"), texts[state] ?? say("opsConnecting"));
  document.body.classList.toggle("old", state === "lost" || state === "stale");
  away(state, since);
  const version = history.latest?.version;
  const time = span((history.now - history.started) / 1000);
  put(find("server"), history.node === null ? "" : say("opsServer", { node: history.node, version, time }));
}

function away(state, since) {
  let text = "";
  if (state === "lost") {
    text = feed.reason ? say("opsRefusedText", { status: feed.reason, time: since }) : say("opsLostText", { time: since });
  } else if (state === "stale") {
    text = say("opsStaleText", { time: since });
  } else if (feed.otherNodes >= NODES_MAX) {
    text = say("opsNodes");
  }
  find("away").hidden = text === "";
  put(find("away"), text);
}

// --- what people do ------------------------------------------------------------------------------

for (const button of document.querySelectorAll(".ranges button")) {
  button.addEventListener("click", () => {
    minutes = Number(button.dataset.minutes);
    document.querySelectorAll(".ranges button").forEach((one) => one.setAttribute("aria-pressed", String(one === button)));
    draw();
  });
}
find("theme").addEventListener("click", switchTheme);
find("language").addEventListener("click", switchLanguage);
find("leave").addEventListener("click", async () => {
  await endSession();
  location.reload();
});

let resized = 0;
new ResizeObserver(() => {
  cancelAnimationFrame(resized);
  resized = requestAnimationFrame(draw);
}).observe(find("panels"));

onLanguage(() => {
  translatePage("opsTitle");
  find("language-name").textContent = say("languageName");
  find("language").lang = currentLanguage() === "ko" ? "en" : "ko";
  build();
  draw();
});
setInterval(tick, 1_000);
feed.again();

/** For tests and for the curious: what the page shows, in numbers. */
window.gilmok = {
  state: () => feed.state,
  samples: () => history.times.length,
  last: () => history.last,
  lines: () => [...history.lines.keys()],
  values: (line) => history.values(line) ?? null,
  marks: () => history.marks.map(({ what }) => what),
  needed: () => whatNeedsALook(history).map(({ title }) => title),
};
