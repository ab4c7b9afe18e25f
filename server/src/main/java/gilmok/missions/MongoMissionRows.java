package gilmok.missions;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.retention.MongoRemovalPlans;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** Missions and progress in MongoDB, read and removed. Thread-safe; calls block. */
public final class MongoMissionRows implements MissionRows {
  /** Longer than a node goes by what it has read ({@link MongoClosedMissions#KEPT_NANOS}). */
  private static final long SETTLE_NANOS = 2 * MongoClosedMissions.KEPT_NANOS;

  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final RawBsonDocument ID = MongoBson.document(it -> it.writeInt32("_id", 1));
  private static final RawBsonDocument BY_ID =
      MongoBson.document(order -> order.writeInt32("_id", 1));

  private final MongoDocuments documents;
  private final MongoMissions store;
  private final MongoCollection<BsonDocument> missions;
  private final MongoCollection<BsonDocument> progress;
  private final MongoCollection<BsonDocument> profiles;

  /** Those in a database; sends no query yet. */
  public MongoMissionRows(MongoDocuments documents) {
    this.documents = documents;
    store = new MongoMissions(documents);
    missions = documents.collection(MongoMissions.MISSIONS, new BsonDocumentCodec());
    progress = documents.collection(MongoMissions.PROGRESS, new BsonDocumentCodec());
    profiles = documents.collection(MongoMissions.PROFILES, new BsonDocumentCodec());
  }

  @Override
  public RemovalPlans plans() {
    return new MongoRemovalPlans(documents, ClosedMissions.KIND);
  }

  @Override
  public long settleNanos() {
    return SETTLE_NANOS;
  }

  @Override
  public List<MissionStore.Kept> missions() throws IOException, InterruptedException {
    return store.missions();
  }

  @Override
  public List<MissionStore.Kept> missions(List<String> ids)
      throws IOException, InterruptedException {
    RawBsonDocument which = MongoBson.byIds(ids);
    return documents.ask(() -> missions.find(which).sort(BY_ID).into(new ArrayList<>())).stream()
        .map(
            one ->
                new MissionStore.Kept(
                    one.getString("_id").getValue(), one.getString("json").getValue()))
        .toList();
  }

  @Override
  public List<Row> progressAfter(String after, int limit) throws IOException, InterruptedException {
    return rows(progress.find(MongoBson.after(after)).limit(limit).batchSize(limit));
  }

  @Override
  public List<Row> progress(List<String> ids) throws IOException, InterruptedException {
    return ids.isEmpty() ? List.of() : rows(progress.find(MongoBson.byIds(ids)));
  }

  private List<Row> rows(FindIterable<BsonDocument> which)
      throws IOException, InterruptedException {
    return documents.ask(() -> which.sort(BY_ID).into(new ArrayList<>())).stream()
        .map(one -> new Row(one.getString("_id").getValue(), readable(one)))
        .toList();
  }

  private static MissionStore.@Nullable RiderProgress readable(BsonDocument one) {
    try {
      return MongoProgressCodec.riderProgress(one);
    } catch (RuntimeException damaged) {
      return null;
    }
  }

  @Override
  public int remove(List<RemovalPlan.Row> planned, List<MissionStore.Kept> ended)
      throws IOException, InterruptedException {
    int removed = 0;
    if (!planned.isEmpty()) {
      List<DeleteOneModel<BsonDocument>> all = new ArrayList<>(planned.size());
      planned.forEach(row -> all.add(new DeleteOneModel<>(asArchived(row))));
      removed = documents.ask(() -> progress.bulkWrite(all, EACH_BY_ITSELF)).getDeletedCount();
    }
    if (!ended.isEmpty()) {
      List<DeleteOneModel<BsonDocument>> all = new ArrayList<>(ended.size());
      ended.forEach(one -> all.add(new DeleteOneModel<>(asRead(one))));
      removed += documents.ask(() -> missions.bulkWrite(all, EACH_BY_ITSELF)).getDeletedCount();
      store.countChange();
    }
    return removed;
  }

  /** The filter for a progress that has not changed since. */
  private static RawBsonDocument asArchived(RemovalPlan.Row row) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", row.id());
          writer.writeInt64(MongoProgressCodec.VERSION, row.revision() >> 1);
          boolean isSettled = (row.revision() & 1) == 1;
          MongoBson.compare(writer, MongoProgressCodec.SETTLED, isSettled ? "$ne" : "$eq", 0);
        });
  }

  private static RawBsonDocument asRead(MissionStore.Kept mission) {
    return MongoBson.document(
        writer -> {
          writer.writeString("_id", mission.id());
          writer.writeString("json", mission.json());
        });
  }

  @Override
  public long erase(String riderId) throws IOException, InterruptedException {
    String prefix = riderId + "/";
    RawBsonDocument within =
        MongoBson.document(
            writer ->
                MongoBson.document(
                    writer,
                    "_id",
                    id -> {
                      id.writeString("$gt", prefix);
                      id.writeString("$lt", riderId + "0"); // what follows the slash
                    }));
    List<String> ids = // another rider's id can begin likewise, and go on behind the slash
        documents.ask(() -> progress.find(within).projection(ID).into(new ArrayList<>())).stream()
            .map(one -> one.getString("_id").getValue())
            .filter(id -> id.lastIndexOf('/') == riderId.length())
            .toList();
    long erased =
        ids.isEmpty()
            ? 0
            : documents.ask(() -> progress.deleteMany(MongoBson.byIds(ids))).getDeletedCount();
    return erased
        + documents.ask(() -> profiles.deleteOne(MongoBson.byId(riderId))).getDeletedCount();
  }

  /** MongoDB gives its room to new documents by itself. */
  @Override
  public boolean shrink() {
    return false;
  }
}
