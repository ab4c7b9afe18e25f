package gilmok.runsheet.plan;

/** Random numbers from a seed, the same on every machine: xorshift64* (S. Vigna, 2016). */
final class Dice {
  private static final long MULTIPLIER = 0x2545F4914F6CDD1DL;
  private static final long NEVER_ZERO = 0x9E3779B97F4A7C15L;

  private long state;

  Dice(long seed) {
    state = (seed ^ NEVER_ZERO) == 0 ? NEVER_ZERO : seed ^ NEVER_ZERO;
    next();
    next();
  }

  private long next() {
    state ^= state >>> 12;
    state ^= state << 25;
    state ^= state >>> 27;
    return state * MULTIPLIER;
  }

  /** A number from 0 to {@code bound} - 1. */
  int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /** A number from 0 inclusive to 1 exclusive. */
  double share() {
    return (next() >>> 11) * 0x1p-53;
  }
}
