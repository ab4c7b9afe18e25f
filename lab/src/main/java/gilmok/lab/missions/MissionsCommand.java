package gilmok.lab.missions;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.capacity.Chapter;
import gilmok.lab.capacity.Machine;
import gilmok.lab.capacity.Revision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code lab missions}: measures what missions are to reach, a table and a plot for each part.
 * Exits with 0 when all was reached, 1 when something was missed.
 */
@Command(
    name = "missions",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures missions, a table and a plot each. Needs redis-server.",
      "",
      "  ANSWER   100 kB warm, beside the same made anew for each request: about 4 minutes",
      "  EXPIRY   of one key under load, in one process and in three: about 6 minutes",
      "  REDIS    killed and restarted under load",
      "  TRAFFIC  Redis' own count of bytes for 10,000 answers/s",
      "  STEPS    the story's ways, one after the other: about 8 minutes",
      "",
      "Examples:",
      "  gilmok lab missions",
      "  gilmok lab missions --only ANSWER --rounds 3 --seconds 10",
      "  gilmok lab missions --only EXPIRY,REDIS --database 27017",
      "  gilmok lab missions --only STEPS --ways-only --seconds 2 --own-warmup 3",
      ""
    })
public final class MissionsCommand implements Callable<Integer> {
  /** What can be measured. */
  enum Part {
    ANSWER,
    EXPIRY,
    REDIS,
    TRAFFIC,
    STEPS
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--only", split = ",", description = "some of: ${COMPLETION-CANDIDATES}")
  private @Nullable Set<Part> only;

  @Option(names = "--seconds", defaultValue = "8", description = "a measurement: ${DEFAULT-VALUE}")
  private double seconds;

  @Option(names = "--rounds", defaultValue = "3", description = "of ANSWER: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(names = "--pairs", defaultValue = "5", description = "of EXPIRY: ${DEFAULT-VALUE}")
  private int pairs;

  @Option(names = "--warmup", defaultValue = "2", description = "before each: ${DEFAULT-VALUE}")
  private double warmup;

  @Option(names = "--own-warmup", defaultValue = "15", description = "at first: ${DEFAULT-VALUE}")
  private double ownWarmup;

  @Option(names = "--connections", defaultValue = "32", description = "${DEFAULT-VALUE}")
  private int connections;

  @Option(names = "--riders", defaultValue = "1000", description = "${DEFAULT-VALUE}")
  private int riders;

  @Option(names = "--rate", defaultValue = "5000", description = "for one key: ${DEFAULT-VALUE}/s")
  private double rate;

  @Option(
      names = "--step-rate",
      defaultValue = "1000",
      description = "the same among the steps: ${DEFAULT-VALUE}/s")
  private double stepRate;

  @Option(names = "--ways-only", description = "STEPS without the server of this build")
  private boolean waysOnly;

  @Option(
      names = "--small-cache",
      split = ",",
      defaultValue = "missions.cache.bytes-max=64KiB",
      description = "settings by which TRAFFIC finds hardly any rider: ${DEFAULT-VALUE}")
  private List<String> smallCache = List.of();

  @Option(names = "--set", description = "more settings of the server of this build: key=value")
  private List<String> settings = List.of();

  @Option(names = "--redis", defaultValue = "redis-server", description = "${DEFAULT-VALUE}")
  private String redis = "";

  @Option(
      names = "--database",
      description = "the port on loopback of a MongoDB that runs already; else .ci/secantus starts")
  private @Nullable Integer database;

  @Option(names = "--heap", defaultValue = "512m", description = "of each: ${DEFAULT-VALUE}")
  private String heap = "";

  @Option(names = "--work", description = "where data folders go; else a temporary folder")
  private @Nullable Path work;

  @Option(names = "--out", description = "where tables and plots go; lab/results")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path labJar = Servers.ownJar();
    Path root = labJar.resolve("../../..").normalize();
    Path folder = ScratchFolder.create(work, "missions-");
    Rig rig =
        new Rig(
            new Servers(labJar, folder),
            new Rig.Setup(root, heap, redis, database, settings),
            new Rig.Times(ownWarmup, warmup, seconds, rounds, connections),
            new MadeUpMissions(riders),
            System.err::println);
    boolean reached = true;
    try {
      for (Part part : only == null ? EnumSet.allOf(Part.class) : only) {
        String machine = Machine.describe() + "; commit " + Revision.describe(root);
        System.err.println(part);
        Chapter chapter =
            switch (part) {
              case ANSWER -> new AnswerPart(rig).run();
              case EXPIRY -> new ExpiryPart(rig, rate, pairs).run();
              case REDIS -> new RedisPart(rig, rate).run();
              case TRAFFIC -> new TrafficPart(rig, smallCache).run();
              case STEPS -> new StepsPart(rig, stepRate, waysOnly).run();
            };
        chapter.write(
            out == null ? root.resolve("lab/results") : out, "missions", machine, command());
        reached &= chapter.reached();
      }
      return reached ? 0 : 1;
    } finally {
      ScratchFolder.delete(folder);
    }
  }

  private String command() {
    List<String> command = new ArrayList<>(List.of("lab"));
    if (spec != null) {
      command.addAll(spec.commandLine().getParseResult().originalArgs());
    }
    return String.join(" ", command);
  }
}
