package gilmok.observe.machine;

import gilmok.config.Settings;

/**
 * The key {@code operate.flight-recorder}: whether Java's flight recorder measures what only it
 * can. By itself only where its files are in memory, as the JVM ends the process when their disk is
 * full.
 */
public record FlightRecorderConfig(Mode mode) {
  /** Whether it measures. */
  public enum Mode {
    /** Where there is a file system in memory with room. */
    AUTO,
    /** There, or else in the folder of temporary files. */
    TRUE,
    /** Not at all. */
    FALSE
  }

  /** It does not measure. */
  public static final FlightRecorderConfig OFF = new FlightRecorderConfig(Mode.FALSE);

  /** Reads the key. */
  public static FlightRecorderConfig from(Settings settings) {
    return new FlightRecorderConfig(settings.choice("operate.flight-recorder", Mode.AUTO));
  }
}
