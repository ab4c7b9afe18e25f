package gilmok.lab.rollback;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Servers;
import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lab rollback}: to this version and back, on one data folder, under load. */
@Command(
    name = "rollback",
    description = {
      "Go from an earlier version to this one and back, on one data folder, under "
          + "load, and check after each start all that was answered before: "
          + "deliveries with their events, keys, phones' commands, entries, missions, "
          + "links, receipts, the ledger, and every acknowledged record. Each version "
          + "is ended by SIGTERM and by kill -9, by turns.",
      "",
      "With --fixture it makes the folder of that version which the tests of later "
          + "ones open; see docs/compatibility.md.",
      "",
      "Exit code: 0 if all was there, or if the earlier version refused the folder "
          + "because a format is newer; 1 if anything was missing or another."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab rollback v0.1.0                              # about 4 minutes",
      "  gilmok lab rollback --fixture v0.1.0.zip v0.1.0"
    })
public final class RollbackCommand implements Callable<Integer> {
  private static final Duration BUILD_WAIT = Duration.ofMinutes(20);
  private static final int BROKEN = 1;

  @Parameters(
      index = "0",
      paramLabel = "EARLIER",
      description =
          "The earlier version: its jar, or a tag or commit of this repository, which is "
              + "built in a clone.")
  private String earlier = "";

  @Option(
      names = "--rounds",
      defaultValue = "2",
      description = "How often to go forth and back (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "5",
      description = "Seconds of load in each life of a server (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--server-jar",
      defaultValue = "server/target/gilmok-all.jar",
      paramLabel = "FILE",
      description = "This version (default: ${DEFAULT-VALUE}).")
  private Path serverJar = Path.of("");

  @Option(
      names = "--fixture",
      paramLabel = "FILE",
      description = "Write a folder of EARLIER for the tests into this archive, and end.")
  private @Nullable Path fixture;

  @Option(
      names = "--seed",
      description = "The seed, to repeat a run's random choices (default: by the clock).")
  private @Nullable Long seed;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where the data folder goes (default: a temporary folder).")
  private @Nullable Path work;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = ScratchFolder.create(work, "rollback-");
    Path jar = Files.isRegularFile(Path.of(earlier)) ? Path.of(earlier) : built(folder);
    Path to = fixture;
    if (to != null) {
      String version = new FolderFixture(new FolderLife(jar, folder)).write(to).toString();
      System.out.printf("%s: %,d bytes, of %s%n", to, Files.size(to), version);
      ScratchFolder.delete(folder);
      return 0;
    }
    long chosen = seed == null ? System.nanoTime() : seed;
    System.err.printf("seed %d, data below %s%n", chosen, folder);
    RollbackRig.Plan plan =
        new RollbackRig.Plan(jar, serverJar, Math.clamp(rounds, 1, 1000), seconds, chosen);
    return report(new RollbackRig(folder, plan, System.err::println).run(), folder);
  }

  private static int report(RollbackRig.Outcome outcome, Path folder) throws IOException {
    System.out.printf(
        "%d lives: %,d records sent, %,d acknowledged, %,d answers asked again, %d violations%n",
        outcome.lives(),
        outcome.sent(),
        outcome.acknowledged(),
        outcome.asked(),
        outcome.violations());
    if (outcome.refusal() != null) {
      System.out.println("a format changed, and the earlier version refused: " + outcome.refusal());
    }
    outcome.firstViolations().forEach(System.out::println);
    if (outcome.violations() > 0) {
      System.out.println("left for inspection: " + folder);
      return BROKEN;
    }
    ScratchFolder.delete(folder);
    return 0;
  }

  /** Builds a tag or commit in a clone. */
  private Path built(Path folder) throws IOException, InterruptedException {
    Path root = Servers.root();
    Path clone = folder.resolve("earlier");
    Shell.Outcome known =
        Shell.run(List.of("git", "-C", root.toString(), "rev-parse", "-q", earlier + "^{commit}"));
    if (known.status() != 0) {
      throw new ParameterException(
          spec.commandLine(), "\"" + earlier + "\" is no file, and no tag or commit of " + root);
    }
    Shell.must("git", "clone", "-q", "--shared", root.toString(), clone.toString());
    Shell.must("git", "-C", clone.toString(), "checkout", "-q", "--detach", known.text());
    System.err.printf("building %s…%n", earlier);
    ProcessBuilder build =
        new ProcessBuilder(clone.resolve("gilmok").toString(), "version").redirectErrorStream(true);
    StringBuilder said = new StringBuilder();
    if (Shell.run(build, BUILD_WAIT, line -> said.append(line).append('\n')) != 0) {
      throw new IOException("the build failed: " + said);
    }
    return clone.resolve("server/target/gilmok-all.jar");
  }
}
