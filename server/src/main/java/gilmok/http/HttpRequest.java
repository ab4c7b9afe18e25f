package gilmok.http;

import gilmok.auth.ClientAddress;
import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.observe.PartTimes;
import gilmok.trace.RequestTrace;
import gilmok.trace.TraceContext;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A request's head, and who sent it, parsed when needed. Belongs to the event loop. */
final class HttpRequest implements ClientAddress {
  /** No Content-Length was sent. */
  static final long NO_LENGTH = -1;

  /** The Content-Length that was sent is not a number. */
  static final long BAD_LENGTH = -2;

  final HttpServerRequest head;

  /** The Content-Length, or {@link #NO_LENGTH}, or {@link #BAD_LENGTH}. */
  final long declared;

  /** The route that answers it; null while it is not known. */
  @Nullable Route route;

  /** Why this server does not take it, which goes elsewhere; null if it does. */
  @Nullable Refusal refused;

  IntConsumer told = _ -> {}; // is told its answer's status

  /** The caller; null while it is not known, and on routes that need no key. */
  private @Nullable Principal asker;

  /** The path without the query. */
  final String path;

  private final ConnectionGuard guard;
  private final RequestMeter meter;
  private final Callers callers;

  /** What its caller uses; null before it was first counted for the present asker. */
  private @Nullable CallerMeter callerMeter;

  /** Bytes of its body that have arrived. */
  private long received;

  /** When it was let in. */
  private long admittedNanos;

  /** Where its time goes. */
  final RequestTimes times = new RequestTimes();

  /** How it is traced; null while nobody has asked. */
  private @Nullable RequestTrace trace;

  /** Time that work off the event loop took; written before the answer is handed over. */
  private long workedApart;

  HttpRequest(HttpServerRequest head, ConnectionGuard guard, RequestMeter meter, Callers callers) {
    this.head = head;
    this.guard = guard;
    this.meter = meter;
    this.callers = callers;
    this.declared = length(head.headers().get(HttpHeaders.CONTENT_LENGTH));
    this.path = RequestTarget.path(head.uri());
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

  /**
   * Whether another server on the way could read the request differently: it is of no version of
   * HTTP that is spoken here, as the preface of HTTP/2 in clear text; it has no Host, or two, or
   * one that is none, of which some read a part; a header has no name; its body is compressed for
   * the transfer; or its length is given twice. RFC 9112, 3.2, 5.1 and 6.
   */
  boolean isAmbiguous() {
    if (isHttp2()) {
      return head.headers().getAll(HttpHeaders.HOST).size() > 1;
    }
    if (head.version() == null) {
      return true;
    }
    MultiMap headers = head.headers();
    if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
      List<String> transfer = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
      if (transfer.size() != 1
          || !transfer.getFirst().equalsIgnoreCase("chunked")
          || declared != NO_LENGTH) {
        return true;
      }
    }
    List<String> hosts = headers.getAll(HttpHeaders.HOST);
    return switch (hosts.size()) {
      case 0 -> head.version() == HttpVersion.HTTP_1_1;
      case 1 -> !isAuthority(hosts.getFirst()) || headers.contains("");
      default -> true;
    };
  }

