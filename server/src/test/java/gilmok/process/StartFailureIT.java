package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.app.Damage;
import gilmok.app.Program;
import gilmok.app.Program.Ended;
import gilmok.app.RunningServer;
import gilmok.app.Stores;
import gilmok.collect.RecordAppender;
import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of a server that cannot start. A failure that a test can cause is caused. */
@Tag("process")
final class StartFailureIT {
  @TempDir Path folder;

  @Test
  void portInUse_saysWhichAndWhatToDo() throws Exception {
    try (ServerSocket taken = listening(0)) {
      int port = taken.getLocalPort();
      assertThat(failed("--port=" + port).said())
          .containsExactly(
              "gilmok: port %d is in use: stop what listens there or choose another with --port"
                  .formatted(port));
      assertThat(failed("--set=operate.port=" + port).said())
          .containsExactly(
              "gilmok: port %d is in use: stop what listens there or choose another with --set"
                      .formatted(port)
                  + " operate.port=N");
      assertThat(folder.resolve("data/log")).as("nothing was begun").doesNotExist();
    }
  }

  @Test
  void portInUse_leavesNothingRunningAndTheFolderFree() throws Exception {
    Path data = folder.resolve("data");
    int operatePort = freePort();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ServerSocket taken = listening(0)) {
      assertThatThrownBy(
              () ->
                  RunningServer.start(
                      data, "http.port=" + taken.getLocalPort(), "operate.port=" + operatePort))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is in use");
      Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
      left.removeAll(before);
      assertThat(left.stream().map(Thread::getName))
          .noneMatch(name -> name.startsWith("log-") || name.equals("live"));
    }
    try (ServerSocket closedAgain = listening(operatePort)) {
      assertThat(closedAgain.isBound()).isTrue();
    }
    try (RunningServer again = RunningServer.start(data)) {
      assertThat(again.get("/health/ready").status()).isEqualTo(200);
    }
  }

  /**
   * Threads that had been started before the error kept half a server alive, which answered 503 for
   * ever.
   */
  @Test
  void errorInTheStart_leavesNothingRunning() throws Exception {
    Path data = folder.resolve("data");
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Stores broken =
        new Stores() {
          @Override
          public RecordAppender acceptor(RecordAppender log) {
            throw new NoClassDefFoundError("Could not initialize class X");
          }
        };
    assertThatThrownBy(() -> RunningServer.start(data, broken))
        .isInstanceOf(NoClassDefFoundError.class);
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    assertThat(left.stream().map(Thread::getName))
        .noneMatch(name -> name.startsWith("log-") || name.startsWith("documents"));
    DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random(1)).close();
  }

  /** A full disk used to bring the advice to make the folder writable. */
  @Test
  void nothingLeftOfTheMachine_saysWhat() {
    Path data = folder.resolve("data");
    String file = data.resolve("node").toString();
    for (String reason : List.of("No space left on device", "Too many open files")) {
      String line = StartFailure.line(new IOException(reason), data);
      assertThat(line).isEqualTo(line(file, reason, data)).doesNotContain("writable");
    }
    assertThat(line(file, "No space left on device", data)).startsWith("no space left for the");
    assertThat(line(file, "Too many open files", data)).contains("LimitNOFILE", "ulimit -n");
  }

  private static String line(String file, String reason, Path data) {
    return StartFailure.line(new FileSystemException(file, null, reason), data);
  }

  /** A bad HTTPS_PROXY is noticed late, and used to be reported as a bug. */
  @Test
  void settingThatIsSeenToBeWrongLate_isToldAsSettingsAre() throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(
        List.of(
            "--set=sinks.enabled=firehose",
            "--set=sinks.firehose.stream=s",
            "--set=sinks.firehose.region=eu-west-1",
            "--set=sinks.firehose.endpoint=http://127.0.0.1:9"));
    Map<String, String> proxy = Map.of("HTTPS_PROXY", "http://u:hush%ZZ@127.0.0.1:9");
    try (Program server = Program.startIn(proxy, arguments.toArray(String[]::new))) {
      Ended ended = server.end();
      assertThat(ended.code()).isEqualTo(2);
      assertThat(ended.said()).singleElement().asString().startsWith("gilmok: HTTPS_PROXY");
      assertThat(ended.err()).doesNotContain("hush", "a bug");
    }
  }

  @Test
  void folderInUse_saysSo() throws Exception {
    Path data = folder.resolve("data");
    try (DataFolder _ =
        DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random(1))) {
      assertThat(failed().said())
          .containsExactly(
              "gilmok: "
                  + data
                  + " is in use by another Gilmok: stop that one, or start with"
                  + " another --data");
    }
  }

  @Test
  void fileInPlaceOfTheFolder_saysSo() throws Exception {
    Path file = Files.writeString(folder.resolve("data"), "");
    assertThat(failed().said())
        .singleElement()
        .asString()
        .startsWith("gilmok: " + file)
        .endsWith(": make the data folder " + file + " writable, or choose another with --data");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void folderThatCannotBeMade_saysSo() throws Exception {
    // In /sys nobody can make folders, not even root, and the tests may run as root.
    assertThat(failed("--data=/sys/gilmok").said())
        .singleElement()
        .asString()
        .startsWith("gilmok: /sys/gilmok ")
        .endsWith(": make the data folder /sys/gilmok writable, or choose another with --data");
  }

  @Test
  void damagedLog_namesFileAndOffset_andChangesNothing() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data)) {
      for (int i = 1; i <= 3; i++) {
        server.post(
            "/v1/traces", "{\"riderId\":\"rider-%d\",\"at\":1,\"lat\":1,\"lon\":1}".formatted(i));
      }
    }
    Path file = Damage.at(data, "rider-2");
    byte[] before = Files.readAllBytes(file);
    assertThat(failed("--set=log.segment-bytes=9MiB", "--set=log.bytes-max=64MiB").said())
        .singleElement()
        .asString()
        .matches(
            "gilmok: \\Q"
                + file
                + "\\E: damaged at offset \\d+: .*: the server did not start and"
                + " changed nothing;"
                + " \"gilmok log verify --data .*");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void wrongSettings_areListedTogether_andNothingIsMade() throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(
        List.of("--set", "nonsense=1", "--set", "log.bytes-mx=1GiB", "--only", "colect,live,ship"));
    arguments.set(1, "--set=http.port=abc");
    Ended ended = Program.run(arguments.toArray(String[]::new));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err().lines())
        .containsExactlyInAnyOrder(
            "gilmok: http.port: cannot read \"abc\" (an example: 8080)",
            "gilmok: only: no part is called \"colect\"; there are collect, positions, sinks,"
                + " deliveries, run-sheets, statements, missions, history",
            "gilmok: only: the part live is called positions now",
            "gilmok: only: the part ship is called sinks now",
            "gilmok: log.bytes-mx: no such setting; did you mean log.bytes-max?",
            "gilmok: nonsense: no such setting");
    assertThat(Files.exists(folder.resolve("data"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "segment-bytes=8MiB, log.segment-bytes: must be larger than log.group-bytes-max",
    "bytes-max=20MiB, log.bytes-max: must be at least three times log.segment-bytes"
  })
  void boundsThatDoNotFit_areNamed(String setting, String said) throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.add("--set=log." + setting);
    Ended ended = Program.run(arguments.toArray(String[]::new));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err().lines()).containsExactly("gilmok: " + said);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = listening(0)) {
      return socket.getLocalPort();
    }
  }

  private static ServerSocket listening(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  /**
   * Runs a server that cannot start, and returns how it ended. An option in {@code more} replaces
   * the same option given by default.
   */
  private Ended failed(String... more) throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    for (String one : more) {
      String name = one.substring(0, one.indexOf('=') + 1);
      arguments.removeIf(given -> !name.equals("--set=") && given.startsWith(name));
      arguments.add(one);
    }
    Ended ended = Program.run(arguments.toArray(String[]::new));
    assertThat(ended.code()).as(ended.err()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    return ended;
  }
}
