package gilmok;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The seeds of fuzz, model and race tests, and how many of their random cases are tried: by default
 * a twentieth of them, all with {@code -Dgilmok.budget=all}, as in the tier {@code soak}. A run
 * begins with a new seed, or with the one given by {@code -Dgilmok.seed=SEED}, which each failure
 * names. Thread-safe.
 */
public final class Seeds {
  private static final String BUDGET = System.getProperty("gilmok.budget", "twentieth");
  private static final int SHARE =
      switch (BUDGET) {
        case "twentieth" -> 20;
        case "all" -> 1;
        default -> throw new IllegalArgumentException("gilmok.budget: twentieth or all");
      };

  private static final int SOME = 5;

  /** The first seed: small enough for an int and for a person, and far from the next run's. */
  private static final long FIRST =
      Long.getLong("gilmok.seed", ThreadLocalRandom.current().nextInt(1, 1_000_000) * 1_000L);

  static {
    System.out.println("random tests begin with " + again(FIRST));
  }

  /** A test's case for one seed. */
  @FunctionalInterface
  public interface Trial {
    void run(long seed) throws Exception;
  }

  private Seeds() {}

  /** The first fresh seed of this run. */
  public static long first() {
    return FIRST;
  }

  /**
   * The seed of a test that judges a change by the same cases as the change before: {@code same},
   * unless a seed was given or the whole budget is tried.
   */
  public static long same(long same) {
    return isWhole() || System.getProperty("gilmok.seed") != null ? FIRST : same;
  }

  /** Whether this run tries every case. */
  public static boolean isWhole() {
    return SHARE == 1;
  }

  /** How many of {@code all} cases this run tries: its share, at least one. */
  public static int share(int all) {
    return Math.max(1, all / SHARE);
  }

  /**
   * Which of {@code all} numbered cases, each of which takes long, this run tries: a fifth of them,
   * evenly spread and others with each seed; all with the whole budget.
   */
  public static IntStream some(int all) {
    int step = isWhole() ? 1 : SOME;
    return IntStream.range(0, all).filter(i -> i % step == Math.floorMod(FIRST / 1_000, step));
  }

  /**
   * The seeds to try: first {@code onceFailed}, which once found a bug, then fresh ones for this
   * run's share of {@code all} cases. No seed is there twice.
   */
  public static LongStream of(int all, long... onceFailed) {
    LongStream.Builder seeds = LongStream.builder();
    LongStream.of(onceFailed).forEach(seeds);
    LongStream.range(FIRST, FIRST + share(all)).forEach(seeds);
    return seeds.build().distinct();
  }

  /**
   * Runs the trial with each seed of {@link #of}, in order.
   *
   * @throws AssertionError if a trial fails; names its seed and has the trial's failure as its
   *     cause
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

  /**
   * An error for a test that draws many cases from {@link #first()}: says what failed ({@code
   * what}) and how to run it again, and has {@code broken} as its cause.
   */
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
