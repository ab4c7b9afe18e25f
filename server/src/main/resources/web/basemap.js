// How vector tiles are drawn: the layers of Protomaps' basemap, few colours, light and dark. What is
// of no use to somebody who looks for riders is left out. Names are drawn with the browser's fonts.

const LIGHT = {
  earth: "#f3f4f1", water: "#c9d8e2", green: "#e0eadb", building: "#e7e6e2", border: "#9aa5af",
  casing: "#d6d8d3", path: "#dcded9", road: "#ffffff", highway: "#fbf0d3", bridge: "#aab3ba", rail: "#d0d3d1",
  name: "#58646e", halo: "#f7f8f6",
};
const DARK = {
  earth: "#11161b", water: "#1b2b39", green: "#16211d", building: "#1a2128", border: "#4b5965",
  casing: "#0b0f13", path: "#1f272e", road: "#29333c", highway: "#3a4550", bridge: "#506070", rail: "#242c34",
  name: "#8c99a5", halo: "#11161b",
};

const GREENS = [
  "park", "forest", "wood", "grass", "grassland", "garden", "meadow", "scrub", "national_park", "nature_reserve",
  "protected_area", "cemetery", "golf_course", "recreation_ground", "pitch", "playground", "farmland", "orchard",
];
const MAIN = ["highway", "major_road", "medium_road"];

const isKind = (...kinds) => ["in", ["get", "kind"], ["literal", kinds]];
const isShape = (shape) => ["==", ["geometry-type"], shape];
const isBridge = ["==", ["to-string", ["get", "is_bridge"]], "true"];
const byZoom = (...stops) => ["interpolate", ["exponential", 1.6], ["zoom"], ...stops];

const MINOR_WIDTH = byZoom(11.5, 0.3, 14, 1.6, 16, 5, 19, 30);
const MAIN_WIDTH = byZoom(6, 0.4, 11, 1.2, 14, 4, 16, 9, 19, 44);
const wider = (width) => width.map((part, i) => (i > 3 && i % 2 === 0 ? part + 1.6 : part));

const NAME = ["get", "name"];
const KOREAN_NAME = ["coalesce", ["get", "name:ko"], NAME];

/** The layers from the lowest up; "@name" is that colour. */
const LAYERS = [
  { id: "earth", type: "fill", filter: isShape("Polygon"), paint: { "fill-color": "@earth" } },
  { id: "landuse", type: "fill", filter: isKind(...GREENS), paint: { "fill-color": "@green" } },
  { id: "water", type: "fill", filter: isShape("Polygon"), paint: { "fill-color": "@water" } },
  {
    id: "rivers", layer: "water", type: "line", filter: isShape("LineString"),
    paint: { "line-color": "@water", "line-width": byZoom(8, 0.5, 14, 2, 18, 10) },
  },
  {
    id: "buildings", type: "fill", minzoom: 14, filter: ["!", isKind("address")],
    paint: { "fill-color": "@building", "fill-opacity": ["interpolate", ["linear"], ["zoom"], 14, 0, 15, 1] },
  },
  {
    id: "paths", layer: "roads", type: "line", minzoom: 14, filter: isKind("path", "pier"),
    paint: { "line-color": "@path", "line-width": byZoom(14, 0.6, 18, 2.5) },
  },
  {
    id: "rails", layer: "roads", type: "line", minzoom: 10, filter: isKind("rail"),
    paint: { "line-color": "@rail", "line-width": byZoom(10, 0.5, 18, 3) },
  },
  {
    id: "minor-casing", layer: "roads", type: "line", minzoom: 13, filter: isKind("minor_road", "other"),
    paint: { "line-color": "@casing", "line-width": wider(MINOR_WIDTH) },
  },
  {
    id: "main-casing", layer: "roads", type: "line", minzoom: 9, filter: isKind(...MAIN),
    paint: { "line-color": ["case", isBridge, "@bridge", "@casing"], "line-width": wider(MAIN_WIDTH) },
  },
  {
    id: "minor", layer: "roads", type: "line", minzoom: 11.5, filter: isKind("minor_road", "other"),
    paint: { "line-color": "@road", "line-width": MINOR_WIDTH },
  },
  {
    id: "main", layer: "roads", type: "line", minzoom: 6, filter: isKind(...MAIN),
    paint: { "line-color": ["case", isKind("highway"), "@highway", "@road"], "line-width": MAIN_WIDTH },
  },
  {
    id: "regions", layer: "boundaries", type: "line", filter: ["!", isKind("country", "locality")],
    paint: { "line-color": "@border", "line-width": 0.7, "line-opacity": 0.5, "line-dasharray": [3, 2] },
  },
  {
    id: "countries", layer: "boundaries", type: "line", filter: isKind("country"),
    paint: { "line-color": "@border", "line-width": byZoom(2, 0.6, 8, 1.6) },
  },
  {
    id: "names", layer: "places", type: "symbol", filter: ["has", "name"],
    layout: {
      "text-field": NAME,
      "text-font": ["sans-serif"],
      "text-size": ["match", ["get", "kind"], "country", 14, "region", 13, "locality", 13, 11.5],
      "text-max-width": 8,
      "symbol-sort-key": ["-", 0, ["to-number", ["get", "population_rank"], 0]],
    },
    paint: { "text-color": "@name", "text-halo-color": "@halo", "text-halo-width": 1.4 },
  },
];

/** Adds the tiles behind a URL, and keeps their colours as the theme is, and their names as the page's language is. */
export function addBasemap(map, { isDark, onTheme }, before, url) {
  map.addSource("tiles", { type: "vector", url });
  for (const { layer, paint, ...rest } of LAYERS) {
    map.addLayer({ ...rest, source: "tiles", "source-layer": layer ?? rest.id, paint: coloured(paint, LIGHT) }, before);
  }
  const page = document.documentElement;
  const name = () => map.setLayoutProperty("names", "text-field", page.lang === "ko" ? KOREAN_NAME : NAME);
  new MutationObserver(name).observe(page, { attributeFilter: ["lang"] });
  name();
  onTheme(() => {
    for (const { id, paint } of LAYERS) {
      for (const [name, value] of Object.entries(coloured(paint, isDark() ? DARK : LIGHT))) {
        if (name.endsWith("-color")) {
          map.setPaintProperty(id, name, value);
        }
      }
    }
  });
}

function coloured(paint, colours) {
  const fill = (part) =>
    Array.isArray(part) ? part.map(fill) : typeof part === "string" && part[0] === "@" ? colours[part.slice(1)] : part;
  return Object.fromEntries(Object.entries(paint).map(([name, value]) => [name, fill(value)]));
}
