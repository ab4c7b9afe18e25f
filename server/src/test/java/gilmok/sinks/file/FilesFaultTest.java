package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.log.FaultyDisk;
import gilmok.log.FaultyDisk.Operation;
import gilmok.sinks.Verdict;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk on which every change fails from the n-th on, until the test repairs it. For each n: only
 * records that are there are acknowledged, no incomplete file stays, and after the repair every
 * record is there once.
 */
@Tag("unit")
@Execution(ExecutionMode.CONCURRENT)
@Tag("soak")
class FilesFaultTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void everyCallThatCanFail_failsAndNothingIsLostOrHalf(String format) throws Exception {
    int calls = run(format, Integer.MAX_VALUE);
    assertThat(calls).isGreaterThan(20);
    Seeds.some(calls)
        .forEach(
            failing -> {
              try {
                run(format, failing + 1);
              } catch (Exception | AssertionError broken) {
                throw Seeds.failed("call " + (failing + 1) + " fails", broken);
              }
            });
  }

  @Test
  void folder_thatIsAFile_isSaid() throws Exception {
    Path own = Files.writeString(folder.resolve("own"), "a file");
    FilesRig rig = new FilesRig(own, "ndjson");
    try (FilesSink sink = rig.sink(Records.NODE, new FileDisk())) {
      sink.send(rig.positions(1, 5));
      assertThat(sink.release(true))
          .isInstanceOfSatisfying(
              Verdict.Retry.class,
              retry -> assertThat(retry.detail()).contains(own.toString(), "is no folder"));
    }
  }

  /** Ships 20 records, publishing ten at a time; returns how many calls changed the disk. */
  private int run(String format, int failing) throws Exception {
    Path own = folder.resolve(format + failing);
    FilesRig rig = new FilesRig(own, format);
    Failing fault = new Failing(failing);
    FaultyDisk disk = new FaultyDisk(new FileDisk());
    disk.set(fault);
    try (FilesSink sink = rig.sink(Records.NODE, disk)) {
      long cursor = 0;
      int rounds = 0;
      while (cursor < 20) {
        assertThat(rounds++).isLessThan(10);
        long next = cursor < 10 ? 10 : 20;
        sink.send(rig.positions(cursor + 1, next - 5));
        sink.send(rig.oneOfEach(next - 4));
        Verdict verdict = sink.release(true);
        if (verdict instanceof Verdict.Done done) {
          assertThat(done.acknowledged().total()).isEqualTo(next - cursor);
          cursor = next;
        } else {
          assertThat(verdict)
              .isInstanceOfSatisfying(
                  Verdict.Retry.class,
                  retry -> assertThat(retry.detail()).contains("No space left on device"));
          sink.discard();
          fault.mend();
        }
      }
    }
    assertThat(rig.files()).noneMatch(name -> name.startsWith("."));
    assertThat(rig.sequences("*"))
        .as("failing " + failing)
        .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
    return fault.calls;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void aFileInThePlaceOfTheFolder_isToldAndMendedByTakingItAway(String format) throws Exception {
    Path place = folder.resolve("out");
    Files.writeString(place, "not a folder");
    FilesRig rig = new FilesRig(place, format);
    try (FilesSink sink = rig.sink()) {
      assertThat(sink.send(rig.positions(1, 3))).isInstanceOf(Verdict.Held.class);
      assertThat(sink.release(false)).isInstanceOf(Verdict.Retry.class);
      sink.discard();
      Files.delete(place);
      assertThat(FilesRig.ship(sink, rig.positions(1, 3)).acknowledged().total()).isEqualTo(3);
    }
    assertThat(rig.sequences("traces")).containsExactly(1L, 2L, 3L);
  }

  /** Counts the changes of the disk, and fails them from a given one on. */
  private static final class Failing implements FaultyDisk.Fault {
    private int from;
    private int calls;

    Failing(int from) {
      this.from = from;
    }

    void mend() {
      from = Integer.MAX_VALUE;
    }

    @Override
    public void strike(Operation operation, Path path) throws IOException {
      boolean changes = operation != Operation.OPEN && operation != Operation.READ;
      if (changes && ++calls >= from) {
        throw new IOException("No space left on device");
      }
    }
  }
}
