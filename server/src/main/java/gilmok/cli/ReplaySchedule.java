package gilmok.cli;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * When each record of a paced replay is due on the watch, and how far the replay has come: not in
 * what was read, which is ahead, but in the pace.
 *
 * <p>{@link #start}, {@link #due} and {@link #passed} belong to the reading thread; {@link #text}
 * may be called from any thread.
 */
final class ReplaySchedule {
  /** The length of a recording that cannot be read twice. */
  static final long UNKNOWN_LENGTH = -1;

  private final ReplayPace pace;
  private final Watch watch;
  private final long lengthNanos;
  private volatile long startNanos;
  private volatile long dueNanos;
  private volatile long passedMillis = ReplayPace.UNKNOWN;
  private volatile boolean started;

  /**
   * A replay that has not begun.
   *
   * @param lengthNanos from the first record to the last, or {@link #UNKNOWN_LENGTH}
   */
  ReplaySchedule(ReplayPace pace, long lengthNanos, Watch watch) {
    this.pace = pace;
    this.lengthNanos = lengthNanos;
    this.watch = watch;
  }

  /**
   * How long a recording takes at a pace, in nanoseconds: up to its end, or to where it cannot be
   * understood, which the replay itself will say.
   */
  static long lengthNanos(RecordingSource source, ReplayPace pace, BooleanSupplier isOver)
      throws IOException {
    long length = 0;
    try {
      for (RecordingEntry entry = source.next();
          entry != null && !isOver.getAsBoolean();
          entry = source.next()) {
        length = pace.next(entry.atMillis());
      }
    } catch (CommandFailure broken) {
      return length;
    }
    return length;
  }

  void start() {
    startNanos = watch.nanos();
    started = true;
  }

  /** When the next record is due, on the watch. */
  long due(long atMillis) {
    dueNanos = pace.next(atMillis);
    return startNanos + dueNanos;
  }

  /** Notes that the last record that was due is on its way. */
  void passed(long atMillis) {
    if (atMillis != ReplayPace.UNKNOWN) {
      passedMillis = atMillis;
    }
  }

  /**
   * How far the replay is, for a progress display: the share of its length and the time left, or
   * else the recorded time that it has come to. Empty at first.
   */
  String text() {
    if (!started) {
      return "";
    }
    if (lengthNanos > 0) {
      // Records are read before they are due; a server that is slow holds them up after that.
      long reached = Math.clamp(watch.nanos() - startNanos, 0, dueNanos);
      long left = Math.max(0, lengthNanos - reached);
      return String.format(
          Locale.ROOT,
          "%d %%, %s left",
          Math.min(100, 100 * (reached / 1_000_000) / Math.max(1, lengthNanos / 1_000_000)),
          span(left));
    }
    return passedMillis == ReplayPace.UNKNOWN
        ? ""
        : "at " + Instant.ofEpochMilli(passedMillis).truncatedTo(ChronoUnit.SECONDS);
  }

  /** A span as a person says it: {@code 42 s}, {@code 3 min 05 s}, {@code 2 h 10 min}. */
  static String span(long nanos) {
    Duration span = Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(nanos + 999_999_999));
    if (span.toMinutes() == 0) {
      return span.toSeconds() + " s";
    }
    return span.toHours() == 0
        ? "%d min %02d s".formatted(span.toMinutes(), span.toSecondsPart())
        : "%d h %02d min".formatted(span.toHours(), span.toMinutesPart());
  }
}
