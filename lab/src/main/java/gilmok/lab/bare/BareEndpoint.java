package gilmok.lab.bare;

import gilmok.collect.json.DecodeOutcome;
import gilmok.collect.json.JsonDecoder;
import gilmok.event.EventKind;
import gilmok.event.Events;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The collecting endpoint reduced to HTTP and parsing: it reads a body, parses it with the server's
 * own scanner, and answers 202 with a receipt of the same shape. It has no keys, deduplication,
 * log, live positions or metrics. One instance for each event loop.
 */
final class BareEndpoint extends VerticleBase {
  private final int port;
  private final AtomicLong sequence;
  private final JsonDecoder decoder = new JsonDecoder();
  private final Events events = new Events();

  /**
   * An endpoint that does not listen yet.
   *
   * @param port the port of loopback to listen on
   * @param sequence shared by all instances
   */
  BareEndpoint(int port, AtomicLong sequence) {
    this.port = port;
    this.sequence = sequence;
  }

  @Override
  public Future<?> start() {
    HttpServerOptions options =
        new HttpServerOptions().setHost("127.0.0.1").setPort(port).setTcpNoDelay(true);
    return vertx.createHttpServer(options).requestHandler(this::handle).listen();
  }

  private void handle(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.POST)) {
      request.response().setStatusCode(200).end();
      return;
    }
    request.body().onSuccess(body -> answer(request, body.getBytes()));
  }

  private void answer(HttpServerRequest request, byte[] body) {
    DecodeOutcome outcome = decoder.decode(EventKind.POSITION, body, 0, body.length, events);
    int count = events.count();
    if (outcome != DecodeOutcome.READ || count == 0 || events.rejectCount() > 0) {
      request.response().setStatusCode(400).end();
      return;
    }
    long last = sequence.addAndGet(count);
    String receipt =
        "{\"accepted\":"
            + count
            + ",\"duplicates\":0,\"quarantined\":[],\"receipt\":{\"node\":\"bare-endpoint\",\"first\":"
            + (last - count + 1)
            + ",\"last\":"
            + last
            + "}}";
    request
        .response()
        .setStatusCode(202)
        .putHeader("content-type", "application/json")
        .end(Buffer.buffer(receipt.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
