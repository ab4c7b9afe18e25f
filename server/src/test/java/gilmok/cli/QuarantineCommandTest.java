package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The requests and the output of {@code gilmok quarantine}. */
@Tag("server")
class QuarantineCommandTest {
  private static String job(boolean isDone, int failed, String more) {
    return """
    {"id":"77","done":%b,"found":5,"replayed":4,"failed":%d,"settledBefore":0,"pending":0,
     "sequence":50,"last":100%s}\
    """
        .formatted(isDone, failed, more);
  }

  private static Shell.Result run(FakeServer server, String... arguments) {
    return Shell.run(SinkCommandTest.with(server, arguments));
  }

  @Test
  void list_printsEveryPage_oneRecordALine() throws IOException {
    AtomicInteger pages = new AtomicInteger();
    try (FakeServer server =
        new FakeServer(
            _ ->
                new Answer(
                    200,
                    pages.incrementAndGet() == 1
                        ? "{\"items\":[{\"sequence\":1},{\"sequence\":2}],\"next\":\"2 &x\"}"
                        : "{\"items\":[{\"sequence\":3}],\"next\":null}"))) {
      Shell.Result result = run(server, "quarantine", "ls", "--sink", "files");
      assertThat(result.err()).isEmpty();
      assertThat(result.out().lines())
          .containsExactly("{\"sequence\":1}", "{\"sequence\":2}", "{\"sequence\":3}");
      assertThat(server.asked()).extracting(FakeServer.Asked::path).containsOnly("/v1/quarantine");
    }
  }

  @Test
  void replay_asksUntilItIsDone() throws IOException {
    AtomicInteger looks = new AtomicInteger();
    try (FakeServer server =
        new FakeServer(
            asked ->
                asked.method().equals("POST")
                    ? new Answer(202, job(false, 0, ""))
                    : new Answer(200, job(looks.incrementAndGet() == 2, 0, "")))) {
      Shell.Result result =
          run(
              server,
              "quarantine",
              "replay",
              "--sink",
              "firehose",
              "--from",
              "2026-11-21T09:00:00Z");
      assertThat(result.code()).isZero();
      assertThat(result.out())
          .contains("50 % of the log read, 5 found, 4 replayed, 0 refused again");
      assertThat(server.asked().getFirst().path()).isEqualTo("/v1/quarantine-replays");
      assertThat(server.asked().getFirst().body().toString())
          .isEqualTo("{\"sink\":\"firehose\",\"from\":\"2026-11-21T09:00:00Z\"}");
      assertThat(server.asked().getLast().path()).isEqualTo("/v1/quarantine-replays/77");
      assertThat(server.asked()).hasSize(3);
    }
  }

  @Test
  void replay_someRefusedAgain_orEndedEarly_fails() throws IOException {
    try (FakeServer server = new FakeServer(_ -> new Answer(202, job(true, 1, "")))) {
      assertThat(run(server, "quarantine", "replay").code()).isEqualTo(1);
    }
    String why = ",\"error\":\"the log takes nothing\"";
    try (FakeServer server = new FakeServer(_ -> new Answer(202, job(true, 0, why)))) {
      Shell.Result result = run(server, "quarantine", "replay");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("ended early: the log takes nothing");
    }
  }

  @Test
  void replay_someReceiptsGone_saysHowMany_andFails() throws IOException {
    String gone = ",\"receiptsMissing\":2";
    try (FakeServer server = new FakeServer(_ -> new Answer(202, job(true, 3, gone)))) {
      Shell.Result result = run(server, "quarantine", "replay");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).contains("1 refused again, 2 without a receipt any more, 0 settled");
    }
  }
}
