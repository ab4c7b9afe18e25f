package gilmok.lab.crash;

import gilmok.lab.Servers;
import gilmok.lab.Shell;
import gilmok.lab.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Kills a server under load, again and again on the same data folder, and then checks that every
 * acknowledged record is in its log exactly once. It relies on nothing from the server but the
 * receipts. Not thread-safe; blocks.
 */
final class CrashRig {
  private static final Duration READY_WAIT = Duration.ofMinutes(2);
  private static final Duration CAT_WAIT = Duration.ofMinutes(10);
  private static final Duration WRITER_WAIT = Duration.ofSeconds(60);
  private static final int LIVES_CUT_SHORT_MAX = 3;
  private static final int START_MILLIS_MAX = 2_500;
  private static final int RETRY_BATCH = 100;
  private static final int SAMPLE = 100;
  private static final long FIRST_AT_MILLIS = 1_763_000_000_000L;
  private static final int BUSY_TRIES_MAX = 200;

  /** Small files and frequent snapshots, so that kills also hit files that are being made. */
  private static final List<String> SMALL =
      List.of(
          "--set", "collect.body-bytes-max=256KiB",
          "--set", "log.group-bytes-max=1MiB",
          "--set", "log.segment-bytes=2MiB",
          "--set", "log.snapshot-interval=500ms",
          "--set", "log.dedup-entries-max=1000000");

  private final Path jar;
  private final Path work;
  private final Plan plan;
  private final Consumer<String> progress;
  private final Random random;
  private final Violations violations = new Violations();
  private final Book book = new Book(violations, FIRST_AT_MILLIS);
  private int killsWhileStarting;

  /**
   * The parameters of a run.
   *
   * @param rounds how many times the server is killed under load
   * @param connections how many writers there are
   * @param loadMillisMax the longest load of a round
   * @param recordsPerRoundMax the most records that a round sends
   * @param seed the seed of all random choices
   */
  record Plan(int rounds, int connections, int loadMillisMax, int recordsPerRoundMax, long seed) {}

  /** The results of a run. */
  record Outcome(
      int rounds,
      int killsWhileStarting,
      long sent,
      long acknowledged,
      long answeredAsRepeats,
      long found,
      long violations,
      List<String> firstViolations) {}

  /**
   * A rig for the server in a jar.
   *
   * @param jar the server's
   * @param work an empty folder for its data and output
   */
  CrashRig(Path jar, Path work, Plan plan, Consumer<String> progress) {
    this.jar = jar;
    this.work = work;
    this.plan = plan;
    this.progress = progress;
    this.random = new Random(plan.seed());
  }

  Outcome run() throws IOException, InterruptedException {
    for (int round = 1; round <= plan.rounds(); round++) {
      Subject server = startThroughKills();
      try (Post post = new Post(server.url(), Servers.KEY, book, violations)) {
        resend(post);
        loadAndKill(server, post);
      } finally {
        server.kill();
      }
      progress.accept(
          String.format(
              "round %d: %,d records sent so far, %,d acknowledged, %d violations",
              round, book.size(), book.acknowledgedCount(), violations.count()));
    }
    try (Subject server = startThroughKills();
        Post post = new Post(server.url(), Servers.KEY, book, violations)) {
      resend(post);
      int status = server.stop();
      if (status != 0) {
        violations.add("SIGTERM ended it with " + status + ":\n" + server.lastOutput());
      }
    }
    LogCheck check = new LogCheck(book, violations);
    cat(check);
    check.end();
    return new Outcome(
        plan.rounds(),
        killsWhileStarting,
        book.size(),
        book.acknowledgedCount(),
        book.duplicates(),
        check.found(),
        violations.count(),
        violations.first());
  }

  /** Starts the server; sometimes it is killed a few times before it is ready. */
  private Subject startThroughKills() throws IOException, InterruptedException {
    for (int i = 0; i < LIVES_CUT_SHORT_MAX && random.nextInt(4) == 0; i++) {
      Subject server = start();
      TimeUnit.MILLISECONDS.sleep(random.nextInt(START_MILLIS_MAX));
      server.kill();
      killsWhileStarting++;
    }
    Subject server = start();
    try {
      server.awaitAnswer("/health/ready", status -> status == 200, READY_WAIT);
    } catch (IOException e) {
      server.kill();
      throw e;
    }
    return server;
  }

  private Subject start() throws IOException {
    int port = Servers.freePort();
    List<String> arguments = Servers.serve(port, work.resolve("data"));
    arguments.addAll(SMALL);
    return Subject.start(
        "gilmok",
        Subject.java(options(), jar, arguments),
        Map.of("GILMOK_ADMIN_KEY", Servers.KEY),
        port,
        work.resolve("server.out"));
  }

  /**
   * The JVM options: a server that lives for seconds would spend them in the optimising compiler.
   */
  private static List<String> options() {
    List<String> options = new ArrayList<>(Servers.JVM);
    options.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    return options;
  }

  private String data() {
    return work.resolve("data").toString();
  }

  /** Sends all unacknowledged records, and some acknowledged ones, which must be recognised. */
  private void resend(Post post) throws IOException, InterruptedException {
    for (String stream : List.of("traces", "actions")) {
      List<Entry> missing = book.unacknowledged(stream);
      for (int i = 0; i < missing.size(); i += RETRY_BATCH) {
        List<Entry> part = missing.subList(i, Math.min(missing.size(), i + RETRY_BATCH));
        sendUntilTaken(post, Letter.again(part));
      }
      List<Entry> sample = book.acknowledged(stream, SAMPLE, random);
      if (!sample.isEmpty()) {
        sendUntilTaken(post, Letter.of(List.of(), sample));
        sendUntilTaken(post, Letter.of(List.of(), List.of(sample.getFirst())));
      }
    }
  }

  private static void sendUntilTaken(Post post, Letter letter)
      throws IOException, InterruptedException {
    for (int i = 0; i < BUSY_TRIES_MAX; i++) {
      if (post.send(letter)) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException("a server that is ready has no room for " + letter.items().size());
  }

  private void loadAndKill(Subject server, Post post) throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    int recordsMax = book.size() + plan.recordsPerRoundMax();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < plan.connections(); i++) {
      Random own = new Random(random.nextLong());
      writers.add(Thread.ofVirtual().start(() -> write(post, own, over, recordsMax)));
    }
    TimeUnit.MILLISECONDS.sleep(50 + random.nextInt(plan.loadMillisMax()));
    server.kill();
    over.set(true);
    for (Thread writer : writers) {
      if (!writer.join(WRITER_WAIT)) {
        throw new IllegalStateException("a writer does not end");
      }
    }
  }

  private void write(Post post, RandomGenerator own, AtomicBoolean over, int recordsMax) {
    try {
      while (!over.get() && book.size() < recordsMax) {
        if (!post.send(Letter.chosen(book, own, 2, 30))) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
      }
    } catch (IOException e) {
      // Interrupted by the kill. Whether this letter was stored is found out after the restart.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Prints the log with the server's own command and checks it. */
  private void cat(LogCheck check) throws IOException, InterruptedException {
    List<String> command = Subject.java(options(), jar, List.of("log", "cat", "--data", data()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(work.resolve("cat.err").toFile()));
    int status = Shell.run(builder, CAT_WAIT, check::line);
    if (status != 0) {
      violations.add("log cat ended with " + status);
    }
  }
}
