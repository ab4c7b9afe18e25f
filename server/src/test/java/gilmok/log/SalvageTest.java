package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.DataFolder;
import gilmok.storage.DataFolder.OnClone;
import gilmok.storage.FileDisk;
import gilmok.storage.FolderFacts;
import gilmok.storage.NodeFile;
import gilmok.storage.UnusableFolderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Every sound record of a damaged folder is in the new one, under its sequence; the rest is
 * counted.
 */
@Tag("unit")
@ResourceLock("java.util.logging")
final class SalvageTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");
  private static final LogConfig TINY =
      new LogConfig(2048, 900, 50, 1 << 20, Duration.ofDays(1), 1000, Duration.ofDays(1));

  @TempDir Path temp;

  private final Map<Long, String> written = new TreeMap<>();
  private Path data = Path.of("");

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @Test
  void sound_isTheSameLog_underANewNode() throws Exception {
    write("data");
    Map<String, byte[]> before = bytes(data);
    Salvage.Result result = Salvage.run(data, temp.resolve("new"), new Random(1));
    assertThat(result.isComplete()).isTrue();
    assertThat(result.was()).isEqualTo(LogRig.NODE);
    assertThat(result.records().total()).isEqualTo(written.size());
    checkOpens(temp.resolve("new"), result);
    assertThat(Files.readString(temp.resolve("new/receipts/a"))).isEqualTo("kept");
    Map<String, byte[]> after = bytes(data);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(before.get(name)));
  }

  @Test
  void skippedSequences_stayAGap_andCountAsNothing() throws Exception {
    data = temp.resolve("data");
    Log log = new LogRig(new FileDisk(), data).open(TINY);
    log.early().begin();
    written.put(Records.append(log, "a").first(), "a");
    log.keep();
    LogRig.awaitReady(log);
    Path killed = temp.resolve("killed");
    copy(data, killed); // as a killed process leaves it
    log.close();
    Log again = new LogRig(new FileDisk(), killed).open(TINY);
    long gap = 1 + SequenceReserve.STEP;
    assertThat(Records.append(again, "b").first()).isEqualTo(gap + 1);
    again.close();
    Salvage.Result result = Salvage.run(killed, temp.resolve("new"), new Random(1));
    assertThat(result.missing()).isEmpty();
    assertThat(result.records().total()).isEqualTo(2);
    LogRig rig = new LogRig(new FileDisk(), temp.resolve("new"));
    Log salvaged = rig.open(TINY, result.node());
    assertThat(Records.read(salvaged.reader(1)).keySet()).containsExactly(1L, gap + 1);
    assertThat(salvaged.accepted().total()).isEqualTo(2);
    salvaged.close();
    rig.checkSound();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path one : all.sorted().toList()) {
        Files.copy(one, to.resolve(from.relativize(one).toString()));
      }
    }
  }

  @Test
  void batchDamagedSegmentMissingHeaderGone_eachGapIsCountedByStream() throws Exception {
    write("data");
    List<Path> segments = segments(data);
    flip(segments.get(1), 900);
    Files.delete(segments.get(3));
    flip(segments.get(5), 3);
    Salvage.Result result = Salvage.run(data, temp.resolve("new"), new Random(1));
    assertThat(result.missing()).hasSize(2);
    assertThat(result.missing()).allMatch(Salvage.Missing::streamsKnown);
    assertThat(result.missing().get(1).range())
        .isEqualTo(new LostRange(first(segments.get(3)), first(segments.get(4)) - 1));
    checkOpens(temp.resolve("new"), result);
  }

  /**
   * The end of the log is damaged: the cursors show how many records are missing, and no new record
   * gets their sequences.
   */
  @Test
  void endDamaged_whatCursorsKnowIsMissing() throws Exception {
    write("data");
    Path newest = segments(data).getLast();
    byte[] bytes = Files.readAllBytes(newest);
    Arrays.fill(bytes, 64, bytes.length, (byte) 7);
    Files.write(newest, bytes);
    Salvage.Result result = Salvage.run(data, temp.resolve("new"), new Random(1));
    assertThat(result.missing()).hasSize(1);
    assertThat(result.missing().getFirst().streamsKnown()).isFalse();
    assertThat(result.missing().getFirst().range())
        .isEqualTo(new LostRange(first(newest), written.size()));
    checkOpens(temp.resolve("new"), result);
  }

  /** Damage of all kinds at random places: nothing sound is lost, nothing is invented. */
  @Test
  void anyDamage_whatIsSoundIsThere() throws Exception {
    for (int seed = 1; seed <= 20; seed++) {
      write("data" + seed);
      Random random = new Random(seed);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        damage(segments(data), random);
      }
      Path target = temp.resolve("new" + seed);
      Salvage.Result result = Salvage.run(data, target, new Random(seed));
      // Without its first segment the log looks as if retention had deleted what all cursors
      // passed.
      if (!Files.exists(segment(1))) {
        written.keySet().removeIf(sequence -> sequence <= 3);
      }
      long missing = result.missing().stream().mapToLong(one -> one.range().records()).sum();
      assertThat(result.records().total() + missing).as("seed " + seed).isEqualTo(written.size());
      checkOpens(target, result);
    }
  }

  @Test
  void targetThere_sourceInUse_targetWithin_areRefused() throws Exception {
    write("data");
    Path there = Files.createDirectory(temp.resolve("there"));
    assertThatThrownBy(() -> Salvage.run(data, there, new Random(1)))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("nothing is written over");
    assertThatThrownBy(() -> Salvage.run(data, data.resolve("new"), new Random(1)))
        .isInstanceOf(UnusableFolderException.class);
    assertThatThrownBy(() -> Salvage.run(there, temp.resolve("new"), new Random(1)))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("no log");
    try (DataFolder held =
        DataFolder.open(data, SegmentOwner::ofNewest, OnClone.KEEP_ID, new Random(1))) {
      assertThatThrownBy(() -> Salvage.run(held.path(), temp.resolve("new"), new Random(1)))
          .isInstanceOf(DataFolder.InUseException.class);
    }
    assertThat(temp.resolve("new")).doesNotExist();
  }

  private static void damage(List<Path> segments, Random random) throws IOException {
    Path segment = segments.get(random.nextInt(segments.size()));
    byte[] bytes = Files.readAllBytes(segment);
    if (bytes.length < 1024) {
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> bytes[random.nextInt(bytes.length)] ^= 16;
      case 1 -> {
        int from = random.nextInt(bytes.length - 512);
        Arrays.fill(bytes, from, from + 512, (byte) 0);
      }
      case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> {
        if (segments.size() > 3) {
          Files.delete(segment);
          return;
        }
      }
    }
    Files.write(segment, bytes);
  }

  /** The salvaged log works as any other: it is read, counted, written to, opened again. */
  private void checkOpens(Path target, Salvage.Result result) throws Exception {
    Map<Long, String> left = new TreeMap<>(written);
    for (Salvage.Missing missing : result.missing()) {
      for (long i = missing.range().from(); i <= missing.range().to(); i++) {
        left.remove(i);
      }
    }
    LogIntegrity.check(new FileDisk(), target);
    assertThat(Records.read(LogReader.beside(new FileDisk(), target.resolve("log"), 1)))
        .isEqualTo(left);
    LogRig rig = new LogRig(new FileDisk(), target);
    for (int start = 1; start <= 2; start++) {
      try (DataFolder folder =
              DataFolder.open(target, SegmentOwner::ofNewest, OnClone.REFUSE, new Random(1));
          Log log = rig.open(TINY, folder.node())) {
        assertThat(folder.node()).isEqualTo(result.node()).isNotEqualTo(LogRig.NODE);
        assertThat(Records.read(log.reader(1))).isEqualTo(left);
        checkCounts(log, result, left);
        Waits sent = new Waits(log);
        left.put(sent.sequence, sent.text);
        assertThat(sent.sequence).isGreaterThan(60);
      }
    }
    LogIntegrity.check(new FileDisk(), target);
  }

  private static void checkCounts(Log log, Salvage.Result result, Map<Long, String> left)
      throws IOException, InterruptedException {
    for (Salvage.Missing missing : result.missing()) {
      LostRange range = missing.range();
      if (range.from() > log.oldestSequence()) {
        StreamCounts lost = log.acceptedThrough(range.to());
        lost.subtract(log.acceptedThrough(range.from() - 1));
        assertThat(lost).isEqualTo(missing.counts());
      }
    }
    StreamCounts counts = log.acceptedThrough(log.oldestSequence() - 1);
    long before = counts.total();
    for (Map.Entry<Long, String> one : left.entrySet()) {
      long through = log.acceptedThrough(one.getKey()).total();
      assertThat(through - before).isEqualTo(one.getKey() - log.oldestSequence() + 1);
      counts.add(Records.stream(one.getValue()));
    }
    long lost = log.cursor("behind").lost().stream().mapToLong(LostRange::records).sum();
    long behind = log.cursor("behind").sequence();
    long missing =
        result.missing().stream()
            .mapToLong(
                one -> Math.max(0, one.range().to() - Math.max(one.range().from() - 1, behind)))
            .sum();
    assertThat(lost).isEqualTo(missing);
    long lostBehind = lostBehind(log, result);
    assertThat(counts.total()).isEqualTo(log.accepted().total() - lostBehind);
    assertThat(log.accepted().total() - before).isEqualTo(log.durable() - log.oldestSequence() + 1);
  }

  private static long lostBehind(Log log, Salvage.Result result) {
    return result.missing().stream()
        .map(Salvage.Missing::range)
        .filter(range -> range.from() >= log.oldestSequence())
        .mapToLong(LostRange::records)
        .sum();
  }

  /** A completion to wait for, for a record appended after the salvage. */
  private static final class Waits {
    final long sequence;
    final String text;

    Waits(Log log) throws InterruptedException {
      text = "new" + log.durable();
      sequence = Records.append(log, text).first();
    }
  }

  /** About eight segments, closed cleanly, and two cursors, one of which has read all. */
  private void write(String name) throws Exception {
    data = temp.resolve(name);
    written.clear();
    LogRig rig = new LogRig(new FileDisk(), data);
    NodeFile.write(Files.createDirectories(data), 1, LogRig.NODE, null, FolderFacts.HOST);
    try (Log log = rig.open(TINY)) {
      for (int i = 1; i <= 60; i++) {
        String text = Records.text("record-", i, 130 + 17 * (i % 5));
        Records.append(log, text);
        written.put((long) i, text);
      }
      log.cursor("behind").advance(3);
      log.cursor("ahead").advance(60);
    }
    Files.writeString(Files.createDirectories(data.resolve("receipts")).resolve("a"), "kept");
    assertThat(segments(data)).hasSizeGreaterThan(6);
  }

  private static List<Path> segments(Path data) throws IOException {
    try (var files = Files.list(data.resolve("log"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  private Path segment(long first) {
    return data.resolve("log").resolve(SegmentFormat.fileName(first));
  }

  private static long first(Path segment) {
    return SegmentFormat.firstSequence(segment.getFileName().toString());
  }

  private static void flip(Path file, int at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
  }

  private static Map<String, byte[]> bytes(Path folder) throws IOException {
    Map<String, byte[]> bytes = new TreeMap<>();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return bytes;
  }
}
