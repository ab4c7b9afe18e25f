package gilmok.lab.sinks;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpResponseExpectation;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import java.net.URI;
import java.util.Base64;

/**
 * The baseline: the body of each request is put into Firehose by a PutRecord of its own, and the
 * phone gets its response after that. The number of calls in flight is bounded; further requests
 * wait. It does not parse, sign or check anything, so it is cheaper than the real system was. One
 * event loop.
 */
final class OneByOneEndpoint {
  private static final int CONNECT_MILLIS_MAX = 5_000;

  private final Vertx vertx;
  private final HttpClient client;

  OneByOneEndpoint(Vertx vertx, URI firehose, int pool) {
    this.vertx = vertx;
    this.client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setDefaultHost(firehose.getHost())
                .setDefaultPort(firehose.getPort())
                .setConnectTimeout(CONNECT_MILLIS_MAX),
            new PoolOptions().setHttp1MaxSize(pool));
  }

  /** Listens on loopback; blocks until it does. */
  int listen(int port) {
    HttpServerOptions options =
        new HttpServerOptions().setHost("127.0.0.1").setPort(port).setTcpNoDelay(true);
    return vertx
        .createHttpServer(options)
        .requestHandler(this::handle)
        .listen()
        .await()
        .actualPort();
  }

  private void handle(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.POST)) {
      var _ = request.response().end();
      return;
    }
    request
        .body()
        .compose(this::put)
        .onSuccess(taken -> answer(request, 202, "{\"accepted\":1,\"duplicates\":0}"))
        .onFailure(failed -> answer(request, 503, "{}"));
  }

  private Future<Buffer> put(Buffer body) {
    String json =
        "{\"DeliveryStreamName\":\"positions\",\"Record\":{\"Data\":\""
            + Base64.getEncoder().encodeToString(body.getBytes())
            + "\"}}";
    return client
        .request(HttpMethod.POST, "/")
        .compose(
            request ->
                request
                    .putHeader("Authorization", "AWS4-HMAC-SHA256 Credential=lab")
                    .putHeader("Content-Type", "application/x-amz-json-1.1")
                    .putHeader("X-Amz-Target", "Firehose_20150804.PutRecord")
                    .send(Buffer.buffer(json)))
        .expecting(HttpResponseExpectation.SC_OK)
        .compose(response -> response.body());
  }

  private static void answer(HttpServerRequest request, int status, String json) {
    var _ = request.response().setStatusCode(status).end(json);
  }
}
