package gilmok.deliveries.relay;

import gilmok.trace.TraceContext;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Sends webhooks over HTTP/1.1. It has an event loop of its own, so that partners' handshakes and
 * slow answers delay nobody else. A name is resolved once, and the checked address itself is
 * connected to; the name is used for Host, SNI and the certificate. Vert.x' client accepts such an
 * address; the JDK's client would resolve the name a second time. Redirects are not followed; only
 * the beginning of an answer is read. Thread-safe.
 */
final class HttpWebhookSender implements WebhookSender, AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 4096;
  private static final int CONNECTIONS_MAX = 4096;
  private static final int INTERIMS_MAX = 8;
  private static final int SWITCHING = 101;
  private static final int KEEP_ALIVE_SECONDS = 30;

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final HostNames names;
  private final AddressGuard guard;
  private final Supplier<RelayConfig> config;

  /**
   * One that asks the system for names.
   *
   * @param trust the certificates to trust; null for those that the JDK trusts
   */
  static HttpWebhookSender of(
      Supplier<RelayConfig> config, AddressGuard guard, @Nullable X509TrustManager trust) {
    TrustOptions own = trust == null ? null : TrustOptions.wrap(trust);
    return new HttpWebhookSender(config, guard, new Resolver(), own);
  }

  /**
   * @param config the limits now in force; each call takes its timeout from there
   * @param names closed with this sender
   * @param trust the certificates to trust; null for those that the JDK trusts
   */
  HttpWebhookSender(
      Supplier<RelayConfig> config,
      AddressGuard guard,
      HostNames names,
      @Nullable TrustOptions trust) {
    this.config = config;
    this.guard = guard;
    this.names = names;
    int connectMillis = (int) config.get().connectTimeout().toMillis();
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setBlockedThreadCheckInterval(1)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.DAYS) // nothing here can block it
                .setPreferNativeTransport(true));
    // Netty wakes a loop that has no timer each second.
    long _ = vertx.setPeriodic(TimeUnit.HOURS.toMillis(1), _ -> {});
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setConnectTimeout(connectMillis)
            .setSslHandshakeTimeout(connectMillis)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
            .setTcpNoDelay(true)
            .setVerifyHost(true);
    if (trust != null) {
      options.setTrustOptions(trust);
    }
    // No limit here: the bulkheads limit each partner, and partners on one host would block each
    // other.
    client =
        vertx
            .httpClientBuilder()
            .with(options)
            .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX))
            .build();
  }

  @Override
  public WebhookOutcome send(WebhookCall call) throws InterruptedException {
    long start = System.nanoTime();
    Duration timeout = config.get().timeout();
    List<InetAddress> found =
        names.addresses(call.target().host(), Math.max(1, timeout.toMillis() / 2));
    if (found.isEmpty()) {
      return WebhookOutcome.none("the name cannot be resolved");
    }
    boolean isSecure = call.target().isSecure();
    List<InetAddress> allowed = isSecure ? guard.allowed(found) : guard.allowedInClear(found);
    if (allowed.isEmpty()) {
      return WebhookOutcome.none(
          isSecure
              ? "the name leads into a private network"
              : "the name leads to no address that may be called without TLS");
    }
    InetAddress address = allowed.get(Math.floorMod(call.attempt(), allowed.size()));
    long left = timeout.toNanos() - (System.nanoTime() - start);
    Exchange exchange = new Exchange(timeout, guard.isPrivate(address));
    client
        .request(options(call.target(), address))
        .onComplete(request -> exchange.begin(request, call), failed -> exchange.fail(failed));
    return exchange.await(Math.max(1, left));
  }

  private static RequestOptions options(WebhookTarget target, InetAddress address) {
    // The digits, as the name of an address that has one would be resolved again.
    String digits = inAuthority(address.getHostAddress());
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setServer(SocketAddress.inetSocketAddress(target.port(), digits))
        .setHost(inAuthority(target.host()))
        .setPort(target.port())
        .setSsl(target.isSecure())
        .setURI(target.path())
        .setFollowRedirects(false);
  }

  /** A host as URLs and the header Host have it: an IPv6 address in brackets. */
  private static String inAuthority(String host) {
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  @Override
  public void close() {
    names.close();
    vertx.close().await();
  }

  /** One call in flight. Its methods run on the event loop, except {@link #await}. */
  private static final class Exchange {
    private final Duration timeout;

    /**
     * The address is one of the operator's own network. What it answers is then told to nobody: who
     * may name a URL could read what no outsider may.
     */
    private final boolean isPrivate;

    private final CompletableFuture<WebhookOutcome> outcome = new CompletableFuture<>();
    private final Buffer text = Buffer.buffer();
    private int interims;
    private volatile @Nullable HttpClientRequest sent;
    private volatile @Nullable WebhookOutcome head;

    Exchange(Duration timeout, boolean isPrivate) {
      this.timeout = timeout;
      this.isPrivate = isPrivate;
    }

    void begin(HttpClientRequest request, WebhookCall call) {
      sent = request;
      // Set first, as Vert.x logs exceptions that have no handler.
      request.exceptionHandler(this::fail);
      request.continueHandler(_ -> interim());
      request.earlyHintsHandler(_ -> interim());
      if (outcome.isDone()) {
        cut();
        return;
      }
      request
          .putHeader("content-type", "application/json")
          .putHeader("user-agent", "gilmok")
          .putHeader("webhook-id", call.id())
          .putHeader("webhook-timestamp", Long.toString(call.seconds()))
          .putHeader("webhook-signature", call.signature());
      if (call.traceparent() != null) {
        request.putHeader(TraceContext.HEADER, call.traceparent());
      }
      request.send(Buffer.buffer(call.body())).onComplete(this::answered, this::fail);
    }

    /** A 100 or 103 came, of which a partner could send any number. */
    private void interim() {
      if (++interims > INTERIMS_MAX) {
        outcome.complete(WebhookOutcome.none("too many answers before the answer"));
        cut();
      }
    }

    private void answered(HttpClientResponse response) {
      if (response.statusCode() == SWITCHING) {
        // To a protocol that nobody asked for: what comes on this connection now is no HTTP.
        outcome.complete(WebhookOutcome.none("another protocol in place of an answer"));
        cut();
        return;
      }
      long retryAfter = WebhookOutcome.retryAfter(response.getHeader("retry-after"));
      head = new WebhookOutcome(response.statusCode(), "", retryAfter);
      response.exceptionHandler(this::fail);
      response.handler(
          piece -> {
            text.appendBuffer(piece);
            if (text.length() > ANSWER_BYTES_MAX) {
              end();
              cut();
            }
          });
      response.endHandler(_ -> end());
    }

    private void end() {
      WebhookOutcome answered = head;
      if (answered != null) {
        outcome.complete(
            answered.isSuccess()
                ? answered
                : new WebhookOutcome(
                    answered.status(), error(answered.status()), answered.retryAfterMillis()));
      }
    }

    private String error(int status) {
      int length = Math.min(text.length(), WebhookFailures.QUOTE_BYTES_MAX);
      return WebhookFailures.status(
          status, text.getString(0, length, StandardCharsets.UTF_8.name()), isPrivate);
    }

    void fail(Throwable failed) {
      if (head != null) {
        // The status has arrived and counts, though the body broke off.
        end();
      } else {
        outcome.complete(WebhookOutcome.none(WebhookFailures.of(failed, isPrivate)));
      }
    }

    /** Closes the connection; nothing more of the answer is needed. */
    private void cut() {
      HttpClientRequest request = sent;
      if (request != null) {
        var _ = request.connection().close();
      }
    }

    WebhookOutcome await(long nanos) throws InterruptedException {
      WebhookOutcome late = WebhookOutcome.none("no answer in " + timeout.toMillis() + " ms");
      try {
        outcome.copy().completeOnTimeout(late, nanos, TimeUnit.NANOSECONDS).get();
        return outcome.getNow(late(late));
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      } finally {
        if (outcome.complete(late)) {
          cut();
        }
      }
    }

    /**
     * The outcome after a timeout: the status if it has arrived and only the body is late, else
     * {@code none}.
     */
    private WebhookOutcome late(WebhookOutcome none) {
      WebhookOutcome answered = head;
      if (answered == null || answered.isSuccess()) {
        return answered == null ? none : answered;
      }
      String error = WebhookFailures.status(answered.status(), "", isPrivate);
      return new WebhookOutcome(answered.status(), error, answered.retryAfterMillis());
    }
  }
}
