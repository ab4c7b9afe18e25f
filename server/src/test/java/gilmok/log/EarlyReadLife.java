package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.WakeSignal;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The life of one log whose records another engine reads and keeps before they are forced, through
 * several crashes. Its promises:
 *
 * <ul>
 *   <li>no sequence is ever given to two records: neither the engine nor the log shows two;
 *   <li>what was answered as durable is in the log, as ever;
 *   <li>a cursor that follows what is durable never makes recovery say that the log is damaged;
 *   <li>the skipped sequences count as no record, and keep no repeat from being recognised.
 * </ul>
 *
 * <p>The engine reads on the writer's thread, between the write and the force, so that a seed
 * always gives the same life.
 */
final class EarlyReadLife {
  private static final Path DATA = Path.of("/data");
  private static final LogConfig CONFIG =
      new LogConfig(4096, 1900, 100, 1L << 40, Duration.ofDays(1), 8000, Duration.ofDays(1));
  private static final LogWaits PACE = new LogWaits(0, 1, 3_600_000);

  private final Random random;
  private final PowerLossDisk machine;
  private final Map<Long, String> engine = new TreeMap<>();
  private final Map<Long, String> durable = new TreeMap<>();
  private final Set<String> appended = new HashSet<>();
  private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
  private int texts;
  private int shownEarly;

  EarlyReadLife(long seed, PowerLossDisk.Lie lie) {
    random = new Random(seed);
    machine = new PowerLossDisk(random.nextLong(), lie);
  }

  /** How many records the engine had before they were durable. */
  int shownEarly() {
    return shownEarly;
  }

  /** How many records the engine has that a power loss took from the log. */
  int onlyInEngine() {
    return (int) engine.keySet().stream().filter(one -> !durable.containsKey(one)).count();
  }

  void live() throws Exception {
    int crashes = 1 + random.nextInt(4);
    for (int i = 0; i < crashes; i++) {
      PowerLossDisk.Process disk = machine.boot();
      if (random.nextInt(4) == 0) {
        disk.goDownAt(1 + random.nextInt(60));
      }
      run(disk);
      if (random.nextInt(4) == 0) {
        machine.kill();
      } else {
        machine.losePower();
      }
    }
    PowerLossDisk.Process disk = machine.boot();
    Log log = open(disk);
    check(log);
    checkRepeats(log);
    log.close();
    LogIntegrity.check(disk, DATA);
    machine.kill();
  }

  private void run(PowerLossDisk.Process disk) throws Exception {
    @Nullable Log log = null;
    try {
      log = open(disk);
      check(log);
      log.early().begin();
      Engine reads = new Engine(log);
      log.early().onWritten(reads.signal);
      disk.goDownAt(random.nextInt(5) == 0 ? Long.MAX_VALUE : 1 + random.nextInt(300));
      int steps = 1 + random.nextInt(25);
      for (int i = 0; i < steps && !disk.isDown(); i++) {
        append(log, disk);
        if (i == 0 || random.nextInt(8) == 0) {
          log.keep(); // reserves, after the first group has wanted it
        }
        if (random.nextInt(4) == 0) {
          Cursor cursor = log.cursor("ship");
          cursor.advance(Math.max(cursor.sequence(), log.durable()));
        }
      }
    } catch (IOException down) {
      mustBeDown(disk, down);
    } finally {
      if (log != null) {
        close(log, disk);
      }
    }
    assertThat(broken).isEmpty();
  }

  private void close(Log log, PowerLossDisk.Process disk) {
    try {
      log.close();
    } catch (IOException down) {
      mustBeDown(disk, down);
    }
  }

  private static void mustBeDown(PowerLossDisk.Process disk, IOException failure) {
    if (failure instanceof DamagedLogException || !disk.isDown()) {
      throw new AssertionError("not for the machine being down", failure);
    }
  }

