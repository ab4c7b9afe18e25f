package gilmok.documents;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Limits and times of the SQLite database. Immutable.
 *
 * @param queueMax most writes that wait for the next commit; more are refused
 * @param readers the number of read connections
 * @param timeout how long a write may take to be durable, and how long a read may wait for its turn
 * @param commitInterval how far apart commits begin while several writes come within one
 */
public record SqliteConfig(int queueMax, int readers, Duration timeout, Duration commitInterval) {
  /** The defaults. */
  public static final SqliteConfig DEFAULTS =
      new SqliteConfig(10_000, 4, Duration.ofSeconds(5), Duration.ofMillis(2));

  /** Reads the keys {@code documents.*}. */
  public static SqliteConfig from(Settings settings) {
    return new SqliteConfig(
        settings.number("documents.queue-max", DEFAULTS.queueMax, 1, 1_000_000),
        settings.number("documents.readers", DEFAULTS.readers, 1, 64),
        settings.duration("documents.timeout", "5 s", Duration.ofMillis(10), Duration.ofMinutes(1)),
        settings.duration(
            "documents.commit-interval", "2 ms", Duration.ZERO, Duration.ofMillis(100)));
  }
}
