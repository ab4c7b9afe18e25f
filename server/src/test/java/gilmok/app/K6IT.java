package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scenarios of {@code ops/k6} work, for seconds and at a low rate: each request is answered
 * with the status that the scenario expects, and its data is there afterwards. Building k6 takes
 * minutes, so this runs only on demand; without k6 it fails.
 */
@Tag("k6")
class K6IT {
  private static final int MINUTES_MOST = 8;
  private static final int SECONDS = 3;
  private static final int RATE = 10;

  @TempDir Path data;
  @TempDir Path said;

  @ParameterizedTest
  @CsvSource({
    "collect.js, /v1/ledger, traces",
    "deliveries.js, /v1/deliveries?status=COMPLETED&limit=1, k6-shop",
    "read.js, /v1/riders/k6-0/position, k6-0",
    "phones.js, /v1/riders/k6-phone-0/position, k6-phone-0",
    "events.js, /v1/ledger, actions",
    "settle.js, /v1/riders/k6-0/statement?from=2026-03-01&to=2026-03-01, incentive",
    "plan.js, /metrics, gilmok_run_sheets_plan_seconds_count",
    "performance.js, /metrics, gilmok_performance_in_flight"
  })
  void scenario_isAnsweredAsItExpects(String script, String path, String left) throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      run(server, script, Map.of("DURATION", SECONDS + "s"));
      RunningServer.Reply reply = server.get(path);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).contains(left);
    }
  }

  /** Every profile begins, goes through its stages, and ends; shortened to seconds. */
  @ParameterizedTest
  @ValueSource(strings = {"ramp", "hold", "hour", "spike", "soak"})
  void profile_endsAsItShould(String profile) throws Exception {
    double minutes = profile.equals("soak") ? 485 : profile.equals("hour") ? 60 : 20;
    try (RunningServer server = RunningServer.start(data)) {
      run(
          server,
          "collect.js",
          Map.of("PROFILE", profile, "SCALE", Double.toString(SECONDS / 60.0 / minutes)));
      assertThat(server.get("/v1/riders/k6-0/position").status()).isEqualTo(200);
    }
  }

  private void run(RunningServer server, String script, Map<String, String> how) throws Exception {
    Path root = Repository.root();
    Path output = said.resolve("output.txt");
    ProcessBuilder command =
        new ProcessBuilder(
                root.resolve(".ci/k6").toString(),
                "run",
                "--no-usage-report",
                "--quiet",
                "--no-color",
                root.resolve("ops/k6").resolve(script).toString())
            .directory(said.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    command.environment().put("GILMOK_URL", "http://127.0.0.1:" + server.server().port());
    command.environment().put("GILMOK_KEY", server.adminKey());
    command.environment().putAll(how);
    command.environment().put("RATE", String.valueOf(RATE));
    Process k6 = command.start();
    boolean ended = k6.waitFor(MINUTES_MOST, TimeUnit.MINUTES);
    k6.descendants().forEach(ProcessHandle::destroyForcibly);
    k6.destroyForcibly();
    String lines = Files.readString(output);
    assertThat(ended).as("ended in time; it said %s", lines).isTrue();
    assertThat(k6.waitFor()).as("%s", lines).isZero();
  }
}
