"""A delivery from its order to the door, by the client that openapi-python-client made.

Arguments: the server's URL, a key.
"""

import datetime
import sys

from gilmok_client import AuthenticatedClient
from gilmok_client.api.dispatch import (
    accept_delivery,
    assign_delivery,
    complete_delivery,
    create_deliveries,
    decline_delivery,
    delivery,
    delivery_events,
    list_deliveries,
    pickup_delivery,
)
from gilmok_client.models import (
    AcceptDeliveryBody,
    AssignDeliveryBody,
    CompleteDeliveryBody,
    CreatedInBulk,
    Delivery,
    DeliveryEventPage,
    DeliveryPage,
    DeliveryStatus,
    Order,
    PickupDeliveryBody,
    Place,
    Problem,
    Proof,
    ProofKind,
)


def expect(kind, answer):
    """The answer, which must be of that type."""
    assert isinstance(answer, kind), answer
    return answer


client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2], raise_on_unexpected_status=True)
pickup = Place(lat=37.4979, lon=127.0276, address="Teheran-ro 1")
dropoff = Place(lat=37.5051, lon=127.0411, address="Seolleung-ro 9, 302", phone="010-0000-0000")
due = datetime.datetime(2030, 3, 1, 10, tzinfo=datetime.timezone.utc)
order = Order(order_id="python-1", shop_id="shop-3", pickup=pickup, dropoff=dropoff, fee=3500, due_by=due)
created = expect(Delivery, create_deliveries.sync(client=client, body=order, idempotency_key="python-1"))
assert created.status is DeliveryStatus.NEW, created
assert created.due_by == due, created
name = created.id
more = [Order(order_id="python-2", shop_id="shop-3", pickup=pickup, dropoff=dropoff), order]
bulk = expect(CreatedInBulk, create_deliveries.sync(client=client, body=more))
assert [item.status for item in bulk.items] == [201, 409], bulk

accepted = accept_delivery.sync(name, client=client, body=AcceptDeliveryBody(agency_id="agency-1"))
assert expect(Delivery, accepted).status is DeliveryStatus.ACCEPTED
assigned = assign_delivery.sync(name, client=client, body=AssignDeliveryBody(rider_id="python"), if_match='"2"')
assert expect(Delivery, assigned).rider_id == "python"
picked_up = pickup_delivery.sync(name, client=client, body=PickupDeliveryBody(lat=37.4979, lon=127.0276))
assert expect(Delivery, picked_up).status is DeliveryStatus.PICKED_UP
proof = Proof(kind=ProofKind.CODE, code="4711")
completed = complete_delivery.sync(name, client=client, body=CompleteDeliveryBody(proof=proof))
assert expect(Delivery, completed).status is DeliveryStatus.COMPLETED

read = expect(Delivery, delivery.sync(name, client=client))
assert read == completed, read
assert read.version == 5, read
assert read.proof == proof, read
listed = expect(DeliveryPage, list_deliveries.sync(client=client, rider_id="python", limit=10))
assert listed.items == [read], listed
assert listed.next_ is None, listed
events = expect(DeliveryEventPage, delivery_events.sync(name, client=client))
assert [event.type_.split(".")[1] for event in events.items] == [
    "created",
    "accepted",
    "assigned",
    "picked_up",
    "completed",
], events

refused = expect(Problem, decline_delivery.sync(name, client=client))
assert refused.status == 409, refused
print("completed", name)
