package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.app.StoreCases.Asked;
import gilmok.app.StoreCases.Case;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All routes over stores that fail, in each way that stores fail. Every request is answered and
 * counted, and its place is given back. Once the store works again, so does the route.
 */
@Tag("process")
final class StoreFailureIT {
  private static final String[] SETTINGS = {
    "sinks.enabled=files",
    "deliveries.concurrency-max=8",
    "missions.concurrency-max=8",
    "statements.concurrency-max=8",
    "statements.streams-max=4",
    "relay.private-networks=127.0.0.1"
  };

  @TempDir Path data;
  private final Trouble trouble = new Trouble();

  @Test
  void everyRoute_isKnownHere() throws Exception {
    try (ToldPartner partner = new ToldPartner();
        RunningServer server = RunningServer.start(data, SETTINGS)) {
      Set<String> known = new TreeSet<>(StoreCases.ASK_NONE.keySet());
      for (String name : new StoreCases(server, partner).all().keySet()) {
        known.add(route(name));
      }
      Set<String> routes =
          server.server().routes().stream()
              .map(route -> route.method() + " " + route.path())
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(known).isEqualTo(routes);
    }
  }

  /** The route of a request, without the word that tells it from other requests for the route. */
  private static String route(String name) {
    return Arrays.stream(name.split(" ", -1)).limit(2).collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @EnumSource(Trouble.Kind.class)
  void storesThatFail_everyRequestIsAnswered_andPlacesAreGivenBack(Trouble.Kind kind)
      throws Exception {
    leaveASinkBehind();
    try (ToldPartner partner = new ToldPartner();
        RunningServer server = RunningServer.start(data, trouble, SETTINGS)) {
      StoreCases cases = new StoreCases(server, partner);
      Map<String, Integer> failed = new HashMap<>();
      int number = 0;
      for (Map.Entry<String, Case> one : cases.all().entrySet()) {
        String part = one.getValue().part();
        boolean isOutageOfTheLog = part.isEmpty() && kind == Trouble.Kind.OUTAGE;
        if (!isOutageOfTheLog) {
          Asked asked = one.getValue().preparation().of("c" + number++);
          int times = 1 + (int) server.metric("gilmok_" + part + "_in_flight_max");
          fail(cases, server, kind, one.getKey(), asked, times);
          failed.merge(part, times, Integer::sum);
        }
      }
      assertCounted(server, kind, failed);
    }
  }

  /**
   * These routes read the log where an account begins at a sequence that was not counted before.
   */
  @ParameterizedTest
  @ValueSource(strings = {"/v1/ledger", "/v1/sinks", "/v1/sinks/files-old"})
  void logThatCannotBeRead_theAccountIsAnOutage_andThereAgain(String path) throws Exception {
    String trace = "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";
    try (RunningServer server =
        RunningServer.start(data, "sinks.enabled=files,files-old", "stop.flush=30 s")) {
      assertThat(server.post("/v1/traces", trace).status()).isEqualTo(202);
    }
    boolean wasRead = false;
    for (int at = 2; !wasRead && at < 12; at++) {
      try (RunningServer server = RunningServer.start(data, trouble, SETTINGS)) {
        Reply reply = askedInAnOutage(server, path, trace.replace("1", Integer.toString(at)));
        // The page /ops asks for the ledger, too: if it did so before the outage, the log is open
        // already and needs no file. Then another start is tried.
        wasRead = reply.status() != 200;
        if (wasRead) {
          assertThat(reply.status()).as(reply.body()).isEqualTo(503);
          assertThat(reply.body()).contains("/docs/errors#busy");
        }
        trouble.is(null);
        assertThat(server.get(path).status()).isEqualTo(200);
        String failures = "gilmok_offload_failures_total{cause=\"outage\",part=\"ledger\"}";
        assertThat(server.metric(failures)).isEqualTo(wasRead ? 1 : 0);
      }
    }
    assertThat(wasRead).isTrue();
  }

  private Reply askedInAnOutage(RunningServer server, String path, String record) throws Exception {
    assertThat(server.post("/v1/traces", record).status()).isEqualTo(202);
    trouble.is(Trouble.Kind.OUTAGE);
    return server.get(path);
  }

  private void leaveASinkBehind() throws Exception {
    RunningServer.start(data, "sinks.enabled=files,files-old").close();
  }

  private void fail(
      StoreCases cases,
      RunningServer server,
      Trouble.Kind kind,
      String route,
      Asked asked,
      int times)
      throws Exception {
    String refusals = "gilmok_http_refusals_total{refusal=\"" + kind.refusal + "\"}";
    double before = server.metric(refusals);
    trouble.is(kind);
    try {
      for (int i = 0; i < times; i++) {
        assertThat(cases.status(asked)).as(route).isEqualTo(kind.status);
      }
    } finally {
      trouble.is(null);
    }
    assertThat(server.metric(refusals) - before).as(route).isEqualTo(times);
    // After a failed load the cache of missions does not call the store for a moment.
    Program.await(() -> cases.status(asked) < 300);
  }

  private static void assertCounted(
      RunningServer server, Trouble.Kind kind, Map<String, Integer> failed) throws Exception {
    failed.remove("");
    assertThat(failed).hasSizeGreaterThan(7);
    for (String part : failed.keySet()) {
      String inFlight = "gilmok_" + part + "_in_flight";
      Program.await(() -> server.metric(inFlight) == 0);
      double counted =
          server.metric(
              "gilmok_offload_failures_total{cause=\"" + kind.cause + "\",part=\"" + part + "\"}");
      if (part.equals("missions")) {
        assertThat(counted).as(part).isPositive(); // failed loads, not requests
      } else {
        assertThat(counted).as(part).isEqualTo(failed.get(part).doubleValue());
      }
    }
  }
}
