import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * A statement's read alone, by the server's own driver: the same command, one answer as bytes, in a
 * closed loop. No HTTP, sums or metrics.
 */
final class PlainDriver {
  private static final String COMMAND =
      """
      {find: 'statement_entries', filter: {riderId: '%s', at: {$gte: {$numberLong: '%s'},
        $lt: {$numberLong: '%s'}}}, projection: {_id: 0, at: 1, kind: 1, amount: 1, distance: 1,
        currency: 1}, sort: {at: 1}, limit: 20000, batchSize: 20000, singleBatch: true,
        readConcern: {level: 'majority'}}
      """;

  private PlainDriver() {}

  /**
   * {@code java -cp gilmok-all.jar PlainDriver.java URI RIDER FROM UNTIL SECONDS WARM-UP THREADS
   * [virtual]}; FROM and UNTIL in epoch ms, the database's name in URI.
   */
  public static void main(String[] arguments) throws InterruptedException {
    BsonDocument command =
        BsonDocument.parse(COMMAND.formatted(arguments[1], arguments[2], arguments[3]));
    int seconds = Integer.parseInt(arguments[4]);
    long warmUp = Integer.parseInt(arguments[5]);
    int threads = Integer.parseInt(arguments[6]);
    boolean areVirtual = arguments.length > 7 && arguments[7].equals("virtual");
    String uri = arguments[0];
    String name = uri.replaceAll(".*/([^/?]+).*", "$1");
    LongAdder answers = new LongAdder();
    LongAdder bytes = new LongAdder();
    try (MongoClient client = MongoClients.create(uri)) {
      MongoDatabase database = client.getDatabase(name);
      long end = System.nanoTime() + (warmUp + seconds) * 1_000_000_000L;
      ThreadFactory factory =
          (areVirtual ? Thread.ofVirtual() : Thread.ofPlatform()).factory();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            factory.newThread(
                () -> {
                  while (System.nanoTime() < end) {
                    RawBsonDocument answer = database.runCommand(command, RawBsonDocument.class);
                    bytes.add(answer.getByteBuffer().remaining());
                    answers.increment();
                  }
                }));
      }
      all.forEach(Thread::start);
      Thread.sleep(warmUp * 1_000L);
      long processor = processor();
      long answered = answers.sum();
      Thread.sleep(seconds * 1_000L - 100);
      long count = answers.sum() - answered;
      System.out.printf(
          "%d %s threads: %.0f/s, %.0f µs of processor each, %.0f bytes%n",
          threads,
          areVirtual ? "virtual" : "platform",
          count / (seconds - 0.1),
          (processor() - processor) / 1e3 / count,
          bytes.sum() / (double) answers.sum());
      for (Thread one : all) {
        one.join();
      }
    }
  }

  private static long processor() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
