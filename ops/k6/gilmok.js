// What the scenarios share: where the server is, its key, and how one answer is checked.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';

const url = __ENV.GILMOK_URL || 'http://127.0.0.1:8080';
const key = __ENV.GILMOK_KEY;
if (!key) {
  throw new Error('GILMOK_KEY is missing: give an admin key, as in k6 run -e GILMOK_KEY="$(cat data/admin.key)"');
}

// Two runs never write the same orders: a repeat would be answered, but it would not be work.
export const run = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e9).toString(36)}`;

/** Asks, and checks the status; `name` groups the times of URLs that differ only by an id. */
export function ask(method, path, body, status, name, headers = {}) {
  const isText = body === null || typeof body === 'string';
  const answer = http.request(method, url + path, isText ? body : JSON.stringify(body), {
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...headers },
    tags: { name, part: part() },
  });
  check(answer, { [`${name} ${status}`]: (response) => response.status === status });
  return answer;
}

/**
 * An open model: iterations begin at a rate, however long each takes. `RATE` is the highest rate a
 * second, `PROFILE` how it gets there, `SCALE` shortens every stage (0.01: seconds for minutes).
 */
export function openModel(rate) {
  const peak = Number(__ENV.RATE || rate);
  const stages = profile(__ENV.PROFILE || 'constant', peak);
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  shape.seconds = seconds;
  const thresholds = {
    checks: ['rate==1'],
    // A script that always throws asks nothing, which k6 alone does not take for a failure.
    http_reqs: ['count>0'],
    // An iteration that never began is a request that was not asked: the run says nothing then.
    dropped_iterations: ['count==0'],
    // Shown side by side at the end: what has drifted.
    'http_req_duration{part:first}': [],
    'http_req_duration{part:last}': [],
  };
  if (__ENV.P99) {
    for (const metric of ['http_req_duration', 'http_req_duration{part:last}']) {
      thresholds[metric] = [`p(99)<${Number(__ENV.P99)}`];
    }
  }
  return {
    scenarios: {
      load: {
        executor: 'ramping-arrival-rate',
        startRate: stages[0].from,
        timeUnit: '1s',
        stages: stages.map(({ target, seconds: length }) => ({ target, duration: `${length}s` })),
        preAllocatedVUs: Math.min(1000, Math.max(10, peak)),
        maxVUs: 2000,
      },
    },
    thresholds,
    summaryTrendStats: ['avg', 'p(50)', 'p(95)', 'p(99)', 'max'],
  };
}

const shape = { seconds: 1 };

/** In which part of the run a request is sent: its first and its last fifth are shown by themselves. */
function part() {
  const share = exec.instance.currentTestRunDuration / 1000 / shape.seconds;
  return share < 0.2 ? 'first' : share < 0.8 ? 'middle' : 'last';
}

/** Stages: each goes to `target` within `seconds`. */
function profile(name, peak) {
  const scale = Number(__ENV.SCALE || 1);
  const to = (target, minutes) => ({
    from: 0,
    target: Math.round(target),
    seconds: Math.max(1, Math.round(60 * minutes * scale)),
  });
  const level = Number((__ENV.DURATION || '30s').replace(/s$/, '').replace(/m$/, '')) *
    (/m$/.test(__ENV.DURATION || '') ? 60 : 1);
  switch (name) {
    case 'constant':
      return [{ from: peak, target: peak, seconds: level }];
    // Two steps within 21 minutes, as a team raised its load: half, then all of it.
    case 'ramp':
      return [to(peak / 2, 7), to(peak / 2, 3.5), to(peak, 7), to(peak, 3.5)];
    case 'hold':
      return [to(peak, 3), to(peak, 17)];
    case 'hour':
      return [to(peak, 3), to(peak, 57)];
    // Noon in one minute, or a push message to everybody.
    case 'spike':
      return [to(peak / 10, 0.5), to(peak / 10, 2), to(peak, 0.2), to(peak, 2), to(peak / 10, 0.2), to(peak / 10, 3)];
    case 'soak':
      return [to(peak, 5), to(peak, 8 * 60)];
    default:
      throw new Error(`PROFILE ${name}: there are constant, ramp, hold, hour, spike and soak`);
  }
}
