// The world at low zooms: coasts, lakes, rivers and borders, so that a country can be told without
// any tiles. It is too coarse for a city, and fades before one fills the map. world.json is made by
// .ci/world.mjs, which says how it is written.

const FADES = 7.5;
const GONE = 9.5;
const LIGHT = { sea: "#d3dfe7", land: "#f3f4f1", water: "#c9d8e2", border: "#aab3bb" };
const DARK = { sea: "#16222d", land: "#11161b", water: "#1b2b39", border: "#46535f" };

const fading = (opacity) => ["interpolate", ["linear"], ["zoom"], FADES, opacity, GONE, 0];

/**
 * The layers from the lowest up, with the colour and the kind of shape of each. The land covers the
 * sea and is as the ground is, so it does not fade: the sea would shine through.
 */
const LAYERS = [
  { id: "world-sea", type: "background", colour: "sea", opacity: fading(0.9) },
  { id: "world-land", type: "fill", colour: "land", opacity: 1, kind: "land" },
  { id: "world-lakes", type: "fill", colour: "water", opacity: fading(1), kind: "lakes" },
  { id: "world-rivers", type: "line", colour: "water", opacity: fading(1), kind: "rivers", minzoom: 3 },
  { id: "world-borders", type: "line", colour: "border", opacity: fading(0.9), kind: "borders" },
];

/** Adds it to a map as soon as that shows enough of the world. */
export function addWorld(map, theme, before) {
  let asked = false;
  const look = async () => {
    if (asked || map.getZoom() >= GONE) {
      return;
    }
    asked = true;
    try {
      const answer = await fetch(new URL("./world.json", import.meta.url));
      show(map, theme, before, await answer.json());
    } catch {
      asked = false; // the next zoom asks again
    }
  };
  map.on("zoom", look);
  look();
}

function show(map, { isDark, onTheme }, before, { step, land, lakes, rivers, borders }) {
  const feature = (kind, type, coordinates) => ({ type: "Feature", properties: { kind }, geometry: { type, coordinates } });
  const features = [
    feature("land", "MultiPolygon", land.map((rings) => rings.map((ring) => places(ring, step)))),
    feature("lakes", "MultiPolygon", lakes.map((ring) => [places(ring, step)])),
    feature("rivers", "MultiLineString", rivers.map((line) => places(line, step))),
    feature("borders", "MultiLineString", borders.map((line) => places(line, step))),
  ];
  map.addSource("world", { type: "geojson", data: { type: "FeatureCollection", features }, maxzoom: 8 });
  const above = ["earth", "tiles"].find((id) => map.getLayer(id)) ?? before;
  for (const { colour, opacity, kind, ...layer } of LAYERS) {
    const shapes = kind ? { source: "world", filter: ["==", ["get", "kind"], kind] } : {};
    const paint = { [`${layer.type}-opacity`]: opacity, [`${layer.type}-color`]: LIGHT[colour] };
    const layout = { visibility: kind ? "visible" : "none" };
    map.addLayer({ maxzoom: GONE, ...layer, ...shapes, paint, layout }, above);
  }
  fillSea(map);
  onTheme(() => {
    for (const { id, type, colour } of LAYERS) {
      map.setPaintProperty(id, `${type}-color`, (isDark() ? DARK : LIGHT)[colour]);
    }
  });
}

/** Shows the sea once the land is there: it would be the sea as well until then. */
function fillSea(map) {
  const look = ({ sourceId, isSourceLoaded }) => {
    if (sourceId === "world" && isSourceLoaded) {
      map.off("sourcedata", look);
      map.setLayoutProperty("world-sea", "visibility", "visible");
    }
  };
  map.on("sourcedata", look);
}

/** Places in degrees, from steps in whole numbers. */
function places(steps, step) {
  const line = [];
  for (let i = 0, x = 0, y = 0; i < steps.length; i += 2) {
    x += steps[i];
    y += steps[i + 1];
    line.push([x * step, y * step]);
  }
  return line;
}
