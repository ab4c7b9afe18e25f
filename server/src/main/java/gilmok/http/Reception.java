package gilmok.http;

import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.auth.Verdict;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides about a request as soon as its head is there, before any of its body is read: route, key,
 * rate, room, length, coding. Shared by all event loops; thread-safe.
 */
final class Reception {
  private static final Logger LOG = System.getLogger(Reception.class.getName());
  private static final long NO_LENGTH = -1;
  private static final long BAD_LENGTH = -2;

  final Room room;
  final Limits limits;
  final RequestMeter meter;
  private final Router router;
  private final Authenticator authenticator;
  private final Cors cors;
  private final Set<String> bugs = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  Reception(
      Router router,
      Authenticator authenticator,
      Room room,
      Limits limits,
      Cors cors,
      RequestMeter meter) {
    this.router = router;
    this.authenticator = authenticator;
    this.room = room;
    this.limits = limits;
    this.cors = cors;
    this.meter = meter;
  }

  /** From now on new requests are refused. */
  void stop() {
    stopping = true;
  }

  boolean isStopping() {
    return stopping;
  }

  /** A head is complete. */
  void receive(HttpServerRequest request) {
    HttpExchange exchange = exchange(request);
    exchange.declare(length(request.headers().get(Names.CONTENT_LENGTH)));
    if (request.method().equals(HttpMethod.OPTIONS) && cors.preflight(router, exchange)) {
      return;
    }
    Refusal refusal = judge(exchange, request.headers());
    if (refusal != null) {
      exchange.refuse(refusal);
    } else if (exchange.isContinueExpected()) {
      request.response().writeContinue();
    }
  }

  /** What should have been a head is none; the framework closes the connection after the answer. */
  void receiveMalformed(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    Refusal refusal = Refusal.MALFORMED;
    if (cause instanceof TooLongHttpLineException) {
      refusal = Refusal.PATH_TOO_LONG;
    } else if (cause instanceof TooLongHttpHeaderException) {
      refusal = Refusal.HEAD_TOO_LARGE;
    }
    exchange(request).refuseAndClose(refusal);
  }

  /** Adds the headers that every reply has. */
  void dress(HttpExchange exchange) {
    cors.dress(exchange);
  }

  /** Something of ours threw. Said once for each kind: a client could repeat it without end. */
  void bug(Route route, Throwable bug) {
    if (bugs.size() < 100 && bugs.add(route.path() + ' ' + bug.getClass().getName())) {
      LOG.log(Level.ERROR, "bug in " + route.method() + " " + route.path(), bug);
    }
  }

  private HttpExchange exchange(HttpServerRequest request) {
    ConnectionBase connection = (ConnectionBase) request.connection();
    ConnectionGuard guard = (ConnectionGuard) connection.channel().pipeline().first();
    return new HttpExchange(this, guard, request, pathOf(request.uri()));
  }

  private @Nullable Refusal judge(HttpExchange exchange, MultiMap headers) {
    Router.Paths paths = router.find(exchange.path());
    if (paths == null) {
      return Refusal.NOT_FOUND;
    }
    Route route = paths.route(exchange.request().method());
    exchange.matched(paths, route);
    if (route == null) {
      return Refusal.METHOD_NOT_ALLOWED;
    }
    if (stopping && route.priority() != Priority.ALWAYS) {
      return Refusal.STOPPING;
    }
    if (route.owner() != Owner.OPEN) {
      Refusal refusal = identify(exchange, route, headers);
      if (refusal != null) {
        return refusal;
      }
    }
    return measure(exchange, route, headers);
  }

  private @Nullable Refusal identify(HttpExchange exchange, Route route, MultiMap headers) {
    String apiKey = headers.get(Names.API_KEY);
    String authorization = apiKey == null ? headers.get(Names.AUTHORIZATION) : null;
    String parameter = apiKey == null && authorization == null ? exchange.query("key") : null;
    Verdict verdict = authenticator.check(apiKey, authorization, parameter);
    return switch (verdict) {
      case Denial.MISSING -> Refusal.KEY_MISSING;
      case Denial.UNKNOWN -> Refusal.KEY_UNKNOWN;
      case Denial.EXPIRED -> Refusal.KEY_EXPIRED;
      case Denial.TOO_FAST -> Refusal.TOO_FAST;
      case Principal principal -> {
        exchange.asker(principal);
        if (route.scope() != null && !principal.has(route.scope())) {
          yield Refusal.SCOPE_MISSING;
        }
        yield isTheirs(exchange, route, principal) ? null : Refusal.NOT_YOURS;
      }
    };
  }

  private static boolean isTheirs(HttpExchange exchange, Route route, Principal principal) {
    if (principal.binding() == null) {
      return true;
    }
    return switch (route.owner()) {
      case UNBOUND_ONLY -> false;
      case RIDER_IN_PATH -> principal.mayActFor(Binding.Kind.RIDER, exchange.pathParameter("id"));
      case OPEN, IN_BODY -> true;
    };
  }

  private @Nullable Refusal measure(HttpExchange exchange, Route route, MultiMap headers) {
    long declared = exchange.declared();
    if (declared == BAD_LENGTH) {
      return Refusal.MALFORMED;
    }
    long held = Math.max(0, Math.min(declared, route.bodyBytesMax()));
    if (!room.enter(route.priority(), held)) {
      return Refusal.BUSY;
    }
    exchange.holdRoom(held);
    if (declared > route.bodyBytesMax()) {
      return Refusal.TOO_LARGE;
    }
    if (declared == 0) {
      return null;
    }
    Coding coding = Coding.of(headers.get(Names.CONTENT_ENCODING));
    if (coding == null) {
      return Refusal.MEDIA_TYPE;
    }
    exchange.packedAs(coding);
    return null;
  }

  private static long length(@Nullable String contentLength) {
    if (contentLength == null) {
      return NO_LENGTH;
    }
    long length = 0;
    for (int i = 0; i < contentLength.length(); i++) {
      int digit = contentLength.charAt(i) - '0';
      if (digit < 0 || digit > 9 || length > Long.MAX_VALUE / 10 - 1) {
        return BAD_LENGTH;
      }
      length = length * 10 + digit;
    }
    return contentLength.isEmpty() ? BAD_LENGTH : length;
  }

  /** The path without the query, and without the server's name that a proxy's client sends. */
  private static String pathOf(@Nullable String uri) {
    if (uri == null) {
      return "";
    }
    int from = 0;
    if (uri.startsWith("http://") || uri.startsWith("https://")) {
      from = uri.indexOf('/', uri.indexOf("://") + 3);
      if (from < 0) {
        return "/";
      }
    }
    int mark = uri.indexOf('?', from);
    if (mark < 0) {
      return from == 0 ? uri : uri.substring(from);
    }
    return uri.substring(from, mark);
  }
}
