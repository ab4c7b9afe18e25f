package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.Delivery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The events that a partner has taken of each delivery, in the order of their arrival. Thread-safe.
 */
final class Notebook {
  private static final int AWAIT_SECONDS = 30;

  private final Map<String, List<Integer>> taken = new HashMap<>();
  private final boolean isStrict;
  private int repeats;

  /**
   * @param isStrict whether only the event taken last may be repeated; over a network, a call that
   *     was given up can also arrive late
   */
  Notebook(boolean isStrict) {
    this.isStrict = isStrict;
  }

  /** Notes an event that the partner has answered with 2xx. */
  synchronized void take(String webhookId) {
    int colon = webhookId.indexOf(':');
    int sequence = Integer.parseInt(webhookId.substring(colon + 1));
    List<Integer> before =
        taken.computeIfAbsent(webhookId.substring(0, colon), _ -> new ArrayList<>());
    if (before.contains(sequence)) {
      repeats++;
      if (isStrict) {
        assertThat(sequence).as("only the last can be repeated").isEqualTo(before.getLast());
      }
      return;
    }
    assertThat(sequence)
        .as(webhookId + " in order")
        .isGreaterThan(before.isEmpty() ? 0 : before.getLast());
    before.add(sequence);
    notifyAll();
  }

  /** Waits until that many events are taken, not counting repeats. */
  synchronized void await(int count) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_SECONDS);
    while (size() < count) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      assertThat(left).as("has " + size() + " of " + count).isPositive();
      wait(left);
    }
  }

  synchronized int repeats() {
    return repeats;
  }

  synchronized int size() {
    return taken.values().stream().mapToInt(List::size).sum();
  }

  synchronized List<Integer> of(Delivery delivery) {
    return List.copyOf(taken.getOrDefault(delivery.id(), List.of()));
  }

  /** Asserts that every event of each delivery has arrived, in order. */
  synchronized void assertWhole(Collection<Delivery> deliveries) {
    for (Delivery delivery : deliveries) {
      assertThat(taken.getOrDefault(delivery.id(), List.of()))
          .as(delivery.id())
          .containsExactlyElementsOf(IntStream.rangeClosed(1, delivery.version()).boxed().toList());
    }
  }
}
