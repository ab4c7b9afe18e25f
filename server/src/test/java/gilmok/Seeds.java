package gilmok;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;

/**
 * How many random cases a fuzz, model or race test tries, and from which seed. By default a
 * twentieth of them, from a seed that is new in each run; all of them with {@code
 * -Dgilmok.budget=all}, as the tier {@code soak} does. A failure names its seed: {@code
 * -Dgilmok.seed=SEED} begins with that one. Thread-safe.
 */
public final class Seeds {
  private static final String BUDGET = System.getProperty("gilmok.budget", "twentieth");
  private static final int SHARE =
      switch (BUDGET) {
        case "twentieth" -> 20;
        case "all" -> 1;
        default -> throw new IllegalArgumentException("gilmok.budget: twentieth or all");
      };

  /** Small enough for an int and for a person, and far from the next run's. */
  private static final long FIRST =
      Long.getLong("gilmok.seed", ThreadLocalRandom.current().nextInt(1, 1_000_000) * 1_000L);

  static {
    System.out.println("random tests begin with " + again(FIRST));
  }

  /** What is tried with one seed. */
  @FunctionalInterface
  public interface Trial {
    void run(long seed) throws Exception;
  }

  private Seeds() {}

  /** Where this run begins. */
  public static long first() {
    return FIRST;
  }

  /** This run's share of so many cases, at least one. */
  public static int share(int all) {
    return Math.max(1, all / SHARE);
  }

  /** Those that once found something, then this run's share of {@code all} fresh ones. */
  public static LongStream of(int all, long... onceFailed) {
    LongStream.Builder seeds = LongStream.builder();
    LongStream.of(onceFailed).forEach(seeds);
    LongStream.range(FIRST, FIRST + share(all)).forEach(seeds);
    return seeds.build().distinct();
  }

  /**
   * Tries each of them, in order.
   *
   * @throws AssertionError names the seed of the first trial that failed, with its cause
   */
  public static void each(int all, Trial trial, long... onceFailed) {
    of(all, onceFailed)
        .forEach(
            seed -> {
              try {
                trial.run(seed);
              } catch (Exception | AssertionError broken) {
                throw failed(seed, broken);
              }
            });
  }

  /** The same for a test that makes many cases of one seed; {@code what} says which failed. */
  public static AssertionError failed(String what, Throwable broken) {
    return new AssertionError(what + "; again with " + again(FIRST), broken);
  }

  private static AssertionError failed(long seed, Throwable broken) {
    if (broken instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return new AssertionError("seed " + seed + "; again with " + again(seed), broken);
  }

  private static String again(long seed) {
    return "-Dgilmok.seed=" + seed + (SHARE == 1 ? " -Dgilmok.budget=all" : "");
  }
}
