package gilmok.auth;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks an issuer of tokens over HTTP. Stateless; blocks, for 10 s at most. */
public final class IssuerClient {
  private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);
  private static final int BYTES_MAX = 1 << 20;

  private IssuerClient() {}

  /**
   * The text that is there.
   *
   * @throws IOException when it answers other than 200, or more than 1 MiB
   */
  public static String get(URI from) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(from));
  }

  /** The answer to a request, likewise. */
  public static String ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(ANSWER_WAIT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build()) {
      HttpRequest asked = request.timeout(ANSWER_WAIT).build();
      HttpResponse<InputStream> answer =
          client.send(asked, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        byte[] bytes = body.readNBytes(BYTES_MAX + 1);
        if (answer.statusCode() != 200) {
          throw new IOException(asked.uri() + " answers " + answer.statusCode());
        }
        if (bytes.length > BYTES_MAX) {
          throw new IOException(asked.uri() + " answers more than " + BYTES_MAX + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
      }
    }
  }
}
