// Missions and pay as they change: progress, settling, profiles, entries of statements.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=100 -e PROFILE=spike ops/k6/settle.js
import exec from 'k6/execution';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(50);

export function setup() {
  // k6 reads this file once for each of its users: what all of them need goes through here.
  const mission = `k6-${run}`;
  ask('PUT', `/v1/missions/${mission}`, { title: 'Ten in the rain', goal: 10 }, 200, 'mission');
  return mission;
}

export default function (mission) {
  const n = exec.scenario.iterationInTest;
  const rider = `k6-${n % 1000}`;
  ask('PUT', `/v1/riders/${rider}/missions/${mission}/progress`, { count: n % 12 }, 200, 'progress');
  ask('POST', `/v1/riders/${rider}/missions/settle`, null, 200, 'settle', { 'Accept-Encoding': 'gzip' });
  ask('PUT', `/v1/riders/${rider}/profile`, { level: n % 9 }, 200, 'profile');
  ask(
    'POST',
    '/v1/statement-entries',
    [{ id: `${run}-${n}`, riderId: rider, at: '2026-03-01T09:00:00Z', kind: 'incentive', amount: 500 }],
    200,
    'statement-entries',
  );
}
