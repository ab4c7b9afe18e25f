package gilmok.warmup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * A client of HTTP/2 over TLS: one connection to this machine, by Java's own client. An event
 * stream is cancelled after its beginning. Not thread-safe.
 */
public final class Http2Client implements ScriptClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int BUFFER_BYTES = 16 * 1024;

  /** Headers of HTTP/1.1 that HTTP/2 has no use for; Java's client refuses some of them. */
  private static final Set<String> CONNECTION_HEADERS =
      Set.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");

  private final String base;
  private final HttpClient client;
  private final KeptResponse kept = new KeptResponse();
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /**
   * A client for a port of this machine; the first request connects.
   *
   * @param tls knows the server's certificate
   */
  public Http2Client(int port, SSLContext tls) {
    base = "https://127.0.0.1:" + port;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(tls)
            .connectTimeout(PATIENCE)
            .build();
  }

  @Override
  public int exchange(byte[] request) throws IOException {
    try {
      HttpResponse<InputStream> response =
          client.send(request(request), HttpResponse.BodyHandlers.ofInputStream());
      if (response.version() != HttpClient.Version.HTTP_2) {
        throw new IOException("answered by " + response.version());
      }
      keep(response);
      return response.statusCode();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  private void keep(HttpResponse<InputStream> response) throws IOException {
    kept.begin();
    response
        .headers()
        .map()
        .forEach((name, values) -> values.forEach(value -> kept.header(name + ": " + value)));
    boolean isEndless =
        response.headers().firstValue("content-type").orElse("").contains("text/event-stream");
    try (InputStream body = response.body()) {
      int count = body.read(buffer);
      while (count >= 0) {
        kept.body(buffer, 0, count);
        count = isEndless ? -1 : body.read(buffer);
      }
    }
  }

  /** The same request as Java's client wants it. */
  private HttpRequest request(byte[] bytes) {
    int end = endOfHead(bytes);
    List<String> head = new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    String[] first = head.getFirst().split(" ");
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + first[1])).timeout(PATIENCE);
    boolean isChunked = false;
    for (String line : head.subList(1, head.size())) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      isChunked |= name.equals("transfer-encoding");
      if (!CONNECTION_HEADERS.contains(name)) {
        builder.header(name, line.substring(colon + 1).strip());
      }
    }
    byte[] body = new byte[bytes.length - end - 4];
    System.arraycopy(bytes, end + 4, body, 0, body.length);
    HttpRequest.BodyPublisher publisher =
        body.length == 0
            ? HttpRequest.BodyPublishers.noBody()
            : isChunked ? chunk(body) : HttpRequest.BodyPublishers.ofByteArray(body);
    return builder.method(first[0], publisher).build();
  }

  private static int endOfHead(byte[] bytes) {
    for (int i = 0; i + 4 <= bytes.length; i++) {
      if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r') {
        return i;
      }
    }
    throw new IllegalArgumentException("no end of the head");
  }

  /** The body of unknown length that a request of one chunk has. */
  private static HttpRequest.BodyPublisher chunk(byte[] chunked) {
    int end = 0;
    while (chunked[end] != '\r') {
      end++;
    }
    int from = end + 2;
    int length = Integer.parseInt(new String(chunked, 0, end, StandardCharsets.US_ASCII), 16);
    return HttpRequest.BodyPublishers.ofInputStream(
        () -> new ByteArrayInputStream(chunked, from, length));
  }

  @Override
  public String found(ResponseCapture capture) {
    return kept.found(capture);
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
