package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of clients/kotlin, built with its vectors, killed in the middle, and run again. */
@Tag("contract")
final class PhoneClientIT {
  private static final Path CLIENT = Repository.root().resolve("clients/kotlin");
  private static final int RECORDS = 400;

  @TempDir Path data;
  @TempDir Path folder;

  @Test
  void killedInTheMiddle_itLosesNothing_andSendsNothingTwice() throws Exception {
    OwnBuild.maven(CLIENT);
    try (RunningServer server = RunningServer.start(data)) {
      String key =
          server.key("{\"name\":\"app\",\"scopes\":[\"collect\"],\"rider\":\"r-7\",\"rate\":3}");
      int recorded = 0;
      for (int run = 0; run < 3; run++) {
        Process client = start(server, key, RECORDS);
        int before = recorded;
        Program.await(() -> !client.isAlive() || recorded() > 60);
        client.destroyForcibly().waitFor();
        recorded = before + recorded();
      }
      assertThat(recorded).isGreaterThan(180);
      // Its key has a rate of 3 a second: the last run waits as it is told, and ends.
      Process last = start(server, key, 1);
      assertThat(last.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(Files.readString(folder.resolve("own-build.log"))).endsWith("sent\n");
      double accepted = server.metric("gilmok_log_appended_records_total{stream=\"traces\"}");
      // What add() returned from is there; a record that was killed within it may be there, too.
      assertThat(accepted).isBetween((double) recorded + 1, recorded + 4.0);
    }
  }

  private Process start(RunningServer server, String key, int count) throws Exception {
    Path kotlin = kotlin();
    return OwnBuild.java(
        folder,
        Map.of(),
        "-cp",
        CLIENT.resolve("target/gilmok-phone.jar") + ":" + kotlin,
        "gilmok.phone.MainKt",
        server.uri("").toString(),
        key,
        folder.resolve("queue").toString(),
        "r-7",
        Integer.toString(count));
  }

  /** Kotlin's library, where Maven keeps it. */
  private static Path kotlin() throws Exception {
    Path local = Path.of(System.getProperty("user.home"), ".m2/repository");
    Path jars = local.resolve("org/jetbrains/kotlin/kotlin-stdlib/2.3.21");
    try (Stream<Path> files = Files.list(jars)) {
      return files.filter(file -> file.toString().endsWith("2.3.21.jar")).findFirst().orElseThrow();
    }
  }

  private int recorded() throws Exception {
    List<String> lines = Files.readAllLines(folder.resolve("own-build.log"));
    return (int) lines.stream().filter(line -> line.startsWith("recorded ")).count();
  }
}
