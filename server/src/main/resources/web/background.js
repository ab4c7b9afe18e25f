// What lies below the riders, on every map: the tiles of a server (map.tiles) or of a file
// (map.tiles-file) where there are some, and below them the world, which is drawn at low zooms only.

import { addBasemap } from "./basemap.js";
import * as maplibregl from "./maplibre-gl.mjs";
import { addWorld } from "./world.js";

/** Pictures stay in the background: less colourful, and dark in the dark. */
const LIGHT = { "raster-saturation": -0.45, "raster-brightness-max": 1, "raster-contrast": -0.05 };
const DARK = { "raster-saturation": -0.75, "raster-brightness-max": 0.42, "raster-contrast": 0.05 };

/**
 * Adds it, once the map has loaded.
 *
 * `theme` has `isDark` and `onTheme`, as theme.js has them; `before` is the lowest layer above;
 * `onUnreached` is told when the tiles do not come.
 */
export function addBackground(map, theme, before, onUnreached = () => {}) {
  const { tiles, archive, kind, attribution } = document.documentElement.dataset;
  addWorld(map, theme, before);
  if (!tiles && !archive) {
    return;
  }
  showAttribution(attribution);
  watch(map, onUnreached);
  if (tiles) {
    addPictures(map, theme, before, { tiles: [tiles], maxzoom: 19 });
    return;
  }
  const url = `pmtiles://${new URL(archive, location.origin)}`;
  addReader().then(
    () => (kind === "vector" ? addBasemap(map, theme, before, url) : addPictures(map, theme, before, { url })),
    () => onUnreached(true),
  );
}

function addPictures(map, { isDark, onTheme }, before, source) {
  map.addSource("tiles", { type: "raster", tileSize: 256, ...source });
  map.addLayer({ id: "tiles", type: "raster", source: "tiles" }, before);
  onTheme(() => {
    for (const [name, value] of Object.entries(isDark() ? DARK : LIGHT)) {
      map.setPaintProperty("tiles", name, value);
    }
  });
}

/** Loads what finds a tile in an archive. It is no module: it is one name, for the whole page. */
async function addReader() {
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("./pmtiles.js", import.meta.url);
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  maplibregl.addProtocol("pmtiles", new globalThis.pmtiles.Protocol().tile);
}

/** Tells what has changed alone: each tile of the view that does not come is an error. */
function watch(map, onUnreached) {
  let isReached = null;
  const tell = (isNow) => {
    if (isReached !== true && isReached !== isNow) {
      isReached = isNow;
      onUnreached(!isNow);
    }
  };
  map.on("sourcedata", (event) => {
    if (event.sourceId === "tiles" && event.tile?.state === "loaded") {
      tell(true);
    }
  });
  map.on("error", (event) => {
    if (event.sourceId === "tiles") {
      tell(false);
    }
  });
}

/** The notice is HTML where a file brings it: its texts and its links are taken, and nothing else. */
function showAttribution(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  document.getElementById("attribution").replaceChildren(...[...parsed.body.childNodes].map(shown));
}

function shown(node) {
  const text = document.createTextNode(node.textContent);
  if (node.nodeName !== "A" || !["http:", "https:"].includes(node.protocol)) {
    return text;
  }
  const link = document.createElement("a");
  link.href = node.href;
  link.target = "_blank";
  link.rel = "noreferrer";
  link.append(text);
  return link;
}
