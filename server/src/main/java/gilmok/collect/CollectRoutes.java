package gilmok.collect;

import gilmok.auth.Scope;
import gilmok.event.EventKind;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.log.Stream;
import gilmok.warmup.Warmable;
import java.util.List;

/**
 * The routes {@code POST /v1/traces}, {@code /v1/actions}, {@code /v1/logs}: they read a body into
 * the log and answer once it is durable. Handlers run on event loops, each of which has a {@link
 * Collector} of its own.
 */
public final class CollectRoutes implements Warmable {
  private final CollectConfig config;
  private final ThreadLocal<Collector> collectors;

  /**
   * Routes that append to the log.
   *
   * @param actionRule which actions which keys may send
   * @param rule who acknowledges
   * @param node the node named in receipts
   * @param secret the 16 bytes that key the deduplication hash
   */
  public CollectRoutes(
      CollectConfig config,
      RecordAppender recordAppender,
      ActionRule actionRule,
      AckRule rule,
      String node,
      byte[] secret,
      CollectMeters meter) {
    this.config = config;
    this.collectors =
        ThreadLocal.withInitial(
            () -> new Collector(recordAppender, actionRule, rule, node, secret, meter));
  }

  /** The routes. */
  public List<Route> routes() {
    return List.of(
        route("/v1/traces", Priority.TRACES, EventKind.POSITION, Stream.TRACES),
        route("/v1/actions", Priority.ACTIONS, EventKind.ACTION, Stream.ACTIONS),
        route("/v1/logs", Priority.READS, EventKind.LOG_LINE, Stream.LOGS));
  }

  @Override
  public String name() {
    return "collect";
  }

  private Route route(String path, Priority priority, EventKind kind, Stream stream) {
    return new Route(
            "POST",
            path,
            Scope.COLLECT,
            OwnershipRule.IN_BODY,
            priority,
            config.bodyBytesMax(),
            exchange -> collectors.get().collect(exchange, kind, stream))
        .takingLines();
  }
}
