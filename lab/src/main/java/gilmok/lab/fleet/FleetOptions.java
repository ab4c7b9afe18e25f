package gilmok.lab.fleet;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a simulated fleet. */
final class FleetOptions {
  private static final int RIDERS_MAX = 200_000;
  private static final int SPEED_MAX = 100;

  @Option(names = "--riders", defaultValue = "300", description = "${DEFAULT-VALUE}")
  private int riders;

  @Option(names = "--seed", description = "repeats the same fleet")
  private @Nullable Long seed;

  @Option(
      names = "--speed",
      defaultValue = "1",
      description = "times faster than life: ${DEFAULT-VALUE}")
  private double speed;

  @Option(names = "--quiet", description = "no progress")
  private boolean quiet;

  boolean quiet() {
    return quiet;
  }

  /** A plan that begins now; the seed is random if none is given. */
  Fleet.Plan plan() {
    return new Fleet.Plan(
        Math.clamp(riders, 1, RIDERS_MAX),
        seed == null ? System.nanoTime() : seed,
        System.currentTimeMillis(),
        Math.clamp(speed, 0.1, SPEED_MAX));
  }
}
