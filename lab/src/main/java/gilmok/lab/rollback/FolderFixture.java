package gilmok.lab.rollback;

import gilmok.lab.LabClient;
import gilmok.lab.Subject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A data folder of a version, with what it answered about it, in one small archive: {@code data/},
 * and {@code asked.json}. The tests of later versions open it. Not thread-safe; blocks.
 *
 * @param life the version, and an empty folder to work in
 */
record FolderFixture(FolderLife life) {
  /** Log lines of 4 KiB each, so that the log has several segments and few keys. */
  private static final int LINES = 1000;

  private static final String NAME = "kept";

  /** The lock says nothing, and the file that the segment to come is in is all zeros. */
  private static final List<String> LEFT_OUT = List.of("gilmok.lock", "log/prepared-");

  /**
   * Writes the archive.
   *
   * @return the version that wrote it, as its {@code /version} says
   */
  JsonNode write(Path archive) throws IOException, InterruptedException {
    Minutes minutes = new Minutes();
    ObjectNode about = JsonMapper.shared().createObjectNode();
    String kept;
    try (Subject server = life.start();
        LabClient client = life.client(server)) {
      about.set("version", life.version(server));
      new FolderWork(server.url(), life.key(), NAME, client, minutes).run();
      kept = fill(client);
      ended(server);
    }
    // Asked of another process: what is kept in memory alone is not in the folder.
    try (Subject server = life.start()) {
      List<String> wrong = minutes.differences(server.url());
      wrong.addAll(life.account(server));
      if (!wrong.isEmpty()) {
        throw new IOException("the version does not keep what it said: " + wrong);
      }
      for (long sequence : List.of(1L, 2L, 3L, 4L, (long) LINES)) {
        minutes.ask(server.url(), life.key(), "/v1/receipts/" + kept + ":" + sequence);
      }
      minutes.ask(server.url(), life.key(), "/v1/deliveries?limit=100");
      minutes.ask(server.url(), life.key(), "/v1/quarantine?limit=10");
      minutes.ask(server.url(), life.key(), "/v1/devices?limit=100");
      ended(server);
    }
    about.put("writtenAt", Instant.now().toString());
    about.set("questions", minutes.json());
    pack(about, archive);
    return about.path("version");
  }

  /** Fills some segments; returns the node. */
  private static String fill(LabClient client) throws IOException, InterruptedException {
    String text = "no fix for 30 s, ".repeat(240);
    String node = "";
    for (int i = 0; i < LINES; i += 20) {
      StringBuilder lines = new StringBuilder();
      for (int line = i; line < i + 20; line++) {
        lines.append(
            "{\"riderId\":\"r-1\",\"at\":\"2026-11-27T09:00:00Z\",\"level\":\"warn\","
                + "\"id\":\"l-%d\",\"message\":\"%s\"}\n".formatted(line, text));
      }
      String body = "[" + lines.toString().strip().replace('\n', ',') + "]";
      JsonNode answer = LabClient.good("logs", client.post("/v1/logs", body)).json();
      node = answer.path("receipt").path("node").asString("");
    }
    return node;
  }

  private static void ended(Subject server) throws IOException, InterruptedException {
    if (server.stop() != 0) {
      throw new IOException("it did not end in order: " + server.lastOutput());
    }
  }

  private void pack(ObjectNode about, Path archive) throws IOException {
    List<Path> files;
    try (var all = Files.walk(life.data())) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      zip.putNextEntry(entry("asked.json"));
      zip.write(about.toString().getBytes(StandardCharsets.UTF_8));
      for (Path file : files) {
        String name = life.data().relativize(file).toString();
        if (LEFT_OUT.stream().noneMatch(name::startsWith)) {
          zip.putNextEntry(entry("data/" + name));
          Files.copy(file, zip);
        }
      }
    }
  }

  private static ZipEntry entry(String name) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    return entry;
  }
}
