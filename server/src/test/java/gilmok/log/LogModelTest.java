package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Random operations against a model of a few lines: a map of records and the newest keys. A seed
 * that finds a bug is kept here by its number.
 */
@Tag("unit")
@Tag("soak")
@ResourceLock("java.util.logging")
final class LogModelTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @Test
  void anyOperations_asTheModel() {
    Seeds.each(200, seed -> new Run(seed).run());
  }

  private static final class Run {
    private static final List<String> CURSORS = List.of("a", "b.c");

    private final Random random;
    private final PowerLossDisk machine;
    private final LogConfig config;
    private final NavigableMap<Long, String> records = new TreeMap<>();
    private final LinkedHashSet<String> lastKeys = new LinkedHashSet<>();
    private final long[] cursors = new long[2];
    private LogRig rig;
    private Log log;
    private int texts;
    private long next = 1;

    Run(long seed) throws IOException, InterruptedException {
      random = new Random(seed);
      machine = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
      int segment = 2048 << random.nextInt(3);
      config =
          new LogConfig(
              segment,
              segment / 2,
              1 + random.nextInt(50),
              (3L + random.nextInt(6)) * segment,
              Duration.ofSeconds(random.nextInt(100)),
              1 + random.nextInt(60),
              Duration.ofDays(1));
      rig = new LogRig(machine.boot(), Path.of("/data"));
      log = open();
    }

    void run() throws Exception {
      int steps = 20 + random.nextInt(60);
      for (int i = 0; i < steps; i++) {
        switch (random.nextInt(13)) {
          case 12 -> count();
          case 0 -> readFrom(random.nextLong(next + 3));
          case 1 -> advance(random.nextInt(2));
          case 2 -> log.keep();
          case 3 -> rig.now.addAndGet(random.nextInt(50_000));
          case 4 -> closeAndOpen();
          case 5 -> killAndOpen();
          default -> append();
        }
        assertThat(log.durable()).isEqualTo(next - 1);
      }
      closeAndOpen();
      readFrom(1);
      count();
      log.close();
      rig.checkSound();
    }

    private Log open() throws IOException, InterruptedException {
      Log opened = rig.open(config);
      for (int i = 0; i < cursors.length; i++) {
        assertThat(opened.cursor(CURSORS.get(i)).sequence()).isEqualTo(cursors[i]);
      }
      return opened;
    }

    private void append() throws Exception {
      List<String> batch = new ArrayList<>();
      int left = config.groupBytesMax();
      for (int i = random.nextInt(8); i >= 0; i--) {
        String text = random.nextInt(3) == 0 ? anyText() : newText();
        left -= AppendBatch.FRAME_BYTES + text.length();
        if (left >= 0) {
          batch.add(text);
        }
      }
      AppendBatch appendBatch = Records.draft(batch);
      Records.Waiting ticket = new Records.Waiting();
      makeRoomAndAppend(appendBatch, ticket);
      ticket.await();
      long first = next;
      for (int i = 0; i < batch.size(); i++) {
        boolean repeat = lastKeys.contains(batch.get(i));
        assertThat(appendBatch.isRepeat(i)).as("repeat: " + batch.get(i)).isEqualTo(repeat);
        if (!repeat) {
          records.put(next++, batch.get(i));
          lastKeys.add(batch.get(i));
          if (lastKeys.size() > config.repeatsMax()) {
            lastKeys.removeFirst();
          }
        }
      }
      assertThat(ticket.first()).isEqualTo(next == first ? 0 : first);
      assertThat(ticket.stored()).isEqualTo((int) (next - first));
      assertThat(log.repeats()).isEqualTo(lastKeys.size());
      assertThat(log.bytes()).isLessThanOrEqualTo(config.bytesMax());
    }

    /**
     * A full log must have a reason, and must accept appends again once every cursor has passed
     * enough.
     */
    private void makeRoomAndAppend(AppendBatch appendBatch, AppendCompletion completion)
        throws Exception {
      long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      AppendResult result = log.append(appendBatch, completion);
      while (result != AppendResult.TAKEN) {
        assertThat(result).isEqualTo(AppendResult.FULL);
        assertThat(System.nanoTime()).as("still full").isLessThan(giveUp);
        if (log.isShortOfRoom()) {
          for (int i = 0; i < cursors.length; i++) {
            cursors[i] = log.durable();
            log.cursor(CURSORS.get(i)).advance(log.durable());
          }
          log.keep();
        }
        LockSupport.parkNanos(50_000);
        result = log.append(appendBatch, completion);
      }
    }

    private void advance(int i) throws IOException, InterruptedException {
      cursors[i] += random.nextLong(next - cursors[i]);
      log.cursor(CURSORS.get(i)).advance(cursors[i]);
    }

    private void readFrom(long from) throws IOException {
      Map<Long, String> read = Records.read(log.reader(from));
      Map<Long, String> expected = records.tailMap(from, true);
      long oldest = read.isEmpty() ? next : read.keySet().iterator().next();
      if (oldest > Math.max(1, from)) {
        assertThat(oldest - 1).isLessThanOrEqualTo(Math.min(cursors[0], cursors[1]));
        expected = records.tailMap(oldest, true);
      }
      assertThat(read).isEqualTo(expected);
    }

    /** Counts at several sequences, so that what the index remembers between calls matters. */
    private void count() throws IOException {
      assertThat(log.accepted()).isEqualTo(counts(next - 1));
      long place = log.oldestSequence() - 1;
      for (int i = 0; i < 4; i++) {
        long sequence = place + random.nextLong(next - place);
        try {
          assertThat(log.acceptedThrough(sequence)).isEqualTo(counts(sequence));
        } catch (IOException | IllegalArgumentException failed) {
          // The preallocator may meanwhile delete segments that every cursor has passed.
          if (sequence >= log.oldestSequence()) {
            throw failed;
          }
        }
        place = random.nextBoolean() ? sequence : log.oldestSequence() - 1;
      }
    }

    private StreamCounts counts(long through) {
      StreamCounts counts = new StreamCounts();
      records.headMap(through, true).values().forEach(text -> counts.add(Records.stream(text)));
      return counts;
    }

    private void closeAndOpen() throws IOException, InterruptedException {
      log.close();
      LogIntegrity.check(rig.disk, rig.data);
      log = open();
    }

    private void killAndOpen() throws IOException, InterruptedException {
      machine.kill();
      try {
        log.close();
      } catch (IOException down) {
        // Expected: the process was killed, and closing only ends its threads.
      }
      long now = rig.now.get();
      rig = new LogRig(machine.boot(), rig.data);
      rig.now.set(now);
      log = open();
    }

    private String newText() {
      return Records.text("r", ++texts, 5 + random.nextInt(150));
    }

    private String anyText() {
      return texts == 0 ? newText() : Records.text("r", 1 + random.nextInt(texts), 5);
    }
  }
}
