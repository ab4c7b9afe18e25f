// The Earth as the map has it: web mercator, where the world is a square of side 1.

const EARTH_METRES = 6371008.8;
const CIRCUMFERENCE = 2 * Math.PI * 6378137;
const RADIANS = Math.PI / 180;

export const toX = (lon) => (lon + 180) / 360;
export const toLon = (x) => x * 360 - 180;
export const toLat = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / RADIANS;

/** Latitudes beyond the square's edge stand at its edge. */
export function toY(lat) {
  const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, lat)) * RADIANS);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** How many metres the side of the world's square stands for at that latitude. */
export const metresPerWorld = (lat) => CIRCUMFERENCE * Math.cos(lat * RADIANS);

/** Great-circle metres. */
export function distance(lat1, lon1, lat2, lon2) {
  const a = Math.sin(((lat2 - lat1) * RADIANS) / 2) ** 2;
  const b = Math.sin(((lon2 - lon1) * RADIANS) / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(a + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * b));
}
