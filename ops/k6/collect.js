// Phones send positions: POST /v1/traces, one position or BATCH of them a request.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=500 -e DURATION=1m ops/k6/collect.js
import exec from 'k6/execution';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(100);
const batch = Number(__ENV.BATCH || 1);

export default function () {
  const n = exec.scenario.iterationInTest;
  const now = Date.now();
  const positions = Array.from({ length: batch }, (_, i) => ({
    id: `${run}-${n}-${i}`,
    riderId: `k6-${n % 1000}`,
    at: now - (batch - 1 - i) * 1000,
    lat: 37.5 + (n % 100) * 1e-4,
    lon: 127.0 + i * 1e-5,
  }));
  const answer = ask('POST', '/v1/traces', batch === 1 ? positions[0] : positions, 202, 'traces');
  if (answer.status === 202 && answer.json('accepted') !== batch) {
    exec.test.abort(`accepted ${answer.json('accepted')} of ${batch}: ${answer.body}`);
  }
}
