package gilmok.baseline

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.http.HttpStatus
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono
import java.util.concurrent.atomic.AtomicLong

/** One GPS fix as the phone sends it. */
data class Position(
    val riderId: String,
    val at: Long,
    val lat: Double,
    val lon: Double,
    val accuracy: Double? = null,
    val speed: Double? = null,
    val bearing: Double? = null,
    val altitude: Double? = null,
    val battery: Double? = null,
    val provider: String? = null,
    val deliveryId: String? = null,
    val id: String? = null,
    val attributes: Map<String, Any?>? = null,
)

data class Receipt(val node: String, val first: Long, val last: Long)

data class Accepted(
    val accepted: Int,
    val duplicates: Int,
    val quarantined: List<String>,
    val receipt: Receipt,
)

@RestController
class TraceController {
    private val sequence = AtomicLong()

    /** One position a request, the cheapest way WebFlux has. */
    @PostMapping("/v1/traces")
    @ResponseStatus(HttpStatus.ACCEPTED)
    fun collect(@RequestBody position: Mono<Position>): Mono<Accepted> = position.map { accept(1) }

    /** An array of positions a request. */
    @PostMapping("/v1/traces/list")
    @ResponseStatus(HttpStatus.ACCEPTED)
    fun collectList(@RequestBody positions: Mono<List<Position>>): Mono<Accepted> =
        positions.map { accept(it.size) }

    /** One or many on one route, as a stream. */
    @PostMapping("/v1/traces/flux")
    @ResponseStatus(HttpStatus.ACCEPTED)
    fun collectFlux(@RequestBody positions: Flux<Position>): Mono<Accepted> =
        positions.count().map { accept(it.toInt()) }

    private fun accept(count: Int): Accepted {
        val last = sequence.addAndGet(count.toLong())
        return Accepted(count, 0, emptyList(), Receipt("webflux", last - count + 1, last))
    }
}

@SpringBootApplication
class Baseline

fun main(arguments: Array<String>) {
    runApplication<Baseline>(*arguments)
}
