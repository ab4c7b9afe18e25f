package gilmok.lab.fleet;

import gilmok.lab.fleet.Rider.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A simulated fleet. Deterministic: the same plan and the same times give the same fixes, whatever
 * becomes of them. It moves a phone only when its next fix is due, so its cost is that of the
 * fixes. Not thread-safe.
 */
final class Fleet {
  private final Plan plan;
  private final Consumer<Phone> watcher;
  private final List<Phone> phones;
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingLong(Due::millis).thenComparingInt(Due::number));
  private long fixes;

  /**
   * The parameters of a fleet.
   *
   * @param riders the number of riders
   * @param seed the seed of all random choices
   * @param startMillis when it begins, in milliseconds since 1970
   * @param speed how many times faster than real time it moves
   */
  record Plan(int riders, long seed, long startMillis, double speed) {
    /** Converts real time to the fleet's time. */
    long inFleet(long worldMillis) {
      return startMillis + (long) ((worldMillis - startMillis) * speed);
    }

    /** Converts the fleet's time to real time. */
    long inWorld(long fleetMillis) {
      return startMillis + (long) ((fleetMillis - startMillis) / speed);
    }
  }

  /** The time of a phone's next fix. */
  private record Due(long millis, int number) {}

  Fleet(Plan plan) {
    this(plan, _ -> {});
  }

  /**
   * A fleet with a watcher.
   *
   * @param watcher called for each phone after each of its fixes
   */
  Fleet(Plan plan, Consumer<Phone> watcher) {
    this.plan = plan;
    this.watcher = watcher;
    World world = World.of(plan.seed());
    SplittableRandom seeds = new SplittableRandom(plan.seed());
    List<Phone> made = new ArrayList<>();
    for (int i = 0; i < plan.riders(); i++) {
      Rider rider = new Rider(world, seeds.nextLong(), plan.startMillis());
      Phone phone = new Phone(i, rider, seeds.nextLong(), plan.startMillis());
      made.add(phone);
      due.add(new Due(phone.nextFix(true), i));
    }
    phones = Collections.unmodifiableList(made);
  }

  /**
   * Simulates the fleet up to a time.
   *
   * @param worldMillis the time, in milliseconds since 1970
   * @param wantsToSend called for each phone that has taken a fix and has a network
   */
  void advance(long worldMillis, Consumer<Phone> wantsToSend) {
    long until = plan.inFleet(worldMillis);
    for (Due next = due.peek(); next != null && next.millis <= until; next = due.peek()) {
      due.remove();
      Phone phone = phones.get(next.number);
      phone.take(next.millis, plan.inWorld(next.millis));
      fixes++;
      watcher.accept(phone);
      due.add(new Due(phone.nextFix(false), next.number));
      if (phone.isReachable()) {
        wantsToSend.accept(phone);
      }
    }
  }

  List<Phone> phones() {
    return phones;
  }

  /** How many fixes were taken so far. */
  long fixes() {
    return fixes;
  }
}
