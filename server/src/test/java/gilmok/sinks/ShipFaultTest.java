package gilmok.sinks;

import static gilmok.sinks.SinksRig.ALL;
import static gilmok.sinks.SinksRig.QUICK;
import static gilmok.sinks.SinksRig.assertAddsUp;
import static gilmok.sinks.SinksRig.await;
import static gilmok.sinks.SinksRig.awaitShipped;
import static gilmok.sinks.SinksRig.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.Cursor;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.log.LogConfig.WhenFull;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Receipt.Outcome;
import gilmok.sinks.SinkStatus.State;
import gilmok.storage.DiskFullException;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Receipts that cannot be forced, cursors that cannot be saved, a full log that detaches, and a
 * bug: every loss is counted, the status names the fault, and the sink recovers. The disk's rules:
 * every write, force and rename below the named folder fails.
 */
@Tag("unit")
class ShipFaultTest {
  @TempDir Path data;
  private final FaultyDisk disk = new FaultyDisk(new FileDisk());

  private void fail(String folder) {
    Set<Operation> failing = EnumSet.of(Operation.WRITE, Operation.FORCE, Operation.RENAME);
    disk.set(
        (operation, path) -> {
          if (failing.contains(operation) && path.startsWith(data.resolve(folder))) {
            throw new IOException("a broken disk");
          }
        });
  }

  private Receipts receipts(SinksRig rig) throws IOException {
    Path folder = data.resolve("receipts");
    return Receipts.open(disk, folder, Duration.ofDays(1), 1 << 24, rig.clock);
  }

  @Test
  void receiptsCannotBeForced_theCursorStays_untilTheyCan() throws Exception {
    try (SinksRig rig = new SinksRig(data, SinksRig.SMALL, disk);
        Receipts receipts = receipts(rig)) {
      ScriptedSink sink = new ScriptedSink(false);
      Shipper shipper = rig.start(SinksRig.config(QUICK, ALL), sink, receipts);
      fail("receipts");
      rig.appendTraces(1, 50);
      awaitShipped(shipper);
      await(() -> Objects.toString(shipper.status().fault(), "").contains("a broken disk"));
      assertThat(rig.log.cursor("ship.scripted").sequence()).isZero();

      disk.set(FaultyDisk.NONE);
      await(() -> shipper.status().fault() == null);

      shipper.stop(Duration.ofSeconds(5));
      assertThat(rig.log.cursor("ship.scripted").sequence()).isEqualTo(50);
      assertThat(Objects.requireNonNull(receipts.find(50)).outcome()).isEqualTo(Outcome.DELIVERED);
      assertThat(sink.sequences()).hasSize(50);
    }
  }

  @Test
  void cursorCannotBeSaved_andKilled_allIsSentAgain() throws Exception {
    try (SinksRig rig = new SinksRig(data, SinksRig.SMALL, disk)) {
      SinksRig.Booked book = new SinksRig.Booked();
      ScriptedSink sink = new ScriptedSink(false);
      Shipper shipper = rig.start(SinksRig.config(QUICK, ALL), sink, book);
      fail("cursors");
      rig.appendTraces(1, 50);
      awaitShipped(shipper);
      await(() -> Objects.toString(shipper.status().fault(), "").contains("cannot be saved"));
      assertThat(shipper.status().fault()).extracting("atMillis").isEqualTo(rig.now.get());
      shipper.kill();
      disk.set(FaultyDisk.NONE);

      Shipper again = rig.start(SinksRig.config(QUICK, ALL), sink, book.afterCrash());
      awaitShipped(again);

      assertThat(sink.sequences()).hasSize(100);
      assertThat(row(again, Stream.TRACES).delivered()).isEqualTo(50);
      assertThat(rig.failures).isEmpty();
    }
  }

