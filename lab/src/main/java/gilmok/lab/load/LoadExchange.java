package gilmok.lab.load;

import org.jspecify.annotations.Nullable;

/**
 * Something that is asked: one request, or several, each as soon as the one before is answered.
 * Owned by one lane's event loop.
 */
public interface LoadExchange {
  /** The request that is next; what it returns may be written over afterwards. */
  byte[] request();

  /** What is wrong with its answer, in a few words; null when nothing is. */
  default @Nullable String check(Response response) {
    return response.status() / 100 == 2 ? null : "status " + response.status();
  }

  /** Whether there is another request, now that this one was answered well. */
  default boolean hasMore() {
    return false;
  }
}
