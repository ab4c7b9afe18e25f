package gilmok.lab.sinks;

import gilmok.lab.LoadProcess;
import gilmok.lab.ProcessorClock;
import gilmok.lab.ScratchFolder;
import gilmok.lab.Subject;
import gilmok.lab.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Measures how fast a log full of positions is shipped to files. Each round starts the server anew
 * on the log. The first quarter of the records is the warm-up and is not measured.
 */
final class Emptying {
  private static final Duration EMPTY_WAIT = Duration.ofMinutes(10);
  private static final int POSITIONS_A_REQUEST = 500;
  private static final double WARMUP_SHARE = 0.25;

  private final ShipBench bench;
  private final Path data;
  private long positions;

  Emptying(ShipBench bench) {
    this.bench = bench;
    this.data = bench.work().resolve("data-full");
  }

  /** The results of one round. */
  private record Round(double positionsPerSecond, double cores, double bytesPerPosition) {}

  /** Fills the log, once. */
  void fill(int seconds) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--only", "collect"));
    arguments.addAll(ShipBench.set("log.retention=1d"));
    try (Subject server = bench.server(data, arguments)) {
      LoadProcess.Plan plan = LoadProcess.Plan.of(20_000, 0, POSITIONS_A_REQUEST, 0, seconds);
      positions = bench.load("filling the log", server, plan).positionsAccepted();
    }
    bench.progress().accept(String.format("%,d positions to ship", positions));
  }

  /** Measures the loop alone, with a sink that accepts everything at once. */
  ShipFinding loop() throws IOException, InterruptedException {
    List<Double> rates = new ArrayList<>();
    List<Double> cores = new ArrayList<>();
    for (int i = 0; i < bench.times().rounds(); i++) {
      forgetShipping();
      JsonNode round = bench.servers().run("ship-loop", List.of("--data", data.toString()));
      rates.add(round.path("positionsPerSecond").asDouble(0));
      cores.add(round.path("cores").asDouble(0));
      bench.progress().accept("loop alone " + round);
    }
    return new ShipFinding(
        "a full log, to a sink that takes everything at once",
        "",
        String.format(
            "%,.0f positions/s, %.2f cores", Figures.median(rates), Figures.median(cores)),
        true,
        Map.of("positions", positions, "positionsPerSecond", rates, "cores", cores));
  }

  /** Measures some rounds with a file format. */
  ShipFinding empty(String format, double reach) throws IOException, InterruptedException {
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < bench.times().rounds(); i++) {
      Round round = round(format);
      rounds.add(round);
      bench
          .progress()
          .accept(
              String.format(
                  "files %-8s %,9.0f positions/s  server %.2f cores  %.1f bytes a position",
                  format, round.positionsPerSecond, round.cores, round.bytesPerPosition));
    }
    Round median = Figures.middle(rounds, Round::positionsPerSecond);
    return new ShipFinding(
        "a full log emptied into files as " + format,
        String.format("at least %,.0f positions/s", reach),
        String.format(
            "%,.0f positions/s, %.2f cores, %.1f bytes a position",
            median.positionsPerSecond, median.cores, median.bytesPerPosition),
        median.positionsPerSecond >= reach,
        Map.of(
            "positions",
            positions,
            "positionsPerSecond",
            rounds.stream().map(Round::positionsPerSecond).toList(),
            "serverCores",
            rounds.stream().map(Round::cores).toList(),
            "bytesPerPosition",
            median.bytesPerPosition));
  }

  private Round round(String format) throws IOException, InterruptedException {
    forgetShipping();
    List<String> arguments =
        new ArrayList<>(ShipBench.set("sinks.enabled=files", "log.retention=1d"));
    arguments.addAll(ShipBench.files(format));
    try (Subject server = bench.server(data, arguments);
        LedgerClient account = new LedgerClient(server)) {
      ProcessorClock clock = new ProcessorClock(server.pid());
      long begun = account.awaitWaiting((long) (positions * (1 - WARMUP_SHARE)), EMPTY_WAIT);
      long from = System.nanoTime();
      long processor = clock.nanos();
      account.awaitEmpty(EMPTY_WAIT);
      double seconds = (System.nanoTime() - from) / 1e9;
      double cores = (clock.nanos() - processor) / 1e9 / seconds;
      account.requireBalance();
      long delivered = account.ledger().stream().mapToLong(LedgerClient.Row::delivered).sum();
      if (delivered != positions) {
        throw new IOException(delivered + " of " + positions + " positions were delivered");
      }
      return new Round(begun / seconds, cores, (double) shippedBytes() / positions);
    }
  }

  /** Deletes the state of the sink, as if there had never been one. */
  private void forgetShipping() throws IOException {
    for (String folder : List.of("shipped", "receipts")) {
      if (Files.exists(data.resolve(folder))) {
        ScratchFolder.delete(data.resolve(folder));
      }
    }
    try (Stream<Path> cursors = Files.list(data.resolve("cursors"))) {
      for (Path cursor : cursors.toList()) {
        if (cursor.getFileName().toString().startsWith("ship.")) {
          Files.delete(cursor);
        }
      }
    }
  }

  private long shippedBytes() throws IOException {
    try (Stream<Path> files = Files.walk(data.resolve("shipped"))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
