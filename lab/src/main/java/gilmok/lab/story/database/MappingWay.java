package gilmok.lab.story.database;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import gilmok.event.DayRange;
import gilmok.statements.BsonEntries;
import gilmok.statements.DaySums;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bson.ByteBuf;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.conversions.Bson;

/** How the documents of a rider's entries become a statement: what was earned, by day. */
enum MappingWay {
  /** Objects by the driver's own mapper, which finds their fields at run time, as in the story. */
  OBJECTS("objects, by the driver's mapper"),
  /** The driver's documents, each field of which is asked for by its name. */
  DOCUMENTS("the driver's documents, by hand"),
  /** As this server does: sums from the bytes of the answer, without an object for each. */
  BYTES("ours, from the bytes");

  static final String COLLECTION = "entries";
  static final String RIDER = "rider-1";
  static final String CURRENCY = "KRW";
  static final ZoneId ZONE = ZoneId.of("Asia/Seoul");

  /** The days of the statement, in which all entries are. */
  static final DayRange DAYS =
      DayRange.of(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 3, 31), ZONE);

  private static final Bson RIDERS =
      Filters.and(
          Filters.eq("riderId", RIDER),
          Filters.gte("at", DAYS.fromMillis()),
          Filters.lt("at", DAYS.untilMillis()));
  private static final Bson IN_ORDER = Sorts.ascending("at");
  private static final CodecRegistry MAPPER =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(
              PojoCodecProvider.builder().register(MappedEntry.class).build()));

  private final String label;

  MappingWay(String label) {
    this.label = label;
  }

  /** Its name in reports. */
  String label() {
    return label;
  }

  /** What one entry adds to its day. */
  private record Earned(long at, String kind, long amount) {
    LocalDate day() {
      return LocalDate.ofInstant(Instant.ofEpochMilli(at), ZONE);
    }

    long signed() {
      return kind.equals("deduction") ? -amount : amount;
    }
  }

  /**
   * Makes a statement; blocks.
   *
   * @param batch the most documents of an answer; 0 for the database's own
   * @return what was earned on each day, in whole minor units, without days of nothing
   */
  Map<LocalDate, Long> statement(MongoDatabase database, int batch) throws IOException {
    MongoCollection<Document> all = database.getCollection(COLLECTION);
    return switch (this) {
      case OBJECTS ->
          byDay(
              all.withDocumentClass(MappedEntry.class)
                  .withCodecRegistry(MAPPER)
                  .find(RIDERS)
                  .sort(IN_ORDER)
                  .batchSize(batch)
                  .map(entry -> new Earned(entry.at, entry.kind, entry.amount))
                  .into(new ArrayList<>()));
      case DOCUMENTS ->
          byDay(
              all.find(RIDERS)
                  .sort(IN_ORDER)
                  .batchSize(batch)
                  .map(
                      entry ->
                          new Earned(
                              entry.getLong("at"),
                              entry.getString("kind"),
                              entry.getLong("amount")))
                  .into(new ArrayList<>()));
      case BYTES -> fromBytes(database, batch);
    };
  }

  private static Map<LocalDate, Long> byDay(List<Earned> entries) {
    return entries.stream()
        .collect(
            Collectors.groupingBy(
                Earned::day, TreeMap::new, Collectors.summingLong(Earned::signed)));
  }

  private static Map<LocalDate, Long> fromBytes(MongoDatabase database, int batch)
      throws IOException {
    RawBsonDocument reply =
        database.runCommand(
            new Document("find", COLLECTION)
                .append("filter", RIDERS)
                .append("sort", IN_ORDER)
                .append("batchSize", batch)
                .append("singleBatch", true),
            RawBsonDocument.class);
    ByteBuf bytes = reply.getByteBuffer();
    DaySums sums = new DaySums(DAYS.count());
    new BsonEntries(DAYS, CURRENCY, sums).addReply(Arrays.copyOf(bytes.array(), bytes.remaining()));
    Map<LocalDate, Long> byDay = new TreeMap<>();
    for (int day = 0; day < sums.days(); day++) {
      if (sums.count(day) > 0) {
        byDay.put(DAYS.date(day), sums.net(day));
      }
    }
    return byDay;
  }
}
