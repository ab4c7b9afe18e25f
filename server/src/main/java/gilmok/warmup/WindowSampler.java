package gilmok.warmup;

import gilmok.observe.CpuThrottling;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Divides a warm-up into windows. For each it measures the responses, the compiler's time and the
 * container's throttling. Not thread-safe.
 */
final class WindowSampler {
  private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
  private final CpuThrottling throttling = CpuThrottling.ofThisContainer();
  private final long began = System.nanoTime();
  private long last = began;
  private long answers;
  private long nanos;
  private long compiled = compiledMillis();
  private long throttled = throttledMicros();

  /**
   * Ends the current window.
   *
   * @param allAnswers how many responses there were since the beginning
   * @param allNanos the sum of their durations
   */
  WarmUpWindow window(WarmUpWindow.Phase phase, long allAnswers, long allNanos) {
    long now = System.nanoTime();
    long requests = allAnswers - answers;
    long took = allNanos - nanos;
    long compiledNow = compiledMillis();
    long throttledNow = throttledMicros();
    WarmUpWindow window =
        new WarmUpWindow(
            phase,
            Duration.ofNanos(now - began),
            requests,
            (double) requests * 1e9 / (double) Math.max(1, now - last),
            (double) took / 1e3 / (double) Math.max(1, requests),
            compiledNow - compiled,
            (throttledNow - throttled) / 1e3);
    last = now;
    answers = allAnswers;
    nanos = allNanos;
    compiled = compiledNow;
    throttled = throttledNow;
    return window;
  }

  /** When the window that begins now ends, in nanoseconds of {@link System#nanoTime}. */
  long end(Duration length) {
    return last + length.toNanos();
  }

  private long compiledMillis() {
    CompilationMXBean bean = compiler;
    return bean == null || !bean.isCompilationTimeMonitoringSupported()
        ? 0
        : bean.getTotalCompilationTime();
  }

  private long throttledMicros() {
    return Math.max(0, throttling.throttledMicros());
  }
}
