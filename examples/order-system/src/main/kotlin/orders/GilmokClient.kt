package orders

import java.time.Instant
import kotlin.random.Random
import org.slf4j.LoggerFactory
import org.springframework.http.MediaType
import org.springframework.scheduling.annotation.Scheduled
import org.springframework.stereotype.Component
import org.springframework.web.client.ResourceAccessException
import org.springframework.web.client.RestClient
import org.springframework.web.client.RestClientException
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

  @Volatile private var isSubscribed = false

  /** Tells Gilmok where our webhooks go, as soon as it answers. Doing so again changes nothing. */
  @Scheduled(fixedDelay = 1_000)
  fun subscribe() {
    if (isSubscribed) return
    try {
      putPartner()
      isSubscribed = true
    } catch (away: RestClientException) {
      log.info("Gilmok was not told where webhooks go, and will be: {}", away.message)
    }
  }

  private fun putPartner() {
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

  /** What became of an order that was sent. */
  sealed interface Sent {
    /** It is a delivery. */
    data class Created(val deliveryId: String) : Sent

    /** Gilmok is away or busy: the same again after so long. */
    data class Later(val millis: Long) : Sent

    /** It is refused for good, as something in it is wrong. */
    data class Refused(val why: String) : Sent
  }

  /** Creates a delivery. */
  fun create(order: NewOrder): Sent =
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
      Sent.Created(delivery?.get("id") as String)
    } catch (away: ResourceAccessException) {
      log.info("Gilmok does not answer; order {} waits", order.orderId)
      Sent.Later(AWAY_MILLIS)
    } catch (refused: RestClientResponseException) {
      val status = refused.statusCode.value()
      if (status == 429 || status >= 500 || status == 401 || status == 403) {
        // It ends by itself, or when somebody mends our key: the order is not at fault.
        val seconds = refused.responseHeaders?.getFirst("Retry-After")?.toLongOrNull()
        log.info("order {} waits: {}", order.orderId, refused.responseBodyAsString)
        Sent.Later(if (seconds == null) AWAY_MILLIS else 1_000 * seconds)
      } else {
        log.warn("order {} is refused: {}", order.orderId, refused.responseBodyAsString)
        Sent.Refused(refused.responseBodyAsString)
      }
    }

  /**
   * A key for one rider's phone: it can send that rider's positions and read their own data. Each
   * sign-in gets one of its own name, as a rider may have two phones; it ends after a month.
   */
  fun riderKey(riderId: String): String {
    val made =
      client
        .post()
        .uri("/v1/keys")
        .contentType(MediaType.APPLICATION_JSON)
        .body(
          mapOf(
            "name" to "rider-$riderId-${Instant.now().epochSecond}-${Random.nextInt(1_000_000)}",
            "scopes" to listOf("collect", "read"),
            "rider" to riderId,
            "expiresIn" to 30 * 86_400))
        .retrieve()
        .body<Map<String, Any>>()
    return made?.get("key") as String
  }

  private companion object {
    const val AWAY_MILLIS = 1_000L
  }
}
