package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.FileDisk;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SegmentFilesTest {
  private static final LogConfig TINY =
      new LogConfig(2048, 900, 50, 1 << 20, Duration.ofDays(1), 1000, Duration.ofDays(1));

  @TempDir Path temp;

  /** Copies what it lists, as a backup does, and opens the copy with the next epoch. */
  private Log restored(SegmentFiles files, Path to) throws Exception {
    Files.createDirectories(to.resolve("log"));
    for (SegmentFiles.File file : files.files()) {
      Path target = SegmentFiles.path(to.resolve("log"), file.first());
      Files.copy(file.path(), target);
      try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
        channel.truncate(file.bytes());
      }
    }
    SequenceEpoch.begin(to, files.through());
    return new LogRig(new FileDisk(), to).open(TINY);
  }

  @Test
  void upToASequence_thoseRecordsAreInTheCopy_andItGoesOnInTheNextEpoch() throws Exception {
    Path data = temp.resolve("data");
    Log log = new LogRig(new FileDisk(), data).open(TINY);
    for (int i = 1; i <= 60; i++) {
      Records.append(log, "record " + i + " " + "x".repeat(80));
      LogRig.awaitReady(log);
    }
    long through = log.durable();
    for (int i = 0; i < 3; i++) {
      Records.append(log, "later " + i);
    }
    SegmentFiles files = SegmentFiles.upTo(data.resolve("log"), through);
    assertThat(files.through()).isEqualTo(through);
    assertThat(files.files()).hasSizeGreaterThan(2);
    assertThat(files.files().getLast().isEnded()).isFalse();
    assertThat(files.files().getFirst().isEnded()).isTrue();
    Path copy = temp.resolve("copy");
    Log again = restored(files, copy);
    assertThat(Records.read(again.reader(1)).keySet())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, through).boxed().toList());
    assertThat(again.accepted().total()).isEqualTo(through);
    assertThat(Records.append(again, "new").first()).isEqualTo(SequenceEpoch.LENGTH);
    again.close();
    log.close();
    new LogRig(new FileDisk(), copy).checkSound();
    Path twice = temp.resolve("twice");
    Log third = restored(SegmentFiles.ofStopped(copy.resolve("log")), twice);
    assertThat(Records.append(third, "newer").first()).isEqualTo(2 * SequenceEpoch.LENGTH);
    third.close();
  }

  @Test
  void ofAStopped_itIsAll_andDamageIsRefused() throws Exception {
    Path data = temp.resolve("data");
    Log log = new LogRig(new FileDisk(), data).open();
    assertThat(SegmentFiles.upTo(data.resolve("log"), 0).files()).isEmpty();
    for (int i = 1; i <= 20; i++) {
      Records.append(log, "record " + i);
    }
    log.close();
    SegmentFiles files = SegmentFiles.ofStopped(data.resolve("log"));
    assertThat(files.through()).isEqualTo(20);
    Path newest = files.files().getLast().path();
    byte[] bytes = Files.readAllBytes(newest);
    bytes[200] ^= 1;
    Files.write(newest, bytes);
    assertThatThrownBy(() -> SegmentFiles.ofStopped(data.resolve("log")))
        .isInstanceOf(DamagedLogException.class)
        .hasMessageContaining("was durable");
    assertThatThrownBy(() -> SegmentFiles.upTo(data.resolve("log"), 20))
        .isInstanceOf(DamagedLogException.class);
  }

  @Test
  void epochs_followEachOther() {
    assertThat(List.of(SequenceEpoch.after(0), SequenceEpoch.after(SequenceEpoch.LENGTH - 1)))
        .containsOnly(SequenceEpoch.LENGTH);
    assertThat(SequenceEpoch.after(SequenceEpoch.LENGTH)).isEqualTo(2 * SequenceEpoch.LENGTH);
  }
}
