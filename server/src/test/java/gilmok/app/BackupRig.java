package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Commands that back up a server and restore it, and what tests look for in a place. */
abstract class BackupRig {
  static final String[] SETTINGS = {
    "relay.private-networks=127.0.0.1", "sinks.enabled=files", "log.bytes-max=200MiB"
  };

  @TempDir Path folder;
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  int run(String... arguments) {
    return Commands.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  int backup(RunningServer server, Path to, String... more) {
    List<String> all = new ArrayList<>(List.of("backup", "--to", to.toString()));
    all.addAll(
        List.of("--url", "http://127.0.0.1:" + server.server().port(), "--key", server.adminKey()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  String said() {
    return out + "\n" + err;
  }

  int restore(Path place, Path data, String... more) {
    List<String> all =
        new ArrayList<>(List.of("restore", "--from", place.toString(), "--data", data.toString()));
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  /** Fills more than two segments of the log. */
  static void fillSegments(RunningServer server) throws Exception {
    fill(server, 40);
  }

  /** Appends so many requests' lines; with 16 of them a segment is full, and the next has begun. */
  static void fill(RunningServer server, int requests) throws Exception {
    String word = "길".repeat(300);
    for (int request = 0; request < requests; request++) {
      StringBuilder lines = new StringBuilder("[");
      for (int i = 0; i < 700; i++) {
        lines
            .append(i == 0 ? "" : ",")
            .append(
                "{\"riderId\":\"r\",\"at\":%d,\"level\":\"info\",\"message\":\"%d %d %s\"}"
                    .formatted(request * 1000 + i, request, i, word));
      }
      assertThat(server.post("/v1/logs", lines.append(']').toString()).status()).isEqualTo(202);
    }
  }

  static long waiting(RunningServer server) throws Exception {
    return server
        .get("/v1/ledger")
        .json()
        .path("items")
        .valueStream()
        .mapToLong(item -> item.path("waiting").asLong())
        .sum();
  }

  static List<Path> manifests(Path place) throws IOException {
    return files(place, "/backups/");
  }

  static List<Path> files(Path place, String part) throws IOException {
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(path -> Files.isRegularFile(path) && path.toString().contains(part))
          .sorted(Comparator.comparing(Path::toString))
          .toList();
    }
  }
}
