package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import gilmok.cli.FakeServer.Asked;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("server")
class ReplayTest {
  @TempDir Path folder;

  @Test
  void replay_everythingTaken_exitsZeroWithTheAccount() throws IOException {
    try (FakeServer server = new FakeServer(FakeServer::taken)) {
      Shell.Result result = replay(server, csv(3, 40), "--batch", "7");
      assertThat(result.err()).isEmpty();
      assertThat(result.code()).isZero();
      assertThat(result.out())
          .contains("120 of 120 records acknowledged")
          .containsPattern("accepted +120\n")
          .contains("n1:1 to 7");
      assertThat(server.asked()).allMatch(request -> request.path().equals("/v1/traces"));
      assertThat(server.asked()).allMatch(request -> "secret-key".equals(request.key()));
      assertThat(server.asked()).allMatch(request -> request.body().size() <= 7);
      assertThat(server.records()).hasSize(120);
    }
  }

  @Test
  void replay_manyConnections_keepsEachRidersOrder() throws IOException {
    try (FakeServer server = new FakeServer(FakeServer::taken)) {
      assertThat(replay(server, csv(20, 50), "--batch", "3", "--connections", "4").code()).isZero();
      Map<String, Long> last = new HashMap<>();
      for (JsonNode record : server.records()) {
        long at = record.path("at").asLong();
        Long before = last.put(record.path("riderId").asString(), at);
        assertThat(before == null || before < at).isTrue();
      }
      assertThat(last).hasSize(20);
    }
  }

