// How riders did: a rider's day at once. A span becomes a job, which is asked for and ended.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=5 -e DURATION=1m ops/k6/performance.js
import exec from 'k6/execution';
import { ask, openModel } from './gilmok.js';

export const options = openModel(2);
const day = new Date().toISOString().slice(0, 10);

export function setup() {
  const job = ask('GET', `/v1/performance?from=${day}&to=${day}`, null, 202, 'job').json('job');
  ask('GET', `/v1/jobs/${job}`, null, 200, 'job');
  ask('DELETE', `/v1/jobs/${job}`, null, 204, 'job');
}

export default function () {
  const rider = `k6-${exec.scenario.iterationInTest % 20}`;
  ask('GET', `/v1/riders/${rider}/performance?from=${day}&to=${day}`, null, 200, 'performance');
}
