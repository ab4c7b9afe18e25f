package gilmok.lab.sinks;

import gilmok.lab.LoadProcess;
import gilmok.lab.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Measures what the vendor bills for a million positions, with and without batching lines into
 * records.
 */
record Cost(ShipBench bench, double dollarsPerGb) {
  /**
   * The price of direct puts in dollars a GB, for the first 500 TB of a month in us-east-1, as of
   * November 2026: <a href="https://aws.amazon.com/firehose/pricing/">pricing</a>.
   */
  static final double DOLLARS_A_GB = 0.029;

  private static final double BYTES_A_GB = 1 << 30;
  private static final double BILLED_STEP_BYTES = 5 << 10;
  private static final Duration EMPTY_WAIT = Duration.ofMinutes(5);
  private static final int POSITIONS_A_REQUEST = 50;
  private static final double REQUESTS_A_SECOND = 400;

  /** The cost of one way of sending. */
  private record Bill(double dollarsPerMillion, double linesPerRecord, double bytesPerLine) {}

  List<ShipFinding> measure() throws IOException, InterruptedException {
    Bill packed = bill("packed", "5KiB");
    Bill alone = bill("one-a-record", "0");
    return List.of(
        finding("Firehose: a million positions, packed", packed, ""),
        finding(
            "the same, one a record",
            alone,
            String.format(
                Locale.ROOT,
                ", %.1f times as much",
                alone.dollarsPerMillion / packed.dollarsPerMillion)));
  }

  private static ShipFinding finding(String what, Bill bill, String more) {
    return new ShipFinding(
        what,
        "",
        String.format(
            Locale.ROOT,
            "$%.3f: %.1f positions of %.0f bytes in a record%s",
            bill.dollarsPerMillion,
            bill.linesPerRecord,
            bill.bytesPerLine,
            more),
        true,
        Map.of(
            "dollarsPerMillion", bill.dollarsPerMillion,
            "linesPerRecord", bill.linesPerRecord,
            "bytesPerLine", bill.bytesPerLine));
  }

  private Bill bill(String name, String packBytesMax) throws IOException, InterruptedException {
    try (Subject standIn = bench.standIn(List.of())) {
      List<String> arguments = new ArrayList<>(ShipBench.set("sinks.enabled=firehose"));
      arguments.addAll(
          ShipBench.firehose(standIn.url(), "sinks.firehose.pack-bytes-max=" + packBytesMax));
      try (Subject server = bench.server(bench.work().resolve("cost-" + name), arguments);
          LedgerClient account = new LedgerClient(server)) {
        bench.load(
            name,
            server,
            LoadProcess.Plan.of(
                20_000, REQUESTS_A_SECOND, POSITIONS_A_REQUEST, 0, bench.times().seconds()));
        account.awaitEmpty(EMPTY_WAIT);
        account.requireBalance();
      }
      JsonNode counts = ShipBench.counts(standIn);
      double lines = counts.path("lines").asDouble(0);
      double gigabytes = counts.path("billedUnits").asDouble(0) * BILLED_STEP_BYTES / BYTES_A_GB;
      return new Bill(
          gigabytes * dollarsPerGb / lines * 1e6,
          lines / counts.path("records").asDouble(0),
          counts.path("bytes").asDouble(0) / lines);
    }
  }
}
