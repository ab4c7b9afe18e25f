package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok log} over folders that a real server wrote. */
@Tag("process")
final class LogCommandIT {
  @TempDir Path data;

  @Test
  void cat_printsOneObjectALine_asTheContractSays() throws Exception {
    String node;
    try (RunningServer server = RunningServer.start(data)) {
      node = send(server);
    }
    Ended all = Program.run("log", "cat", "--data=" + data);
    assertThat(all.err()).isEmpty();
    assertThat(all.code()).isZero();
    String time = "\"receivedAt\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z\"";
    assertThat(all.out().lines().map(line -> line.replaceFirst(time, "\"receivedAt\":T")))
        .containsExactly(
            line(node, 1, "traces")
                + "{\"riderId\":\"r1\",\"at\":\"1970-01-01T00:00:01Z\",\"lat\":37.5,\"lon\":127,"
                + "\"id\":\"a\",\"attributes\":{\"x\":[1]}}}",
            line(node, 2, "quarantine")
                + "{\"stream\":\"traces\",\"index\":1,\"field\":\"lat\",\"reason\":\"out of"
                + " range\","
                + "\"raw\":\"{\\\"riderId\\\":\\\"r2\\\",\\\"at\\\":1,\\\"lat\\\":91,\\\"lon\\\":1}\"}}",
            line(node, 3, "actions")
                + "{\"riderId\":\"r3\",\"at\":\"1970-01-01T00:00:02Z\",\"type\":\"pickup\"}}",
            line(node, 4, "logs")
                + "{\"riderId\":\"r4\",\"at\":\"1970-01-01T00:00:03Z\",\"level\":\"info\","
                + "\"message\":\"안녕\"}}");
  }

  @Test
  void cat_fromLimitAndStream_narrowIt() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      send(server);
    }
    assertThat(sequences("--from=3")).containsExactly("3", "4");
    assertThat(sequences("--limit=2")).containsExactly("1", "2");
    assertThat(sequences("--from=2", "--limit=1")).containsExactly("2");
    assertThat(sequences("--stream=actions")).containsExactly("3");
    assertThat(sequences("--stream=logs", "--limit=0")).isEmpty();
    assertThat(sequences("--from=9")).isEmpty();
    Ended unknown = Program.run("log", "cat", "--data=" + data, "--stream=trace");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("--stream trace is none of traces, actions, logs, deliveries, quarantine");
  }

  @Test
  void everyCommand_besideARunningServer_seesWhatItAcknowledged() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      send(server);
      assertThat(sequences()).containsExactly("1", "2", "3", "4");
      Ended verified = Program.run("log", "verify", "--data=" + data);
      assertThat(verified.code()).as(verified.err()).isZero();
      assertThat(verified.out().lines().map(String::strip))
          .containsExactly(
              "sound; sequences 1 to 4:", "traces 1", "actions 1", "logs 1", "quarantine 1");
      Ended listed = Program.run("log", "ls", "--data=" + data);
      assertThat(listed.out().lines().findFirst())
          .hasValueSatisfying(
              head -> assertThat(head).matches("FILE +FIRST +RECORDS +BYTES +RECEIVED FROM"));
      assertThat(listed.out().lines().skip(1))
          .singleElement()
          .asString()
          .matches("0{19}1\\.log +1 +4 +" + (9 << 20) + " +\\S+Z");
      assertThat(server.post("/v1/traces", position(7)).status()).isEqualTo(202);
    }
  }

  @Test
  void damage_isNamedByFileAndOffset_andWhatIsBeforeItPrinted() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      for (int i = 1; i <= 5; i++) {
        server.post("/v1/traces", position(i));
      }
    }
    Path file = Damage.at(data, "rider-3");
    Ended printed = Program.run("log", "cat", "--data=" + data);
    assertThat(printed.code()).isEqualTo(1);
    assertThat(printed.out().lines()).hasSize(2);
    assertThat(printed.err().lines())
        .singleElement()
        .asString()
        .matches("gilmok: the log is damaged: \\Q" + file + "\\E: damaged at offset \\d+: .*");
    Ended verified = Program.run("log", "verify", "--data=" + data);
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.err())
        .matches("gilmok: the log is damaged: \\Q" + file + "\\E: damaged at offset \\d+: .*\n");
  }

  @Test
  void missingFolder_isNamed_andNotMade() throws Exception {
    Path missing = data.resolve("none");
    for (String command : List.of("ls", "cat", "verify")) {
      Ended ended = Program.run("log", command, "--data=" + missing);
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.err())
          .isEqualTo(
              "gilmok: " + missing + " is no data folder (it has no log); name one with --data\n");
    }
    assertThat(Files.exists(missing)).isFalse();
  }

  private List<String> sequences(String... more) throws Exception {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "log";
    arguments[1] = "cat";
    arguments[2] = "--data=" + data;
    System.arraycopy(more, 0, arguments, 3, more.length);
    Ended ended = Program.run(arguments);
    assertThat(ended.code()).as(ended.err()).isZero();
    return ended
        .out()
        .lines()
        .map(line -> line.replaceAll("^\\{\"sequence\":(\\d+),.*", "$1"))
        .toList();
  }

  /** Sends four records, each of another stream; returns the node's id. */
  private static String send(RunningServer server) throws Exception {
    String traces =
        "[{\"riderId\":\"r1\",\"at\":1000,\"lat\":37.5,\"lon\":127,\"id\":\"a\",\"x\":[1]},"
            + "{\"riderId\":\"r2\",\"at\":1,\"lat\":91,\"lon\":1}]";
    String node = server.post("/v1/traces", traces).json().path("receipt").path("node").asString();
    server.post("/v1/actions", "{\"riderId\":\"r3\",\"at\":2000,\"type\":\"pickup\"}");
    server.post(
        "/v1/logs", "{\"riderId\":\"r4\",\"at\":3000,\"level\":\"info\",\"message\":\"안녕\"}");
    return node;
  }

  private static String line(String node, int sequence, String stream) {
    return "{\"sequence\":%d,\"recordId\":\"%s:%d\",\"stream\":\"%s\",\"receivedAt\":T,\"record\":"
        .formatted(sequence, node, sequence, stream);
  }

  private static String position(int number) {
    return "{\"riderId\":\"rider-%d\",\"at\":%d,\"lat\":1,\"lon\":1}".formatted(number, number);
  }
}
