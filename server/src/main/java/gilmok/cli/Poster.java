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
import java.util.random.RandomGenerator;

/**
 * Sends a batch until the server has taken it or refused it, or until patience ends. If the server
 * is busy (429, 503) or away, the batch is sent again: after its {@code Retry-After}, or after a
 * wait that doubles, with jitter. Sending again is safe, as the server recognises duplicates.
 *
 * <p>Safe for all threads.
 *
 * @param patience how long one batch is tried
 * @param notice receives one message, when the server is first busy or away
 */
record Poster(
    HttpClient client,
    Target target,
    Duration patience,
    Watch watch,
    RandomGenerator random,
    ReplayTally tally,
    Consumer<String> notice) {
  private static final long BACKOFF_NANOS_FIRST = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long BACKOFF_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
  private static final long RETRY_AFTER_SECONDS_MAX = 3600;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Sends one batch and counts the answer in the tally. Returns without an answer only when
   * everything is to stop.
   *
   * @throws CommandFailure naming the lines that were refused, or saying that the server stayed
   *     away
   */
  void post(UploadBatch batch) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve(batch.path()))
            .header("X-Api-Key", target.key())
            .header("Content-Type", "application/json")
            .timeout(ANSWER_TIMEOUT)
            .POST(BodyPublishers.ofByteArray(batch.body()))
            .build();
    long since = watch.nanos();
    for (int attempt = 0; ; attempt++) {
      String trouble;
      long wait = backoff(attempt);
      try {
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() != 429 && response.statusCode() != 503) {
          settle(batch, response);
          return;
        }
        trouble = "the server is busy (%d)".formatted(response.statusCode());
        wait = Math.max(wait, retryAfter(response));
      } catch (ConnectException away) {
        trouble = target.isNotRunning();
      } catch (IOException broken) {
        trouble = "the connection to " + target.base() + " broke (" + broken.getMessage() + ")";
      }
      if (watch.isStopped()) {
        return;
      }
      if (watch.nanos() - since + wait > patience.toNanos()) {
        throw new CommandFailure(
            "%s; gave up at %s after %d s (--patience)"
                .formatted(trouble, batch.where(), patience.toSeconds()));
      }
      if (tally.retried() == 1) {
        notice.accept(trouble + "; trying again for up to " + patience.toSeconds() + " s");
      }
      if (!watch.rest(wait)) {
        return;
      }
    }
  }

  private void settle(UploadBatch batch, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status / 100 != 2) {
      String refusal = target.refusal(status, ServerProblem.of(response.body()));
      boolean ofTheBody = status == 400 || status == 413 || status == 422;
      throw new CommandFailure(ofTheBody ? batch.where() + ": " + refusal : refusal);
    }
    UploadReply reply = UploadReply.of(response.body(), batch.size());
    if (reply == null) {
      throw new CommandFailure(
          "%s: the answer is no account of %d records; is a Gilmok server at %s?"
              .formatted(batch.where(), batch.size(), target.base()));
    }
    tally.answered(batch, reply);
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
