package gilmok.http;

import gilmok.auth.AuthResult;
import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.KeyNames;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Admits or refuses a request as soon as its head has arrived, before any of its body is read: by
 * route, key, rate, room, length and coding. Shared by all event loops; thread-safe.
 */
final class RequestAdmission {
  /** What keeps a request from this server that may be right for another. */
  private static final Set<Refusal> OF_ELSEWHERE =
      EnumSet.of(
          Refusal.NOT_FOUND,
          Refusal.METHOD_NOT_ALLOWED,
          Refusal.KEY_MISSING,
          Refusal.KEY_UNKNOWN,
          Refusal.KEY_EXPIRED,
          Refusal.WRONG_KEYS,
          Refusal.SCOPE_MISSING,
          Refusal.NOT_YOURS);

  private final Router router;
  private final Authenticator authenticator;
  private final ExchangeContext context;
  private volatile boolean stopping;
  private volatile boolean warming;

  RequestAdmission(Router router, Authenticator authenticator, ExchangeContext context) {
    this.router = router;
    this.authenticator = authenticator;
    this.context = context;
  }

  /** From now on each answer ends its connection; no request is refused for it. */
  void leave() {
    context.leave();
  }

  /** From now on new requests are refused. */
  void stop() {
    context.leave();
    stopping = true;
  }

  /**
   * Whether the server is cold. While it is, new requests are refused, as answers would be slow.
   */
  void warm(boolean isCold) {
    warming = isCold;
  }

  /**
   * Receives a complete head. Whatever follows the last request of a connection is not read: the
   * client was told so, and the bytes may come from another sender than the request that was
   * answered (RFC 9112, 9.6 and 11.2).
   */
  void receive(HttpServerRequest request) {
    ConnectionGuard guard = guard(request);
    if (guard.isEnding()) {
      return;
    }
    RequestLifecycle life = new RequestLifecycle(context, guard, request);
    try {
      receive(life);
    } catch (Throwable bug) {
      life.response.failed(bug);
    }
  }

  private void receive(RequestLifecycle life) {
    HttpRequest request = life.request;
    request.times.begin(RequestPart.ADMISSION, life.response.began);
    if (request.head.method().equals(HttpMethod.OPTIONS)
        && context.cors.preflight(router, request, life.exchange)) {
      return;
    }
    Refusal refusal = judge(life, request.head.headers());
    if (refusal != null && mayGoElsewhere(request, refusal)) {
      refusal = sendElsewhere(life, refusal);
    }
    if (refusal != null) {
      life.refuse(refusal);
    } else if (request.isContinueExpected()) {
      request.head.response().writeContinue();
    }
    request.admitted(System.nanoTime());
  }

  /** Whether another server may take what this one does not: what phones send, wherever to. */
  private boolean mayGoElsewhere(HttpRequest request, Refusal refusal) {
    Route route = request.route;
    return context.elsewhere != null
        && OF_ELSEWHERE.contains(refusal)
        && (route == null || route.ownershipRule() == OwnershipRule.PHONE);
  }

  private @Nullable Refusal sendElsewhere(RequestLifecycle life, Refusal why) {
    Route elsewhere = Objects.requireNonNull(context.elsewhere);
    life.request.route = elsewhere;
    life.request.refused = why;
    return measure(life, elsewhere, life.request.head.headers());
  }

