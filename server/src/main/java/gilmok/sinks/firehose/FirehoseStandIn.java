package gilmok.sinks.firehose;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * A small Firehose for the warm-up, on a free port of loopback: it takes every record and keeps
 * none. So a sink before it runs all code of the real one, and nothing is sent to the fleet's
 * stream. Calls are answered one after the other. Thread-safe.
 */
public final class FirehoseStandIn implements AutoCloseable {
  private static final int BACKLOG = 64;

  /** More than the most bytes of a call in base64. */
  private static final int BODY_BYTES_MAX = 8 << 20;

  private static final AwsBasicCredentials CREDENTIALS =
      AwsBasicCredentials.create("warm-up", "of a stand-in");

  private final HttpServer server;

  private FirehoseStandIn(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts one.
   *
   * @throws IOException when no port can be opened
   */
  public static FirehoseStandIn start() throws IOException {
    InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(free, BACKLOG);
    server.createContext("/", FirehoseStandIn::answer);
    server.start();
    return new FirehoseStandIn(server);
  }

  /**
   * A sink with these settings that sends here, by no proxy and with credentials of its own.
   *
   * @param name the sink's name, for its metrics
   */
  public FirehoseSink sink(FirehoseConfig config, String name, Meters meters) {
    AwsHttpService.use();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new FirehoseSink(
        config.at(url),
        name,
        meters,
        ProxyRules.from(Map.of()),
        StaticCredentialsProvider.create(CREDENTIALS));
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
      byte[] reply = reply(records(body)).getBytes(StandardCharsets.US_ASCII);
      exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
      exchange.sendResponseHeaders(200, reply.length);
      exchange.getResponseBody().write(reply);
    }
  }

  /** How many records a call has; none if it asks for the stream's description. */
  private static int records(byte[] body) {
    // Neither base64 nor a stream's name has quotes.
    String text = new String(body, StandardCharsets.ISO_8859_1);
    int records = 0;
    for (int i = text.indexOf("\"Data\""); i >= 0; i = text.indexOf("\"Data\"", i + 1)) {
      records++;
    }
    return records;
  }

  private static String reply(int records) {
    StringBuilder text = new StringBuilder("{\"FailedPutCount\":0,\"RequestResponses\":[");
    for (int i = 0; i < records; i++) {
      text.append(i == 0 ? "" : ",").append("{\"RecordId\":\"").append(i).append("\"}");
    }
    return text.append("]}").toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
