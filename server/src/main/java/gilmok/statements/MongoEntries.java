package gilmok.statements;

import static gilmok.documents.MongoBson.document;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoQuery;
import gilmok.documents.MongoTrace;
import gilmok.event.DayRange;
import gilmok.observe.PartTimes;
import gilmok.retention.MongoRemovalPlans;
import gilmok.retention.RemovalPlans;
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
 * Entries in MongoDB, one document each. One index covers the query of a statement, and has the
 * order of pages. Thread-safe; calls block.
 *
 * <p><b>Adding</b> is one unordered insert. Most entries are new, and an insert costs a database
 * least, works on shards, and is retried by the driver. If some entries exist already, the driver
 * throws one exception for all of them. Upserts would avoid it, but cost a search and a transaction
 * for each entry.
 *
 * <p><b>Summing</b> takes each answer as raw bytes; a rider's year is one answer. A full answer can
 * end within a millisecond, so the entries of its last millisecond are left to the next query.
 */
public final class MongoEntries implements EntryStore {
  /** The name of the collection. */
  public static final String COLLECTION = "statement_entries";

  /**
   * Most entries of one answer. A document of an answer has some 90 bytes, so an answer has 2 MB,
   * far below MongoDB's limit of 16.
   */
  static final int BATCH_ENTRIES_MAX = 20_000;

  /** The index that the queries need. */
  public static final List<MongoIndex> INDEXES =
      List.of(
          MongoIndex.of(
              "statement", "riderId", "at", "_id", "kind", "amount", "distance", "currency"));

  /** How long it goes by what it has read of how far entries were removed. */
  static final long KEPT_NANOS = 1_000_000_000L;

  static final MongoEntryCodec CODEC = new MongoEntryCodec();

  private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
  static final RawBsonDocument IN_ORDER =
      document(
          writer -> {
            writer.writeInt32("at", 1);
            writer.writeInt32("_id", 1);
          });

  private static final RawBsonDocument BY_ID = document(writer -> writer.writeInt32("_id", 1));

  private final MongoDocuments documents;
  private final MongoCollection<StatementEntry> entries;
  private final MongoCollection<StatementEntry> relaxed;
  private final RemovalPlans plans;
  private final int batchEntries;
  private volatile Kept kept = new Kept(0, System.nanoTime() - KEPT_NANOS);

  /** Since when entries were kept, and when that was asked for. */
  private record Kept(long fromMillis, long askedNanos) {}

  /** Entries in a database that has the {@link #INDEXES}; sends no query yet. */
  public MongoEntries(MongoDocuments documents) {
    this(documents, BATCH_ENTRIES_MAX);
  }

