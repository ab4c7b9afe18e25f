package gilmok.baseline

import org.springframework.beans.factory.annotation.Value
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.data.mongodb.core.MongoTemplate
import org.springframework.data.mongodb.core.find
import org.springframework.data.mongodb.core.query.Criteria
import org.springframework.data.mongodb.core.query.Query
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.time.LocalDate
import java.time.ZoneId

@RestController
class StatementController(
    private val mongo: MongoTemplate,
    @Value("\${fleet.zone}") zone: String,
) {
    private val zone = ZoneId.of(zone)

    @GetMapping("/v1/riders/{id}/statement")
    fun statement(
        @PathVariable id: String,
        @RequestParam from: LocalDate,
        @RequestParam to: LocalDate,
    ): Statement {
        val begin = from.atStartOfDay(zone).toInstant().toEpochMilli()
        val end = to.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli()
        val entries =
            mongo.find<StatementEntry>(
                Query(Criteria.where("riderId").`is`(id).and("at").gte(begin).lt(end)),
            )
        val summing = Summing(zone)
        entries.filter { it.currency == "KRW" }.forEach(summing::add)
        return summing.statement(id, from, to, "KRW")
    }
}

@SpringBootApplication
class Baseline

fun main(arguments: Array<String>) {
    runApplication<Baseline>(*arguments)
}
