package gilmok.lab.missions;

import gilmok.lab.Servers;
import gilmok.lab.options.PageOptions;
import gilmok.lab.options.ServerOptions;
import gilmok.lab.options.Timing;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab missions}: measures the goals of missions, with a table and a plot for each part.
 * Exits with 0 when all goals were reached, 1 when one was missed.
 */
@Command(
    name = "missions",
    description = {
      "Measure missions, with a table and a plot of each part. Needs redis-server.",
      "",
      "  ANSWER   100 kB warm, beside the same made for each request: 4 minutes.",
      "  EXPIRY   Of one key under load, in one process and in three: 6 minutes.",
      "  REDIS    Killed and restarted under load.",
      "  TRAFFIC  Redis' own count of bytes for 10,000 answers/s.",
      "  STEPS    The story's ways, one after the other: 8 minutes."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab missions --only ANSWER --rounds 1 --seconds 5      # a minute",
      "  gilmok lab missions --only EXPIRY,REDIS --database 27017",
      "  gilmok lab missions --only STEPS --ways-only --seconds 2 --own-warmup 3",
      "  gilmok lab missions                                           # 30 minutes"
    })
public final class MissionsCommand implements Callable<Integer> {
  /** The parts of the measurement. */
  enum Part {
    ANSWER,
    EXPIRY,
    REDIS,
    TRAFFIC,
    STEPS
  }

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Only these of ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Set<Part> only;

  @Mixin private Timing timing = new Timing(8, 2);

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds of ANSWER (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--pairs",
      defaultValue = "5",
      description = "Pairs of EXPIRY (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--own-warmup",
      defaultValue = "15",
      description =
          "Seconds of load on the server of this build at first (default: " + "${DEFAULT-VALUE}).")
  private double ownWarmup;

  @Option(
      names = "--connections",
      defaultValue = "32",
      description = "Connections to a server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--riders",
      defaultValue = "1000",
      description = "Riders (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--rate",
      defaultValue = "5000",
      description = "Requests a second for one key (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--step-rate",
      defaultValue = "1000",
      description = "The same among the steps (default: ${DEFAULT-VALUE}).")
  private double stepRate;

  @Option(names = "--ways-only", description = "Run STEPS without the server of this build.")
  private boolean waysOnly;

  @Option(
      names = "--small-cache",
      split = ",",
      defaultValue = "missions.cache.bytes-max=64KiB",
      paramLabel = "KEY=VALUE",
      description =
          "Settings by which TRAFFIC finds hardly any rider (default: " + "${DEFAULT-VALUE}).")
  private List<String> smallCache = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the server of this build. It can be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--redis",
      defaultValue = "redis-server",
      paramLabel = "PATH",
      description = "The program redis-server (default: ${DEFAULT-VALUE}).")
  private String redis = "";

  @Option(
      names = "--database",
      paramLabel = "PORT",
      description =
          "The port on loopback of a MongoDB that runs already (default: .ci/secantus "
              + "starts one).")
  private @Nullable Integer database;

  @Mixin private ServerOptions options = new ServerOptions();

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run("missions", (servers, _) -> measure(servers));
  }

  private int measure(Servers servers) throws IOException, InterruptedException {
    Rig rig =
        new Rig(
            servers,
            new Rig.Setup(Servers.root(), options.heap(), redis, database, settings),
            new Rig.Times(ownWarmup, timing.warmup(), timing.seconds(), rounds, connections),
            new MadeUpMissions(riders),
            System.err::println);
    return pages.write(
        "missions",
        only == null ? EnumSet.allOf(Part.class) : only,
        part ->
            switch (part) {
              case ANSWER -> new AnswerPart(rig).run();
              case EXPIRY -> new ExpiryPart(rig, rate, pairs).run();
              case REDIS -> new RedisPart(rig, rate).run();
              case TRAFFIC -> new TrafficPart(rig, smallCache).run();
              case STEPS -> new StepsPart(rig, stepRate, waysOnly).run();
            });
  }
}
