package gilmok.lab.torture;

import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Ends a server, hurts one of its files and starts it: it has to say so and go on, or to refuse by
 * the file's name; then, with the good copy, it has to start. The last thing that befalls a world.
 * Blocks.
 */
final class DamageTrial {
  private final World world;
  private final Violations findings;
  private final Duration answerWithin;

  DamageTrial(World world, Duration answerWithin) {
    this.world = world;
    this.findings = world.journal().findings();
    this.answerWithin = answerWithin;
  }

  /**
   * Does it.
   *
   * @return what was done, and what came of it
   */
  String run(RandomGenerator random) throws IOException, InterruptedException {
    Node node = world.node();
    if (random.nextBoolean()) {
      int status = node.stop();
      if (status != 0) {
        findings.add("SIGTERM ended it with " + status + ":\n" + node.lastOutput());
      }
    } else {
      node.kill();
    }
    Damage damage = Damage.choose(node.data(), random);
    damage.hurt();
    long printed = node.printed();
    boolean isUp = starts(node);
    String said = node.outputFrom(printed);
    if (isUp) {
      boolean isSaid = damage.isNamedLoudly(said) || damage.isHarmless();
      if (!isSaid && damage.isOfAnOlderSegment()) {
        isSaid = damage.isNamedLoudly(Shell.run(node.command("log", "verify")).text());
      }
      if (!isSaid) {
        findings.add("damage was passed over in silence: " + damage);
      }
      answers("after damage that was repaired, " + damage);
      if (!damage.isOfTheLog()) {
        new Checks(world).lines();
      }
      return damage + ": repaired";
    }
    if (!damage.isNamedLoudly(said)) {
      findings.add("it does not start, and does not name " + damage + ":\n" + node.lastOutput());
    }
    damage.undo();
    if (starts(node)) {
      answers("after damage that was undone, " + damage);
    } else {
      findings.add("it does not start with the good copy of " + damage + ":\n" + node.lastOutput());
    }
    return damage + ": refused";
  }

  private static boolean starts(Node node) throws InterruptedException {
    try {
      node.start();
      // Live is said before the log is read.
      return Settling.await(Node.LIVE_WAIT, () -> !node.alive() || node.isReady()) && node.alive();
    } catch (IOException refused) {
      return false;
    }
  }

  private void answers(String when) throws InterruptedException {
    Map<String, String> wrong = new Probes(world).run(System.nanoTime() + answerWithin.toNanos());
    wrong.forEach((name, last) -> findings.add(when + ": " + name + ": " + last));
  }
}
