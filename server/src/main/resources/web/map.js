// The map itself: MapLibre with no layers but ours; what lies below them is in background.js.

import * as maplibregl from "./maplibre-gl.mjs";

/** Where nobody is yet. */
const SEOUL = { center: [126.985, 37.55], zoom: 10.6 };

/** Whether this address says which part of the map to show. */
export const isPlaced = () => location.hash.includes("map=");

export function createMap() {
  const map = new maplibregl.Map({
    container: "map",
    style: { version: 8, sources: {}, layers: [] },
    ...SEOUL,
    hash: "map",
    minZoom: 1.5,
    maxZoom: 20,
    maxPitch: 0,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    attributionControl: false,
    fadeDuration: 150,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  return map;
}

/**
 * Shows all of these places but the few outermost, so that one who strayed does not move the map;
 * above `bottom` pixels that something covers.
 */
export function showAll(map, places, animate = true, bottom = 0) {
  if (places.length === 0) {
    return;
  }
  const middle = (values) => {
    values.sort((a, b) => a - b);
    const cut = values.length > 50 ? Math.floor(values.length * 0.01) : 0;
    return [values[cut], values[values.length - 1 - cut]];
  };
  const [west, east] = middle(places.map((place) => place.lon));
  const [south, north] = middle(places.map((place) => place.lat));
  const isNarrow = innerWidth <= 760;
  map.fitBounds(
    [[west, south], [east, north]],
    {
      padding: isNarrow
        ? { top: bottom > 0 ? 84 : 150, bottom: 40 + bottom, left: 24, right: 60 }
        : { top: 40, bottom: 60 + bottom, left: 370, right: 80 },
      maxZoom: 15,
      animate,
    },
  );
}
