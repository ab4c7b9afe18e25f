package gilmok.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request until the server answers other than that it is busy (429, 503), or until patience
 * ends. If it is busy or away, it is sent again: after its {@code Retry-After}, or after a wait
 * that doubles, with jitter. Sending again is safe, as the server recognises duplicates.
 *
 * <p>Safe for all threads.
 *
 * @param patience how long one request is tried
 * @param retries counts a retry; returns how many there were
 * @param notice receives one message, when the server is first busy or away
 */
record RetryingSender(
    HttpClient client,
    Target target,
    Duration patience,
    Watch watch,
    RandomGenerator random,
    LongSupplier retries,
    Consumer<String> notice) {
  private static final long BACKOFF_NANOS_FIRST = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long BACKOFF_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final long RETRY_AFTER_SECONDS_MAX = 3600;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Sends a body by POST. Returns the answer; null when everything is to stop.
   *
   * @param where the body comes from, for errors
   * @throws CommandFailure saying that the server stayed away
   */
  @Nullable HttpResponse<byte[]> post(String path, String contentType, byte[] body, String where)
      throws InterruptedException {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .POST(BodyPublishers.ofByteArray(body))
            .build(),
        where);
  }

  /** Asks for something likewise, by GET. */
  @Nullable HttpResponse<byte[]> get(String path) throws InterruptedException {
    return send(request(path).GET().build(), path);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(target.resolve(path))
        .header("X-Api-Key", target.key())
        .timeout(ANSWER_TIMEOUT);
  }

  private @Nullable HttpResponse<byte[]> send(HttpRequest request, String where)
      throws InterruptedException {
    long since = watch.nanos();
    for (int attempt = 0; ; attempt++) {
      String trouble;
      long wait = backoff(attempt);
      try {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() != 429 && response.statusCode() != 503) {
          return response;
        }
        trouble = "the server is busy (%d)".formatted(response.statusCode());
        wait = Math.max(wait, retryAfter(response));
      } catch (ConnectException away) {
        trouble = target.isNotRunning();
      } catch (IOException broken) {
        trouble = "the connection to " + target.base() + " broke (" + broken.getMessage() + ")";
      }
      if (watch.isStopped()) {
        return null;
      }
      if (watch.nanos() - since + wait > patience.toNanos()) {
        throw new CommandFailure(
            "%s; gave up at %s after %d s (--patience)"
                .formatted(trouble, where, patience.toSeconds()));
      }
      if (retries.getAsLong() == 1) {
        notice.accept(trouble + "; trying again for up to " + patience.toSeconds() + " s");
      }
      if (!watch.rest(wait)) {
        return null;
      }
    }
  }

  /** A random wait in the upper half of a span that doubles with each attempt. */
  private long backoff(int attempt) {
    long most = Math.min(BACKOFF_NANOS_MAX, BACKOFF_NANOS_FIRST << Math.min(attempt, 20));
    return most / 2 + random.nextLong(most / 2);
  }

  /**
   * The wait that the server wants, and up to a tenth more, so that not all clients return at once.
   */
  private long retryAfter(HttpResponse<?> response) {
    String asked = response.headers().firstValue("Retry-After").orElse("0").strip();
    if (!asked.matches("\\d{1,9}")) {
      return 0;
    }
    long seconds = Math.min(Long.parseLong(asked), RETRY_AFTER_SECONDS_MAX);
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    return nanos + random.nextLong(nanos / 10 + 1);
  }
}
