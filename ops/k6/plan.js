// Run sheets: the order of a rider's open stops, planned anew for each question. It computes: begin low.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=10 -e DURATION=1m ops/k6/plan.js
import exec from 'k6/execution';
import { ask, openModel } from './gilmok.js';

export const options = openModel(5);
const orders = 5;

export default function () {
  const n = exec.scenario.iterationInTest;
  const size = 1 + 2 * orders;
  const points = Array.from({ length: size }, (_, i) => [(n * 37 + i * 53) % 101, (n * 61 + i * 29) % 97]);
  const matrix = points.map((a) => points.map((b) => Math.round(100 * Math.hypot(a[0] - b[0], a[1] - b[1]))));
  ask(
    'POST',
    '/v1/run-sheets',
    {
      matrix,
      start: 0,
      orders: Array.from({ length: orders }, (_, i) => ({ orderId: `o-${i}`, pickup: 1 + 2 * i, dropoff: 2 + 2 * i })),
      budgetMs: 1000,
    },
    200,
    'run-sheet',
  );
}
