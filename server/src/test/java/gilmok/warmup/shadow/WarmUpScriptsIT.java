package gilmok.warmup.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import gilmok.app.RunningServer;
import gilmok.http.Route;
import gilmok.warmup.LoopbackClient;
import gilmok.warmup.RequestTemplate;
import gilmok.warmup.ScriptRequest;
import gilmok.warmup.WarmUpScript;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The warm-up scripts call every route, and a real server answers as they expect. */
@Tag("server")
final class WarmUpScriptsIT {
  /** Routes that are called only for something that does not exist, and why. */
  private static final Set<String> ONLY_REFUSED =
      Set.of(
          // A shadow server has no sink of the fleet: a warm-up ships nothing.
          "GET /v1/sinks/{id}",
          "PUT /v1/sinks/{id}",
          "DELETE /v1/sinks/{id}",
          "POST /v1/sinks/{id}/pause",
          "POST /v1/sinks/{id}/resume",
          "POST /v1/sinks/{id}/rewind",
          // Only one replay runs at a time, and the warm-up has many connections.
          "GET /v1/quarantine-replays/{id}",
          "GET /v1/quarantine/replay/{id}",
          "POST /v1/quarantine/replay",
          // What was erased is gone, and whose certificate nobody has asked for is not there.
          "DELETE /v1/riders/{id}/data",
          "GET /v1/erasures/{id}",
          // One takes seconds of recording.
          "POST /v1/diagnose",
          // A copy of the shadow's documents would take its disk.
          "POST /v1/backup",
          "GET /v1/backup/files/{index}",
          "GET /v1/backup/segments/{first}",
          // There is a file of tiles only where a setting names one.
          "GET /map/tiles.pmtiles",
          // A shadow server passes nothing on to another.
          "GET /v1/tee",
          // A customer's link that was cut before its token.
          "GET /track",
          "GET /track/",
          // It would send a webhook while its caller waits.
          "POST /v1/partners/{id}/relays/{relayId}/redeliver");

  @TempDir Path data;

  @Test
  void everyRoute_isAskedForSomethingThatIsThere() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      List<ScriptRequest> shots = shots(server);
      List<String> missing = new ArrayList<>();
      for (Route route : server.server().routes()) {
        String name = route.method() + " " + route.path();
        boolean mayBeRefused = ONLY_REFUSED.contains(name);
        if (shots.stream()
            .filter(request -> mayBeRefused || request.expected().getFirst() < 400)
            .noneMatch(request -> asks(request, route))) {
          missing.add(name);
        }
      }
      assertThat(missing).isEmpty();
    }
  }

  private static List<ScriptRequest> shots(RunningServer server) {
    return server.server().scripts().stream()
        .map(WarmUpScript::shots)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Whether a request calls a route. The route's path may end in {@code ?} and a parameter that the
   * request's query must have.
   */
  private static boolean asks(ScriptRequest request, Route route) {
    int query = route.path().indexOf('?');
    String path = query < 0 ? route.path() : route.path().substring(0, query);
    String parameter = query < 0 ? "" : route.path().substring(query);
    String target = "\\Q" + path.replaceAll("\\{\\w+}", "\\\\E[^/]+\\\\Q") + "\\E";
    return Pattern.matches(Pattern.quote(route.method() + " ") + target, request.target())
        && (parameter.isEmpty() || request.path().contains(parameter + "="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "collect", "collect,positions,sinks"})
  void everyAnswer_isOneThatWasExpected(String only) throws Exception {
    // As on a shadow: the scripts send more wrong keys than one address may, and webhooks to it.
    List<String> settings = new ArrayList<>();
    settings.add("http.wrong-keys-rate=0");
    settings.add("relay.private-networks=127.0.0.1");
    if (!only.isEmpty()) {
      settings.add("only=" + only);
    }
    try (RunningServer server = RunningServer.start(data, settings.toArray(String[]::new))) {
      List<ScriptRequest> shots = shots(server);
      assertThat(shots).hasSizeGreaterThan(30);
      Map<String, String> values = ShadowServer.keys(server.server().facts().keys());
      values.put("given", server.adminKey());
      values.put("port", Integer.toString(server.server().port()));
      RequestTemplate template = new RequestTemplate(new AtomicLong(), values, Zstd::compress);
      List<Set<Integer>> seen = new ArrayList<>();
      shots.forEach(request -> seen.add(new TreeSet<>()));
      try (LoopbackClient client = new LoopbackClient(server.server().port())) {
        for (int i = 0; i < 2 * shots.size(); i++) {
          if (i == shots.size()) {
            server.awaitSeen();
          }
          int which = i % shots.size();
          seen.get(which).add(ask(client, template, shots.get(which)));
        }
        // As under load: a request comes several times in a row, and without the others.
        for (int i = 0; i < shots.size(); i++) {
          for (int j = 0; j < shots.get(i).turns().times(); j++) {
            seen.get(i).add(ask(client, template, shots.get(i)));
          }
        }
      }
      List<String> surprises = new ArrayList<>();
      for (int i = 0; i < shots.size(); i++) {
        ScriptRequest request = shots.get(i);
        boolean isFit = request.expected().containsAll(seen.get(i));
        if (!isFit || !seen.get(i).contains(request.expected().getFirst())) {
          surprises.add(request.name() + " (" + request.target() + ") was answered " + seen.get(i));
        }
      }
      assertThat(surprises).isEmpty();
      if (only.isEmpty()) {
        awaitTold(server);
      }
    }
  }

  /** Waits until webhooks have arrived, so that those are warmed up, too. */
  private static void awaitTold(RunningServer server) throws Exception {
    long end = System.nanoTime() + 20_000_000_000L;
    while (server.metric("gilmok_relay_calls_total{outcome=\"success\"}") < 2) {
      assertThat(System.nanoTime()).as("a partner is told").isLessThan(end);
      LockSupport.parkNanos(20_000_000);
    }
    assertThat(server.metric("gilmok_relay_calls_total{outcome=\"status\"}")).isZero();
    assertThat(server.metric("gilmok_relay_calls_total{outcome=\"none\"}")).isZero();
  }

  private static int ask(LoopbackClient client, RequestTemplate template, ScriptRequest request)
      throws Exception {
    int status = client.exchange(template.request(request));
    if (request.expected().contains(status)) {
      template.remember(request, client);
    }
    assertThat(client.isOver()).as(request.name() + " ends its connection").isFalse();
    return status;
  }
}
