package gilmok.warmup.shadow;

import gilmok.auth.Scope;
import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.warmup.WarmUpReport;
import gilmok.warmup.WarmUpWindow;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** {@code GET /v1/warmup}: how this process became fast. */
public final class WarmUpRoutes {
  private final Supplier<WarmUpReport> warmedUp;

  public WarmUpRoutes(Supplier<WarmUpReport> warmedUp) {
    this.warmedUp = warmedUp;
  }

  public Route route() {
    return new Route(
        "GET",
        "/v1/warmup",
        Scope.READ,
        OwnershipRule.UNBOUND_ONLY,
        Priority.ALWAYS,
        0,
        this::show);
  }

  private void show(Exchange exchange) {
    JsonBuffer out = new JsonBuffer();
    write(warmedUp.get(), out);
    exchange.reply(200, "application/json", Arrays.copyOf(out.bytes(), out.size()));
  }

  private static void write(WarmUpReport report, JsonBuffer out) {
    out.ascii("{\"verdict\":").string(report.verdict().name().toLowerCase(Locale.ROOT));
    out.ascii(",\"millis\":").number(report.took().toMillis());
    out.ascii(",\"requests\":").number(report.requests());
    out.ascii(",\"rate\":").number(Math.round(report.rate()));
    out.ascii(",\"compilerMillis\":").number(Math.round(report.compilerMillis()));
    out.ascii(",\"throttledMillis\":").number(Math.round(report.throttledMillis()));
    out.ascii(",\"windows\":[");
    String separator = "";
    for (WarmUpWindow window : report.curve()) {
      out.ascii(separator).ascii("{\"phase\":");
      out.string(window.phase().name().toLowerCase(Locale.ROOT));
      out.ascii(",\"atMillis\":").number(window.at().toMillis());
      out.ascii(",\"requests\":").number(window.requests());
      out.ascii(",\"rate\":").number(Math.round(window.rate()));
      out.ascii(",\"micros\":").number(Math.round(window.micros()));
      out.ascii(",\"compilerMillis\":").number(Math.round(window.compilerMillis()));
      out.ascii(",\"throttledMillis\":").number(Math.round(window.throttledMillis())).put('}');
      separator = ",";
    }
    out.ascii("],\"surprises\":[");
    for (int i = 0; i < report.surprises().size(); i++) {
      out.ascii(i == 0 ? "" : ",").string(report.surprises().get(i));
    }
    out.ascii("]}");
  }
}
