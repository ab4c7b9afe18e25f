package gilmok.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.LogReader;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A real log in a folder, and shippers that read it. */
final class SinksRig implements AutoCloseable {
  static final NodeId NODE = new NodeId(42);
  static final Set<Stream> ALL = EnumSet.allOf(Stream.class);
  static final SinkLimits LIMITS = new SinkLimits(500, 1 << 20, 8);

  /** Batches of up to 10 records, 1 ms old at most, four in flight. */
  static final Tuning QUICK = new Tuning(10, 1 << 16, Duration.ofMillis(1), 4);

  /** Segments of 64 KiB, groups of 16 KiB, room for 10 segments. */
  static final LogConfig SMALL =
      new LogConfig(
          1 << 16, 1 << 14, 200, 10L << 16, Duration.ofDays(1), 50_000, Duration.ofDays(1));

  static final RecordKeys KEYS =
      (stream, bytes, offset, length, key) -> {
        long hash = 31L * length + stream.code();
        for (int i = offset; i < offset + length; i++) {
          hash = hash * 1_000_003 + bytes[i];
        }
        key[0] = mixed(hash);
        key[1] = mixed(key[0] + length);
      };

  final AtomicLong now = new AtomicLong(Instant.parse("2026-03-01T09:00:00Z").toEpochMilli());
  final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
  final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  final Log log;
  private final List<Shipper> shippers = new ArrayList<>();
  private final List<Meters> meters = new ArrayList<>();

  /**
   * As {@link #SMALL}, but the deduplication snapshot is saved at once, so that segments that every
   * cursor has passed can be deleted when room is needed.
   */
  static LogConfig filling(LogConfig.WhenFull whenFull) {
    return new LogConfig(
        1 << 16,
        1 << 14,
        200,
        10L << 16,
        Duration.ofDays(1),
        50_000,
        Duration.ofMillis(5),
        whenFull);
  }

  SinksRig(Path data) throws IOException, InterruptedException {
    this(data, SMALL);
  }

  SinksRig(Path data, LogConfig config) throws IOException, InterruptedException {
    this(data, config, new FileDisk());
  }

  SinksRig(Path data, LogConfig config, Disk disk) throws IOException, InterruptedException {
    log =
        Log.open(
            config,
            new LogContext(disk, clock, new Random(1), KEYS, LogMeter.NONE, failures::add),
            data,
            NODE);
  }

