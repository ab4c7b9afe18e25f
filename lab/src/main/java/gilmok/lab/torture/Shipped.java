package gilmok.lab.torture;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What the sink of files has written: NDJSON, packed by zstd. Blocks. */
final class Shipped {
  private static final String ID = "\"recordId\":\"";

  private Shipped() {}

  /**
   * The record ids in all files that can be seen below a folder.
   *
   * @throws IOException also when one of them is not whole
   */
  static Set<String> recordIds(Path folder) throws IOException {
    Set<String> ids = new HashSet<>();
    for (Path file : files(folder)) {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new ZstdInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          int from = line.indexOf(ID) + ID.length();
          ids.add(line.substring(from, line.indexOf('"', from)));
        }
      } catch (IOException | RuntimeException broken) {
        throw new IOException("a file that can be seen is not whole: " + file, broken);
      }
    }
    return ids;
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