  @Test
  void replay_connections_areTheMostInFlight() throws IOException {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Semaphore second = new Semaphore(0);
    Function<Asked, Answer> overlapping =
        request -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          // The first request is answered only when a second one is there, so two surely overlap.
          if (now.get() == 1) {
            second.acquireUninterruptibly();
          } else {
            second.release();
          }
          now.decrementAndGet();
          return FakeServer.taken(request);
        };
    try (FakeServer server = new FakeServer(overlapping)) {
      Path file = folder.resolve("two.csv");
      Files.writeString(file, "rider,at,lat,lon\na,1,1,1\nb,1,1,1\n");
      assertThat(replay(server, file, "--connections", "2").code()).isZero();
      assertThat(most.get()).isEqualTo(2);
    }
  }

  @Test
  void replay_quarantined_isAcknowledgedAndExplainedByLine() throws IOException {
    Function<Asked, Answer> picky =
        request ->
            new Answer(
                202,
                """
                {"accepted":2,"duplicates":1,"quarantined":[{"index":1,"field":"lat",
                 "reason":"is out of range"}],"receipt":{"node":"n1","first":5,"last":6}}\
                """);
    try (FakeServer server = new FakeServer(picky)) {
      Shell.Result result = replay(server, csv(1, 4));
      assertThat(result.code()).isZero();
      assertThat(result.out())
          .contains("line 3: lat: is out of range")
          .containsPattern("quarantined +1\n")
          .containsPattern("duplicates +1\n")
          .contains("n1:5 to 6");
    }
  }

  @Test
  void replay_busyServer_isAskedAgainUntilItTakesIt() throws IOException {
    AtomicInteger refusals = new AtomicInteger(2);
    Function<Asked, Answer> busy =
        request -> refusals.getAndDecrement() > 0 ? new Answer(503, "") : FakeServer.taken(request);
    try (FakeServer server = new FakeServer(busy)) {
      Shell.Result result = replay(server, csv(1, 5));
      assertThat(result.code()).isZero();
      assertThat(server.asked()).hasSize(3);
      assertThat(result.err()).contains("the server is busy (503); trying again");
      assertThat(result.out()).contains("repeated     2 requests");
    }
  }

  @Test
  void replay_busyForLongerThanPatience_failsAndSaysWhere() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(429, Map.of("Retry-After", "30"), ""))) {
      Shell.Result result = replay(server, csv(1, 5), "--patience", "1s");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("busy (429)", "gave up at lines 2 to 6 after 1 s");
      assertThat(result.out()).contains("0 of 5 records acknowledged");
      assertThat(server.asked()).hasSize(1);
    }
  }

  @Test
  void replay_refusedBatch_namesItsLinesFieldAndReason() throws IOException {
    Function<Asked, Answer> refusing =
        request ->
            request.body().get(0).path("at").asLong() >= 11_000
                ? new Answer(
                    400, "{\"title\":\"Invalid\",\"field\":\"lat\",\"reason\":\"is missing\"}")
                : FakeServer.taken(request);
    try (FakeServer server = new FakeServer(refusing)) {
      Shell.Result result = replay(server, csv(1, 30), "--batch", "10");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .contains("lines 12 to 21: the server answered 400: Invalid lat: is missing");
      assertThat(result.out()).contains("10 of");
    }
  }

  @Test
  void replay_keyNotTaken_saysWhereItCameFrom() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(401, ""))) {
      Shell.Result result = replay(server, csv(1, 1));
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("does not take the key from --key (401");
    }
  }

  @Test
  void replay_answerThatCountsOtherwise_isNoSuccess() throws IOException {
    Function<Asked, Answer> miscounting =
        request -> new Answer(202, "{\"accepted\":1,\"duplicates\":0,\"quarantined\":[]}");
    try (FakeServer server = new FakeServer(miscounting)) {
      Shell.Result result = replay(server, csv(1, 2));
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("no account of 2 records");
    }
  }

  @Test
  void replay_brokenLine_sendsWhatCameBeforeAndNamesIt() throws IOException {
    Path file = csv(1, 3);
    Files.writeString(file, Files.readString(file) + "\"open\n");
    try (FakeServer server = new FakeServer(FakeServer::taken)) {
      Shell.Result result = replay(server, file);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err())
          .isEqualToIgnoringNewLines("gilmok: line 5: a quote is opened and never closed");
      assertThat(result.out()).contains("3 of 3 records acknowledged");
    }
  }

  @Test
  void replay_noServer_saysHowToStartOne() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Shell.Result result =
        Shell.run(
            "replay",
            csv(1, 1).toString(),
            "--key=secret-key",
            "--url=http://127.0.0.1:" + port,
            "--patience=0s");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("start it with ./gilmok serve");
  }

  @Test
  void replay_speed_sendsWhatIsOpenWhileItWaits() throws IOException {
    Path file = folder.resolve("gap.csv");
    Files.writeString(file, "rider,at,lat,lon\na,100,1,1\na,130,1,1\n");
    try (FakeServer server = new FakeServer(FakeServer::taken)) {
      Shell.Result result = replay(server, file, "--speed", "10x", "--gap-max", "1500 ms");
      assertThat(result.code()).isZero();
      assertThat(server.asked()).hasSize(2);
    }
  }

  @Test
  void replay_wrongUsage_isOneLineAndExitsTwo() {
    for (List<String> wrong :
        List.of(
            List.of("replay"),
            List.of("replay", "x.csv", "--batch", "0"),
            List.of("replay", "x.csv", "--speed", "fast"),
            List.of("replay", "x.csv", "--gap-max", "5"),
            List.of("replay", "x.csv", "--nonsense"))) {
      Shell.Result result = Shell.run(wrong.toArray(String[]::new));
      assertThat(result.code()).as(wrong.toString()).isEqualTo(2);
      assertThat(result.err().lines()).as(wrong.toString()).hasSize(1);
      assertThat(result.err()).contains("gilmok replay --help");
    }
  }

  private static Shell.Result replay(FakeServer server, Path file, String... more) {
    String[] arguments = new String[more.length + 4];
    arguments[0] = "replay";
    arguments[1] = file.toString();
    arguments[2] = "--url=" + server.url();
    arguments[3] = "--key=secret-key";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Shell.run(arguments);
  }

  private Path csv(int riders, int each) throws IOException {
    StringBuilder text = new StringBuilder("agent_id,at,lat,lon\n");
    for (int i = 1; i <= each; i++) {
      for (int rider = 0; rider < riders; rider++) {
        text.append("r-").append(rider).append(',').append(i).append(",37.5,127.0\n");
      }
    }
    Path file = folder.resolve("recording.csv");
    Files.writeString(file, text);
    return file;
  }
}
