// What the scenarios share: where the server is, its key, and how one answer is checked.
import http from 'k6/http';
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
  const answer = http.request(method, url + path, body === null ? null : JSON.stringify(body), {
    headers: { 'X-Api-Key': key, 'Content-Type': 'application/json', ...headers },
    tags: { name },
  });
  check(answer, { [`${name} ${status}`]: (response) => response.status === status });
  return answer;
}

/** An open model: `RATE` iterations begin each second for `DURATION`, however long each takes. */
export function openModel(rate) {
  const wanted = Number(__ENV.RATE || rate);
  return {
    scenarios: {
      load: {
        executor: 'constant-arrival-rate',
        rate: wanted,
        timeUnit: '1s',
        duration: __ENV.DURATION || '30s',
        preAllocatedVUs: Math.min(1000, Math.max(10, wanted)),
        maxVUs: 2000,
      },
    },
    thresholds: {
      checks: ['rate==1'],
      // An iteration that never began is a request that was not asked: the run says nothing then.
      dropped_iterations: ['count==0'],
    },
    summaryTrendStats: ['avg', 'p(50)', 'p(95)', 'p(99)', 'max'],
  };
}
