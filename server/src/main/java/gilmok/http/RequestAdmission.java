package gilmok.http;

import gilmok.auth.AuthResult;
import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a request as soon as its head is there, before any of its body is read: route, key,
 * rate, room, length, coding. Shared by all event loops; thread-safe.
 */
final class RequestAdmission {
  private static final Logger LOG = System.getLogger(RequestAdmission.class.getName());

  final AdmissionLimit admissionLimit;
  final ConnectionTimeouts timeouts;
  final RequestMeter meter;
  final Cors cors;
  final CompressionPolicy compression;
  private final Router router;
  private final Authenticator authenticator;
  private final Set<String> bugs = ConcurrentHashMap.newKeySet();
  private volatile boolean leaving;
  private volatile boolean stopping;
  private volatile boolean warming;

  RequestAdmission(
      Router router,
      Authenticator authenticator,
      AdmissionLimit admissionLimit,
      ConnectionTimeouts timeouts,
      Cors cors,
      CompressionPolicy compression,
      RequestMeter meter) {
    this.router = router;
    this.authenticator = authenticator;
    this.admissionLimit = admissionLimit;
    this.timeouts = timeouts;
    this.cors = cors;
    this.compression = compression;
    this.meter = meter;
  }

  /** From now on each answer is the last of its connection; nothing is refused for it. */
  void leave() {
    leaving = true;
  }

  /** From now on new requests are refused. */
  void stop() {
    leaving = true;
    stopping = true;
  }

  /** Until it is ended, new requests are refused: they would be answered slowly. */
  void warm(boolean isCold) {
    warming = isCold;
  }

  boolean isLeaving() {
    return leaving;
  }

  /**
   * A head is complete. What comes behind the last answer of a connection is not read: its sender
   * was told so, and whoever wrote it may not be who has sent what was answered (RFC 9112, 9.6 and
   * 11.2).
   */
  void receive(HttpServerRequest request) {
    ConnectionGuard guard = guard(request);
    if (guard.isEnding()) {
      return;
    }
    HttpExchange exchange = new HttpExchange(this, guard, request);
    try {
      receive(exchange, request);
    } catch (Throwable bug) {
      exchange.failed(bug);
    }
  }

  private void receive(HttpExchange exchange, HttpServerRequest request) {
    if (request.method().equals(HttpMethod.OPTIONS) && cors.preflight(router, exchange)) {
      return;
    }
    Refusal refusal = judge(exchange, request.headers());
    if (refusal != null) {
      refuse(exchange, refusal);
    } else if (exchange.head().isContinueExpected()) {
      request.response().writeContinue();
    }
  }

  /** Says what is wrong as exactly as the head and its route tell. */
  static void refuse(HttpExchange exchange, Refusal refusal) {
    Route route = exchange.route;
    if (refusal == Refusal.MALFORMED) {
      exchange.refuseAndClose(refusal);
    } else if (refusal == Refusal.MEDIA_TYPE) {
      exchange.refuse(refusal, "Content-Encoding", "send gzip, zstd or none");
    } else if (refusal == Refusal.TOO_LARGE && route != null) {
      exchange.refuseAsTooLarge(route);
    } else if (refusal == Refusal.TOO_FAST && exchange.isShareFull()) {
      exchange.refuse(refusal, "body", "too many of this caller's bodies are on their way");
    } else if (refusal == Refusal.SCOPE_MISSING && route != null && route.scope() != null) {
      exchange.refuse(refusal, "key", "lacks the scope " + route.scope().label());
    } else {
      exchange.refuse(refusal);
    }
  }

  /** What should have been a head is none; the framework closes the connection after the answer. */
  void receiveMalformed(HttpServerRequest request) {
    ConnectionGuard guard = guard(request);
    if (guard.isEnding()) {
      return;
    }
    Throwable cause = request.decoderResult().cause();
    Refusal refusal = Refusal.MALFORMED;
    if (cause instanceof TooLongHttpLineException) {
      refusal = Refusal.PATH_TOO_LONG;
    } else if (cause instanceof TooLongHttpHeaderException) {
      refusal = Refusal.HEAD_TOO_LARGE;
    }
    new HttpExchange(this, guard, request).refuseAndClose(refusal);
  }

  /** Something of ours threw. Said once for each kind: a client could repeat it without end. */
  void bug(@Nullable Route route, Throwable bug) {
    String where = route == null ? "no route" : route.method() + " " + route.path();
    if (bugs.size() < 100 && bugs.add(where + ' ' + bug.getClass().getName())) {
      LOG.log(Level.ERROR, "bug in " + where, bug);
    }
  }

  private static ConnectionGuard guard(HttpServerRequest request) {
    ConnectionBase connection = (ConnectionBase) request.connection();
    return (ConnectionGuard) connection.channel().pipeline().first();
  }

