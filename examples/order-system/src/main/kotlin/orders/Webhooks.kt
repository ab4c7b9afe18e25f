package orders

import com.fasterxml.jackson.annotation.JsonIgnoreProperties
import java.security.MessageDigest
import java.time.Instant
import java.util.Base64
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import kotlin.math.abs
import org.springframework.http.HttpStatus
import org.springframework.http.ResponseEntity
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestHeader
import org.springframework.web.bind.annotation.RestController
import tools.jackson.databind.json.JsonMapper

/** A delivery in an event. */
@JsonIgnoreProperties(ignoreUnknown = true)
data class Delivery(
  val id: String,
  val orderId: String,
  val status: String,
  val riderId: String? = null,
)

/** What Gilmok tells. */
@JsonIgnoreProperties(ignoreUnknown = true)
data class WebhookEvent(val type: String, val sequence: Int, val data: Delivery)

/** Whether a webhook is Gilmok's and of now: the Standard Webhooks specification. */
@Component
class Signature(settings: GilmokSettings) {
  private val secret = Base64.getDecoder().decode(settings.secret.removePrefix("whsec_"))

  fun isGood(id: String, timestamp: String, signatures: String, body: ByteArray): Boolean {
    val sent = timestamp.toLongOrNull() ?: return false
    if (abs(Instant.now().epochSecond - sent) > TOLERANCE_SECONDS) return false // recorded and replayed
    val mac = Mac.getInstance("HmacSHA256")
    mac.init(SecretKeySpec(secret, "HmacSHA256"))
    mac.update("$id.$timestamp.".toByteArray())
    val ours = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).toByteArray()
    return signatures.split(' ').any { MessageDigest.isEqual(ours, it.toByteArray()) }
  }

  private companion object {
    const val TOLERANCE_SECONDS = 300
  }
}

/** Where Gilmok tells us what happened to our deliveries. */
@RestController
class WebhookRoutes(
  private val signature: Signature,
  private val orders: Orders,
  private val json: JsonMapper,
) {
  /** The body is taken as bytes: what is signed is what was sent, not what a parser makes of it. */
  @PostMapping("/gilmok/webhooks")
  fun take(
    @RequestHeader("webhook-id") id: String,
    @RequestHeader("webhook-timestamp") timestamp: String,
    @RequestHeader("webhook-signature") signatures: String,
    @RequestBody body: ByteArray,
  ): ResponseEntity<Void> {
    if (!signature.isGood(id, timestamp, signatures, body)) {
      return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build()
    }
    val event = json.readValue(body, WebhookEvent::class.java)
    // An order that is not ours is answered 2xx, too: anything else would be sent again for days.
    orders.happened(event)
    return ResponseEntity.noContent().build()
  }
}
