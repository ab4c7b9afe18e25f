package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.storage.FileDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that an earlier version wrote open, and read as they did then. */
@Tag("unit")
@ResourceLock("java.util.logging")
final class OldLogTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.log");

  @TempDir Path data;

  @BeforeAll
  static void hush() {
    LOGGER.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOGGER.setLevel(null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1-footers"})
  void closed_opensReadsAndCountsTheSame(String form) throws Exception {
    copy(form + "/closed");
    assertReads("closed", 1);
    try (Log log = rig().open(OldLog.CONFIG, OldLog.NODE)) {
      assertThat(log.cursor("ship").sequence()).isEqualTo(9);
      assertThat(log.cursor("ship").note()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1-footers"})
  void torn_opensReadsAndCountsTheSame(String form) throws Exception {
    copy(form + "/torn");
    assertReads("torn", 3);
    try (var copies = Files.list(data.resolve("log/torn"))) {
      assertThat(copies).hasSize(1);
    }
  }

  /**
   * Fails when the format changes: a change needs a new version, not other bytes under this one.
   */
  @Test
  void v1Footers_isWhatIsWrittenToday() throws Exception {
    assertSameBytes("v1-footers/closed", OldLog.closed());
    assertSameBytes("v1-footers/torn", OldLog.torn());
  }

  /** A log of an earlier version goes on with records of the stream that came later. */
  @ParameterizedTest
  @ValueSource(strings = {"v1/closed", "v1/torn", "v1-footers/closed", "v1-footers/torn"})
  void recordsOfTheAudit_inALogOfBefore_areCountedWithTheRest(String form) throws Exception {
    copy(form);
    LogRig rig = rig();
    for (int life = 0; life < 3; life++) {
      try (Log log = rig.open(OldLog.CONFIG, OldLog.NODE)) {
        Recount.check(log);
        assertThat(log.accepted().of(Stream.AUDIT)).isEqualTo(life * 12L);
        for (int i = 0; i < 12; i++) {
          LogRig.awaitReady(log);
          Records.append(log, audited(life * 12 + i));
        }
        Recount.check(log);
        assertThat(log.accepted().of(Stream.AUDIT)).isEqualTo((life + 1) * 12L);
        assertThat(log.firstOf(Stream.AUDIT, 1)).isBetween(1L, 25L);
      }
    }
    rig.checkSound();
  }

  private static String audited(int i) {
    String text = Records.text("audited-", i, i * 37 % 350);
    while (Records.stream(text) != Stream.AUDIT) {
      text += "-";
    }
    return text;
  }

  private void assertReads(String name, long hour) throws Exception {
    try (LogReader beside = LogReader.beside(new FileDisk(), data.resolve("log"), 1)) {
      assertThat(read(beside, hour)).as(name).isEqualTo(OldLog.texts());
    }
    LogRig rig = rig();
    try (Log log = rig.open(OldLog.CONFIG, OldLog.NODE)) {
      assertThat(read(log.reader(1), hour)).as(name).isEqualTo(OldLog.texts());
      Recount.check(log);
      AppendBatch again = Records.draft(OldLog.texts().subList(0, 5));
      Records.append(log, again);
      assertThat(again.repeatCount()).isEqualTo(5);
      assertThat(Records.append(log, "new").first()).isEqualTo(25);
      Recount.check(log);
    }
    try (Log log = rig.open(OldLog.CONFIG, OldLog.NODE)) {
      Recount.check(log);
    }
    rig.checkSound();
  }

  private static List<String> read(LogReader reader, long hour) throws IOException {
    List<String> texts = new ArrayList<>();
    try (reader) {
      while (reader.next()) {
        texts.add(Records.text(reader));
        assertThat(reader.sequence()).isEqualTo(texts.size());
        assertThat(reader.node()).isEqualTo(OldLog.NODE);
        long later = reader.sequence() > 20 && hour == 1 ? 2 : hour;
        assertThat(reader.receivedAtMillis()).isEqualTo(OldLog.START + later * 3_600_000);
      }
    }
    return texts;
  }

  private void assertSameBytes(String name, SavedFolder now) throws Exception {
    Path then = resource(name);
    for (String file : now.files().keySet()) {
      if (!file.startsWith("log/prepared")) {
        assertThat(then.resolve(file)).hasBinaryContent(now.bytes(file));
      }
    }
  }

  private LogRig rig() {
    return new LogRig(new FileDisk(), data);
  }

  private void copy(String name) throws Exception {
    Path from = resource(name);
    try (var files = Files.walk(from)) {
      files.forEach(
          file -> {
            try {
              Path to = data.resolve(from.relativize(file).toString());
              if (Files.isDirectory(file)) {
                Files.createDirectories(to);
              } else {
                Files.copy(file, to);
              }
            } catch (IOException cannot) {
              throw new UncheckedIOException(cannot);
            }
          });
    }
  }

  private static Path resource(String name) throws URISyntaxException {
    URL url = OldLogTest.class.getResource("/log/" + name);
    assertThat(url).as(name).isNotNull();
    return Path.of(url.toURI());
  }
}
