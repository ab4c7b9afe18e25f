package gilmok.deliveries;

import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Measures what a delivery over MongoDB costs this process: create, accept, assign, pick up and
 * complete, by 16 callers at once, after a warm-up. The database runs in another process and is not
 * counted. A program, not a test: {@code main(deliveries)}.
 */
final class MongoDeliveriesSpeed {
  private static final int AT_ONCE = 16;
  private static final int STEPS = 5;
  private static final int ROUNDS = 6;

  private final Day day = new Day();
  private final MongoDeliveries store;
  private final AtomicInteger left = new AtomicInteger();

  private MongoDeliveriesSpeed(MongoDeliveries store) {
    this.store = store;
  }

  // Measures several rounds; the last is the warmest.
  public static void main(String[] args) throws Exception {
    int deliveries = args.length == 0 ? 4_000 : Integer.parseInt(args[0]);
    MongoServer server = MongoServer.any();
    String database = server.newDatabase();
    try (Meters meters = new Meters();
        MongoDocuments documents = new MongoDocuments(server.config(database, Map.of()), meters)) {
      new MongoIndexes(documents, MongoConfig.IndexMode.CREATE, MongoDeliveries.indexes()).look();
      MongoDeliveriesSpeed speed =
          new MongoDeliveriesSpeed(
              new MongoDeliveries(
                  documents,
                  InstantSource.system(),
                  new UnreadableDeliveries(new Meters(), InstantSource.system())));
      for (int round = 0; round < ROUNDS; round++) {
        speed.round(deliveries);
      }
    } finally {
      server.drop(database);
    }
  }

  private void round(int deliveries) throws Exception {
    left.set(deliveries);
    long cpuBefore = cpuNanos();
    long before = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all =
          IntStream.range(0, AT_ONCE).mapToObj(i -> threads.submit(() -> run(i))).toList();
      for (Future<Boolean> one : all) {
        one.get();
      }
    }
    double steps = (double) deliveries * STEPS;
    System.out.printf(
        "%.0f steps: %.0f/s, %.1f us of processor each%n",
        steps,
        steps * 1e9 / (System.nanoTime() - before),
        (cpuNanos() - cpuBefore) / 1_000.0 / steps);
  }

  private boolean run(int seed) throws IOException, InterruptedException {
    Random random = new Random(System.nanoTime() + seed);
    while (left.getAndDecrement() > 0) {
      String id = DeliveryId.next(System.currentTimeMillis(), random);
      DeliveryOrder order = Day.order(id, Day.SHOP, Day.AGENCY);
      day.created(store, Lifecycle.create(id, order, "key:k1", System.currentTimeMillis()));
      day.moved(
          store,
          id,
          day.move(Step.ACCEPT),
          day.assign(Day.RIDER),
          day.move(Step.PICK_UP),
          day.move(Step.COMPLETE));
    }
    return true;
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
