package gilmok.http;

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
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends requests as they came to another server, over HTTP/1.1. It has an event loop of its own, so
 * that a slow server delays nobody else. Redirects are not followed. Thread-safe; {@link #send}
 * does not block.
 */
public final class OtherServer implements AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  /** Headers that belong to one connection (RFC 9110, 7.6.1), and what the client sets itself. */
  private static final Set<String> OF_CONNECTION =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "host",
          "content-length",
          "expect");

  private final Vertx vertx;
  private final HttpClientAgent client;
  private final URI url;
  private final Duration timeout;

  /**
   * A client of that server.
   *
   * @param timeout how long it may take to connect, and to answer
   */
  public OtherServer(URI url, Duration timeout, int connections) {
    this.url = url;
    this.timeout = timeout;
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setBlockedThreadCheckInterval(1)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.DAYS) // nothing here can block it
                .setPreferNativeTransport(true));
    // Netty wakes a loop that has no timer each second.
    long _ = vertx.setPeriodic(TimeUnit.HOURS.toMillis(1), _ -> {});
    client =
        vertx
            .httpClientBuilder()
            .with(
                new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_1_1)
                    .setConnectTimeout((int) timeout.toMillis())
                    .setTcpNoDelay(true)
                    .setVerifyHost(true))
            .with(new PoolOptions().setHttp1MaxSize(connections))
            .build();
  }

  /**
   * Sends a request.
   *
   * @param answered gets the answer, or why there is none, once, on this server's event loop
   */
  public void send(SentRequest sent, Consumer<OtherAnswer> answered) {
    boolean isSecure = "https".equals(url.getScheme());
    int port = url.getPort() < 0 ? (isSecure ? 443 : 80) : url.getPort();
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.valueOf(sent.method()))
            .setHost(url.getHost())
            .setPort(port)
            .setSsl(isSecure)
            .setURI(sent.target())
            .setTimeout(timeout.toMillis())
            .setFollowRedirects(false);
    Call call = new Call(answered);
    client.request(options).onComplete(request -> begin(request, sent, call), call::fail);
  }

  private static void begin(HttpClientRequest request, SentRequest sent, Call call) {
    request.exceptionHandler(call::fail);
    for (Map.Entry<String, String> header : sent.headers()) {
      if (!isOfConnection(header.getKey()) && !isOfOurPages(header)) {
        request.headers().add(header.getKey(), header.getValue());
      }
    }
    request.send(Buffer.buffer(sent.body())).onComplete(call::answered, call::fail);
  }

  /**
   * Whether a header has the session of one of this server's own pages, which is for nobody else.
   */
  private static boolean isOfOurPages(Map.Entry<String, String> header) {
    return header.getKey().equalsIgnoreCase("cookie") && header.getValue().contains("gilmok_");
  }

  /** Whether a header belongs to its connection. */
  public static boolean isOfConnection(String header) {
    return OF_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  /** One call in flight. Belongs to the event loop. */
  private static final class Call {
    private final Consumer<OtherAnswer> told;
    private final Buffer body = Buffer.buffer();
    private boolean isDone;

    Call(Consumer<OtherAnswer> told) {
      this.told = told;
    }

    void answered(HttpClientResponse response) {
      response.exceptionHandler(this::fail);
      response.handler(
          piece -> {
            if (body.length() + piece.length() > ANSWER_BYTES_MAX) {
              done(OtherAnswer.none("it answers more than " + ANSWER_BYTES_MAX + " bytes"));
              var _ = response.request().connection().close();
            } else {
              body.appendBuffer(piece);
            }
          });
      response.endHandler(
          _ ->
              done(
                  new OtherAnswer(
                      response.statusCode(), response.headers().entries(), body.getBytes(), "")));
    }

    void fail(Throwable failed) {
      done(OtherAnswer.none(Objects.requireNonNullElse(failed.getMessage(), failed.toString())));
    }

    private void done(OtherAnswer answer) {
      if (!isDone) {
        isDone = true;
        told.accept(answer);
      }
    }
  }
}
