package gilmok.statements;

import static gilmok.documents.MongoBson.document;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonWriter;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Entries in MongoDB, a document each. One index answers a statement by itself, and has the order
 * in which entries are paged. From any thread that may block.
 *
 * <p><b>Adding</b> is one unordered insertion: new entries are the rule, and to insert them is what
 * costs a database least, works on shards, and is tried again by the driver. If some are there
 * already, the driver throws once, for all of them; upserts would spare that exception at the price
 * of a search and a transaction for each entry.
 *
 * <p><b>Summing</b> takes the whole answer as bytes, and a rider's year is one. An answer that is
 * full ends in the midst of a millisecond, perhaps: its last one is left to the next question.
 */
public final class MongoEntries implements EntryStore {
  /** Their collection. */
  public static final String COLLECTION = "statement_entries";

  /**
   * Entries that are asked for at once. A document of an answer has some 90 bytes, so an answer has
   * 2 MB, far from MongoDB's 16.
   */
  static final int BATCH_ENTRIES_MAX = 20_000;

  /** The index that has to be there. */
  public static final List<MongoIndex> INDEXES =
      List.of(
          MongoIndex.of(
              "statement", "riderId", "at", "_id", "kind", "amount", "distance", "currency"));

  private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
  private static final RawBsonDocument IN_ORDER =
      document(
          writer -> {
            writer.writeInt32("at", 1);
            writer.writeInt32("_id", 1);
          });

  private final MongoDocuments documents;
  private final MongoCollection<StatementEntry> entries;
  private final MongoCollection<StatementEntry> relaxed;
  private final int batchEntries;

  /** The entries of a database that has the {@link #INDEXES}; asks it nothing yet. */
  public MongoEntries(MongoDocuments documents) {
    this(documents, BATCH_ENTRIES_MAX);
  }

  /** The same, with that many entries asked for at once. */
  MongoEntries(MongoDocuments documents, int batchEntries) {
    this.documents = documents;
    this.batchEntries = batchEntries;
    entries = documents.collection(COLLECTION, new MongoEntryCodec());
    relaxed = documents.relaxed(entries);
  }

  /** What is asked of the collection, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    RawBsonDocument time = range("rider", 0, 1);
    StatementEntry one = new StatementEntry("entry", "rider", 0, EntryKind.FEE, 0, "KRW", null, 0);
    BsonDocument byTime = new BsonDocument("at", new BsonInt32(1));
    return List.of(
        new MongoQuery("entries: a statement", COLLECTION, time, byTime, false),
        new MongoQuery("entries: a page", COLLECTION, time, IN_ORDER, false),
        new MongoQuery("entries: a page's rest", COLLECTION, rest(one), IN_ORDER, false),
        MongoQuery.of(
            "entries: what is there again", COLLECTION, MongoBson.byIds(List.of("entry"))));
  }

  @Override
  public Added add(List<StatementEntry> wanted) throws IOException, InterruptedException {
    if (wanted.size() > ENTRIES_MAX) {
      throw new IllegalArgumentException(wanted.size() + " entries at once");
    }
    if (wanted.isEmpty()) {
      return new Added(0, 0, List.of());
    }
    Map<String, StatementEntry> kept = new LinkedHashMap<>();
    wanted.forEach(entry -> kept.putIfAbsent(entry.id(), entry));
    List<StatementEntry> firsts = List.copyOf(kept.values());
    List<String> there = insert(firsts);
    kept.putAll(find(there));
    int accepted = firsts.size() - there.size();
    return new Added(accepted, wanted.size() - accepted, differing(wanted, kept));
  }

  /** Those that are not what is kept under their id: none of them is new, then. */
  private static List<String> differing(
      List<StatementEntry> wanted, Map<String, StatementEntry> kept) {
    List<String> ids = new ArrayList<>();
    for (StatementEntry entry : wanted) {
      if (!entry.equals(kept.get(entry.id()))) {
        ids.add(entry.id());
      }
    }
    return ids;
  }

