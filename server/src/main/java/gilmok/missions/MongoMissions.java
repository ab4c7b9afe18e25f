package gilmok.missions;

import static gilmok.documents.MongoBson.byId;
import static gilmok.documents.MongoBson.document;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoQuery;
import gilmok.documents.MongoTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Missions in MongoDB. Each mission, each rider's profile and each rider's progress in one mission
 * is a document, so a put changes one document in one atomic step. JSON is stored as text.
 * Thread-safe; calls block.
 *
 * <p><b>Ids.</b> Progress is found by {@code _id} alone, which is {@code rider/mission}. A
 * mission's id has no slash, so it follows the last one. So there is no other index, a rider's
 * documents lie together, and the same key can spread riders over shards.
 *
 * <p><b>Races.</b> Of two calls that insert the same document at once, one gets a duplicate key
 * error (11000); it tries again and finds the document. Documents are removed only when nobody puts
 * them any more, so this happens at most once. A progress is updated, and inserted only if there is
 * none. So every put but the first is one round trip, and does not depend on what a losing upsert
 * answers.
 *
 * <p><b>Changes</b> of missions are counted in a document beside them, after the change; a node
 * that dies in between leaves one uncounted. All reads go to the primary: a cache entry that a
 * write has removed must not be filled with the value from before.
 */
public final class MongoMissions implements MissionStore {
  static final String MISSIONS = "missions";
  static final String PROGRESS = "mission_progress";
  static final String PROFILES = "profiles";

  private static final String ID = "_id";
  private static final String JSON = "json";
  private static final String COUNT = "count";

  /** Never a mission's id, as it has a slash. */
  private static final String COUNT_ID = "/changes";

