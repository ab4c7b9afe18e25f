package gilmok.ops;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which requests the page counts: those of clients. Health, metrics and the page itself are not
 * theirs, and a stream's duration says how long somebody watched. Stateless.
 */
final class ClientTraffic {
  static final String METRIC = "gilmok_http_request_seconds";

  private static final List<String> NOT_THEIRS =
      List.of("/health/", "/metrics", "/version", "/ops", "/v1/ops", "/v1/stream/");

  private ClientTraffic() {}

  static boolean counts(Labels labels) {
    String route = labels.get("route");
    return route != null && isOf(route);
  }

  /** Whether clients ask that route. */
  static boolean isOf(String route) {
    return NOT_THEIRS.stream().noneMatch(route::startsWith);
  }

  /** Whether it was answered by a fault of the server. */
  static boolean isFault(Labels labels) {
    String status = status(labels);
    return status.startsWith("5") && !status.equals("503");
  }

  static boolean isUnavailable(Labels labels) {
    return status(labels).equals("503");
  }

  /** Whether it was refused for what its caller did. */
  static boolean isCallersFault(Labels labels) {
    return status(labels).startsWith("4");
  }

  private static String status(Labels labels) {
    @Nullable String status = labels.get("status");
    return status == null ? "" : status;
  }
}
