package gilmok.lab.torture;

import gilmok.lab.ScratchFolder;
import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs rounds of torture, one after the other, in worlds that last for several rounds. Blocks. */
final class Torture implements AutoCloseable {
  private static final Duration LOAD_BEFORE = Duration.ofMillis(500);
  private static final Duration LOAD_AFTER = Duration.ofSeconds(1);
  private static final Duration WARM_LOAD = Duration.ofSeconds(4);

  /** Long, because cold code is slow. */
  private static final Duration WARM_WAIT = Duration.ofMinutes(2);

  private static final int SHOWN_MAX = 12;
  private static final int KEPT_MAX = 5;

  private final Plan plan;
  private final Consumer<String> progress;
  private final List<Round> rounds = new ArrayList<>();
  private @Nullable World world;
  private @Nullable Path folder;
  private Violations findings = new Violations();
  private int roundsInWorld;
  private int ordersLookedAt;
  private int kept;
  private String answeredLast = "";
  private String pressure = "";
  private String shares = "";
  private boolean isWarm;

  /**
   * The parameters of a run.
   *
   * @param program the server's
   * @param work the folder for all data
   * @param means the faults to choose from
   * @param answerWithin how long it may take until all probes succeed again
   * @param roundsInWorld how many rounds a server and its data folder last
   */
  record Plan(
      Node.Program program, Path work, Means means, Duration answerWithin, int roundsInWorld) {}

  Torture(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs one round.
   *
   * @param seed the seed of all its random choices
   */
  Round round(long seed) throws IOException, InterruptedException {
    if (!isWarm) {
      isWarm = true;
      warm(seed);
    }
    SplittableRandom random = new SplittableRandom(seed);
    // Split off first, so that the storm is the same in a new world and an old one.
    Storm storm = Storm.of(plan.means.kinds(), random.split());
    World now = world(random.split());
    TortureLoad load =
        TortureLoad.start(now.clients(), now.journal(), now.node().port(), random.split());
    Duration took = Duration.ZERO;
    long records = 0;
    try {
      Thread.sleep(LOAD_BEFORE);
      storm.run(now);
      took = answersAgain(now, storm.passedAtNanos(), plan.answerWithin);
      pressure = Pressure.now();
      now.well(findings.count() == 0);
      Thread.sleep(LOAD_AFTER);
    } finally {
      load.stop();
    }
    String befell = storm.toString();
    if (findings.count() == 0) {
      records = settled(now);
    }
    now.well(false);
    boolean isHurt = findings.count() == 0 && isDamageDue(random);
    if (isHurt) {
      befell += "; " + new DamageTrial(now, plan.answerWithin, ordersLookedAt).run(random);
    }
    roundsInWorld++;
    Round round =
        new Round(
            (int) rounds.stream().filter(done -> done.number() > 0).count() + 1,
            seed,
            befell,
            took,
            answeredLast,
            shares,
            load.turns(),
            records,
            storm.untaken(),
            findings.count());
    end(round, now);
    if (isHurt || findings.count() > 0 || roundsInWorld >= plan.roundsInWorld) {
      leave();
    }
    return round;
  }

  private void end(Round round, World now) throws IOException, InterruptedException {
    rounds.add(round);
    progress.accept(round.toString());
    if (findings.count() > 0) {
      report(now);
    }
  }

  /**
   * Runs a world without faults for a moment, so that the first round does not wait for cold code
   * of this program. It is reported as a round only if it finds something.
   */
  private void warm(long seed) throws IOException, InterruptedException {
    World now = world(new SplittableRandom(seed));
    TortureLoad load =
        TortureLoad.start(
            now.clients(), now.journal(), now.node().port(), new SplittableRandom(~seed));
    Duration took;
    try {
      Thread.sleep(WARM_LOAD);
      took = answersAgain(now, System.nanoTime(), WARM_WAIT);
    } finally {
      load.stop();
    }
    long records = findings.count() == 0 ? settled(now) : 0;
    if (findings.count() > 0) {
      String last = answeredLast;
      end(
          new Round(
              0,
              seed,
              "nothing",
              took,
              last,
              shares,
              load.turns(),
              records,
              List.of(),
              findings.count()),
          now);
    }
    leave();
  }

  /**
   * Whether the round ends with a damage trial: one round in three, or every round if no other
   * fault was chosen.
   */
  private boolean isDamageDue(SplittableRandom random) {
    boolean isTurn = random.nextInt(3) == 0 || plan.means.kinds().size() == 1;
    return isTurn && plan.means.kinds().contains(FaultKind.DAMAGE);
  }

  private World world(SplittableRandom random) throws IOException, InterruptedException {
    World now = world;
    if (now == null) {
      folder = ScratchFolder.create(plan.work, "torture-");
      findings = new Violations();
      roundsInWorld = 0;
      ordersLookedAt = 0;
      now = World.start(folder, plan.program, plan.means, random.nextLong(), findings);
      world = now;
    }
    return now;
  }

  /**
   * How long it took until all probes succeeded, from the end of the storm or from being live,
   * whichever was later.
   */
  private Duration answersAgain(World now, long passedAtNanos, Duration within)
      throws InterruptedException {
    Shares used = Shares.begin(now.node().pid());
    long from = Math.max(passedAtNanos, now.node().liveAtNanos());
    Probes probes = new Probes(now);
    Map<String, String> wrong = probes.run(from + within.toNanos());
    shares = used.end();
    answeredLast = probes.lastDone();
    wrong.forEach(
        (name, last) ->
            findings.add("not answered again within " + within + ": " + name + ": " + last));
    return Duration.ofNanos(System.nanoTime() - from);
  }

  private long settled(World now) throws IOException, InterruptedException {
    new Settling(now.caller(), now.journal()).run();
    long records = new Checks(now, Toll.NONE).run(ordersLookedAt);
    ordersLookedAt = now.journal().orders().size();
    return records;
  }

  private void report(World now) throws IOException, InterruptedException {
    for (String finding : findings.first().stream().limit(SHOWN_MAX).toList()) {
      progress.accept("  finding: " + finding.replace("\n", "\n    "));
    }
    progress.accept("  " + pressure);
    if (kept++ >= KEPT_MAX) {
      progress.accept("  its data folder is not kept: " + KEPT_MAX + " are");
      return;
    }
    Path where = plan.work.resolve("kept-" + rounds.size() + "-" + System.currentTimeMillis());
    now.node().kill();
    now.ground().keep(where);
    Path printed = folder == null ? where : folder.resolve("server.out");
    if (Files.exists(printed)) {
      Files.copy(printed, where.resolve("server.out"));
    }
    progress.accept("  its data folder and what it printed are kept in " + where);
  }

  /** All rounds so far. */
  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  private void leave() throws IOException {
    World now = world;
    Path there = folder;
    world = null;
    folder = null;
    if (now != null) {
      now.close();
    }
    if (there != null && Files.exists(there)) {
      ScratchFolder.delete(there);
    }
  }

  @Override
  public void close() throws IOException {
    leave();
  }
}
