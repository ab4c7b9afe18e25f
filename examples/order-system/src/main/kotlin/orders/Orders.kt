package orders

import java.util.concurrent.ConcurrentHashMap
import org.springframework.http.HttpStatus
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ResponseStatusException

/** A place, as orders and Gilmok have it. */
data class Place(val lat: Double, val lon: Double, val address: String)

/** What a customer orders. */
data class NewOrder(val orderId: String, val pickup: Place, val dropoff: Place, val fee: Long)

/**
 * An order and how far it is.
 *
 * @property deliveryId Gilmok's; null until it was sent
 * @property sequence of the last event that counted: events may come twice, and late
 * @property refusal why it cannot become a delivery, for whoever corrects it
 */
data class Order(
  val order: NewOrder,
  val deliveryId: String? = null,
  val status: String = "UNSENT",
  val sequence: Int = 0,
  val riderId: String? = null,
  val refusal: String? = null,
)

/**
 * The orders. In memory, to keep the example short: yours are in your database, where "not sent
 * yet" is a column that the loop below looks for.
 */
@Service
class Orders(private val gilmok: GilmokClient) {
  private val orders = ConcurrentHashMap<String, Order>()

  /** Until then Gilmok is left alone: it was away, or has said so. */
  private var notBefore = 0L

  fun find(orderId: String): Order? = orders[orderId]

  /** Keeps an order first, then sends it: an answer to the customer waits for nobody else. */
  fun add(order: NewOrder): Order = orders.computeIfAbsent(order.orderId) { Order(order) }

  /** Sends what is not sent. The order's id is the idempotency key: sent twice, it is one delivery. */
  @Scheduled(fixedDelay = 200)
  fun sendUnsent() {
    if (System.currentTimeMillis() < notBefore) return
    for (unsent in orders.values.filter { it.deliveryId == null && it.refusal == null }) {
      val id = unsent.order.orderId
      when (val sent = gilmok.create(unsent.order)) {
        is GilmokClient.Sent.Created ->
          orders.computeIfPresent(id) { _, now ->
            val status = if (now.status == "UNSENT") "NEW" else now.status
            now.copy(deliveryId = sent.deliveryId, status = status)
          }
        // One that is refused for good keeps no other waiting.
        is GilmokClient.Sent.Refused ->
          orders.computeIfPresent(id) { _, now -> now.copy(status = "REFUSED", refusal = sent.why) }
        is GilmokClient.Sent.Later -> {
          notBefore = System.currentTimeMillis() + sent.millis
          return
        }
      }
    }
  }

  /** Takes an event; false if no such order is known. Older ones than the last change nothing. */
  fun happened(event: WebhookEvent): Boolean =
    orders.computeIfPresent(event.data.orderId) { _, now ->
      if (event.sequence <= now.sequence) now
      else
        now.copy(
          deliveryId = event.data.id,
          status = event.data.status,
          sequence = event.sequence,
          riderId = event.data.riderId)
    } != null
}

/** What our own shops and apps ask. */
@RestController
class OrderRoutes(private val orders: Orders, private val gilmok: GilmokClient) {
  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  fun add(@RequestBody order: NewOrder): Order = orders.add(order)

  @GetMapping("/orders/{id}")
  fun show(@PathVariable id: String): Order =
    orders.find(id) ?: throw ResponseStatusException(HttpStatus.NOT_FOUND)

  /**
   * A rider has signed in to our app (left out here): the app is given a key that is bound to that
   * rider, and sends positions to Gilmok itself.
   */
  @PostMapping("/riders/{id}/key")
  @ResponseStatus(HttpStatus.CREATED)
  fun key(@PathVariable id: String): Map<String, String> = mapOf("key" to gilmok.riderKey(id))
}