  /** Inserts what is not there; the ids of what is. */
  private List<String> insert(List<StatementEntry> all) throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          try {
            entries.insertMany(all, UNORDERED);
            return List.of();
          } catch (MongoBulkWriteException some) {
            if (!MongoDocuments.saysDuplicatesAlone(some)) {
              throw some;
            }
            return some.getWriteErrors().stream().map(e -> all.get(e.getIndex()).id()).toList();
          }
        });
  }

  /** What is kept under those ids. */
  private Map<String, StatementEntry> find(List<String> ids)
      throws IOException, InterruptedException {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Bson which = MongoBson.byIds(ids);
    return documents.ask(
        () -> {
          Map<String, StatementEntry> found = new HashMap<>();
          entries.find(which).batchSize(ids.size()).forEach(entry -> found.put(entry.id(), entry));
          return found;
        });
  }

  @Override
  public DaySums sum(String riderId, DayRange days, String currency)
      throws IOException, InterruptedException {
    DaySums sums = new DaySums(days.count());
    BsonEntries summing = new BsonEntries(days, currency, sums);
    long from = days.fromMillis();
    while (from < days.untilMillis()) {
      byte[] reply = documents.reply(statement(riderId, from, days.untilMillis(), batchEntries));
      long last = BsonEntries.lastIfFull(reply, batchEntries);
      if (last == from) {
        throw new IOException(
            "more than %d entries of one rider and millisecond, %d: their sum is not known"
                .formatted(batchEntries, from));
      }
      summing.addReply(reply, last);
      from = last;
    }
    return sums;
  }

  @Override
  public List<StatementEntry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable StatementEntry after, int limit)
      throws IOException, InterruptedException {
    if (limit < 1 || limit > ENTRIES_MAX) {
      throw new IllegalArgumentException("a page of " + limit);
    }
    if (after == null || after.atMillis() < fromMillis) {
      return ask(range(riderId, fromMillis, untilMillis), limit);
    }
    if (after.atMillis() >= untilMillis) {
      return List.of();
    }
    // Two ranges of the index: for one with a condition beside it a planner may leave the index.
    List<StatementEntry> page = ask(rest(after), limit);
    long next = after.atMillis() + 1;
    if (page.size() < limit && next < untilMillis) {
      page.addAll(ask(range(riderId, next, untilMillis), limit - page.size()));
    }
    return page;
  }

  private List<StatementEntry> ask(Bson which, int limit) throws IOException, InterruptedException {
    return documents.ask(
        () ->
            relaxed
                .find(which)
                .sort(IN_ORDER)
                .limit(limit)
                .batchSize(limit)
                .into(new ArrayList<>()));
  }

  /** The question of a statement: all that it asks for is in the index. */
  static RawBsonDocument statement(String riderId, long fromMillis, long untilMillis, int limit) {
    return document(
        writer -> {
          writer.writeString("find", COLLECTION);
          document(writer, "filter", filter -> range(filter, riderId, fromMillis, untilMillis));
          document(writer, "projection", MongoEntries::fields);
          document(writer, "sort", sort -> sort.writeInt32("at", 1));
          writer.writeInt32("limit", limit);
          // Without it the first batch, which is all there is, would have 101.
          writer.writeInt32("batchSize", limit);
          writer.writeBoolean("singleBatch", true);
          document(writer, "readConcern", concern -> concern.writeString("level", "majority"));
        });
  }

  private static void fields(BsonWriter writer) {
    writer.writeInt32("_id", 0);
    for (String field : List.of("at", "kind", "amount", "distance", "currency")) {
      writer.writeInt32(field, 1);
    }
  }

  /** A rider's entries of a time. */
  static RawBsonDocument range(String riderId, long fromMillis, long untilMillis) {
    return document(writer -> range(writer, riderId, fromMillis, untilMillis));
  }

  /** What is behind that one of the same rider and millisecond. */
  static RawBsonDocument rest(StatementEntry after) {
    return document(
        writer -> {
          writer.writeString("riderId", after.riderId());
          writer.writeInt64("at", after.atMillis());
          document(writer, "_id", id -> id.writeString("$gt", after.id()));
        });
  }

  private static void range(BsonWriter writer, String riderId, long fromMillis, long untilMillis) {
    writer.writeString("riderId", riderId);
    document(
        writer,
        "at",
        at -> {
          at.writeInt64("$gte", fromMillis);
          at.writeInt64("$lt", untilMillis);
        });
  }
}
