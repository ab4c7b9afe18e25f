package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Segments that are rewritten: what is left of their records, and what readers see of it. */
@Tag("unit")
final class LogRewriterTest {
  private static final Path LOG = Path.of("/data/log");

  private final LogRig rig = new LogRig();

  @AfterEach
  void soundInTheEnd() throws Exception {
    rig.checkSound();
  }

  /** Erases the texts that have a word in them. */
  private static RecordRewrite erase(String word) {
    return (stream, at, bytes, offset, length) ->
        text(bytes, offset, length).contains(word) ? RecordRewrite.ERASE : RecordRewrite.KEEP;
  }

  private static String text(byte[] bytes, int offset, int length) {
    return new String(bytes, offset, length, StandardCharsets.UTF_8);
  }

  private static LogRewriter.Result rewrite(Log log, RecordRewrite rewrite) throws Exception {
    return log.rewriter().rewrite(rewrite, (through, of, soFar) -> {});
  }

  /** Appends so many records, every fifth of them with the word. */
  private static Map<Long, String> fill(Log log, int from, int records) throws Exception {
    Map<Long, String> left = new TreeMap<>();
    for (int i = from; i < from + records; i++) {
      String text = Records.text(i % 5 == 0 ? "gone-" : "kept-", i, 200);
      Records.Waiting ticket = Records.append(log, text);
      if (i % 5 != 0) {
        left.put(ticket.first(), text);
      }
      LogRig.awaitReady(log);
    }
    return left;
  }

