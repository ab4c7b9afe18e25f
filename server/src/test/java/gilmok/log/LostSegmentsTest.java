package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Segments removed by hand: the log names the readers that had not read them, and such a reader can
 * count what is lost.
 */
@Tag("unit")
@ResourceLock("java.util.logging")
final class LostSegmentsTest {
  private static final Path DATA = Path.of("/data");
  private static final LogConfig TINY =
      new LogConfig(1024, 600, 50, 1 << 20, Duration.ZERO, 100, Duration.ofDays(1));

  private final LogRig rig = new LogRig();
  private final Told told = new Told();

  @AfterEach
  void speak() {
    told.close();
  }

  /**
   * Found bug: the log opened silently, the ledger's counts failed, and the records were skipped.
   */
  @Test
  void open_oldestSegmentMissing_namesWhoHadNotReadIt() throws Exception {
    SavedFolder saved = saved(2);
    String second = saved.segments().get(1);
    long begin = SegmentFormat.firstSequence(second.substring("log/".length())) - 1;
    assertThat(begin).isGreaterThan(3);
    LogRig left = new LogRig(saved.without(saved.segments().getFirst()).restore(), DATA);
    try (Log log = left.open(TINY)) {
      Cursor behind = log.cursor("behind");
      assertThat(behind.sequence()).isEqualTo(2);
      assertThat(behind.lost()).containsExactly(new LostRange(3, begin));
      assertThat(behind.lost().getFirst().records()).isEqualTo(begin - 2);
      assertThat(log.cursor("passed").lost()).isEmpty();
      assertThat(told.linesOfNoRealFolder())
          .singleElement()
          .asString()
          .startsWith("the log has no sequences 3 to " + begin + " any more, which behind has")
          .contains(begin - 2 + " records are lost");
      assertThat(log.acceptedThrough(2)).isEqualTo(log.acceptedThrough(begin));
      assertThat(log.acceptedThrough(begin).total()).isEqualTo(begin);
      assertThatThrownBy(() -> log.acceptedThrough(1)).isInstanceOf(IllegalArgumentException.class);
      behind.advance(begin);
      assertThat(behind.lost()).isEmpty();
    }
    told.lines().clear();
    try (Log log = left.open(TINY)) {
      assertThat(log.cursor("behind").lost()).isEmpty();
      assertThat(told.linesOfNoRealFolder()).isEmpty();
    }
    left.checkSound();
  }

  @Test
  void open_segmentInTheMiddleMissing_isRefusedByName() throws Exception {
    SavedFolder saved = saved(0);
    List<String> segments = saved.segments();
    LogRig left = new LogRig(saved.without(segments.get(2)).restore(), DATA);
    long from = SegmentFormat.firstSequence(segments.get(2).substring("log/".length()));
    long to = SegmentFormat.firstSequence(segments.get(3).substring("log/".length())) - 1;
    assertThatThrownBy(() -> left.open(TINY))
        .isInstanceOf(DamagedLogException.class)
        .hasMessageContaining(segments.get(1))
        .hasMessageContaining("no file has the sequences %d to %d", from, to);
  }

  /** Found bug: one of these files stopped the start with a stack trace that named no file. */
  @Test
  void open_filesThatAreNoSegments_areNamedAndLeftAlone() throws Exception {
    SavedFolder saved = saved(0);
    Map<Long, String> written = Records.read(LogReader.beside(rig.disk, DATA.resolve("log"), 1));
    List<String> strays =
        List.of(
            "foo.log",
            "00000000000000000001.log.bak",
            "00000000000000000000.log",
            "99999999999999999999.log");
    for (String stray : strays) {
      saved = saved.with("log/" + stray, new byte[] {1, 2, 3});
    }
    LogRig left = new LogRig(saved.restore(), DATA);
    try (Log log = left.open(TINY)) {
      assertThat(Records.read(log.reader(1))).isEqualTo(written);
    }
    assertThat(left.disk.list(DATA.resolve("log"))).containsAll(strays);
    assertThat(told.linesOfNoRealFolder())
        .hasSize(4)
        .allMatch(line -> line.contains("is not a segment"));
    assertThat(left.failures).isEmpty();
  }

  /**
   * Found bug: the cursor was made at 0, so the next start would have reported records as lost that
   * this reader was never meant to read.
   */
  @Test
  void cursor_madeWhenTheOldestWereDeleted_hasLostNothing() throws Exception {
    try (Log log = rig.open(TINY)) {
      append(log, 30);
      log.keep();
      rig.now.addAndGet(1000);
      log.keep();
      assertThat(log.oldestSequence()).isGreaterThan(1);
      assertThat(log.cursor("late").sequence()).isEqualTo(log.oldestSequence() - 1);
      assertThat(told.linesOfNoRealFolder()).as("a new reader is nothing to warn of").isEmpty();
    }
    try (Log log = rig.open(TINY)) {
      assertThat(log.cursor("late").lost()).isEmpty();
      assertThat(told.linesOfNoRealFolder()).isEmpty();
    }
    rig.checkSound();
  }

  /**
   * Found bug: the snapshot was made anew silently, and repeats of records that were already
   * deleted were stored twice.
   */
  @Test
  void open_snapshotOfRepeatsDamagedOrGone_saysSo() throws Exception {
    String name = "snapshots/repeats";
    SavedFolder all = saved(0);
    byte[] sound = all.bytes(name);
    byte[] flipped = sound.clone();
    flipped[20] ^= 1;
    assertThat(toldOf(all)).isEmpty();
    assertThat(toldOf(all.without(name))).isEmpty();
    assertThat(toldOf(all.with(name, flipped)))
        .singleElement()
        .asString()
        .isEqualTo(DATA.resolve(name) + " is damaged; it is made again from the log");

    SavedFolder younger = all.without(all.segments().getFirst());
    assertThat(toldOf(younger.without(name)))
        .hasSize(2)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(DATA.resolve(name) + " is gone; it is made again from the log: a")
                    .contains("is stored twice if a phone sends it again"));
  }

  /** The lines that are logged when that folder is opened. */
  private List<String> toldOf(SavedFolder folder) throws Exception {
    told.lines().clear();
    new LogRig(folder.restore(), DATA).open(TINY).close();
    return List.copyOf(told.linesOfNoRealFolder());
  }

  /** More than four segments; cursor "behind" is at the given sequence, "passed" at the end. */
  private SavedFolder saved(long behind) throws IOException, InterruptedException {
    try (Log log = rig.open(TINY)) {
      log.cursor("behind").advance(0);
      log.cursor("passed").advance(0);
      append(log, 30);
      log.cursor("behind").advance(behind);
      log.cursor("passed").advance(log.durable());
    }
    rig.checkSound();
    SavedFolder saved = SavedFolder.of(rig.disk, DATA);
    assertThat(saved.segments()).hasSizeGreaterThan(4);
    return saved;
  }

  private static void append(Log log, int records) throws InterruptedException {
    for (int i = 0; i < records; i++) {
      Records.append(log, Records.text("record-", i, 130));
    }
  }
}
