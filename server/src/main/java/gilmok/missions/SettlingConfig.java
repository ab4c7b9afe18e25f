package gilmok.missions;

import gilmok.config.Settings;

/**
 * How missions of riders who come back after long are settled.
 *
 * @param queueMax most pieces that wait, of all riders
 * @param writers how many pieces, each a call of the store, are under way at once
 */
public record SettlingConfig(int queueMax, int writers) {
  /** What is used when nothing is set. */
  public static final SettlingConfig DEFAULTS = new SettlingConfig(10_000, 8);

  /** Reads the keys {@code missions.settle-*}. */
  public static SettlingConfig from(Settings settings) {
    return new SettlingConfig(
        settings.number("missions.settle-queue-max", DEFAULTS.queueMax, 100, 1_000_000),
        settings.number("missions.settle-writers", DEFAULTS.writers, 1, 1_000));
  }

  /** How many pieces of one request may be in the store at once: some room is for the others. */
  int ofOneMax() {
    return Math.max(1, writers - Math.ceilDiv(writers, 4));
  }
}
