package gilmok.sinks.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.Seeds;
import gilmok.sinks.Batch;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader that lists the folder all the time never sees an incomplete file. */
@Tag("unit")
@Tag("soak")
class FilesAtomicTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void everyFileThatIsSeen_isWhole(String format) throws Exception {
    int volumes = Math.max(5, Seeds.share(40));
    FilesRig rig = new FilesRig(folder, format);
    AtomicBoolean written = new AtomicBoolean();
    CompletableFuture<Integer> looking =
        CompletableFuture.supplyAsync(() -> look(rig, format, written));
    try (FilesSink sink = rig.sink()) {
      long next = 1;
      for (int volume = 0; volume < volumes; volume++) {
        for (int i = 0; i < 5; i++, next += 300) {
          sink.send(rig.positions(next, next + 299));
        }
        FilesRig.ship(sink, rig.oneOfEach(next));
        next += 5;
      }
    } finally {
      written.set(true);
    }
    assertThat(looking.get(60, TimeUnit.SECONDS)).isEqualTo(volumes * 5);
  }

  /** Reads each file as soon as it appears. Returns how many there were. */
  private static int look(FilesRig rig, String format, AtomicBoolean written) {
    Set<String> seen = new HashSet<>();
    boolean last;
    do {
      last = written.get();
      for (String name : visible(rig)) {
        if (seen.add(name)) {
          assertThat(rows(rig.folder.resolve(name), format)).as(name).isPositive();
        }
      }
    } while (!last);
    return seen.size();
  }

  /** The files that a reader lists: neither they nor their folders begin with a dot. */
  private static List<String> visible(FilesRig rig) {
    while (true) {
      try {
        return rig.files().stream().filter(name -> !name.startsWith(".")).toList();
      } catch (IOException | UncheckedIOException changedMeanwhile) {
        Throwable cause =
            changedMeanwhile instanceof UncheckedIOException unchecked
                ? unchecked.getCause()
                : changedMeanwhile;
        assertThat(cause).isInstanceOf(NoSuchFileException.class);
      }
    }
  }

  private static long rows(Path file, String format) {
    try {
      if (format.equals("parquet")) {
        return (Long)
            FilesRig.query("select count(columns(*)) from '" + file + "'").getFirst().getFirst();
      }
      try (InputStream in = new ZstdInputStream(Files.newInputStream(file))) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(text).endsWith("}\n");
        return text.lines().count();
      }
    } catch (IOException | SQLException notWhole) {
      throw new AssertionError(file.toString(), notWhole);
    }
  }

  /**
   * Checks the check: the test above finds incomplete files only if reading a truncated one fails.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ndjson", "parquet"})
  void aFileCutShort_isFound(String format) throws Exception {
    FilesRig rig = new FilesRig(folder, format);
    try (FilesSink sink = rig.sink()) {
      Batch batch = rig.positions(1, 3000);
      FilesRig.ship(sink, batch);
    }
    Path file = folder.resolve(rig.files().getFirst());
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> rows(file, format)).isInstanceOf(AssertionError.class);
  }
}
