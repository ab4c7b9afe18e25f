package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis makes up from our API's own description, good and bad. No answer is a
 * 5xx, and each has a status, a type and a body that the description names.
 */
@Tag("contract")
class SchemathesisIT {
  private static final int MINUTES_MOST = 8;

  /**
   * Routes that are left out: partners, as their made-up addresses must not be called, and the
   * stream, which does not end.
   */
  private static final String LEFT_OUT = "^/v1/(partners|stream)";

  @TempDir Path data;
  @TempDir Path reports;

  @Test
  void madeUpRequests_areAnsweredAsDescribed() throws Exception {
    Path root = Repository.root();
    Path said = reports.resolve("said.txt");
    try (RunningServer server = RunningServer.start(data, "http.wrong-keys-rate=0")) {
      ProcessBuilder command =
          new ProcessBuilder(
                  root.resolve(".ci/schemathesis").toString(),
                  "run",
                  root.resolve("server/src/main/resources/openapi.yaml").toString(),
                  "--url=" + server.uri("/"),
                  "--header=X-Api-Key: " + server.adminKey(),
                  "--exclude-path-regex=" + LEFT_OUT,
                  "--checks=not_a_server_error,status_code_conformance,content_type_conformance,"
                      + "response_headers_conformance,response_schema_conformance",
                  "--phases=examples,coverage,fuzzing",
                  "--max-examples=20",
                  "--continue-on-failure",
                  "--generation-database=none",
                  "--suppress-health-check=all",
                  "--seed=" + Seeds.first(),
                  "--no-color")
              .directory(reports.toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile());
      command
          .environment()
          .put(
              "SCHEMATHESIS_HOOKS",
              root.resolve("server/src/test/schemathesis/hooks.py").toString());
      // Without this, Hypothesis leaves its database in the repository.
      command
          .environment()
          .put("HYPOTHESIS_STORAGE_DIRECTORY", reports.resolve("hypothesis").toString());
      Process schemathesis = command.start();
      boolean ended = schemathesis.waitFor(MINUTES_MOST, TimeUnit.MINUTES);
      schemathesis.descendants().forEach(ProcessHandle::destroyForcibly);
      schemathesis.destroyForcibly();
      List<String> lines = Files.readAllLines(said);
      boolean isThere = lines.stream().anyMatch(line -> line.contains("Schemathesis"));
      Assumptions.assumeTrue(isThere || System.getenv("CI") != null, () -> "left out: " + lines);
      assertThat(ended).as("ended in time; it said %s", lines).isTrue();
      assertThat(schemathesis.waitFor()).as("%s", String.join("\n", lines)).isZero();
    }
  }
}