  private void append(Log log, PowerLossDisk.Process disk) {
    List<String> batch = new ArrayList<>();
    int records = 1 + random.nextInt(5);
    for (int i = 0; i < records; i++) {
      batch.add(Records.text("r", ++texts, 10 + random.nextInt(100)));
    }
    Ack ack = new Ack(batch);
    while (log.append(Records.draft(batch), ack) == AppendResult.FULL && !disk.isDown()) {
      LockSupport.parkNanos(5_000); // the next segment is being prepared
    }
    appended.addAll(batch);
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!ack.isDurable && !disk.isDown() && !log.isFailed()) {
      assertThat(System.nanoTime()).as("waiting for a commit").isLessThan(giveUp);
      LockSupport.parkNanos(5_000);
    }
  }

  private Log open(PowerLossDisk.Process disk) throws IOException, InterruptedException {
    LogContext context =
        new LogContext(
            disk,
            InstantSource.system(),
            new Random(random.nextLong()),
            Records.KEYS,
            LogMeter.NONE,
            failure -> {
              if (!(failure instanceof IOException)) {
                broken.add(failure);
              }
            });
    return Log.open(CONFIG, context, DATA, new NodeId(7), PACE);
  }

  /** Checks a log that has just been opened. */
  private void check(Log log) throws IOException {
    Map<Long, String> read = Records.read(log.reader(1));
    StreamCounts counts = new StreamCounts();
    read.values().forEach(text -> counts.add(Records.stream(text)));
    assertThat(log.accepted()).as("counted").isEqualTo(counts);
    assertThat(log.acceptedThrough(log.durable())).as("counted").isEqualTo(counts);
    read.forEach((sequence, text) -> once(durable, sequence, text));
    durable.forEach(
        (sequence, text) -> assertThat(read).as("durable").containsEntry(sequence, text));
    durable.forEach((sequence, text) -> assertOnce(engine.get(sequence), sequence, text));
    long furthest = engine.keySet().stream().mapToLong(one -> one).max().orElse(0);
    assertThat(log.durable()).as("the next is new").isGreaterThanOrEqualTo(furthest);
  }

  private void checkRepeats(Log log) throws InterruptedException {
    List<String> known = List.copyOf(durable.values());
    for (int i = 0; i < known.size(); i += 10) {
      AppendBatch again = Records.draft(known.subList(i, Math.min(known.size(), i + 10)));
      Records.append(log, again);
      assertThat(again.repeatCount()).as("repeats of what is durable").isEqualTo(again.count());
    }
  }

  private static void once(Map<Long, String> all, long sequence, String text) {
    assertOnce(all.putIfAbsent(sequence, text), sequence, text);
  }

  private static void assertOnce(@Nullable String before, long sequence, String text) {
    assertThat(before == null || before.equals(text)).as("sequence %d twice", sequence).isTrue();
  }

  private final class Ack extends AppendCompletion {
    private final List<String> batch;
    volatile boolean isDurable;

    Ack(List<String> batch) {
      this.batch = batch;
    }

    @Override
    protected void durable() {
      for (int i = 0; i < batch.size(); i++) {
        durable.put(first() + i, batch.get(i));
      }
      isDurable = true;
    }
  }

  /** Reads what is shown to it, and keeps it whatever happens to the machine. */
  private final class Engine {
    private final Log log;
    private final LogReader reader;
    private final WakeSignal signal = new WakeSignal(this::read);

    Engine(Log log) {
      this.log = log;
      reader = log.early().reader(log.durable() + 1);
      signal.arm();
    }

    private void read() {
      try {
        while (reader.next()) {
          String text = Records.text(reader);
          once(engine, reader.sequence(), text);
          if (reader.sequence() > log.durable()) {
            shownEarly++;
          }
        }
      } catch (IOException | AssertionError bad) {
        if (bad instanceof AssertionError || bad instanceof DamagedLogException) {
          broken.add(bad);
        }
      }
      signal.arm();
    }
  }
}
