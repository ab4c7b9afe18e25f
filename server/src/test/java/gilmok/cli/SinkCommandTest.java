package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests and the output of {@code gilmok sink} and {@code gilmok ledger}. */
@Tag("server")
class SinkCommandTest {
  private static final String FILES =
      """
      {"name":"files","kind":"files","state":"running","ordered":true,"streams":["traces","logs"],
       "sequence":1042,"settledAbove":0,"waiting":7,"lagSeconds":0.25,"inFlight":1,
       "settings":{},"limits":{}}\
      """;
  private static final String OLD =
      """
      {"name":"redis-old","kind":"redis","state":"unconfigured","sequence":3,"waiting":1,
       "lagSeconds":9}\
      """;
  private static final String AWAY =
      """
      {"name":"firehose","kind":"firehose","state":"retrying","streams":["traces"],"sequence":9,
       "waiting":1,"lagSeconds":4,"inFlight":2,"fault":"no answer","faultAt":"2026-11-21T09:00:00Z"}
      """;

  @Test
  void list_printsATableAndWhatIsWrong() throws IOException {
    String items = "{\"items\":[" + FILES + "," + AWAY + "," + OLD + "],\"next\":null}";
    try (FakeServer server = new FakeServer(_ -> new Answer(200, items))) {
      Shell.Result result = run(server, "sink", "ls");
      assertThat(result.code()).isZero();
      assertThat(result.out().lines().map(line -> line.replaceAll(" +", " ")))
          .containsExactly(
              "SINK STATE WAITING LAG IN FLIGHT SETTLED UP TO STREAMS",
              "files running 7 0.25 s 1 1042 traces,logs",
              "firehose retrying 1 4 s 2 9 traces",
              "redis-old unconfigured 1 9 s - 3 -",
              "firehose: no answer (2026-11-21T09:00:00Z)",
              "redis-old: no setting names it, and the log keeps records for it;"
                  + " \"gilmok sink forget\" releases them");
      assertThat(run(server, "sink", "ls", "--json").out()).contains("\"waiting\":7");
    }
  }

  @Test
  void list_withoutSinks_saysHowToHaveOne() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(200, "{\"items\":[]}"))) {
      assertThat(run(server, "sink", "ls").out()).contains("sinks.enabled");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pause files | POST /v1/sinks/files/pause {}",
        "resume files | POST /v1/sinks/files/resume {}",
        "rewind files --to-sequence 5 | POST /v1/sinks/files/rewind {'sequence':5}",
        "rewind files --to 2026-11-21T09:00:00Z"
            + " | POST /v1/sinks/files/rewind {'time':'2026-11-21T09:00:00Z'}",
        "tune files --batch-age 1s --max-concurrency 4"
            + " | PUT /v1/sinks/files {'batchAgeMaxMillis':1000,'maxConcurrency':4}",
        "tune files --batch-records 9 --batch-bytes 4096"
            + " | PUT /v1/sinks/files {'batchRecordsMax':9,'batchBytesMax':4096}"
      })
  void command_sendsWhatWasAskedAndShowsTheSink(String command, String sent) throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(200, FILES))) {
      Shell.Result result = run(server, ("sink " + command).split(" "));
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).contains("files", "running", "1042");
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path() + " " + asked.body())
          .isEqualTo(sent.replace('\'', '"'));
      assertThat(asked.key()).isEqualTo("secret-key");
    }
  }

  @Test
  void forget_deletes() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(204, ""))) {
      Shell.Result result = run(server, "sink", "forget", "redis-old");
      assertThat(result.out().strip()).isEqualTo("forgot redis-old");
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path()).isEqualTo("DELETE /v1/sinks/redis-old");
    }
  }

  @ParameterizedTest
  @CsvSource({"sink tune files", "sink rewind files", "sink rewind files --to x --to-sequence 1"})
  void command_wronglyAsked_saysSoInOneLine(String command) throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(200, FILES))) {
      Shell.Result result = run(server, command.split(" "));
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err().lines()).hasSize(1);
      assertThat(server.asked()).isEmpty();
    }
  }

  @Test
  void command_refused_failsWithTheServersReason() throws IOException {
    String problem =
        """
        {"title":"Conflict","detail":"The request does not fit the present state.","field":"id",
         "reason":"the settings name this sink: take it from sinks.enabled"}\
        """;
    try (FakeServer server = new FakeServer(_ -> new Answer(409, problem))) {
      Shell.Result result = run(server, "sink", "forget", "files");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("take it from sinks.enabled");
    }
  }

  @Test
  void ledger_printsTheAccount() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(200, ledger(1500, 0)))) {
      Shell.Result result = run(server, "ledger");
      assertThat(result.code()).isZero();
      assertThat(result.out().lines().map(line -> line.replaceAll(" +", " ")))
          .containsExactly(
              "accepted on aaaabbbbcccc so far: traces 2,000, logs 0",
              "SINK STREAM SINCE ACCEPTED DELIVERED WAITING QUARANTINED SKIPPED ERASED"
                  + " LOST RESIDUE",
              "files traces 17 2,000 1,500 490 8 2 0 0 0");
      assertThat(run(server, "ledger", "--json").out()).contains("\"residue\":0");
    }
  }

  @Test
  void ledger_withAResidue_fails() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(200, ledger(1499, 1)))) {
      Shell.Result result = run(server, "ledger");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).contains("files");
      assertThat(result.err()).contains("does not add up by 1");
    }
  }

  private static String ledger(int delivered, int residue) {
    return """
    {"node":"aaaabbbbcccc","at":"2026-11-21T09:00:00Z","residue":%d,
     "streams":[{"stream":"traces","accepted":2000},{"stream":"logs","accepted":0}],
     "items":[{"sink":"files","stream":"traces","since":17,"accepted":2000,"delivered":%d,
       "waiting":490,"quarantined":8,"skipped":2,"erased":0,"lost":0,
       "residue":%d}],"next":null}\
    """
        .formatted(residue, delivered, residue);
  }

  private static Shell.Result run(FakeServer server, String... arguments) {
    return Shell.run(with(server, arguments));
  }

  /** The command line with the options that make it call {@code server}. */
  static String[] with(FakeServer server, String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--url=" + server.url();
    all[arguments.length + 1] = "--key=secret-key";
    return all;
  }

  @Test
  void pause_ofNoSink_saysSo() throws Exception {
    String problem =
        """
        {"title":"Not Found","status":404,"field":"id","reason":"nothing is known under it"}\
        """;
    try (FakeServer server = new FakeServer(request -> new FakeServer.Answer(404, problem))) {
      Shell.Result result = run(server, "sink", "pause", "nope");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("no such thing", "nothing is known under it");
    }
  }
}