  /** A server executes a bulk one by one, and each bulk waits for a majority once. */
  private static final int PIECE_MAX = 100;

  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
  private static final ReplaceOptions OR_ADD = new ReplaceOptions().upsert(true);
  private static final RawBsonDocument BY_ID = document(order -> order.writeInt32(ID, 1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> missions;
  private final MongoCollection<Progress> progress;
  private final MongoCollection<BsonDocument> firsts;
  private final MongoCollection<BsonDocument> profiles;
  private final MongoClosedMissions closed;

  /** Missions in that database; sends no query yet. */
  public MongoMissions(MongoDocuments documents) {
    this.documents = documents;
    missions = documents.collection(MISSIONS, new BsonDocumentCodec());
    progress = documents.collection(PROGRESS, new MongoProgressCodec());
    firsts = documents.collection(PROGRESS, new BsonDocumentCodec());
    profiles = documents.collection(PROFILES, new BsonDocumentCodec());
    closed = new MongoClosedMissions(documents);
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    BsonDocument byId = new BsonDocument(ID, new BsonInt32(1));
    return List.of(
        new MongoQuery("missions: all", MISSIONS, new BsonDocument(), byId, true),
        MongoQuery.of("missions: changes", MISSIONS, byId(COUNT_ID)),
        MongoQuery.of("missions: a rider's progress", PROGRESS, those("r", List.of("m", "n"))),
        MongoQuery.of("profiles: one", PROFILES, byId("r")),
        new MongoQuery("missions: all progress", PROGRESS, MongoBson.after("r/m"), byId, false),
        new MongoQuery("profiles: all", PROFILES, MongoBson.after("r"), byId, false));
  }

  @Override
  public List<Kept> missions() throws IOException, InterruptedException {
    List<BsonDocument> found =
        documents.ask(
            () -> missions.find().sort(BY_ID).batchSize(MISSIONS_MAX).into(new ArrayList<>()));
    List<Kept> all = new ArrayList<>(found.size());
    for (BsonDocument one : found) {
      String id = one.getString(ID).getValue();
      if (!id.equals(COUNT_ID)) {
        all.add(new Kept(id, one.getString(JSON).getValue()));
      }
    }
    return all;
  }

  @Override
  public long closedMillis() throws IOException, InterruptedException {
    return closed.millis();
  }

  @Override
  public boolean put(Kept mission, long endMillis) throws IOException, InterruptedException {
    if (closed.has(endMillis)) {
      return false;
    }
    put(missions, mission.id(), mission.json());
    countChange();
    return true;
  }

  /** Tells other nodes that missions have changed. */
  void countChange() throws IOException, InterruptedException {
    RawBsonDocument filter = byId(COUNT_ID);
    RawBsonDocument more =
        document(update -> document(update, "$inc", inc -> inc.writeInt64(COUNT, 1)));
    UpdateOptions orAdd = new UpdateOptions().upsert(true);
    askAgain(() -> missions.updateOne(filter, more, orAdd));
  }

  @Override
  public long revision() throws IOException, InterruptedException {
    BsonDocument count = documents.ask(() -> missions.find(byId(COUNT_ID)).first());
    return count == null ? 0 : count.getNumber(COUNT).longValue();
  }

  @Override
  public List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException, InterruptedException {
    MissionBounds.check(missionIds);
    if (missionIds.isEmpty()) {
      return List.of();
    }
    RawBsonDocument filter = those(riderId, missionIds);
    int batch = missionIds.size() + 1; // more than there can be: the first batch is the last
    return documents.ask(
        () ->
            progress
                .find(filter)
                .comment(MongoTrace.comment())
                .batchSize(batch)
                .into(new ArrayList<>()));
  }

  @Override
  public @Nullable Progress putProgress(
      String riderId, String missionId, String json, long endMillis)
      throws IOException, InterruptedException {
    if (closed.has(endMillis)) {
      return null;
    }
    String id = MongoProgressCodec.id(riderId, missionId);
    RawBsonDocument filter = byId(id);
    RawBsonDocument update =
        document(
            writer -> {
              document(writer, "$set", set -> set.writeString(JSON, json));
              document(writer, "$inc", inc -> inc.writeInt64(MongoProgressCodec.VERSION, 1));
            });
    for (int attempt = 0; attempt < 2; attempt++) {
      Progress after = documents.ask(() -> progress.findOneAndUpdate(filter, update, after()));
      if (after != null) {
        return after;
      }
      if (documents.ask(() -> addFirst(id, json))) {
        return new Progress(missionId, json, 1, 0);
      }
    }
    throw MongoOutage.CONTENDED;
  }

  private static FindOneAndUpdateOptions after() {
    String comment = MongoTrace.comment();
    return comment == null
        ? AFTER
        : new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER).comment(comment);
  }

  /** Inserts a progress; false when it exists already. */
  private boolean addFirst(String id, String json) {
    BsonDocument first =
        new BsonDocument(ID, new BsonString(id))
            .append(JSON, new BsonString(json))
            .append(MongoProgressCodec.VERSION, new BsonInt64(1))
            .append(MongoProgressCodec.SETTLED, new BsonInt64(0));
    try {
      firsts.insertOne(first);
      return true;
    } catch (MongoException there) {
      if (there.getCode() != MongoDocuments.DUPLICATE_KEY) {
        throw there;
      }
      return false;
    }
  }

  @Override
  public int settle(String riderId, List<Due> due, long at)
      throws IOException, InterruptedException {
    MissionBounds.check(due, at);
    if (due.isEmpty()) {
      return 0;
    }
    RawBsonDocument update =
        document(
            writer ->
                document(writer, "$set", set -> set.writeInt64(MongoProgressCodec.SETTLED, at)));
    List<UpdateOneModel<Progress>> all = new ArrayList<>(due.size());
    for (Due one : due) {
      all.add(new UpdateOneModel<>(unsettled(riderId, one), update));
    }
    return documents.ask(() -> progress.bulkWrite(all, EACH_BY_ITSELF)).getModifiedCount();
  }

  @Override
  public int pieceMax() {
    return PIECE_MAX;
  }

  @Override
  public @Nullable String profile(String riderId) throws IOException, InterruptedException {
    BsonDocument found = documents.ask(() -> profiles.find(byId(riderId)).first());
    return found == null ? null : found.getString(JSON).getValue();
  }

  @Override
  public void putProfile(String riderId, String json) throws IOException, InterruptedException {
    put(profiles, riderId, json);
  }

  @Override
  public List<RiderProgress> progressAfter(String cursor, int limit)
      throws IOException, InterruptedException {
    return page(firsts, cursor, limit).stream().map(MongoProgressCodec::riderProgress).toList();
  }

  private List<BsonDocument> page(
      MongoCollection<BsonDocument> collection, String cursor, int limit)
      throws IOException, InterruptedException {
    RawBsonDocument filter = MongoBson.after(cursor);
    return documents.ask(
        () ->
            collection
                .find(filter)
                .comment(MongoTrace.comment())
                .sort(BY_ID)
                .limit(limit)
                .batchSize(limit)
                .into(new ArrayList<>()));
  }

  @Override
  public @Nullable List<Optional<RiderProgress>> restore(List<RiderProgress> past, long endMillis)
      throws IOException, InterruptedException {
    if (closed.has(endMillis)) {
      return null;
    }
    List<BsonDocument> all = new ArrayList<>(past.size());
    for (RiderProgress one : past) {
      Progress progress = one.progress();
      all.add(
          new BsonDocument(
                  ID, new BsonString(MongoProgressCodec.id(one.riderId(), progress.missionId())))
              .append(JSON, new BsonString(progress.json()))
              .append(MongoProgressCodec.VERSION, new BsonInt64(1))
              .append(MongoProgressCodec.SETTLED, new BsonInt64(progress.settledAt())));
    }
    return restore(firsts, all, MongoProgressCodec::riderProgress);
  }

  @Override
  public List<Profile> profilesAfter(String riderId, int limit)
      throws IOException, InterruptedException {
    return page(profiles, riderId, limit).stream().map(MongoMissions::profile).toList();
  }

  private static Profile profile(BsonDocument one) {
    return new Profile(one.getString(ID).getValue(), one.getString(JSON).getValue());
  }

  @Override
  public List<Optional<Profile>> restoreProfiles(List<Profile> past)
      throws IOException, InterruptedException {
    List<BsonDocument> all =
        past.stream()
            .map(
                one ->
                    new BsonDocument(ID, new BsonString(one.riderId()))
                        .append(JSON, new BsonString(one.json())))
            .toList();
    return restore(profiles, all, MongoMissions::profile);
  }

  /** Adds documents where there are none of their ids; returns for each what is there instead. */
  private <T> List<Optional<T>> restore(
      MongoCollection<BsonDocument> collection,
      List<BsonDocument> all,
      Function<BsonDocument, T> read)
      throws IOException, InterruptedException {
    Set<Integer> refused = all.isEmpty() ? Set.of() : documents.ask(() -> insert(collection, all));
    Map<String, BsonDocument> there = new HashMap<>();
    if (!refused.isEmpty()) {
      List<String> ids =
          refused.stream().map(i -> all.get(i).getString(ID).getValue()).distinct().toList();
      documents
          .ask(() -> collection.find(MongoBson.byIds(ids)).into(new ArrayList<>()))
          .forEach(one -> there.put(one.getString(ID).getValue(), one));
    }
    List<Optional<T>> found = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      BsonDocument instead =
          refused.contains(i) ? there.get(all.get(i).getString(ID).getValue()) : null;
      found.add(Optional.ofNullable(instead).map(read));
    }
    return found;
  }

