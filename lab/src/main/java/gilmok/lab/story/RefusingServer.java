package gilmok.lab.story;

import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Refuses each request as one whose neighbour timed out, was asked again, and failed: three
 * exceptions with their stacks, logged one after the other, as a reactive chain tells it.
 *
 * @param threads that refuse
 * @param log where it is told
 */
record RefusingServer(Executor threads, Logger log) implements StoryServer {
  private static final int REQUEST_THREADS = 64;

  /** How deep a chain of operators and proxies is. */
  private static final int DEPTH = 80;

  private static final int TRIES = 3;

  /** With threads and a log of its own. */
  static RefusingServer toAFile() throws IOException {
    return new RefusingServer(
        Executors.newFixedThreadPool(REQUEST_THREADS), LoggingServer.logger());
  }

  @Override
  public void answer(HttpServerRequest request) {
    threads.execute(() -> refuse(request));
  }

  private void refuse(HttpServerRequest request) {
    RuntimeException last = null;
    for (int attempt = 0; attempt < TRIES; attempt++) {
      try {
        deep(DEPTH);
      } catch (RuntimeException timeout) {
        log.log(Level.WARNING, "the neighbour did not answer, attempt " + attempt, timeout);
        last = timeout;
      }
    }
    log.log(Level.SEVERE, "given up", new IllegalStateException("retries exhausted", last));
    StoryServer.refuse(request);
  }

  private static void deep(int depth) {
    if (depth > 0) {
      deep(depth - 1);
    } else {
      throw new IllegalStateException(new TimeoutException("did not observe any item in 500 ms"));
    }
  }
}