  @Test
  void aStreamAddedLater_itsAccountBeginsThere() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      ScriptedSink sink = new ScriptedSink(false);
      SinksRig.Booked book = new SinksRig.Booked();
      Shipper before = rig.start(SinksRig.config(QUICK, EnumSet.of(Stream.TRACES)), sink, book);
      rig.appendTraces(1, 20);
      rig.append(Stream.ACTIONS, "before");
      rig.appendTraces(21, 5);
      awaitShipped(before);
      before.stop(Duration.ofSeconds(5));

      EnumSet<Stream> both = EnumSet.of(Stream.TRACES, Stream.ACTIONS);
      Shipper after = rig.start(SinksRig.config(QUICK, both), sink, book);
      rig.append(Stream.ACTIONS, "after");
      awaitShipped(after);

      assertThat(row(after, Stream.ACTIONS).since()).isEqualTo(27);
      assertThat(row(after, Stream.ACTIONS).accepted()).isEqualTo(1);
      assertThat(row(after, Stream.ACTIONS).delivered()).isEqualTo(1);
      assertThat(row(after, Stream.TRACES).delivered()).isEqualTo(25);
      assertThat(sink.sequences()).doesNotContain(21L).contains(27L);
    }
  }

  @Test
  void fullLogThatDetaches_skippedAndDeliveredAddUp() throws Exception {
    try (SinksRig rig = new SinksRig(data, SinksRig.filling(WhenFull.DETACH));
        Meters meters = new Meters()) {
      CountDownLatch answer = new CountDownLatch(1);
      ScriptedSink sink = new ScriptedSink(false);
      sink.usually(
          batch -> {
            answer.await();
            return ScriptedSink.done(batch);
          });
      SinksRig.Booked book = new SinksRig.Booked();
      SinksContext context =
          new SinksContext(rig.clock, new Random(1), SinksRig.KEYS, meters, Duration.ofMillis(1));
      SinkConfig config = SinksRig.config(QUICK, EnumSet.of(Stream.TRACES));
      Sinks sinks =
          Sinks.start(rig.log, context, List.of(new Sinks.Configured(config, sink, book)));
      Shipper shipper = Objects.requireNonNull(sinks.shipper("scripted"));
      String large = "x".repeat(1500);
      for (int i = 0; i < 1000; i++) {
        assertThat(rig.fill("t" + i + large)).as("trace %d", i).isTrue();
        if (i % 100 == 0) {
          rig.append(Stream.LOGS, "l" + i);
          assertAddsUp(shipper);
        }
      }
      assertThat(rig.log.oldestSequence()).isGreaterThan(1);
      assertThat(shipper.status().state()).isEqualTo(State.DETACHED);
      String shown = new String(meters.scrape(), StandardCharsets.UTF_8);
      assertThat(shown)
          .containsPattern("gilmok_sink_state\\{[^}]*state=\"detached\"[^}]*} 1")
          .containsPattern("gilmok_sink_skipped_records_total\\{[^}]*traces[^}]*} [1-9]");
      answer.countDown();
      awaitShipped(shipper);

      LedgerRow row = row(shipper, Stream.TRACES);
      assertThat(row.skipped()).isPositive();
      assertThat(row.delivered()).isPositive();
      assertThat(row.skipped() + row.delivered()).isEqualTo(1000);
      assertThat(skipped(book)).as("none of a stream it does not take").isEqualTo(row.skipped());
      sinks.drain(Duration.ofSeconds(5));
    }
  }

  /** How many records have SKIPPED as the outcome of their newest receipt. */
  private static long skipped(SinksRig.Booked book) {
    Set<Long> skipped = new HashSet<>();
    for (Receipt receipt : book.written()) {
      for (int run = 0; run < receipt.sequences().runs(); run++) {
        LongStream.rangeClosed(receipt.sequences().first(run), receipt.sequences().last(run))
            .forEach(
                receipt.outcome() == Outcome.SKIPPED
                    ? sequence -> skipped.add(sequence)
                    : sequence -> skipped.remove(sequence));
      }
    }
    return skipped.size();
  }

  @Test
  void letGo_thenKilled_everythingSkippedHasAReceipt() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      rig.appendTraces(1, 20);
      CountDownLatch never = new CountDownLatch(1);
      ScriptedSink sink =
          new ScriptedSink(false)
              .then(
                  batch -> {
                    never.await();
                    return ScriptedSink.done(batch);
                  });
      SinksRig.Booked book = new SinksRig.Booked();
      Tuning one = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);
      SinkConfig config = SinksRig.config(one, ALL);
      Shipper shipper = rig.start(config, sink, book, Duration.ofDays(1));
      await(() -> !sink.sent().isEmpty());
      shipper.cursor().letGo(15);
      SinksRig.Booked left = book.afterCrash();
      shipper.kill();

      Shipper again = rig.start(config, new ScriptedSink(false), left);
      awaitShipped(again);

      assertThat(row(again, Stream.TRACES).skipped()).isEqualTo(15);
      assertThat(skipped(left)).isEqualTo(15);
    }
  }

  @Test
  void letGoWhileInFlight_thenGivenUp_hasItsReceipts() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      rig.appendTraces(1, 20);
      ScriptedSink sink = new ScriptedSink(false);
      sink.then(
          batch -> {
            new CountDownLatch(1).await();
            return ScriptedSink.done(batch);
          });
      SinksRig.Booked book = new SinksRig.Booked();
      Tuning one = new Tuning(10, 1 << 16, Duration.ofMillis(1), 1);
      Shipper shipper = rig.start(SinksRig.config(one, ALL), sink, book);
      await(() -> !sink.sent().isEmpty());
      shipper.cursor().letGo(15);
      assertThat(skipped(book)).as("durable before the mark moves").isEqualTo(15);
      assertThat(shipper.isOnItsWay(10)).isTrue();
      assertThat(shipper.isOnItsWay(15)).isFalse();

      shipper.stop(Duration.ZERO);

      assertThat(skipped(book)).isEqualTo(15);
      assertThat(row(shipper, Stream.TRACES).skipped()).isEqualTo(15);
    }
  }

  /** A verdict that throws in the loop's own code, not in the sink's. */
  private static Verdict bug(Batch batch) {
    BitSet broken =
        new BitSet() {
          private static final long serialVersionUID = 1;

          @Override
          public boolean get(int index) {
            throw new IllegalStateException("a bug");
          }
        };
    return new Verdict.RejectThese(broken, "", "", ScriptedSink.done(batch));
  }

  @Test
  void aBug_theLagGrows_andItComesBackByItself() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      rig.appendTraces(1, 5);
      ScriptedSink sink = new ScriptedSink(false).usually(ShipFaultTest::bug);
      Shipper shipper = rig.start(sink);
      await(() -> shipper.status().state() == State.BROKEN);
      await(() -> sink.sent().size() > 5);
      assertThat(shipper.status().state()).as("tried anew, in vain").isEqualTo(State.BROKEN);

      rig.now.addAndGet(60_000);
      assertThat(shipper.status().progress().lagMillis()).isEqualTo(60_000);
      assertThat(shipper.fault()).contains("a bug");
      sink.usually(ScriptedSink::done);

      awaitShipped(shipper);
      await(() -> shipper.status().state() == State.RUNNING);
      assertThat(row(shipper, Stream.TRACES).delivered()).isEqualTo(5);
    }
  }

  @Test
  void receiptsThrow_nothingIsSentTwice_andItComesBackByItself() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      AtomicBoolean isBuggy = new AtomicBoolean();
      ReceiptBook buggy =
          new ReceiptBook() {
            @Override
            public void write(Receipt receipt) {
              if (isBuggy.get()) {
                throw new IllegalStateException("a bug");
              }
            }

            @Override
            public void force() {
              write(new Receipt(new Sequences(), Outcome.DELIVERED, 0, ""));
            }
          };
      ScriptedSink sink = new ScriptedSink(false);
      Shipper shipper = rig.start(SinksRig.config(QUICK, ALL), sink, buggy, Duration.ofDays(1));
      isBuggy.set(true);
      rig.appendTraces(1, 5);
      await(() -> Objects.toString(shipper.fault(), "").contains("a bug"));
      isBuggy.set(false);

      awaitShipped(shipper);
      assertThat(sink.sequences()).hasSize(5);
    }
  }

  /** Found bug: whoever had paused a sink, and so filled the disk, could not resume it. */
  @Test
  void diskTakesNoNewBytes_aPausedSinkIsResumed_orRewound_alsoAfterARestart() throws Exception {
    for (boolean isRestarted : new boolean[] {false, true}) {
      Path folder = data.resolve("restarted-" + isRestarted);
      try (SinksRig rig = new SinksRig(folder, SinksRig.SMALL, disk)) {
        Shipper shipper = rig.start(new ScriptedSink(false));
        rig.appendTraces(1, 5);
        awaitShipped(shipper);
        shipper.pause();
        if (!isRestarted) {
          resumeAndRewind(rig, shipper);
        }
      }
      if (isRestarted) {
        try (SinksRig rig = new SinksRig(folder, SinksRig.SMALL, disk)) {
          resumeAndRewind(rig, rig.start(new ScriptedSink(false)));
        }
      }
    }
  }

  private void resumeAndRewind(SinksRig rig, Shipper shipper) throws Exception {
    fillUp();
    assertThat(shipper.state()).isEqualTo(State.PAUSED);
    shipper.rewind(2);
    assertThat(rig.log.cursor("ship.scripted").sequence()).isEqualTo(1);
    assertThat(shipper.state()).isEqualTo(State.PAUSED);
    disk.set(FaultyDisk.NONE);
    shipper.pause(); // as the next save does: room is kept again, though nothing has changed
    fillUp();
    shipper.resume();
    Cursor cursor = rig.log.cursor("ship.scripted");
    assertThat(SinkCheckpoint.decode(cursor.note(), 0, cursor.path()).isPaused).isFalse();
    assertThatThrownBy(shipper::pause).isInstanceOf(DiskFullException.class);
    disk.set(FaultyDisk.NONE);
    awaitShipped(shipper);
  }

  /** From now on the disk takes only what a file gives back that is deleted. */
  private void fillUp() {
    AtomicInteger free = new AtomicInteger();
    disk.set(
        (operation, path) -> {
          // A save that failed leaves an empty file: whoever deletes that gets nothing back.
          boolean isKept = path.toString().endsWith(".cursor.tmp") && Files.exists(path);
          boolean isRoom = operation == Operation.DELETE && isKept && Files.size(path) > 0;
          free.addAndGet(isRoom ? 1 : 0);
          if (operation == Operation.WRITE
              && path.toString().contains("cursors")
              && free.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
            throw new DiskFullException(new IOException("no space left"));
          }
        });
  }

  @Test
  void cursorThatThrows_isNamed_andComesBackByItself() throws Exception {
    try (SinksRig rig = new SinksRig(data)) {
      AtomicBoolean isBuggy = new AtomicBoolean();
      ReceiptBook buggy =
          new ReceiptBook() {
            @Override
            public void write(Receipt receipt) {}

            @Override
            public void force() {
              if (isBuggy.get()) {
                throw new IllegalStateException("a bug");
              }
            }
          };
      Shipper shipper = rig.start(SinksRig.config(QUICK, ALL), new ScriptedSink(false), buggy);
      isBuggy.set(true);
      rig.appendTraces(1, 5);
      await(() -> Objects.toString(shipper.fault(), "").contains("cannot be saved: a bug"));
      assertThat(shipper.status().state()).isEqualTo(State.RETRYING);
      isBuggy.set(false);

      await(() -> shipper.fault() == null);
      awaitShipped(shipper);
    }
  }
}
