package gilmok.lab.torture;

import gilmok.lab.Shell;
import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Stops a server, damages one of its files and starts it. The outcome must be one that
 * docs/operating.md allows, and nothing may be lost beyond what that page says. With the good copy
 * the server must start. It is the last event of a world. Blocks.
 */
final class DamageTrial {
  private final World world;
  private final Violations findings;
  private final Duration answerWithin;
  private final int since;

  /**
   * A trial in a world.
   *
   * @param since the index of the first order that was not checked before
   */
  DamageTrial(World world, Duration answerWithin, int since) {
    this.world = world;
    this.findings = world.journal().findings();
    this.answerWithin = answerWithin;
    this.since = since;
  }

  /**
   * Runs the trial.
   *
   * @return what was done, and its outcome
   */
  String run(RandomGenerator random) throws IOException, InterruptedException {
    Node node = world.node();
    if (random.nextBoolean()) {
      stop(node);
    } else {
      node.kill();
    }
    Damage damage = Damage.choose(node.data(), random);
    damage.hurt();
    Set<Outcome> expected = damage.expected();
    Toll toll = damage.toll();
    boolean isOlder = damage.isOfAnOlderSegment();
    long printed = node.printed();
    boolean isUp = starts(node);
    String said = node.outputFrom(printed);
    Set<Outcome> outcomes = isUp ? ofAStart(damage, said, isOlder) : ofARefusal(damage, said);
    if (outcomes.stream().noneMatch(expected::contains)) {
      findings.add(
          "%s: %s and not %s, of which docs/operating.md speaks:%n%s"
              .formatted(damage, words(outcomes), expected, node.lastOutput()));
    }
    if (isUp) {
      answers("after damage with which it starts, " + damage);
    }
    if (isUp && !isOlder) {
      check(damage, toll);
    } else {
      node.kill();
      damage.undo();
      if (starts(node)) {
        answers("after damage that was undone, " + damage);
        check(damage, Toll.NONE);
      } else {
        findings.add(
            "it does not start with the good copy of " + damage + ":\n" + node.lastOutput());
      }
    }
    return damage + ": " + words(outcomes);
  }

  private void stop(Node node) throws IOException, InterruptedException {
    int status = node.stop();
    if (status != 0) {
      findings.add("SIGTERM ended it with " + status + ":\n" + node.lastOutput());
    }
  }

  private Set<Outcome> ofAStart(Damage damage, String said, boolean isOlder)
      throws IOException, InterruptedException {
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    if (damage.isNamedLoudly(said)) {
      outcomes.add(Outcome.NAMED);
    }
    if (isOlder && damage.isNamedLoudly(Shell.run(world.node().command("log", "verify")).text())) {
      outcomes.add(Outcome.VERIFIED);
    }
    return outcomes.isEmpty() ? EnumSet.of(Outcome.SILENT) : outcomes;
  }

  /** The outcome of a start that failed; none if the message does not name the file. */
  private static Set<Outcome> ofARefusal(Damage damage, String said) {
    return damage.isNamedLoudly(said) ? EnumSet.of(Outcome.REFUSED) : EnumSet.noneOf(Outcome.class);
  }

  private static String words(Set<Outcome> outcomes) {
    return outcomes.isEmpty()
        ? "refused without its name"
        : String.join(
            " or ",
            outcomes.stream().map(one -> one.name().toLowerCase(Locale.ROOT)).sorted().toList());
  }

  private static boolean starts(Node node) throws InterruptedException {
    try {
      node.start();
      // Wait for readiness: a server is live before it has read the log.
      return Settling.await(Node.LIVE_WAIT, () -> !node.alive() || node.isReady()) && node.alive();
    } catch (IOException refused) {
      return false;
    }
  }

  private void answers(String when) throws InterruptedException {
    Map<String, String> wrong = new Probes(world).run(System.nanoTime() + answerWithin.toNanos());
    wrong.forEach((name, last) -> findings.add(when + ": " + name + ": " + last));
  }

  /** Runs all checks, as after a round. */
  private void check(Damage damage, Toll toll) throws IOException, InterruptedException {
    long before = findings.count();
    new Settling(world.caller(), world.journal()).run();
    new Checks(world, toll).run(damage.isOfDocuments() ? 0 : since);
    if (findings.count() > before) {
      findings.add("all of that after the damage: " + damage);
    }
  }
}
