package gilmok.lab.story;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Tells a neighbour of each request: while its caller waits, with a timeout and two retries, or
 * after it was answered, from an outbox. The outbox is a count, as Gilmok's is on disk and fills no
 * memory.
 */
final class NeighbourServer implements StoryServer {
  private static final int THREADS = 64;
  private static final int TRIES = 3;
  private static final long RETRY_MILLIS = 200;
  private static final Duration TAKES = Duration.ofMillis(400);
  private static final Duration TIMEOUT = Duration.ofMillis(500);

  private final URI neighbour;
  private final boolean isInRequest;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final Semaphore outbox = new Semaphore(0);

  private NeighbourServer(int neighbourPort, boolean isInRequest) {
    neighbour = URI.create("http://127.0.0.1:" + neighbourPort + "/relay");
    this.isInRequest = isInRequest;
    if (!isInRequest) {
      for (int i = 0; i < THREADS; i++) {
        threads.execute(this::tell);
      }
    }
  }

  /** A neighbour that takes 400 ms. */
  static StoryServer slow(Vertx vertx, int neighbourPort, boolean isInRequest) {
    StoryServerCommand.listen(
        vertx,
        neighbourPort,
        request -> vertx.setTimer(TAKES.toMillis(), _ -> StoryServer.ok(request)));
    return new NeighbourServer(neighbourPort, isInRequest);
  }

  /** A neighbour that is not there. */
  static StoryServer down(int neighbourPort, boolean isInRequest) {
    return new NeighbourServer(neighbourPort, isInRequest);
  }

  @Override
  public void answer(HttpServerRequest request) {
    if (isInRequest) {
      threads.execute(() -> answer(request, ask()));
    } else {
      outbox.release();
      StoryServer.ok(request);
    }
  }

  private static void answer(HttpServerRequest request, boolean isDone) {
    if (isDone) {
      StoryServer.ok(request);
    } else {
      StoryServer.refuse(request);
    }
  }

  /** Asks the neighbour, and again if it does not answer in time; whether it did. */
  private boolean ask() {
    HttpRequest request = HttpRequest.newBuilder(neighbour).timeout(TIMEOUT).build();
    try {
      for (int attempt = 0; attempt < TRIES; attempt++) {
        if (attempt > 0) {
          TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
        if (isAnswered(request)) {
          return true;
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private boolean isAnswered(HttpRequest request) throws InterruptedException {
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException away) {
      return false;
    }
  }

  /** Tells the neighbour what waits; what it does not take waits again. */
  private void tell() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        outbox.acquire();
        if (!ask()) {
          outbox.release();
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
