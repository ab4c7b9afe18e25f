package gilmok.lab.fleet;

import java.util.random.RandomGenerator;

/**
 * The error of a phone's positions, in metres: a first-order Gauss-Markov process for each
 * direction, larger among high buildings and indoors, with a jump of a few seconds now and then.
 * Not thread-safe.
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
   * Advances the error by some time.
   *
   * @param target the usual error of the surroundings, in metres for each direction
   */
  void advance(double seconds, double target) {
    double kept = Math.exp(-seconds / MEMORY_SECONDS);
    // The error approaches that of new surroundings gradually, not at once.
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

  /** The vertical error, which is the largest with satellites. */
  double z() {
    return 0.9 * (wanderX + wanderY);
  }

  /**
   * The accuracy that the phone reports, which may be wrong: the radius that should contain two
   * thirds of the fixes.
   */
  double accuracy() {
    double believed = 1.5 * sigma * (0.85 + 0.3 * random.nextDouble());
    return jumpFixes > 0 ? believed + 25 + 40 * random.nextDouble() : believed;
  }
}
