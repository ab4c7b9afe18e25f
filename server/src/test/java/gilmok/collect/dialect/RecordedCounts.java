package gilmok.collect.dialect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Request bodies of real apps, from the test resources; see the README beside them. */
public final class RecordedCounts {
  private static final JsonMapper JACKSON = JsonMapper.builder().build();

  private RecordedCounts() {}

  /**
   * Decodes each file of a folder and counts its positions, log lines and rejects, as in {@code 1 0
   * 0}, by file name.
   *
   * @param device the upload's device, for requests that name none; null for none
   */
  public static Map<String, String> counts(
      Dialect dialect, String folder, @Nullable String device) {
    Map<String, String> counts = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder(folder))) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".http", "");
        counts.put(name, count(dialect, Files.readString(file), device));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return counts;
  }

  /** The request bodies of a folder's files, in the order of their names. */
  public static List<String> bodies(String folder) {
    try (Stream<Path> files = Files.list(folder(folder))) {
      return files.sorted().map(RecordedCounts::body).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path folder(String name) {
    try {
      var url = RecordedCounts.class.getResource("/dialects/" + name);
      if (url == null) {
        throw new IllegalStateException("no folder dialects/" + name);
      }
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String body(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(text.indexOf("\n\n") + 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String count(Dialect dialect, String request, @Nullable String device) {
    int blank = request.indexOf("\n\n");
    String head = request.substring(0, blank);
    byte[] body = request.substring(blank + 2).getBytes(StandardCharsets.UTF_8);
    String user = header(head, "X-Limit-U");
    String own = header(head, "X-Limit-D");
    Upload upload = new Upload(body, 0, body.length, user, own == null ? device : own, Decoded.NOW);
    Decoded decoded = Decoded.of(dialect, upload, id -> id);
    int positions = 0;
    for (String event : decoded.events()) {
      JsonNode node = JACKSON.readTree(event);
      positions += node.has("lat") ? 1 : 0;
    }
    return positions + " " + (decoded.events().size() - positions) + " " + decoded.rejects().size();
  }

  private static @Nullable String header(String head, String name) {
    int at = head.indexOf("\n" + name + ": ");
    return at < 0 ? null : head.substring(at + name.length() + 3).lines().findFirst().orElse(null);
  }
}
