// The customer's page: asks its own address for what there is to see, and shows that.

import * as maplibregl from "./maplibre-gl.mjs";

const ASK_MILLIS = 10_000;
const isKorean = navigator.language.toLowerCase().startsWith("ko");
const say = (english, korean) => (isKorean ? korean : english);

const STATES = {
  preparing: say("Your order is being prepared", "주문을 준비하고 있습니다"),
  coming: say("Your order is on its way", "배달 중입니다"),
  delivered: say("Your order has been delivered", "배달이 완료되었습니다"),
  ended: say("This order will not be delivered", "배달되지 않는 주문입니다"),
  gone: say("This link is no longer valid", "더 이상 유효하지 않은 링크입니다"),
};

const find = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(isKorean ? "ko" : undefined, { hour: "numeric", minute: "2-digit" });
let map = null;
let marker = null;
let timer = 0;

document.documentElement.lang = isKorean ? "ko" : "en";

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
    show(sight);
    if (sight.state === "delivered" || sight.state === "ended") {
      return;
    }
  } catch {
    text("stale", say("Not up to date: the server cannot be reached.", "서버에 연결할 수 없어 최신 정보가 아닙니다."));
  }
  if (!document.hidden) {
    timer = setTimeout(ask, ASK_MILLIS);
  }
}

function show(sight) {
  text("state", STATES[sight.state]);
  document.title = STATES[sight.state];
  showArrival(sight);
  showRider(sight.rider);
}

function showArrival({ arrival, stopsBefore }) {
  if (!arrival) {
    text("arrival", "");
    text("detail", "");
    return;
  }
  const from = clock.format(new Date(arrival.earliest));
  const to = clock.format(new Date(arrival.latest));
  text("arrival", from === to ? from : `${from} – ${to}`);
  const expected = clock.format(new Date(arrival.expected));
  const about = say(`Expected around ${expected}`, `${expected}쯤 도착 예정`);
  const stops = stopsBefore === 1
    ? say("1 stop before yours", "앞선 배달 1곳")
    : say(`${stopsBefore} stops before yours`, `앞선 배달 ${stopsBefore}곳`);
  text("detail", stopsBefore ? `${about} · ${stops}` : about);
}

function showRider(rider) {
  find("map").hidden = !rider;
  if (!rider) {
    return;
  }
  const place = [rider.lon, rider.lat];
  if (!map) {
    open(place);
  }
  marker.setLngLat(place);
  map.easeTo({ center: place, duration: 800 });
}

function open(center) {
  const { tiles, attribution } = document.documentElement.dataset;
  const sources = tiles ? { tiles: { type: "raster", tiles: [tiles], tileSize: 256, maxzoom: 19 } } : {};
  const layers = tiles ? [{ id: "tiles", type: "raster", source: "tiles" }] : [];
  map = new maplibregl.Map({
    container: "map",
    style: { version: 8, sources, layers },
    center,
    zoom: 14.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
  });
  find("attribution").textContent = tiles ? attribution : "";
  const dot = document.createElement("div");
  dot.className = "rider";
  dot.setAttribute("role", "img");
  dot.setAttribute("aria-label", say("the rider", "라이더"));
  marker = new maplibregl.Marker({ element: dot }).setLngLat(center).addTo(map);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) {
    ask();
  }
});
ask();