  /** All bytes of all files of the log. */
  private String bytes() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String name : rig.disk.list(LOG)) {
      if (name.endsWith(".torn") || !name.contains(".")) {
        continue;
      }
      try (Disk.File file = rig.disk.openForReading(LOG.resolve(name))) {
        ByteBuffer bytes = file.read(0, (int) file.size());
        all.append(StandardCharsets.ISO_8859_1.decode(bytes));
      }
    }
    return all.toString();
  }

  @Test
  void rewrite_erased_leavesTombstonesAndNoByte() throws Exception {
    try (Log log = rig.open()) {
      Map<Long, String> left = fill(log, 0, 200);
      int segments = log.segments();
      StreamCounts accepted = log.accepted();
      LogRewriter.Result result = rewrite(log, erase("gone-"));
      assertThat(result.counts().erased().total()).isEqualTo(40);
      assertThat(result.counts().replaced().total()).isZero();
      assertThat(result.through()).isEqualTo(200);
      assertThat(result.unreadable()).isEmpty();
      assertThat(bytes()).doesNotContain("gone-").contains("kept-");
      assertThat(Records.read(log.reader(1))).isEqualTo(left);
      assertThat(log.segments()).isEqualTo(segments + 1);
      assertThat(log.accepted()).isEqualTo(accepted);
      assertThat(tombstones(log)).hasSize(40).allMatch(sequence -> sequence % 5 == 1);
      assertThat(rewrite(log, erase("gone-")).counts().erased().total()).isZero();
      left.putAll(fill(log, 200, 50));
      assertThat(Records.read(log.reader(1)).keySet()).containsAll(left.keySet());
    }
    try (Log log = rig.open()) {
      assertThat(log.accepted().total()).isEqualTo(250);
      assertThat(log.acceptedThrough(123).total()).isEqualTo(123);
    }
  }

  private static List<Long> tombstones(Log log) throws IOException {
    List<Long> erased = new ArrayList<>();
    long next = 1;
    try (LogReader reader = log.reader(1)) {
      while (reader.nextEntry()) {
        assertThat(reader.sequence()).isEqualTo(next++);
        assertThat(reader.length() == 0).isEqualTo(reader.isErased());
        if (reader.isErased()) {
          erased.add(reader.sequence());
        }
      }
    }
    return erased;
  }

  @Test
  void rewrite_replaced_hasOtherBytesUnderItsKey() throws Exception {
    RecordRewrite shorter =
        (stream, at, bytes, offset, length) ->
            text(bytes, offset, length).startsWith("gone-")
                ? RecordRewrite.replaceBy("pseudonym".getBytes(StandardCharsets.UTF_8))
                : RecordRewrite.KEEP;
    try (Log log = rig.open()) {
      fill(log, 0, 60);
      assertThat(rewrite(log, shorter).counts().replaced().total()).isEqualTo(12);
      assertThat(bytes()).doesNotContain("gone-").contains("pseudonym");
      assertThat(rewrite(log, shorter).counts().replaced().total()).isZero();
      // What was replaced is erased by what it is now.
      assertThat(rewrite(log, erase("pseudonym")).counts().erased().total()).isEqualTo(12);
      assertThat(bytes()).doesNotContain("pseudonym");
    }
    rig.disk.delete(Path.of("/data/snapshots/repeats"));
    try (Log log = rig.open()) {
      Records.Waiting again = Records.append(log, Records.text("gone-", 5, 200));
      assertThat(again.stored()).as("a repeat of what was erased").isZero();
      assertThat(log.accepted().total()).isEqualTo(60);
    }
  }

  @Test
  void rewrite_nothingToChange_leavesFilesAsTheyAre() throws Exception {
    try (Log log = rig.open()) {
      fill(log, 0, 60);
      int segments = log.segments();
      String before = bytes();
      assertThat(rewrite(log, erase("nothing")).counts().erased().total()).isZero();
      assertThat(log.segments()).isEqualTo(segments);
      assertThat(bytes()).isEqualTo(before);
    }
  }

  /** A reader that was in the middle of a batch, or of a segment, shows nothing that is erased. */
  @Test
  void reader_inWhatIsRewritten_goesOnInTheNewFile() throws Exception {
    try (Log log = rig.open()) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        texts.add((i % 2 == 0 ? "kept-" : "gone-") + i);
      }
      Records.append(log, texts.toArray(String[]::new));
      try (LogReader first = log.reader(1);
          LogReader middle = log.reader(1);
          LogReader late = log.reader(4)) {
        assertThat(first.next()).isTrue();
        for (int i = 0; i < 3; i++) {
          assertThat(middle.next()).isTrue();
        }
        assertThat(middle.sequence()).isEqualTo(3);
        rewrite(log, erase("gone-"));
        assertThat(Records.read(first).keySet()).containsExactly(3L, 5L, 7L);
        assertThat(Records.read(middle).keySet()).containsExactly(5L, 7L);
        assertThat(Records.read(late).keySet()).containsExactly(5L, 7L);
        assertThat(first.passed()).isEqualTo(8);
        assertThat(middle.passed()).isEqualTo(8);
      }
    }
  }

  /** A reader that waits at the end of a segment that is ended and rewritten under it. */
  @Test
  void reader_atTheEnd_goesOnBehindWhatIsRewritten() throws Exception {
    try (Log log = rig.open();
        LogReader reader = log.reader(1)) {
      Records.append(log, "kept-1", "gone-2");
      assertThat(reader.next()).isTrue();
      assertThat(reader.next()).isTrue();
      assertThat(reader.next()).isFalse();
      rewrite(log, erase("gone-"));
      assertThat(reader.next()).isFalse();
      LogRig.awaitReady(log);
      Records.append(log, "kept-3");
      assertThat(reader.next()).isTrue();
      assertThat(reader.sequence()).isEqualTo(3);
    }
  }

  @Test
  void earlierVersion_refusesWhatWasRewritten() throws Exception {
    try (Log log = rig.open()) {
      fill(log, 0, 60);
      rewrite(log, erase("gone-"));
    }
    String oldest = rig.disk.list(LOG).stream().sorted().findFirst().orElseThrow();
    try (Disk.File file = rig.disk.openForReading(LOG.resolve(oldest))) {
      // What an earlier version compares with 1 before anything else, and names in its refusal.
      assertThat(file.read(8, 4).getInt(0)).isEqualTo(2);
    }
  }

  @Test
  void rewriteEnded_leavesTheSegmentOfTheLastSequence() throws Exception {
    try (Log log = rig.open()) {
      fill(log, 0, 100);
      int segments = log.segments();
      log.rewriter().rewriteEnded(1, 50, erase("gone-"), (through, of, soFar) -> {});
      assertThat(log.segments()).isEqualTo(segments);
      List<Long> erased = tombstones(log);
      assertThat(erased).isNotEmpty().allMatch(sequence -> sequence <= 50);
    }
  }

  @Test
  void rewrite_closed_says() throws Exception {
    Log log = rig.open();
    fill(log, 0, 10);
    log.close();
    assertThatThrownBy(() -> rewrite(log, erase("gone-")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
  }

  /** Records that are appended meanwhile are neither lost nor looked at twice. */
  @Test
  void rewrite_whileOthersAppend_losesNothing() throws Exception {
    try (Log log = rig.open()) {
      fill(log, 0, 100);
      Thread appends =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      fill(log, 1000, 200);
                    } catch (Exception failed) {
                      throw new IllegalStateException(failed);
                    }
                  });
      long erased = 0;
      while (appends.isAlive()) {
        erased += rewrite(log, erase("gone-")).counts().erased().total();
      }
      appends.join();
      erased += rewrite(log, erase("gone-")).counts().erased().total();
      assertThat(erased).isEqualTo(60);
      assertThat(tombstones(log)).hasSize(60);
      assertThat(Records.read(log.reader(1))).hasSize(240);
      assertThat(bytes()).doesNotContain("gone-");
    }
  }

  @Test
  void salvage_keepsTombstones() throws Exception {
    // The salvage reads real files: SalvageTest has the folders; here only what the scan counts.
    try (Log log = rig.open()) {
      fill(log, 0, 60);
      rewrite(log, erase("gone-"));
    }
    SalvageScan scan = SalvageScan.of(rig.disk, LOG, LogRig.NODE);
    StreamCounts all = new StreamCounts();
    scan.read(
        1,
        new SalvageScan.Visitor() {
          @Override
          public void batch(SalvageScan.Batch batch) throws IOException {
            assertThat(batch.header().format()).isIn(1, 2);
            all.add(batch.counts());
          }

          @Override
          public void footer(long sequence, StreamCounts counts) {
            assertThat(counts.total()).isEqualTo(sequence - 1);
          }
        });
    assertThat(all.total()).isEqualTo(60);
  }
}
