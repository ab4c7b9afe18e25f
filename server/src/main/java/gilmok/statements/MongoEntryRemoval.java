package gilmok.statements;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoQuery;
import gilmok.retention.MongoRemovalPlans;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Takes old entries out of MongoDB. Thread-safe; calls block. */
public final class MongoEntryRemoval implements EntryRemoval {
  /** Riders that a page looks at, most of whom have nothing old. */
  private static final int RIDERS_MAX = 50;

  /** Longer than a node goes by what it has read ({@link MongoEntries#KEPT_NANOS}). */
  private static final long SETTLE_NANOS = 2 * MongoEntries.KEPT_NANOS;

  private static final BsonDocument BY_RIDER = new BsonDocument("riderId", new BsonInt32(1));
  private static final RawBsonDocument RIDER_ALONE =
      MongoBson.document(
          writer -> {
            writer.writeInt32("_id", 0);
            writer.writeInt32("riderId", 1);
          });

  private final MongoDocuments documents;
  private final MongoCollection<RawBsonDocument> entries;

  /** Entries in a database; sends no query yet. */
  public MongoEntryRemoval(MongoDocuments documents) {
    this.documents = documents;
    entries =
        documents
            .collection(MongoEntries.COLLECTION, MongoEntries.CODEC)
            .withDocumentClass(RawBsonDocument.class);
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        new MongoQuery(
            "entries: next rider", MongoEntries.COLLECTION, behind("rider"), BY_RIDER, false));
  }

  @Override
  public RemovalPlans plans() {
    return new MongoRemovalPlans(documents, KIND);
  }

  @Override
  public long settleNanos() {
    return SETTLE_NANOS;
  }

  @Override
  public Page<StatementEntry> page(String after, long beforeMillis, int limit)
      throws IOException, InterruptedException {
    long end = EntryRemoval.end(beforeMillis);
    List<StatementEntry> found = new ArrayList<>(limit);
    EntryCursor at = EntryCursor.read(after);
    int unreadable = 0;
    for (int riders = 0; riders < RIDERS_MAX && found.size() < limit; riders++) {
      if (at.atMillis() == EntryCursor.DONE) {
        String next = riderBehind(at.riderId());
        if (next == null) {
          return new Page<>(found, unreadable, riders == 0 ? null : at.text());
        }
        at = new EntryCursor(next, 0, "");
      }
      int left = limit - found.size();
      List<RawBsonDocument> rows = rows(at, end, left);
      for (RawBsonDocument row : rows) {
        StatementEntry one = readable(row);
        unreadable += one == null ? 1 : 0;
        if (one != null) {
          found.add(one);
        }
      }
      at = rows.size() < left ? EntryCursor.behind(at.riderId()) : behind(rows.getLast());
    }
    return new Page<>(found, unreadable, at.text());
  }

  private @Nullable String riderBehind(String riderId) throws IOException, InterruptedException {
    RawBsonDocument first =
        documents.ask(
            () -> entries.find(behind(riderId)).sort(BY_RIDER).projection(RIDER_ALONE).first());
    return first == null ? null : first.getString("riderId").getValue();
  }

  private static RawBsonDocument behind(String riderId) {
    return MongoBson.document(
        writer -> MongoBson.document(writer, "riderId", of -> of.writeString("$gt", riderId)));
  }

  /** A rider's next entries: the rest of a millisecond, then later ones, as pages are read. */
  private List<RawBsonDocument> rows(EntryCursor at, long end, int limit)
      throws IOException, InterruptedException {
    List<RawBsonDocument> rows = new ArrayList<>();
    long from = at.atMillis();
    if (!at.id().isEmpty()) {
      rows.addAll(read(MongoEntries.rest(at.riderId(), from, at.id()), limit));
      from++;
    }
    if (rows.size() < limit) {
      rows.addAll(read(MongoEntries.range(at.riderId(), from, end), limit - rows.size()));
    }
    return rows;
  }

  private List<RawBsonDocument> read(Bson which, int limit)
      throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          List<RawBsonDocument> all = new ArrayList<>();
          try (MongoCursor<RawBsonDocument> rows =
              entries.find(which).sort(MongoEntries.IN_ORDER).limit(limit).iterator()) {
            rows.forEachRemaining(all::add);
          }
          return all;
        });
  }

  private static EntryCursor behind(RawBsonDocument row) {
    return new EntryCursor(
        row.getString("riderId").getValue(),
        row.getNumber("at", new BsonInt64(0)).longValue(),
        row.getString("_id", new BsonString("")).getValue());
  }

  private static @Nullable StatementEntry readable(RawBsonDocument row) {
    try {
      return row.decode(MongoEntries.CODEC);
    } catch (RuntimeException damaged) {
      return null;
    }
  }

  @Override
  public List<StatementEntry> find(List<String> ids) throws IOException, InterruptedException {
    List<StatementEntry> found = new ArrayList<>(ids.size());
    for (RawBsonDocument row : read(MongoBson.byIds(ids), ids.size())) {
      StatementEntry one = readable(row);
      if (one != null) {
        found.add(one);
      }
    }
    return found;
  }

  @Override
  public int remove(List<RemovalPlan.Row> rows) throws IOException, InterruptedException {
    Bson which = MongoBson.byIds(rows.stream().map(RemovalPlan.Row::id).toList());
    return (int) documents.ask(() -> entries.deleteMany(which)).getDeletedCount();
  }

  /** MongoDB gives its room to new documents by itself. */
  @Override
  public boolean shrink() {
    return false;
  }
}
