package gilmok.lab.sinks;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads back what the files sink has published as NDJSON. */
final class Shipped {
  private Shipped() {}

  /** The record ids in all published files below a server's data folder, including repeats. */
  static List<String> recordIds(Path data) throws IOException {
    List<String> ids = new ArrayList<>();
    try (Stream<Path> files = Files.walk(data.resolve("shipped"))) {
      for (Path file : files.filter(name -> isPublished(name.toString())).toList()) {
        try (BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new ZstdInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonNode json = JsonMapper.shared().readTree(line);
            ids.add(json.path("recordId").asString(""));
          }
        }
      }
    }
    return ids;
  }

  private static boolean isPublished(String name) {
    return name.endsWith(".ndjson.zst") && !name.contains("/.open-");
  }
}
