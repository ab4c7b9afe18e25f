package gilmok.lab.fleet;

import java.util.random.RandomGenerator;

/**
 * By how much a phone errs: an error that wanders (a first-order Gauss-Markov process, one for each
 * direction), larger among high houses and walls, and now and then a jump of a few seconds. In
 * metres. Not thread-safe.
 */
final class GpsError {
  private static final double MEMORY_SECONDS = 40;
  private static final int FIXES_BETWEEN_JUMPS = 1_500;

  private final RandomGenerator random;
  private double wanderX;
  private double wanderY;
  private double jumpX;
  private double jumpY;
  private int jumpFixes;
  private double sigma;

  GpsError(RandomGenerator random) {
    this.random = random;
    wanderX = 3 * random.nextGaussian();
    wanderY = 3 * random.nextGaussian();
  }

  /**
   * Goes on for some time.
   *
   * @param target how large the error is there usually, in metres and each direction
   */
  void advance(double seconds, double target) {
    double kept = Math.exp(-seconds / MEMORY_SECONDS);
    // What the surroundings do to the error comes and goes with them, not at once.
    sigma = sigma == 0 ? target : target + (sigma - target) * Math.exp(-seconds / 10);
    double fresh = sigma * Math.sqrt(1 - kept * kept);
    wanderX = kept * wanderX + fresh * random.nextGaussian();
    wanderY = kept * wanderY + fresh * random.nextGaussian();
    if (jumpFixes > 0) {
      jumpFixes--;
    } else if (random.nextInt(FIXES_BETWEEN_JUMPS) == 0) {
      jumpFixes = 1 + random.nextInt(3);
      double far = 40 + 90 * random.nextDouble();
      double direction = random.nextDouble(2 * Math.PI);
      jumpX = far * Math.cos(direction);
      jumpY = far * Math.sin(direction);
    }
  }

  double x() {
    return wanderX + (jumpFixes > 0 ? jumpX : 0);
  }

  double y() {
    return wanderY + (jumpFixes > 0 ? jumpY : 0);
  }

  /** Upwards, where satellites help least. */
  double z() {
    return 0.9 * (wanderX + wanderY);
  }

  /** What the phone believes, which is not always so: the radius that holds two of three fixes. */
  double accuracy() {
    double believed = 1.5 * sigma * (0.85 + 0.3 * random.nextDouble());
    return jumpFixes > 0 ? believed + 25 + 40 * random.nextDouble() : believed;
  }
}
