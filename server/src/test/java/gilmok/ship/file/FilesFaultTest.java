package gilmok.ship.file;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.log.Disk;
import gilmok.log.FileDisk;
import gilmok.ship.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that fails: from the n-th call on, every call that changes it fails, until it is mended.
 * For each n: nothing is acknowledged that is not there, nothing half-written stays, and once it is
 * mended every record is there once.
 */
class FilesFaultTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void everyCallThatCanFail_failsAndNothingIsLostOrHalf(String format) throws Exception {
    int calls = run(format, Integer.MAX_VALUE);
    assertThat(calls).isGreaterThan(20);
    for (int failing = 1; failing <= calls; failing++) {
      run(format, failing);
    }
  }

  /** Ships 20 records of two volumes; returns how many calls the disk was asked. */
  private int run(String format, int failing) throws Exception {
    Path own = folder.resolve(format + failing);
    FilesRig rig = new FilesRig(own, format);
    FailingDisk disk = new FailingDisk(failing);
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
          disk.mend();
        }
      }
    }
    assertThat(rig.files()).noneMatch(name -> name.startsWith("."));
    assertThat(rig.sequences("*"))
        .as("failing " + failing)
        .isEqualTo(LongStream.rangeClosed(1, 20).boxed().toList());
    return disk.calls;
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

  private static final class FailingDisk implements Disk {
    private final FileDisk real = new FileDisk();
    private int failing;
    private int calls;

    FailingDisk(int failing) {
      this.failing = failing;
    }

    void mend() {
      failing = Integer.MAX_VALUE;
    }

    private void call() throws IOException {
      calls++;
      if (calls >= failing) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public void createFolder(Path folder) throws IOException {
      call();
      real.createFolder(folder);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
      return real.list(folder);
    }

    @Override
    public File create(Path path) throws IOException {
      call();
      return new FailingFile(real.create(path));
    }

    @Override
    public File open(Path path) throws IOException {
      return real.open(path);
    }

    @Override
    public File openForReading(Path path) throws IOException {
      return real.openForReading(path);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      call();
      real.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
      call();
      real.delete(path);
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
      call();
      real.forceFolder(folder);
    }

    private final class FailingFile implements File {
      private final File file;

      FailingFile(File file) {
        this.file = file;
      }

      @Override
      public void write(ByteBuffer source, long position) throws IOException {
        call();
        file.write(source, position);
      }

      @Override
      public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
      }

      @Override
      public void force() throws IOException {
        call();
        file.force();
      }

      @Override
      public long size() throws IOException {
        return file.size();
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    }
  }
}
