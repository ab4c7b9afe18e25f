package gilmok.lab.torture;

import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A client that takes one delivery after the other from its creation to its end. */
final class OrdersLane implements Lane {
  private static final List<Edge> USUAL =
      List.of(Edge.ACCEPTED, Edge.ASSIGNED, Edge.PICKED_UP, Edge.COMPLETED);
  private static final List<List<Edge>> OTHERS =
      List.of(
          List.of(Edge.DECLINED),
          List.of(Edge.ACCEPTED, Edge.CANCELLED),
          List.of(Edge.ACCEPTED, Edge.ASSIGNED, Edge.UNASSIGNED, Edge.ASSIGNED, Edge.CANCELLED),
          List.of(Edge.ACCEPTED, Edge.ASSIGNED, Edge.ASSIGNED, Edge.PICKED_UP, Edge.COMPLETED),
          List.of(Edge.ACCEPTED, Edge.ASSIGNED, Edge.PICKED_UP, Edge.FAILED));

  private final Mover mover;
  private final Journal journal;
  private final RandomGenerator random;
  private @Nullable Order order;

  OrdersLane(Caller caller, Journal journal, RandomGenerator random) {
    this.mover = new Mover(caller, journal);
    this.journal = journal;
    this.random = random;
  }

  @Override
  public void turn() throws IOException, InterruptedException {
    Order now = order;
    if (now == null || now.isEnded()) {
      now = journal.order(number -> make(number, random));
      order = now;
    }
    mover.move(now);
  }

  /** A random order. */
  static Order make(int number, RandomGenerator random) {
    boolean isUsual = random.nextInt(10) < 7;
    return new Order(
        number,
        random.nextInt(3) == 0 ? Order.Shop.MOODY : Order.Shop.GOOD,
        Entries.rider(number % Entries.RIDERS),
        isUsual ? USUAL : OTHERS.get(random.nextInt(OTHERS.size())),
        random.nextInt(4) == 0);
  }
}