  private @Nullable Refusal judge(HttpExchange exchange, MultiMap headers) {
    Router.Paths paths = router.find(exchange.head());
    if (paths == null) {
      return warming ? Refusal.WARMING : Refusal.NOT_FOUND;
    }
    Route route = paths.route(exchange.head().request.method());
    exchange.matched(paths, route);
    if (route == null) {
      return Refusal.METHOD_NOT_ALLOWED;
    }
    if (stopping && route.priority() != Priority.ALWAYS) {
      return Refusal.STOPPING;
    }
    if (warming && route.priority() != Priority.ALWAYS) {
      return Refusal.WARMING;
    }
    if (route.ownershipRule() != OwnershipRule.OPEN) {
      Refusal refusal = identify(exchange, route, headers);
      if (refusal != null) {
        return refusal;
      }
    }
    return measure(exchange, route, headers);
  }

  private @Nullable Refusal identify(HttpExchange exchange, Route route, MultiMap headers) {
    RequestHead head = exchange.head();
    String apiKey = headers.get(HeaderNames.API_KEY);
    String authorization = apiKey == null ? headers.get(HeaderNames.AUTHORIZATION) : null;
    if (apiKey != null || authorization != null) {
      return judge(exchange, route, authenticator.check(apiKey, authorization, null, null));
    }
    String parameter = head.query("key");
    if (parameter == null && route.ownershipRule() == OwnershipRule.PHONE && head.isForm()) {
      exchange.awaitKey();
      return null;
    }
    // A link that somebody follows in a browser is no phone.
    boolean isPage = parameter == null && route.ownershipRule() != OwnershipRule.PHONE;
    String session = isPage ? head.session() : null;
    return judge(exchange, route, authenticator.check(null, null, parameter, session));
  }

  /** The key was to be in the form, which is here now; null when it is good. */
  @Nullable Refusal identify(HttpExchange exchange, Route route) {
    String form =
        new String(
            exchange.bodyBytes(),
            exchange.bodyOffset(),
            exchange.bodyLength(),
            StandardCharsets.UTF_8);
    String key = PercentEncoding.parameter(form, "key");
    return judge(exchange, route, authenticator.check(null, null, key, null));
  }

  private static @Nullable Refusal judge(HttpExchange exchange, Route route, AuthResult result) {
    // Not a switch over both: a switch on types is linked at run time and costs a tenth of the
    // edge.
    if (result instanceof Denial denial) {
      return switch (denial) {
        case MISSING -> Refusal.KEY_MISSING;
        case UNKNOWN -> Refusal.KEY_UNKNOWN;
        case NOT_SEEN -> Refusal.BUSY;
        case EXPIRED -> Refusal.KEY_EXPIRED;
        case TOO_FAST -> Refusal.TOO_FAST;
      };
    }
    Principal principal = (Principal) result;
    exchange.asker(principal);
    if (route.scope() != null && !principal.has(route.scope())) {
      return Refusal.SCOPE_MISSING;
    }
    return isTheirs(exchange, route, principal) ? null : Refusal.NOT_YOURS;
  }

  private static boolean isTheirs(HttpExchange exchange, Route route, Principal principal) {
    if (principal.binding() == null) {
      return true;
    }
    return switch (route.ownershipRule()) {
      case UNBOUND_ONLY -> false;
      case RIDER_IN_PATH -> principal.mayActFor(Binding.Kind.RIDER, exchange.pathParameter("id"));
      case OPEN, IN_BODY, IN_QUERY, BY_ID, PHONE -> true;
    };
  }

  /** Whether its sender would send the same again for ever if it were refused. */
  static boolean mayBeCut(Route route) {
    return route.ownershipRule() == OwnershipRule.PHONE;
  }

  private @Nullable Refusal measure(HttpExchange exchange, Route route, MultiMap headers) {
    RequestHead head = exchange.head();
    long declared = head.declared;
    if (declared == RequestHead.BAD_LENGTH || head.isAmbiguous()) {
      return Refusal.MALFORMED;
    }
    long wanted = Math.max(0, Math.min(declared, exchange.bodyBytesMax(route)));
    if (!admissionLimit.has(route.priority(), wanted)) {
      return Refusal.BUSY; // before it is sent
    }
    if (declared > route.bodyBytesMax() && !mayBeCut(route)) {
      return Refusal.TOO_LARGE;
    }
    if (declared == 0) {
      return null;
    }
    ContentCoding coding = ContentCoding.of(headers.get(HeaderNames.CONTENT_ENCODING));
    if (coding == null) {
      if (!mayBeCut(route)) {
        return Refusal.MEDIA_TYPE;
      }
      coding = ContentCoding.IDENTITY;
      exchange.fault("Content-Encoding is not supported");
    }
    exchange.packedAs(coding);
    return null;
  }
}
