package gilmok.lab.start;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.options.PageOptions;
import gilmok.lab.report.Chapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code lab start}: measures how fast this build's server is just after its start, with a table
 * and a plot for each part. Exits with 0 when all goals were reached, 1 when one was missed.
 */
@Command(
    name = "start",
    description = {
      "Measure how fast a server is when it has just started, with a table and a "
          + "plot of each part.",
      "",
      "  TIMES   From the start of the process to live and to ready.",
      "  FIRST   The first request of every route and branch.",
      "  TLS     The same over TLS, by HTTP/1.1; HTTP2 by HTTP/2.",
      "  SECOND  The first second of full load.",
      "  HALF    The p99 at half load.",
      "  WAYS    Nothing, method calls, warm-up, both, AOT cache, all of ours.",
      "  CURVE   The time to ready against what it brings.",
      "  POD     With a limit of 0.3 of a processor, and with more (needs root).",
      "  REQUEST With a request of 0.3 and no limit, beside a busy neighbour (root)."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab start --only TIMES --starts 2                # about a minute",
      "  gilmok lab start --only WAYS,CURVE --few-starts 2 \\",
      "      --aot server/target/gilmok.aot",
      "  gilmok lab start --only REQUEST --half-seconds 10       # about 6 minutes",
      "  gilmok lab start                                        # about 55 minutes"
    })
public final class StartCommand implements Callable<Integer> {
  /** The parts of the measurement. */
  enum Part {
    TIMES,
    FIRST,
    TLS,
    HTTP2,
    SECOND,
    HALF,
    WAYS,
    CURVE,
    POD,
    REQUEST
  }

  private static final Set<Part> OF_FULL_LOAD =
      EnumSet.of(Part.SECOND, Part.HALF, Part.WAYS, Part.CURVE, Part.POD, Part.REQUEST);

  /** Assumed durations of a start with warm-up, of one without, and of the first requests. */
  private static final double WARM_SECONDS = 7;

  private static final double COLD_SECONDS = 2;
  private static final double MICROS_A_REQUEST = 350;

  private static final int BESIDE_ROUNDS_MAX = 20;

  /** Of REQUEST: the processors that a start has on average, and a first request's duration. */
  private static final double NEIGHBOURED = 0.6;

