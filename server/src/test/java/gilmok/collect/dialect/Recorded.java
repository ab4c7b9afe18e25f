package gilmok.collect.dialect;

import gilmok.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request of a real client, from {@code server/src/test/resources/dialects}.
 *
 * @param name folder and file name, without the ending
 * @param query without the question mark; empty if the request has none
 */
public record Recorded(String name, String query, String body) {
  /** All requests in a folder, in the order of their names. */
  public static List<Recorded> of(String app) {
    Path folder = Repository.root().resolve("server/src/test/resources/dialects").resolve(app);
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(file -> read(app, file)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Recorded read(String app, Path file) {
    try {
      String text = Files.readString(file);
      int head = text.indexOf("\n\n");
      String target = text.lines().toList().get(1).split(" ")[1];
      int mark = target.indexOf('?');
      return new Recorded(
          app + "/" + file.getFileName().toString().replace(".http", ""),
          mark < 0 ? "" : target.substring(mark + 1),
          head < 0 ? "" : text.substring(head + 2));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The parameters as a dialect receives them: the query, else the body, without the API key. */
  public String parameters() {
    return Arrays.stream((query.isEmpty() ? body : query).split("&"))
        .filter(parameter -> !parameter.startsWith("key="))
        .collect(Collectors.joining("&"));
  }

  @Override
  public String toString() {
    return name;
  }
}
