package gilmok.doctor;

import java.time.Duration;

/** How far the clock of another machine is from this one's. No state. */
public final class ClockOffset {
  private static final Duration MOST = Duration.ofSeconds(1);
  private static final double MILLIS = 1e3;

  private ClockOffset() {}

  /**
   * Whether that is near enough: within a second, as far as it can be told.
   *
   * @param ahead how far the other is ahead; negative when it is behind
   * @param within how much of that may be the way there and back
   * @param why what depends on it
   */
  public static Check check(Duration ahead, Duration within, String why) {
    double seconds = ahead.toMillis() / MILLIS;
    return Check.of(
        "clock",
        "%.1f s %s this machine's"
            .formatted(Math.abs(seconds), seconds < 0 ? "behind" : "ahead of"),
        ahead.abs().compareTo(MOST.plus(within)) <= 0,
        "keep both machines' clocks by chrony or systemd-timesyncd: " + why);
  }
}
