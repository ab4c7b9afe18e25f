package orders

import org.slf4j.LoggerFactory
import org.springframework.boot.context.event.ApplicationReadyEvent
import org.springframework.context.event.EventListener
import org.springframework.http.MediaType
import org.springframework.stereotype.Component
import org.springframework.web.client.ResourceAccessException
import org.springframework.web.client.RestClient
import org.springframework.web.client.RestClientResponseException
import org.springframework.web.client.body

/** Calls Gilmok. */
@Component
class GilmokClient(private val settings: GilmokSettings) {
  private val log = LoggerFactory.getLogger(GilmokClient::class.java)
  private val client =
    RestClient.builder()
      .baseUrl(settings.url)
      .defaultHeader("X-Api-Key", settings.key)
      .build()

  /** Tells Gilmok where our webhooks go. Doing so again changes nothing. */
  @EventListener(ApplicationReadyEvent::class)
  fun subscribe() {
    client
      .put()
      .uri("/v1/partners/{id}", settings.shop)
      .contentType(MediaType.APPLICATION_JSON)
      .body(
        mapOf(
          "kind" to "shop",
          "url" to settings.webhooks,
          "secret" to settings.secret,
          "events" to listOf("*")))
      .retrieve()
      .toBodilessEntity()
  }

  /** Creates a delivery; returns its id, or null if Gilmok is away or busy. */
  fun create(order: NewOrder): String? =
    try {
      val delivery =
        client
          .post()
          .uri("/v1/deliveries")
          .header("Idempotency-Key", order.orderId)
          .contentType(MediaType.APPLICATION_JSON)
          .body(
            mapOf(
              "orderId" to order.orderId,
              "shopId" to settings.shop,
              "pickup" to order.pickup,
              "dropoff" to order.dropoff,
              "fee" to order.fee))
          .retrieve()
          .body<Map<String, Any>>()
      delivery?.get("id") as String?
    } catch (away: ResourceAccessException) {
      log.info("Gilmok does not answer; order {} waits", order.orderId)
      null
    } catch (refused: RestClientResponseException) {
      // 429 and 503 end by themselves. Anything else is a fault of ours: the answer says which field.
      log.warn("order {} was answered {}", order.orderId, refused.responseBodyAsString)
      null
    }

  /** A key for one rider's phone: it can send that rider's positions and read their own data. */
  fun riderKey(riderId: String): String {
    val made =
      client
        .post()
        .uri("/v1/keys")
        .contentType(MediaType.APPLICATION_JSON)
        .body(
          mapOf(
            "name" to "rider-$riderId",
            "scopes" to listOf("collect", "read"),
            "rider" to riderId,
            "expiresIn" to 30 * 86_400))
        .retrieve()
        .body<Map<String, Any>>()
    return made?.get("key") as String
  }
}
