package gilmok.baseline

import org.bson.Document
import org.springframework.core.convert.converter.Converter
import org.springframework.data.convert.ReadingConverter
import org.springframework.data.mongodb.core.convert.MappingMongoConverter
import org.springframework.data.mongodb.core.convert.MongoCustomConversions
import org.springframework.data.mongodb.core.convert.NoOpDbRefResolver
import org.springframework.data.mongodb.core.mapping.MongoMappingContext
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.kotlinModule

/** A converter of Spring Data written by hand. */
@ReadingConverter
class EntryConverter : Converter<Document, StatementEntry> {
    override fun convert(source: Document) = Mapping.entry(source)
}

/** The ways from a document to an entry. */
object Mapping {
    /** Spring Data's own, by reflection and what it generates for it. */
    @JvmStatic
    fun defaultConverter() = converter(MongoCustomConversions(emptyList<Any>()))

    /** Spring Data's, which hands over to one written by hand. */
    @JvmStatic
    fun handWritten() = converter(MongoCustomConversions(listOf(EntryConverter())))

    private fun converter(conversions: MongoCustomConversions): MappingMongoConverter {
        val context = MongoMappingContext()
        context.setSimpleTypeHolder(conversions.simpleTypeHolder)
        context.setInitialEntitySet(setOf(StatementEntry::class.java, EntryRecord::class.java))
        context.afterPropertiesSet()
        val converter = MappingMongoConverter(NoOpDbRefResolver.INSTANCE, context)
        converter.customConversions = conversions
        converter.afterPropertiesSet()
        return converter
    }

    @JvmStatic
    fun jackson(): JsonMapper = JsonMapper.builder().addModule(kotlinModule()).build()

    /** In the query's own code: the document's getters. */
    @JvmStatic
    fun entry(source: Document) =
        StatementEntry(
            id = source.getString("_id"),
            riderId = source.getString("riderId"),
            at = source.getLong("at"),
            kind = Kind.valueOf(source.getString("kind")),
            amount = source.getLong("amount"),
            currency = source.getString("currency"),
            deliveryId = source.getString("deliveryId"),
            distance = source.getLong("distance"),
        )
}
