package gilmok.app;

import static gilmok.app.ErasedRider.GONE;
import static gilmok.app.ErasedRider.LAT;
import static gilmok.app.ErasedRider.LON;
import static gilmok.app.ErasedRider.SCAN;
import static gilmok.app.ErasedRider.STAYS;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.app.Program.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The program, killed again and again in the middle of an erasure: it goes on, and in the end no
 * byte of the rider is left, and of the others every record is there.
 */
@Tag("process")
final class ErasureKillIT {
  private static final int RANDOM_KILLS = 6;
  private static final long MILLIS = 1_000_000L;

  /** Positions, the last of which are in the segment that is being written, and three others. */
  private static final int RECORDS = 200 + 3 + 3;

  @TempDir Path data;
  @TempDir Path files;

  private Program serve() throws Exception {
    return Program.serve(data, ErasedRider.settings(files));
  }

  @Test
  void killedAtManyPoints_itGoesOn_andNothingIsLeft() throws Exception {
    String job;
    long others;
    try (Program server = serve()) {
      ErasedRider fleet = ErasedRider.at(server, data);
      fleet.live(STAYS, 37.6, 127.2);
      fleet.live(GONE, LAT, LON);
      fleet.fill();
      fleet.positions(GONE, LAT, LON, 3);
      fleet.awaitSettled(data, 1);
      others = accepted(fleet) - RECORDS;
      job = fleet.erase(GONE);
      killWhen(server, () -> hasFile(data.resolve("log"), "rewritten-"));
    }
    killedWhen(() -> hasFile(files, ".") || hasFile(data.resolve("archive"), "."));
    killedWhen(() -> !hasFile(data.resolve("erasures"), job + ".open"));
    Random random = new Random(Seeds.first());
    for (int kill = 0; kill < RANDOM_KILLS; kill++) {
      long until = System.nanoTime() + random.nextInt(1_600) * MILLIS;
      killedWhen(() -> System.nanoTime() > until);
    }
    JsonNode certificate;
    try (Program server = serve()) {
      ErasedRider fleet = ErasedRider.at(server, data);
      certificate = fleet.awaitErased(job);
      assertThat(SCAN.findings(data, files)).as("with the server").isEmpty();
      fleet.checkOther();
      fleet.awaitSettled(data, 1);
      fleet.checkLedger();
      assertThat(accepted(fleet) - others - RECORDS)
          .as("acknowledged, but neither erased nor found")
          .isNotNegative();
    }
    assertThat(certificate.toString()).doesNotContain(GONE);
    assertThat(SCAN.findings(data, files)).as("stopped").isEmpty();
    Ended verified = Program.run("log", "verify", "--data=" + data);
    assertThat(verified.code()).as(verified.toString()).isZero();
    assertThat(verified.out()).contains(RECORDS + " records were erased, and left a tombstone");
    try (Program server = serve()) {
      assertThat(SCAN.findings(data, files)).as("started again").isEmpty();
      ErasedRider.at(server, data).checkLedger();
    }
  }

  private static long accepted(ErasedRider fleet) throws Exception {
    long all = 0;
    for (JsonNode stream : fleet.get("/v1/ledger").path("streams")) {
      all += stream.path("accepted").asLong();
    }
    return all;
  }

  private static boolean hasFile(Path folder, String prefix) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walked = Files.walk(folder)) {
      walked.filter(Files::isRegularFile).forEach(all::add);
    } catch (java.io.UncheckedIOException renamed) {
      return false;
    }
    return all.stream().anyMatch(file -> file.getFileName().toString().startsWith(prefix));
  }

  /** Starts the program, and kills it at that moment, or after two seconds. */
  private void killedWhen(Callable<Boolean> isThere) throws Exception {
    List<String> arguments = Program.serving(data);
    arguments.addAll(List.of(ErasedRider.settings(files)));
    try (Program program = Program.start(arguments.toArray(String[]::new))) {
      killWhen(program, isThere);
    }
  }

  private static void killWhen(Program program, Callable<Boolean> isThere) throws Exception {
    long until = System.nanoTime() + 2_000 * MILLIS;
    while (!isThere.call() && System.nanoTime() < until) {
      LockSupport.parkNanos(MILLIS / 10);
    }
    program.kill();
  }
}
