package gilmok.warmup.shadow;

import gilmok.event.JsonBuffer;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.warmup.WarmUpReport;
import gilmok.warmup.WarmUpWindow;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * {@code GET /v1/warmup}: the report of this process' warm-up. Stateless; the handler runs on event
 * loops.
 */
public final class WarmUpRoutes {
  private WarmUpRoutes() {}

  public static Route of(Supplier<WarmUpReport> warmedUp) {
    return Route.read(
        "/v1/warmup",
        OwnershipRule.UNBOUND_ONLY,
        Priority.ALWAYS,
        exchange -> {
          JsonBuffer out = new JsonBuffer();
          write(warmedUp.get(), out);
          exchange.reply(200, "application/json", out.copy());
        });
  }

  private static void write(WarmUpReport report, JsonBuffer out) {
    out.ascii("{\"verdict\":").string(report.verdict().name().toLowerCase(Locale.ROOT));
    out.ascii(",\"millis\":").number(report.took().toMillis());
    out.ascii(",\"requests\":").number(report.requests());
    out.ascii(",\"rate\":").number(Math.round(report.rate()));
    out.ascii(",\"compilerMillis\":").number(Math.round(report.compilerMillis()));
    out.ascii(",\"throttledMillis\":").number(Math.round(report.throttledMillis()));
    out.ascii(",\"windows\":").list(report.curve(), WarmUpRoutes::write);
    out.ascii(",\"surprises\":").strings(report.surprises()).put('}');
  }

  private static void write(WarmUpWindow window, JsonBuffer out) {
    out.ascii("{\"phase\":").string(window.phase().name().toLowerCase(Locale.ROOT));
    out.ascii(",\"atMillis\":").number(window.at().toMillis());
    out.ascii(",\"requests\":").number(window.requests());
    out.ascii(",\"rate\":").number(Math.round(window.rate()));
    out.ascii(",\"micros\":").number(Math.round(window.micros()));
    out.ascii(",\"compilerMillis\":").number(Math.round(window.compilerMillis()));
    out.ascii(",\"throttledMillis\":").number(Math.round(window.throttledMillis())).put('}');
  }
}
