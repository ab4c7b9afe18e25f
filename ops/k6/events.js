// Riders' actions and log lines: POST /v1/actions and /v1/logs.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=500 -e PROFILE=hold ops/k6/events.js
import exec from 'k6/execution';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(100);

export default function () {
  const n = exec.scenario.iterationInTest;
  const event = { id: `${run}-${n}`, riderId: `k6-${n % 1000}`, at: Date.now() };
  if (n % 3 === 0) {
    ask('POST', '/v1/logs', { ...event, level: 'warn', message: 'no answer, asked again' }, 202, 'logs');
  } else {
    ask('POST', '/v1/actions', { ...event, type: 'seen', lat: 37.5, lon: 127.0 }, 202, 'actions');
  }
}
