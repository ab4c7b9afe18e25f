package gilmok.lab.crash;

import gilmok.lab.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab crash}: kills the server under load, many times. Exits with 0 when it kept all its
 * promises, 1 when not; the data folder is then kept.
 */
@Command(
    name = "crash",
    description = {
      "Kill a server with -9 under load, in many rounds, and check that every "
          + "acknowledged record is in the log, once."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab crash --rounds 1                             # some seconds",
      "  gilmok lab crash                                        # about 2 minutes"
    })
public final class CrashCommand implements Callable<Integer> {
  @Option(
      names = "--rounds",
      defaultValue = "20",
      description = "How many rounds (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--connections",
      defaultValue = "16",
      description = "Connections to the server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--load-millis",
      defaultValue = "2500",
      description = "Milliseconds of load in a round at most (default: ${DEFAULT-VALUE}).")
  private int loadMillis;

  @Option(
      names = "--records",
      defaultValue = "30000",
      description = "Records of a round (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--seed",
      description = "The seed, to repeat a run's random choices (default: by the clock).")
  private @Nullable Long seed;

  @Option(
      names = "--server-jar",
      defaultValue = "server/target/gilmok-all.jar",
      paramLabel = "FILE",
      description = "The server (default: ${DEFAULT-VALUE}).")
  private Path serverJar = Path.of("");

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where the data folder goes (default: a temporary folder).")
  private @Nullable Path work;

  @Override
  public Integer call() throws IOException, InterruptedException {
    long chosen = seed == null ? System.nanoTime() : seed;
    Path folder = ScratchFolder.create(work, "crash-");
    System.err.printf("seed %d, data below %s%n", chosen, folder);
    CrashRig.Plan plan =
        new CrashRig.Plan(Math.clamp(rounds, 1, 10_000), connections, loadMillis, records, chosen);
    CrashRig.Outcome outcome = new CrashRig(serverJar, folder, plan, System.err::println).run();
    System.out.printf(
        "%d rounds, %d kills while starting: %,d records sent, %,d acknowledged, %,d answered as"
            + " repeats, %,d in the log, %d violations%n",
        outcome.rounds(),
        outcome.killsWhileStarting(),
        outcome.sent(),
        outcome.acknowledged(),
        outcome.answeredAsRepeats(),
        outcome.found(),
        outcome.violations());
    outcome.firstViolations().forEach(System.out::println);
    if (outcome.violations() > 0) {
      System.out.println("left for inspection: " + folder);
      return 1;
    }
    ScratchFolder.delete(folder);
    return 0;
  }
}