  /** Receives a malformed head; the framework closes the connection after the answer. */
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
    RequestLifecycle life = new RequestLifecycle(context, guard, request);
    life.response.closing = true;
    life.refuse(refusal);
  }

  private static ConnectionGuard guard(HttpServerRequest request) {
    ConnectionBase connection = (ConnectionBase) request.connection();
    return (ConnectionGuard) connection.channel().pipeline().first();
  }

  private @Nullable Refusal judge(RequestLifecycle life, MultiMap headers) {
    HttpRequest request = life.request;
    if (request.declared == HttpRequest.BAD_LENGTH || request.isAmbiguous()) {
      return Refusal.MALFORMED; // before all else: what follows on the connection is not ours
    }
    Router.Paths paths = router.find(request);
    if (paths == null) {
      return warming ? Refusal.WARMING : Refusal.NOT_FOUND;
    }
    Route route = paths.route(request.head.method());
    life.exchange.matched(paths);
    request.route = route;
    if (route == null) {
      life.exchange.replyHeader("allow", paths.allow());
      return Refusal.METHOD_NOT_ALLOWED;
    }
    if (stopping && route.priority() != Priority.ALWAYS) {
      return Refusal.STOPPING;
    }
    if (warming && route.priority() != Priority.ALWAYS) {
      return Refusal.WARMING;
    }
    if (route.ownershipRule() != OwnershipRule.OPEN) {
      Refusal refusal = identify(life, route, headers);
      if (refusal != null) {
        return refusal;
      }
    }
    life.wrongQuery = QueryCheck.of(route, request.queryString());
    return life.wrongQuery == null ? measure(life, route, headers) : Refusal.INVALID;
  }

  private @Nullable Refusal identify(RequestLifecycle life, Route route, MultiMap headers) {
    HttpRequest request = life.request;
    KeyNames names = context.keyNames;
    String apiKey = filled(headers.get(HeaderNames.API_KEY));
    String authorization = filled(headers.get(HttpHeaders.AUTHORIZATION));
    if (names.header() != null && apiKey == null) {
      String own = filled(headers.get(names.header()));
      boolean hasScheme = own != null && own.strip().indexOf(' ') > 0;
      apiKey = hasScheme ? null : own;
      authorization = hasScheme ? own : authorization;
    }
    boolean isPhone = route.ownershipRule() == OwnershipRule.PHONE;
    String parameter = request.query(KeyNames.PARAMETER);
    if (parameter == null && isPhone && names.parameter() != null) {
      parameter = request.query(names.parameter());
    }
    boolean isId =
        route.isFilteredByKey() && (parameter == null || !KeyNames.isMadeHere(parameter));
    if (parameter != null && !isPhone && !isId) {
      return Refusal.KEY_IN_QUERY;
    }
    if (apiKey != null || authorization != null) {
      if (apiKey == null
          && isOfBrowser(authorization)
          && !isPhone
          && request.isOfForeignPage()
          && !context.cors.names(request)) {
        return Refusal.FOREIGN_PAGE;
      }
      return judge(life, route, authenticator.check(apiKey, authorization, null, null, request));
    }
    if (isPhone && parameter == null && request.isForm()) {
      life.awaiting = this::judgeForm;
      return null;
    }
    if (isPhone) { // a link that is opened in a browser is no phone's upload: no session counts
      return judge(life, route, authenticator.check(null, null, parameter, null, request));
    }
    String session = request.session();
    if (session != null && !request.isOfOwnPage()) {
      return Refusal.FOREIGN_PAGE;
    }
    return judge(life, route, authenticator.check(null, null, null, session, request));
  }

  /** Whether a browser may have added it by itself, as it remembers Basic credentials. */
  private static boolean isOfBrowser(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, "Basic ", 0, 6);
  }

  /** A header that says something; null when it is empty, as if it were not there. */
  private static @Nullable String filled(@Nullable String header) {
    return header == null || header.isBlank() ? null : header;
  }

  /** Checks the key in a form; null when it is good. */
  private @Nullable Refusal judgeForm(RequestLifecycle life, Route route) {
    String form =
        new String(
            life.body.bytes(), life.body.offset(), life.body.length(), StandardCharsets.UTF_8);
    String key = PercentEncoding.parameter(form, KeyNames.PARAMETER);
    String other = context.keyNames.parameter();
    if (key == null && other != null) {
      key = PercentEncoding.parameter(form, other);
    }
    Refusal refusal = judge(life, route, authenticator.check(null, null, key, null, life.request));
    if (refusal != null && mayGoElsewhere(life.request, refusal)) {
      life.request.route = context.elsewhere;
      life.request.refused = refusal;
      return null;
    }
    return refusal;
  }

  private static @Nullable Refusal judge(RequestLifecycle life, Route route, AuthResult result) {
    // No switch over both types: it would be linked at run time, and cost a tenth of the edge's
    // time.
    if (result instanceof Denial denial) {
      return life.request.refusalOf(denial);
    }
    Principal principal = (Principal) result;
    life.request.identified(principal);
    boolean needsScope =
        principal.binding() == null || route.ownershipRule() != OwnershipRule.OWN_RIDER_OR_SCOPE;
    if (needsScope && route.scope() != null && !principal.has(route.scope())) {
      return Refusal.SCOPE_MISSING;
    }
    return isTheirs(life, route, principal) ? null : Refusal.NOT_YOURS;
  }

  private static boolean isTheirs(RequestLifecycle life, Route route, Principal principal) {
    if (principal.binding() == null) {
      return true;
    }
    return switch (route.ownershipRule()) {
      case UNBOUND_ONLY -> false;
      case RIDER_IN_PATH, OWN_RIDER_OR_SCOPE ->
          principal.mayActFor(Binding.Kind.RIDER, life.exchange.pathParameter("id"));
      case OPEN, IN_BODY, IN_QUERY, BY_ID, PHONE -> true;
    };
  }

  private @Nullable Refusal measure(RequestLifecycle life, Route route, MultiMap headers) {
    long declared = life.request.declared;
    long wanted = Math.max(0, Math.min(declared, life.bodyBytesMax(route)));
    if (!context.admissionLimit.has(route.priority(), wanted)) {
      return Refusal.BUSY; // before the client sends the body
    }
    QueueDelay delay = life.queueDelay();
    if (delay.refuses(route.priority())) {
      return Refusal.OVERLOADED;
    }
    if (declared > route.readBytesMax() && !route.mayBeCut()) {
      return Refusal.TOO_LARGE;
    }
    if (declared == 0) {
      return null;
    }
    if (route.bodyBytesMax() > 0 && !route.bodyType().takes(life.request.contentType())) {
      return Refusal.MEDIA_TYPE;
    }
    ContentCoding coding = ContentCoding.of(headers.get(HttpHeaders.CONTENT_ENCODING));
    if (coding == null) {
      if (!route.mayBeCut()) {
        return Refusal.MEDIA_TYPE;
      }
      coding = ContentCoding.IDENTITY;
      life.body.fault("Content-Encoding is not supported");
    }
    life.coding = coding;
    return null;
  }
}
