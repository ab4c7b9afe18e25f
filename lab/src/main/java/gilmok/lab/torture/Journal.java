package gilmok.lab.torture;

import gilmok.lab.crash.Book;
import gilmok.lab.crash.Violations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * All that was ever sent to one world's server, and what it answered. It has nothing from the
 * server but its answers. Thread-safe.
 */
final class Journal {
  /** So far back that no clock that jumps is before it. */
  private static final Duration BACK = Duration.ofHours(12);

  private final Violations findings;
  private final Book book;
  private final Extras extras = new Extras();
  private final Entries entries = new Entries();
  private final Puts puts = new Puts();
  private final MadeKeys keys = new MadeKeys();
  private final List<Order> orders = new ArrayList<>();
  private final long startMillis;

  Journal(Violations findings, long nowMillis) {
    this.findings = findings;
    this.startMillis = nowMillis - BACK.toMillis();
    this.book = new Book(findings, startMillis);
  }

  Violations findings() {
    return findings;
  }

  /** When everything in this world happens: half a day before it began. */
  long startMillis() {
    return startMillis;
  }

  Book book() {
    return book;
  }

  Extras extras() {
    return extras;
  }

  Entries entries() {
    return entries;
  }

  Puts puts() {
    return puts;
  }

  MadeKeys keys() {
    return keys;
  }

  /** A new order, made from its number. */
  Order order(OrderMaker maker) {
    synchronized (orders) {
      Order order = maker.make(orders.size());
      orders.add(order);
      return order;
    }
  }

  List<Order> orders() {
    synchronized (orders) {
      return List.copyOf(orders);
    }
  }

  /** Makes an order from its number. */
  @FunctionalInterface
  interface OrderMaker {
    Order make(int number);
  }
}
