// An order system runs deliveries: each is created, accepted, assigned, picked up and completed.
// RATE is deliveries a second; each is five requests.
//   k6 run -e GILMOK_KEY="$(cat data/admin.key)" -e RATE=50 -e DURATION=1m ops/k6/deliveries.js
import exec from 'k6/execution';
import { ask, openModel, run } from './gilmok.js';

export const options = openModel(20);

export default function () {
  const order = `${run}-${exec.scenario.iterationInTest}`;
  const created = ask(
    'POST',
    '/v1/deliveries',
    {
      orderId: order,
      shopId: 'k6-shop',
      pickup: { lat: 37.5, lon: 127.0, address: '1 Shop Street' },
      dropoff: { lat: 37.51, lon: 127.01, address: '2 Home Street' },
      fee: 3500,
    },
    201,
    'create',
    { 'Idempotency-Key': order },
  );
  if (created.status !== 201) {
    return;
  }
  const id = created.json('id');
  const rider = `k6-${exec.scenario.iterationInTest % 1000}`;
  for (const [step, body] of [
    ['accept', {}],
    ['assign', { riderId: rider }],
    ['pickup', {}],
    ['complete', { proof: { kind: 'code', code: '4711' } }],
  ]) {
    if (ask('POST', `/v1/deliveries/${id}/${step}`, body, 200, step).status !== 200) {
      return;
    }
  }
}
