package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A follower of a rare stream settles all of its records, and reads little else. */
@Tag("unit")
final class FollowerRareTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LogRig rig = new LogRig();
  private final Taken taken = new Taken();

  /** Takes the records of the stream, and fails as often as the test sets. */
  private static final class Taken implements Follower.Taker {
    final List<String> settled = new CopyOnWriteArrayList<>();
    final AtomicInteger outagesLeft = new AtomicInteger();
    final AtomicInteger bugsLeft = new AtomicInteger();
    final AtomicInteger read = new AtomicInteger();
    private final List<String> pending = new ArrayList<>();

    @Override
    public boolean take(LogReader record) {
      read.incrementAndGet();
      return record.stream() == Stream.AUDIT && pending.add(Records.text(record));
    }

    @Override
    public void settle() throws IOException {
      if (!pending.isEmpty() && outagesLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("told to fail");
      }
      if (!pending.isEmpty() && bugsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IllegalStateException("told to fail");
      }
      settled.addAll(pending);
      pending.clear();
    }

    @Override
    public void drop() {
      pending.clear();
    }

    @Override
    public void skipped(long records) {
      throw new AssertionError();
    }
  }

  @Test
  void recordsOfItsStream_areAllSettled_whateverFails_andWhateverIsBetween() throws Exception {
    List<String> wanted = new ArrayList<>();
    try (Log log = rig.open()) {
      for (int i = 0; i < 400; i++) {
        append(log, "before-" + i, wanted);
      }
      Follower follower = follower(log, "rare");
      taken.outagesLeft.set(3);
      follower.start();
      LogRig.await(() -> taken.settled.size() == wanted.size());
      for (int i = 0; i < 400; i++) {
        if (i % 97 == 0) {
          taken.outagesLeft.set(1);
          taken.bugsLeft.set(i % 2);
        }
        append(log, "later-" + i, wanted);
        if (i % 97 == 50) {
          LogRig.await(() -> follower.lagRecords() == 0);
        }
      }
      LogRig.await(() -> follower.settledThrough() == log.durable());
      follower.stop(PATIENCE);
      assertThat(taken.settled).isEqualTo(wanted);
    }
  }

  @Test
  void stretchWithoutItsStream_isPassedOver_notRead() throws Exception {
    List<String> wanted = new ArrayList<>();
    try (Log log = rig.open()) {
      for (int i = 0; i < 300; i++) {
        Records.append(log, other("a", i));
      }
      append(log, audited(1), wanted);
      Follower follower = follower(log, "rare");
      follower.start();
      LogRig.await(() -> taken.settled.equals(wanted));
      int inOneSegment = taken.read.get();
      assertThat(log.segments()).isGreaterThan(2);
      assertThat(inOneSegment).isLessThan(200);
      for (int i = 0; i < 300; i++) {
        Records.append(log, other("b", i));
      }
      LogRig.await(() -> follower.settledThrough() == log.durable());
      follower.stop(PATIENCE);
      assertThat(taken.read).hasValue(inOneSegment);
      assertThat(log.cursor("rare").sequence()).isEqualTo(log.durable());
    }
  }

  private Follower follower(Log log, String name) throws Exception {
    return Follower.ofRare(
        Stream.AUDIT, log, name, taken, BackgroundLoops.unwatched(), "nothing of value");
  }

  private static void append(Log log, String text, List<String> wanted)
      throws InterruptedException {
    Records.append(log, text);
    if (Records.stream(text) == Stream.AUDIT) {
      wanted.add(text);
    }
  }

  private static String audited(int i) {
    String text = "audited-" + i;
    while (Records.stream(text) != Stream.AUDIT) {
      text += "-";
    }
    return text;
  }

  /** A text of some 80 bytes that is not of the audit. */
  private static String other(String prefix, int i) {
    String text = prefix + i + "x".repeat(70);
    while (Records.stream(text) == Stream.AUDIT) {
      text += "-";
    }
    return text;
  }

  /**
   * It counts the tombstones of its stream, so that it neither reads in vain nor passes a record.
   */
  @Test
  void erasedRecordsOfItsStream_areSettledUnseen() throws Exception {
    List<String> wanted = new ArrayList<>();
    try (Log log = rig.open()) {
      for (int i = 0; i < 300; i++) {
        append(log, "before-" + i, wanted);
      }
      log.rewriter()
          .rewrite(
              (stream, at, bytes, offset, length) ->
                  bytes[offset + length - 1] % 2 == 0 ? RecordRewrite.ERASE : RecordRewrite.KEEP,
              (through, of, soFar) -> {});
      wanted.removeIf(text -> text.charAt(text.length() - 1) % 2 == 0);
      assertThat(wanted).isNotEmpty();
      Follower follower = follower(log, "rare");
      taken.outagesLeft.set(2);
      follower.start();
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(taken.settled).containsExactlyInAnyOrderElementsOf(wanted);
      int read = taken.read.get();
      for (int i = 0; i < 50; i++) {
        Records.append(log, notOfIt(i));
      }
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(taken.read.get()).as("records of other streams").isEqualTo(read);
      for (int i = 0; i < 100; i++) {
        append(log, "later-" + i, wanted);
      }
      LogRig.await(() -> follower.lagRecords() == 0);
      assertThat(taken.settled).containsExactlyInAnyOrderElementsOf(wanted);
      follower.stop(PATIENCE);
    }
    rig.checkSound();
  }

  private static String notOfIt(int number) {
    String text = "other-" + number;
    while (Records.stream(text) == Stream.AUDIT) {
      text += "x";
    }
    return text;
  }
}
