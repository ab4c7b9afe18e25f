// A rider's app and a dispatcher read: missions, a month's statement, the latest position, who is near.
// It first gives the riders it asks for something to be read.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=200 -e DURATION=1m ops/k6/read.js
import exec from 'k6/execution';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(100);
const riders = 20;

export function setup() {
  const now = Date.now();
  const positions = [];
  const entries = [];
  for (let i = 0; i < riders; i++) {
    positions.push({ id: `${run}-${i}`, riderId: `k6-${i}`, at: now, lat: 37.5, lon: 127.0 + i * 1e-4 });
    entries.push({
      id: `${run}-${i}`,
      riderId: `k6-${i}`,
      at: '2026-03-01T09:00:00Z',
      kind: 'incentive',
      amount: 500,
    });
  }
  ask('POST', '/v1/traces', positions, 202, 'traces');
  ask('POST', '/v1/statement-entries', entries, 200, 'statement-entries');
  // A position is seen within 100 ms of its 202; the first question must not be faster than that.
  for (let tries = 0; tries < 50; tries++) {
    const near = ask('GET', '/v1/riders?near=37.5,127.0&radius=1000&limit=20', null, 200, 'near');
    if (near.json('items').length === riders) {
      return;
    }
  }
}

export default function () {
  const rider = `k6-${exec.scenario.iterationInTest % riders}`;
  ask('GET', `/v1/riders/${rider}/missions`, null, 200, 'missions', { 'Accept-Encoding': 'gzip' });
  ask('GET', `/v1/riders/${rider}/statement?from=2026-03-01&to=2026-03-31`, null, 200, 'statement');
  ask('GET', `/v1/riders/${rider}/position`, null, 200, 'position');
  ask('GET', '/v1/riders?near=37.5,127.0&radius=1000&limit=10', null, 200, 'near');
}
