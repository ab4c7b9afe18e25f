package gilmok.observe.machine;

import gilmok.config.Settings;

/**
 * The key {@code operate.flight-recorder}: whether Java's flight recorder measures what only it
 * can. It is off unless asked for, as the JVM ends the process when the recorder's disk is full.
 */
public record FlightRecorderConfig(boolean isOn) {
  /** Reads the key. */
  public static FlightRecorderConfig from(Settings settings) {
    return new FlightRecorderConfig(settings.flag("operate.flight-recorder", false));
  }
}
