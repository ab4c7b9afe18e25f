package gilmok.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound on requests under way and on the bytes of their bodies, shared by all event loops. It
 * is taken as bytes come, never for what is only declared; what was let in is given back exactly
 * once, by the exchange that holds it. Thread-safe.
 */
final class AdmissionLimit {
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final Map<Priority, Bounds> bounds = new EnumMap<>(Priority.class);

  /** What is still let in of one priority. */
  private record Bounds(int requests, long bytes) {}

  /** What one caller may hold of it while he sends. */
  final BodyQuotas shares;

  AdmissionLimit(int requestsMax, long bytesMax, Networks proxies) {
    shares = new BodyQuotas(bytesMax, proxies);
    for (Priority priority : Priority.values()) {
      double share = priority.share();
      bounds.put(
          priority,
          new Bounds(
              (int) Math.min(Integer.MAX_VALUE, requestsMax * share),
              (long) Math.min(Long.MAX_VALUE, bytesMax * share)));
    }
  }

  /** Whether a request with so many bytes would be let in now; it takes nothing yet. */
  boolean has(Priority priority, long bodyBytes) {
    Bounds its = of(priority);
    return requests.get() < its.requests() && bytes.get() + bodyBytes <= its.bytes();
  }

  /** Lets one request in whose body is here, or takes nothing. */
  boolean enter(Priority priority) {
    if (requests.incrementAndGet() > of(priority).requests()) {
      requests.decrementAndGet();
      return false;
    }
    return true;
  }

  /** A request that was let in is answered. */
  void leave() {
    requests.decrementAndGet();
  }

  /** Lets more bytes of a body in, as they come, or takes nothing. */
  boolean more(Priority priority, long bodyBytes) {
    if (bytes.addAndGet(bodyBytes) > of(priority).bytes()) {
      bytes.addAndGet(-bodyBytes);
      return false;
    }
    return true;
  }

  /** So many bytes are held no longer. */
  void less(long bodyBytes) {
    bytes.addAndGet(-bodyBytes);
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
