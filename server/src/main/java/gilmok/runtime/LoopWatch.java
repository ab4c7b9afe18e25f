package gilmok.runtime;

import gilmok.background.BackgroundLoop;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.observe.Readiness.Lack;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows each background loop in the metrics. {@link Readiness} names a loop that fails for longer
 * than a moment, or has a pass that hangs. If the loop is needed, and does not fail only in part,
 * the server is then not ready. The server is also not ready when the thread of any loop has ended,
 * as none ends by itself. Thread-safe.
 *
 * @param hungAfter the time after which a pass counts as hanging
 */
public record LoopWatch(Meters meters, Readiness readiness, Duration hungAfter)
    implements Consumer<BackgroundLoop> {
  /** A shorter failure does not matter to a load balancer. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /**
   * Uses a time that no pass exceeds: each is bounded by a number of records, or by the time-outs
   * of its calls.
   */
  public LoopWatch(Meters meters, Readiness readiness) {
    this(meters, readiness, Duration.ofSeconds(60));
  }

  @Override
  public void accept(BackgroundLoop loop) {
    String name = loop.name();
    meters.gauge(
        "gilmok_loop_up",
        "1 while a background loop does all its work.",
        () -> loop.isUp() ? 1 : 0,
        "loop",
        name);
    meters.gauge(
        "gilmok_loop_age_seconds",
        "Time since a background loop's last successful pass, but for sleep until the next is due.",
        loop::ageSeconds,
        "loop",
        name);
    meters.counter(
        "gilmok_loop_failures_total",
        "Passes of a background loop that failed and were retried.",
        loop::failures,
        "loop",
        name);
    meters.counter(
        "gilmok_loop_skipped_items_total",
        "Items that a background loop skipped, as they cannot be processed.",
        loop::skippedItems,
        "loop",
        name);
    readiness.condition("loop-" + name, () -> lack(loop));
  }

  private @Nullable Lack lack(BackgroundLoop loop) {
    if (loop.hasEnded()) {
      return new Lack(loop.what() + ": its thread has ended", false);
    }
    double seconds = loop.passSeconds();
    if (seconds > hungAfter.toNanos() / 1e9) {
      String hangs = ": a pass has not come to its end for " + (long) seconds + " s";
      return new Lack(loop.what() + hangs, !loop.isNeeded());
    }
    BackgroundLoop.Failure failure = loop.failure();
    if (failure == null || System.nanoTime() - failure.sinceNanos() < PATIENCE.toNanos()) {
      return null;
    }
    boolean isOptional = failure.isPartial() || !loop.isNeeded();
    return new Lack(loop.what() + ": " + failure.reason(), isOptional);
  }
}
