// The customer's page: asks its own address for what there is to see, and shows that.

import { addBackground } from "./background.js";
import * as maplibregl from "./maplibre-gl.mjs";
import { make } from "./dom.js";
import { Way } from "./way.js";

const ASK_MILLIS = 10_000;
const OLD_MILLIS = 90_000;
const isKorean = navigator.language.toLowerCase().startsWith("ko");
const say = (english, korean) => (isKorean ? korean : english);

const STATES = {
  ordered: say("Your order is waiting to be accepted", "접수를 기다리고 있습니다"),
  preparing: say("Your order is being prepared", "주문을 준비하고 있습니다"),
  coming: say("Your order is on its way", "배달 중입니다"),
  delivered: say("Your order has been delivered", "배달이 완료되었습니다"),
  ended: say("This order will not be delivered", "취소되었거나 배달할 수 없게 된 주문입니다"),
  gone: say("This link is no longer valid", "더 이상 유효하지 않은 링크입니다"),
};

const STEPS = {
  ordered: ["Ordered", "주문"],
  accepted: ["Accepted", "접수"],
  picked_up: ["Picked up", "출발"],
  delivered: ["Delivered", "완료"],
};

const [shop, door, rider] = [["Shop", "가게"], ["Door", "도착지"], ["The rider", "라이더"]].map((word) => say(...word));

const HELP = {
  gone: say("If you still wait for your order, ask the shop for a new link.", "아직 주문을 기다리고 있다면 가게에 새 링크를 요청해 주세요."),
  ended: say("If you did not expect that, call the shop.", "예상하지 못한 일이라면 가게에 문의해 주세요."),
  delivered: say("Not there? Look around your door, then call the shop.", "받지 못했다면 문 앞을 확인한 뒤 가게에 문의해 주세요."),
  late: say("It takes longer than planned. Call the shop if you want to know more: it sees where your order is.", "예정보다 늦어지고 있습니다. 궁금하시면 가게에 문의해 주세요. 가게에서 주문 위치를 확인할 수 있습니다."),
  unseen: say("The rider's phone has not been heard for some minutes, as in a building or a tunnel. This page goes on by itself; if nothing comes, call the shop.", "몇 분째 라이더의 위치를 받지 못하고 있습니다 (건물이나 터널 안일 수 있음). 화면은 자동으로 갱신됩니다. 계속 받지 못하면 가게에 문의해 주세요."),
};

const system = matchMedia("(prefers-color-scheme: dark)");
const SYSTEM_THEME = {
  isDark: () => system.matches,
  onTheme: (listener) => {
    listener();
    system.addEventListener("change", listener);
  },
};

const find = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(isKorean ? "ko" : undefined, { hour: "numeric", minute: "2-digit" });
let map = null;
let way = null;
let firstLatest = null;
let timer = 0;

document.documentElement.lang = isKorean ? "ko" : "en";
find("steps").setAttribute("aria-label", say("What is done", "진행 상황"));

function text(id, value) {
  find(id).hidden = !value;
  find(id).textContent = value ?? "";
}

async function ask() {
  clearTimeout(timer);
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (answer.status === 404 || answer.status === 410) {
      show({ state: "gone" });
      return;
    }
    if (!answer.ok) {
      throw new Error(`status ${answer.status}`);
    }
    const sight = await answer.json();
    text("stale", "");
    show(sight, Date.parse(answer.headers.get("Date")) || Date.now());
    if (sight.state === "delivered" || sight.state === "ended") {
      return;
    }
  } catch {
    find("card").classList.remove("waiting");
    text("stale", say("Not up to date: the server cannot be reached.", "서버에 연결할 수 없어 최신 정보가 아닙니다."));
  }
  if (!document.hidden) {
    timer = setTimeout(ask, ASK_MILLIS);
  }
}

function show(sight, now) {
  const isAccepted = sight.state !== "preparing" || (sight.steps ?? []).some(({ step }) => step === "accepted");
  const state = STATES[isAccepted ? sight.state : "ordered"];
  text("state", state);
  document.title = state;
  showSteps(sight);
  showArrival(sight, now);
  text("help", helpFor(sight));
  find("card").classList.remove("waiting");
  showWay(sight);
}

function showSteps({ steps = [] }) {
  const at = Object.fromEntries(steps.map((one) => [one.step, one.at]));
  const items = Object.entries(STEPS).map(([step, words]) => {
    const isNow = step === steps.at(-1)?.step;
    const time = at[step] && make("time", { datetime: at[step] }, clock.format(new Date(at[step])));
    return make("li", { class: at[step] && "done", "aria-current": isNow && "step" }, say(...words), time ?? null);
  });
  find("steps").hidden = steps.length === 0;
  find("steps").replaceChildren(...items);
}

/** Two times of day. A range that ends on the next day would have its dates, too, and not fit a phone. */
function between(from, to) {
  return from.toDateString() === to.toDateString()
    ? clock.formatRange(from, to)
    : `${clock.format(from)} – ${clock.format(to)}`;
}

function showArrival({ state, steps = [], arrival, stopsBefore, rider }, now) {
  const done = state === "delivered" && steps.find((one) => one.step === "delivered");
  if (!arrival) {
    text("arrival", done ? clock.format(new Date(done.at)) : "");
    text("detail", "");
    return;
  }
  text("arrival", between(new Date(arrival.earliest), new Date(arrival.latest)));
  const expected = clock.format(new Date(arrival.expected));
  const said = [say(`Expected around ${expected}`, `${expected}쯤 도착 예정`)];
  if (stopsBefore) {
    said.push(stopsBefore === 1
      ? say("1 stop before yours", "앞선 배달 1곳")
      : say(`${stopsBefore} stops before yours`, `앞선 배달 ${stopsBefore}곳`));
  }
  if (now - Date.parse(rider.at) > OLD_MILLIS) {
    const seen = clock.format(new Date(rider.at));
    said.push(say(`last seen at ${seen}`, `마지막 위치 ${seen}`));
  }
  text("detail", said.join(" · "));
}

/** What to do; late is also what is expected after all that was first shown here. */
function helpFor({ state, late, arrival, rider }) {
  firstLatest ??= arrival && Date.parse(arrival.latest);
  if (late || (arrival && Date.parse(arrival.expected) > firstLatest)) {
    return HELP.late;
  }
  return state === "coming" && !rider ? HELP.unseen : HELP[state];
}

function showWay(sight) {
  find("map").hidden = !sight.door;
  if (!sight.door) {
    return;
  }
  const { lon, lat } = sight.rider ?? sight.shop;
  try {
    if (!map) {
      open([lon, lat]);
      way = new Way(map, { shop, door, rider });
    }
    map.resize();
    way.show(sight, find("card").getBoundingClientRect().bottom);
  } catch {
    find("map").hidden = true; // no WebGL: the card says all that matters
  }
}

function open(center) {
  map = new maplibregl.Map({
    container: "map",
    style: { version: 8, sources: {}, layers: [] },
    center,
    zoom: 14.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    locale: { "Map.Title": say("Map of your delivery", "배달 지도") },
  });
  map.on("load", () => addBackground(map, SYSTEM_THEME));
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    ask();
  }
});
ask();
