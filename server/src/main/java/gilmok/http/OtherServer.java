package gilmok.http;

import io.vertx.core.Context;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests as they came to another server, over HTTP/1.1, but for what is {@link Withheld}.
 * It has an event loop of its own, so that a slow server delays nobody else. Redirects are not
 * followed. Thread-safe; {@link #send} does not block.
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
  private final Context loop;
  private final HttpClientAgent client;
  private final URI url;
  private final Duration timeout;
  private final Withheld withheld;
  private final long answersBytesMax;

  /** Bytes of answers that have arrived, in part or whole. Belongs to the event loop. */
  private long answersBytes;

  /**
   * A client of that server.
   *
   * @param timeout how long it may take from connecting to the end of its answer
   * @param connections how many requests may be on their way at once
   * @param answersBytesMax how much of the answers' bodies may be in memory; 0 where nobody wants
   *     them: they are read and forgotten
   */
  public OtherServer(
      URI url, Duration timeout, int connections, long answersBytesMax, Withheld withheld) {
    this.url = url;
    this.timeout = timeout;
    this.answersBytesMax = answersBytesMax;
    this.withheld = withheld;
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setBlockedThreadCheckInterval(1)
                .setBlockedThreadCheckIntervalUnit(TimeUnit.DAYS) // nothing here can block it
                .setPreferNativeTransport(true));
    loop = vertx.getOrCreateContext();
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
   * Sends a request. Returns what calls it off, as nobody waits for the answer any more; from any
   * thread.
   *
   * @param answered gets the answer, or why there is none, once, on this server's event loop
   */
  public Runnable send(SentRequest sent, Consumer<OtherAnswer> answered) {
    Call call = new Call(sent, answered);
    loop.runOnContext(_ -> call.begin());
    return () -> loop.runOnContext(_ -> call.fail("the client has left"));
  }

  private RequestOptions options(SentRequest sent) {
    boolean isSecure = "https".equals(url.getScheme());
    int port = url.getPort() < 0 ? (isSecure ? 443 : 80) : url.getPort();
    return new RequestOptions()
        .setMethod(HttpMethod.valueOf(sent.method()))
        .setHost(url.getHost())
        .setPort(port)
        .setSsl(isSecure)
        .setURI(withheld.target(sent.target()))
        .setFollowRedirects(false);
  }

  private static boolean isOfConnection(String header) {
    return OF_CONNECTION.contains(header.toLowerCase(Locale.ROOT));
  }

  /** An answer's headers that a client may see. */
  private static List<Map.Entry<String, String>> passedOn(List<Map.Entry<String, String>> headers) {
    return headers.stream()
        .filter(header -> !isOfConnection(header.getKey()) && !Withheld.setsOurCookie(header))
        .toList();
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  /** One call in flight. Belongs to the event loop. */
  private final class Call {
    private final SentRequest sent;
    private final Consumer<OtherAnswer> told;
    private final Buffer body = Buffer.buffer();
    private @Nullable HttpClientRequest request;
    private long timer;
    private boolean isDone;

    Call(SentRequest sent, Consumer<OtherAnswer> told) {
      this.sent = sent;
      this.told = told;
    }

    void begin() {
      // The client's own timeouts begin anew with each byte: an answer that drips would never end.
      long millis = timeout.toMillis();
      timer = vertx.setTimer(millis, _ -> fail("no whole answer within " + millis + " ms"));
      client.request(options(sent)).onComplete(this::write, this::fail);
    }

    private void write(HttpClientRequest begun) {
      if (isDone) {
        var _ = begun.reset();
        return;
      }
      request = begun;
      begun.exceptionHandler(this::fail);
      for (Map.Entry<String, String> header : withheld.headers(sent.headers())) {
        if (!isOfConnection(header.getKey())) {
          begun.headers().add(header.getKey(), header.getValue());
        }
      }
      begun.send(Buffer.buffer(sent.body())).onComplete(this::read, this::fail);
    }

    private void read(HttpClientResponse response) {
      int status = response.statusCode();
      if (status < 200 || status > 999) { // 101: it goes on with another protocol
        fail("it answers " + status + ", which ends no request");
        return;
      }
      response.exceptionHandler(this::fail);
      response.handler(this::add);
      response.endHandler(
          _ ->
              done(
                  new OtherAnswer(
                      status, passedOn(response.headers().entries()), body.getBytes(), "")));
    }

    private void add(Buffer piece) {
      if (isDone || answersBytesMax == 0) {
        return;
      }
      if (body.length() + piece.length() > ANSWER_BYTES_MAX) {
        fail("it answers more than " + ANSWER_BYTES_MAX + " bytes");
      } else if (answersBytes + piece.length() > answersBytesMax) {
        fail("its answers take more than " + answersBytesMax + " bytes at once");
      } else {
        answersBytes += piece.length();
        body.appendBuffer(piece);
      }
    }

    private void fail(Throwable failed) {
      fail(Objects.requireNonNullElse(failed.getMessage(), failed.toString()));
    }

    /** There is no answer. What may still come on the connection would be taken for another's. */
    void fail(String reason) {
      if (!isDone && request != null) {
        var _ = request.connection().close();
      }
      done(OtherAnswer.none(reason));
    }

    private void done(OtherAnswer answer) {
      if (isDone) {
        return;
      }
      isDone = true;
      boolean _ = vertx.cancelTimer(timer);
      answersBytes -= body.length();
      told.accept(answer);
    }
  }
}
