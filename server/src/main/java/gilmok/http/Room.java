package gilmok.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound on requests under way and on the bytes of their bodies, shared by all event loops. What
 * was let in is given back exactly once, by the exchange that holds it. Thread-safe.
 */
final class Room {
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final Map<Priority, Bounds> bounds = new EnumMap<>(Priority.class);

  /** What is still let in of one priority. */
  private record Bounds(int requests, long bytes) {}

  Room(int requestsMax, long bytesMax) {
    for (Priority priority : Priority.values()) {
      double share = priority.share();
      bounds.put(
          priority,
          new Bounds(
              (int) Math.min(Integer.MAX_VALUE, requestsMax * share),
              (long) Math.min(Long.MAX_VALUE, bytesMax * share)));
    }
  }

  /** Lets one request with so many bytes in, or takes nothing. */
  boolean enter(Priority priority, long bodyBytes) {
    if (requests.incrementAndGet() > of(priority).requests()) {
      requests.decrementAndGet();
      return false;
    }
    if (!more(priority, bodyBytes)) {
      requests.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Lets more bytes of a request in that has room already, or takes nothing. */
  boolean more(Priority priority, long bodyBytes) {
    if (bodyBytes > 0 && bytes.addAndGet(bodyBytes) > of(priority).bytes()) {
      bytes.addAndGet(-bodyBytes);
      return false;
    }
    return true;
  }

  void leave(long bodyBytes) {
    if (bodyBytes > 0) {
      bytes.addAndGet(-bodyBytes);
    }
    requests.decrementAndGet();
  }

  private Bounds of(Priority priority) {
    return Objects.requireNonNull(bounds.get(priority));
  }

  int requests() {
    return requests.get();
  }

  long bytes() {
    return bytes.get();
  }
}
