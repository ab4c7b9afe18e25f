package gilmok.collect.devices;

import static gilmok.documents.MongoBson.byId;
import static gilmok.documents.MongoBson.document;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndex;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoQuery;
import gilmok.observe.RateLimitedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Devices in MongoDB, one document each: {@code riderId}, {@code group}, {@code commands} that
 * wait, {@code held}, until when a command's sender holds it, and {@code ended}, the last commands
 * that wait no more. Thread-safe; calls block.
 *
 * <p><b>Changes</b> set only the fields that they are about, so none undoes another. Each raises
 * {@code version}, and sets {@code changedAt} by the database's clock, whatever the nodes' clocks
 * say; it is indexed, so that nodes read only what has changed. A new document begins with the time
 * as its version: so a device that is removed and comes back has a higher one than before.
 *
 * <p><b>A device of which nothing is kept</b> stays as an empty document for {@link #IDLE}, so that
 * all nodes see the change, and is then removed.
 */
public final class MongoDevices implements DeviceStore {
  /** The name of the collection. */
  public static final String COLLECTION = "devices";

  /** The indexes that the queries need. */
  public static final List<MongoIndex> INDEXES =
      List.of(MongoIndex.of("changed", MongoDeviceCodec.CHANGED));

  /** For how long an empty document stays; longer than clocks differ and nodes are away. */
  static final Duration IDLE = Duration.ofHours(1);

  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);
  private static final UpdateOptions ADD = new UpdateOptions().upsert(true);
  private static final BulkWriteOptions EACH_BY_ITSELF = new BulkWriteOptions().ordered(false);
  private static final RawBsonDocument BY_ID =
      document(order -> order.writeInt32(MongoDeviceCodec.ID, 1));
  private static final RawBsonDocument OLDEST =
      document(order -> order.writeInt32(MongoDeviceCodec.CHANGED, 1));
  private static final RawBsonDocument NEWEST =
      document(order -> order.writeInt32(MongoDeviceCodec.CHANGED, -1));

  private final MongoDocuments documents;
  private final MongoCollection<BsonDocument> devices;
  private final RateLimitedLog unreadable =
      new RateLimitedLog(
          "gilmok.devices",
          "a device in the database cannot be read, and what is known of it stays; correct or"
              + " remove its document");

  /** Devices in a database that has the {@link #INDEXES}; sends no query yet. */
  public MongoDevices(MongoDocuments documents) {
    this.documents = documents;
    devices = documents.collection(COLLECTION, new BsonDocumentCodec());
  }

  /** All queries, for {@code gilmok doctor}. */
  public static List<MongoQuery> queries() {
    return List.of(
        new MongoQuery("devices: all, by id", COLLECTION, MongoBson.after("d"), BY_ID, false),
        new MongoQuery("devices: changed", COLLECTION, changedSince(0), OLDEST, false),
        new MongoQuery("devices: newest", COLLECTION, new BsonDocument(), NEWEST, false),
        MongoQuery.of("devices: some", COLLECTION, MongoBson.byIds(List.of("d", "e"))),
        MongoQuery.of("devices: claim", COLLECTION, MongoDeviceChanges.free("d", "c", 0)));
  }

  @Override
  public Page page(String afterId, long nowMillis) throws IOException, InterruptedException {
    List<BsonDocument> found = some(MongoBson.after(afterId), BY_ID);
    List<Device> read = new ArrayList<>(found.size());
    List<String> damaged = new ArrayList<>();
    List<Device> idle = new ArrayList<>();
    for (BsonDocument one : found) {
      Device device = device(one);
      if (device == null) {
        damaged.add(MongoDeviceCodec.id(one));
      } else {
        read.add(device);
        // The version of a document that is being filled is the time at which it was added.
        long since = Math.max(MongoDeviceCodec.changedMillis(one), device.version());
        if (!device.isKept() && since < nowMillis - IDLE.toMillis()) {
          idle.add(device);
        }
      }
    }
    String next = found.size() < PAGE_MAX ? null : MongoDeviceCodec.id(found.getLast());
    return new Page(read, damaged, idle, next);
  }

  private List<BsonDocument> some(RawBsonDocument filter, RawBsonDocument order)
      throws IOException, InterruptedException {
    return documents.ask(
        () ->
            devices
                .find(filter)
                .sort(order)
                .limit(PAGE_MAX)
                .batchSize(PAGE_MAX)
                .into(new ArrayList<>()));
  }

  /** A device; null when somebody has written something else there. */
  private @Nullable Device device(BsonDocument document) {
    try {
      return MongoDeviceCodec.device(document);
    } catch (RuntimeException damaged) {
      unreadable.about(MongoDeviceCodec.id(document) + ": " + damaged.getMessage());
      return null;
    }
  }

  @Override
  public long newestMillis() throws IOException, InterruptedException {
    BsonDocument newest = documents.ask(() -> devices.find().sort(NEWEST).limit(1).first());
    return newest == null ? 0 : MongoDeviceCodec.changedMillis(newest);
  }

  @Override
  public Changes changes(long sinceMillis) throws IOException, InterruptedException {
    List<BsonDocument> found = some(changedSince(sinceMillis), OLDEST);
    List<Device> read = new ArrayList<>(found.size());
    for (BsonDocument one : found) {
      Device device = device(one);
      if (device != null) {
        read.add(device);
      }
    }
    long through = found.isEmpty() ? sinceMillis : MongoDeviceCodec.changedMillis(found.getLast());
    return new Changes(read, through, found.size() < PAGE_MAX);
  }

  private static RawBsonDocument changedSince(long millis) {
    return document(
        filter ->
            document(
                filter, MongoDeviceCodec.CHANGED, since -> since.writeDateTime("$gte", millis)));
  }

  @Override
  public Device tie(String id, String rider, @Nullable String group, long nowMillis)
      throws IOException, InterruptedException {
    RawBsonDocument update = MongoDeviceChanges.tie(rider, group);
    Device after = changed(byId(id), update);
    if (after == null) {
      add(id, nowMillis);
      after = changed(byId(id), update);
    }
    if (after == null) {
      throw MongoOutage.CONTENDED;
    }
    return after;
  }

  @Override
  public @Nullable Device untie(String id) throws IOException, InterruptedException {
    return changed(byId(id), MongoDeviceChanges.untie());
  }

  @Override
  public @Nullable Device tell(String id, Device.Waiting command, int max)
      throws IOException, InterruptedException {
    RawBsonDocument roomy = MongoDeviceChanges.withRoom(id, max);
    RawBsonDocument update = MongoDeviceChanges.tell(command);
    Device after = changed(roomy, update);
    if (after == null) { // too many wait, or the device is new
      add(id, command.sinceMillis());
      after = changed(roomy, update);
    }
    return after;
  }

  @Override
  public @Nullable Device claim(String id, String commandId, long nowMillis, long untilMillis)
      throws IOException, InterruptedException {
    return changed(
        MongoDeviceChanges.free(id, commandId, nowMillis),
        MongoDeviceChanges.hold(commandId, untilMillis));
  }

  @Override
  public void end(List<Ending> endings) throws IOException, InterruptedException {
    List<UpdateOneModel<BsonDocument>> all = new ArrayList<>(endings.size());
    for (Ending one : endings) {
      all.add(
          new UpdateOneModel<>(
              MongoDeviceChanges.ofCommand(one.deviceId(), one.ended().id()),
              MongoDeviceChanges.end(one.ended())));
    }
    documents.ask(() -> devices.bulkWrite(all, EACH_BY_ITSELF));
  }

  @Override
  public List<Restored> restore(List<Device> brought, long nowMillis)
      throws IOException, InterruptedException {
    List<String> ids = brought.stream().map(Device::id).distinct().toList();
    Map<String, Device> before = those(ids);
    List<UpdateOneModel<BsonDocument>> added = new ArrayList<>();
    List<UpdateOneModel<BsonDocument>> filled = new ArrayList<>();
    for (Device one : brought) {
      Device there = before.get(one.id());
      if (there == null) {
        added.add(new UpdateOneModel<>(byId(one.id()), MongoDeviceChanges.first(nowMillis), ADD));
      }
      if (there == null || isOpen(there, one)) {
        filled.add(
            new UpdateOneModel<>(MongoDeviceChanges.open(one), MongoDeviceChanges.fill(one)));
      }
    }
    if (!added.isEmpty()) {
      askAgain(() -> devices.bulkWrite(added, EACH_BY_ITSELF));
    }
    if (!filled.isEmpty()) {
      documents.ask(() -> devices.bulkWrite(filled, EACH_BY_ITSELF));
    }
    Map<String, Device> after = filled.isEmpty() ? before : those(ids);
    List<Restored> all = new ArrayList<>(brought.size());
    for (Device one : brought) {
      Device was = before.get(one.id());
      Device now = after.getOrDefault(one.id(), one); // none: another has removed it just now
      boolean wasThere = was != null && !isOpen(was, one);
      boolean isAnother =
          !Objects.equals(now.riderId(), one.riderId())
              || !Objects.equals(now.group(), one.group());
      all.add(new Restored(wasThere || isAnother, now));
    }
    return all;
  }

  private Map<String, Device> those(List<String> ids) throws IOException, InterruptedException {
    RawBsonDocument filter = MongoBson.byIds(ids);
    int batch = ids.size() + 1; // more than there can be: the first batch is the last
    List<BsonDocument> found =
        documents.ask(() -> devices.find(filter).batchSize(batch).into(new ArrayList<>()));
    Map<String, Device> all = new HashMap<>();
    for (BsonDocument one : found) {
      String id = MongoDeviceCodec.id(one);
      Device read = device(one);
      all.put(id, read == null ? Device.unknown(id).tied(id, null) : read); // a damaged one stays
    }
    return all;
  }

  /** Whether a device can be brought where that one is. */
  private static boolean isOpen(Device there, Device brought) {
    return there.riderId() == null && (brought.waiting().isEmpty() || there.waiting().isEmpty());
  }

  @Override
  public void remove(Device idle) throws IOException, InterruptedException {
    RawBsonDocument filter = MongoDeviceChanges.unchanged(idle);
    documents.ask(() -> devices.deleteOne(filter));
  }

  private @Nullable Device changed(RawBsonDocument filter, RawBsonDocument update)
      throws IOException, InterruptedException {
    BsonDocument after = documents.ask(() -> devices.findOneAndUpdate(filter, update, AFTER));
    return after == null ? null : MongoDeviceCodec.device(after);
  }

  private void add(String id, long nowMillis) throws IOException, InterruptedException {
    askAgain(() -> devices.updateOne(byId(id), MongoDeviceChanges.first(nowMillis), ADD));
  }

  /** Makes a call, and once more if another has inserted the same document meanwhile. */
  private <T> T askAgain(MongoDocuments.Call<T> call) throws IOException, InterruptedException {
    return documents.ask(
        () -> {
          try {
            return call.ask();
          } catch (MongoException there) {
            if (!isOnlyThere(there)) {
              throw there;
            }
            return call.ask();
          }
        });
  }

  private static boolean isOnlyThere(MongoException thrown) {
    return thrown instanceof MongoBulkWriteException bulk
        ? MongoDocuments.saysDuplicatesAlone(bulk)
        : thrown.getCode() == MongoDocuments.DUPLICATE_KEY;
  }
}
