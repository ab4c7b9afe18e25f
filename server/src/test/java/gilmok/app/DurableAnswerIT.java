package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise 1, as the kernel sees it: each 202 leaves after the fdatasync that covers it. */
@Tag("process")
final class DurableAnswerIT {
  private static final int REQUESTS = 300;

  @TempDir Path folder;

  @Test
  void everyAnswer_leavesAfterItsFdatasync() throws Exception {
    Path strace = Path.of("/usr/bin/strace");
    boolean mustRun = "true".equals(System.getenv("CI"));
    Assumptions.assumeTrue(
        mustRun || Files.isExecutable(strace), "strace is missing: apt-get install strace");
    Path trace = folder.resolve("trace");
    Process process = start(strace, trace);
    try {
      int port = awaitPort(process);
      send(port);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    List<String> lines = Files.readAllLines(trace, StandardCharsets.ISO_8859_1);
    Strace read = new Strace(lines);
    assertThat(read.answers()).isEqualTo(REQUESTS);
    assertThat(read.syncs()).isBetween(1, REQUESTS);
    assertThat(read.violations()).isEmpty();

    // The check must work: without the fdatasyncs, every answer is too early.
    List<String> unforced = lines.stream().filter(line -> !line.contains("fdatasync")).toList();
    assertThat(new Strace(unforced).violations()).hasSize(REQUESTS);
  }

  private Process start(Path strace, Path trace) throws IOException {
    List<String> command =
        List.of(
            strace.toString(),
            "-f",
            "-xx",
            "-s",
            "4096",
            "-e",
            "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg",
            "-o",
            trace.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "gilmok.process.Main",
            "serve",
            "--port",
            "0",
            "--data",
            folder.resolve("data").toString(),
            "--set",
            "http.host=127.0.0.1",
            // Without deliveries, which write and force a file of their own.
            "--set",
            "only=collect",
            "--set",
            "log.segment-bytes=9MiB",
            "--set",
            "log.bytes-max=64MiB",
            "--set",
            "log.dedup-entries-max=10000",
            "--no-warmup");
    return new ProcessBuilder(command).redirectError(folder.resolve("stderr").toFile()).start();
  }

  private int awaitPort(Process process) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Gilmok is ready")) {
        return URI.create(line.substring(line.indexOf("http"))).getPort();
      }
    }
    throw new IOException("no start: " + Files.readString(folder.resolve("stderr")));
  }

  private void send(int port) throws Exception {
    String key = Files.readString(folder.resolve("data/admin.key")).strip();
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        String body = "{\"riderId\":\"r\",\"at\":" + i + ",\"lat\":1,\"lon\":1}";
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/traces"))
                    .header("X-Api-Key", key)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString()));
        if (i % 32 == 31) {
          for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
          }
          answers.clear();
        }
      }
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
      }
    }
  }
}
