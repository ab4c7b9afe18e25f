package gilmok.lab.options;

import picocli.CommandLine.Option;

/** The durations of a measurement and of the warm-up before it. */
public final class Timing {
  @Option(
      names = "--seconds",
      description = "Seconds of a measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(names = "--warmup", description = "Seconds of load before (default: ${DEFAULT-VALUE}).")
  private double warmup;

  public Timing(double seconds, double warmup) {
    this.seconds = seconds;
    this.warmup = warmup;
  }

  public double seconds() {
    return seconds;
  }

  public double warmup() {
    return warmup;
  }
}
