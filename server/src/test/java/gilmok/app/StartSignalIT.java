package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import gilmok.log.CleanMark;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals to a process that is still starting. It obeys at once, whatever it waits for. */
@Tag("process")
final class StartSignalIT {
  @TempDir Path folder;

  /** A named pipe: opening one end waits until the other end is opened. */
  private Path pipe() throws Exception {
    Path pipe = folder.resolve("settings.yaml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  @Test
  void term_whileItReadsItsSettings_endsIt() throws Exception {
    Path pipe = pipe();
    try (Program server = Program.startIn(Map.of(), serving("--config=" + pipe));
        OutputStream neverWritten = new FileOutputStream(pipe.toFile())) {
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      neverWritten.flush();
    }
    assertThat(data()).doesNotExist();
  }

  @Test
  void hangUp_whileItReadsItsSettings_isKeptForTheServer() throws Exception {
    Path pipe = pipe();
    try (Program server = Program.startIn(Map.of(), serving("--config=" + pipe))) {
      try (OutputStream settings = new FileOutputStream(pipe.toFile())) {
        server.hangUp();
        settings.write("logging.format: text".getBytes(StandardCharsets.UTF_8));
      }
      Program.await(() -> !server.logged().isEmpty()); // the settings were read
      // The SIGHUP that was kept makes the server read them once more.
      try (OutputStream settings = new FileOutputStream(pipe.toFile())) {
        settings.write("logging.format: json".getBytes(StandardCharsets.UTF_8));
      }
      Program.await(() -> server.logged().contains("reloaded: logging.format;"));
      server.awaitReady();
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("\"message\":\"stopped\"}");
    }
  }

  /** Each start meets what the one before it has left, and the last gets ready. */
  @Test
  void term_atAnyMomentOfTheStart_endsIt_andTheNextOneIsFine() throws Exception {
    for (int millis : new int[] {0, 20, 60, 120, 200, 300, 500, 900}) {
      try (Program server = Program.startIn(Map.of(), serving())) {
        Program.await(() -> !server.logged().isEmpty());
        LockSupport.parkNanos(millis * 1_000_000L);
        server.terminate();
        Ended ended = server.end();
        assertThat(ended.code()).as("%s ms: %s", millis, ended.err()).isZero();
        assertThat(ended.err()).contains("stopped").doesNotContain(" ERROR ");
        assertThat(ended.said()).isEmpty();
      }
    }
    startsAndStops();
  }

  /** MongoDB's host accepts connections and never answers. */
  @Test
  void term_whileItWaitsForMongo_endsIt_andClosesWhatIsOpen() throws Exception {
    try (ServerSocket dumb = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String uri = "mongodb://127.0.0.1:" + dumb.getLocalPort();
      try (Program server =
              Program.startIn(
                  Map.of("GILMOK_DOCUMENTS_MONGO_URI", uri),
                  serving(
                      "--set=documents.mongo-timeout=1min",
                      "--set=documents.mongo-connect-timeout=1min"));
          Socket connected = dumb.accept()) {
        server.terminate();
        Ended ended = server.end();
        assertThat(ended.code()).as(ended.err()).isZero();
        assertThat(ended.err())
            .contains("stopping before the start is over")
            .contains("stopped")
            .doesNotContain("ended as by a kill");
        assertThat(connected.isConnected()).isTrue();
      }
    }
    startsAndStops();
  }

  /**
   * A server that is still warming has no clients who need the grace, and has accepted nothing that
   * a flush would ship.
   */
  @Test
  void term_whileWarming_waitsForNoGraceAndNoFlush() throws Exception {
    List<String> arguments = new ArrayList<>(List.of(serving()));
    arguments.remove("--no-warmup");
    arguments.addAll(
        List.of(
            "--only=collect,sinks",
            "--set=sinks.enabled=redis",
            "--set=redis.url=redis://127.0.0.1:1",
            "--set=stop.grace=10min",
            "--set=stop.flush=1h",
            "--set=warm-up.limit=10min"));
    post();
    try (Program server = Program.startIn(Map.of(), arguments.toArray(String[]::new))) {
      Program.await(() -> hasTwin());
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err()).contains("stopped").contains("not drained");
      assertThat(ended.err()).doesNotContain("serving for another");
    }
    assertThat(hasTwin()).isFalse();
    assertThat(CleanMark.isAtEndOf(data())).isTrue();
  }

  /** Leaves a record in the log that no sink has shipped. */
  private void post() throws Exception {
    try (RunningServer server = RunningServer.start(data(), "only=collect")) {
      String record = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";
      assertThat(server.post("/v1/traces", record).status()).isEqualTo(202);
    }
  }

  private void startsAndStops() throws Exception {
    try (Program server = Program.serve(data())) {
      assertThat(server.uri("/")).isNotNull();
      server.terminate();
      assertThat(server.end().code()).isZero();
    }
    assertThat(CleanMark.isAtEndOf(data())).isTrue();
  }

  private boolean hasTwin() throws IOException {
    if (!Files.isDirectory(data())) {
      return false;
    }
    try (Stream<Path> all = Files.list(data())) {
      return all.anyMatch(path -> path.getFileName().toString().startsWith("warmup-"));
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private String[] serving(String... more) {
    List<String> arguments = Program.serving(data());
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }
}
