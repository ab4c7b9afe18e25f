package gilmok.collect;

import gilmok.auth.Scope;
import gilmok.event.EventKind;
import gilmok.http.Exchange;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.log.Stream;
import gilmok.privacy.Consents;
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
   * @param consents of whom nothing is collected
   */
  public CollectRoutes(
      CollectConfig config,
      RecordAppender recordAppender,
      ActionRule actionRule,
      AckRule rule,
      String node,
      byte[] secret,
      CollectMeters meter,
      Consents consents) {
    this.config = config;
    this.collectors =
        ThreadLocal.withInitial(
            () -> new Collector(recordAppender, actionRule, rule, node, secret, meter, consents));
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
            new Route.Handler() {
              @Override
              public void handle(Exchange exchange) {
                collectors.get().collect(exchange, kind, stream);
              }

              @Override
              public boolean mayPassOn(Exchange exchange) {
                return collectors.get().mayPassOn(exchange, kind);
              }
            })
        .takingLines();
  }
}
