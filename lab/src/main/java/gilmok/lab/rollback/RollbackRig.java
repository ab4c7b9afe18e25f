package gilmok.lab.rollback;

import gilmok.lab.LabClient;
import gilmok.lab.Shell;
import gilmok.lab.Subject;
import gilmok.lab.crash.Book;
import gilmok.lab.crash.LogCheck;
import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An upgrade and a rollback under load, again and again on one data folder: the earlier version
 * writes, this one opens it, checks all that was answered, writes more, and the earlier one opens
 * it again. Each version is ended by SIGTERM and by kill -9, by turns. Not thread-safe; blocks.
 */
final class RollbackRig {
  private static final long FIRST_AT_MILLIS = 1_763_000_000_000L;
  private static final Duration SHOW_WAIT = Duration.ofMinutes(10);

  /** What a line of the log has if it is of the load's riders. */
  private static final String OF_LOAD = "\"riderId\":\"rider-";

  private final Path work;
  private final Plan plan;
  private final Consumer<String> progress;
  private final Random random;
  private final Violations violations = new Violations();
  private final Book book = new Book(violations, FIRST_AT_MILLIS);
  private final Minutes minutes = new Minutes();
  private int lives;

  /**
   * The parameters of a run.
   *
   * @param earlier the earlier version's jar
   * @param current this version's
   * @param rounds how often it goes forth and back
   * @param seconds of load in each life
   */
  record Plan(Path earlier, Path current, int rounds, int seconds, long seed) {}

  /**
   * The results of a run.
   *
   * @param refusal the line with which the earlier version refused the folder; null if it did not
   */
  record Outcome(
      int lives,
      int sent,
      int acknowledged,
      int asked,
      long violations,
      List<String> firstViolations,
      @Nullable String refusal) {}

  RollbackRig(Path work, Plan plan, Consumer<String> progress) {
    this.work = work;
    this.plan = plan;
    this.progress = progress;
    this.random = new Random(plan.seed());
  }

  Outcome run() throws IOException, InterruptedException {
    boolean isKilled = true;
    String refusal = null;
    for (int round = 0; round < plan.rounds() && refusal == null; round++) {
      refusal = live(plan.earlier(), isKilled);
      refusal = refusal == null ? live(plan.current(), !isKilled) : refusal;
      isKilled = !isKilled;
    }
    if (refusal == null) {
      refusal = live(plan.earlier(), false);
    }
    List<Path> readers =
        refusal == null ? List.of(plan.earlier(), plan.current()) : List.of(plan.current());
    for (Path reader : readers) {
      show(reader);
    }
    return new Outcome(
        lives,
        book.size(),
        book.acknowledgedCount(),
        minutes.size(),
        violations.count(),
        violations.first(),
        refusal);
  }

  /** One life; returns the refusal if the earlier version does not take the folder back. */
  private @Nullable String live(Path jar, boolean isKilled)
      throws IOException, InterruptedException {
    FolderLife life = new FolderLife(jar, work);
    Subject server;
    try {
      server = life.start();
    } catch (IOException refused) {
      String line = FormatRefusal.in(String.valueOf(refused.getMessage()));
      if (lives == 0 || !jar.equals(plan.earlier()) || line == null) {
        throw refused;
      }
      return line;
    }
    FolderLoad load = new FolderLoad(server, life.key(), book, violations);
    String said = jar.equals(plan.earlier()) ? "the earlier version" : "this version";
    try (server) {
      load.sendAgain(random);
      minutes.differences(server.url()).forEach(one -> violations.add(said + ": " + one));
      life.account(server).forEach(one -> violations.add(said + ": " + one));
      load.begin(random);
      try (LabClient client = life.client(server)) {
        new FolderWork(server.url(), life.key(), "life-" + lives, client, minutes).run();
      }
      TimeUnit.SECONDS.sleep(plan.seconds());
      if (isKilled) {
        server.kill();
      } else if (server.stop() != 0) {
        violations.add(said + " did not end in order:\n" + server.lastOutput());
      }
    } finally {
      load.end();
    }
    lives++;
    progress.accept(
        "%s, ended by %s: %,d records acknowledged, %d answers kept, %d violations"
            .formatted(
                said,
                isKilled ? "kill -9" : "SIGTERM",
                book.acknowledgedCount(),
                minutes.size(),
                violations.count()));
    return null;
  }

  /** Holds the log, as that version's own command shows it, against what was acknowledged. */
  private void show(Path jar) throws IOException, InterruptedException {
    LogCheck check = new LogCheck(book, violations);
    List<String> command = List.of("log", "show", "--data", work.resolve("data").toString());
    ProcessBuilder builder =
        new ProcessBuilder(Subject.java(FolderLife.options(), jar, command))
            .redirectError(ProcessBuilder.Redirect.appendTo(work.resolve("show.err").toFile()));
    int status =
        Shell.run(
            builder,
            SHOW_WAIT,
            line -> {
              if (line.contains(OF_LOAD)) { // not of the rest of the work
                check.line(line);
              }
            });
    if (status != 0) {
      violations.add("log show ended with " + status);
    }
    check.end();
  }
}
