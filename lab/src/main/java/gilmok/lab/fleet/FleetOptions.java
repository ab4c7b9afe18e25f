package gilmok.lab.fleet;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a simulated fleet. */
final class FleetOptions {
  private static final int RIDERS_MAX = 200_000;
  private static final int SPEED_MAX = 100;

  @Option(
      names = "--riders",
      defaultValue = "300",
      description = "Riders (default: ${DEFAULT-VALUE}).")
  private int riders;

  @Option(
      names = "--seed",
      description = "The seed, to repeat the same fleet (default: by the clock).")
  private @Nullable Long seed;

  @Option(
      names = "--speed",
      defaultValue = "1",
      description = "How many times faster than life (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(names = "--quiet", description = "Show no progress.")
  private boolean quiet;

  boolean quiet() {
    return quiet;
  }

  /** The seed of the fleet and of its city; random, but the same at each call, if none is given. */
  long seed() {
    Long known = seed;
    if (known == null) {
      known = System.nanoTime();
      seed = known;
    }
    return known;
  }

  /** A plan that begins now. */
  Fleet.Plan plan() {
    return new Fleet.Plan(
        Math.clamp(riders, 1, RIDERS_MAX),
        seed(),
        System.currentTimeMillis(),
        Math.clamp(speed, 0.1, SPEED_MAX));
  }
}