  /** Entries with another limit for one answer. */
  MongoEntries(MongoDocuments documents, int batchEntries) {
    this.documents = documents;
    this.batchEntries = batchEntries;
    entries = documents.collection(COLLECTION, CODEC);
    relaxed = documents.relaxed(entries);
    plans = new MongoRemovalPlans(documents, EntryRemoval.KIND);
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    RawBsonDocument time = range("rider", 0, 1);
    BsonDocument byTime = new BsonDocument("at", new BsonInt32(1));
    return List.of(
        new MongoQuery("entries: a statement", COLLECTION, time, byTime, false),
        new MongoQuery("entries: a page", COLLECTION, time, IN_ORDER, false),
        new MongoQuery("entries: all, by id", COLLECTION, MongoBson.after("entry"), BY_ID, false),
        new MongoQuery(
            "entries: a page's rest", COLLECTION, rest("rider", 0, "entry"), IN_ORDER, false),
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
    long from = askKeptFrom();
    List<StatementEntry> young = wanted.stream().filter(one -> one.atMillis() >= from).toList();
    List<String> tooOld =
        wanted.stream().filter(one -> one.atMillis() < from).map(StatementEntry::id).toList();
    Map<String, StatementEntry> there = new LinkedHashMap<>();
    young.forEach(entry -> there.putIfAbsent(entry.id(), entry));
    List<StatementEntry> firsts = List.copyOf(there.values());
    List<String> known = firsts.isEmpty() ? List.of() : insert(firsts);
    there.putAll(find(known));
    int accepted = firsts.size() - known.size();
    return new Added(accepted, young.size() - accepted, differing(young, there), tooOld);
  }

  /** The ids of entries that differ from what is stored under their id; none of these is new. */
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

  /** Inserts the new entries. Returns the ids of those that exist. */
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

  /** The stored entries of those ids, by id. */
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
      long began = PartTimes.clock();
      summing.addReply(reply, last);
      PartTimes.worked(PartTimes.MAPPING, PartTimes.clock() - began);
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
      return ask(range(riderId, fromMillis, untilMillis), IN_ORDER, limit);
    }
    if (after.atMillis() >= untilMillis) {
      return List.of();
    }
    // Two ranges of the index: with one range and a further condition, a planner may not use the
    // index.
    List<StatementEntry> page =
        ask(rest(after.riderId(), after.atMillis(), after.id()), IN_ORDER, limit);
    long next = after.atMillis() + 1;
    if (page.size() < limit && next < untilMillis) {
      page.addAll(ask(range(riderId, next, untilMillis), IN_ORDER, limit - page.size()));
    }
    return page;
  }

  @Override
  public long keptFromMillis() throws IOException, InterruptedException {
    Kept last = kept;
    boolean isFresh = System.nanoTime() - last.askedNanos < KEPT_NANOS;
    return isFresh ? last.fromMillis : askKeptFrom();
  }

  private long askKeptFrom() throws IOException, InterruptedException {
    long now = System.nanoTime();
    long from = EntryRemoval.millis(plans.removedTo());
    kept = new Kept(from, now);
    return from;
  }

  @Override
  public List<StatementEntry> after(String id, int limit) throws IOException, InterruptedException {
    return ask(MongoBson.after(id), BY_ID, limit);
  }

  private List<StatementEntry> ask(Bson which, Bson order, int limit)
      throws IOException, InterruptedException {
    return documents.ask(
        () ->
            relaxed
                .find(which)
                .comment(MongoTrace.comment())
                .sort(order)
                .limit(limit)
                .batchSize(limit)
                .into(new ArrayList<>()));
  }

  /** The query of a statement; the index covers all fields that it reads. */
  static RawBsonDocument statement(String riderId, long fromMillis, long untilMillis, int limit) {
    return document(
        writer -> {
          writer.writeString("find", COLLECTION);
          document(writer, "filter", filter -> range(filter, riderId, fromMillis, untilMillis));
          document(writer, "projection", MongoEntries::fields);
          document(writer, "sort", sort -> sort.writeInt32("at", 1));
          writer.writeInt32("limit", limit);
          // Without it the first batch, the only one, would have 101 documents.
          writer.writeInt32("batchSize", limit);
          writer.writeBoolean("singleBatch", true);
          document(writer, "readConcern", concern -> concern.writeString("level", "majority"));
          MongoBson.text(writer, "comment", MongoTrace.comment());
        });
  }

  private static void fields(BsonWriter writer) {
    writer.writeInt32("_id", 0);
    for (String field : List.of("at", "kind", "amount", "distance", "currency")) {
      writer.writeInt32(field, 1);
    }
  }

  /** A statement's query, which its index answers without a document; for {@code explain}. */
  public static BsonDocument coveredQuery(String riderId, long fromMillis, long untilMillis) {
    BsonDocument find = new BsonDocument();
    statement(riderId, fromMillis, untilMillis, BATCH_ENTRIES_MAX)
        .forEach(
            (name, value) -> {
              if (!name.equals("readConcern")) { // explain has one of its own
                find.put(name, value);
              }
            });
    return find;
  }

  /** The filter for a rider's entries of a time. */
  static RawBsonDocument range(String riderId, long fromMillis, long untilMillis) {
    return document(writer -> range(writer, riderId, fromMillis, untilMillis));
  }

  /** The filter for a rider's entries of a millisecond whose ids sort after that one. */
  static RawBsonDocument rest(String riderId, long atMillis, String after) {
    return document(
        writer -> {
          writer.writeString("riderId", riderId);
          writer.writeInt64("at", atMillis);
          document(writer, "_id", id -> id.writeString("$gt", after));
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
