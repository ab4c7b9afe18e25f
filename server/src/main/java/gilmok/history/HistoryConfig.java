package gilmok.history;

import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;

/**
 * Settings of questions about the past. Immutable.
 *
 * @param concurrency how many threads, of low priority, answer them
 * @param waiting how many more questions than that may be open
 * @param timeout how long the server may work at one, without the time that its reader takes
 * @param spanMax the longest time that one may ask for
 * @param lateMax how long after it happened a record may have come to be in an answer
 * @param zone whose days a date names
 */
public record HistoryConfig(
    int concurrency,
    int waiting,
    Duration timeout,
    Duration spanMax,
    Duration lateMax,
    ZoneId zone) {
  /** A page is far from the timeout, as it can end only here and there. */
  private static final int PAGES = 10;

  /** Reads the keys {@code history.*} and {@code fleet.zone}. */
  public static HistoryConfig from(Settings settings) {
    return new HistoryConfig(
        settings.number("history.concurrency", 2, 1, 64),
        settings.number("history.waiting", 8, 0, 1000),
        settings.duration(
            "history.timeout", "30 s", Duration.ofMillis(100), Duration.ofMinutes(10)),
        settings.duration("history.span-max", "32 d", Duration.ofMinutes(1), Duration.ofDays(366)),
        settings.duration("history.late-max", "7 d", Duration.ZERO, Duration.ofDays(366)),
        settings.zone("fleet.zone", "Asia/Seoul"));
  }

  /** How long a page is worked at: it ends then, however little it has. */
  Duration pageTime() {
    return timeout.dividedBy(PAGES);
  }

  /** How many questions are open at once at most. */
  int openMax() {
    return concurrency + waiting;
  }
}
