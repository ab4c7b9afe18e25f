package gilmok.lab.torture;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads what the files sink has written: NDJSON compressed with zstd. Blocks. */
final class Shipped {
  private static final String ID = "\"recordId\":\"";
  private static final String SEQUENCE = "{\"sequence\":";
  private static final int TRIES = 5;

  private Shipped() {}

  /**
   * The record ids in all visible files below a folder.
   *
   * @throws IOException also when a file is incomplete
   */
  static Set<String> recordIds(Path folder) throws IOException {
    Set<String> ids = new HashSet<>();
    read(
        folder,
        line -> {
          int from = line.indexOf(ID) + ID.length();
          ids.add(line.substring(from, line.indexOf('"', from)));
        });
    return ids;
  }

  /**
   * The lines of records before a sequence, each once, by sequence.
   *
   * @throws IOException also when a file is incomplete
   */
  static SortedMap<Long, String> before(Path folder, long sequence) throws IOException {
    SortedMap<Long, String> before = new TreeMap<>();
    if (sequence > 1) {
      read(
          folder,
          line -> {
            long own = sequence(line);
            if (own < sequence) {
              before.put(own, line);
            }
          });
    }
    return before;
  }

  /** The sequence at the beginning of a line of a file or of the log; 0 if there is none. */
  static long sequence(String line) {
    int comma = line.indexOf(',');
    try {
      return line.startsWith(SEQUENCE) && comma > 0
          ? Long.parseLong(line.substring(SEQUENCE.length(), comma))
          : 0;
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  /** Reads all lines; some come twice when a file has been replaced by a larger one meanwhile. */
  private static void read(Path folder, Consumer<String> taker) throws IOException {
    for (int i = 1; ; i++) {
      try {
        readOnce(folder, taker);
        return;
      } catch (NoSuchFileException | UncheckedIOException replaced) {
        if (i == TRIES) {
          throw new IOException("the files that were shipped do not stay: " + folder, replaced);
        }
      }
    }
  }

  private static void readOnce(Path folder, Consumer<String> taker) throws IOException {
    for (Path file : files(folder)) {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new ZstdInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          taker.accept(line);
        }
      } catch (NoSuchFileException replaced) {
        throw replaced;
      } catch (IOException | RuntimeException broken) {
        throw new IOException("a file that can be seen is not whole: " + file, broken);
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".ndjson.zst")).toList();
    }
  }
}
