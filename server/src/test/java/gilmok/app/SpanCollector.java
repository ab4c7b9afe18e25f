package gilmok.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;

/** What a collector is sent by OTLP over HTTP, read by the specification's own messages. */
final class SpanCollector implements AutoCloseable {
  private final HttpServer server;
  private final Queue<ResourceSpans> received = new ConcurrentLinkedQueue<>();

  /** What it answers; 200 takes the spans. */
  volatile int status = 200;

  /** The header Authorization of the last request. */
  volatile String authorization = "";

  SpanCollector(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  /** One on a free port. */
  static SpanCollector open() {
    try {
      return new SpanCollector(0);
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  String endpoint() {
    return "http://127.0.0.1:" + port();
  }

  private void take(HttpExchange exchange) throws IOException {
    authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    try (InputStream body = new GZIPInputStream(exchange.getRequestBody())) {
      ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(body);
      if (status == 200) {
        received.addAll(request.getResourceSpansList());
      }
    }
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  /** What was said about the server that sent the spans. */
  List<KeyValue> resource() {
    return received.element().getResource().getAttributesList();
  }

  List<Span> spans(Predicate<Span> which) {
    return received.stream()
        .flatMap(one -> one.getScopeSpansList().stream())
        .map(ScopeSpans::getSpansList)
        .flatMap(List::stream)
        .filter(which)
        .toList();
  }

  /** Waits for spans of that name. */
  List<Span> await(String name) throws Exception {
    Program.await(() -> !named(name).isEmpty());
    return named(name);
  }

  List<Span> named(String name) {
    return spans(span -> span.getName().equals(name));
  }

  static String hex(com.google.protobuf.ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  static String attribute(Span span, String key) {
    return span.getAttributesList().stream()
        .filter(one -> one.getKey().equals(key))
        .map(
            one ->
                one.getValue().hasStringValue()
                    ? one.getValue().getStringValue()
                    : one.getValue().hasIntValue()
                        ? Long.toString(one.getValue().getIntValue())
                        : Double.toString(one.getValue().getDoubleValue()))
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
