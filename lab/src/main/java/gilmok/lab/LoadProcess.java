package gilmok.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs {@code lab load} as a process of its own and reads its report. */
public final class LoadProcess {
  private static final int SLACK_SECONDS = 60;

  private LoadProcess() {}

  /**
   * What one run is to do.
   *
   * @param riders over how many riders the positions are spread
   * @param rate requests a second; 0 for a closed loop
   * @param positions a request
   * @param warmup seconds that are not measured
   * @param seconds that are
   */
  public record Plan(int riders, double rate, int positions, int warmup, int seconds) {}

  /**
   * What it found; milliseconds, and microseconds of the server's processor a request.
   *
   * @param otherCores cores used by neither the server nor the load
   * @param positionsAccepted in the whole run
   */
  public record Taken(
      double requestsPerSecond,
      double positionsPerSecond,
      double p50,
      double p99,
      double max,
      double serverMicros,
      double serverCores,
      double loadCores,
      double otherCores,
      long positionsAccepted) {}

  /**
   * Loads a server that knows {@link Servers#KEY}; blocks.
   *
   * @param folder where the report goes for a moment
   * @throws IOException when it failed, or is void: something not answered as it should be
   */
  public static Taken run(Subject server, Path folder, Plan plan)
      throws IOException, InterruptedException {
    Path report = folder.resolve("load.json");
    Files.deleteIfExists(report);
    List<String> arguments = new ArrayList<>(List.of("load", "--quiet", "--url", server.url()));
    arguments.addAll(List.of("--key", Servers.KEY, "--riders", Integer.toString(plan.riders)));
    arguments.addAll(List.of("--rate", Double.toString(plan.rate)));
    arguments.addAll(List.of("--positions", Integer.toString(plan.positions)));
    arguments.addAll(List.of("--warmup", Integer.toString(plan.warmup)));
    arguments.addAll(List.of("--seconds", Integer.toString(plan.seconds)));
    arguments.addAll(List.of("--server-pid", Long.toString(server.pid())));
    arguments.addAll(List.of("--json", report.toString()));
    List<String> options =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx256m",
            "-XX:+UseSerialGC");
    Path output = folder.resolve("load.out");
    Process process =
        new ProcessBuilder(Subject.java(options, Servers.ownJar(), arguments))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    try {
      long atMost = (long) plan.warmup + plan.seconds + SLACK_SECONDS;
      if (!process.waitFor(atMost, TimeUnit.SECONDS) || !Files.exists(report)) {
        throw new IOException("the load failed: " + Files.readString(output));
      }
    } finally {
      process.destroyForcibly();
    }
    JsonNode json = JsonMapper.shared().readTree(Files.readString(report));
    if (!json.get("valid").asBoolean()) {
      throw new IOException("the load is void: " + json.get("errorKinds"));
    }
    JsonNode latency = json.get("latencyMillis");
    return new Taken(
        json.get("requestsPerSecond").asDouble(),
        json.get("positionsPerSecond").asDouble(),
        latency.get("p50").asDouble(),
        latency.get("p99").asDouble(),
        latency.get("max").asDouble(),
        json.get("serverMicrosPerRequest").asDouble(),
        json.get("serverCores").asDouble(),
        json.get("loadCores").asDouble(),
        json.get("otherCores").asDouble(),
        json.get("positionsAccepted").asLong());
  }
}