  /** Spreads a key as a real hash does: the deduplication table relies on it. */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }

  static SinkConfig config(Tuning tuning, Set<Stream> streams) {
    return config("scripted", tuning, streams);
  }

  static SinkConfig config(String name, Tuning tuning, Set<Stream> streams) {
    return new SinkConfig(
        name,
        streams,
        tuning,
        LIMITS,
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        SinkConfig.From.OLDEST);
  }

  SinksContext context(Duration saveInterval) {
    Meters own = new Meters();
    meters.add(own);
    return new SinksContext(clock, new Random(7), KEYS, own, saveInterval);
  }

  /** Starts a shipper whose sink acknowledges what is collected. */
  Shipper startAwaited(Sink sink, Tuning tuning, Duration wait)
      throws IOException, InterruptedException {
    log.early().begin();
    Meters own = new Meters();
    meters.add(own);
    SinksContext context =
        new SinksContext(
            clock,
            new Random(7),
            KEYS,
            own,
            new SlowRequests(System::nanoTime),
            Duration.ofMillis(1),
            new AckPlan("scripted", wait));
    Shipper shipper = Shipper.start(config(tuning, ALL), sink, new Booked(), log, context);
    shippers.add(shipper);
    return shipper;
  }

  Shipper start(Sink sink) throws IOException, InterruptedException {
    return start(config(QUICK, ALL), sink, new Booked());
  }

  Shipper start(SinkConfig config, Sink sink, ReceiptBook book)
      throws IOException, InterruptedException {
    return start(config, sink, book, Duration.ofMillis(1));
  }

  Shipper start(SinkConfig config, Sink sink, ReceiptBook book, Duration saveInterval)
      throws IOException, InterruptedException {
    SinksContext context = context(saveInterval);
    Shipper shipper = Shipper.start(config, sink, book, log, context);
    SinkGauges.show(context.meters(), shipper);
    shippers.add(shipper);
    return shipper;
  }

  /** Appends records of a stream and waits until they are durable. */
  void append(Stream stream, String... texts) throws InterruptedException {
    AppendBatch batch = new AppendBatch();
    for (String text : texts) {
      add(batch, stream, text);
    }
    append(batch);
  }

  static void add(AppendBatch batch, Stream stream, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long[] key = new long[2];
    KEYS.key(stream, bytes, 0, bytes.length, key);
    batch.add(stream, bytes, 0, bytes.length, key[0], key[1]);
  }

  void append(AppendBatch batch) throws InterruptedException {
    CountDownLatch durable = new CountDownLatch(1);
    await(
        () ->
            log.append(
                    batch,
                    new AppendCompletion() {
                      @Override
                      protected void durable() {
                        durable.countDown();
                      }
                    })
                == AppendResult.TAKEN);
    assertThat(durable.await(20, TimeUnit.SECONDS)).isTrue();
  }

  /** Appends that many traces, named t1, t2, and so on. */
  void appendTraces(int first, int count) throws InterruptedException {
    AppendBatch batch = new AppendBatch();
    for (int i = first; i < first + count; i++) {
      add(batch, Stream.TRACES, "t" + i);
      if (batch.count() == 100) {
        append(batch);
        batch.clear();
      }
    }
    if (batch.count() > 0) {
      append(batch);
    }
  }

  /** Appends a trace; returns false when the log stays without room for it. */
  boolean fill(String text) {
    AppendBatch batch = new AppendBatch();
    add(batch, Stream.TRACES, text);
    CountDownLatch durable = new CountDownLatch(1);
    AppendCompletion completion =
        new AppendCompletion() {
          @Override
          protected void durable() {
            durable.countDown();
          }
        };
    int[] refused = {0};
    await(
        () -> {
          AppendResult result = log.append(batch, completion);
          refused[0] += result == AppendResult.FULL && log.isShortOfRoom() ? 1 : 0;
          return result == AppendResult.TAKEN || refused[0] > 300;
        });
    if (refused[0] <= 300) {
      await(() -> durable.getCount() == 0);
    }
    return refused[0] <= 300;
  }

  /** All records of the log, by sequence: the stream's label, a space and the text. */
  Map<Long, String> read() throws IOException {
    Map<Long, String> records = new TreeMap<>();
    try (LogReader reader = log.reader(1)) {
      while (reader.next()) {
        String text =
            new String(reader.bytes(), reader.offset(), reader.length(), StandardCharsets.UTF_8);
        records.put(reader.sequence(), reader.stream().label() + " " + text);
      }
    }
    return records;
  }

  static void await(BooleanSupplier condition) {
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited 30 s").isLessThan(giveUp);
      LockSupport.parkNanos(100_000);
    }
  }

  /** Waits until no record waits, and checks that the residue is 0. */
  static void awaitShipped(Shipper shipper) {
    try {
      await(() -> shipper.rows().stream().allMatch(row -> row.waiting() == 0));
    } catch (AssertionError waited) {
      throw new AssertionError(shipper.status() + "\n" + shipper.account().standing(), waited);
    }
    assertAddsUp(shipper);
  }

  static void assertAddsUp(Shipper shipper) {
    assertThat(shipper.rows())
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.residue()).as("%s", row).isZero());
  }

  static LedgerRow row(Shipper shipper, Stream stream) {
    return shipper.rows().stream().filter(row -> row.stream() == stream).findFirst().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    try {
      for (Shipper shipper : shippers) {
        shipper.stop(Duration.ofSeconds(5));
      }
    } catch (InterruptedException hurried) {
      throw new InterruptedIOException("a test was interrupted");
    }
    log.close();
    meters.forEach(Meters::close);
  }

  /** A receipt book in memory; receipts are durable once forced. */
  static final class Booked implements ReceiptBook {
    private final List<Receipt> written = new ArrayList<>();
    private int forced;
    private boolean fails;

    synchronized void fail(boolean failing) {
      fails = failing;
    }

    @Override
    public synchronized void write(Receipt receipt) throws IOException {
      if (fails) {
        throw new IOException("no space");
      }
      written.add(receipt);
    }

    @Override
    public synchronized void force() {
      forced = written.size();
    }

    /** The receipts that a crash leaves. */
    synchronized Booked afterCrash() {
      Booked left = new Booked();
      left.written.addAll(written.subList(0, forced));
      left.forced = forced;
      return left;
    }

    synchronized List<Receipt> written() {
      return new ArrayList<>(written);
    }

    synchronized int forced() {
      return forced;
    }
  }
}
