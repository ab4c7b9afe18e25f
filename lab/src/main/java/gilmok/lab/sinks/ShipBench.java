package gilmok.lab.sinks;

import gilmok.lab.LabClient;
import gilmok.lab.LoadProcess;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The parts that all measurements share: servers with sinks, the stand-in and loads, each a process
 * of its own.
 *
 * @param servers starts the processes
 * @param work the folder for their data
 * @param heap the heap of the servers, in Java's notation
 * @param redis the Redis program
 * @param times the durations and the numbers of rounds
 * @param share the share of the highest rate at which phones are measured
 * @param progress receives lines of progress
 */
record ShipBench(
    Servers servers,
    Path work,
    String heap,
    String redis,
    Times times,
    double share,
    Consumer<String> progress) {

  /** Durations in seconds, and numbers of rounds. */
  record Times(double warmup, double seconds, int rounds, int pairs) {}

  /** Found by the SDK's default chain; the stand-in does not verify them. */
  private static final Map<String, String> CREDENTIALS =
      Map.of(
          "AWS_ACCESS_KEY_ID", "lab",
          "AWS_SECRET_ACCESS_KEY", "lab",
          "AWS_EC2_METADATA_DISABLED", "true");

  /** The settings of a files sink. */
  static List<String> files(String format) {
    return set("sinks.files.format=" + format, "sinks.files.file-age-max=1s");
  }

  /** The settings of a Firehose sink without the quota of a small region. */
  static List<String> firehose(String url, String... more) {
    List<String> settings =
        set(
            "sinks.firehose.stream=positions",
            "sinks.firehose.region=ap-northeast-2",
            "sinks.firehose.endpoint=" + url,
            "sinks.firehose.records-per-second-max=10000000",
            "sinks.firehose.bytes-per-second-max=4GiB",
            "sinks.firehose.calls-per-second-max=100000");
    settings.addAll(set(more));
    return settings;
  }

  /** The settings of a Redis sink. */
  static List<String> redis(int port, String... more) {
    List<String> settings = set("redis.url=redis://127.0.0.1:" + port);
    settings.addAll(set(more));
    return settings;
  }

  static List<String> set(String... settings) {
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return arguments;
  }

  /** Starts a server on a data folder. */
  Subject server(Path data, List<String> arguments) throws IOException, InterruptedException {
    return servers.gilmok(heap, data, Servers.freePort(), arguments, CREDENTIALS);
  }

  /** Starts the stand-in, which only counts. */
  Subject standIn(List<String> faults) throws IOException, InterruptedException {
    int port = Servers.freePort();
    List<String> arguments =
        new ArrayList<>(List.of("firehose", "--port", Integer.toString(port), "--count-only"));
    arguments.addAll(faults);
    return servers.labElsewhere("firehose", port, arguments);
  }

  /** Reads the counters of a stand-in. */
  static JsonNode counts(Subject standIn) throws IOException, InterruptedException {
    try (LabClient client = new LabClient(standIn)) {
      return client.json("/stats");
    }
  }

  /** Loads a server with single positions and reports the result. */
  LoadReport load(String name, Subject server, double rate, double warmup, double seconds)
      throws IOException, InterruptedException {
    return load(name, server, LoadProcess.Plan.of(20_000, rate, warmup, seconds));
  }

  LoadReport load(String name, Subject server, LoadProcess.Plan plan)
      throws IOException, InterruptedException {
    LoadReport taken = LoadProcess.run(server, work, plan);
    progress.accept(
        String.format(
            "%-22s %,9.0f requests/s  p50 %8.3f ms  p99 %8.3f ms  server %.2f cores  load %.2f"
                + "  others %.2f",
            name,
            taken.requestsPerSecond(),
            taken.p50(),
            taken.p99(),
            taken.serverCores(),
            taken.loadCores(),
            taken.otherCores()));
    return taken;
  }
}
