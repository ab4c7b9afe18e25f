// Phones' own apps: OsmAnd and Traccar Client, OwnTracks, Overland, GPSLogger; one position a request.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=500 -e PROFILE=ramp ops/k6/phones.js
import exec from 'k6/execution';
import encoding from 'k6/encoding';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(100);
const key = __ENV.GILMOK_KEY;

export default function () {
  const n = exec.scenario.iterationInTest;
  const phone = `k6-phone-${n % 1000}`;
  const now = Date.now();
  const lat = 37.5 + (n % 100) * 1e-4;
  const lon = 127.0 + (n % 89) * 1e-4;
  switch (n % 4) {
    case 0:
      ask('GET', `/osmand?id=${phone}&timestamp=${now}&lat=${lat}&lon=${lon}&speed=9&run=${run}-${n}`, null, 200, 'osmand');
      break;
    case 1:
      ask(
        'POST',
        `/pub?u=k6&d=${phone}`,
        { _type: 'location', _id: `${run}-${n}`, lat, lon, tst: Math.floor(now / 1000), acc: 8, batt: 70 },
        200,
        'owntracks',
        { Authorization: `Basic ${encoding.b64encode(`k6:${key}`)}` },
      );
      break;
    case 2:
      ask(
        'POST',
        '/overland',
        {
          locations: [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [lon, lat] },
              properties: { timestamp: new Date(now).toISOString(), device_id: phone, speed: 4, run: `${run}-${n}` },
            },
          ],
        },
        200,
        'overland',
      );
      break;
    default:
      ask('GET', `/gpslogger?id=${phone}&time=${new Date(now).toISOString()}&lat=${lat}&lon=${lon}&spd=4&run=${run}-${n}`, null, 200, 'gpslogger');
  }
}
