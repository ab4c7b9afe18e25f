package gilmok.audit;

import gilmok.background.BackgroundLoops;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.event.DedupKey;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.FaultyDisk;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An audit with a log and documents of its own in a folder; stopped and begun again at will. */
public final class AuditRig implements AutoCloseable {
  static final Duration RETENTION = Duration.ofDays(400);
  static final NodeId NODE = new NodeId(7);

  /** Segments of 64 KiB, at most 8 of them. */
  private static final LogConfig SMALL =
      new LogConfig(
          1 << 16, 1 << 14, 200, 8L << 16, Duration.ofDays(1), 10_000, Duration.ofMillis(20));

  final AtomicLong now = new AtomicLong(Instant.parse("2026-11-21T09:00:00Z").toEpochMilli());
  final AtomicInteger raised = new AtomicInteger();
  final AtomicBoolean isFull = new AtomicBoolean();
  final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** How often the audit's own thread has read from the log's files. */
  final AtomicInteger reads = new AtomicInteger();

  final Log log;
  final AuditStore store;

  /** The audit. */
  public final Audit audit;

  private final SqliteDatabase database;
  private final Meters meters = new Meters();

  /** Opens what is in the folder. */
  public AuditRig(Path folder) throws IOException, InterruptedException {
    this(folder, LogConfig.WhenFull.REFUSE);
  }

  AuditRig(Path folder, LogConfig.WhenFull whenFull) throws IOException, InterruptedException {
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    disk.set(this::read);
    log =
        Log.open(
            new LogConfig(
                SMALL.segmentBytes(),
                SMALL.groupBytesMax(),
                SMALL.groupTicketsMax(),
                SMALL.bytesMax(),
                SMALL.retention(),
                SMALL.repeatsMax(),
                SMALL.snapshotInterval(),
                whenFull),
            new LogContext(disk, clock, new Random(1), keys(), LogMeter.NONE, failures::add),
            folder,
            NODE);
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    store = new SqliteAudit(database);
    audit =
        new Audit(
            new AuditContext(
                log,
                this::raise,
                keys(),
                store,
                RETENTION,
                meters,
                BackgroundLoops.unwatched(),
                clock,
                new Random(2)));
    audit.start();
  }

  private void read(FaultyDisk.Operation operation, Path path) {
    boolean isAudits = Thread.currentThread().getName().contains("follow-audit");
    reads.addAndGet(isAudits && operation == FaultyDisk.Operation.READ ? 1 : 0);
  }

  private void raise() throws IOException {
    if (isFull.get()) {
      throw new IOException("no space left on the device");
    }
    raised.incrementAndGet();
  }

  /** All entries, the newest first, once they are copied. */
  List<AuditStore.Row> rows() throws IOException, InterruptedException {
    boolean isCopied = audit.awaitCopied(Duration.ofSeconds(20));
    if (!isCopied) {
      throw new IllegalStateException("not copied");
    }
    return store.page(new AuditStore.Question("0", "g", null, 1000), now.get());
  }

  /**
   * Appends records of another stream, as many as the log may hold; or until it takes none, however
   * small.
   */
  void fill() throws InterruptedException {
    if (!append(4000)) {
      boolean _ = append(50);
    }
  }

  /** Appends records of that size; false when the log takes none for a while. */
  private boolean append(int size) throws InterruptedException {
    AppendBatch batch = new AppendBatch();
    byte[] record = new byte[size];
    int refused = 0;
    for (long written = 0; written < SMALL.bytesMax(); ) {
      batch.clear();
      batch.add(Stream.LOGS, record, 0, record.length, System.nanoTime(), written);
      CountDownLatch durable = new CountDownLatch(1);
      if (log.append(batch, AppendCompletion.of(durable::countDown)) == AppendResult.TAKEN) {
        durable.await();
        written += record.length;
        refused = 0;
      } else if (++refused == 100) {
        return false;
      } else {
        LockSupport.parkNanos(5_000_000);
      }
    }
    return true;
  }

  /** Waits until there are so many entries. */
  void awaitRows(int count) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (rows().size() < count) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not " + count + " entries");
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  static RecordKeys keys() {
    DedupKey repeat = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }

  @Override
  public void close() throws IOException {
    try {
      audit.drain(Duration.ofSeconds(5));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    log.close();
    database.close();
    meters.close();
  }
}