  /** Whether a text has only characters that a host and a port have; it may be empty. */
  private static boolean isAuthority(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c >= 0x7f || ",@/?#\\<>\"{}|^`".indexOf(c) >= 0) {
        return false;
      }
    }
    return true;
  }

  /** The caller; null while it is not known, and on routes that need no key. */
  @Nullable Principal asker() {
    return asker;
  }

  /** It was sent by this caller; what was done before counts for none. */
  void identified(Principal principal) {
    asker = principal;
    callerMeter = null;
  }

  /** How many bytes of its body have arrived. */
  long received() {
    return received;
  }

  /** Bytes of its body have arrived. */
  void received(int bytes) {
    received += bytes;
    meter.received(bytes);
  }

  /** The event loop has worked for it since then; returns the time. */
  long worked(long began) {
    long now = System.nanoTime();
    times.end(now);
    caller().worked(now - began);
    return now;
  }

  /**
   * Another thread, which has not handed its answer over yet, worked for it.
   *
   * @param start how long the thread took to start
   * @param ran how long it ran, with what it waited for
   */
  void workedApart(PartTimes parts, long start, long ran) {
    workedApart += ran - parts.waitedNanos();
    times.apart(parts, start, ran);
  }

  /** Another thread, which has not handed its answer over yet, compressed it for that long. */
  void compressedApart(long nanos) {
    workedApart += nanos;
    times.add(RequestPart.COMPRESS, nanos);
  }

  /** It was let in; its body may come. */
  void admitted(long now) {
    times.end(now);
    admittedNanos = now;
  }

  /** Its body is there; the event loop begins with it. */
  void bodyRead(long now) {
    times.add(RequestPart.BODY, now - admittedNanos);
    times.begin(RequestPart.DECODE, now);
  }

  /** How it is traced. A caller that is bound to nobody may say of which trace it is a part. */
  RequestTrace trace() {
    RequestTrace known = trace;
    if (known == null) {
      Principal caller = asker;
      boolean mayDecide = caller != null && caller.binding() == null;
      String header = mayDecide ? head.headers().get(HeaderNames.TRACEPARENT) : null;
      known = meter.tracer().begin(TraceContext.parse(header));
      trace = known;
    }
    return known;
  }

  /** Whether its caller asks where the time went, and may know: RFC 7240 has this header. */
  boolean isTimingWanted() {
    Principal known = asker;
    return known != null && known.binding() == null && Preferences.hasTiming(head.headers());
  }

  /**
   * Counts its answer, or the beginning of a streamed one.
   *
   * @param nanos from the end of its head
   * @param bytes of the answer's body
   */
  void answered(int status, long nanos, int bytes) {
    told.accept(status);
    CallerMeter caller = caller();
    caller.answered(status, received, bytes);
    caller.worked(workedApart);
    meter.sent(bytes);
    Route answering = route;
    if (answering != null) {
      meter.answered(answering, status, caller, nanos, bytes, times);
      if (status == 200 && head.method().equals(HttpMethod.GET)) {
        meter.read(answering, caller, head.uri());
      }
    }
  }

  /** The label of its key, as in the metrics by caller. */
  String callerKey() {
    return caller().key();
  }

  /** Counts bytes of a streamed answer. */
  void sent(int bytes) {
    caller().sent(bytes);
    meter.sent(bytes);
  }

  private CallerMeter caller() {
    CallerMeter known = callerMeter;
    if (known == null) {
      known = guard.caller(meter, asker, head.headers().get(HttpHeaders.USER_AGENT));
      callerMeter = known;
    }
    return known;
  }

  boolean isHttp2() {
    return head.version() == HttpVersion.HTTP_2;
  }

  @Nullable String query(String name) {
    String query = queryString();
    return query.isEmpty() ? null : PercentEncoding.parameter(query, name);
  }

  List<String> queryAll(String name) {
    return PercentEncoding.parameters(queryString(), name);
  }

  String queryString() {
    return RequestTarget.query(head.uri());
  }

  /**
   * The session of a page: its cookie, or the token that a trusted proxy adds to all that it passes
   * on. Null when there is none.
   */
  @Nullable String session() {
    String cookie = cookie(HeaderNames.SESSION);
    if (cookie != null || callers.proxies().tokenHeader() == null) {
      return cookie;
    }
    InetAddress connected = connected();
    return connected == null ? null : callers.proxies().token(connected, head.headers());
  }

  /** A cookie's value; null when there is none. */
  @Nullable String cookie(String name) {
    if (!head.headers().contains(HttpHeaders.COOKIE)) {
      return null;
    }
    String cookies = String.join("; ", head.headers().getAll(HttpHeaders.COOKIE));
    return PercentEncoding.cookie(cookies, name);
  }

  /**
   * Whether a browser sent this for a page that is not ours: of another site, or of another port of
   * this host, to which SameSite=Strict sends the cookie too (RFC 6265bis, 8.8.3). A browser says
   * so in Sec-Fetch-Site, over TLS and on loopback; with a method other than GET and HEAD it names
   * the page's origin at least.
   */
  boolean isOfForeignPage() {
    String site = head.getHeader(HeaderNames.SEC_FETCH_SITE);
    String origin = head.getHeader(HttpHeaders.ORIGIN);
    if (site != null && !site.equals("same-origin") && !(site.equals("none") && isRead())) {
      return true;
    }
    return origin != null && (site == null || !site.equals("same-origin")) && !isOurs(origin);
  }

  /** Whether it names our page as its sender, or changes nothing and names no other. */
  boolean isOfOwnPage() {
    boolean isNamed =
        head.headers().contains(HeaderNames.SEC_FETCH_SITE)
            || head.headers().contains(HttpHeaders.ORIGIN);
    return !isOfForeignPage() && (isNamed || isRead());
  }

  private boolean isRead() {
    return head.method().equals(HttpMethod.GET) || head.method().equals(HttpMethod.HEAD);
  }

  private boolean isOurs(String origin) {
    InetAddress connected = connected();
    String host = connected == null ? null : callers.proxies().host(connected, head.headers());
    if (host == null) {
      HostAndPort asked = head.authority();
      host = asked == null ? "" : asked.toString();
    }
    String scheme = isSecure() ? "https" : "http";
    String usual = isSecure() ? ":443" : ":80"; // no origin names it, but some proxies do
    String bare = host.endsWith(usual) ? host.substring(0, host.length() - usual.length()) : host;
    return origin.equalsIgnoreCase(scheme + "://" + bare);
  }

  /** Whether the client uses TLS: to us, or to the trusted proxy that passed this on. */
  boolean isSecure() {
    return head.isSSL() || isSecuredByProxy();
  }

  /** Whether the client uses TLS to a trusted proxy that passed this on. */
  boolean isSecuredByProxy() {
    if (callers.proxies().isEmpty()) {
      return false;
    }
    InetAddress connected = connected();
    return connected != null && "https".equals(callers.proxies().scheme(connected, head.headers()));
  }

  @Override
  public @Nullable InetAddress clientAddress() {
    InetAddress connected = connected();
    return connected == null ? null : callers.proxies().client(connected, head.headers());
  }

  /** The refusal of a key that was denied; an address that sends many wrong ones is told so. */
  Refusal refusalOf(Denial denial) {
    InetAddress address = denial.isLikeAWrongKey() ? clientAddress() : null;
    return address != null && callers.wrongKeys().isTooMany(address)
        ? Refusal.WRONG_KEYS
        : Refusal.of(denial);
  }

  private @Nullable InetAddress connected() {
    return guard.channel.remoteAddress() instanceof InetSocketAddress known
        ? known.getAddress()
        : null;
  }

  /**
   * Whether a page's script sent this. It must not be offered Basic then, as the browser would ask
   * its user for a password.
   */
  boolean isFromScript() {
    String mode = head.getHeader(HeaderNames.SEC_FETCH_MODE);
    return mode != null && !mode.equals("navigate");
  }

  boolean isForm() {
    return contentType().equals("application/x-www-form-urlencoded");
  }

  String contentType() {
    String value = head.getHeader(HttpHeaders.CONTENT_TYPE);
    if (value == null) {
      return "";
    }
    if (value.equals(HeaderNames.JSON_TYPE)) {
      return HeaderNames.JSON_TYPE;
    }
    int end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** Whether the client waits for a 100 (Continue) before it sends the body. */
  boolean isContinueExpected() {
    String expect = head.getHeader(HttpHeaders.EXPECT);
    return expect != null && expect.equalsIgnoreCase("100-continue");
  }
}
