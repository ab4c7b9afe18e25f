package gilmok.lab.torture;

import gilmok.lab.crash.Book;
import gilmok.lab.crash.Violations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * All that was ever sent to one world's server, and what it answered. It has nothing from the
 * server but its answers. Thread-safe.
 *
 * @param startMillis when everything in this world happens: half a day before it began
 * @param made its orders, guarded by themselves
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
  /** So far back that no clock that jumps is before it. */
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

  /** A new order, made from its number. */
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
