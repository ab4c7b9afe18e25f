// A delivery from its order to the door, by the client that openapi-generator made (kotlin, okhttp, moshi).
// Arguments: the server's URL, a key.
import gilmok.client.apis.DispatchApi
import gilmok.client.infrastructure.ApiClient
import gilmok.client.infrastructure.ClientException
import gilmok.client.models.AcceptDeliveryRequest
import gilmok.client.models.AssignDeliveryRequest
import gilmok.client.models.CompleteDeliveryRequest
import gilmok.client.models.CreateDeliveriesRequest
import gilmok.client.models.DeliveryStatus
import gilmok.client.models.PickupDeliveryRequest
import gilmok.client.models.Place
import gilmok.client.models.Proof
import java.time.OffsetDateTime

fun same(actual: Any?, wanted: Any?) = check(actual == wanted) { "$actual is not $wanted" }

fun main(arguments: Array<String>) {
  ApiClient.apiKey["X-Api-Key"] = arguments[1]
  val api = DispatchApi(arguments[0])
  val order = CreateDeliveriesRequest(
    orderId = "kotlin-1",
    shopId = "shop-3",
    pickup = Place(37.4979, 127.0276, "Teheran-ro 1"),
    dropoff = Place(37.5051, 127.0411, "Seolleung-ro 9, 302", phone = "010-0000-0000"),
    fee = 3500,
    dueBy = OffsetDateTime.parse("2030-03-01T10:00:00Z"),
  )
  val created = api.createDeliveries(order, idempotencyKey = "kotlin-1")
  same(created.status, DeliveryStatus.NEW)
  same(created.dueBy, order.dueBy)
  val id = created.id

  val accepted = api.acceptDelivery(id, acceptDeliveryRequest = AcceptDeliveryRequest(agencyId = "agency-1"))
  same(accepted.status, DeliveryStatus.ACCEPTED)
  val assigned = api.assignDelivery(id, AssignDeliveryRequest(riderId = "kotlin"), ifMatch = "\"2\"")
  same(assigned.riderId, "kotlin")
  val here = PickupDeliveryRequest(lat = 37.4979, lon = 127.0276)
  same(api.pickupDelivery(id, pickupDeliveryRequest = here).status, DeliveryStatus.PICKED_UP)
  val proof = Proof(kind = Proof.Kind.code, code = "4711")
  val completed = api.completeDelivery(id, completeDeliveryRequest = CompleteDeliveryRequest(proof = proof))
  same(completed.status, DeliveryStatus.COMPLETED)

  val read = api.delivery(id)
  same(read, completed)
  same(read.version, 5)
  same(read.proof, proof)
  val listed = api.listDeliveries(riderId = "kotlin", limit = 10)
  same(listed.items, listOf(read))
  same(listed.next, null)
  val events = api.deliveryEvents(id).items.map { it.type.value.substringAfter('.') }
  same(events, listOf("created", "accepted", "assigned", "picked_up", "completed"))

  val refused = runCatching { api.declineDelivery(id) }.exceptionOrNull()
  same((refused as? ClientException)?.statusCode, 409)
  println("completed $id")
}