  private static final double BESIDE_SECONDS = 0.01;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = "Only these of ${COMPLETION-CANDIDATES} (default: all).")
  private @Nullable Set<Part> only;

  @Option(
      names = "--starts",
      defaultValue = "20",
      description = "Starts of each part (default: ${DEFAULT-VALUE}).")
  private int starts;

  @Option(
      names = "--few-starts",
      defaultValue = "0",
      description =
          "Starts of HALF, CURVE and each of WAYS (default: ${DEFAULT-VALUE}, which "
              + "is 5, and 2 of CURVE).")
  private int fewStarts;

  @Option(
      names = "--rounds",
      defaultValue = "200",
      description = "How often each first request is sent again (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "8",
      description = "Seconds of full load (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--half-seconds",
      defaultValue = "30",
      description =
          "Seconds of half load, the first 10 against the others, and of the load of REQUEST "
              + "(default: ${DEFAULT-VALUE}).")
  private int halfSeconds;

  @Option(
      names = "--connections",
      defaultValue = "64",
      description = "Connections to the server (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--limits",
      split = ",",
      defaultValue = "0,1,2,4,8,16",
      paramLabel = "SECONDS",
      description =
          "The limits of CURVE in seconds, 0 for no warm-up (default: " + "${DEFAULT-VALUE}).")
  private List<Double> limits = List.of();

  @Option(
      names = "--processors",
      split = ",",
      defaultValue = "0.3,1,2",
      paramLabel = "N",
      description = "The processors of POD (default: ${DEFAULT-VALUE}).")
  private List<Double> processors = List.of();

  @Option(
      names = "--request",
      defaultValue = "0.3",
      paramLabel = "N",
      description = "The processors that REQUEST asks for (default: ${DEFAULT-VALUE}).")
  private double request;

  @Option(
      names = "--neighbour",
      defaultValue = "1",
      paramLabel = "N",
      description = "The processors that REQUEST's neighbour asks for (default: ${DEFAULT-VALUE}).")
  private double neighbour;

  @Option(
      names = "--rate",
      defaultValue = "200",
      description = "Requests a second of REQUEST (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--calls",
      defaultValue = "5",
      description = "Seconds of method calls, of WAYS (default: ${DEFAULT-VALUE}).")
  private double calls;

  @Option(
      names = "--seed",
      description = "The seed of the first requests' order (default: by the clock).")
  private @Nullable Long seed;

  @Option(
      names = "--aot",
      paramLabel = "FILE",
      description =
          "An AOT cache (default: server/target/gilmok.aot, or one that is made for "
              + "this run).")
  private @Nullable Path aot;

  @Option(
      names = "--java",
      arity = "1",
      paramLabel = "OPTIONS",
      description =
          "Java's options in place of the launcher's, such as \"-Xmx1g " + "-XX:+UseSerialGC\".")
  private @Nullable String java;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of every server. It can be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where data folders go (default: a temporary folder).")
  private @Nullable Path work;

  @Mixin private PageOptions pages = new PageOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = ScratchFolder.create(work, "start-");
    try {
      Set<Part> parts = only == null ? EnumSet.allOf(Part.class) : only;
      Starter starter = new Starter(setup(Servers.root(), Servers.ownJar(), folder));
      System.err.printf("this will take about %.0f minutes%n", estimate(parts) / 60);
      // The lab's own code is cold too, so the results of the first starts are dropped.
      practise(trials(starter, line -> System.err.println("practice: " + line)), parts);
      Trials trials = trials(starter, System.err::println);
      ReachParts reach = new ReachParts(trials);
      return pages.write(
          "start",
          parts,
          part ->
              switch (part) {
                case TIMES -> reach.times();
                case FIRST -> reach.first(Protocol.PLAIN);
                case TLS -> reach.first(Protocol.TLS);
                case HTTP2 -> reach.first(Protocol.HTTP2);
                case SECOND -> reach.second();
                case HALF -> reach.half();
                case WAYS -> new WaysParts(trials).ways(few(5));
                case CURVE -> new WaysParts(trials).curve(limits, few(2));
                case POD -> new WaysParts(trials).pod(processors);
                case REQUEST -> beside(starter, folder);
              });
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private Chapter beside(Starter starter, Path folder) throws IOException, InterruptedException {
    Trials trials = trials(starter, besideRounds(), System.err::println);
    int all = Runtime.getRuntime().availableProcessors();
    return new NeighbourPart(trials, starter, folder)
        .measure(
            new NeighbourChapter.Plan(request, neighbour, all, rate, halfSeconds),
            List.of(WarmUpWay.NOTHING, WarmUpWay.ALL));
  }

  /** A plan of a run sheet takes long beside a busy neighbour. */
  private int besideRounds() {
    return Math.min(rounds, BESIDE_ROUNDS_MAX);
  }

  /** Starts whose results are dropped, by each protocol that is measured. */
  private static void practise(Trials practice, Set<Part> parts)
      throws IOException, InterruptedException {
    Starter.Wish usual = Starter.Wish.of(WarmUpWay.HTTP);
    var _ = practice.first(usual);
    for (Protocol protocol : List.of(Protocol.TLS, Protocol.HTTP2)) {
      if (parts.contains(Part.valueOf(protocol.name()))) {
        var _ = practice.first(usual.by(protocol));
      }
    }
    if (!Collections.disjoint(parts, OF_FULL_LOAD)) {
      var _ = practice.full(usual);
      var _ = practice.full(usual);
    }
  }

  private Starter.Setup setup(Path root, Path labJar, Path folder) throws IOException {
    Path built = root.resolve("server/target/gilmok.aot");
    Path cache = aot != null ? aot : Files.exists(built) ? built : null;
    List<String> options =
        java == null ? LauncherOptions.of(root, folder) : List.of(java.strip().split(" +"));
    System.err.println("java " + String.join(" ", options));
    Path serverJar = root.resolve("server/target/gilmok-all.jar");
    return new Starter.Setup(
        serverJar,
        labJar,
        folder,
        options,
        cache == null ? null : cache.toAbsolutePath(),
        settings,
        calls);
  }

  private Trials trials(Starter starter, Consumer<String> progress) {
    return trials(starter, rounds, progress);
  }

  private Trials trials(Starter starter, int sent, Consumer<String> progress) {
    Trials.Times times = new Trials.Times(starts, few(5), sent, seconds, halfSeconds, connections);
    long order = seed == null ? System.nanoTime() : seed;
    return new Trials(starter, times, order, progress);
  }

  private int few(int usual) {
    return fewStarts > 0 ? fewStarts : usual;
  }

  /** An estimate of the duration, in seconds. */
  private double estimate(Set<Part> parts) {
    int shots = MeasuredRequests.script().shots().size();
    double firsts = shots * rounds * MICROS_A_REQUEST / 1e6;
    double both = firsts + seconds;
    double sum = 2 * WARM_SECONDS + both;
    for (Part part : parts) {
      sum +=
          switch (part) {
            case TIMES -> 2 * starts * WARM_SECONDS;
            case FIRST, TLS, HTTP2 -> starts * (WARM_SECONDS + firsts);
            case SECOND -> starts * (WARM_SECONDS + seconds);
            case HALF -> few(5) * (WARM_SECONDS + halfSeconds);
            case WAYS ->
                few(5)
                    * Stream.of(WarmUpWay.values()).mapToDouble(way -> 2 * ready(way) + both).sum();
            case CURVE -> few(2) * limits.stream().mapToDouble(limit -> curve(limit) + both).sum();
            case POD -> processors.stream().mapToDouble(share -> 2 * both + pod(share)).sum();
            case REQUEST ->
                4
                    * (pod(NEIGHBOURED)
                        + 2 * (shots * besideRounds() * BESIDE_SECONDS + halfSeconds));
          };
    }
    return sum;
  }

  private double ready(WarmUpWay way) {
    return (way.isWarmed() ? WARM_SECONDS : COLD_SECONDS) + (way.hasCalls() ? calls : 0);
  }

  private static double curve(double limit) {
    return 2 * (COLD_SECONDS + Math.min(limit, WARM_SECONDS));
  }

  private static double pod(double share) {
    return 2 * (WARM_SECONDS + COLD_SECONDS) / Math.min(1, share);
  }
}
