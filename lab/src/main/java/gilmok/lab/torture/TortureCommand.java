package gilmok.lab.torture;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code lab torture}: runs a whole server through random faults, round after round. Exits with 0
 * when it kept all its promises, 1 when not.
 */
@Command(
    name = "torture",
    description = {
      "Inject random, overlapping faults into a whole server under mixed load. "
          + "Checked is that all promises are kept, and that everything answers again "
          + "within ten seconds.",
      "",
      "Faults: kill, power-cut, fsync-error, fsync-slow, disk-full, descriptors, "
          + "clock, firehose, redis, database, partner, hang, damage. Those that need "
          + "root or a missing program are left out and named."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab torture --rounds 1                     # about a minute",
      "  gilmok lab torture --rounds 1 --seed 4711         # the same round again",
      "  gilmok lab torture --minutes 10 --only kill,power-cut",
      "  gilmok lab torture --minutes 120"
    })
public final class TortureCommand implements Callable<Integer> {
  @Option(
      names = "--rounds",
      description = "How many rounds (default: as many as the minutes hold).")
  private @Nullable Integer rounds;

  @Option(
      names = "--minutes",
      defaultValue = "10",
      description = "How long (default: ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      description = "The seed, to choose the same faults again (default: by the clock).")
  private @Nullable Long seed;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "FAULT",
      description = "Only these faults (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--rounds-a-folder",
      defaultValue = "6",
      description = "How many rounds a data folder lives through (default: ${DEFAULT-VALUE}).")
  private int roundsInWorld;

  @Option(
      names = "--answer-within",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description =
          "How long everything may take to be answered again (default: " + "${DEFAULT-VALUE}).")
  private double answerWithin;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where folders go (default: the system's temporary folder).")
  private @Nullable Path parent;

  @Option(
      names = "--server-jar",
      paramLabel = "FILE",
      description = "The server (default: that of this build).")
  private @Nullable Path serverJar;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path jar =
        serverJar == null
            ? Servers.ownJar().resolve("../../../server/target/gilmok-all.jar").normalize()
            : serverJar.toAbsolutePath();
    if (!Files.isRegularFile(jar)) {
      throw new IOException("there is no server to be tortured at " + jar);
    }
    Path work = ScratchFolder.create(parent, "gilmok-torture-");
    Means means = Means.find(kinds(), work);
    means.lacking().forEach((kind, why) -> say("left out: " + kind.word() + ": " + why));
    if (means.forgets()) {
      say("power-cut: by a library that takes back what was not forced, as " + means.noDisk());
    }
    long chosen = seed == null ? System.nanoTime() : seed;
    say(
        "seed %d; faults: %s; below %s"
            .formatted(
                chosen,
                means.kinds().stream().map(FaultKind::word).collect(Collectors.joining(", ")),
                work));
    Torture.Plan plan =
        new Torture.Plan(
            Node.Program.asLaunched(jar, work),
            work,
            means,
            Duration.ofMillis((long) (answerWithin * 1e3)),
            roundsInWorld);
    return run(plan, chosen);
  }

  private int run(Torture.Plan plan, long first) throws IOException, InterruptedException {
    Torture torture = new Torture(plan, TortureCommand::say);
    Thread hook = new Thread(() -> end(torture, plan.work()), "end of torture");
    Runtime.getRuntime().addShutdownHook(hook);
    SplittableRandom seeds = new SplittableRandom(first);
    long endNanos = System.nanoTime() + (long) (minutes * 60e9);
    try (torture) {
      for (int i = 0; rounds == null ? System.nanoTime() < endNanos : i < rounds; i++) {
        // The first round uses the given seed, so that a single round can be repeated.
        torture.round(i == 0 ? first : seeds.nextLong() >>> 1);
      }
    }
    Runtime.getRuntime().removeShutdownHook(hook);
    return report(plan, torture.rounds());
  }

  private static int report(Torture.Plan plan, List<Round> done) throws IOException {
    long bad = done.stream().filter(round -> round.findings() > 0).count();
    System.out.printf("%-6s %-20s %9s %9s  %s%n", "round", "seed", "back, s", "findings", "storm");
    for (Round round : done) {
      System.out.printf(
          "%-6d %-20d %9.1f %9d  %s%n",
          round.number(),
          round.seed(),
          round.answeredAfter().toMillis() / 1e3,
          round.findings(),
          round.storm() + (round.counts() ? "" : " (DOES NOT COUNT)"));
    }
    List<Round> counting = done.stream().filter(Round::counts).toList();
    System.out.printf(
        "%d rounds, %d that do not count, %,d requests, %d rounds with findings%n",
        done.size(),
        done.size() - counting.size(),
        done.stream().mapToLong(Round::requests).sum(),
        bad);
    if (bad == 0) {
      ScratchFolder.delete(plan.work());
    }
    return bad == 0 && (!counting.isEmpty() || done.isEmpty()) ? 0 : 1;
  }

  /** Cleans up after an interrupt: only what a finding has kept remains. */
  private static void end(Torture torture, Path work) {
    try {
      torture.close();
      if (torture.rounds().stream().allMatch(round -> round.findings() == 0)) {
        ScratchFolder.delete(work);
      }
    } catch (IOException e) {
      say("something is left: " + e);
    }
  }

  private Set<FaultKind> kinds() {
    Set<FaultKind> all = EnumSet.noneOf(FaultKind.class);
    for (String word : only) {
      all.add(
          Arrays.stream(FaultKind.values())
              .filter(kind -> kind.word().equals(word.strip()))
              .findFirst()
              .orElseThrow(() -> unknown(word)));
    }
    return all.isEmpty() ? EnumSet.allOf(FaultKind.class) : all;
  }

  private RuntimeException unknown(String word) {
    String known =
        Arrays.stream(FaultKind.values()).map(FaultKind::word).collect(Collectors.joining(", "));
    String text = "no such fault: " + word + "; there are " + known;
    return spec == null
        ? new IllegalArgumentException(text)
        : new ParameterException(spec.commandLine(), text);
  }

  private static void say(String text) {
    System.err.println(text);
  }
}
