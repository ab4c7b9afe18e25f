package gilmok.baseline

import com.fasterxml.jackson.annotation.JsonAlias
import org.springframework.data.annotation.Id
import org.springframework.data.mongodb.core.mapping.Document
import java.time.Instant
import java.time.LocalDate
import java.time.ZoneId

/** As they are written in the documents. */
enum class Kind { fee, incentive, deduction }

/** An entry as one writes it for Spring Data. */
@Document("statement_entries")
data class StatementEntry(
    @Id @JsonAlias("_id") val id: String,
    val riderId: String,
    val at: Long,
    val kind: Kind,
    val amount: Long,
    val currency: String,
    val deliveryId: String? = null,
    val distance: Long? = null,
)

data class Sums(
    val count: Int,
    val fee: Long,
    val incentive: Long,
    val deduction: Long,
    val net: Long,
    /** Metres, as ours says it. */
    val distance: Double,
)

data class Day(
    val date: LocalDate,
    val count: Int,
    val fee: Long,
    val incentive: Long,
    val deduction: Long,
    val net: Long,
    /** Metres, as ours says it. */
    val distance: Double,
)

data class Statement(
    val riderId: String,
    val from: LocalDate,
    val to: LocalDate,
    val currency: String,
    val days: List<Day>,
    val total: Sums,
)

private const val MILLIMETRES = 1_000.0

/** Sums by day, being made: all ways but ours share this, so that they differ in mapping alone. */
class Summing(private val zone: ZoneId) {
    private class Running(
        var count: Int = 0,
        var fee: Long = 0,
        var incentive: Long = 0,
        var deduction: Long = 0,
        var distance: Long = 0,
    )

    private val byDate = HashMap<LocalDate, Running>()

    fun add(entry: StatementEntry) = add(entry.at, entry.kind, entry.amount, entry.distance ?: 0)

    fun add(at: Long, kind: Kind, amount: Long, distance: Long) {
        val date = LocalDate.ofInstant(Instant.ofEpochMilli(at), zone)
        val day = byDate.getOrPut(date) { Running() }
        day.count++
        when (kind) {
            Kind.fee -> day.fee += amount
            Kind.incentive -> day.incentive += amount
            Kind.deduction -> day.deduction += amount
        }
        day.distance += distance
    }

    fun statement(riderId: String, from: LocalDate, to: LocalDate, currency: String): Statement {
        val days =
            from.datesUntil(to.plusDays(1)).toList().map { date ->
                val sums = byDate[date] ?: Running()
                Day(
                    date,
                    sums.count,
                    sums.fee,
                    sums.incentive,
                    sums.deduction,
                    sums.fee + sums.incentive - sums.deduction,
                    sums.distance / MILLIMETRES,
                )
            }
        val total =
            Sums(
                days.sumOf { it.count },
                days.sumOf { it.fee },
                days.sumOf { it.incentive },
                days.sumOf { it.deduction },
                days.sumOf { it.net },
                byDate.values.sumOf { it.distance } / MILLIMETRES,
            )
        return Statement(riderId, from, to, currency, days, total)
    }
}
