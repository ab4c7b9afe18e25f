package gilmok.baseline

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.dao.DuplicateKeyException
import org.springframework.dao.OptimisticLockingFailureException
import org.springframework.data.annotation.Id
import org.springframework.data.annotation.Version
import org.springframework.data.mongodb.core.index.CompoundIndex
import org.springframework.data.mongodb.core.mapping.Document
import org.springframework.data.mongodb.repository.ReactiveMongoRepository
import org.springframework.http.HttpStatus
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RequestMapping
import org.springframework.web.bind.annotation.ResponseStatus
import org.springframework.web.bind.annotation.RestController
import reactor.core.publisher.Mono
import java.time.Instant
import java.util.UUID

enum class Status { NEW, ACCEPTED, ASSIGNED, PICKED_UP, COMPLETED }

data class Place(val lat: Double, val lon: Double, val address: String, val phone: String? = null)

data class Order(
    val orderId: String,
    val shopId: String,
    val agencyId: String? = null,
    val customerId: String? = null,
    val pickup: Place,
    val dropoff: Place,
    val fee: Long? = null,
    val currency: String? = null,
    val comment: String? = null,
)

data class Event(val sequence: Int, val type: String, val at: Instant, val riderId: String? = null)

/** One document with its events in it, guarded by its version. */
@Document("deliveries")
@CompoundIndex(name = "order", def = "{'order.shopId': 1, 'order.orderId': 1}", unique = true)
data class Delivery(
    @Id val id: String,
    val order: Order,
    val status: Status,
    val riderId: String? = null,
    @Version val version: Long? = null,
    val createdAt: Instant,
    val updatedAt: Instant,
    val events: List<Event>,
)

data class Assignment(val riderId: String)

interface Deliveries : ReactiveMongoRepository<Delivery, String>

class UnknownDelivery : RuntimeException()

class WrongState(val present: Status) : RuntimeException()

@RestController
@RequestMapping("/v1/deliveries")
class DeliveryController(private val deliveries: Deliveries) {
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    fun create(@RequestBody order: Order): Mono<Delivery> {
        val now = Instant.now()
        val event = Event(1, "delivery.created", now)
        return deliveries.save(
            Delivery(
                id = UUID.randomUUID().toString(),
                order = order,
                status = Status.NEW,
                createdAt = now,
                updatedAt = now,
                events = listOf(event),
            ),
        )
    }

    @PostMapping("/{id}/accept")
    fun accept(@PathVariable id: String) = move(id, Status.NEW, Status.ACCEPTED)

    @PostMapping("/{id}/assign")
    fun assign(@PathVariable id: String, @RequestBody assignment: Assignment) =
        move(id, Status.ACCEPTED, Status.ASSIGNED, assignment.riderId)

    @PostMapping("/{id}/pickup")
    fun pickup(@PathVariable id: String) = move(id, Status.ASSIGNED, Status.PICKED_UP)

    @PostMapping("/{id}/complete")
    fun complete(@PathVariable id: String) = move(id, Status.PICKED_UP, Status.COMPLETED)

    private fun move(id: String, from: Status, to: Status, rider: String? = null): Mono<Delivery> =
        deliveries.findById(id)
            .switchIfEmpty(Mono.error { UnknownDelivery() })
            .flatMap { present ->
                if (present.status != from) {
                    Mono.error { WrongState(present.status) }
                } else {
                    val now = Instant.now()
                    val riderId = rider ?: present.riderId
                    val event =
                        Event(present.events.size + 1, "delivery." + to.name.lowercase(), now, riderId)
                    deliveries.save(
                        present.copy(
                            status = to,
                            riderId = riderId,
                            updatedAt = now,
                            events = present.events + event,
                        ),
                    )
                }
            }

    @ExceptionHandler(UnknownDelivery::class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    fun unknown() = mapOf("error" to "no such delivery")

    @ExceptionHandler(WrongState::class)
    @ResponseStatus(HttpStatus.CONFLICT)
    fun wrong(refused: WrongState) = mapOf("error" to "wrong state", "status" to refused.present)

    @ExceptionHandler(DuplicateKeyException::class, OptimisticLockingFailureException::class)
    @ResponseStatus(HttpStatus.CONFLICT)
    fun conflict() = mapOf("error" to "conflict")
}

@SpringBootApplication
class Baseline

fun main(arguments: Array<String>) {
    runApplication<Baseline>(*arguments)
}
