package gilmok.http;

import gilmok.auth.Scope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the API: method and path, who may call it, its priority, and its handler. Immutable.
 *
 * @param method GET, POST, PUT or DELETE
 * @param path as in {@code /v1/riders/{id}/position}; it is also the route's name in metrics
 * @param scope what a key must have; null with {@link OwnershipRule#OPEN} and for what goes
 *     elsewhere
 * @param bodyBytesMax the largest body, decompressed; 0 for a route that takes none but an empty
 *     object
 * @param bodyType what the body may be
 * @param queryParameters what the query may have below {@code /v1}; anything else is refused there,
 *     as a filter that is misspelt would be ignored. One with a star may be given more than once
 */
public record Route(
    String method,
    String path,
    @Nullable Scope scope,
    OwnershipRule ownershipRule,
    Priority priority,
    int bodyBytesMax,
    BodyType bodyType,
    Set<String> queryParameters,
    Handler handler) {
  public Route {
    queryParameters = Set.copyOf(queryParameters);
  }

  /** In place of a path: all that no other route has. */
  static final String ELSEWHERE = "/*";

  /** The length of an empty JSON object. */
  private static final int NO_BODY_BYTES = 2;

  /** A route whose body is JSON, or what phones send. */
  public Route(
      String method,
      String path,
      @Nullable Scope scope,
      OwnershipRule ownershipRule,
      Priority priority,
      int bodyBytesMax,
      Handler handler) {
    this(
        method,
        path,
        scope,
        ownershipRule,
        priority,
        bodyBytesMax,
        ownershipRule == OwnershipRule.PHONE ? BodyType.ANY : BodyType.JSON,
        Set.of(),
        handler);
  }

  /** The same route, which takes one JSON document a line too. */
  public Route takingLines() {
    return with(BodyType.JSON_LINES, queryParameters);
  }

  /**
   * The route of what phones send and this server does not take: unknown paths, and requests of
   * phones without a good key. It is told why ({@link Exchange#refused}). There is at most one.
   */
  public static Route elsewhere(int bodyBytesMax, Handler handler) {
    return new Route(
        "POST", ELSEWHERE, null, OwnershipRule.PHONE, Priority.TRACES, bodyBytesMax, handler);
  }

  /** The same route, whose requests another handler gets. */
  public Route handledBy(Handler other) {
    return new Route(
        method,
        path,
        scope,
        ownershipRule,
        priority,
        bodyBytesMax,
        bodyType,
        queryParameters,
        other);
  }

  /** The same route, whose query may have these parameters. */
  public Route queriedBy(String... parameters) {
    return with(bodyType, Set.of(parameters));
  }

  private Route with(BodyType body, Set<String> parameters) {
    return new Route(
        method, path, scope, ownershipRule, priority, bodyBytesMax, body, parameters, handler);
  }

  /** Whether its query is checked: phones and browsers add what they like to their URLs. */
  boolean isQueryChecked() {
    return path.startsWith("/v1/") && ownershipRule != OwnershipRule.PHONE;
  }

  /** Whether a parameter {@code key} of the query is the id of a key, and no key. */
  boolean isFilteredByKey() {
    return queryParameters.contains("key");
  }

  /** Whether it takes no body. One that says nothing is ignored: generated clients send one. */
  boolean isWithoutBody() {
    return bodyBytesMax == 0;
  }

  /** The most bytes of a body that are read. */
  int readBytesMax() {
    return isWithoutBody() && !mayBeCut() ? NO_BODY_BYTES : bodyBytesMax;
  }

  /**
   * Whether a body that is too long is cut: its sender would repeat it for ever if it were refused.
   */
  boolean mayBeCut() {
    return ownershipRule == OwnershipRule.PHONE;
  }

  /** A route that reads: {@code GET}, for keys that may read, without a body. */
  public static Route read(
      String path, OwnershipRule ownershipRule, Priority priority, Handler handler) {
    return new Route("GET", path, Scope.READ, ownershipRule, priority, 0, handler);
  }

  /** A route for the fleet's operators: for keys that may operate and are not bound. */
  public static Route operate(
      String method, String path, Priority priority, int bodyBytesMax, Handler handler) {
    OwnershipRule unbound = OwnershipRule.UNBOUND_ONLY;
    return new Route(method, path, Scope.OPERATE, unbound, priority, bodyBytesMax, handler);
  }

  /** An open route, without a key. */
  public static Route open(
      String method, String path, Priority priority, int bodyBytesMax, Handler handler) {
    return new Route(method, path, null, OwnershipRule.OPEN, priority, bodyBytesMax, handler);
  }

  /** Answers requests. Called on an event loop: it must not block. */
  @FunctionalInterface
  public interface Handler {
    /** Answers now, or keeps the exchange and answers later, once, from any thread. */
    void handle(Exchange exchange);

    /**
     * Whether all that a request brings may be passed on to another server, too. Asked before it is
     * handled, where there is one.
     */
    default boolean mayPassOn(Exchange exchange) {
      return true;
    }
  }
}
