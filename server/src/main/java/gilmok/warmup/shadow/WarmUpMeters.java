package gilmok.warmup.shadow;

import gilmok.observe.Meters;
import gilmok.warmup.WarmUpReport;
import java.util.Locale;
import java.util.function.Supplier;

/** The metrics of the warm-up. Stateless. */
public final class WarmUpMeters {
  private WarmUpMeters() {}

  public static void watch(Meters meters, Supplier<WarmUpReport> report) {
    for (WarmUpReport.Verdict verdict : WarmUpReport.Verdict.values()) {
      meters.gauge(
          "gilmok_warmup_verdict",
          "1 for the warm-up's present verdict.",
          () -> report.get().verdict() == verdict ? 1 : 0,
          "verdict",
          verdict.name().toLowerCase(Locale.ROOT));
    }
    meters.gauge(
        "gilmok_warmup_seconds",
        "How long the warm-up has taken.",
        () -> report.get().took().toMillis() / 1e3);
    meters.counter(
        "gilmok_warmup_requests_total",
        "Requests that the warm-up sent; no other metric counts them.",
        () -> report.get().requests());
    meters.gauge(
        "gilmok_warmup_rate",
        "Requests a second in the warm-up's last window.",
        () -> report.get().rate());
    meters.counter(
        "gilmok_warmup_compiler_seconds_total",
        "How long the JIT compiler's threads worked during the warm-up.",
        () -> report.get().compilerMillis() / 1e3);
    meters.counter(
        "gilmok_warmup_throttled_seconds_total",
        "How long the container's processor limit stopped the process during the" + " warm-up.",
        () -> report.get().throttledMillis() / 1e3);
    meters.gauge(
        "gilmok_warmup_surprises",
        "Requests of the warm-up that were not answered as expected, each once.",
        () -> report.get().surprises().size());
  }
}
