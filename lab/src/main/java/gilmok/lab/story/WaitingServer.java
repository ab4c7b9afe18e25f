package gilmok.lab.story;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Waits 50 ms for something, as for a database, before it answers.
 *
 * @param threads that wait
 */
record WaitingServer(Executor threads) implements StoryServer {
  private static final long WAIT_MILLIS = 50;

  @Override
  public void answer(HttpServerRequest request) {
    threads.execute(
        () -> {
          try {
            TimeUnit.MILLISECONDS.sleep(WAIT_MILLIS);
            StoryServer.ok(request);
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
