package gilmok.auth;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks an issuer of tokens over HTTP. Stateless; blocks, for 10 s at most. */
public final class IssuerClient {
  private static final Duration WHOLE_WAIT = Duration.ofSeconds(10);
  private static final int BYTES_MAX = 1 << 20;

  private IssuerClient() {}

  /**
   * The text that is there.
   *
   * @throws IOException when it answers other than 200, or more than 1 MiB, or has not ended its
   *     answer in time
   */
  public static String get(URI from) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(from));
  }

  /** The answer to a request, likewise. */
  public static String ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    return ask(request, WHOLE_WAIT);
  }

  /** The answer to a request whose whole exchange takes no longer than that. */
  static String ask(HttpRequest.Builder request, Duration wait)
      throws IOException, InterruptedException {
    HttpRequest asked = request.build();
    try (HttpClient client =
        HttpClient.newBuilder()
            .connectTimeout(wait)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build()) {
      try {
        HttpResponse<byte[]> answer =
            client
                .sendAsync(
                    asked,
                    HttpResponse.BodyHandlers.limiting(
                        HttpResponse.BodyHandlers.ofByteArray(), BYTES_MAX))
                .get(wait.toMillis(), TimeUnit.MILLISECONDS);
        if (answer.statusCode() != 200) {
          throw new IOException(asked.uri() + " answers " + answer.statusCode());
        }
        return new String(answer.body(), StandardCharsets.UTF_8);
      } catch (ExecutionException failed) {
        throw new IOException(asked.uri() + ": " + failed.getCause(), failed);
      } catch (TimeoutException slow) {
        throw new IOException(
            asked.uri() + " has not answered all within " + wait.toMillis() + " ms", slow);
      } finally {
        client.shutdownNow(); // closing would wait for an answer that drips
      }
    }
  }
}
