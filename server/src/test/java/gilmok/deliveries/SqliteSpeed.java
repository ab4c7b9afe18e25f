package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Moving;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how fast the store alone creates and moves deliveries for many callers at once, while
 * the log's and the shop's readers follow. Arguments: deliveries per run, callers, whether the
 * readers follow, a folder on the disk to be measured.
 */
final class SqliteSpeed {
  private SqliteSpeed() {}

  public static void main(String[] args) throws Exception {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
    int callers = args.length > 1 ? Integer.parseInt(args[1]) : 128;
    boolean follow = args.length <= 2 || Boolean.parseBoolean(args[2]);
    Path parent = Path.of(args.length > 3 ? args[3] : System.getProperty("java.io.tmpdir"));
    Path folder = Files.createTempDirectory(parent, "sqlite-speed");
    try (SqliteRig rig = new SqliteRig(folder, InstantSource.system())) {
      AtomicBoolean ends = new AtomicBoolean();
      Thread follower = Thread.ofVirtual().unstarted(() -> follow(rig, ends));
      if (follow) {
        follower.start();
      }
      for (int run = 1; run <= 5; run++) {
        run(rig, run, count, callers);
      }
      ends.set(true);
      if (follow) {
        follower.join();
      }
      System.out.printf("file %,d bytes%n", Files.size(folder.resolve("documents.db")));
      System.out.println(rig.commits());
    }
  }

  private static void run(SqliteRig rig, int run, int count, int callers) throws Exception {
    AtomicInteger next = new AtomicInteger();
    long[] nanos = new long[5 * count];
    CountDownLatch done = new CountDownLatch(callers);
    long cpu = cpu();
    long written = written();
    long began = System.nanoTime();
    for (int i = 0; i < callers; i++) {
      Random random = new Random(run * 1_000L + i);
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                    one(rig, run + "-" + n, random, nanos, 5 * n);
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
    double seconds = (System.nanoTime() - began) / 1e9;
    double micros = (cpu() - cpu) / 1e3 / nanos.length;
    Arrays.sort(nanos);
    System.out.printf(
        "run %d: %,.0f transitions/s, each %.1f us of processor and %,d bytes written,"
            + " p50 %.1f p99 %.1f max %.1f ms%n",
        run,
        nanos.length / seconds,
        micros,
        (written() - written) / nanos.length,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length / 100 * 99] / 1e6,
        nanos[nanos.length - 1] / 1e6);
  }

  private static void one(SqliteRig rig, String order, Random random, long[] nanos, int from)
      throws Exception {
    int at = from;
    long began = System.nanoTime();
    Delivery first =
        Lifecycle.create(
            DeliveryId.next(System.currentTimeMillis(), random),
            Day.order(order, "shop-" + random.nextInt(300), Day.AGENCY),
            "key:k1",
            System.currentTimeMillis());
    rig.deliveries().create(List.of(Day.wish(first, order, "a".repeat(64))));
    nanos[at++] = System.nanoTime() - began;
    Day day = new Day();
    for (Move move :
        List.of(
            day.move(Step.ACCEPT),
            day.assign("rider-" + random.nextInt(500)),
            day.move(Step.PICK_UP),
            day.move(Step.COMPLETE))) {
      began = System.nanoTime();
      if (!(rig.deliveries().move(first.id(), move) instanceof Moving.Moved)) {
        throw new IllegalStateException("not moved");
      }
      nanos[at++] = System.nanoTime() - began;
    }
  }

  /** Follows as a log writer does, and as a relay does whose shops take everything at once. */
  private static void follow(SqliteRig rig, AtomicBoolean ends) {
    long told = 0;
    try {
      while (!ends.get()) {
        for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
          List<Outbox.Told> all = new ArrayList<>();
          for (OutboxReader reader : List.of(OutboxReader.LOG, OutboxReader.SHOP)) {
            for (Outbox.Due due :
                rig.outbox().due(reader, Shards.of(shard), System.currentTimeMillis(), 200)) {
              all.add(new Outbox.Told(due.delivery().id(), reader, due.delivery().version()));
            }
          }
          told += all.size();
          rig.outbox().told(all);
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    System.out.printf("told %,d times%n", told);
  }

  /** The bytes that this process has sent to disks. */
  private static long written() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("write_bytes: ")) {
        return Long.parseLong(line.substring("write_bytes: ".length()));
      }
    }
    return 0;
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
