package gilmok.missions;

import gilmok.config.Settings;

/**
 * The limits of settling. Immutable.
 *
 * @param queueMax most pieces that wait, over all riders
 * @param writers most pieces, each a call of the store, in flight at a time
 */
public record SettlingConfig(int queueMax, int writers) {
  /** The defaults. */
  public static final SettlingConfig DEFAULTS = new SettlingConfig(10_000, 8);

  /** Reads the keys {@code missions.settle-*}. */
  public static SettlingConfig from(Settings settings) {
    return new SettlingConfig(
        settings.number("missions.settle-queue-max", DEFAULTS.queueMax, 100, 1_000_000),
        settings.number("missions.settle-writers", DEFAULTS.writers, 1, 1_000));
  }

  /**
   * Most pieces of one request in flight at a time; the rest of the writers are for other requests.
   */
  int ofOneMax() {
    return Math.max(1, writers - Math.ceilDiv(writers, 4));
  }
}
