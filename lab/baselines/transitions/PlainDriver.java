import com.mongodb.MongoClientSettings;
import com.mongodb.ConnectionString;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * The commands of a transition on MongoDB alone, by the server's own driver and with its write
 * concern: a creation is an upsert of a claim and one of a delivery, each of four moves a {@code
 * findAndModify} that returns the delivery as bytes. No HTTP, JSON, rules, events or metrics. Each
 * thread makes its own deliveries at its own times, so that nothing is handed over.
 */
final class PlainDriver {
  private static final List<String> STATES =
      List.of("NEW", "ACCEPTED", "ASSIGNED", "PICKED_UP", "COMPLETED");
  private static final String PLACE =
      "{lat: 37.5, lon: 127.0, address: '12 Teheran-ro, Seoul', phone: '010-0000-0000'}";
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions()
          .returnDocument(ReturnDocument.AFTER)
          .projection(BsonDocument.parse("{out: 0}"));

  private final MongoCollection<RawBsonDocument> deliveries;
  private final MongoCollection<RawBsonDocument> claims;
  private final long began = System.nanoTime();
  private final String run = Long.toHexString(System.currentTimeMillis());
  private long bytes;

  private PlainDriver(MongoDatabase database) {
    deliveries = database.getCollection("deliveries", RawBsonDocument.class);
    claims = database.getCollection("claims", RawBsonDocument.class);
  }

  /** {@code java -cp JAR PlainDriver.java URI RATE SECONDS WARM-UP THREADS [virtual]}. */
  public static void main(String[] arguments) throws InterruptedException {
    double rate = Double.parseDouble(arguments[1]);
    int seconds = Integer.parseInt(arguments[2]);
    int warmUp = Integer.parseInt(arguments[3]);
    int threads = Integer.parseInt(arguments[4]);
    boolean areVirtual = arguments.length > 5 && arguments[5].equals("virtual");
    ConnectionString uri = new ConnectionString(arguments[0]);
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(uri)
            .writeConcern(WriteConcern.MAJORITY.withJournal(true))
            .readConcern(ReadConcern.MAJORITY)
            .build();
    try (MongoClient client = MongoClients.create(settings)) {
      PlainDriver driver = new PlainDriver(client.getDatabase("plain"));
      long perThread = (long) (rate * (warmUp + seconds)) / threads;
      long[][] nanos = new long[threads][(int) perThread];
      ThreadFactory factory =
          (areVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).name("plain-", 0).factory();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int which = i;
        all.add(factory.newThread(() -> driver.drive(which, threads, rate, nanos[which])));
      }
      all.forEach(Thread::start);
      TimeUnit.SECONDS.sleep(warmUp);
      long before = processor();
      TimeUnit.SECONDS.sleep(seconds);
      double micros = (processor() - before) / 1e3 / (rate * seconds);
      for (Thread one : all) {
        one.join();
      }
      long[] sorted =
          Arrays.stream(nanos)
              .flatMapToLong(one -> Arrays.stream(one, (int) (rate * warmUp / threads), one.length))
              .sorted()
              .toArray();
      PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true);
      out.printf(
          "%.0f/s, %d %s threads: %.1f µs of processor a transition, p50 %.2f, p99 %.2f ms%n",
          rate,
          threads,
          areVirtual ? "virtual" : "platform",
          micros,
          sorted[sorted.length / 2] / 1e6,
          sorted[(int) (sorted.length * 0.99)] / 1e6);
    }
  }

  private static long processor() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Makes every {@code threads}th transition, and notes how long after it was due it had ended. */
  private void drive(int which, int threads, double rate, long[] nanos) {
    for (int i = 0; i < nanos.length; i++) {
      long due = began + (long) ((i * (double) threads + which) / rate * 1e9);
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      step(run + "-" + which + "-" + i / STATES.size(), i % STATES.size());
      nanos[i] = System.nanoTime() - due;
    }
  }

  private void step(String id, int state) {
    BsonDocument byId = BsonDocument.parse("{_id: '" + id + "'}");
    long now = System.currentTimeMillis();
    String event =
        "{sequence: %d, type: 'delivery.%s', at: {$numberLong: '%d'}, by: 'key', riderId: 'r-1'}"
            .formatted(state + 1, STATES.get(state), now);
    UpdateOptions upsert = new UpdateOptions().upsert(true);
    if (state == 0) {
      BsonDocument delivery =
          BsonDocument.parse(
              """
              {$setOnInsert: {orderId: '%s', shopId: 'shop-1', status: 'NEW', version: 1,
                pickup: %s, dropoff: %s, fee: 3500, currency: 'KRW', events: [%s]}}
              """
                  .formatted(id, PLACE, PLACE, event));
      claims.updateOne(byId, BsonDocument.parse("{$setOnInsert: {order: '" + id + "'}}"), upsert);
      deliveries.updateOne(byId, delivery, upsert);
      return;
    }
    byId.append("status", BsonDocument.parse("{s: '" + STATES.get(state - 1) + "'}").get("s"));
    BsonDocument update =
        BsonDocument.parse(
            "{$set: {status: '%s', updatedAt: %d}, $inc: {version: 1}, $push: {events: %s}}"
                .formatted(STATES.get(state), now, event));
    RawBsonDocument after = deliveries.findOneAndUpdate(byId, update, AFTER);
    if (after == null) {
      throw new IllegalStateException(id + " is not where it should be");
    }
    synchronized (this) {
      bytes += after.getByteBuffer().remaining(); // so that the answer is used
    }
  }
}
