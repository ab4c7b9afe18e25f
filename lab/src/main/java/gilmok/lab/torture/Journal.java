package gilmok.lab.torture;

import gilmok.lab.crash.Book;
import gilmok.lab.crash.Violations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * All requests to one world's server, and its responses. It relies on nothing from the server but
 * the responses. Thread-safe.
 *
 * @param startMillis the time of this world's first event: half a day before it began
 * @param made its orders, each guarded by itself
 */
record Journal(
    Violations findings,
    long startMillis,
    Book book,
    Extras extras,
    Entries entries,
    Puts puts,
    MadeKeys keys,
    List<Order> made) {
  /** More than any jump of the clock, so that no event is in the future. */
  private static final Duration BACK = Duration.ofHours(12);

  static Journal of(Violations findings, long nowMillis) {
    long start = nowMillis - BACK.toMillis();
    return new Journal(
        findings,
        start,
        new Book(findings, start),
        new Extras(),
        new Entries(),
        new Puts(),
        new MadeKeys(),
        new ArrayList<>());
  }

  /** Makes a new order from its number. */
  Order order(IntFunction<Order> maker) {
    synchronized (made) {
      Order order = maker.apply(made.size());
      made.add(order);
      return order;
    }
  }

  List<Order> orders() {
    synchronized (made) {
      return List.copyOf(made);
    }
  }
}