  /** Inserts documents; returns the numbers of those whose id is there already. */
  private static Set<Integer> insert(
      MongoCollection<BsonDocument> collection, List<BsonDocument> all) {
    Set<Integer> refused = new HashSet<>();
    try {
      collection.insertMany(all, new InsertManyOptions().ordered(false));
    } catch (MongoBulkWriteException some) {
      if (!MongoDocuments.saysDuplicatesAlone(some)) {
        throw some;
      }
      some.getWriteErrors().forEach(error -> refused.add(error.getIndex()));
    }
    return refused;
  }

  private void put(MongoCollection<BsonDocument> collection, String id, String json)
      throws IOException, InterruptedException {
    BsonDocument whole =
        new BsonDocument(ID, new BsonString(id)).append(JSON, new BsonString(json));
    askAgain(() -> collection.replaceOne(byId(id), whole, OR_ADD));
  }

  /** Makes a call, and once more if another has inserted the same document meanwhile. */
  private <T> T askAgain(MongoDocuments.Call<T> call) throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          try {
            return call.ask();
          } catch (MongoException there) {
            if (there.getCode() != MongoDocuments.DUPLICATE_KEY) {
              throw there;
            }
            return call.ask();
          }
        });
  }

  /** The filter for a rider's progress in those missions. */
  static RawBsonDocument those(String riderId, List<String> missionIds) {
    List<String> ids = missionIds.stream().map(id -> MongoProgressCodec.id(riderId, id)).toList();
    return MongoBson.byIds(ids);
  }

  /** The filter for a progress that has the version that was read and is not settled. */
  static RawBsonDocument unsettled(String riderId, Due due) {
    return document(
        filter -> {
          filter.writeString(ID, MongoProgressCodec.id(riderId, due.missionId()));
          filter.writeInt64(MongoProgressCodec.VERSION, due.version());
          filter.writeInt64(MongoProgressCodec.SETTLED, 0);
        });
  }
}
