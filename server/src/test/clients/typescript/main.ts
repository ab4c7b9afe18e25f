// A delivery from its order to the door, by the client that openapi-generator made (typescript-fetch).
// Arguments: the server's URL, a key.
import { strict as assert } from "node:assert";
import { Configuration, Delivery, DeliveryStatus, DispatchApi, Order, ProofKindEnum, ResponseError } from "./generated";

async function main(url: string, key: string): Promise<void> {
  const api = new DispatchApi(new Configuration({ basePath: url, apiKey: key }));
  const order: Order = {
    orderId: "typescript-1",
    shopId: "shop-3",
    pickup: { lat: 37.4979, lon: 127.0276, address: "Teheran-ro 1" },
    dropoff: { lat: 37.5051, lon: 127.0411, address: "Seolleung-ro 9, 302", phone: "010-0000-0000" },
    fee: 3500,
    dueBy: new Date("2030-03-01T10:00:00Z"),
  };
  const created: Delivery = await api.createDeliveries({ createDeliveriesRequest: order, idempotencyKey: "typescript-1" });
  assert.equal(created.status, DeliveryStatus.New);
  assert.equal(created.dueBy?.getTime(), order.dueBy?.getTime());
  const id = created.id;

  const accepted = await api.acceptDelivery({ id, acceptDeliveryRequest: { agencyId: "agency-1" } });
  assert.equal(accepted.status, DeliveryStatus.Accepted);
  const assigned = await api.assignDelivery({ id, assignDeliveryRequest: { riderId: "typescript" }, ifMatch: '"2"' });
  assert.equal(assigned.riderId, "typescript");
  const pickedUp = await api.pickupDelivery({ id, pickupDeliveryRequest: { lat: 37.4979, lon: 127.0276 } });
  assert.equal(pickedUp.status, DeliveryStatus.PickedUp);
  const proof = { kind: ProofKindEnum.Code, code: "4711" };
  const completed = await api.completeDelivery({ id, completeDeliveryRequest: { proof } });
  assert.equal(completed.status, DeliveryStatus.Completed);

  const read = await api.delivery({ id });
  assert.deepEqual(read, completed);
  assert.equal(read.version, 5);
  assert.equal(read.proof?.code, "4711");
  const listed = await api.listDeliveries({ riderId: "typescript", status: DeliveryStatus.Completed, limit: 10 });
  assert.deepEqual(listed, { items: [read], next: null });
  const events = await api.deliveryEvents({ id });
  assert.deepEqual(events.items.map((event) => event.type.split(".")[1]),
    ["created", "accepted", "assigned", "picked_up", "completed"]);
  assert.ok(events.items[0]!.recordedAt instanceof Date);

  await assert.rejects(api.declineDelivery({ id }), (refused: ResponseError) => refused.response.status === 409);
  console.log("completed " + id);
}

main(process.argv[2]!, process.argv[3]!).catch((wrong) => {
  console.error(wrong);
  process.exitCode = 1;
});
