package gilmok.lab.story;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Makes 100 kB for each request, and keeps those of the last 250: 25 MB that live just long enough
 * to grow old.
 */
final class HeapServer implements StoryServer {
  private static final int ANSWER_BYTES = 100_000;
  private static final int KEPT = 250;

  private final AtomicReferenceArray<byte[]> kept = new AtomicReferenceArray<>(KEPT);

  /** The number of the next one; only its own event loop makes them. */
  private int next;

  @Override
  public void answer(HttpServerRequest request) {
    byte[] answer = new byte[ANSWER_BYTES];
    answer[next] = 1;
    kept.set(next, answer);
    next = (next + 1) % KEPT;
    StoryServer.ok(request);
  }
}
