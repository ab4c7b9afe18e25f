package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Positions of one rider that were shipped into many small Parquet files. One thread ships, others
 * ask.
 */
final class ShippedPast {
  private static final Pattern COMPACTED = Pattern.compile(".*-c\\d+-.*\\.parquet");
  private static final int PAGE = 2_000;

  private final long begin = Instant.now().toEpochMilli() / 1000 * 1000 - 7_200_000;
  private final AtomicInteger count = new AtomicInteger();

  /** Starts a server that publishes a file for whatever has come. */
  static RunningServer start(Path data, Path files) throws Exception {
    return RunningServer.start(data, settings(files).toArray(String[]::new));
  }

  static List<String> settings(Path files) {
    return List.of(
        "sinks.enabled=files",
        "sinks.files.format=parquet",
        "sinks.files.streams=traces",
        "sinks.files.file-age-max=10ms",
        "sinks.save-interval=10ms",
        "sinks.files.folder=" + files);
  }

  /** Sends positions in batches, each of which becomes a file, until an hour has so many. */
  void ship(RunningServer server, Path files, int inHour, int each) throws Exception {
    long had = most(files);
    while (most(files) < had + inHour) {
      int from = count.get();
      String body =
          IntStream.range(from, from + each)
              .mapToObj(
                  n ->
                      "{\"riderId\":\"r1\",\"at\":%d,\"lat\":37.5,\"lon\":127,\"id\":\"p%d\"}"
                          .formatted(begin + 100L * n, n))
              .collect(Collectors.joining(",", "[", "]"));
      int before = published(files).size();
      Reply reply = server.post("/v1/traces", body);
      assertThat(reply.status()).as(reply.body()).isEqualTo(202);
      Program.await(() -> published(files).size() > before);
      count.addAndGet(each);
    }
    Program.await(() -> server.get("/v1/sinks/files").json().path("waiting").asLong() == 0);
  }

  /** How many positions were sent. */
  int count() {
    return count.get();
  }

  /** How many files the hour has that has the most. */
  static long most(Path files) throws IOException {
    return published(files).stream()
        .collect(Collectors.groupingBy(file -> file.resolveSibling(""), Collectors.counting()))
        .values()
        .stream()
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  /** What a server's answer lacks, or has twice; empty if it is whole. */
  List<String> missing(RunningServer server) throws Exception {
    int known = count.get();
    List<Long> found = new ArrayList<>();
    String asked = "from=" + begin + "&to=" + (begin + 7_000_000) + "&limit=" + PAGE;
    while (asked != null) {
      Reply reply = server.get("/v1/riders/r1/trace?" + asked);
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      JsonNode page = reply.json();
      for (JsonNode item : page.path("items")) {
        found.add((Instant.parse(item.path("at").asString()).toEpochMilli() - begin) / 100);
      }
      asked =
          page.path("next").isNull()
              ? null
              : "limit=" + PAGE + "&cursor=" + page.path("next").asString();
    }
    Set<Long> once = new TreeSet<>(found);
    List<String> wrong = new ArrayList<>();
    for (long n = 0; n < known; n++) {
      if (!once.contains(n)) {
        wrong.add("lacks " + n);
      }
    }
    if (once.size() < found.size()) {
      wrong.add("has " + (found.size() - once.size()) + " twice");
    }
    return wrong;
  }

  static double metric(RunningServer server, String name) throws Exception {
    Matcher found =
        Pattern.compile("(?m)^" + name + "\\{[^}]*} (\\S+)$")
            .matcher(server.get("/metrics").body());
    assertThat(found.find()).as(name).isTrue();
    return Double.parseDouble(found.group(1));
  }

  /** All files with their names. */
  static List<Path> published(Path files) throws IOException {
    return all(files).stream()
        .filter(file -> file.toString().endsWith(".parquet"))
        .filter(file -> !file.getFileName().toString().startsWith("."))
        .toList();
  }

  static List<Path> compacted(Path files) throws IOException {
    return published(files).stream()
        .filter(file -> COMPACTED.matcher(file.getFileName().toString()).matches())
        .toList();
  }

  /** Those of a compaction that is under way. */
  static List<Path> hidden(Path files) throws IOException {
    return all(files).stream()
        .filter(file -> file.getFileName().toString().startsWith("."))
        .toList();
  }

  private static List<Path> all(Path files) throws IOException {
    try (Stream<Path> all = Files.walk(files)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException vanished) { // while it was walked
      return all(files);
    }
  }
}
