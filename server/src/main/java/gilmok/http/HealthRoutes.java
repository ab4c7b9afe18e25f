package gilmok.http;

import gilmok.observe.Readiness;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The routes about the server itself: health, version, metrics. They are never refused as busy.
 * Handlers run on event loops and leave the writing of metrics to an {@link Offload}. No state.
 */
public final class HealthRoutes {
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
  private static final byte[] LIVE = "{\"live\":true}".getBytes(StandardCharsets.UTF_8);
  private static final int SCRAPES_MAX = 4;

  private HealthRoutes() {}

  /** {@code /health/live}, {@code /health/ready}, {@code /version}; they need no key. */
  public static List<Route> health(Readiness readiness, String version) {
    StringBuilder json = new StringBuilder("{");
    ProblemDetails.member(json, "name", "gilmok");
    json.append(',');
    ProblemDetails.member(json, "version", version);
    byte[] versionBytes = json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    return List.of(
        open("/health/live", exchange -> exchange.reply(200, HeaderNames.JSON_TYPE, LIVE)),
        open(
            "/health/ready",
            exchange ->
                exchange.reply(
                    readiness.ready() ? 200 : 503, HeaderNames.JSON_TYPE, json(readiness))),
        open("/version", exchange -> exchange.reply(200, HeaderNames.JSON_TYPE, versionBytes)));
  }

  private static byte[] json(Readiness readiness) {
    StringBuilder json = new StringBuilder("{\"ready\":").append(readiness.ready());
    json.append(",\"missing\":[");
    String separator = "{";
    for (Map.Entry<String, Readiness.Lack> part : readiness.missing().entrySet()) {
      json.append(separator);
      ProblemDetails.member(json, "name", part.getKey());
      json.append(',');
      ProblemDetails.member(json, "reason", part.getValue().reason());
      json.append(",\"optional\":").append(part.getValue().isOptional()).append('}');
      separator = ",{";
    }
    json.append(']');
    String warmUp = readiness.warmUp();
    if (warmUp != null) {
      json.append(',');
      ProblemDetails.member(json, "warmUp", warmUp);
    }
    return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The offload that writes metrics, for a few requests at once. */
  public static Offload scrapes(Offloads offloads) {
    return offloads.of(new Offload.Part("scrapes", "metrics cannot be shown", SCRAPES_MAX, null));
  }

  /** {@code /metrics} for a key that may read and is not bound. */
  public static Route metrics(Supplier<byte[]> prometheus, Offload scrapes) {
    return Route.read(
        "/metrics", OwnershipRule.UNBOUND_ONLY, Priority.ALWAYS, scraping(prometheus, scrapes));
  }

  /** {@code /metrics} without a key, for a port of its own. */
  public static Route openMetrics(Supplier<byte[]> prometheus, Offload scrapes) {
    return open("/metrics", scraping(prometheus, scrapes));
  }

  private static Route open(String path, Route.Handler handler) {
    return Route.open("GET", path, Priority.ALWAYS, 0, handler);
  }

  private static Route.Handler scraping(Supplier<byte[]> prometheus, Offload scrapes) {
    return exchange ->
        scrapes.ask(
            exchange,
            () -> {
              byte[] text = prometheus.get();
              return answering -> answering.reply(200, PROMETHEUS, text);
            });
  }
}
