package gilmok.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limit on requests in flight, on the bytes of their bodies, and on those of HTTP/2 answers
 * that nobody reads; shared by all event loops. Bytes are counted as they arrive, never as
 * declared. What was admitted is given back exactly once, by the exchange that holds it.
 * Thread-safe.
 */
final class AdmissionLimit {
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong unread = new AtomicLong();
  private final long unreadMax;
  private final Map<Priority, Bounds> bounds = new EnumMap<>(Priority.class);

  /** The part of the answers that nobody reads which one connection may leave unread. */
  private static final int UNREAD_SHARES = 4;

  /** How much of the limit requests of one priority may use. */
  private record Bounds(int requests, long bytes) {}

  /** How much of it one caller may hold while sending. */
  final BodyQuotas shares;

  AdmissionLimit(int requestsMax, long bytesMax) {
    shares = new BodyQuotas(bytesMax);
    unreadMax = bytesMax;
    for (Priority priority : Priority.values()) {
      double share = priority.share();
      bounds.put(
          priority,
          new Bounds(
              (int) Math.min(Integer.MAX_VALUE, requestsMax * share),
              (long) Math.min(Long.MAX_VALUE, bytesMax * share)));
    }
  }

  /** Whether a request with a body of that many bytes would be admitted now. Takes nothing yet. */
  boolean has(Priority priority, long bodyBytes) {
    Bounds its = of(priority);
    return requests.get() < its.requests() && bytes.get() + bodyBytes <= its.bytes();
  }

  /**
   * Admits one request whose body has arrived; false, and nothing is taken, when the limit is
   * reached.
   */
  boolean enter(Priority priority) {
    if (requests.incrementAndGet() > of(priority).requests()) {
      requests.decrementAndGet();
      return false;
    }
    return true;
  }

  /** Gives back the place of a request that was answered. */
  void leave() {
    requests.decrementAndGet();
  }

  /**
   * Admits more bytes of a body as they arrive; false, and nothing is taken, when the limit is
   * reached.
   */
  boolean more(Priority priority, long bodyBytes) {
    if (bytes.addAndGet(bodyBytes) > of(priority).bytes()) {
      bytes.addAndGet(-bodyBytes);
      return false;
    }
    return true;
  }

  /** Gives back bytes that are no longer held. */
  void less(long bodyBytes) {
    bytes.addAndGet(-bodyBytes);
  }

  /**
   * Keeps an answer until its client reads it; false, and nothing is kept, when too much is.
   *
   * @param ofConnection what the same connection leaves unread already
   */
  boolean keeps(long ofConnection, int answerBytes) {
    if (ofConnection > 0 && ofConnection + answerBytes > unreadMax / UNREAD_SHARES) {
      return false;
    }
    if (unread.addAndGet(answerBytes) > unreadMax) {
      unread.addAndGet(-answerBytes);
      return false;
    }
    return true;
  }

  /** Gives back the room of an answer that was read, or whose client is gone. */
  void keepsNoMore(int answerBytes) {
    unread.addAndGet(-answerBytes);
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
