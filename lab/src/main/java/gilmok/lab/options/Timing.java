package gilmok.lab.options;

import picocli.CommandLine.Option;

/** The durations of a measurement and of the warm-up before it. */
public final class Timing {
  @Option(names = "--seconds", description = "a measurement: ${DEFAULT-VALUE}")
  private double seconds;

  @Option(names = "--warmup", description = "seconds of load before: ${DEFAULT-VALUE}")
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
