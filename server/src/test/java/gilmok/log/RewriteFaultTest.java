package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.FaultyDisk.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a rewriting does when the disk fails: the log goes on, and another call does the rest. */
@Tag("unit")
final class RewriteFaultTest {
  private static final RecordRewrite ERASE_GONE =
      (stream, at, bytes, offset, length) ->
          bytes[offset] == 'g' ? RecordRewrite.ERASE : RecordRewrite.KEEP;

  private final FaultyDisk disk =
      new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
  private final LogRig rig = new LogRig(disk, Path.of("/data"));

  @AfterEach
  void opensAgain() throws Exception {
    disk.set(FaultyDisk.NONE);
    rig.open().close();
    rig.checkSound();
  }

  private static Map<Long, String> fill(Log log, int records) throws Exception {
    Map<Long, String> left = new TreeMap<>();
    for (int i = 0; i < records; i++) {
      String text = Records.text(i % 3 == 0 ? "gone-" : "kept-", i, 300);
      long sequence = Records.append(log, text).first();
      if (i % 3 != 0) {
        left.put(sequence, text);
      }
      LogRig.awaitReady(log);
    }
    return left;
  }

  private static LogRewriter.Result rewrite(Log log) throws Exception {
    return log.rewriter().rewrite(ERASE_GONE, (through, of, soFar) -> {});
  }

  /** Fails that operation on the rewriting thread, each time at another of its calls. */
  @ParameterizedTest
  @EnumSource(names = {"CREATE", "OPEN", "READ", "WRITE", "FORCE", "RENAME", "FORCE_FOLDER"})
  void rewrite_diskFails_goesOnWithTheNextCall(Operation operation) throws Exception {
    try (Log log = rig.open()) {
      Map<Long, String> left = fill(log, 120);
      String thread = Thread.currentThread().getName();
      boolean hasFailed = true;
      for (int at = 0; hasFailed; at++) {
        int[] calls = {at};
        disk.set(
            (one, path) -> {
              if (FaultyDisk.isOn(thread) && one == operation && calls[0]-- == 0) {
                throw new IOException("no " + one);
              }
            });
        hasFailed = false;
        try {
          rewrite(log);
        } catch (IOException expected) {
          hasFailed = true;
        }
        disk.set(FaultyDisk.NONE);
        assertThat(log.isFailed()).isFalse();
        Map<Long, String> now = Records.read(log.reader(1));
        assertThat(now).containsAllEntriesOf(left);
        assertThat(now.size()).isBetween(left.size(), 120);
      }
      assertThat(Records.read(log.reader(1))).isEqualTo(left);
      assertThat(disk.list(Path.of("/data/log"))).noneMatch(name -> name.startsWith("rewritten-"));
      LogRig.awaitReady(log);
      assertThat(Records.append(log, "kept-later").first()).isEqualTo(121);
    }
  }

  @Test
  void rewrite_deletedMeanwhile_isNotBroughtBack() throws Exception {
    try (Log log = rig.open()) {
      fill(log, 120);
      Path oldest = Path.of("/data/log/00000000000000000001.log");
      disk.set(
          (one, path) -> {
            if (one == Operation.CREATE
                && path.toString().contains("rewritten-00000000000000000001")) {
              rig.now.addAndGet(LogRig.SMALL.retention().toMillis() + 1);
              try {
                log.keep(); // saves the keys, without which nothing is deleted
                log.keep();
              } catch (InterruptedException impossible) {
                throw new IOException(impossible);
              }
            }
          });
      rewrite(log);
      assertThat(disk.list(Path.of("/data/log"))).doesNotContain(oldest.getFileName().toString());
      assertThat(log.oldestSequence()).isGreaterThan(1);
    }
  }

  @Test
  void rewrite_damagedSegment_doesTheOthersAndNamesIt() throws Exception {
    Path damaged = Path.of("/data/log/00000000000000000001.log");
    try (Log log = rig.open()) {
      Map<Long, String> left = fill(log, 120);
      byte[] was = new byte[1];
      try (var file = disk.open(damaged)) {
        was[0] = file.read(200, 1).get(0);
        file.write(java.nio.ByteBuffer.wrap(new byte[] {(byte) ~was[0]}), 200);
      }
      LogRewriter.Result result = rewrite(log);
      assertThat(result.unreadable()).hasSize(1);
      assertThat(result.unreadable().getFirst()).contains(damaged.toString());
      assertThat(result.counts().erased().total()).isBetween(1L, 39L);
      try (var file = disk.open(damaged)) {
        file.write(java.nio.ByteBuffer.wrap(was), 200);
      }
      assertThat(rewrite(log).unreadable()).isEmpty();
      assertThat(Records.read(log.reader(1))).isEqualTo(left);
    }
  }

  @Test
  void close_whileRewriting_endsIt() throws Exception {
    Log log = rig.open();
    fill(log, 120);
    disk.set(
        (one, path) -> {
          if (one == Operation.CREATE && path.toString().contains("rewritten-")) {
            Thread.ofVirtual().start(() -> close(log));
            LogRig.await(
                () ->
                    log.append(Records.draft("late"), new Records.Waiting())
                        == AppendResult.CLOSED);
          }
        });
    assertThatThrownBy(() -> rewrite(log)).hasMessageContaining("closed");
    close(log);
  }

  private static void close(Log log) {
    try {
      log.close();
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
