package orders

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.context.properties.ConfigurationProperties
import org.springframework.boot.context.properties.ConfigurationPropertiesScan
import org.springframework.boot.runApplication
import org.springframework.scheduling.annotation.EnableScheduling

/** An order system beside Gilmok: see docs/beside-your-order-system.md. */
@SpringBootApplication
@EnableScheduling
@ConfigurationPropertiesScan
class OrderSystem

/**
 * Where Gilmok is, and who we are there.
 *
 * @property secret signs its webhooks to us
 * @property webhooks where it reaches us
 */
@ConfigurationProperties("gilmok")
data class GilmokSettings(
  val url: String,
  val key: String,
  val secret: String,
  val shop: String,
  val webhooks: String,
)

fun main(arguments: Array<String>) {
  runApplication<OrderSystem>(*arguments)
}
